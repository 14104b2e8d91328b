//! What the pages of resources have in common: the head, the list of facts, texts in the language that they exist in.

use masthead_domain::{
    LocalText,
    link::is_own,
    resource::{Resource, ResourceKind},
    route::Route,
    text::without_tags,
};
use maud::{Markup, PreEscaped, html};
use serde_json::Value;

use super::selection;
use crate::page::{
    content::{bidi, member_actions},
    context::{Context, Page},
    head::Head,
};

/// A name of the catalogues with its value; rows without a value are not shown.
pub type Fact = (&'static str, Markup);

/// Facts as a list of names and values.
pub fn list(context: &Context<'_>, facts: &[Fact]) -> Markup {
    html! {
        @if facts.iter().any(|(_, value)| !value.0.is_empty()) {
            dl.facts {
                @for (key, value) in facts {
                    @if !value.0.is_empty() { div { dt { (context.texts.get(key)) } dd { (value) } } }
                }
            }
        }
    }
}

/// The head of a resource's page: the list that it is on, its title, a subtitle, and what members can do with it.
pub fn head(
    context: &Context<'_>,
    (kind, id): (ResourceKind, i64),
    label: &str,
    title: &LocalText,
    lead: Markup,
) -> Markup {
    let here = Route::of_resource(kind, id).map(|route| context.addresses.route(&route)).unwrap_or_default();
    html! {
        div.page-head {
            p.kicker {
                a href=(selection::list_of(context, kind)) { (context.texts.get(selection::label_of(kind))) }
                @if !label.is_empty() { " · " (bidi::isolated(label)) }
            }
            (heading(context, title))
            @if !lead.0.is_empty() { p.page-lead { (lead) } }
            (member_actions::of_resource(context, kind, id, &here))
        }
    }
}

/// The heading of a resource's page.
pub fn heading(context: &Context<'_>, title: &LocalText) -> Markup {
    html! { h1 { @if title.is_empty() { (context.texts.get("untitled")) } @else { (bidi::local(title, context.lang())) } } }
}

/// The page of a resource: titled by it, and described by its introduction.
pub fn page<T: Resource>(context: &Context<'_>, title: &LocalText, about: &LocalText, main: Markup) -> Page {
    let shown = title.get(context.lang());
    let shown = if shown.is_empty() { context.texts.get("untitled") } else { shown };
    let about = without_tags(about.get(context.lang()));
    Page {
        head: Head::page(if about.is_empty() { shown } else { &about }),
        ..Page::list(T::KIND.as_str(), shown.to_owned(), main)
    }
}

/// A text, a paragraph a line, in the language that it exists in.
pub fn prose(context: &Context<'_>, text: &LocalText) -> Markup {
    let Some((lang, text)) = text.chosen(context.lang()) else { return html! {} };
    html! {
        div.page-body lang=(lang.tag()) dir=(lang.dir()) {
            @for line in text.lines().filter(|line| !line.trim().is_empty()) { p { (line) } }
        }
    }
}

/// A text that is HTML, in the language that it exists in.
pub fn rich(context: &Context<'_>, text: &LocalText) -> Markup {
    let Some((lang, text)) = text.chosen(context.lang()) else { return html! {} };
    // The HTML was sanitized when the resource was imported.
    html! { div.page-body lang=(lang.tag()) dir=(lang.dir()) { (PreEscaped(text)) } }
}

/// A part of the page under a heading; nothing without content.
pub fn section(context: &Context<'_>, heading: &'static str, content: Markup) -> Markup {
    html! {
        @if !content.0.is_empty() {
            section.block { h2.block-title { (context.texts.get(heading)) } (content) }
        }
    }
}

/// A cover; nothing for an address that a page does not show.
pub fn cover(address: &str) -> Markup {
    html! { @if is_own(address) { img.resource-cover src=(address) alt=""; } }
}

/// Texts of which each stands for itself, such as classes of a classification.
pub fn words(texts: &[String]) -> Markup {
    let texts: Vec<Markup> = texts.iter().map(|text| bidi::isolated(text)).collect();
    bidi::joined(&texts, " · ")
}

/// What is written from left to right in every language, or nothing.
pub fn number(text: &str) -> Markup {
    if text.is_empty() {
        html! {}
    } else {
        bidi::ltr(text)
    }
}

/// An object without the members that say nothing.
pub fn without_empty(object: Value) -> Value {
    let Value::Object(members) = object else { return object };
    let says = |value: &Value| match value {
        Value::String(text) => !text.is_empty(),
        Value::Array(all) => !all.is_empty(),
        Value::Number(number) => number.as_u64() != Some(0),
        _ => true,
    };
    Value::Object(members.into_iter().filter(|(_, value)| says(value)).collect())
}
