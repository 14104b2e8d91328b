//! Searching what a site publishes, with what plugins make of the query and of the hits. The search page and the calls
//! share it.

use std::{collections::HashMap, sync::Arc};

use masthead_domain::{Lang, SiteId, card::ArticleCard, publication::Journal};
use masthead_runtime::{
    Call,
    hook_types::{Badge, PluginSearchQuery, SearchField, SearchFilter, SearchHit, SearchHitPage, SearchSynonym},
};
use masthead_search::{EntryKind, Field, Filter, Hit, Hits, MAX_WINDOW, Query, SearchError, SearchIndex, Synonym};
use masthead_store::{ResourceRow, SiteStore, StoreError, Totals};

use crate::{app::App, sites::SiteEntry};

/// Hits that are looked at to order by a counter: the best ones by relevance. Counters change with every view, so they
/// stand in the store, not in the index.
pub const COUNTED: usize = 5_000;

/// Why a search has no answer. It is never an empty list of hits.
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
    #[error("searching: {0}; please report the query")]
    Panic(tokio::task::JoinError),
}

/// A page of hits among articles.
#[derive(Debug, Default)]
pub struct Found {
    /// Number of all hits.
    pub total: usize,
    /// The page's articles in their order.
    pub cards: Vec<ArticleCard>,
    /// Marks by the article's number.
    pub badges: HashMap<i64, Vec<Badge>>,
}

/// A number that changes without the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// Views.
    Visits,
    /// Downloads.
    Downloads,
    /// Comments that are shown.
    Comments,
}

/// What is wanted.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The query; its text is what the reader typed.
    pub query: Query,
    /// Orders by a counter: greatest first, or with `true` smallest first.
    pub counter: Option<(Counter, bool)>,
    /// First hit of the page.
    pub offset: usize,
    /// Hits of the page.
    pub limit: usize,
}

/// A hit with what is shown of it.
#[derive(Debug)]
pub enum Item {
    /// An article.
    Article(Box<ArticleCard>),
    /// A journal.
    Publication(Box<Journal>),
    /// A resource.
    Resource(ResourceRow),
}

/// A page of hits of any kind.
#[derive(Debug, Default)]
pub struct FoundItems {
    /// Number of all hits.
    pub total: usize,
    /// The page's hits in their order.
    pub items: Vec<Item>,
    /// Marks by the article's number.
    pub badges: HashMap<i64, Vec<Badge>>,
}

/// Searches articles by what the reader typed.
///
/// # Errors
/// The index's or the store's.
pub async fn find(
    app: &App,
    entry: &SiteEntry,
    call: &mut Call,
    lang: Lang,
    typed: &str,
    (offset, limit): (usize, usize),
) -> Result<Found, SearchFailure> {
    let query = rewritten(call, Query::typed(typed)).await;
    let hits = search(app, entry.site.id, query, offset, limit).await?;
    let cards = app.store.site(entry.site.id).cards_by_id(&hits.articles()).await?;
    let (cards, badges) = decorate(call, lang, typed, cards).await;
    Ok(Found { total: hits.total, cards, badges })
}

/// Searches things of any kind.
///
/// # Errors
/// The index's or the store's.
pub async fn find_items(
    app: &App,
    entry: &SiteEntry,
    call: &mut Call,
    lang: Lang,
    wanted: Wanted,
) -> Result<FoundItems, SearchFailure> {
    let (site, typed) = (entry.site.id, wanted.query.text.clone());
    let only_articles = wanted.query.kinds == [EntryKind::Article];
    let query = rewritten(call, wanted.query).await;
    let store = app.store.site(site);
    let hits = match wanted.counter {
        None => search(app, site, query, wanted.offset, wanted.limit).await?,
        Some((counter, ascending)) => {
            let Hits { total, hits } = search(app, site, query, 0, COUNTED).await?;
            let hits = counted(&store, counter, ascending, hits).await?;
            Hits { total, hits: hits.into_iter().skip(wanted.offset).take(wanted.limit).collect() }
        }
    };
    let mut cards = store.cards_by_id(&hits.articles()).await?;
    let mut badges = HashMap::new();
    let mut order: Vec<Hit> = hits.hits;
    if only_articles {
        (cards, badges) = decorate(call, lang, &typed, cards).await;
        order = cards
            .iter()
            .map(|card| Hit { kind: EntryKind::Article, id: card.id, journal: card.journal.clone() })
            .collect();
    }
    let items = load(&store, cards, order).await?;
    Ok(FoundItems { total: hits.total, items, badges })
}

/// Counts the hits by their values.
///
/// # Errors
/// The index's.
pub async fn clusters(
    app: &App,
    entry: &SiteEntry,
    call: &mut Call,
    query: Query,
) -> Result<masthead_search::Clusters, SearchFailure> {
    let query = rewritten(call, query).await;
    let site = entry.site.id;
    on_index(&app.search, move |index| index.clusters(site, &query)).await
}

/// Reads the index on a thread of its own: it reads from disk, and must not hold up the other requests of this thread.
///
/// # Errors
/// The index's; [`SearchFailure::Panic`] for a search that panics, which is not the same as one without hits.
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

async fn counted(store: &SiteStore, counter: Counter, ascending: bool, hits: Vec<Hit>) -> Result<Vec<Hit>, StoreError> {
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
    // Stable: where the numbers are the same, the better hit stays before the other.
    hits.sort_by_key(|hit| if ascending { number(hit) } else { -number(hit) });
    Ok(hits)
}

async fn load(store: &SiteStore, cards: Vec<ArticleCard>, order: Vec<Hit>) -> Result<Vec<Item>, StoreError> {
    let mut cards: HashMap<i64, ArticleCard> = cards.into_iter().map(|card| (card.id, card)).collect();
    let has_journals = order.iter().any(|hit| hit.kind == EntryKind::Publication);
    let journals = if has_journals { store.journals().await? } else { Vec::new() };
    let mut items = Vec::with_capacity(order.len());
    for hit in order {
        match hit.kind {
            EntryKind::Article => items.extend(cards.remove(&hit.id).map(|card| Item::Article(Box::new(card)))),
            EntryKind::Publication => {
                let journal = journals.iter().find(|journal| journal.key == hit.journal).cloned();
                items.extend(journal.map(|journal| Item::Publication(Box::new(journal))));
            }
            EntryKind::Resource(kind) => {
                let row = store.resource_row(&format!("{}/{}", kind.as_str(), hit.id)).await?;
                items.extend(row.map(Item::Resource));
            }
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
    // The runtime has seen to it that these are the same articles.
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

/// The query as the site's plugins rewrite what was typed; what was chosen besides stays as it is.
async fn rewritten(call: &mut Call, query: Query) -> Query {
    if query.text.trim().is_empty() {
        return query;
    }
    let asked = PluginSearchQuery { text: query.text.clone(), synonyms: vec![], boosts: vec![], filters: vec![] };
    let PluginSearchQuery { text, synonyms, boosts, filters } = call.rewrite_search(asked).await;
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
        assert!(matches!(broken, Err(PageError::SearchPanic(_))), "{broken:?}");
        let found = on_index(&index, |index| index.search(SiteId(1), &Query::typed("tide"), 0, 1)).await.unwrap();
        assert_eq!(found, Hits::default(), "the index answers on");
    }
}
