//! The pages of resources: lists (`textList`, `currencyList`, ...), the page of one resource, special issues and albums.

mod book;
mod cards;
mod collection;
mod entry;
mod facts;
mod figure_or_table;
mod recording;
mod records;
mod selection;

use std::collections::{BTreeMap, HashMap};

use masthead_domain::{
    ArticleId,
    access::ArticleAccess,
    link::LinkKind,
    publication::Journal,
    resource::{Audio, Picture, ResourceKind, TableSheet, Video},
    route::{ResourceList, Route},
};
use masthead_runtime::Call;
use masthead_search::{EntryKind, MAX_WINDOW, Marker, Order, Query, SortKey};
use masthead_store::{ListPart, ResourcePage, ResourceRow};
use maud::{Markup, html};

pub use self::{
    collection::{album, collection, collections},
    entry::period,
    selection::{label_of, searched_type},
};
use self::{
    entry::{OfArticle, ResourceEntry},
    selection::{Choice, Layout, Selection, Sort},
};
use crate::page::{
    content::{
        bidi::{self, tag},
        member_actions,
        message::absent,
        paging::{self, Paging},
        plugin_contributions,
    },
    context::{Context, Page, PageError},
    head::Head,
};
use crate::search_service::{
    self, Badges, ResultItem, SearchRequest, marks,
    mentions::{self, Mention},
};
use crate::usage::popularity::Counter;

/// Entries on a page (specification section 9).
const PAGE_SIZE: u32 = 20;

/// The page of a list. Words are searched within it where the page of results has no tab for its type; all other lists with words are that page.
pub async fn list(context: &Context<'_>, call: &mut Call, list: ResourceList) -> Result<Page, PageError> {
    let selection = Selection::read(context, list).await?;
    let asked = Paging::requested(context, PAGE_SIZE);
    let found = if selection.words.is_empty() {
        let part = ListPart { offset: asked.offset(), limit: PAGE_SIZE, order: selection.sort.in_list() };
        context.store.resource_page(selection.choice.kinds, selection.section(), part).await?
    } else {
        searched(context, call, &selection, asked).await?
    };
    // Of the hits of a search, only the first ones can be listed.
    let reachable = if selection.words.is_empty() { u64::MAX } else { MAX_WINDOW as u64 };
    let paging = asked.of(found.total.min(reachable));
    let kind = if selection.words.is_empty() { LinkKind::ListArticle } else { LinkKind::ResultArticle };
    let entries = entries(context, call, &found.rows, kind).await?;
    let offered = selection.offered(context).await?;
    let title = selection.title(context);
    let address = selection.href(context);
    let journals = context.journals().await?;
    let main = html! {
        div.page-head { h1 { (title) } }
        (choices(context, &selection, &offered, journals))
        @if !selection.words.is_empty() {
            p.result-count role="status" {
                @if found.total == 0 { (context.texts.get("no_records")) }
                @else { (context.texts.count("results_count", usize::try_from(found.total).unwrap_or(usize::MAX))) }
                " " q { (bidi::isolated(&selection.words)) }
            }
        }
        @if found.total > 1 { (tools(context, &selection)) }
        @if !entries.is_empty() { (member_actions::of_list(context, None)) }
        @if found.total > 0 && !paging.exists() {
            p.empty { a href=(address) { (context.texts.get("view_all")) } }
        } @else if found.total != 0 || selection.words.is_empty() {
            (cards::list(context, &entries, selection.layout))
        }
        (paging::more(context, &paging, |page| paging::at(&address, page)))
    };
    let typed = !selection.words.is_empty();
    let robots = if typed { "noindex, follow" } else { "" };
    let head = Head { canonical: paging::at(&address, asked.page), robots, ..Head::page(&title) };
    // Search texts are unbounded in number: their pages would evict all others from the cache.
    Ok(Page {
        head,
        cacheable: paging.exists() && selection.is_known && !typed,
        ..Page::list(list.name(), title, main)
    })
}

/// The page of one resource.
pub async fn one(context: &Context<'_>, call: &mut Call, kind: ResourceKind, id: i64) -> Result<Page, PageError> {
    match kind {
        ResourceKind::Picture => figure_or_table::page::<Picture>(context, call, id).await,
        ResourceKind::Table => figure_or_table::page::<TableSheet>(context, call, id).await,
        ResourceKind::Audio => recording::page::<Audio>(context, call, id).await,
        ResourceKind::Video => recording::page::<Video>(context, call, id).await,
        ResourceKind::Book => book::page(context, id).await,
        ResourceKind::Patent => records::patent(context, id).await,
        ResourceKind::Standard => records::standard(context, id).await,
        ResourceKind::Document => records::document(context, id).await,
        ResourceKind::Conference => records::conference(context, id).await,
        ResourceKind::Album => album(context, call, id).await,
        _ => Ok(absent(context)),
    }
}

/// The part of the hits of a search that a page shows.
async fn searched(
    context: &Context<'_>,
    call: &mut Call,
    selection: &Selection<'_>,
    asked: Paging,
) -> Result<ResourcePage, PageError> {
    let order = match selection.sort {
        Sort::Usual | Sort::Visits => Order::Relevance,
        Sort::Newest => Order::Descending(SortKey::Date),
        Sort::Oldest => Order::Ascending(SortKey::Date),
    };
    let query = Query {
        kinds: selection.choice.kinds.iter().copied().map(EntryKind::Resource).collect(),
        text: selection.words.clone(),
        order,
        ..Query::default()
    };
    let offset = usize::try_from(asked.offset()).unwrap_or(usize::MAX);
    let counter = (selection.sort == Sort::Visits).then_some((Counter::Visits, false));
    let request = SearchRequest { query, counter, offset, limit: PAGE_SIZE as usize, ..SearchRequest::default() };
    let found = search_service::find_items(context.app, context.entry, call, context.lang(), request).await?;
    let row = |item| match item {
        ResultItem::Resource(row) => Some(row),
        ResultItem::Article(_) | ResultItem::Publication(_) => None,
    };
    Ok(ResourcePage { rows: found.items.into_iter().filter_map(row).collect(), total: found.total as u64 })
}

/// The list of what a search for these kinds found, of which a page shows a part: the entries that [`found`] returns for each site.
pub fn list_of_found(context: &Context<'_>, kinds: &[ResourceKind], cards: &[Markup]) -> Markup {
    cards::list_of_cards(context, cards, Layout::of_kinds(kinds))
}

/// What a search for these kinds found at the site, as entries with the words of the query marked. Figures and tables have the sentence of their
/// article that mentions them, if it is one of `articles`, and the badges that plugins attach to their article. `site` is the name of the site, in a
/// list of several sites.
pub async fn found(
    context: &Context<'_>,
    call: &mut Call,
    kinds: &[ResourceKind],
    (rows, badges, articles): (&[ResourceRow], &Badges, &mentions::Articles),
    (marker, site): (&Marker, &Markup),
) -> Result<Vec<Markup>, PageError> {
    let all: Vec<&ResourceRow> = rows.iter().collect();
    let mentions = mentions::of_rows(context.entry.site.id, &context.rights, &all, articles);
    let mut entries = entries(context, call, rows, LinkKind::ResultArticle).await?;
    let sentence = |Mention { text, lang }: Mention| html! { q lang=[tag(&lang)] dir=(bidi::dir(&lang)) { (text) } };
    // Tabs have kinds that pages list, of which every row has its entry.
    for ((entry, mention), row) in entries.iter_mut().zip(mentions).zip(rows) {
        entry.mention = mention.map(sentence).unwrap_or_default();
        let attached = mentions::article_of(row).and_then(|article| badges.get(&article.0));
        entry.badges = plugin_contributions::badges(context, attached.map_or(&[], Vec::as_slice));
    }
    for entry in &mut entries {
        for text in [&mut entry.title, &mut entry.summary, &mut entry.mention] {
            *text = marks::in_markup(text, marker);
        }
        if !site.0.is_empty() {
            entry.facts.insert(0, site.clone());
        }
        if context.is_of_other_site() {
            entry.show_from_elsewhere(&context.addresses);
        }
    }
    let layout = Layout::of_kinds(kinds);
    Ok(entries.iter().map(|entry| cards::card(context, entry, layout)).collect())
}

/// The rows as entries. Figures and tables of articles that the reader may not read show what everyone may see. `kind` is what plugins are told of
/// the links to articles, and among results ([`LinkKind::ResultArticle`]) of those to the pages of the resources, too; all by one call.
async fn entries(
    context: &Context<'_>,
    call: &mut Call,
    rows: &[ResourceRow],
    kind: LinkKind,
) -> Result<Vec<ResourceEntry>, PageError> {
    let access: BTreeMap<ArticleId, ArticleAccess> =
        rows.iter().filter_map(|row| Some((mentions::article_of(row)?, row.article_access()))).collect();
    let own = |row: &ResourceRow| Route::of_resource(row.kind, row.id).filter(|_| kind == LinkKind::ResultArticle);
    let own: Vec<Route> = rows.iter().filter_map(own).collect();
    let routes: Vec<Route> = access.keys().map(|id| Route::Article(*id)).chain(own.iter().cloned()).collect();
    let mut hrefs = context.addresses.routes(call, kind, &routes).await.into_iter();
    let of = |(access, href): (ArticleAccess, String)| {
        (access.article, OfArticle { closed: context.rights.read(access).is_none(), href })
    };
    let articles: BTreeMap<ArticleId, OfArticle> = access.into_values().zip(&mut hrefs).map(of).collect();
    let plain = own.iter().map(|route| context.addresses.route(route));
    let rewritten: HashMap<String, String> = plain.zip(hrefs).collect();
    let mut entries = Vec::with_capacity(rows.len());
    for row in rows {
        let of = mentions::article_of(row).and_then(|article| articles.get(&article)).cloned().unwrap_or_default();
        entries.extend(entry::of_row(context, row, of)?);
    }
    // An entry may lead to another place than the page of its resource.
    for entry in &mut entries {
        if let Some(href) = rewritten.get(&entry.href) {
            entry.href.clone_from(href);
        }
    }
    Ok(entries)
}

/// Links to the other choices of the list, and to the figures or tables of one journal.
fn choices(
    context: &Context<'_>,
    selection: &Selection<'_>,
    offered: &[&'static Choice],
    journals: &[Journal],
) -> Markup {
    let texts = &context.texts;
    let chip = |chosen: bool, href: String, name: Markup| {
        html! { li { a href=(href) aria-current=[chosen.then_some("true")] { (name) } } }
    };
    html! {
        @if !offered.is_empty() {
            nav aria-label=(texts.get("kinds_of_resources")) {
                ul.facets {
                    @for &one in offered {
                        (chip(one == selection.choice, selection.with_choice(one).href(context), html! { (texts.get(one.label)) }))
                    }
                }
            }
        }
        @if selection.is_of_articles() && journals.len() > 1 {
            nav aria-label=(texts.get("journals")) {
                ul.facets {
                    (chip(selection.journal.is_empty(), selection.with_journal("").href(context), html! { (texts.get("all_journals")) }))
                    @for journal in journals {
                        (chip(journal.key == selection.journal, selection.with_journal(&journal.key).href(context), bidi::local(&journal.title, context.lang())))
                    }
                }
            }
        }
    }
}

/// Links to other orders and to the other arrangement.
fn tools(context: &Context<'_>, selection: &Selection<'_>) -> Markup {
    let typed = !selection.words.is_empty();
    let sorts: &[(Sort, &'static str)] = if typed {
        &[
            (Sort::Usual, "sort_relevance"),
            (Sort::Newest, "sort_newest"),
            (Sort::Oldest, "sort_oldest"),
            (Sort::Visits, "visits"),
        ]
    } else {
        &SORTS
    };
    // Without words, the usual order is the newest first.
    let current = if !typed && selection.sort == Sort::Newest { Sort::Usual } else { selection.sort };
    let layouts = [(Layout::Grid, "layout_grid"), (Layout::List, "layout_list")];
    let sorts = sorts.iter().map(|(sort, key)| (selection.with_sort(*sort).href(context), *key, *sort == current));
    let layouts = layouts
        .into_iter()
        .map(|(layout, key)| (selection.with_layout(layout).href(context), key, layout == selection.layout));
    html! {
        div.list-tools {
            (alternatives(context, "sort", sorts))
            (alternatives(context, "layout", layouts))
        }
    }
}

/// The orders of a list without words.
const SORTS: [(Sort, &str); 3] = [BY_TIME[0], BY_TIME[1], (Sort::Visits, "visits")];
/// The orders by time.
const BY_TIME: [(Sort, &str); 2] = [(Sort::Usual, "sort_newest"), (Sort::Oldest, "sort_oldest")];

/// Links to the same list in other ways: address, key of the name, and whether it is the present one.
fn alternatives(
    context: &Context<'_>,
    label: &'static str,
    all: impl Iterator<Item = (String, &'static str, bool)>,
) -> Markup {
    html! {
        nav aria-label=(context.texts.get(label)) {
            ul.facets {
                @for (href, key, current) in all {
                    li { a href=(href) aria-current=[current.then_some("true")] rel="nofollow" { (context.texts.get(key)) } }
                }
            }
        }
    }
}
