//! Metadata in the head of a document: for search engines, reference managers and libraries.

use masthead_runtime::hook_types::HeadTag;
use maud::{Markup, PreEscaped, html};
use serde_json::Value;

/// Metadata of a page.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// `<meta name="description">`.
    pub description: String,
    /// `<meta name="keywords">`, or "".
    pub keywords: String,
    /// `<meta name="robots">`, or "".
    pub robots: &'static str,
    /// Path of the canonical address, or "" for the page's own address.
    pub canonical: String,
    /// `citation_*` tags (Google Scholar, Zotero): name and content, in order.
    pub citation: Vec<(&'static str, String)>,
    /// JSON-LD, or null.
    pub json_ld: Value,
    /// `<link>` elements.
    pub links: Vec<Link>,
    /// Value of the response's `Link` header, or "".
    pub signposts: String,
    /// Tags that plugins contribute; the runtime has validated them.
    pub contributed: Vec<HeadTag>,
}

/// A `<link>` element.
#[derive(Clone, Debug)]
pub struct Link {
    /// Link relation.
    pub rel: &'static str,
    /// Media type of the target.
    pub media_type: &'static str,
    /// Title for readers.
    pub title: String,
    /// Address.
    pub href: String,
}

/// Greatest length of a description, in characters.
const MAX_DESCRIPTION: usize = 300;

impl Head {
    /// The head of a page with the given description, which is truncated to 300 characters.
    #[must_use]
    pub fn page(description: &str) -> Self {
        Self { description: description.chars().take(MAX_DESCRIPTION).collect(), ..Self::default() }
    }

    /// The tags of the head, as HTML.
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
        // Names with a colon are RDFa properties (Open Graph), the others metadata names.
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

/// The value as JSON that is safe inside a `<script>` element: every `<` is escaped, so that no text can close the
/// element.
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
    fn no_text_closes_the_script_element() {
        let json = script_json(&serde_json::json!({"t": "</script><script>alert(1)</script>\u{2028}"}));
        assert!(!json.contains('<') && !json.contains('\u{2028}'));
        assert_eq!(
            serde_json::from_str::<Value>(&json).ok(),
            Some(serde_json::json!({"t": "</script><script>alert(1)</script>\u{2028}"}))
        );
    }
}
