//! Expansion of a parsed query by synonyms.

use std::collections::HashMap;

use super::{
    MAX_ALTERNATIVES, MAX_EXPANSIONS, MAX_SYNONYMS, MAX_TERM, Query,
    old_parse::{self as parse, Node},
};
use crate::analysis::{self, Word};

/// The terms of a query with their synonyms.
#[derive(Clone, Debug, PartialEq)]
pub enum TermTree {
    /// Adjacent words; never empty.
    Phrase(Vec<Word>),
    /// All of `parts`; hits with the adjacent words `typed` rank higher. `typed` may be empty.
    All {
        /// The parts.
        parts: Vec<TermTree>,
        /// The words in the order in which they were typed.
        typed: Vec<Word>,
    },
    /// At least one of the terms; more matches rank higher.
    Any(Vec<TermTree>),
    /// At least one of the terms, which are synonyms; the best match counts.
    Same(Vec<TermTree>),
    /// Not the term.
    Not(Box<TermTree>),
}

/// The terms of a query; `None` if its text has no words.
pub fn terms_of(query: &Query) -> Option<TermTree> {
    let node = parse::parse(&query.text)?;
    Some(Synonyms::new(query).expand(node))
}

/// The terms of an advanced condition; if it is `precise`, words in sequence form one phrase.
pub fn terms_of_clause(text: &str, precise: bool) -> Option<TermTree> {
    fn exactly(node: Node) -> TermTree {
        match node {
            Node::Phrase(words) => TermTree::Phrase(words),
            Node::Run(units) => TermTree::Phrase(side_by_side(&units)),
            Node::And(nodes) => TermTree::All { parts: nodes.into_iter().map(exactly).collect(), typed: Vec::new() },
            Node::Or(nodes) => TermTree::Any(nodes.into_iter().map(exactly).collect()),
            Node::Not(node) => TermTree::Not(Box::new(exactly(*node))),
        }
    }
    if precise { parse::parse(text).map(exactly) } else { terms_of(&Query::typed(text)) }
}

struct Synonyms<'a> {
    by_term: HashMap<Vec<String>, Vec<&'a str>>,
    /// Number of words of the longest term.
    longest: usize,
    /// Number of alternatives that may still be added.
    left: usize,
}

fn texts<'a>(words: impl IntoIterator<Item = &'a Word>) -> Vec<String> {
    words.into_iter().map(|word| word.text.clone()).collect()
}

fn short(text: &str) -> bool {
    text.chars().nth(MAX_TERM).is_none()
}

impl<'a> Synonyms<'a> {
    fn new(query: &'a Query) -> Self {
        let mut by_term: HashMap<Vec<String>, Vec<&str>> = HashMap::new();
        for synonym in query.synonyms.iter().take(MAX_SYNONYMS).filter(|synonym| short(&synonym.term)) {
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

    fn expand(&mut self, node: Node) -> TermTree {
        match node {
            Node::Phrase(words) => self.phrase(&words),
            Node::Run(units) => {
                let mut parts = self.run(&units, usize::MAX);
                if parts.len() == 1 && units.len() == 1 {
                    return parts.remove(0);
                }
                TermTree::All { parts, typed: side_by_side(&units) }
            }
            Node::And(nodes) => TermTree::All { parts: self.each(nodes), typed: Vec::new() },
            Node::Or(nodes) => TermTree::Any(self.each(nodes)),
            Node::Not(node) => TermTree::Not(Box::new(self.expand(*node))),
        }
    }

    fn each(&mut self, nodes: Vec<Node>) -> Vec<TermTree> {
        nodes.into_iter().map(|node| self.expand(node)).collect()
    }

    /// Replaces the longest terms of at most `limit` units by their alternatives, from left to right.
    fn run(&mut self, units: &[Vec<Word>], limit: usize) -> Vec<TermTree> {
        let mut parts = Vec::new();
        let mut from = 0;
        while from < units.len() {
            let most = self.longest.min(limit).min(units.len() - from);
            let found = (2..=most).rev().find_map(|count| {
                let alternatives = self.alternatives(&texts(units[from..from + count].iter().flatten()));
                (!alternatives.is_empty()).then_some((count, alternatives))
            });
            if let Some((count, alternatives)) = found {
                // Shorter terms within it keep their own alternatives.
                let term = &units[from..from + count];
                let original = TermTree::All { parts: self.run(term, count - 1), typed: side_by_side(term) };
                parts.push(same(original, alternatives));
                from += count;
            } else {
                parts.push(self.phrase(&units[from]));
                from += 1;
            }
        }
        parts
    }

    /// A phrase with the alternatives of the whole, and its variants with alternatives of the terms within it.
    fn phrase(&mut self, words: &[Word]) -> TermTree {
        let mut all = Vec::new();
        for from in 0..words.len() {
            for to in from + 1..=words.len().min(from + self.longest) {
                for alternative in self.alternatives(&texts(&words[from..to])) {
                    all.push(replace(words, from, to, &alternative));
                }
            }
        }
        same(TermTree::Phrase(words.to_vec()), all)
    }

    fn alternatives(&mut self, term: &[String]) -> Vec<Vec<Word>> {
        let Some(texts) = self.by_term.get(term) else { return Vec::new() };
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
}

fn same(original: TermTree, alternatives: Vec<Vec<Word>>) -> TermTree {
    if alternatives.is_empty() {
        return original;
    }
    TermTree::Same(std::iter::once(original).chain(alternatives.into_iter().map(TermTree::Phrase)).collect())
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

fn side_by_side(units: &[Vec<Word>]) -> Vec<Word> {
    let mut all = Vec::new();
    for unit in units {
        let next = end(&all);
        all.extend(moved(unit, next));
    }
    all
}
