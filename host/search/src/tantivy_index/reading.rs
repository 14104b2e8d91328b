//! Hits and their counts by value.

use masthead_domain::SiteId;
use tantivy::{DocAddress, Searcher, TantivyDocument, collector::Count, schema::Value as _};

use super::{Inner, counting::Counting, matching, paging::FirstHits};
use crate::{
    entry::EntryKind,
    index::{Clusters, Facet, Hit, Hits, Page, Sites},
    query::{MAX_WINDOW, Search},
};

impl Inner {
    /// A page of the hits of a search.
    pub fn search(&self, sites: &Sites, search: &Search, page: Page) -> tantivy::Result<Hits> {
        let searcher = self.reader.searcher();
        let Some(matcher) = matching::build(&self.columns, &searcher, sites, search)? else {
            return Ok(Hits::default());
        };
        let limit = page.limit.min(MAX_WINDOW.saturating_sub(page.offset));
        if limit == 0 {
            return Ok(Hits { total: searcher.search(&*matcher, &Count)?, ..Hits::default() });
        }
        // One more than the page has shows whether others follow.
        let first = FirstHits { order: search.order, after: page.after, wanted: page.offset + limit + 1 };
        let found = searcher.search(&*matcher, &first)?;
        let more = found.hits.len() > page.offset + limit;
        let shown = found.hits.get(page.offset..).unwrap_or_default();
        let shown = &shown[..shown.len().min(limit)];
        let next = shown.last().filter(|_| more).map(|(key, _)| *key);
        let hits = self.read(&searcher, shown.iter().map(|(_, address)| *address))?;
        Ok(Hits { total: found.total, hits, next })
    }

    /// The entries at these addresses.
    pub fn read(&self, searcher: &Searcher, addresses: impl Iterator<Item = DocAddress>) -> tantivy::Result<Vec<Hit>> {
        let mut hits = Vec::new();
        for address in addresses {
            let document: TantivyDocument = searcher.doc(address)?;
            let text = |column| document.get_first(column).and_then(|value| value.as_str()).unwrap_or_default();
            let number = |column| document.get_first(column).and_then(|value| value.as_i64()).unwrap_or_default();
            let Some(kind) = EntryKind::parse(text(self.columns.kind)) else { continue };
            let (site, id) = (SiteId(number(self.columns.site)), number(self.columns.id));
            hits.push(Hit { site, kind, id, journal: text(self.columns.journal).to_owned() });
        }
        Ok(hits)
    }

    /// Counts the hits of a search by their values. Time grows with the number of hits.
    pub fn clusters(&self, sites: &Sites, search: &Search, mut facets: Vec<Facet>) -> tantivy::Result<Clusters> {
        let searcher = self.reader.searcher();
        let Some(matcher) = matching::build(&self.columns, &searcher, sites, search)? else {
            return Ok(Clusters::default());
        };
        let mut seen = std::collections::HashSet::new();
        facets.retain(|facet| seen.insert(*facet));
        searcher.search(&*matcher, &Counting { facets })
    }
}
