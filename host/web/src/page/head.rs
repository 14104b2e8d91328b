//! What the head of a document says about the page: for search engines, reference managers and libraries.

use masthead_runtime::hook_types::HeadTag;
use maud::{Markup, PreEscaped, html};
use serde_json::Value;

/// Meta data of a page.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// `<meta name="description">`.
    pub description: String,
    /// `<meta name="keywords">`, or "".
    pub keywords: String,
    /// `<meta name="robots">`, or "".
    pub robots: &'static str,
    /// Path of the canonical address, or "" for the page's own.
    pub canonical: String,
    /// `citation_*` (Google Scholar, Zotero): name and content, in order.
    pub citation: Vec<(&'static str, String)>,
    /// JSON-LD, or null.
    pub json_ld: Value,
    /// `<link>` elements.
    pub links: Vec<Link>,
    /// Value of the answer's `Link` header, or "".
    pub signposts: String,
    /// What plugins add; the runtime has looked at it.
    pub contributed: Vec<HeadTag>,
}

/// A `<link>` to something about the site.
#[derive(Clone, Debug)]
pub struct Link {
    /// Relation.
    pub rel: &'static str,
    /// Media type of what it leads to.
    pub media_type: &'static str,
    /// Its name for readers.
    pub title: String,
    /// Address.
    pub href: String,
}

/// Longest description, in characters.
const DESCRIPTION: usize = 300;

impl Head {
    /// The head of a page with this description.
    #[must_use]
    pub fn page(description: &str) -> Self {
        Self { description: description.chars().take(DESCRIPTION).collect(), ..Self::default() }
    }

    /// The tags.
    #[must_use]
    pub fn tags(&self) -> Markup {
        html! {
            @if !self.description.is_empty() { meta name="description" content=(self.description); }
            @if !self.keywords.is_empty() { meta name="keywords" content=(self.keywords); }
            @if !self.robots.is_empty() { meta name="robots" content=(self.robots); }
            @for (name, content) in &self.citation { meta name=(name) content=(content); }
            @if !self.json_ld.is_null() {
                script type="application/ld+json" { (PreEscaped(script_json(&self.json_ld))) }
            }
            @for link in &self.links {
                link rel=(link.rel) type=(link.media_type) title=(link.title) href=(link.href);
            }
            @for tag in &self.contributed { (contributed(tag)) }
        }
    }
}

fn contributed(tag: &HeadTag) -> Markup {
    let some = |text: &'_ str| Some(text.to_owned()).filter(|text| !text.is_empty());
    match tag {
        // Names with a colon are RDFa properties (Open Graph), the others meta data names.
        HeadTag::Meta(meta) if meta.name.contains(':') => html! { meta property=(meta.name) content=(meta.content); },
        HeadTag::Meta(meta) => html! { meta name=(meta.name) content=(meta.content); },
        HeadTag::Link(link) => html! {
            link rel=(link.rel) href=(link.href) type=[some(&link.media_type)] title=[some(&link.title)];
        },
        HeadTag::JsonLd(json) => {
            let value: Value = serde_json::from_str(json).unwrap_or_default();
            html! { script type="application/ld+json" { (PreEscaped(script_json(&value))) } }
        }
    }
}

/// JSON that may stand inside a `<script>` element: no `<` can end it.
#[must_use]
pub fn script_json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value)
        .unwrap_or_else(|_| "null".to_owned())
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_the_script() {
        let json = script_json(&serde_json::json!({"t": "</script><script>alert(1)</script>\u{2028}"}));
        assert!(!json.contains('<') && !json.contains('\u{2028}'));
        assert_eq!(
            serde_json::from_str::<Value>(&json).ok(),
            Some(serde_json::json!({"t": "</script><script>alert(1)</script>\u{2028}"}))
        );
    }
}
