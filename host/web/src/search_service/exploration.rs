//! A search as the page of results shows it: a page of hits, and how many hits there are in the other tabs, by value of a field, and in each
//! site of a group. The query is rewritten once.

use futures::future::try_join_all;
use masthead_domain::{Lang, SiteId};
use masthead_runtime::Call;
use masthead_search::{
    Clusters, EntryKind, Facet, Filter, Index, Search, SearchError, Sites, Subset, by_filters, count, counts,
};

use super::{Executed, Execution, SearchFailure, SearchRequest, SearchResults, nothing_is_missed, results};
use crate::{app::App, sites::SiteEntry};

/// Hits to count beside those of a page.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// Kinds and filters, for each of which the hits of the same words are counted.
    pub counts: Vec<Subset>,
    /// The fields by which the hits are filtered, each with the other filters. Its values are counted with those alone: the number beside a
    /// value is then the number of hits that a reader gets who selects it instead.
    pub facets: Vec<(Facet, Vec<Filter>)>,
    /// The sites of a group, in each of which the hits of the same search are counted.
    pub sites: Vec<SiteId>,
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
    let execution = Execution::of(app, entry, call, &request).await?;
    let kinds: Vec<EntryKind> = counted.counts.iter().flat_map(|(kinds, _)| kinds).copied().collect();
    let Some((executed, hits)) = execution.search(&kinds, request.page()).await? else {
        let (counts, sites) = (vec![0; counted.counts.len()], vec![0; counted.sites.len()]);
        return Ok(Exploration { counts, sites, ..Exploration::default() });
    };
    let Executed { search, relaxed, meant } = executed;
    let Execution { index, ref sites, .. } = execution;
    let reader = Reader { index, sites, search: &search, added: execution.added() };
    let of_sites = counted.sites.iter().map(|site| reader.of_site(*site));
    let (counts, of_sites, clusters) =
        tokio::try_join!(reader.counts(counted.counts), try_join_all(of_sites), reader.clusters(&counted.facets))?;
    nothing_is_missed(app, hits.total + counts.iter().sum::<usize>())?;
    let found = results(app, entry, call, lang, &request, hits).await?;
    let results = SearchResults { relaxed, meant, tree: search.tree.clone(), ..found };
    Ok(Exploration { results, counts, clusters, sites: of_sites })
}

/// Counts the hits of a search with other kinds and filters.
struct Reader<'a> {
    index: &'a dyn Index,
    sites: &'a Sites,
    search: &'a Search,
    /// The filters that plugins added, which hold for every count.
    added: &'a [Filter],
}

impl Reader<'_> {
    /// The search with other filters.
    fn with(&self, filters: &[Filter]) -> Search {
        Search { filters: filters.iter().chain(self.added).cloned().collect(), ..self.search.clone() }
    }

    async fn counts(&self, mut subsets: Vec<Subset>) -> Result<Vec<usize>, SearchFailure> {
        subsets.iter_mut().for_each(|(_, filters)| filters.extend_from_slice(self.added));
        Ok(counts(self.index, self.sites, self.search, &subsets).await?)
    }

    async fn of_site(&self, site: SiteId) -> Result<usize, SearchFailure> {
        Ok(count(self.index, &Sites::one(site), Some(self.search.clone())).await?)
    }

    /// Counts the values of the fields. Fields with the same filters are counted together.
    async fn clusters(&self, facets: &[(Facet, Vec<Filter>)]) -> Result<Clusters, SearchFailure> {
        let groups = by_filters(facets.iter().map(|(facet, filters)| (filters.as_slice(), *facet)));
        let counted = groups.into_iter().map(|(filters, facets)| async move {
            let search = self.with(filters);
            let mut found = self.index.clusters(self.sites.clone(), search, facets.clone()).await?;
            let values = |facet: Facet| (facet, std::mem::take(found.of_mut(facet)));
            Ok::<Vec<_>, SearchError>(facets.into_iter().map(values).collect())
        });
        let mut all = Clusters::default();
        for (facet, values) in try_join_all(counted).await?.into_iter().flatten() {
            *all.of_mut(facet) = values;
        }
        Ok(all)
    }
}
