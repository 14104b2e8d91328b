//! Words of the index for those who did not type one of them.

use std::cmp::Reverse;

use tantivy::{
    DocAddress, DocSet as _, Searcher, TERMINATED, Term,
    query::{EnableScoring, Query as Matcher},
};

use super::{Inner, query_conversion, term_expansion};
use crate::{
    index::Sites,
    query::{Expansion, IndexedWord, MAX_EXPANDED_TERMS, MAX_KNOWN_ENTRIES},
};

impl Inner {
    /// For each typed word, the words of these sites that it reaches.
    pub fn words(
        &self,
        sites: &Sites,
        typed: &[(String, Expansion)],
        limit: usize,
    ) -> tantivy::Result<Vec<Vec<IndexedWord>>> {
        let searcher = self.reader.searcher();
        let Some(place) = query_conversion::of_sites(&self.columns, sites, &[]) else {
            return Ok(vec![Vec::new(); typed.len()]);
        };
        let limit = limit.min(MAX_EXPANDED_TERMS);
        typed.iter().map(|(typed, reach)| self.words_near(&searcher, &*place, typed, *reach, limit)).collect()
    }

    fn words_near(
        &self,
        searcher: &Searcher,
        place: &dyn Matcher,
        typed: &str,
        reach: Expansion,
        limit: usize,
    ) -> tantivy::Result<Vec<IndexedWord>> {
        let mut words: Vec<(u8, Reverse<u64>, Reverse<u64>, String)> = Vec::new();
        for reached in term_expansion::words(searcher, &self.columns, typed, reach)? {
            // Words of equal distance are ordered by the entries of all sites, of which these may have few: all of a distance are counted.
            if words.len() >= limit && words.last().is_some_and(|(distance, ..)| *distance < reached.distance) {
                break;
            }
            let term = Term::from_field_text(self.columns.spelling, &reached.text);
            let entries = count_up_to(searcher, place, term, MAX_KNOWN_ENTRIES)?;
            if entries > 0 {
                // Only words that are not counted to their end are ordered by the entries of all sites.
                let documents = if entries < MAX_KNOWN_ENTRIES { 0 } else { reached.documents };
                words.push((reached.distance, Reverse(entries), Reverse(documents), reached.text));
            }
        }
        words.sort();
        words.truncate(limit);
        Ok(words.into_iter().map(|(_, Reverse(entries), _, text)| IndexedWord { text, entries }).collect())
    }
}

/// Number of the entries of some sites and kinds that have a term, counted up to a limit: a frequent word takes no longer than one with as
/// many entries as the limit.
pub fn count_up_to(searcher: &Searcher, place: &dyn Matcher, term: Term, limit: u64) -> tantivy::Result<u64> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let matcher = query_conversion::within(query_conversion::exactly(term), place);
    Ok(first(searcher, &matcher, limit)?.len() as u64)
}

/// The first entries of the index that match: the time does not depend on how many do.
pub fn first(searcher: &Searcher, matcher: &dyn Matcher, limit: usize) -> tantivy::Result<Vec<DocAddress>> {
    let weight = matcher.weight(EnableScoring::disabled_from_searcher(searcher))?;
    let mut found = Vec::new();
    for (number, segment) in (0..).zip(searcher.segment_readers()) {
        let mut documents = weight.scorer(segment, 1.0)?;
        let alive = segment.alive_bitset();
        while found.len() < limit && documents.doc() != TERMINATED {
            if alive.is_none_or(|alive| alive.is_alive(documents.doc())) {
                found.push(DocAddress::new(number, documents.doc()));
            }
            documents.advance();
        }
        if found.len() >= limit {
            break;
        }
    }
    Ok(found)
}
