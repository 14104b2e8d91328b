//! A search as the page of results shows it: a page of hits, and how many hits there are in the other tabs, by value of a field, and in the
//! other sites of a group. The query is rewritten once, and the index is read in one task.

use masthead_domain::{Lang, SiteId};
use masthead_runtime::Call;
use masthead_search::{Clusters, EntryKind, Filter, Hits, Query, SearchError};

use super::{SearchFailure, SearchRequest, SearchResults, on_index, results, rewrite_query};
use crate::{app::App, sites::SiteEntry};

/// The numbers of hits by the values of a field.
#[must_use]
pub const fn values_of(facet: Facet, clusters: &Clusters) -> &Vec<(String, u64)> {
    match facet {
        Facet::Kind => &clusters.kinds,
        Facet::Year => &clusters.years,
        Facet::Column => &clusters.columns,
        Facet::Journal => &clusters.journals,
        Facet::ArticleType => &clusters.types,
        Facet::Author => &clusters.authors,
        Facet::Fund => &clusters.funds,
        Facet::Language => &clusters.languages,
        Facet::Access => &clusters.access,
        Facet::OnlineFirst => &clusters.online_first,
    }
}

const fn values_mut(facet: Facet, clusters: &mut Clusters) -> &mut Vec<(String, u64)> {
    match facet {
        Facet::Kind => &mut clusters.kinds,
        Facet::Year => &mut clusters.years,
        Facet::Column => &mut clusters.columns,
        Facet::Journal => &mut clusters.journals,
        Facet::ArticleType => &mut clusters.types,
        Facet::Author => &mut clusters.authors,
        Facet::Fund => &mut clusters.funds,
        Facet::Language => &mut clusters.languages,
        Facet::Access => &mut clusters.access,
        Facet::OnlineFirst => &mut clusters.online_first,
    }
}

/// Hits to count beside those of a page.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// Kinds and filters, for each of which the hits of the same words are counted.
    pub counts: Vec<(Vec<EntryKind>, Vec<Filter>)>,
    /// The fields by which the hits are filtered, each with the other filters. Its values are counted with those alone: the number beside a
    /// value is then the number of hits that a reader gets who selects it instead.
    pub facets: Vec<(Facet, Vec<Filter>)>,
    /// Other sites, in each of which the hits of the same words are counted.
    pub sites: Vec<SiteId>,
    /// The filters for those: columns and journals are each site's own.
    pub site_filters: Vec<Filter>,
}

/// A page of hits, and what was counted.
#[derive(Debug, Default)]
pub struct Exploration {
    /// The hits.
    pub results: SearchResults,
    /// Numbers of hits, in the order of [`Counted::counts`].
    pub counts: Vec<usize>,
    /// Hits by the values of their fields; those of a field that filters are counted without its filter.
    pub clusters: Clusters,
    /// Hits of each site, in the order of [`Counted::sites`].
    pub sites: Vec<usize>,
}

/// Searches, and counts what is beside the hits of the page.
///
/// # Errors
/// [`SearchFailure`], when the index or the database fails.
pub async fn explore(
    app: &App,
    entry: &SiteEntry,
    call: &mut Call,
    lang: Lang,
    request: SearchRequest,
    counted: Counted,
) -> Result<Exploration, SearchFailure> {
    let site = entry.site.id;
    let own_filters = request.query.filters.len();
    let query = rewrite_query(call, request.query.clone()).await;
    let (offset, limit) = request.window();
    let plan = Plan { site, query, own_filters, counted, offset, limit };
    let Read { hits, tabs, clusters, sites } = on_index(&app.search, move |index| plan.read(index)).await?;
    let results = results(&app.store.site(site), call, lang, &request, hits).await?;
    Ok(Exploration { results, tabs, clusters, sites })
}

/// What is read of the index.
struct Plan {
    site: SiteId,
    query: Query,
    /// Number of filters that are the reader's; plugins added the others, which hold for every count.
    own_filters: usize,
    counted: Counted,
    offset: usize,
    limit: usize,
}

/// What was read of the index.
struct Read {
    hits: Hits,
    tabs: Vec<usize>,
    clusters: Clusters,
    sites: Vec<usize>,
}

impl Plan {
    fn read(&self, index: &masthead_search::SearchIndex) -> Result<Read, SearchError> {
        let hits = index.search(self.site, &self.query, self.offset, self.limit)?;
        let added = self.query.filters.get(self.own_filters..).unwrap_or_default();
        let count = |site, query: &Query| index.search(site, query, 0, 0).map(|hits| hits.total);
        let with = |kinds: &[EntryKind], filters: &[Filter]| {
            let filters = filters.iter().chain(added).cloned().collect();
            Query { kinds: kinds.to_vec(), filters, ..self.query.clone() }
        };
        let tab = |(kinds, filters): &(Vec<EntryKind>, Vec<Filter>)| count(self.site, &with(kinds, filters));
        let elsewhere = with(&self.query.kinds, &self.counted.site_filters);
        Ok(Read {
            tabs: self.counted.tabs.iter().map(tab).collect::<Result<_, _>>()?,
            sites: self.counted.sites.iter().map(|site| count(*site, &elsewhere)).collect::<Result<_, _>>()?,
            clusters: if self.counted.clusters { index.clusters(self.site, &self.query)? } else { Clusters::default() },
            hits,
        })
    }
}
