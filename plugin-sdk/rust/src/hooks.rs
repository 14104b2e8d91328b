//! One trait per hook, and the types that they speak.

pub use crate::bindings::access::exports::masthead::plugin::access::{Permissions, Request as AccessRequest};
pub use crate::bindings::layout::exports::masthead::plugin::layout::Contribution;
pub use crate::bindings::links::exports::masthead::plugin::links::{Link, LinkKind};
pub use crate::bindings::links::masthead::plugin::types::Context;

/// Hook `links.rewrite`: changes where links inside the site lead.
pub trait Links {
    /// Rewrites one batch: as many links come back, in the same order.
    ///
    /// # Errors
    /// A refusal in words; the links stay as they were.
    fn rewrite(context: &Context, links: Vec<Link>) -> Result<Vec<Link>, String>;
}

/// Hook `access.decide`: what this reader may do on this site.
pub trait Access {
    /// Gives the permissions that hold from here on.
    ///
    /// # Errors
    /// A refusal in words; what the site permits holds.
    fn decide(context: &Context, request: AccessRequest) -> Result<Permissions, String>;
}

/// Hook `layout.contribute`: puts UI modules into slots of the page.
pub trait Layout {
    /// Gives this plugin's contributions to the page.
    ///
    /// # Errors
    /// A refusal in words; the page is made without them.
    fn contribute(context: &Context) -> Result<Vec<Contribution>, String>;
}

impl Contribution {
    /// A module in a slot, with properties that serde turns into a JSON object.
    ///
    /// # Errors
    /// When the properties cannot be written as JSON.
    pub fn new(slot: &str, module: &str, props: &impl serde::Serialize) -> Result<Self, String> {
        let props = serde_json::to_string(props).map_err(|error| format!("properties of {module}: {error}"))?;
        Ok(Self { slot: slot.to_owned(), module: module.to_owned(), props })
    }
}
