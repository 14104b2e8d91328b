//! The words of the index that a mistyped or unfinished word may be.

use std::collections::{BTreeMap, HashMap};

use tantivy::{Searcher, SegmentReader, Term, query::FuzzyTermQuery, schema::Field as Column};

use super::schema::Columns;
use crate::query::{Expansion, MAX_EXPANDED_TERMS, distance};

/// Greatest number of words of all segments' dictionaries that are looked at for one word; further ones in the order of the alphabet are left
/// out, which happens to a beginning of one or two letters.
const MAX_LOOKED_AT: usize = 20_000;
/// Number of words of one segment that are looked at, however many segments there are.
const FEWEST_LOOKED_AT: usize = 500;
/// Greatest distance of a mistyped word.
const MAX_DISTANCE: u8 = 2;

/// A word of the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpandedTerm {
    /// The word as it is written.
    pub text: String,
    /// In how many letters it differs; 0 also for a word that begins with the typed one.
    pub distance: u8,
    /// Number of documents with it, of all sites.
    pub documents: u64,
}

/// The words that a typed word reaches: the nearest first, of equally near ones the most frequent; at most [`MAX_EXPANDED_TERMS`].
pub fn words(
    searcher: &Searcher,
    columns: &Columns,
    typed: &str,
    reach: Expansion,
) -> tantivy::Result<Vec<ExpandedTerm>> {
    words_among(searcher, columns, typed, reach, looked_at(searcher, MAX_LOOKED_AT, FEWEST_LOOKED_AT))
}

/// The same among the first `most` words of each segment.
pub fn words_among(
    searcher: &Searcher,
    columns: &Columns,
    typed: &str,
    reach: Expansion,
    most: usize,
) -> tantivy::Result<Vec<ExpandedTerm>> {
    let mut found: BTreeMap<String, (u8, u64)> = BTreeMap::new();
    match reach {
        _ if typed.is_empty() => {}
        Expansion::Same => {
            let documents = searcher.doc_freq(&Term::from_field_text(columns.spelling, typed))?;
            found.extend((documents > 0).then(|| (typed.to_owned(), (0, documents))));
        }
        Expansion::Beginning => {
            let longer = beginning(searcher, columns.spelling, typed, most)?;
            found.extend(longer.into_iter().map(|(text, documents)| (text, (0, documents))));
        }
        Expansion::Near(distance) => found = near(searcher, columns.spelling, typed, distance.min(MAX_DISTANCE), most)?,
    }
    let reached = |(text, (distance, documents))| ExpandedTerm { text, distance, documents };
    let mut words: Vec<ExpandedTerm> = found.into_iter().map(reached).collect();
    words.sort_by(|a, b| (a.distance, b.documents, &a.text).cmp(&(b.distance, a.documents, &b.text)));
    words.truncate(MAX_EXPANDED_TERMS);
    Ok(words)
}

/// Number of terms of one segment that are looked at: its share of `all`, or `fewest` if that is more.
pub fn looked_at(searcher: &Searcher, all: usize, fewest: usize) -> usize {
    (all / searcher.segment_readers().len().max(1)).max(fewest)
}

/// The terms of a column at a distance of at most `furthest`, with the distance of each and the number of documents with it. The automaton
/// accepts all of them and serves for every segment; the distance of what it accepts, which is little, is computed.
fn near(
    searcher: &Searcher,
    column: Column,
    typed: &str,
    furthest: u8,
    most: usize,
) -> tantivy::Result<BTreeMap<String, (u8, u64)>> {
    let automaton = FuzzyTermQuery::new(Term::from_field_text(column, typed), furthest, true).automaton()?;
    let letters: Vec<char> = typed.chars().collect();
    let mut found: BTreeMap<String, (u8, u64)> = BTreeMap::new();
    for segment in searcher.segment_readers() {
        let dictionary = segment.inverted_index(column)?;
        let mut terms = dictionary.terms().search(&automaton).into_stream()?;
        let mut left = most;
        while left > 0
            && let Some((term, info)) = terms.next()
        {
            left -= 1;
            let Ok(text) = std::str::from_utf8(term) else { continue };
            if let Some((_, documents)) = found.get_mut(text) {
                *documents += u64::from(info.doc_freq);
            } else if let Some(distance) = distance(&letters, &text.chars().collect::<Vec<_>>(), furthest) {
                found.insert(text.to_owned(), (distance, u64::from(info.doc_freq)));
            }
        }
    }
    Ok(found)
}

/// The terms of a column with a beginning, and the number of documents with each. At most `most` of one segment are looked at.
pub fn beginning(
    searcher: &Searcher,
    column: Column,
    typed: &str,
    most: usize,
) -> tantivy::Result<HashMap<String, u64>> {
    let mut found: HashMap<String, u64> = HashMap::new();
    for segment in searcher.segment_readers() {
        each_beginning(segment, column, typed, most, |text, documents| {
            *found.entry(text.to_owned()).or_default() += u64::from(documents);
            Ok(())
        })?;
    }
    Ok(found)
}

/// Calls `each` with the terms of a column of one segment that have a beginning, in the order of the alphabet, and with the number of
/// documents with each. At most `most` are looked at.
pub fn each_beginning(
    segment: &SegmentReader,
    column: Column,
    typed: &str,
    most: usize,
    mut each: impl FnMut(&str, u32) -> tantivy::Result<()>,
) -> tantivy::Result<()> {
    let dictionary = segment.inverted_index(column)?;
    let mut terms = dictionary.terms().range().ge(typed).into_stream()?;
    let mut left = most;
    while left > 0
        && let Some((term, info)) = terms.next()
        && term.starts_with(typed.as_bytes())
    {
        left -= 1;
        if let Ok(text) = std::str::from_utf8(term) {
            each(text, info.doc_freq)?;
        }
    }
    Ok(())
}
