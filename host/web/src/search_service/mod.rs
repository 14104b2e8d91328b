//! Full-text search over the published content of one site, including the rewriting of the query and the decoration of
//! hits by plugins. The search page and the API calls share it.

mod decoration;
mod execution;
mod exploration;
pub mod labels;
pub mod marks;
pub mod mentions;
mod rewriting;
mod scope;
mod similar;
mod suggestions;
pub mod terms;

use std::{collections::HashMap, sync::Arc};

use masthead_domain::{ArticleId, Lang, SiteId, card::ArticleCard, publication::Journal};
use masthead_runtime::Call;
use masthead_search::{
    Clusters, EntryKind, Hit, Hits, MAX_WINDOW, PageKey, PageOfHits, Query, Relaxed, SearchError, SpellingSuggestion,
    Tree,
};
use masthead_store::{ResourceRow, SiteArticle, SitesStore, StoreError};

use self::execution::{Executed, Execution};
pub use self::{
    decoration::{Badges, MemberCall, decorated_by_members, members},
    execution::Nearest,
    exploration::{Counted, Exploration, explore},
    scope::SearchScope,
    similar::{similar, with_common_labels},
    suggestions::suggest,
};
use crate::{app::App, sites::SiteEntry, usage::popularity::Counter};

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
    /// The database failed for whoever reads the counters by which hits are sorted, also for others who wait for them.
    #[error(transparent)]
    Counters(#[from] Arc<StoreError>),
    /// The index is being rebuilt, and has nothing for this search yet.
    #[error("the search index is being rebuilt from the database, and has nothing for this search yet")]
    Incomplete,
    /// Work on the hits panicked.
    #[error("the search panicked: {0}; please report the query")]
    Panic(tokio::task::JoinError),
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
    /// The hit behind which the page begins, in place of `offset`.
    pub after: Option<PageKey>,
    /// What becomes of the nearest search that finds something, where nothing has all that was typed.
    pub nearest: Nearest,
}

impl SearchRequest {
    /// The part of the hits that is read of the index.
    fn page(&self) -> PageOfHits {
        match self.after {
            Some(key) => PageOfHits::behind(key, self.limit),
            None => PageOfHits::at(self.offset.min(MAX_WINDOW), self.limit.min(MAX_WINDOW.saturating_sub(self.offset))),
        }
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
    /// Badges that the plugins of each site attach.
    pub badges: HashMap<SiteId, Badges>,
    /// The place of the last hit, if others follow it.
    pub next: Option<PageKey>,
    /// How what was searched differs from what was typed, if nothing has all of that. Of [`Nearest::Offered`]: how the nearest search differs.
    pub relaxed: Option<Relaxed>,
    /// What was probably meant.
    pub meant: Option<SpellingSuggestion>,
    /// What the index executed: with the synonyms of the site and of plugins.
    pub tree: Option<Tree>,
}

/// Searches entries of any kind. The site's plugins order and mark its own hits of articles and their parts; [`decorated_by_members`] has the
/// others of a group marked.
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
    let execution = Execution::of(app, entry, call, &request).await?;
    let Some((executed, hits)) = execution.search(&execution.query.kinds, request.page()).await? else {
        return Ok(SearchResults::default());
    };
    nothing_is_missed(app, hits.total)?;
    let Executed { search, relaxed, meant } = executed;
    let found = results(app, entry, call, lang, &request, hits).await?;
    Ok(SearchResults { relaxed, meant, tree: search.tree, ..found })
}

/// The hits of a request as the index finds them, for whoever compares them with what is known otherwise.
///
/// # Errors
/// [`SearchFailure`], when the index fails or is being rebuilt.
pub async fn hits(
    app: &App,
    entry: &SiteEntry,
    call: &mut Call,
    request: SearchRequest,
) -> Result<Vec<Hit>, SearchFailure> {
    let page = request.page();
    let execution = Execution::of(app, entry, call, &request).await?;
    let Some((_, hits)) = execution.search(&execution.query.kinds, page).await? else { return Ok(Vec::new()) };
    nothing_is_missed(app, hits.total)?;
    Ok(hits.hits)
}

/// Refuses an empty result while the index is incomplete: the missing hits may be among the entries that it does not have yet.
fn nothing_is_missed(app: &App, total: usize) -> Result<(), SearchFailure> {
    if total == 0 && app.progress.index_is_incomplete() { Err(SearchFailure::Incomplete) } else { Ok(()) }
}

/// The results of a request from the hits that the index found in its page.
async fn results(
    app: &App,
    entry: &SiteEntry,
    call: &mut Call,
    lang: Lang,
    request: &SearchRequest,
    hits: Hits,
) -> Result<SearchResults, SearchFailure> {
    let Hits { total, hits, next } = hits;
    let sites = request.scope.searched(request.scope.sites(app, entry));
    let found = load_items(&app.store.sites(sites), hits).await?;
    let (found, attached) = decoration::decorated(app, entry, call, lang, &request.query.said(), found).await;
    let badges = HashMap::from([(entry.site.id, attached)]);
    let (sites, items) = found.into_iter().unzip();
    Ok(SearchResults { total, items, sites, badges, next, ..SearchResults::default() })
}

/// Counts the hits of a request by the values of their fields (facets).
///
/// # Errors
/// [`SearchFailure`], when the index fails.
pub async fn clusters(
    app: &App,
    entry: &SiteEntry,
    call: &mut Call,
    request: SearchRequest,
) -> Result<Clusters, SearchFailure> {
    let execution = Execution::of(app, entry, call, &SearchRequest { counter: None, ..request }).await?;
    let Some((_, clusters)) = execution.clusters(&execution.query.kinds).await? else {
        return Ok(Clusters::default());
    };
    nothing_is_missed(app, clusters.total)?;
    Ok(clusters)
}

/// The stored entries of hits in their order, each with its site. `store` is of the sites that were searched. An entry that was removed since is
/// left out.
async fn load_items(store: &SitesStore, hits: Vec<Hit>) -> Result<Vec<(SiteId, ResultItem)>, StoreError> {
    let mut loaded = Loaded::of(store, &hits).await?;
    let item = |hit: Hit| Some((hit.site, loaded.take(hit)?));
    Ok(hits.into_iter().filter_map(item).collect())
}

/// The stored entries of hits.
struct Loaded {
    cards: HashMap<SiteArticle, ArticleCard>,
    journals: HashMap<(SiteId, String), Journal>,
    rows: HashMap<(SiteId, i64), ResourceRow>,
}

impl Loaded {
    /// Reads the entries with a number of statements that depends neither on the number of hits nor on that of their sites.
    async fn of(store: &SitesStore, hits: &[Hit]) -> Result<Self, StoreError> {
        let (mut articles, mut journals, mut resources) = (Vec::new(), Vec::new(), Vec::new());
        for hit in hits {
            match hit.kind {
                EntryKind::Article => articles.push((hit.site, ArticleId(hit.id))),
                EntryKind::Publication => journals.push((hit.site, hit.journal.as_str())),
                EntryKind::Resource(_) => resources.push((hit.site, hit.id)),
            }
        }
        Ok(Self {
            cards: store.cards_by_id(&articles).await?,
            journals: store.shown_journals(&journals).await?,
            rows: store.resource_rows_by_id(&resources).await?,
        })
    }

    fn take(&mut self, Hit { site, kind, id, journal }: Hit) -> Option<ResultItem> {
        Some(match kind {
            EntryKind::Article => ResultItem::Article(Box::new(self.cards.remove(&(site, ArticleId(id)))?)),
            EntryKind::Publication => ResultItem::Publication(Box::new(self.journals.remove(&(site, journal))?)),
            EntryKind::Resource(_) => ResultItem::Resource(self.rows.remove(&(site, id))?),
        })
    }
}
