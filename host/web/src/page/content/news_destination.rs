//! Where an item of news leads: lists of news, the home page, resources and composed pages link to the same place.

use masthead_domain::{
    link::{is_own_or_web, is_web},
    route::Route,
};

use crate::page::context::Context;

/// Where an item of news leads, wherever it is listed.
pub struct NewsDestination {
    /// Its configured address, else that of its page.
    pub href: String,
    /// Whether that is one of another server.
    pub leaves: bool,
    /// What the shell asks for when the link is followed, because the host decides then where it leads.
    pub jump: Option<String>,
}

impl NewsDestination {
    /// The destination of an item with a number and a configured address, which may be "".
    pub fn of(context: &Context<'_>, id: i64, link: &str) -> Self {
        let link = link.trim();
        if !is_own_or_web(link) {
            return Self { href: context.addresses.route(&Route::NewsDetails(id)), leaves: false, jump: None };
        }
        let leaves = is_web(link);
        Self { href: link.to_owned(), leaves, jump: leaves.then(|| format!("news {id}")) }
    }
}
