//! The pages of a search: results in tabs, with filters, sorts and windows of years; and the advanced search. Each state is an address.

mod advanced;
mod deep;
mod filters;
mod group;
mod hits;
mod nearest;
mod nothing;
mod saved;
mod search_state;
mod sorts;
mod tab;

use std::sync::Arc;

use masthead_domain::{resource::ResourceKind, route::Route};
use masthead_runtime::Call;
use masthead_search::{Clusters, Facet};
use maud::{Markup, html};

use self::{
    deep::RequestedHits,
    group::Members,
    search_state::{ADVANCED_WINDOWS, FILTERED, SearchState, WINDOWS},
    tab::Tab,
};
use crate::{
    failure::Failure,
    page::{
        content::{
            bidi,
            member_actions::{self, Alert},
            paging::Paging,
        },
        context::{Context, Page, PageError},
        head::Head,
        search_widget::advanced_form,
        types::PageView,
    },
    search_service::{self, Counted, Exploration, SearchRequest, SearchResults},
    sites::SiteEntry,
};

pub use self::saved::saved_search;

/// Hits on a page (specification section 9).
const PAGE_SIZE: u32 = 20;

/// What a search found, as the page shows it.
struct Found {
    results: SearchResults,
    /// The hits by the values of their fields.
    clusters: Clusters,
    paging: Paging,
    /// The tabs, each with the number of its hits.
    tabs: Vec<(Tab, usize)>,
    /// The kinds of the tab, each with the number of its hits, if it has several.
    kinds: Vec<(ResourceKind, usize)>,
    /// The last years, each with the number of their hits.
    windows: Vec<(i32, usize)>,
    /// The sites of the group, each with the number of its hits; none where there is no choice of sites.
    sites: Vec<(Arc<SiteEntry>, usize)>,
    /// The other ones of these that have hits on the page.
    members: Members,
}

/// The page of a search. `route` is one of its addresses.
pub async fn page(context: &Context<'_>, call: &mut Call, route: &Route) -> Result<Page, PageError> {
    let sites = group::sites(context);
    let mut state = SearchState::read(route, |name| context.parameter(name));
    if group::chosen(&sites, &state).is_none() {
        state.site.clear();
    }
    let mistakes = advanced::mistakes(&state);
    let is_search = state.is_search() && !mistakes.iter().any(advanced::QueryMistake::is_error);
    let mut found = match if is_search { find(context, call, &state, sites).await.map(Some) } else { Ok(None) } {
        Ok(found) => found,
        Err(error) if matches!(error.failure(), Failure::Inside | Failure::IndexIncomplete) => {
            return Ok(failed(context, &state, &error));
        }
        Err(error) => return Err(error),
    };
    let shown = match &mut found {
        Some(found) => results(context, call, &state, found).await?,
        None if state.advanced => html! {},
        None => start(context),
    };
    let main = html! {
        div.page-head { h1 { (context.texts.get(if state.advanced { "advanced_search" } else { "search" })) } }
        @if state.advanced {
            (advanced::form(context, &state, &mistakes, found.is_some()))
        } @else if !context.entry.slots.contains_key("search") {
            // A site without a search widget in its frame gets a search form on the page.
            (form(context, &state))
        }
        @if !state.advanced { (advanced::said(context, &state, &mistakes)) }
        (shown)
    };
    Ok(finished(context, &state, found.as_ref(), main))
}

/// The page of a search that failed. It is never shown as one without hits.
fn failed(context: &Context<'_>, state: &SearchState, error: &PageError) -> Page {
    tracing::error!(%error, "a search failed");
    metrics::counter!("masthead_page_failures_total").increment(1);
    let (texts, failure) = (&context.texts, error.failure());
    let said = if failure == Failure::Inside { "search_failed" } else { failure.key() };
    let main = html! {
        div.page-head { h1 { (texts.get(if state.advanced { "advanced_search" } else { "search" })) } }
        @if state.advanced { (advanced::form(context, state, &[], false)) }
        div.alert.search-failed role="alert" {
            p { (texts.get(said)) }
            p { a.button href=(state.href(context)) rel="nofollow" { (texts.get("search_again")) } }
        }
    };
    Page { status: failure.status().as_u16(), ..finished(context, state, None, main) }
}

fn finished(context: &Context<'_>, state: &SearchState, found: Option<&Found>, main: Markup) -> Page {
    let texts = &context.texts;
    let heading = texts.get(if state.advanced { "advanced_search" } else { "search" });
    let rows = state.rows.iter().map(|row| row.value.as_str());
    let words: Vec<&str> = [state.words.as_str(), state.column.as_str()].into_iter().chain(rows).collect();
    let words = words.join(" ");
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = if words.is_empty() { heading.to_owned() } else { format!("{words} · {heading}") };
    let named = context.parameter("type");
    let mut scopes = context.entry.site.search.resource_type.iter();
    let scope = scopes.find(|scope| scope.kind == named).map(|scope| scope.kind.clone()).unwrap_or_default();
    let total = found.map_or(0, |found| found.results.total as u64);
    Page {
        compressed: Vec::new(),
        refused: false,
        status: 200,
        head: Head { robots: "noindex, follow", ..Head::page(&title) },
        title,
        main,
        view: PageView::Search { q: state.words.clone(), total, scope },
        // Search texts are unbounded in number: their pages would evict all others from the cache.
        cacheable: false,
        article: None,
    }
}

/// Searches, and counts the hits of the other tabs, of the kinds of this one, by value, and of these sites of a group.
async fn find(
    context: &Context<'_>,
    call: &mut Call,
    state: &SearchState,
    sites: Vec<Arc<SiteEntry>>,
) -> Result<Found, PageError> {
    let this_year = context.app.counting.year_of(context.entry.site.id);
    let part = RequestedHits::asked(context);
    let request = SearchRequest {
        scope: group::scope(&sites, state),
        after: part.after,
        ..state.request(this_year, part.offset(), PAGE_SIZE as usize)
    };
    let said = request.query.said();
    let tabs = tabs(context, state);
    let kinds: &[ResourceKind] = if state.tab.resources().len() > 1 { state.tab.resources() } else { &[] };
    let windows: &[i32] = if state.advanced { &ADVANCED_WINDOWS } else { &WINDOWS };
    let in_tab = tabs.iter().map(|tab| state.in_tab(*tab));
    let of_kind = kinds.iter().map(|kind| SearchState { kind: Some(*kind), ..state.clone() });
    let in_window = windows.iter().map(|years| SearchState { last_years: Some(*years), ..state.without(Facet::Year) });
    let states = in_tab.chain(of_kind).chain(in_window);
    let counts = states.map(|state| (state.kinds(), state.filters(this_year))).collect();
    let facets = FILTERED.into_iter().filter(|facet| state.tab.has(*facet));
    let without = |facet| (facet, state.without(facet).filters(this_year));
    let counted = Counted {
        counts,
        facets: facets.map(without).collect(),
        sites: sites.iter().map(|entry| entry.site.id).collect(),
    };
    let Exploration { results, counts, clusters, sites: of_sites } =
        search_service::explore(context.app, context.entry, call, context.lang(), request, counted).await?;
    let (members, results) = Members::decorated(context, call, &said, results).await;
    let mut counts = counts.into_iter();
    Ok(Found {
        paging: part.paging.of(results.total as u64),
        tabs: tabs.into_iter().zip(&mut counts).collect(),
        kinds: kinds.iter().copied().zip(&mut counts).collect(),
        windows: windows.iter().copied().zip(&mut counts).collect(),
        sites: sites.into_iter().zip(of_sites).collect(),
        members,
        results,
        clusters,
    })
}

/// The tabs that the page has: journals only where there is a choice of them.
fn tabs(context: &Context<'_>, state: &SearchState) -> Vec<Tab> {
    let several = context.entry.site.is_group_site() || state.tab == Tab::Journals;
    Tab::ALL.into_iter().filter(|tab| *tab != Tab::Journals || several).collect()
}

/// The form of a site without a search widget.
fn form(context: &Context<'_>, state: &SearchState) -> Markup {
    let texts = &context.texts;
    named_form(context, state, (texts.get("search"), texts.get("search_placeholder")))
}

/// A form that searches the resources of a kind, for the page that lists them. `name` is the key of what they are called. It is part of the form's
/// accessible name, because the frame of the page may have a search of its own.
pub fn form_of_kind(context: &Context<'_>, kind: ResourceKind, name: &'static str) -> Markup {
    let (tab, kind) = Tab::of_type(kind.as_str());
    let state = SearchState { tab, kind, named: true, ..SearchState::default() };
    let (search, name) = (context.texts.get("search"), context.texts.get(name));
    let label = format!("{search}: {name}");
    named_form(context, &state, (label.as_str(), name))
}

/// A form with its accessible name, and what its field shows while it is empty.
fn named_form(context: &Context<'_>, state: &SearchState, (name, placeholder): (&str, &str)) -> Markup {
    let kept = state.parameters().into_iter().filter(|(name, _)| ["type", "site"].contains(&name.as_ref()));
    html! {
        form.search-form role="search" aria-label=(name) action=(context.addresses.route(&Route::Search)) method="get" {
            input type="search" name="q" value=(state.words) aria-label=(name) placeholder=(placeholder) required;
            @for (name, value) in kept { input type="hidden" name=(name) value=(value); }
            button.button { (context.texts.get("search")) }
        }
    }
}

/// What the page shows before a search: what to do, and words that others search.
fn start(context: &Context<'_>) -> Markup {
    let texts = &context.texts;
    let words =
        context.entry.site.search.hot_words.iter().map(|word| word.get(context.lang())).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    html! {
        p.result-count { (texts.get("search_term_needed")) }
        @if !words.is_empty() {
            section.block {
                h2.block-title { (texts.get("hot_words")) }
                ul.facets {
                    @for word in words {
                        @let state = SearchState { words: word.to_owned(), ..SearchState::default() };
                        li { a href=(state.href(context)) rel="nofollow" { (bidi::isolated(word)) } }
                    }
                }
            }
        }
        p { a href=(advanced_form(context)) target="_blank" rel="noopener" { (texts.get("advanced_search")) (advanced::in_new_tab(context)) } }
    }
}

/// Tabs, filters and hits.
async fn results(
    context: &Context<'_>,
    call: &mut Call,
    state: &SearchState,
    found: &mut Found,
) -> Result<Markup, PageError> {
    let texts = &context.texts;
    let list = if found.results.items.is_empty() {
        html! {}
    } else {
        let several = !found.sites.is_empty();
        hits::list(context, call, &mut found.members, (state.tab, several), &found.results).await?
    };
    let (found, results) = (&*found, &found.results);
    let filters = filters::of(context, state, found).await?;
    Ok(html! {
        p.result-count role="status" {
            @if results.total == 0 { (texts.get("no_records")) } @else { (texts.count("results_count", results.total)) }
            @for words in [&state.words, &state.column] { @if !words.is_empty() { " " q { (bidi::isolated(words)) } } }
        }
        (nearest::said(context, state, found))
        (tab_links(context, state, found))
        div.results {
            (filters.panel)
            div.results-main {
                div.results-bar {
                    (filters.opener)
                    @if results.total > 0 { (sorts::links(context, state)) (advanced::link(context, state)) }
                }
                @if results.total > 0 { (members(context, state)) }
                (filters.chosen)
                @if results.total == 0 { (nothing::advice(context, state, found)) }
                @else if results.items.is_empty() { p.empty { (texts.get("no_data")) } }
                (list)
                (deep::links(context, state, found))
            }
        }
    })
}

/// The buttons for members: the search is saved under its words, and its words or its column can be subscribed to.
fn members(context: &Context<'_>, state: &SearchState) -> Markup {
    let rows = state.rows.iter().map(|row| row.value.as_str());
    let words: Vec<&str> =
        [state.words.as_str(), state.column.as_str()].into_iter().chain(rows).filter(|word| !word.is_empty()).collect();
    let alert = match (state.column.as_str(), state.words.as_str()) {
        ("", "") => None,
        ("", words) => Some(Alert::Keywords(words)),
        (column, _) => Some(Alert::Column(column)),
    };
    member_actions::of_search(context, &words.join(" "), &state.href(context), alert)
}

fn tab_links(context: &Context<'_>, state: &SearchState, found: &Found) -> Markup {
    html! {
        nav.result-tabs aria-label=(context.texts.get("result_tabs")) {
            ul {
                @for (tab, count) in &found.tabs {
                    li {
                        a href=(state.in_tab(*tab).href(context)) rel="nofollow" aria-current=[(state.tab == *tab).then_some("page")] data-empty[*count == 0] {
                            (context.texts.get(tab.label())) " " span.count { (count) }
                        }
                    }
                }
            }
        }
    }
}
