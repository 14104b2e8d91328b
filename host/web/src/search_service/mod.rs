//! Full-text search over the published content of one site, including the rewriting of the query and the decoration of
//! hits by plugins. The search page and the API calls share it.

mod exploration;
mod scope;
pub mod terms;

use std::{collections::HashMap, sync::Arc};

use masthead_domain::{Lang, SiteId, card::ArticleCard, publication::Journal};
use masthead_runtime::{
    Call,
    hook_types::{Badge, PluginSearchQuery, SearchField, SearchFilter, SearchHit, SearchHitPage, SearchSynonym},
};
use masthead_search::{EntryKind, Field, Filter, Hit, Hits, MAX_WINDOW, Query, SearchError, SearchIndex, Synonym};
use masthead_store::{ResourceRow, SiteStore, StoreError, Totals};

pub use self::{
    exploration::{Counted, Exploration, explore},
    scope::SearchScope,
};
use crate::{app::App, sites::SiteEntry};

/// Greatest number of hits that are sorted by a counter: the best ones by relevance. Counters change with every view
/// and are therefore stored in the database, not in the index.
pub const MAX_SORTED_BY_COUNTER: usize = 5_000;

/// Why a search failed. A failed search is never reported as an empty list of hits.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchFailure {
    /// The index failed.
    #[error(transparent)]
    Index(#[from] SearchError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The search panicked.
    #[error("the search panicked: {0}; please report the query")]
    Panic(tokio::task::JoinError),
}

/// A usage counter by which hits can be sorted. It changes without a change of the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// Views.
    Visits,
    /// Downloads.
    Downloads,
    /// Visible comments.
    Comments,
}

/// A search over all kinds of entries.
#[derive(Clone, Debug, Default)]
pub struct SearchRequest {
    /// The query; `query.text` is the text that the reader typed.
    pub query: Query,
    /// The sites that are searched.
    pub scope: SearchScope,
    /// Sorts by a counter instead of by relevance: `false` is descending, `true` is ascending.
    pub counter: Option<(Counter, bool)>,
    /// Index of the first hit of the page, from 0.
    pub offset: usize,
    /// Greatest number of hits on the page.
    pub limit: usize,
}

impl SearchRequest {
    /// First and greatest number of the hits that are read of the index: where a counter sorts them, all that it sorts.
    const fn window(&self) -> (usize, usize) {
        if self.counter.is_some() { (0, MAX_SORTED_BY_COUNTER) } else { (self.offset, self.limit) }
    }
}

/// A hit with its stored entry.
#[derive(Debug)]
pub enum ResultItem {
    /// An article.
    Article(Box<ArticleCard>),
    /// A journal.
    Publication(Box<Journal>),
    /// A resource of any other kind.
    Resource(ResourceRow),
}

/// One page of hits of any kind.
#[derive(Debug, Default)]
pub struct SearchResults {
    /// Number of all hits, on all pages.
    pub total: usize,
    /// The hits of this page in their order.
    pub items: Vec<ResultItem>,
    /// The site of each of them, in the same order.
    pub sites: Vec<SiteId>,
    /// Badges that plugins attach, by article id.
    pub badges: HashMap<i64, Vec<Badge>>,
}

/// Searches entries of any kind. Plugins add badges only when the query is restricted to articles.
///
/// # Errors
/// [`SearchFailure`], when the index or the database fails.
pub async fn find_items(
    app: &App,
    entry: &SiteEntry,
    call: &mut Call,
    lang: Lang,
    request: SearchRequest,
) -> Result<SearchResults, SearchFailure> {
    let query = rewrite_query(call, request.query.clone()).await;
    let (offset, limit) = request.window();
    let hits = search(app, entry.site.id, query, offset, limit).await?;
    results(&app.store.site(entry.site.id), call, lang, &request, hits).await
}

/// The results of a request from the hits that the index found in its window.
async fn results(
    store: &SiteStore,
    call: &mut Call,
    lang: Lang,
    request: &SearchRequest,
    mut hits: Hits,
) -> Result<SearchResults, SearchFailure> {
    if let Some((counter, ascending)) = request.counter {
        let sorted = sort_by_counter(store, counter, ascending, hits.hits).await?;
        hits.hits = sorted.into_iter().skip(request.offset).take(request.limit).collect();
    }
    let mut cards = store.cards_by_id(&hits.articles()).await?;
    let (mut badges, mut order) = (HashMap::new(), hits.hits);
    if request.query.kinds == [EntryKind::Article] {
        (cards, badges) = decorate(call, lang, &request.query.text, cards).await;
        let own = |card: &ArticleCard| Hit {
            site: store.id(),
            kind: EntryKind::Article,
            id: card.id,
            journal: card.journal.clone(),
        };
        order = cards.iter().map(own).collect();
    }
    let items = load_items(store, cards, order).await?;
    let sites = vec![store.id(); items.len()];
    Ok(SearchResults { total: hits.total, items, sites, badges })
}

/// Counts the hits of a query by the values of their fields (facets).
///
/// # Errors
/// [`SearchFailure`], when the index fails.
pub async fn clusters(
    app: &App,
    entry: &SiteEntry,
    call: &mut Call,
    query: Query,
) -> Result<masthead_search::Clusters, SearchFailure> {
    let query = rewrite_query(call, query).await;
    let site = entry.site.id;
    on_index(&app.search, move |index| index.clusters(site, &query)).await
}

/// Runs `read` on a blocking thread: the index reads from disk, which must not hold up the other requests of an async
/// thread.
///
/// # Errors
/// The index's error; [`SearchFailure::Panic`] for a search that panics, which differs from a search without hits.
async fn on_index<T: Send + 'static>(
    index: &Arc<SearchIndex>,
    read: impl FnOnce(&SearchIndex) -> Result<T, SearchError> + Send + 'static,
) -> Result<T, SearchFailure> {
    let index = Arc::clone(index);
    let result = tokio::task::spawn_blocking(move || read(&index)).await;
    Ok(result.map_err(SearchFailure::Panic)??)
}

async fn search(app: &App, site: SiteId, query: Query, offset: usize, limit: usize) -> Result<Hits, SearchFailure> {
    let offset = offset.min(MAX_WINDOW);
    on_index(&app.search, move |index| index.search(site, &query, offset, limit)).await
}

async fn sort_by_counter(
    store: &SiteStore,
    counter: Counter,
    ascending: bool,
    hits: Vec<Hit>,
) -> Result<Vec<Hit>, StoreError> {
    let mut by_kind: HashMap<EntryKind, Vec<i64>> = HashMap::new();
    hits.iter().for_each(|hit| by_kind.entry(hit.kind).or_default().push(hit.id));
    let mut numbers: HashMap<(EntryKind, i64), i64> = HashMap::new();
    for (kind, ids) in by_kind {
        if counter == Counter::Comments {
            let counts = if kind == EntryKind::Article { store.comment_counts(&ids).await? } else { HashMap::new() };
            numbers.extend(counts.into_iter().map(|(id, count)| ((kind, id), count)));
            continue;
        }
        let of = |totals: Totals| if counter == Counter::Visits { totals.visits } else { totals.downloads };
        let totals = store.totals_of(kind.as_str(), &ids).await?;
        numbers.extend(totals.into_iter().map(|(id, totals)| ((kind, id), of(totals))));
    }
    let number = |hit: &Hit| numbers.get(&(hit.kind, hit.id)).copied().unwrap_or(0);
    let mut hits = hits;
    // The sort is stable: hits with equal counts stay in the order of their relevance.
    hits.sort_by_key(|hit| if ascending { number(hit) } else { -number(hit) });
    Ok(hits)
}

async fn load_items(
    store: &SiteStore,
    cards: Vec<ArticleCard>,
    order: Vec<Hit>,
) -> Result<Vec<ResultItem>, StoreError> {
    let mut cards: HashMap<i64, ArticleCard> = cards.into_iter().map(|card| (card.id, card)).collect();
    let has_journals = order.iter().any(|hit| hit.kind == EntryKind::Publication);
    let journals = if has_journals { store.shown_journals().await? } else { Vec::new() };
    let numbers = |hit: &Hit| matches!(hit.kind, EntryKind::Resource(_)).then_some(hit.id);
    let mut rows = store.resource_rows_by_id(&order.iter().filter_map(numbers).collect::<Vec<_>>()).await?;
    let mut items = Vec::with_capacity(order.len());
    for hit in order {
        match hit.kind {
            EntryKind::Article => items.extend(cards.remove(&hit.id).map(|card| ResultItem::Article(Box::new(card)))),
            EntryKind::Publication => {
                let journal = journals.iter().find(|journal| journal.key == hit.journal).cloned();
                items.extend(journal.map(|journal| ResultItem::Publication(Box::new(journal))));
            }
            EntryKind::Resource(_) => items.extend(rows.remove(&hit.id).map(ResultItem::Resource)),
        }
    }
    Ok(items)
}

async fn decorate(
    call: &mut Call,
    lang: Lang,
    typed: &str,
    cards: Vec<ArticleCard>,
) -> (Vec<ArticleCard>, HashMap<i64, Vec<Badge>>) {
    let hits = cards.iter().map(|card| hit(card, lang)).collect();
    let decorated = call.decorate_hits(SearchHitPage { text: typed.to_owned(), hits }).await;
    // The runtime guarantees that these are the same articles, possibly in another order.
    let mut by_id: HashMap<i64, ArticleCard> = cards.into_iter().map(|card| (card.id, card)).collect();
    let ordered = decorated.iter().filter_map(|hit| by_id.remove(&hit.id)).collect();
    let badges = decorated.into_iter().map(|hit| (hit.id, hit.badges)).filter(|(_, badges)| !badges.is_empty());
    (ordered, badges.collect())
}

fn hit(card: &ArticleCard, lang: Lang) -> SearchHit {
    SearchHit {
        id: card.id,
        doi: card.doi.as_ref().map(ToString::to_string).unwrap_or_default(),
        title: card.title(lang.tag()).map(|title| title.plain.clone()).unwrap_or_default(),
        kind: card.article_type.clone(),
        year: card.year,
        open_access: card.open_access,
        badges: Vec::new(),
    }
}

/// Passes the typed text through the `search.rewrite` hooks of the site's plugins. Filters that the reader chose are
/// kept; plugins can only add to them.
async fn rewrite_query(call: &mut Call, query: Query) -> Query {
    if query.text.trim().is_empty() {
        return query;
    }
    let typed = PluginSearchQuery { text: query.text.clone(), synonyms: vec![], boosts: vec![], filters: vec![] };
    let PluginSearchQuery { text, synonyms, boosts, filters } = call.rewrite_search(typed).await;
    let synonym = |SearchSynonym { term, alternatives }: SearchSynonym| Synonym { term, alternatives };
    let field = |field| match field {
        SearchField::Title => Field::Title,
        SearchField::Keywords => Field::Keywords,
        SearchField::Authors => Field::Authors,
        SearchField::Summary => Field::Summary,
        SearchField::Body => Field::Body,
    };
    let filter = |filter| match filter {
        SearchFilter::YearFrom(year) => Filter::YearFrom(year),
        SearchFilter::YearTo(year) => Filter::YearTo(year),
        SearchFilter::Journal(key) => Filter::Journal(key),
        SearchFilter::Kind(kind) => Filter::ArticleType(kind),
        SearchFilter::OpenAccess(open) => Filter::OpenAccess(open),
    };
    let mut all = query.filters;
    all.extend(filters.into_iter().map(filter));
    Query {
        text,
        synonyms: synonyms.into_iter().map(synonym).collect(),
        boosts: boosts.into_iter().map(|boost| (field(boost.field), boost.percent)).collect(),
        filters: all,
        ..query
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    #[tokio::test]
    async fn a_search_that_panics_is_an_error_and_not_an_empty_page() {
        let folder = tempfile::tempdir().unwrap();
        let index = Arc::new(SearchIndex::open(folder.path()).unwrap());
        let broken = on_index(&index, |_| -> Result<Hits, SearchError> { panic!("a damaged segment") }).await;
        assert!(matches!(broken, Err(SearchFailure::Panic(_))), "{broken:?}");
        let found = on_index(&index, |index| index.search(SiteId(1), &Query::typed("tide"), 0, 1)).await.unwrap();
        assert_eq!(found, Hits::default(), "the index still answers after a panic");
    }
}
