//! Counts of hits by value. Every hit is counted: a count is the number of hits that a filter by the value leaves.

use std::{cmp::Reverse, collections::HashMap};

use tantivy::{
    DocId, Score, SegmentOrdinal, SegmentReader,
    collector::{Collector, SegmentCollector},
    columnar::StrColumn,
    fastfield::Column,
};

use super::documents::SHOWN;
use crate::index::{Clusters, Facet};

/// Limit on the values that are told of a facet.
const VALUES: usize = 50;
/// Number of the most frequent values of a segment that may be among those of the index. Each is read from a compressed dictionary.
const CANDIDATES: usize = 200;
/// Number of the most frequent candidates that are looked up in the segments where they are not among the most frequent.
const LOOKED_UP: usize = 2 * VALUES;

/// Counts hits by these facets.
pub struct Counting {
    pub facets: Vec<Facet>,
}

impl Collector for Counting {
    type Fruit = Clusters;
    type Child = OfSegment;

    fn for_segment(&self, _segment: SegmentOrdinal, reader: &SegmentReader) -> tantivy::Result<OfSegment> {
        let counters = self.facets.iter().map(|facet| Counter::new(*facet, reader)).collect::<Result<_, _>>()?;
        Ok(OfSegment { total: 0, counters })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    fn merge_fruits(&self, segments: Vec<(usize, Vec<Counter>)>) -> tantivy::Result<Clusters> {
        let mut clusters = Clusters { total: segments.iter().map(|(total, _)| total).sum(), ..Clusters::default() };
        let mut segments: Vec<_> = segments.into_iter().map(|(_, counters)| counters.into_iter()).collect();
        for facet in &self.facets {
            *clusters.of_mut(*facet) = merged(segments.iter_mut().filter_map(Iterator::next).collect())?;
        }
        Ok(clusters)
    }
}

/// Counts the hits of one segment.
pub struct OfSegment {
    total: usize,
    counters: Vec<Counter>,
}

impl SegmentCollector for OfSegment {
    type Fruit = (usize, Vec<Counter>);

    fn collect(&mut self, doc: DocId, _score: Score) {
        self.total += 1;
        self.counters.iter_mut().for_each(|counter| counter.add(doc));
    }

    fn harvest(self) -> Self::Fruit {
        (self.total, self.counters)
    }
}

/// The counts of one facet in one segment.
pub enum Counter {
    /// Numbers.
    Numbers(Column<i64>, HashMap<i64, u64>),
    /// Yes and no.
    Truths(Column<bool>, [u64; 2]),
    /// Texts, counted by their place in the dictionary of the segment.
    Texts(StrColumn, Vec<u32>),
    /// No entry of the segment has a value.
    Nothing,
}

impl Counter {
    fn new(facet: Facet, reader: &SegmentReader) -> tantivy::Result<Self> {
        let fast = reader.fast_fields();
        let texts = |column: &str| {
            Ok(fast.str(column)?.map_or(Self::Nothing, |texts| {
                let counts = vec![0; texts.dictionary().num_terms()];
                Self::Texts(texts, counts)
            }))
        };
        match facet {
            Facet::Kind => texts("kind"),
            Facet::Year => Ok(Self::Numbers(fast.i64("year")?, HashMap::new())),
            Facet::Column => texts("heading_shown"),
            Facet::Journal => texts("journal"),
            Facet::ArticleType => texts("article_type"),
            Facet::Author => texts("person_shown"),
            Facet::Fund => texts("funder_shown"),
            Facet::Language => texts("language"),
            Facet::Access => Ok(Self::Truths(fast.bool("open_access")?, [0; 2])),
            Facet::OnlineFirst => Ok(Self::Truths(fast.bool("online_first")?, [0; 2])),
        }
    }

    fn add(&mut self, doc: DocId) {
        match self {
            Self::Numbers(column, counts) => {
                if let Some(number) = column.first(doc) {
                    *counts.entry(number).or_default() += 1;
                }
            }
            Self::Truths(column, counts) => {
                if let Some(truth) = column.first(doc) {
                    counts[usize::from(truth)] += 1;
                }
            }
            Self::Texts(column, counts) => {
                for ordinal in column.ords().values_for_doc(doc) {
                    if let Some(count) = counts.get_mut(ordinal as usize) {
                        *count += 1;
                    }
                }
            }
            Self::Nothing => {}
        }
    }

    /// Adds the counts of the most frequent texts, each to that of its compared form, and takes them off. Returns whether others are left.
    fn take_candidates(&mut self, into: &mut HashMap<String, Counted>) -> tantivy::Result<bool> {
        let Self::Texts(column, counts) = self else { return Ok(false) };
        let mut most: Vec<(u32, u64)> =
            (0..).zip(counts.iter()).filter(|(_, count)| **count > 0).map(|(at, count)| (*count, at)).collect();
        let others = most.len() > CANDIDATES;
        if others {
            most.select_nth_unstable_by_key(CANDIDATES, |one| Reverse(*one));
            most.truncate(CANDIDATES);
        }
        // In the order of the dictionary, so that each of its blocks is decompressed once.
        let mut ordinals: Vec<u64> = most.into_iter().map(|(_, ordinal)| ordinal).collect();
        ordinals.sort_unstable();
        let mut taken = ordinals.iter().map(|ordinal| counts.get_mut(*ordinal as usize).map_or(0, std::mem::take));
        column.dictionary().sorted_ords_to_term_cb(&ordinals, |term| {
            let count = taken.next().unwrap_or(0);
            if let Ok(text) = std::str::from_utf8(term) {
                into.entry(compared(text).to_owned()).or_default().add(shown(text), count);
            }
        })?;
        Ok(others)
    }

    /// Adds the counts of a text in all its printed forms that were not taken off.
    fn add_to(&self, key: &str, counted: &mut Counted) -> tantivy::Result<()> {
        let Self::Texts(column, counts) = self else { return Ok(()) };
        let mut forms = column.dictionary().prefix_range(key).into_stream()?;
        while forms.advance() {
            let Ok(text) = std::str::from_utf8(forms.key()) else { continue };
            if compared(text) == key {
                counted.add(shown(text), counts.get(forms.term_ord() as usize).copied().unwrap_or(0));
            } else if !text[key.len()..].starts_with(|c| c <= SHOWN) {
                // What follows is a longer text.
                break;
            }
        }
        Ok(())
    }
}

/// The compared form of a text.
fn compared(text: &str) -> &str {
    text.split_once(SHOWN).map_or(text, |(key, _)| key)
}

/// The printed form of a text.
fn shown(text: &str) -> &str {
    text.split_once(SHOWN).map_or(text, |(_, shown)| shown)
}

/// The number of hits with a value, by the forms in which it is printed.
#[derive(Default)]
struct Counted(HashMap<String, u64>);

impl Counted {
    fn add(&mut self, shown: &str, count: u32) {
        *self.0.entry(shown.to_owned()).or_default() += u64::from(count);
    }

    /// The number of hits with any form.
    fn hits(&self) -> u64 {
        self.0.values().sum()
    }

    /// The form that is printed most often, and the number of hits with any.
    fn sum(self) -> (String, u64) {
        let hits = self.hits();
        let most = self.0.into_iter().max_by(|(a, more), (b, less)| more.cmp(less).then_with(|| b.cmp(a)));
        (most.map(|(shown, _)| shown).unwrap_or_default(), hits)
    }
}

/// The counts of a facet in all segments, the most frequent values first.
fn merged(counters: Vec<Counter>) -> tantivy::Result<Vec<(String, u64)>> {
    let mut numbers: HashMap<i64, u64> = HashMap::new();
    let mut truths = [0; 2];
    let mut texts: HashMap<String, Counted> = HashMap::new();
    let mut with_others: Vec<Counter> = Vec::new();
    for mut counter in counters {
        match &counter {
            Counter::Numbers(_, counts) => {
                counts.iter().for_each(|(number, count)| *numbers.entry(*number).or_default() += count);
            }
            Counter::Truths(_, counts) => truths.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count),
            Counter::Texts(..) => {
                if counter.take_candidates(&mut texts)? {
                    with_others.push(counter);
                }
            }
            Counter::Nothing => {}
        }
    }
    if !with_others.is_empty() {
        let mut most: Vec<(u64, String)> = texts.iter().map(|(key, counted)| (counted.hits(), key.clone())).collect();
        most.sort_unstable_by(|(a_hits, a), (b_hits, b)| b_hits.cmp(a_hits).then_with(|| a.cmp(b)));
        most.truncate(LOOKED_UP);
        // Those that were not looked up have no complete count.
        texts = most.into_iter().filter_map(|(_, key)| texts.remove_entry(&key)).collect();
        for (key, counted) in &mut texts {
            for counter in &with_others {
                counter.add_to(key, counted)?;
            }
        }
    }
    let mut numbers: Vec<(i64, u64)> = numbers.into_iter().collect();
    numbers.sort_unstable_by_key(|(number, count)| Reverse((*count, *number)));
    let mut values: Vec<(String, u64)> = texts.into_values().map(Counted::sum).collect();
    let named = [("false", truths[0]), ("true", truths[1])];
    values.extend(named.map(|(name, count)| (name.to_owned(), count)));
    values.retain(|(shown, hits)| *hits > 0 && !shown.is_empty());
    values.sort_unstable_by(|(a, more), (b, less)| less.cmp(more).then_with(|| a.cmp(b)));
    values.splice(0..0, numbers.into_iter().map(|(number, count)| (number.to_string(), count)));
    values.truncate(VALUES);
    Ok(values)
}
