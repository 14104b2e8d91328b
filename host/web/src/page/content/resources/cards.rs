//! Entries of a list as HTML: pictures in a grid, or one entry below the other.

use masthead_domain::{link::is_web, resource::ResourceKind};
use maud::{Markup, html};

use super::{
    entry::{ResourceEntry, length},
    selection::Layout,
};
use crate::page::{content::bidi, context::Context};

/// The list of which a page shows a part, or a message that there is nothing. The shell appends the entries of the next page to it.
pub fn list(context: &Context<'_>, entries: &[ResourceEntry], layout: Layout) -> Markup {
    let cards: Vec<Markup> = entries.iter().map(|entry| card(context, entry, layout)).collect();
    list_of_cards(context, &cards, layout)
}

/// The same of entries that are HTML already.
pub fn list_of_cards(context: &Context<'_>, cards: &[Markup], layout: Layout) -> Markup {
    let class = match layout {
        Layout::Grid => "media-grid",
        Layout::List => "media-list",
    };
    html! {
        @if cards.is_empty() {
            p.empty { (context.texts.get("no_data")) }
        } @else {
            ul class=(class) data-list { @for card in cards { (card) } }
        }
    }
}

/// An entry of such a list. One of another site has no number by which the shell of this site knows it.
pub fn card(context: &Context<'_>, entry: &ResourceEntry, layout: Layout) -> Markup {
    let pictured = layout == Layout::Grid || !entry.picture.is_empty();
    html! {
        li.media-card data-kind=(entry.kind.as_str()) data-id=[(!context.is_of_other_site()).then_some(entry.id)] {
            @if pictured { (picture(entry)) }
            div.media-text {
                @if !entry.label.is_empty() || !entry.marks.is_empty() {
                    p.card-kicker {
                        @if !entry.label.is_empty() { (bidi::isolated(&entry.label)) " " }
                        @for mark in &entry.marks { span.badge { (context.texts.get(mark)) } }
                    }
                }
                h2.media-title { (title(context, entry)) }
                @if !entry.facts.is_empty() { p.card-meta { (bidi::joined(&entry.facts, " · ")) } }
                @if !entry.summary.0.is_empty() { p.media-summary { (entry.summary) } }
                @if !entry.mention.0.is_empty() { p.media-mention { (context.texts.get("in_the_text")) ": " (entry.mention) } }
                @if let Some((href, title)) = &entry.article {
                    p.media-article { (context.texts.get("field_thesis")) ": " a href=(href) { (title) } }
                }
                (entry.badges)
            }
        }
    }
}

/// The title as a link; a figure without a title is named by its label.
fn title(context: &Context<'_>, entry: &ResourceEntry) -> Markup {
    let name = if !entry.title.0.is_empty() {
        entry.title.clone()
    } else if entry.label.is_empty() {
        html! { (context.texts.get("untitled")) }
    } else {
        bidi::isolated(&entry.label)
    };
    let outside = is_web(&entry.href);
    let jump = (!entry.jump.is_empty()).then_some(&entry.jump);
    html! {
        @if entry.href.is_empty() { (name) }
        @else { a href=(entry.href) rel=[outside.then_some("noopener")] data-jump=[jump] { (name) } }
    }
}

/// The picture, or an empty frame in the site's colours. Neither has a text: the title beside it says what it is.
fn picture(entry: &ResourceEntry) -> Markup {
    html! {
        div.media-picture {
            @if entry.picture.is_empty() {
                span.media-blank aria-hidden="true" { (symbol(entry.kind)) }
            } @else {
                img src=(entry.picture) alt="" loading="lazy" decoding="async";
            }
            @if entry.seconds > 0 { span.media-length { (length(entry.seconds)) } }
        }
    }
}

/// What stands for a resource without a picture.
fn symbol(kind: ResourceKind) -> Markup {
    let path = match kind {
        ResourceKind::Video => "M5 5h14v14H5zM10 9l5 3-5 3z",
        ResourceKind::Audio => {
            "M9 17V6l9-2v11M9 17a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM18 15a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z"
        }
        ResourceKind::Table => "M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14",
        ResourceKind::Picture => "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4",
        ResourceKind::Expert => "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20a8 8 0 0 1 16 0",
        ResourceKind::Book => "M5 4h12a2 2 0 0 1 2 2v14H7a2 2 0 0 1-2-2zM5 18a2 2 0 0 1 2-2h12",
        _ => "M7 3h7l4 4v14H7zM14 3v4h4M10 12h5M10 16h5",
    };
    html! { svg viewBox="0 0 24 24" { path d=(path) {} } }
}
