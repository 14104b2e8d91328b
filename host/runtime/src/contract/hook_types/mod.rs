//! The records that hooks and host services take and return, as plain Rust types. The types that wasmtime generates from the WIT
//! files are private to this crate; `conversion` converts between both.

mod article;
mod conversion;
mod page;
mod search;
mod services;

pub use article::{
    Article, ArticleAdditions, ArticleSection, Badge, BadgeTone, Download, LanguageText, Passage, Person,
};
pub use page::{HeadPage, HeadTag, LinkTag, MetaTag, NavigationEntry, NavigationMenu};
pub use search::{PluginSearchQuery, SearchBoost, SearchField, SearchFilter, SearchHit, SearchHitPage, SearchSynonym};
pub use services::{
    AssistantRequest, ExternalUser, MessageChannel, MessageFailure, OutgoingMessage, PluginEvent, RouteRequest,
    RouteResponse, SignInReturn, SignInStart, Translation, TranslationFailure, TranslationRequest,
};
