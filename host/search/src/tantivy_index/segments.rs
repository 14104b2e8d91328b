//! The columns of each segment that every search reads. To open them takes as long as a search of a rare word, and a segment does not change,
//! so that they stay open as long as it is searched.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, PoisonError, RwLock},
};

use masthead_domain::SiteId;
use tantivy::{DocId, Searcher, SegmentReader, columnar::StrColumn, fastfield::Column, index::SegmentId};

use crate::{entry::EntryKind, index::Hit};

/// The open columns of the segments that are searched.
#[derive(Default)]
pub struct Segments(RwLock<HashMap<SegmentId, Arc<SegmentColumns>>>);

impl Segments {
    /// The columns of the segments of a searcher, in their order.
    pub fn of(&self, searcher: &Searcher) -> tantivy::Result<Vec<Arc<SegmentColumns>>> {
        searcher.segment_readers().iter().map(|segment| self.one(segment)).collect()
    }

    fn one(&self, segment: &SegmentReader) -> tantivy::Result<Arc<SegmentColumns>> {
        let id = segment.segment_id();
        if let Some(known) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&id) {
            return Ok(Arc::clone(known));
        }
        let opened = Arc::new(SegmentColumns::open(segment)?);
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(&opened));
        Ok(opened)
    }

    /// Closes the columns of segments that a searcher does not have any more, so that their files can be removed from the disk.
    pub fn keep(&self, searcher: &Searcher) {
        let present: HashSet<SegmentId> = searcher.segment_readers().iter().map(SegmentReader::segment_id).collect();
        self.0.write().unwrap_or_else(PoisonError::into_inner).retain(|id, _| present.contains(id));
    }
}

/// The columns of one segment by which hits are ordered and read.
pub struct SegmentColumns {
    pub ids: Column<i64>,
    pub places: Column<u64>,
    sites: Column<i64>,
    kinds: Option<StrColumn>,
    /// The kinds by the ordinals of their names; none for a name that is not known.
    known_kinds: Vec<Option<EntryKind>>,
    journals: Texts,
}

impl SegmentColumns {
    fn open(segment: &SegmentReader) -> tantivy::Result<Self> {
        let fast = segment.fast_fields();
        let kinds = fast.str("kind")?;
        let names = kinds.as_ref().map(all_texts).transpose()?.unwrap_or_default();
        Ok(Self {
            ids: fast.i64("id")?,
            places: fast.u64("place")?,
            sites: fast.i64("site")?,
            kinds,
            known_kinds: names.iter().map(|name| EntryKind::parse(name)).collect(),
            journals: Texts::open(fast.str("journal")?)?,
        })
    }

    /// Site, kind and number of a document; none for a document that is no entry.
    pub fn entry(&self, doc: DocId) -> Option<(SiteId, EntryKind, i64)> {
        let kind = (*self.known_kinds.get(ordinal(self.kinds.as_ref()?, doc)?)?)?;
        Some((SiteId(self.sites.first(doc).unwrap_or_default()), kind, self.ids.first(doc).unwrap_or_default()))
    }

    /// The hit of a document; none for a document that is no entry.
    pub fn hit(&self, doc: DocId) -> tantivy::Result<Option<Hit>> {
        let Some((site, kind, id)) = self.entry(doc) else { return Ok(None) };
        Ok(Some(Hit { site, kind, id, journal: self.journals.of(doc)? }))
    }
}

/// Limit on the texts of a column that are kept in memory; of a column with more, each is read from its dictionary.
const MAX_KEPT: usize = 1_000;

/// A column with one text for each document. To read a text from a dictionary, those before it in its block are decompressed.
struct Texts {
    column: Option<StrColumn>,
    /// All of them by their ordinals; empty if there are too many.
    kept: Vec<String>,
}

impl Texts {
    fn open(column: Option<StrColumn>) -> tantivy::Result<Self> {
        let few = column.as_ref().filter(|column| column.num_terms() <= MAX_KEPT);
        let kept = few.map(all_texts).transpose()?.unwrap_or_default();
        Ok(Self { column, kept })
    }

    /// The text of a document; empty if it has none.
    fn of(&self, doc: DocId) -> tantivy::Result<String> {
        let Some(column) = &self.column else { return Ok(String::new()) };
        let Some(ordinal) = ordinal(column, doc) else { return Ok(String::new()) };
        if let Some(kept) = self.kept.get(ordinal) {
            return Ok(kept.clone());
        }
        let mut text = String::new();
        column.ord_to_str(ordinal as u64, &mut text)?;
        Ok(text)
    }
}

/// All texts of a column by their ordinals.
fn all_texts(column: &StrColumn) -> tantivy::Result<Vec<String>> {
    let text = |ordinal| {
        let mut text = String::new();
        column.ord_to_str(ordinal, &mut text)?;
        Ok(text)
    };
    (0..column.num_terms() as u64).map(text).collect()
}

/// The ordinal of a document's text.
fn ordinal(column: &StrColumn, doc: DocId) -> Option<usize> {
    column.ords().first(doc).map(|ordinal| ordinal as usize)
}
