//! Words of a query that are probably mistyped, and what was meant by them.

mod han;
mod letters;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use masthead_domain::lang::has_han_or_hangul;

use crate::{
    analysis,
    counts::count,
    index::{Index, SearchError, Sites},
    query::{self, Expansion, MAX_WORDS, Query, Typed},
};

/// A word of so few entries may be mistyped if another one is near.
pub const RARE: u64 = 2;
/// Limit on the words of a query for which others are looked up one by one.
pub const MAX_LOOKED_UP: usize = 12;

/// A text that was probably meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpellingSuggestion {
    /// The typed text with other words in place of mistyped ones.
    pub text: String,
    /// Number of entries that it finds, which is greater than for the text as typed.
    pub total: usize,
}

/// A part of a typed text, in bytes, and what was probably meant by it.
type Replacement = (Range<usize>, String);

/// The text that was probably meant by a query that finds few entries: mistyped words are replaced by words of these sites. A word in letters
/// is replaced by one that is like it, Chinese characters by those of a word that sounds alike. `None` if there is no such word, or if the
/// text does not find more.
///
/// # Errors
/// [`SearchError`].
pub async fn meant(index: &dyn Index, sites: &Sites, query: &Query) -> Result<Option<SpellingSuggestion>, SearchError> {
    let words = words_of(&query.text, MAX_LOOKED_UP);
    let mut replacements = letters::replacements(index, sites, query, &words).await?;
    replacements.extend(han::replacements(index, sites, &words).await?);
    if replacements.is_empty() {
        return Ok(None);
    }
    let mut text = query::read_of(&query.text).to_owned();
    // From the end, so that the words before stay in their places.
    replacements.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    for (place, replacement) in replacements {
        text.replace_range(place, &replacement);
    }
    let corrected = Query { text, ..query.clone() };
    let total = count(index, sites, query::compile(&corrected)).await?;
    let typed = count(index, sites, query::compile(query)).await?;
    Ok((total > typed).then_some(SpellingSuggestion { text: corrected.text, total }))
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
    pub async fn of(index: &dyn Index, sites: &Sites, query: &Query) -> Result<Self, SearchError> {
        let words = words_of(&query.text, MAX_WORDS).into_iter().map(|word| word.text);
        let words = words.filter(|word| !has_han_or_hangul(word)).map(|word| analysis::fold(&word));
        let words: BTreeSet<String> = words.collect();
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
