//! A search as the page of results shows it: a page of hits, and how many hits there are in the other tabs, by value of a field, and in the
//! other sites of a group. The query is rewritten once.

use futures::future::try_join_all;
use masthead_domain::{Lang, SiteId};
use masthead_runtime::Call;
use masthead_search::{Clusters, EntryKind, Facet, Filter, Hits, Index as _, Page, Search, SearchError, Sites, Tree};

use super::{SearchFailure, SearchRequest, SearchResults, results, rewrite_query};
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
    /// Hits by the values of the fields of [`Counted::facets`].
    pub clusters: Clusters,
    /// Hits of each site, in the order of [`Counted::sites`].
    pub sites: Vec<usize>,
    /// What the index executed: with the synonyms of the site and of plugins.
    pub tree: Option<Tree>,
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
    let own_filters = request.query.filters.len();
    let query = rewrite_query(call, request.query.clone()).await;
    let Some(mut search) = query.plan() else { return Ok(Exploration::default()) };
    let added = query.filters.get(own_filters..).unwrap_or_default();
    let reader = Reader { app, sites: Sites::several(request.scope.sites(app, entry)), added };
    let (mut hits, mut counts) = reader.hits(&search, &request, &counted).await?;
    let mut relaxation = None;
    // Where other kinds or filters have what was typed, those are offered.
    if request.relaxes && hits.total == 0 && counts.iter().all(|count| *count == 0) {
        for (step, nearest) in query.relaxed() {
            let (found, of_counts) = reader.hits(&nearest, &request, &counted).await?;
            if found.total > 0 || of_counts.iter().any(|count| *count > 0) {
                (hits, counts, search, relaxation) = (found, of_counts, nearest, Some(step));
                break;
            }
        }
    }
    let elsewhere = counted.sites.iter().map(|site| reader.elsewhere(*site, &search, &counted.site_filters));
    let (elsewhere, clusters) = tokio::try_join!(try_join_all(elsewhere), reader.clusters(&search, &counted.facets))?;
    let results = results(app, entry, call, lang, &request, hits).await?;
    let results = SearchResults { relaxation, ..results };
    Ok(Exploration { results, counts, clusters, sites: elsewhere, tree: search.tree })
}

/// Reads the index for one page.
struct Reader<'a> {
    app: &'a App,
    sites: Sites,
    /// The filters that plugins added, which hold for every count.
    added: &'a [Filter],
}

impl Reader<'_> {
    /// The page of hits, and the numbers of hits of other kinds and filters.
    async fn hits(
        &self,
        search: &Search,
        request: &SearchRequest,
        counted: &Counted,
    ) -> Result<(Hits, Vec<usize>), SearchFailure> {
        let page = async { Ok(self.app.search.search(self.sites.clone(), search.clone(), request.page()).await?) };
        let counts =
            counted.counts.iter().map(|(kinds, filters)| self.count(&self.sites, self.with(search, kinds, filters)));
        tokio::try_join!(page, try_join_all(counts))
    }

    /// A search with other kinds and filters.
    fn with(&self, search: &Search, kinds: &[EntryKind], filters: &[Filter]) -> Search {
        let filters = filters.iter().chain(self.added).cloned().collect();
        Search { kinds: kinds.to_vec(), filters, ..search.clone() }
    }

    async fn count(&self, sites: &Sites, search: Search) -> Result<usize, SearchFailure> {
        Ok(self.app.search.search(sites.clone(), search, Page::at(0, 0)).await?.total)
    }

    async fn elsewhere(&self, site: SiteId, search: &Search, filters: &[Filter]) -> Result<usize, SearchFailure> {
        self.count(&Sites::one(site), self.with(search, &search.kinds, filters)).await
    }

    /// Counts the values of the fields. Fields with the same filters are counted together.
    async fn clusters(&self, search: &Search, facets: &[(Facet, Vec<Filter>)]) -> Result<Clusters, SearchFailure> {
        let mut groups: Vec<(&[Filter], Vec<Facet>)> = Vec::new();
        for (facet, filters) in facets {
            match groups.iter_mut().find(|(known, _)| *known == filters.as_slice()) {
                Some((_, facets)) => facets.push(*facet),
                None => groups.push((filters, vec![*facet])),
            }
        }
        let counted = groups.into_iter().map(|(filters, facets)| async move {
            let search = self.with(search, &search.kinds, filters);
            let mut found = self.app.search.clusters(self.sites.clone(), search, facets.clone()).await?;
            let values = |facet: Facet| (facet, std::mem::take(values_mut(facet, &mut found)));
            Ok::<Vec<_>, SearchError>(facets.into_iter().map(values).collect())
        });
        let mut all = Clusters::default();
        for (facet, values) in try_join_all(counted).await?.into_iter().flatten() {
            *values_mut(facet, &mut all) = values;
        }
        Ok(all)
    }
}
