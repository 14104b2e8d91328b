//! The synonyms of a query, by the words of their terms.

use std::collections::HashMap;

use super::{
    MAX_ALTERNATIVES, MAX_EXPANSIONS, MAX_SYNONYMS, MAX_TERM,
    request::{Query, Synonym},
};
use crate::analysis::{self, Word};

/// Synonyms by term, and how many alternatives may still be added to a query.
pub struct Synonyms<'a> {
    by_term: HashMap<Vec<String>, Vec<&'a str>>,
    /// Number of words of the longest term.
    longest: usize,
    left: usize,
}

fn texts<'a>(words: impl IntoIterator<Item = &'a Word>) -> Vec<String> {
    words.into_iter().map(|word| word.text.clone()).collect()
}

fn short(text: &str) -> bool {
    text.chars().nth(MAX_TERM).is_none()
}

impl<'a> Synonyms<'a> {
    /// The synonyms of a query, as far as the limits allow.
    pub fn new(query: &'a Query) -> Self {
        let mut by_term: HashMap<Vec<String>, Vec<&str>> = HashMap::new();
        let usable = |synonym: &&Synonym| short(&synonym.term);
        for synonym in query.synonyms.iter().take(MAX_SYNONYMS).filter(usable) {
            let term = texts(&analysis::words(&synonym.term));
            if !term.is_empty() {
                let alternatives = synonym.alternatives.iter().map(String::as_str).filter(|text| short(text));
                let known = by_term.entry(term).or_default();
                known.extend(alternatives.take(MAX_ALTERNATIVES.saturating_sub(known.len())));
            }
        }
        let longest = by_term.keys().map(Vec::len).max().unwrap_or(0);
        Self { by_term, longest, left: MAX_EXPANSIONS }
    }

    /// Number of words of the longest term.
    pub const fn longest(&self) -> usize {
        self.longest
    }

    /// The alternatives of a term; none if it has no synonyms, or if the query has too many already.
    pub fn alternatives<'w>(&mut self, term: impl IntoIterator<Item = &'w Word>) -> Vec<Vec<Word>> {
        if self.longest == 0 {
            return Vec::new();
        }
        let Some(texts) = self.by_term.get(&texts(term)) else { return Vec::new() };
        let mut found: Vec<Vec<Word>> = Vec::new();
        for text in texts {
            if self.left == 0 {
                break;
            }
            let words = analysis::words(text);
            if !words.is_empty() && !found.contains(&words) {
                self.left -= 1;
                found.push(words);
            }
        }
        found
    }

    /// The variants of a phrase in which a term has been replaced by an alternative. The term may be the whole phrase.
    pub fn variants(&mut self, words: &[Word]) -> Vec<Vec<Word>> {
        let mut all = Vec::new();
        for from in 0..words.len() {
            for to in from + 1..=words.len().min(from + self.longest) {
                for alternative in self.alternatives(&words[from..to]) {
                    all.push(replace(words, from, to, &alternative));
                }
            }
        }
        all
    }
}

fn moved(words: &[Word], to: usize) -> impl Iterator<Item = Word> {
    let first = words.first().map_or(0, |word| word.position);
    words.iter().map(move |word| Word {
        position: word.position - first + to,
        end: word.end - first + to,
        ..word.clone()
    })
}

fn end(words: &[Word]) -> usize {
    words.last().map_or(0, |word| word.end)
}

fn replace(words: &[Word], from: usize, to: usize, by: &[Word]) -> Vec<Word> {
    let mut all = words[..from].to_vec();
    all.extend(moved(by, words[from].position));
    let next = end(&all);
    all.extend(moved(&words[to..], next));
    all
}

/// The words of several units as if they had been typed next to each other.
pub fn side_by_side<'w>(units: impl IntoIterator<Item = &'w [Word]>) -> Vec<Word> {
    let mut all = Vec::new();
    for unit in units {
        let next = end(&all);
        all.extend(moved(unit, next));
    }
    all
}
