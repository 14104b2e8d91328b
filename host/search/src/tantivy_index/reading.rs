//! Hits and their counts by value.

use std::collections::{HashMap, HashSet, hash_map::Entry};

use masthead_domain::SiteId;
use tantivy::{
    DocAddress, DocId, Searcher, SegmentOrdinal, SegmentReader, collector::Count, columnar::StrColumn,
    fastfield::Column,
};

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

    /// The entries at these addresses. They are read from columns: the stored documents are compressed in blocks, one of which would have to be
    /// read for every hit.
    pub fn read(&self, searcher: &Searcher, addresses: impl Iterator<Item = DocAddress>) -> tantivy::Result<Vec<Hit>> {
        let mut segments: HashMap<SegmentOrdinal, HitColumns> = HashMap::new();
        let mut hits = Vec::new();
        for address in addresses {
            let columns = match segments.entry(address.segment_ord) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(HitColumns::open(searcher.segment_reader(address.segment_ord))?),
            };
            hits.extend(columns.hit(address.doc_id)?);
        }
        Ok(hits)
    }

    /// Counts the hits of a search by their values. Time grows with the number of hits.
    pub fn clusters(&self, sites: &Sites, search: &Search, mut facets: Vec<Facet>) -> tantivy::Result<Clusters> {
        let searcher = self.reader.searcher();
        let Some(matcher) = matching::build(&self.columns, &searcher, sites, search)? else {
            return Ok(Clusters::default());
        };
        let mut seen = HashSet::new();
        facets.retain(|facet| seen.insert(*facet));
        searcher.search(&*matcher, &Counting { facets })
    }
}

/// The columns of one segment from which hits are read.
struct HitColumns {
    sites: Column<i64>,
    ids: Column<i64>,
    kinds: Option<StrColumn>,
    journals: Option<StrColumn>,
}

impl HitColumns {
    fn open(segment: &SegmentReader) -> tantivy::Result<Self> {
        let fast = segment.fast_fields();
        Ok(Self {
            sites: fast.i64("site")?,
            ids: fast.i64("id")?,
            kinds: fast.str("kind")?,
            journals: fast.str("journal")?,
        })
    }

    /// The hit of a document; none for a document that is no entry.
    fn hit(&self, doc: DocId) -> tantivy::Result<Option<Hit>> {
        let Some(kind) = EntryKind::parse(&text(self.kinds.as_ref(), doc)?) else { return Ok(None) };
        Ok(Some(Hit {
            site: SiteId(self.sites.first(doc).unwrap_or_default()),
            kind,
            id: self.ids.first(doc).unwrap_or_default(),
            journal: text(self.journals.as_ref(), doc)?,
        }))
    }
}

fn text(column: Option<&StrColumn>, doc: DocId) -> tantivy::Result<String> {
    let mut text = String::new();
    if let Some(column) = column
        && let Some(ordinal) = column.ords().first(doc)
    {
        column.ord_to_str(ordinal, &mut text)?;
    }
    Ok(text)
}
