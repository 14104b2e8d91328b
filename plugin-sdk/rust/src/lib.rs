//! SDK for Masthead plugins in Rust: implement the trait of each hook, then `register!` the type.
//!
//! What it is: the guest side of the WIT contract; the generated code is hidden.
//! What it is not: it never runs in the host and contains no business rules.
//! Who may depend on it: plugins.
//!
//! Hooks are traits ([`Links`], [`ArticleDecorate`], [`Routes`], ...); capabilities are modules ([`http`], [`kv`],
//! [`content`], ...) and [`settings()`]. A component imports only the capabilities that its code calls, and `plugin.toml`
//! lists each of them with a reason. In native unit tests, [`testing`] replaces the host.
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
pub mod clock;
pub mod content;
mod encode;
mod hooks;
pub mod http;
pub mod kv;
pub mod log;
pub mod random;
mod register;
pub mod secrets;
mod settings;
#[cfg(not(target_arch = "wasm32"))]
pub mod testing;
mod values;

pub use encode::{base64_url, escape_html, percent_encode, query_string, with_query};
pub use hooks::{
    Access, AccessRequest, Additions, Article, ArticleDecorate, Assistant, AssistantRequest, Badge, Boost, Channel,
    Context, Contribution, Download, Event, Events, Field, Filter, Head, HeadLink, HeadPage, Hit, HitPage, Identity,
    IdentityAnswer, IdentityStart, Layout, Link, LinkKind, Links, Menu, Message, MessageChannel, MessageFailure,
    Messaging, Meta, Navigation, Permissions, Person, Query, Response, RouteRequest, Routes, SearchDecorate,
    SearchRewrite, Section, SettingsCheck, Statistics, Synonym, Tag, Text, Tone, Translate, TranslateFailure,
    TranslateRequest, Translation, User,
};
pub use serde_json;
pub use settings::settings;
pub use values::{language_tag, pick};
