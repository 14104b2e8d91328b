//! Write Masthead plugins in Rust: implement a trait per hook, then `register!` the type.
//!
//! What it is: the guest side of `plugin-sdk/wit`, without generated code in sight.
//! What it is not: it never runs in the host and holds no business rules.
//! Who may depend on it: plugins.
//!
//! ```
//! use masthead_plugin::{Context, Link, Links};
//!
//! struct Shout;
//!
//! impl Links for Shout {
//!     fn rewrite(_: &Context, mut links: Vec<Link>) -> Result<Vec<Link>, String> {
//!         links.iter_mut().for_each(|link| link.path.make_ascii_uppercase());
//!         Ok(links)
//!     }
//! }
//!
//! masthead_plugin::register!(Shout: Links);
//! # fn main() {}
//! ```

#[doc(hidden)]
pub mod bindings;
mod hooks;
pub mod log;
mod register;
mod settings;
#[cfg(not(target_arch = "wasm32"))]
pub mod testing;

pub use hooks::{Access, AccessRequest, Context, Contribution, Layout, Link, LinkKind, Links, Permissions};
pub use settings::settings;

#[doc(hidden)]
pub use serde_json as __serde_json;
