//! Contributions of plugins to article pages: badges, sections, downloads.

use masthead_runtime::hook_types::{ArticleAdditions, ArticleSection, Badge, BadgeTone, Download};
use maud::{Markup, PreEscaped, html};

use crate::page::context::Context;
use crate::sites::addresses::Addresses;
use masthead_content::sanitize::clean;

/// All contributions of the plugins of a page, in the order of the plugins.
#[derive(Default)]
pub struct Added {
    /// Badges beside the title.
    pub badges: Vec<Badge>,
    /// Sections after the article's own sections, with the id of their plugin.
    pub sections: Vec<(String, ArticleSection)>,
    /// Downloadable files.
    pub downloads: Vec<Download>,
}

impl Added {
    /// Combines the plugins' contributions.
    pub fn new(all: Vec<(String, ArticleAdditions)>) -> Self {
        let mut added = Self::default();
        for (plugin, ArticleAdditions { badges, sections, downloads }) in all {
            added.badges.extend(badges);
            added.sections.extend(sections.into_iter().map(|section| (plugin.clone(), section)));
            added.downloads.extend(downloads);
        }
        added
    }
}

/// The address of a badge or download: a path inside the site is completed, an absolute address stays as it is.
fn address(addresses: &Addresses, target: &str) -> String {
    if target.contains("://") { target.to_owned() } else { addresses.path(target) }
}

/// A list of badges; empty without badges.
pub fn badges(context: &Context<'_>, badges: &[Badge]) -> Markup {
    html! {
        @if !badges.is_empty() {
            ul.badges { @for badge in badges { li { (mark(context, badge)) } } }
        }
    }
}

fn mark(context: &Context<'_>, badge: &Badge) -> Markup {
    let hint = Some(badge.hint.as_str()).filter(|hint| !hint.is_empty());
    let tone = tone(badge.tone);
    html! {
        @if badge.href.is_empty() {
            span.badge data-tone=(tone) title=[hint] { (badge.label) @if let Some(hint) = hint { span.visually-hidden { " " (hint) } } }
        } @else {
            a.badge data-tone=(tone) title=[hint] href=(address(&context.addresses, &badge.href)) { (badge.label) }
        }
    }
}

/// The tone's name in markup and payloads.
#[must_use]
pub const fn tone(tone: BadgeTone) -> &'static str {
    match tone {
        BadgeTone::Neutral => "neutral",
        BadgeTone::Good => "good",
        BadgeTone::Caution => "caution",
        BadgeTone::Bad => "bad",
    }
}

/// The contributed sections.
pub fn sections(sections: &[(String, ArticleSection)]) -> Markup {
    html! {
        @for (plugin, section) in sections {
            section.reader-section.plugin-section id=(anchor(plugin, section)) data-plugin=(plugin) {
                h2 { (section.heading) }
                (PreEscaped(clean(&section.html)))
            }
        }
    }
}

/// The anchor of a plugin's section: a prefix that neither ids of the host nor ids of articles have, the plugin's id, and the id
/// that the plugin gave.
#[must_use]
pub fn anchor(plugin: &str, section: &ArticleSection) -> String {
    format!("p-{plugin}-{}", section.id)
}

/// The link to a downloadable file.
pub fn download(context: &Context<'_>, file: &Download) -> Markup {
    html! { a href=(address(&context.addresses, &file.href)) type=(file.media_type) download { (file.label) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_id_of_a_plugin_equals_one_of_the_host_or_of_an_article() {
        let html = "<p id=\"bootstrap\">Text</p>".to_owned();
        let section = ArticleSection { id: "hot-words".to_owned(), heading: "Words".to_owned(), html };
        assert_eq!(
            super::sections(&[("search".to_owned(), section)]).into_string(),
            "<section class=\"reader-section plugin-section\" id=\"p-search-hot-words\" data-plugin=\"search\">\
             <h2>Words</h2><p>Text</p></section>"
        );
    }
}
