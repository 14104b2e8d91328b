//! The filters beside the hits: a column on wide screens, a sheet on narrow ones. Each value is a link to the same search with it; those that are
//! set stand above the hits, each with a link that takes it back.

use masthead_domain::{publication::Journal, resource::ResourceKind};
use maud::{Markup, html};

use super::{
    Asked, Found,
    asked::{ADVANCED_WINDOWS, WINDOWS, year},
    tab::Tab,
};
use crate::page::{
    content::{bidi, resources},
    context::{Context, PageError},
};

/// Values of a field that are listed.
const VALUES: usize = 12;
/// Id of the panel, by which its button opens it.
const PANEL: &str = "filters";

/// The parts of the filters, which stand in different places of the page.
pub struct Filters {
    /// All filters.
    pub panel: Markup,
    /// The button that opens them on narrow screens.
    pub opener: Markup,
    /// Those that are set.
    pub chosen: Markup,
}

/// A value of a filter.
struct Choice {
    label: Markup,
    count: Option<u64>,
    /// The search with it.
    state: Asked,
    current: bool,
}

/// The filters of a search.
pub async fn of(context: &Context<'_>, asked: &Asked, found: &Found) -> Result<Filters, PageError> {
    let journals = context.journals().await?;
    let set = set(context, asked, journals);
    let texts = &context.texts;
    Ok(Filters {
        opener: html! {
            button.filters-open type="button" popovertarget=(PANEL) {
                (texts.get("filters")) @if !set.is_empty() { " " span.count { (set.len()) } }
            }
        },
        chosen: html! {
            @if !set.is_empty() {
                ul.chosen {
                    @for (label, without) in &set {
                        li {
                            a href=(without.href(context)) rel="nofollow" {
                                span.visually-hidden { (texts.get("filter_remove")) ": " } (label)
                            }
                        }
                    }
                    li { a.chosen-all href=(asked.without_filters().href(context)) rel="nofollow" { (texts.get("filters_clear")) } }
                }
            }
        },
        panel: html! {
            aside.filters id=(PANEL) popover aria-label=(texts.get("filters")) {
                div.filters-head {
                    h2 { (texts.get("filters")) }
                    button.filters-close type="button" popovertarget=(PANEL) popovertargetaction="hide" { (texts.get("filters_close")) }
                }
                (sites(context, found))
                (group(context, "filter_kind", kinds(context, asked, found)))
                (years(context, asked, found))
                @if asked.tab == Tab::Articles { (of_articles(context, asked, found, journals)) }
                @if !asked.words.is_empty() { (group(context, "filter_match", matches(context, asked))) }
            }
        },
    })
}

/// The filters that only articles have.
fn of_articles(context: &Context<'_>, asked: &Asked, found: &Found, journals: &[Journal]) -> Markup {
    let texts = &context.texts;
    let clusters = &found.exploration.clusters;
    let plain = |key: &'static str| html! { (texts.get(key)) };
    let access = [("all", None), ("open_access", Some(true)), ("access_restricted", Some(false))];
    let publish = [("all", None), ("publish_formal", Some(false)), ("publish_online_first", Some(true))];
    let columns = clusters.columns.iter().take(VALUES).map(|(name, count)| Choice {
        label: bidi::isolated(name),
        count: Some(*count),
        state: Asked { column: if *name == asked.column { String::new() } else { name.clone() }, ..asked.clone() },
        current: *name == asked.column,
    });
    let named = clusters.journals.iter().take(VALUES).map(|(key, count)| Choice {
        label: journal(context, journals, key),
        count: Some(*count),
        state: Asked { journal: if *key == asked.journal { String::new() } else { key.clone() }, ..asked.clone() },
        current: *key == asked.journal,
    });
    html! {
        (group(context, "filter_access", access.map(|(key, open)| Choice {
            label: plain(key), count: None, state: Asked { open, ..asked.clone() }, current: asked.open == open,
        }).into()))
        (group(context, "filter_publish", publish.map(|(key, online_first)| Choice {
            label: plain(key), count: None, state: Asked { online_first, ..asked.clone() }, current: asked.online_first == online_first,
        }).into()))
        @if journals.len() > 1 || !asked.journal.is_empty() { (group(context, "journals", named.collect())) }
        (group(context, "field_part", columns.collect()))
    }
}

/// A filter with its values, or nothing if there is no choice.
fn group(context: &Context<'_>, label: &'static str, choices: Vec<Choice>) -> Markup {
    html! {
        @if !choices.is_empty() {
            section.filter {
                h3 { (context.texts.get(label)) }
                (values(context, &choices))
            }
        }
    }
}

fn values(context: &Context<'_>, choices: &[Choice]) -> Markup {
    html! {
        ul {
            @for choice in choices {
                li {
                    a href=(choice.state.href(context)) rel="nofollow" aria-current=[choice.current.then_some("true")] {
                        span { (choice.label) } @if let Some(count) = choice.count { " " span.count { (count) } }
                    }
                }
            }
        }
    }
}

/// The kinds of a tab that has several.
fn kinds(context: &Context<'_>, asked: &Asked, found: &Found) -> Vec<Choice> {
    let choice = |(kind, count): &(ResourceKind, usize)| Choice {
        label: html! { (context.texts.get(resources::label_of(*kind))) },
        count: Some(*count as u64),
        state: Asked { kind: if asked.kind == Some(*kind) { None } else { Some(*kind) }, ..asked.clone() },
        current: asked.kind == Some(*kind),
    };
    found.kinds.iter().filter(|(kind, count)| *count > 0 || asked.kind == Some(*kind)).map(choice).collect()
}

/// Windows of years, the years with most hits, and a range to type.
fn years(context: &Context<'_>, asked: &Asked, found: &Found) -> Markup {
    let texts = &context.texts;
    let without = Asked { year_from: String::new(), year_to: String::new(), last_years: None, ..asked.clone() };
    let is_all = without == *asked;
    let windows: &[i32] = if asked.advanced { &ADVANCED_WINDOWS } else { &WINDOWS };
    let all = Choice { label: html! { (texts.get("all")) }, count: None, state: without.clone(), current: is_all };
    let window = |years: &i32| Choice {
        label: html! { (texts.count("last_years", usize::try_from(*years).unwrap_or(0))) },
        count: None,
        state: Asked { last_years: Some(*years), ..without.clone() },
        current: asked.last_years == Some(*years),
    };
    let one = |(name, count): &(String, u64)| Choice {
        label: bidi::ltr(name),
        count: Some(*count),
        state: Asked { year_from: name.clone(), year_to: name.clone(), ..without.clone() },
        current: asked.year_from == *name && asked.year_to == *name,
    };
    let mut counted: Vec<(String, u64)> = found.exploration.clusters.years.clone();
    counted.sort_by_key(|(name, _)| std::cmp::Reverse(year(name)));
    let choices: Vec<Choice> =
        std::iter::once(all).chain(windows.iter().map(window)).chain(counted.iter().take(VALUES).map(one)).collect();
    html! {
        section.filter {
            h3 { (texts.get("filter_years")) }
            (values(context, &choices))
            form.years action=(context.addresses.route(&asked.route())) method="get" {
                @for (name, value) in without.parameters() { input type="hidden" name=(name) value=(value); }
                label { (texts.get("year_from")) input type="number" inputmode="numeric" name="yearFrom" min="1" max="9999" value=(asked.year_from); }
                label { (texts.get("year_to")) input type="number" inputmode="numeric" name="yearTo" min="1" max="9999" value=(asked.year_to); }
                button { (texts.get("filter_apply")) }
            }
        }
    }
}

fn matches(context: &Context<'_>, asked: &Asked) -> Vec<Choice> {
    let choice = |(key, precise): (&'static str, Option<bool>)| Choice {
        label: html! { (context.texts.get(key)) },
        count: None,
        state: Asked { precise, ..asked.clone() },
        current: asked.precise == precise,
    };
    [("match_usual", None), ("match_precise", Some(true)), ("match_fuzzy", Some(false))].map(choice).into()
}

/// The other sites of a group with what they have: links to the same search there.
fn sites(context: &Context<'_>, found: &Found) -> Markup {
    html! {
        @if !found.sites.is_empty() {
            section.filter {
                h3 { (context.texts.get("results_of_sites")) }
                ul {
                    @for (name, href, count) in &found.sites {
                        li { a href=(href) rel="nofollow external" { span { (bidi::local(name, context.lang())) } " " span.count { (count) } } }
                    }
                }
            }
        }
    }
}

fn journal(context: &Context<'_>, journals: &[Journal], key: &str) -> Markup {
    match journals.iter().find(|journal| journal.key == key) {
        Some(journal) => bidi::local(&journal.title, context.lang()),
        None => bidi::isolated(key),
    }
}

/// The filters that are set: name, and the search without it.
fn set(context: &Context<'_>, asked: &Asked, journals: &[Journal]) -> Vec<(Markup, Asked)> {
    let texts = &context.texts;
    let mut set = Vec::new();
    let mut add = |label: Markup, without: Asked| set.push((label, without));
    if let Some(kind) = asked.kind {
        add(html! { (texts.get(resources::label_of(kind))) }, Asked { kind: None, ..asked.clone() });
    }
    if let Some(years) = asked.last_years {
        let label = texts.count("last_years", usize::try_from(years).unwrap_or(0));
        add(html! { (label) }, Asked { last_years: None, ..asked.clone() });
    }
    if !(asked.year_from.is_empty() && asked.year_to.is_empty()) {
        let range = if asked.year_from == asked.year_to {
            asked.year_from.clone()
        } else {
            format!("{}–{}", asked.year_from, asked.year_to)
        };
        add(bidi::ltr(&range), Asked { year_from: String::new(), year_to: String::new(), ..asked.clone() });
    }
    if let Some(open) = asked.open {
        let key = if open { "open_access" } else { "access_restricted" };
        add(html! { (texts.get(key)) }, Asked { open: None, ..asked.clone() });
    }
    if let Some(online) = asked.online_first {
        let key = if online { "publish_online_first" } else { "publish_formal" };
        add(html! { (texts.get(key)) }, Asked { online_first: None, ..asked.clone() });
    }
    if !asked.journal.is_empty() {
        add(journal(context, journals, &asked.journal), Asked { journal: String::new(), ..asked.clone() });
    }
    if !asked.column.is_empty() {
        add(bidi::isolated(&asked.column), Asked { column: String::new(), ..asked.clone() });
    }
    if let Some(precise) = asked.precise {
        let key = if precise { "match_precise" } else { "match_fuzzy" };
        add(html! { (texts.get(key)) }, Asked { precise: None, ..asked.clone() });
    }
    set
}
