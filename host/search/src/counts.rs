//! Numbers of hits beside those of a page: in other tabs, of other kinds, since other years.

use futures::future::try_join_all;

use crate::{
    entry::EntryKind,
    index::{Facet, Index, PageOfHits, SearchError, Sites},
    query::{Filter, Search},
};

/// A part of what a search finds: its kinds (all for none) and filters.
pub type Subset = (Vec<EntryKind>, Vec<Filter>);

/// The number of the hits of a search; 0 without one.
///
/// # Errors
/// [`SearchError`].
pub async fn count(index: &dyn Index, sites: &Sites, search: Option<Search>) -> Result<usize, SearchError> {
    let Some(search) = search else { return Ok(0) };
    Ok(index.search(sites.clone(), search, PageOfHits::at(0, 0)).await?.total)
}

/// The number of hits of the same words in each of these subsets, which replace the kinds and filters of the search. What differs in the
/// kinds alone is counted by one search: words that many entries have take most of the time of a page.
///
/// # Errors
/// [`SearchError`].
pub async fn counts(
    index: &dyn Index,
    sites: &Sites,
    search: &Search,
    subsets: &[Subset],
) -> Result<Vec<usize>, SearchError> {
    let numbered = subsets.iter().enumerate();
    let groups = by_filters(numbered.map(|(at, (kinds, filters))| (filters.as_slice(), (at, kinds.as_slice()))));
    let counted = groups.into_iter().map(|(filters, members)| async move {
        let (places, kinds): (Vec<usize>, Vec<&[EntryKind]>) = members.into_iter().unzip();
        let search = |kinds| Search { kinds, filters: filters.to_vec(), ..search.clone() };
        let found = of_kinds(index, sites, search, &kinds).await?;
        Ok::<Vec<(usize, usize)>, SearchError>(places.into_iter().zip(found).collect())
    });
    let mut counts: Vec<(usize, usize)> = try_join_all(counted).await?.into_iter().flatten().collect();
    counts.sort_unstable();
    Ok(counts.into_iter().map(|(_, count)| count).collect())
}

/// What has the same filters, together, so that one search serves all of it.
pub fn by_filters<'a, T>(items: impl IntoIterator<Item = (&'a [Filter], T)>) -> Vec<(&'a [Filter], Vec<T>)> {
    let mut groups: Vec<(&[Filter], Vec<T>)> = Vec::new();
    for (filters, item) in items {
        match groups.iter_mut().find(|(known, _)| *known == filters) {
            Some((_, members)) => members.push(item),
            None => groups.push((filters, vec![item])),
        }
    }
    groups
}

/// The numbers of hits of several kinds each.
async fn of_kinds(
    index: &dyn Index,
    sites: &Sites,
    search: impl Fn(Vec<EntryKind>) -> Search,
    wanted: &[&[EntryKind]],
) -> Result<Vec<usize>, SearchError> {
    if let [kinds] = wanted {
        return Ok(vec![count(index, sites, Some(search(kinds.to_vec()))).await?]);
    }
    let mut all: Vec<EntryKind> = Vec::new();
    if !wanted.iter().any(|kinds| kinds.is_empty()) {
        for kind in wanted.iter().copied().flatten() {
            if !all.contains(kind) {
                all.push(*kind);
            }
        }
    }
    let clusters = index.clusters(sites.clone(), search(all), vec![Facet::Kind]).await?;
    let by_kind = clusters.of(Facet::Kind);
    let of_wanted = |kinds: &&[EntryKind]| {
        let among = |name: &str| kinds.iter().any(|kind| kind.as_str() == name);
        let hits: u64 = by_kind.iter().filter(|(name, _)| among(name)).map(|(_, hits)| hits).sum();
        if kinds.is_empty() { clusters.total } else { usize::try_from(hits).unwrap_or(usize::MAX) }
    };
    Ok(wanted.iter().map(of_wanted).collect())
}
