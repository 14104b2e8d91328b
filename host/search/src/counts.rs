//! Numbers of hits beside those of a page: in other tabs, of other kinds, since other years.

use futures::future::try_join_all;

use crate::{
    entry::EntryKind,
    index::{Facet, Index, Page, SearchError, Sites},
    query::{Filter, Search},
};

/// Kinds (all for none) and filters, instead of those of a search.
pub type Counted = (Vec<EntryKind>, Vec<Filter>);

/// The number of hits of the same words for each of these kinds and filters. What differs in the kinds alone is counted by one search: words
/// that many entries have take most of the time of a page.
///
/// # Errors
/// [`SearchError`].
pub async fn counts(
    index: &dyn Index,
    sites: &Sites,
    search: &Search,
    wanted: &[Counted],
) -> Result<Vec<usize>, SearchError> {
    let mut groups: Vec<(&[Filter], Vec<usize>)> = Vec::new();
    for (at, (_, filters)) in wanted.iter().enumerate() {
        match groups.iter_mut().find(|(known, _)| *known == filters.as_slice()) {
            Some((_, members)) => members.push(at),
            None => groups.push((filters, vec![at])),
        }
    }
    let counted = groups.iter().map(|(filters, members)| async move {
        let kinds: Vec<&[EntryKind]> =
            members.iter().filter_map(|at| wanted.get(*at)).map(|(kinds, _)| kinds.as_slice()).collect();
        let search = |kinds| Search { kinds, filters: filters.to_vec(), ..search.clone() };
        Ok::<_, SearchError>(
            members.iter().copied().zip(of_kinds(index, sites, search, &kinds).await?).collect::<Vec<_>>(),
        )
    });
    let mut counts: Vec<(usize, usize)> = try_join_all(counted).await?.into_iter().flatten().collect();
    counts.sort_unstable();
    Ok(counts.into_iter().map(|(_, count)| count).collect())
}

/// The numbers of hits of several kinds each.
async fn of_kinds(
    index: &dyn Index,
    sites: &Sites,
    search: impl Fn(Vec<EntryKind>) -> Search,
    wanted: &[&[EntryKind]],
) -> Result<Vec<usize>, SearchError> {
    if let [kinds] = wanted {
        return Ok(vec![index.search(sites.clone(), search(kinds.to_vec()), Page::at(0, 0)).await?.total]);
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
    let count = |kinds: &&[EntryKind]| {
        let among = |name: &str| kinds.iter().any(|kind| kind.as_str() == name);
        let hits: u64 = by_kind.iter().filter(|(name, _)| among(name)).map(|(_, hits)| hits).sum();
        if kinds.is_empty() { clusters.total } else { usize::try_from(hits).unwrap_or(usize::MAX) }
    };
    Ok(wanted.iter().map(count).collect())
}
