//! Words of a query that are probably mistyped, and what was meant by them.

mod han;
mod letters;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use masthead_domain::lang::has_han_or_hangul;

use crate::{
    analysis,
    counts::count,
    index::{Index, SearchError, Sites},
    query::{self, Clause, Expansion, Join, MAX_CLAUSES, MAX_WORDS, Query, Typed},
};

/// A word of so few entries may be mistyped if another one is near.
pub const RARE: u64 = 2;
/// Limit on the words of a query for which others are looked up one by one.
pub const MAX_LOOKED_UP: usize = 12;

/// What was probably meant by a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpellingSuggestion {
    /// The typed text with other words in place of mistyped ones.
    pub text: String,
    /// The conditions, of which the texts have other words in place of mistyped ones.
    pub clauses: Vec<Clause>,
    /// Number of entries that have all of it, which is greater than for the query as typed.
    pub total: usize,
}

impl SpellingSuggestion {
    /// Text and conditions as one text ([`Query::said`]).
    #[must_use]
    pub fn said(&self) -> String {
        Query { text: self.text.clone(), clauses: self.clauses.clone(), ..Query::default() }.said()
    }
}

/// A word of a text of a query.
pub struct Word {
    /// The text: 0 for what was typed, from 1 for the conditions.
    of: usize,
    /// The word with its place in the text.
    typed: Typed,
}

/// A part of a text of a query, and what was probably meant by it.
pub struct Replacement {
    /// The text, as for a [`Word`].
    of: usize,
    /// The bytes of the part.
    at: Range<usize>,
    /// What was meant.
    by: String,
}

/// The query that was probably meant by one that finds few entries: mistyped words of the typed text and of the conditions are replaced by words
/// of these sites; fields, operators and what is excluded stay as they are. A word in letters is replaced by one that is like it, Chinese
/// characters by those of a word that sounds alike. `None` if there is no such word, or if no more entries have all of what was meant than
/// of what was typed.
///
/// # Errors
/// [`SearchError`].
pub async fn meant(index: &dyn Index, sites: &Sites, query: &Query) -> Result<Option<SpellingSuggestion>, SearchError> {
    let words = words_searched(query);
    let mut replacements = letters::replacements(index, sites, &words).await?;
    replacements.extend(han::replacements(index, sites, &words).await?);
    if replacements.is_empty() {
        return Ok(None);
    }
    let corrected = corrected(query, replacements);
    // A fuzzy condition finds what is like its words, however these are typed.
    let total = count(index, sites, query::compile_exactly(&corrected)).await?;
    let typed = count(index, sites, query::compile_exactly(query)).await?;
    let Query { text, clauses, .. } = corrected;
    Ok((total > typed).then_some(SpellingSuggestion { text, clauses, total }))
}

/// The words for which others are looked up: those of the typed text, then those of the conditions on texts that exclude nothing.
fn words_searched(query: &Query) -> Vec<Word> {
    let conditions = (1..).zip(query.clauses.iter().take(MAX_CLAUSES));
    let conditions = conditions.filter(|(_, clause)| clause.join != Join::Not && clause.target.has_words());
    let conditions = conditions.map(|(of, clause)| (of, &clause.text));
    let texts = std::iter::once((0, &query.text)).chain(conditions);
    let words =
        texts.flat_map(|(of, text)| words_of(text, MAX_LOOKED_UP).into_iter().map(move |typed| Word { of, typed }));
    words.take(MAX_LOOKED_UP).collect()
}

/// The query with parts of its texts replaced, as far as a search reads them.
fn corrected(query: &Query, mut replacements: Vec<Replacement>) -> Query {
    let Query { text, clauses, .. } = query;
    let texts = std::iter::once(text).chain(clauses.iter().map(|clause| &clause.text));
    let mut texts: Vec<String> = texts.map(|text| query::read_of(text).to_owned()).collect();
    // From the end, so that the words before stay in their places.
    replacements.sort_by_key(|one| Reverse(one.at.start));
    for Replacement { of, at, by } in replacements {
        if let Some(text) = texts.get_mut(of) {
            text.replace_range(at, &by);
        }
    }
    let mut texts = texts.into_iter();
    let text = texts.next().unwrap_or_default();
    let clauses = clauses.iter().zip(texts).map(|(clause, text)| Clause { text, ..clause.clone() }).collect();
    Query { text, clauses, ..query.clone() }
}

/// The number of entries that have each of these words, as far as [`crate::IndexedWord`] counts them.
async fn entries(
    index: &dyn Index,
    sites: &Sites,
    words: impl IntoIterator<Item = String>,
) -> Result<Vec<u64>, SearchError> {
    let asked: Vec<_> = words.into_iter().map(|word| (word, Expansion::Same)).collect();
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let known = index.words(sites.clone(), asked, 1).await?.into_iter();
    Ok(known.map(|known| known.first().map_or(0, |word| word.entries)).collect())
}

/// The words of a typed text that are written with spaces, folded, with the numbers of the entries that have them. Entries are those of all
/// kinds; they are counted as far as [`crate::IndexedWord`] is.
pub struct Frequencies(BTreeMap<String, u64>);

impl Frequencies {
    /// Those of the typed text of a query.
    pub async fn of(index: &dyn Index, sites: &Sites, query: &Query) -> Result<Self, SearchError> {
        Self::among(index, sites, folded(&words_of(&query.text, MAX_WORDS))).await
    }

    /// Those of these words.
    async fn among(index: &dyn Index, sites: &Sites, words: BTreeSet<String>) -> Result<Self, SearchError> {
        let entries = entries(index, sites, words.iter().cloned()).await?;
        Ok(Self(words.into_iter().zip(entries).collect()))
    }

    /// The words that at most so many entries have, if they may be other words with mistakes.
    pub fn mistyped(&self, entries: u64) -> BTreeSet<String> {
        let rare = self.0.iter().filter(|(word, known)| **known <= entries && query::widest_tolerance(word) > 0);
        rare.map(|(word, _)| word.clone()).collect()
    }

    /// The words that no entry has.
    pub fn unknown(&self) -> impl Iterator<Item = &String> {
        self.0.iter().filter(|(_, known)| **known == 0).map(|(word, _)| word)
    }

    /// Whether so many entries have a word that it is neither mistyped nor missing.
    pub fn is_common(&self, folded: &str) -> bool {
        self.0.get(folded).is_some_and(|entries| *entries > RARE)
    }
}

/// The words that are written with spaces, folded.
fn folded<'w>(words: impl IntoIterator<Item = &'w Typed>) -> BTreeSet<String> {
    let words = words.into_iter().filter(|word| !has_han_or_hangul(&word.text));
    words.map(|word| analysis::fold(&word.text)).collect()
}

/// The words that a text is searched for, one by one, as typed.
pub fn words_of(text: &str, most: usize) -> Vec<Typed> {
    let mut found: Vec<Typed> = Vec::new();
    let Some(expression) = query::parse(text) else { return found };
    expression.each_positive(&mut |typed, _| {
        let place = typed.at.clone();
        let Some(source) = text.get(place.clone()) else { return };
        let mut start = None;
        for (at, character) in source.char_indices().chain([(source.len(), ' ')]) {
            match (start, character.is_alphanumeric()) {
                (None, true) => start = Some(at),
                (Some(from), false) => {
                    let at = place.start + from..place.start + at;
                    found.push(Typed { text: text[at.clone()].to_owned(), at });
                    start = None;
                }
                _ => {}
            }
        }
    });
    found.truncate(most);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_looked_up_one_by_one() {
        let text = "Sea-level \"rise é\" NOT ice title:tide issn:1234-5678";
        let words = words_of(text, MAX_LOOKED_UP);
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(texts, ["Sea", "level", "rise", "é", "tide"]);
        assert!(words.iter().all(|word| text[word.at.clone()] == word.text));
        assert_eq!(words_of(&"a-b ".repeat(30_000), MAX_LOOKED_UP).len(), MAX_LOOKED_UP);
    }
}
