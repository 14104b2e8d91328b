//! Hits and their counts by value.

use std::collections::HashSet;

use tantivy::{DocAddress, Searcher, collector::Count};

use super::{
    Inner,
    facets::Counting,
    optional_parts::OptionalWeights,
    paging::{FirstHits, SortedBy},
    query_conversion,
};
use crate::{
    index::{Clusters, Facet, Hit, Hits, PageOfHits, Sites},
    query::{MAX_WINDOW, Search},
};

impl Inner {
    /// A page of the hits of a search, in this order instead of its own.
    pub fn search(&self, sites: &Sites, search: &Search, order: SortedBy, page: PageOfHits) -> tantivy::Result<Hits> {
        let searcher = self.reader.searcher();
        let limit = page.limit.min(MAX_WINDOW.saturating_sub(page.offset));
        let ranked = limit > 0 && order.is_by_score();
        let Some(query) = query_conversion::build(&self.columns, &searcher, sites, search, ranked)? else {
            return Ok(Hits::default());
        };
        if limit == 0 {
            return Ok(Hits { total: searcher.search(&*query.required, &Count)?, ..Hits::default() });
        }
        // One more than the page has shows whether others follow.
        let wanted = page.offset + limit + 1;
        let segments = self.segments.of(&searcher)?;
        let optional = OptionalWeights::new(query.optional, &searcher, &query.statistics)?;
        let first = FirstHits::new(order, page.after, wanted, segments, optional);
        let found = searcher.search_with_statistics_provider(&*query.required, &first, &query.statistics)?;
        let more = found.hits.len() > page.offset + limit;
        let shown = found.hits.get(page.offset..).unwrap_or_default();
        let shown = &shown[..shown.len().min(limit)];
        let next = shown.last().filter(|_| more).map(|(key, _)| *key);
        let hits = self.read(&searcher, shown.iter().map(|(_, address)| *address))?;
        Ok(Hits { total: found.total, hits, next })
    }

    /// The entries at these addresses. They are read from columns: the stored documents are compressed in blocks, one of which would have to be
    /// read for every hit.
    pub fn read(&self, searcher: &Searcher, addresses: impl Iterator<Item = DocAddress>) -> tantivy::Result<Vec<Hit>> {
        let segments = self.segments.of(searcher)?;
        let mut hits = Vec::new();
        for address in addresses {
            if let Some(columns) = segments.get(address.segment_ord as usize) {
                hits.extend(columns.hit(address.doc_id)?);
            }
        }
        Ok(hits)
    }

    /// Counts the hits of a search by their values. Time grows with the number of hits.
    pub fn clusters(&self, sites: &Sites, search: &Search, mut facets: Vec<Facet>) -> tantivy::Result<Clusters> {
        let searcher = self.reader.searcher();
        let Some(query) = query_conversion::build(&self.columns, &searcher, sites, search, false)? else {
            return Ok(Clusters::default());
        };
        let mut seen = HashSet::new();
        facets.retain(|facet| seen.insert(*facet));
        searcher.search(&*query.required, &Counting { facets })
    }
}
