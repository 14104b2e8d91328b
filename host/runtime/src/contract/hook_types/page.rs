//! The head and the menu of a page.

use super::article::Article;

/// The page to whose head plugins contribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadPage {
    /// Its title.
    pub title: String,
    /// Its absolute address.
    pub canonical: String,
    /// The article on the page, if any.
    pub article: Option<Article>,
}

/// `<meta name="..." content="...">` or, for names with a colon such as `og:title`, `<meta property="...">`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetaTag {
    /// Letters, digits and `. _ : -`.
    pub name: String,
    /// The text.
    pub content: String,
}

/// `<link>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkTag {
    /// Link relation, such as `cite-as`.
    pub rel: String,
    /// http(s) address.
    pub href: String,
    /// Media type, or "".
    pub media_type: String,
    /// Title, or "".
    pub title: String,
}

/// A tag in the head of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeadTag {
    /// A meta tag.
    Meta(MetaTag),
    /// A link.
    Link(LinkTag),
    /// `<script type="application/ld+json">`: a JSON object as text.
    JsonLd(String),
}

/// An entry of the menu. Entries form a tree of two levels: a child has the number of its parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NavigationEntry {
    /// Number within the site; entries added by a plugin have negative ones.
    pub id: i64,
    /// Number of the parent, 0 at the top.
    pub parent: i64,
    /// The specification's code, such as `aboutus`.
    pub code: String,
    /// Name in the page's language.
    pub label: String,
    /// Target: a path inside the site (without language, without leading slash) or an http(s) address.
    pub target: String,
    /// Whether it opens in a new tab.
    pub new_tab: bool,
}

/// Menu and languages of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NavigationMenu {
    /// Entries in their order.
    pub channels: Vec<NavigationEntry>,
    /// Codes of the interface languages, in the order of the language switch.
    pub languages: Vec<String>,
}
