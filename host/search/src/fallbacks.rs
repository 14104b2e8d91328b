//! A search as a reader experiences it: what was typed, or the nearest to it that is found.
//!
//! What an index executes is exact; what is tried, and in which order, is decided here, above the index. The search that was executed is
//! part of the answer, so that counts by value and further pages are those of the same hits.

use std::collections::BTreeSet;

use masthead_domain::lang::has_han_or_hangul;

use crate::{
    analysis,
    counts::count,
    index::{Hits, Index, PageOfHits, SearchError, Sites},
    query::{self, Query, Relaxation, Search},
    spelling::{Frequencies, MAX_LOOKED_UP, RARE, words_of},
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

/// With fewer hits than this, a short query may be one with a mistake: words like those typed are searched too. A search that has at least
/// so many hits as typed is never relaxed.
pub const FEW: usize = 3;
/// The most words of a short query. Entries that have all of more words are what was meant.
const SHORT: usize = 3;

/// Finds what was typed; if nothing is found, what is nearest to it.
///
/// # Errors
/// [`SearchError`]. A failure is never an empty answer.
pub async fn find(index: &dyn Index, sites: &Sites, query: &Query, page: PageOfHits) -> Result<Found, SearchError> {
    let Some(search) = query::compile(query) else {
        return Ok(Found { hits: Hits::default(), search: None, relaxed: None });
    };
    let hits = index.search(sites.clone(), search.clone(), page).await?;
    let exact = hits.total;
    if exact == 0 || (exact < FEW && is_short(query)) {
        let known = Frequencies::of(index, sites, query).await?;
        for (relaxation, nearest) in nearest(index, sites, query, &known, exact).await? {
            let wider = index.search(sites.clone(), nearest.clone(), page).await?;
            if wider.total > exact {
                let left_out =
                    if relaxation.leaves_out() { missing(index, sites, query, &known).await? } else { Vec::new() };
                let relaxed = Some(Relaxed { relaxation, exact, left_out });
                return Ok(Found { hits: wider, search: Some(nearest), relaxed });
            }
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
    if exact > 0 {
        // Next to few hits, rare words may be mistyped too.
        let rare = known.mistyped(RARE);
        let doubting = if rare.is_empty() { None } else { query.doubting(&rare) };
        return Ok(doubting.into_iter().map(|search| (Relaxation::Spelling, search)).collect());
    }
    let mut all: Vec<_> = query.relaxed(&known.mistyped(0)).collect();
    if all.iter().any(|(relaxation, _)| !relaxation.leaves_out()) && lacks(index, sites, query, known).await? {
        all.retain(|(relaxation, _)| relaxation.leaves_out());
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
    let strange = known.unknown().filter(|word| query::widest_tolerance(word) == 0 && !stop_words.contains(word));
    for word in strange.take(MAX_LOOKED_UP) {
        // It may be indexed in another form, as a part of a name is, or have a synonym.
        if let Some(search) = query::compile(&alone(query, word))
            && count(index, sites, Some(search)).await? == 0
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the typed text has few words, all of them in letters. False for a DOI: it identifies one work, so similar spellings are not
/// tried.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_few_words_in_letters_are_short() {
        assert!(is_short(&Query::typed("tidal ledger")));
        for other in ["", "a b c d", "海洋", "해양 co2", "NOT a"] {
            assert!(!is_short(&Query::typed(other)), "{other}");
        }
    }
}
