//! A search as a reader experiences it: what was typed, or the nearest to it that is found, and what was probably meant.
//!
//! What an index executes is exact; what is tried, and in which order, is decided here, above the index. The search that was executed is
//! part of the answer, so that counts by value and further pages are those of the same hits.

use std::collections::BTreeSet;

use masthead_domain::lang::has_han_or_hangul;

use crate::{
    analysis,
    index::{Hits, Index, Page, SearchError, Sites},
    query::{self, KnownWord, Query, Reach, Relaxation, Search},
};

/// The hits of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The hits.
    pub hits: Hits,
    /// The search that they are the hits of; `None` if nothing can match.
    pub search: Option<Search>,
    /// How it differs from what was typed; `None` if it does not.
    pub relaxed: Option<Relaxed>,
}

/// How the executed search differs from what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relaxed {
    /// What was relaxed.
    pub relaxation: Relaxation,
    /// Number of entries that have everything as typed; they are among the hits and rank first.
    pub exact: usize,
    /// Words as typed that no entry has, not even with a mistake. Only for a relaxation that leaves words out.
    pub left_out: Vec<String>,
}

/// A text that was probably meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meant {
    /// The typed text with other words in place of mistyped ones.
    pub text: String,
    /// Number of entries that it finds, which is greater than for the text as typed.
    pub total: usize,
}

/// With fewer hits than this, a short query may be one with a mistake: words like those typed are searched too.
const FEW: usize = 3;
/// The most words of a short query. Entries that have all of more words are what was meant.
const SHORT: usize = 3;
/// Limit on the words of a query for which others are looked up one by one.
const MAX_LOOKED_UP: usize = 12;
/// Limit on the words of a query whose entries are counted.
const MAX_COUNTED: usize = 24;
/// A word of so few entries may be mistyped if another one is near.
const RARE: u64 = 2;
/// How many times as many entries that other one has at least.
const MORE: u64 = 10;

/// Finds what was typed; if nothing is found, what is nearest to it.
///
/// # Errors
/// [`SearchError`]. A failure is never an empty answer.
pub async fn find(index: &dyn Index, sites: &Sites, query: &Query, page: Page) -> Result<Found, SearchError> {
    let Some(search) = query::compile(query) else {
        return Ok(Found { hits: Hits::default(), search: None, relaxed: None });
    };
    let hits = index.search(sites.clone(), search.clone(), page).await?;
    let exact = hits.total;
    if exact == 0 || (exact < FEW && is_short(query)) {
        // Words that nobody wrote are mistyped, if any are; next to few hits, rare ones may be.
        let rare = rare_words(index, sites, query, if exact == 0 { 0 } else { RARE }).await?;
        let nearest = if rare.is_empty() { None } else { query.doubting(&rare) };
        let nearest = nearest.map(|search| (Relaxation::Spelling, search));
        let others = query.relaxed().take(if exact == 0 { usize::MAX } else { 0 });
        for (relaxation, nearest) in nearest.into_iter().chain(others) {
            let wider = index.search(sites.clone(), nearest.clone(), page).await?;
            if wider.total > exact {
                let left_out = if relaxation.leaves_out() { missing(index, sites, query).await? } else { Vec::new() };
                let relaxed = Some(Relaxed { relaxation, exact, left_out });
                return Ok(Found { hits: wider, search: Some(nearest), relaxed });
            }
        }
    }
    Ok(Found { hits, search: Some(search), relaxed: None })
}

/// The words in letters of the typed text, folded, that at most so many entries have.
async fn rare_words(
    index: &dyn Index,
    sites: &Sites,
    query: &Query,
    entries: u64,
) -> Result<BTreeSet<String>, SearchError> {
    let mut rare = BTreeSet::new();
    for word in words_of(&query.text, MAX_COUNTED) {
        let folded = analysis::fold(&word.text);
        if query::widest_tolerance(&folded) > 0 {
            let known = index.words(sites.clone(), folded.clone(), Reach::Same, 1).await?;
            if known.first().map_or(0, |word| word.entries) <= entries {
                rare.insert(folded);
            }
        }
    }
    Ok(rare)
}

/// Whether the typed text has few words, all of them in letters.
fn is_short(query: &Query) -> bool {
    let mut words = Vec::new();
    if let Some(expression) = query::parse(&query.text) {
        expression.each_positive(&mut |typed, _| words.push(typed.text.clone()));
    }
    (1..=SHORT).contains(&words.len()) && !words.iter().any(|word| has_han_or_hangul(word))
}

/// The typed words that no entry has.
async fn missing(index: &dyn Index, sites: &Sites, query: &Query) -> Result<Vec<String>, SearchError> {
    let mut missing = Vec::new();
    for word in words_of(&query.text, MAX_LOOKED_UP).into_iter().flat_map(single_words).take(MAX_LOOKED_UP) {
        let alone = Query { text: word.clone(), clauses: Vec::new(), all: false, ..query.clone() };
        let mut total = count(index, sites, query::compile(&alone)).await?;
        if total == 0
            && let Some((Relaxation::Spelling, near)) = alone.relaxed().next()
        {
            total = count(index, sites, Some(near)).await?;
        }
        if total == 0 && !missing.contains(&word) {
            missing.push(word);
        }
    }
    Ok(missing)
}

/// The words of a typed one: Chinese is written without spaces.
fn single_words(typed: query::Typed) -> Vec<String> {
    match analysis::words(&typed.text).as_slice() {
        [] | [_] => vec![typed.text],
        words => words.iter().map(|word| word.typed.clone()).collect(),
    }
}

async fn count(index: &dyn Index, sites: &Sites, search: Option<Search>) -> Result<usize, SearchError> {
    let Some(search) = search else { return Ok(0) };
    Ok(index.search(sites.clone(), search, Page::at(0, 0)).await?.total)
}

/// The text that was probably meant by a query that finds few entries: mistyped words are replaced by words of these sites. `None` if no
/// word is like one of them, or if the text does not find more.
///
/// # Errors
/// [`SearchError`].
pub async fn meant(index: &dyn Index, sites: &Sites, query: &Query) -> Result<Option<Meant>, SearchError> {
    let mut text = query::read_of(&query.text).to_owned();
    // From the end, so that the words before stay in their places.
    for word in words_of(&query.text, MAX_LOOKED_UP).into_iter().rev() {
        if let Some(better) = correction(index, sites, &word.text).await? {
            text.replace_range(word.at, &better);
        }
    }
    if text == query::read_of(&query.text) {
        return Ok(None);
    }
    let corrected = Query { text, ..query.clone() };
    let total = count(index, sites, query::compile(&corrected)).await?;
    let typed = count(index, sites, query::compile(query)).await?;
    Ok((total > typed).then_some(Meant { text: corrected.text, total }))
}

/// The word of these sites that was meant by a mistyped one.
async fn correction(index: &dyn Index, sites: &Sites, word: &str) -> Result<Option<String>, SearchError> {
    let folded = analysis::fold(word);
    let distance = query::widest_tolerance(&folded);
    if distance == 0 {
        return Ok(None);
    }
    let known = index.words(sites.clone(), folded.clone(), Reach::Near(distance), 16).await?;
    Ok(better(&folded, &known).map(|better| written_as(word, better)))
}

/// The best replacement of a word, unless the word itself is good enough.
fn better<'a>(typed: &str, known: &'a [KnownWord]) -> Option<&'a str> {
    let own = known.iter().find(|word| word.text == typed).map_or(0, |word| word.entries);
    let letters: Vec<char> = typed.chars().collect();
    let near = known.iter().filter(|word| word.text != typed).filter_map(|word| {
        let distance = query::distance(&letters, &word.text.chars().collect::<Vec<_>>(), 2)?;
        Some((distance, word))
    });
    // Most mistakes spare the first letter.
    let same_start = |word: &KnownWord| word.text.chars().next() == letters.first().copied();
    let (distance, best) =
        near.min_by_key(|(distance, word)| (*distance, !same_start(word), std::cmp::Reverse(word.entries)))?;
    let rare = own <= RARE && best.entries >= own.saturating_mul(MORE).max(1) && (own == 0 || distance == 1);
    rare.then_some(best.text.as_str())
}

/// A word in capitals or with a capital, if the typed one has them.
fn written_as(typed: &str, word: &str) -> String {
    let mut letters = typed.chars();
    let first = letters.next().is_some_and(char::is_uppercase);
    let all = first && letters.clone().next().is_some() && letters.all(char::is_uppercase);
    if all {
        return word.to_uppercase();
    }
    let mut rest = word.chars();
    match rest.next().filter(|_| first) {
        Some(initial) => initial.to_uppercase().chain(rest).collect(),
        None => word.to_owned(),
    }
}

/// The words that a text is searched for, one by one, as typed.
fn words_of(text: &str, most: usize) -> Vec<query::Typed> {
    let mut found: Vec<query::Typed> = Vec::new();
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
                    found.push(query::Typed { text: text[at.clone()].to_owned(), at });
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

    fn known(words: &[(&str, u64)]) -> Vec<KnownWord> {
        words.iter().map(|(text, entries)| KnownWord { text: (*text).to_owned(), entries: *entries }).collect()
    }

    #[test]
    fn an_unknown_word_is_replaced_by_the_nearest_known_one() {
        let words = known(&[("sediment", 40), ("sentiment", 90), ("sedition", 3)]);
        assert_eq!(better("sedimnet", &words), Some("sediment"));
        assert_eq!(better("sediment", &words), None, "a frequent word is meant as typed");
        assert_eq!(better("carbon", &words), None);
        assert_eq!(better("tiede", &known(&[("wiede", 9), ("tide", 2), ("tied", 1)])), Some("tide"));
    }

    #[test]
    fn a_rare_word_is_replaced_by_a_far_more_frequent_one_only() {
        assert_eq!(better("form", &known(&[("form", 1), ("from", 400)])), Some("from"));
        assert_eq!(better("form", &known(&[("form", 1), ("from", 4)])), None);
        assert_eq!(better("form", &known(&[("form", 30), ("from", 4_000)])), None);
        assert_eq!(better("sedimetn", &known(&[("sedimetn", 1), ("sentiment", 4_000)])), None, "two letters differ");
    }

    #[test]
    fn a_replacement_is_written_as_the_word_was_typed() {
        assert_eq!(written_as("sedimnet", "sediment"), "sediment");
        assert_eq!(written_as("Sedimnet", "sediment"), "Sediment");
        assert_eq!(written_as("SEDIMNET", "sediment"), "SEDIMENT");
        assert_eq!(written_as("A", "b"), "B");
    }

    #[test]
    fn words_are_looked_up_one_by_one() {
        let text = "Sea-level \"rise é\" NOT ice title:tide issn:1234-5678";
        let words = words_of(text, MAX_LOOKED_UP);
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(texts, ["Sea", "level", "rise", "é", "tide"]);
        assert!(words.iter().all(|word| text[word.at.clone()] == word.text));
        assert_eq!(words_of(&"a-b ".repeat(30_000), MAX_LOOKED_UP).len(), MAX_LOOKED_UP);
    }

    #[test]
    fn only_few_words_in_letters_are_short() {
        assert!(is_short(&Query::typed("tidal ledger")));
        for other in ["", "a b c d", "海洋", "해양 co2", "NOT a"] {
            assert!(!is_short(&Query::typed(other)), "{other}");
        }
    }
}
