//! The specification's entities and rules as plain types.
//!
//! What it is: the types that all other crates share (sites, articles, content nodes, routes, links, permissions).
//! What it is not: it has no I/O, no async code, and depends on no other crate of ours.
//! Who may depend on it: all crates.

pub mod access;
pub mod article;
pub mod calendar;
pub mod card;
pub mod content;
pub mod credit;
pub mod ids;
pub mod lang;
pub mod layout;
pub mod license;
pub mod link;
pub mod member;
pub mod networks;
pub mod notice;
pub mod plugin_use;
pub mod publication;
pub mod resource;
pub mod route;
pub mod section;
pub mod site;
pub mod text;

pub use ids::{ArticleId, Doi, SiteId};
pub use lang::{Lang, LocalText};
