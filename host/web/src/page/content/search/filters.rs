//! The filters beside the hits: a column on wide screens, a sheet on narrow ones. Each value is a link to the same search with it; those that are
//! set stand above the hits, each with a link that takes it back.

use std::{collections::HashSet, sync::Arc};

use masthead_domain::{publication::Journal, resource::ResourceKind};
use masthead_search::Facet;
use maud::{Markup, html};

use super::{Found, SearchState, search_state::year};
use crate::{
    app::menu_content::MenuContent,
    page::{
        content::{bidi, list, resources},
        context::{Context, PageError},
    },
    search_service::labels,
    sites::SiteEntry,
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
    state: SearchState,
    current: bool,
}

/// The filters of a search.
pub async fn of(context: &Context<'_>, state: &SearchState, found: &Found) -> Result<Filters, PageError> {
    let elsewhere = menus_elsewhere(context, state, found).await?;
    let elsewhere = elsewhere.iter().flat_map(|menu| &menu.journals);
    let journals: Vec<&Journal> = context.journals().await?.iter().chain(elsewhere).collect();
    let journals = journals.as_slice();
    let several = journals.iter().any(|journal| journal.key != journals[0].key);
    let set = set(context, state, found, journals);
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
                    li { a.chosen-all href=(state.without_filters().href(context)) rel="nofollow" { (texts.get("filters_clear")) } }
                }
            }
        },
        panel: html! {
            aside.filters id=(PANEL) popover aria-label=(texts.get("filters")) {
                div.filters-head {
                    h2 { (texts.get("filters")) }
                    button.filters-close type="button" popovertarget=(PANEL) popovertargetaction="hide" { (texts.get("filters_close")) }
                }
                (group(context, "group_sites", sites(context, state, found)))
                (group(context, "filter_kind", kinds(context, state, found)))
                (years(context, state, found))
                @for (facet, label, set, choices) in [
                    (Facet::Access, "filter_access", state.open, ACCESS),
                    (Facet::OnlineFirst, "filter_publish", state.online_first, PUBLISH),
                ] {
                    @if state.tab.has(facet) { (group(context, label, either(context, state, found, (facet, set), choices))) }
                }
                @for (facet, label) in LISTED {
                    @if state.tab.has(facet) && (facet != Facet::Journal || several || !state.journal.is_empty()) {
                        (group(context, label, listed(context, state, found, (facet, journals))))
                    }
                }
                @if !state.words.is_empty() { (group(context, "filter_match", matches(context, state))) }
            }
        },
    })
}

/// The targets of the menus of other sites of a group, which have journals that the filters name. A further site is read only while a journal has
/// no name.
async fn menus_elsewhere(
    context: &Context<'_>,
    state: &SearchState,
    found: &Found,
) -> Result<Vec<Arc<MenuContent>>, PageError> {
    let own = context.journals().await?;
    let mut named: Vec<&str> = found.clusters.of(Facet::Journal).iter().map(|(key, _)| key.as_str()).collect();
    named.extend(Some(state.journal.as_str()).filter(|key| !key.is_empty()));
    named.retain(|key| own.iter().all(|journal| journal.key != *key));
    let mut menus = Vec::new();
    for (entry, _) in found.sites.iter().filter(|(entry, _)| entry.site.id != context.entry.site.id) {
        if named.is_empty() {
            break;
        }
        let menu = context.app.menu_content(entry).await?;
        named.retain(|key| menu.journals.iter().all(|journal| journal.key != *key));
        menus.push(menu);
    }
    Ok(menus)
}

/// The choices of access, with the keys of their names.
const ACCESS: [(&str, bool); 2] = [("open_access", true), ("access_restricted", false)];
/// The choices of publish type, with the keys of their names; `true` is online first.
const PUBLISH: [(&str, bool); 2] = [("publish_formal", false), ("publish_online_first", true)];
/// The fields whose values are listed with the most frequent one first, with the keys of their names.
const LISTED: [(Facet, &str); 6] = [
    (Facet::Journal, "journals"),
    (Facet::Column, "field_part"),
    (Facet::Author, "authors"),
    (Facet::ArticleType, "filter_type"),
    (Facet::Language, "filter_language"),
    (Facet::Fund, "filter_fund"),
];

/// The values of a field with most hits. The one that is set takes itself back.
fn listed(
    context: &Context<'_>,
    state: &SearchState,
    found: &Found,
    (facet, journals): (Facet, &[&Journal]),
) -> Vec<Choice> {
    let values = found.clusters.of(facet).iter();
    // A section that articles name in several languages is one choice: the name with most hits.
    let mut seen = HashSet::new();
    let values = values.filter(|(value, _)| facet != Facet::Column || seen.insert(context.sections().key(value)));
    let choice = |(value, count): &(String, u64)| {
        let current = value == state.value(facet);
        let state = if current { state.without(facet) } else { state.with(facet, value) };
        Choice { label: named(context, (facet, journals), value), count: Some(*count), state, current }
    };
    values.take(VALUES).map(choice).collect()
}

/// The name of a value for readers.
fn named(context: &Context<'_>, (facet, journals): (Facet, &[&Journal]), value: &str) -> Markup {
    match facet {
        Facet::Journal => match journals.iter().find(|journal| journal.key == value) {
            Some(journal) => bidi::local(&journal.title, context.lang()),
            None => bidi::isolated(value),
        },
        Facet::ArticleType => bidi::isolated(&labels::article_type(&context.app.messages, context.lang(), value)),
        Facet::Language => bidi::isolated(labels::language(value)),
        Facet::Year => bidi::ltr(value),
        Facet::Column => list::section_name(context, value),
        _ => bidi::isolated(value),
    }
}

/// A filter that has two values, and all.
fn either(
    context: &Context<'_>,
    state: &SearchState,
    found: &Found,
    (facet, set): (Facet, Option<bool>),
    choices: [(&'static str, bool); 2],
) -> Vec<Choice> {
    let values = found.clusters.of(facet);
    let count = |one: &str| values.iter().find(|(value, _)| value == one).map_or(0, |(_, count)| *count);
    let all = Choice {
        label: html! { (context.texts.get("all")) },
        count: None,
        state: state.without(facet),
        current: set.is_none(),
    };
    let one = |(key, value): (&'static str, bool)| Choice {
        label: html! { (context.texts.get(key)) },
        count: Some(count(&value.to_string())),
        state: state.with(facet, &value.to_string()),
        current: set == Some(value),
    };
    std::iter::once(all).chain(choices.map(one)).collect()
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
fn kinds(context: &Context<'_>, state: &SearchState, found: &Found) -> Vec<Choice> {
    let choice = |(kind, count): &(ResourceKind, usize)| Choice {
        label: html! { (context.texts.get(resources::label_of(*kind))) },
        count: Some(*count as u64),
        state: SearchState { kind: if state.kind == Some(*kind) { None } else { Some(*kind) }, ..state.clone() },
        current: state.kind == Some(*kind),
    };
    found.kinds.iter().filter(|(kind, count)| *count > 0 || state.kind == Some(*kind)).map(choice).collect()
}

/// Windows of years, the years with most hits, and a range to type.
fn years(context: &Context<'_>, state: &SearchState, found: &Found) -> Markup {
    let texts = &context.texts;
    let without = state.without(Facet::Year);
    let all =
        Choice { label: html! { (texts.get("all")) }, count: None, state: without.clone(), current: without == *state };
    let window = |(years, count): &(i32, usize)| Choice {
        label: html! { (texts.count("last_years", usize::try_from(*years).unwrap_or(0))) },
        count: Some(*count as u64),
        state: SearchState { last_years: Some(*years), ..without.clone() },
        current: state.last_years == Some(*years),
    };
    let one = |(name, count): &(String, u64)| Choice {
        label: bidi::ltr(name),
        count: Some(*count),
        state: state.with(Facet::Year, name),
        current: state.year_from == *name && state.year_to == *name,
    };
    let mut counted = found.clusters.of(Facet::Year).clone();
    counted.sort_by_key(|(name, _)| std::cmp::Reverse(year(name)));
    let windows = found.windows.iter().map(window);
    let choices: Vec<Choice> =
        std::iter::once(all).chain(windows).chain(counted.iter().take(VALUES).map(one)).collect();
    html! {
        section.filter {
            h3 { (texts.get("filter_years")) }
            (values(context, &choices))
            form.years action=(context.addresses.route(&state.route())) method="get" {
                @for (name, value) in without.parameters() { input type="hidden" name=(name) value=(value); }
                label { (texts.get("year_from")) input type="number" inputmode="numeric" name="yearFrom" min="1" max="9999" value=(state.year_from); }
                label { (texts.get("year_to")) input type="number" inputmode="numeric" name="yearTo" min="1" max="9999" value=(state.year_to); }
                button { (texts.get("filter_apply")) }
            }
        }
    }
}

fn matches(context: &Context<'_>, state: &SearchState) -> Vec<Choice> {
    let choice = |(key, precise): (&'static str, Option<bool>)| Choice {
        label: html! { (context.texts.get(key)) },
        count: None,
        state: SearchState { precise, ..state.clone() },
        current: state.precise == precise,
    };
    [("match_usual", None), ("match_precise", Some(true)), ("match_fuzzy", Some(false))].map(choice).into()
}

/// All sites of a group, and each that has hits.
fn sites(context: &Context<'_>, state: &SearchState, found: &Found) -> Vec<Choice> {
    if found.sites.is_empty() {
        return Vec::new();
    }
    let choice = |label: Markup, count: usize, sld: &str| Choice {
        label,
        count: Some(count as u64),
        state: SearchState { site: sld.to_owned(), ..state.clone() },
        current: state.site == sld,
    };
    let total: usize = found.sites.iter().map(|(_, count)| count).sum();
    let all = choice(html! { (context.texts.get("group_all")) }, total, "");
    let shown = found.sites.iter().filter(|(entry, count)| *count > 0 || entry.site.sld == state.site);
    let one = |(entry, count): &(Arc<SiteEntry>, usize)| {
        choice(bidi::local(&entry.site.name, context.lang()), *count, &entry.site.sld)
    };
    std::iter::once(all).chain(shown.map(one)).collect()
}

/// The filters that are set: name, and the search without it.
fn set(context: &Context<'_>, state: &SearchState, found: &Found, journals: &[&Journal]) -> Vec<(Markup, SearchState)> {
    let texts = &context.texts;
    let mut set = Vec::new();
    let mut add = |label: Markup, without: SearchState| set.push((label, without));
    if let Some((entry, _)) = found.sites.iter().find(|(entry, _)| entry.site.sld == state.site) {
        let label = bidi::local(&entry.site.name, context.lang());
        add(label, SearchState { site: String::new(), ..state.clone() });
    }
    if let Some(kind) = state.kind {
        add(html! { (texts.get(resources::label_of(kind))) }, SearchState { kind: None, ..state.clone() });
    }
    if let Some(years) = state.last_years {
        let label = texts.count("last_years", usize::try_from(years).unwrap_or(0));
        add(html! { (label) }, SearchState { last_years: None, ..state.clone() });
    }
    if !(state.year_from.is_empty() && state.year_to.is_empty()) {
        let range = if state.year_from == state.year_to {
            state.year_from.clone()
        } else {
            format!("{}–{}", state.year_from, state.year_to)
        };
        add(bidi::ltr(&range), SearchState { year_from: String::new(), year_to: String::new(), ..state.clone() });
    }
    for (facet, value, choices) in
        [(Facet::Access, state.open, ACCESS), (Facet::OnlineFirst, state.online_first, PUBLISH)]
    {
        if let Some((key, _)) = choices.into_iter().find(|(_, choice)| value == Some(*choice)) {
            add(html! { (texts.get(key)) }, state.without(facet));
        }
    }
    for (facet, _) in LISTED {
        let value = state.value(facet);
        if !value.is_empty() {
            add(named(context, (facet, journals), value), state.without(facet));
        }
    }
    if let Some(precise) = state.precise {
        let key = if precise { "match_precise" } else { "match_fuzzy" };
        add(html! { (texts.get(key)) }, SearchState { precise: None, ..state.clone() });
    }
    set
}
