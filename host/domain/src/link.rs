//! Links within a site, before they are resolved to addresses.

use serde::{Deserialize, Serialize};

/// Where a link stands; plugins rewrite by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkKind {
    /// An article in a list (home, issue, just accepted).
    ListArticle,
    /// An article among search results.
    ResultArticle,
    /// A menu entry.
    Menu,
    /// Anything else.
    Other,
}

/// A link to a page of the same site. Neither the site's prefix nor the language is part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// Where it stands.
    pub kind: LinkKind,
    /// Path without language and leading slash: `article/17`.
    pub path: String,
    /// Query parameters in order, not yet percent-encoded.
    pub query: Vec<(String, String)>,
}
