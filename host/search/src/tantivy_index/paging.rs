//! Pages of hits in an order that is complete: no two hits have the same place in it, so that a page can begin behind any hit.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use tantivy::{
    DocAddress, DocId, Score, SegmentOrdinal, SegmentReader, TantivyError,
    collector::{Collector, SegmentCollector},
    fastfield::Column,
    query::Weight,
};

use super::{optional_parts::OptionalWeights, segments::SegmentColumns};
use crate::{
    index::{ExternalOrder, PageKey},
    query::{Order, SortKey},
};

/// The place of a hit in the order, highest first. A hit without a value has the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HitPlace {
    value: i64,
    id: i64,
    place: u64,
}

impl From<PageKey> for HitPlace {
    fn from(key: PageKey) -> Self {
        Self { value: key.value.unwrap_or(i64::MIN), id: key.id, place: key.place }
    }
}

impl From<HitPlace> for PageKey {
    fn from(place: HitPlace) -> Self {
        Self { value: Some(place.value).filter(|value| *value != i64::MIN), id: place.id, place: place.place }
    }
}

/// What a search found.
#[derive(Debug, Default)]
pub struct Found {
    /// Number of all hits.
    pub total: usize,
    /// The hits of the page with their keys, in order.
    pub hits: Vec<(PageKey, DocAddress)>,
}

/// The values by which hits are ordered, highest first.
pub enum SortedBy {
    /// Their scores.
    Score,
    /// The values of a column, multiplied by 1 or -1.
    Column(&'static str, i64),
    /// Values that the index does not have.
    External(Arc<ExternalOrder>),
}

impl From<Order> for SortedBy {
    fn from(order: Order) -> Self {
        let (key, sign) = match order {
            Order::Relevance => return Self::Score,
            Order::Descending(key) => (key, 1),
            Order::Ascending(key) => (key, -1),
        };
        let column = match key {
            SortKey::Date => "dated",
            SortKey::PrintDate => "printed",
            SortKey::Year => "year",
            SortKey::Issue => "issue",
            SortKey::FirstStatus => "first_status",
            SortKey::References => "references",
            SortKey::Citations => "citations",
            SortKey::Updated => "updated",
        };
        Self::Column(column, sign)
    }
}

impl SortedBy {
    /// Whether hits have to be scored.
    pub const fn is_by_score(&self) -> bool {
        matches!(self, Self::Score)
    }
}

/// Collects the first hits of an order, behind a hit if one is given, and counts all.
pub struct FirstHits {
    order: SortedBy,
    after: Option<PageKey>,
    wanted: usize,
    /// The columns of each segment.
    segments: Vec<Arc<SegmentColumns>>,
    /// What raises the scores of hits.
    optional: OptionalWeights,
    /// The lowest value that a hit of the page can have, as far as segments were searched: a segment has no use for lower ones.
    floor: AtomicI64,
}

impl FirstHits {
    pub fn new(
        order: SortedBy,
        after: Option<PageKey>,
        wanted: usize,
        segments: Vec<Arc<SegmentColumns>>,
        optional: OptionalWeights,
    ) -> Self {
        Self { order, after, wanted, segments, optional, floor: AtomicI64::new(i64::MIN) }
    }
}

impl Collector for FirstHits {
    type Fruit = Found;
    type Child = OfSegment;

    fn for_segment(&self, segment: SegmentOrdinal, reader: &SegmentReader) -> tantivy::Result<OfSegment> {
        let values = match &self.order {
            SortedBy::Score => Values::Scores,
            SortedBy::Column(column, sign) => Values::Column(reader.fast_fields().i64(column)?, *sign),
            SortedBy::External(order) => Values::External(Arc::clone(order)),
        };
        let columns = self.segments.get(segment as usize).cloned();
        let columns = columns.ok_or_else(|| TantivyError::InternalError("a segment without its columns".to_owned()))?;
        Ok(OfSegment {
            segment,
            values,
            columns,
            after: self.after.map(HitPlace::from),
            wanted: self.wanted,
            total: 0,
            floor: self.floor.load(Ordering::Relaxed),
            best: BinaryHeap::with_capacity(self.wanted.min(1_024)),
        })
    }

    fn requires_scoring(&self) -> bool {
        self.order.is_by_score()
    }

    fn collect_segment(
        &self,
        weight: &dyn Weight,
        segment: SegmentOrdinal,
        reader: &SegmentReader,
    ) -> tantivy::Result<(usize, Vec<(HitPlace, DocAddress)>)> {
        let mut hits = self.for_segment(segment, reader)?;
        let alive = reader.alive_bitset();
        let is_alive = |doc: DocId| alive.is_none_or(|alive| alive.is_alive(doc));
        if self.requires_scoring() {
            let mut optional = self.optional.of_segment(reader);
            let mut failed = None;
            weight.for_each(reader, &mut |doc, score| {
                if !is_alive(doc) {
                    return;
                }
                match optional.raised(doc, score, score_of(hits.floor)) {
                    Ok(Some(raised)) => hits.collect(doc, raised),
                    Ok(None) => hits.total += 1,
                    Err(error) => failed = Some(error),
                }
            })?;
            if let Some(error) = failed {
                return Err(error);
            }
        } else {
            weight.for_each_no_score(reader, &mut |docs| {
                docs.iter().filter(|doc| is_alive(**doc)).for_each(|doc| hits.collect(*doc, 0.0));
            })?;
        }
        self.floor.fetch_max(hits.floor, Ordering::Relaxed);
        Ok(hits.harvest())
    }

    fn merge_fruits(&self, segments: Vec<(usize, Vec<(HitPlace, DocAddress)>)>) -> tantivy::Result<Found> {
        let total = segments.iter().map(|(total, _)| total).sum();
        let mut all: Vec<_> = segments.into_iter().flat_map(|(_, hits)| hits).collect();
        all.sort_unstable_by_key(|(place, _)| Reverse(*place));
        all.truncate(self.wanted);
        Ok(Found { total, hits: all.into_iter().map(|(place, address)| (place.into(), address)).collect() })
    }
}

/// A score as a value of the order: scores are not negative, and as integers, their bits have the same order.
fn value_of(score: Score) -> i64 {
    i64::from(score.max(0.0).to_bits())
}

/// The score that is such a value; 0 for what is below all values.
fn score_of(value: i64) -> Score {
    u32::try_from(value).map_or(0.0, Score::from_bits)
}

/// The values of the hits of one segment.
enum Values {
    Scores,
    Column(Column<i64>, i64),
    External(Arc<ExternalOrder>),
}

/// Collects the hits of one segment.
pub struct OfSegment {
    segment: SegmentOrdinal,
    values: Values,
    columns: Arc<SegmentColumns>,
    after: Option<HitPlace>,
    wanted: usize,
    total: usize,
    /// The lowest value that a further hit of the page can have.
    floor: i64,
    /// The best hits so far; the worst of them is on top.
    best: BinaryHeap<Reverse<(HitPlace, DocId)>>,
}

impl SegmentCollector for OfSegment {
    type Fruit = (usize, Vec<(HitPlace, DocAddress)>);

    fn collect(&mut self, doc: DocId, score: Score) {
        self.total += 1;
        let value = match &self.values {
            Values::Scores => value_of(score),
            Values::Column(values, sign) => values.first(doc).map_or(i64::MIN, |value| value.saturating_mul(*sign)),
            Values::External(order) => {
                self.columns.entry(doc).map_or(i64::MIN, |(site, kind, id)| order.of(site, kind, id))
            }
        };
        if value < self.floor || self.after.is_some_and(|after| value > after.value) {
            return;
        }
        let place = HitPlace {
            value,
            id: self.columns.ids.first(doc).unwrap_or_default(),
            place: self.columns.places.first(doc).unwrap_or_default(),
        };
        if self.after.is_some_and(|after| place >= after) {
            return;
        }
        if self.best.len() >= self.wanted {
            match self.best.peek_mut() {
                Some(mut worst) if worst.0.0 < place => *worst = Reverse((place, doc)),
                _ => return,
            }
        } else {
            self.best.push(Reverse((place, doc)));
        }
        if self.best.len() >= self.wanted {
            self.floor = self.best.peek().map_or(self.floor, |Reverse((worst, _))| self.floor.max(worst.value));
        }
    }

    fn harvest(self) -> Self::Fruit {
        let segment = self.segment;
        let hit = |Reverse((place, doc))| (place, DocAddress::new(segment, doc));
        (self.total, self.best.into_iter().map(hit).collect())
    }
}
