//! Words of the index for those who did not type one of them.

use tantivy::{
    Searcher, Term,
    collector::Count,
    query::{BooleanQuery, Occur, Query as Matcher},
};

use super::{Inner, matching, reached};
use crate::{
    index::Sites,
    query::{KnownWord, MAX_REACHED, Reach},
};

impl Inner {
    /// The words of these sites that a typed word reaches.
    pub fn words(&self, sites: &Sites, typed: &str, reach: Reach, limit: usize) -> tantivy::Result<Vec<KnownWord>> {
        let searcher = self.reader.searcher();
        let Some(place) = matching::of_sites(&self.columns, sites, &[]) else { return Ok(Vec::new()) };
        let mut words: Vec<(u8, KnownWord)> = Vec::new();
        let limit = limit.min(MAX_REACHED);
        for reached in reached::words(&searcher, &self.columns, typed, reach)? {
            // Words of equal distance are ordered by the entries of all sites, of which these may have few: all of a distance are counted.
            if words.len() >= limit && words.last().is_some_and(|(distance, _)| *distance < reached.distance) {
                break;
            }
            let term = Term::from_field_text(self.columns.spelling, &reached.text);
            let entries = count(&searcher, &*place, term)?;
            if entries > 0 {
                words.push((reached.distance, KnownWord { text: reached.text, entries }));
            }
        }
        words.sort_by(|(near, a), (far, b)| (near, b.entries, &a.text).cmp(&(far, a.entries, &b.text)));
        words.truncate(limit);
        Ok(words.into_iter().map(|(_, word)| word).collect())
    }
}

/// Number of the entries of some sites and kinds that have a term.
pub fn count(searcher: &Searcher, place: &dyn Matcher, term: Term) -> tantivy::Result<u64> {
    let both = BooleanQuery::new(vec![(Occur::Must, matching::exactly(term)), (Occur::Must, place.box_clone())]);
    Ok(searcher.search(&both, &Count)? as u64)
}
