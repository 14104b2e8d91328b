//! A search as a reader experiences it: what was typed, or the nearest to it that is found, and what was probably meant.
//!
//! What an index executes is exact; what is tried, and in which order, is decided here, above the index. The search that was executed is
//! part of the answer, so that counts by value and further pages are those of the same hits.

use std::collections::{BTreeMap, BTreeSet};

use masthead_domain::lang::has_han_or_hangul;

use crate::{
    analysis,
    index::{Hits, Index, Page, SearchError, Sites},
    query::{self, Expansion, IndexedWord, MAX_WORDS, Query, Relaxation, Search},
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
pub struct SpellingSuggestion {
    /// The typed text with other words in place of mistyped ones.
    pub text: String,
    /// Number of entries that it finds, which is greater than for the text as typed.
    pub total: usize,
}

/// With fewer hits than this, a short query may be one with a mistake: words like those typed are searched too. A search that has at least
/// so many hits as typed is never relaxed.
pub const FEW: usize = 3;
/// The most words of a short query. Entries that have all of more words are what was meant.
const SHORT: usize = 3;
/// Limit on the words of a query for which others are looked up one by one.
const MAX_LOOKED_UP: usize = 12;
/// Limit on the words that are looked at in place of a mistyped one.
const MAX_NEAR: usize = 16;
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
        let known = Frequencies::of(index, sites, query).await?;
        let mut before = search.clone();
        for (relaxation, nearest) in nearest(index, sites, query, &known, exact).await? {
            if nearest == before {
                continue;
            }
            let wider = index.search(sites.clone(), nearest.clone(), page).await?;
            if wider.total > exact {
                let left_out =
                    if relaxation.leaves_out() { missing(index, sites, query, &known).await? } else { Vec::new() };
                let relaxed = Some(Relaxed { relaxation, exact, left_out });
                return Ok(Found { hits: wider, search: Some(nearest), relaxed });
            }
            before = nearest;
        }
    }
    Ok(Found { hits, search: Some(search), relaxed: None })
}

/// The searches to try for a query of which `exact` entries have everything as typed, in order.
async fn nearest(
    index: &dyn Index,
    sites: &Sites,
    query: &Query,
    known: &Frequencies,
    exact: usize,
) -> Result<Vec<(Relaxation, Search)>, SearchError> {
    // Words that nobody wrote are mistyped, if any are; next to few hits, rare ones may be.
    let rare = known.mistyped(if exact == 0 { 0 } else { RARE });
    let doubting = if rare.is_empty() { None } else { query.doubting(&rare) };
    let mut all: Vec<_> = doubting.map(|search| (Relaxation::Spelling, search)).into_iter().collect();
    if exact == 0 {
        all.extend(query.relaxed(&rare));
        if all.iter().any(|(relaxation, _)| !relaxation.leaves_out()) && lacks(index, sites, query, known).await? {
            all.retain(|(relaxation, _)| relaxation.leaves_out());
        }
    }
    Ok(all)
}

/// Whether no entry has one of the words that a query requires and that no mistake can have made of another: only a search that leaves
/// words out finds something then.
async fn lacks(index: &dyn Index, sites: &Sites, query: &Query, known: &Frequencies) -> Result<bool, SearchError> {
    let plain = query::parse(&query.text).is_some_and(|expression| expression.is_plain());
    if !plain || query::typed_doi(&query.text).is_some() || query.text.contains(['*', '＊']) {
        return Ok(false);
    }
    let stop_words: Vec<String> = query.stop_words.iter().map(|word| analysis::fold(word)).collect();
    let strange = known
        .0
        .iter()
        .filter(|(word, entries)| **entries == 0 && query::widest_tolerance(word) == 0 && !stop_words.contains(word));
    for (word, _) in strange.take(MAX_LOOKED_UP) {
        // It may be indexed in another form, as a part of a name is, or have a synonym.
        if let Some(search) = query::compile(&alone(query, word))
            && count(index, sites, Some(search)).await? == 0
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The words of a typed text that are written with spaces, folded, with the numbers of the entries that have them. Entries are those of all
/// kinds; they are counted as far as [`IndexedWord`] is.
struct Frequencies(BTreeMap<String, u64>);

impl Frequencies {
    async fn of(index: &dyn Index, sites: &Sites, query: &Query) -> Result<Self, SearchError> {
        let words = words_of(&query.text, MAX_WORDS).into_iter().map(|word| word.text);
        let words = words.filter(|word| !has_han_or_hangul(word)).map(|word| analysis::fold(&word));
        let words: BTreeSet<String> = words.collect();
        if words.is_empty() {
            return Ok(Self(BTreeMap::new()));
        }
        let asked = words.iter().map(|word| (word.clone(), Expansion::Same)).collect();
        let known = index.words(sites.clone(), asked, 1).await?.into_iter();
        let entries = known.map(|known| known.first().map_or(0, |word| word.entries));
        Ok(Self(words.into_iter().zip(entries).collect()))
    }

    /// The words that at most so many entries have, if they may be other words with mistakes.
    fn mistyped(&self, entries: u64) -> BTreeSet<String> {
        let rare = self.0.iter().filter(|(word, known)| **known <= entries && query::widest_tolerance(word) > 0);
        rare.map(|(word, _)| word.clone()).collect()
    }

    /// Whether so many entries have a word that it is neither mistyped nor missing.
    fn is_common(&self, folded: &str) -> bool {
        self.0.get(folded).is_some_and(|entries| *entries > RARE)
    }
}

/// Whether the typed text has few words, all of them in letters. A DOI has none: it stands for what has it, and not for those like it.
fn is_short(query: &Query) -> bool {
    if query::typed_doi(&query.text).is_some() {
        return false;
    }
    let mut words = Vec::new();
    if let Some(expression) = query::parse(&query.text) {
        expression.each_positive(&mut |typed, _| words.push(typed.text.clone()));
    }
    (1..=SHORT).contains(&words.len()) && !words.iter().any(|word| has_han_or_hangul(word))
}

/// The typed words that no entry has.
async fn missing(
    index: &dyn Index,
    sites: &Sites,
    query: &Query,
    known: &Frequencies,
) -> Result<Vec<String>, SearchError> {
    let mut missing = Vec::new();
    for word in words_of(&query.text, MAX_LOOKED_UP).into_iter().flat_map(single_words).take(MAX_LOOKED_UP) {
        if missing.contains(&word) || known.is_common(&analysis::fold(&word)) {
            continue;
        }
        let alone = alone(query, &word);
        let mut total = count(index, sites, query::compile(&alone)).await?;
        if total == 0
            && let Some((Relaxation::Spelling, near)) = alone.relaxed(&BTreeSet::new()).next()
        {
            total = count(index, sites, Some(near)).await?;
        }
        if total == 0 {
            missing.push(word);
        }
    }
    Ok(missing)
}

/// The query for one of its words.
fn alone(query: &Query, word: &str) -> Query {
    Query { text: word.to_owned(), clauses: Vec::new(), all: false, ..query.clone() }
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
pub async fn meant(index: &dyn Index, sites: &Sites, query: &Query) -> Result<Option<SpellingSuggestion>, SearchError> {
    let known = Frequencies::of(index, sites, query).await?;
    let rare = known.mistyped(RARE);
    let mut words = words_of(&query.text, MAX_LOOKED_UP);
    words.retain(|word| rare.contains(&analysis::fold(&word.text)));
    if words.is_empty() {
        return Ok(None);
    }
    let asked = words.iter().map(|word| analysis::fold(&word.text));
    let asked = asked.map(|folded| (folded.clone(), Expansion::Near(query::widest_tolerance(&folded)))).collect();
    let near = index.words(sites.clone(), asked, MAX_NEAR).await?;
    let mut text = query::read_of(&query.text).to_owned();
    // From the end, so that the words before stay in their places.
    for (word, near) in words.into_iter().zip(near).rev() {
        if let Some(better) = better(&analysis::fold(&word.text), &near) {
            text.replace_range(word.at, &written_as(&word.text, better));
        }
    }
    if text == query::read_of(&query.text) {
        return Ok(None);
    }
    let corrected = Query { text, ..query.clone() };
    let total = count(index, sites, query::compile(&corrected)).await?;
    let typed = count(index, sites, query::compile(query)).await?;
    Ok((total > typed).then_some(SpellingSuggestion { text: corrected.text, total }))
}

/// The best replacement of a word, unless the word itself is good enough.
fn better<'a>(typed: &str, known: &'a [IndexedWord]) -> Option<&'a str> {
    let own = known.iter().find(|word| word.text == typed).map_or(0, |word| word.entries);
    let letters: Vec<char> = typed.chars().collect();
    let near = known.iter().filter(|word| word.text != typed).filter_map(|word| {
        let distance = query::distance(&letters, &word.text.chars().collect::<Vec<_>>(), 2)?;
        Some((distance, word))
    });
    // Most mistakes spare the first letter.
    let same_start = |word: &IndexedWord| word.text.chars().next() == letters.first().copied();
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

    fn known(words: &[(&str, u64)]) -> Vec<IndexedWord> {
        words.iter().map(|(text, entries)| IndexedWord { text: (*text).to_owned(), entries: *entries }).collect()
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
