//! Interpretation of a query, for readers to check before they search.

use super::{
    MAX_TEXT, MAX_WORDS,
    parse::{self, Node},
};
use crate::analysis::Word;

/// A part of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryPart {
    /// The words in the form in which they are indexed.
    pub text: String,
    /// Whether the words must be adjacent (a phrase).
    pub phrase: bool,
    /// Whether the words are excluded.
    pub excluded: bool,
    /// The operator between it and the part before: `AND` or `OR`; "" for the first part.
    pub operator: &'static str,
}

/// Interpretation of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// The parts of the query, from left to right.
    pub parts: Vec<QueryPart>,
    /// Whether the text exceeded the limit of length and was truncated.
    pub cut: bool,
}

/// Interprets a query; `None` if it has no words.
#[must_use]
pub fn analyze(text: &str) -> Option<Analysis> {
    let node = parse::parse(text)?;
    let mut analysis = Analysis { cut: text.chars().nth(MAX_TEXT).is_some(), ..Analysis::default() };
    walk(&node, "", false, &mut analysis.parts);
    analysis.cut |= analysis.parts.len() >= MAX_WORDS;
    Some(analysis)
}

fn walk(node: &Node, operator: &'static str, excluded: bool, parts: &mut Vec<QueryPart>) {
    let mut each = |nodes: &[Node], between: &'static str| {
        for (index, node) in nodes.iter().enumerate() {
            walk(node, if index == 0 { operator } else { between }, excluded, parts);
        }
    };
    match node {
        Node::And(nodes) => each(nodes, "AND"),
        Node::Or(nodes) => each(nodes, "OR"),
        Node::Not(node) => walk(node, operator, !excluded, parts),
        Node::Phrase(words) => parts.push(QueryPart { text: said(words), phrase: true, excluded, operator }),
        Node::Run(units) => {
            for (index, words) in units.iter().enumerate() {
                let operator = if index == 0 { operator } else { "AND" };
                parts.push(QueryPart { text: said(words), phrase: words.len() > 1, excluded, operator });
            }
        }
    }
}

fn said(words: &[Word]) -> String {
    let mut text = String::new();
    for word in words {
        if !text.is_empty() && !word.han {
            text.push(' ');
        }
        text.push_str(&word.text);
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn terms_phrases_and_operators_are_distinguished() {
        let analysis = analyze("tide \"sea level\" OR 海洋 NOT carbon").unwrap();
        let parts: Vec<_> =
            analysis.parts.iter().map(|part| (part.operator, part.text.as_str(), part.phrase, part.excluded)).collect();
        assert_eq!(
            parts,
            [
                ("", "tide", false, false),
                ("AND", "sea level", true, false),
                ("OR", "海洋", false, false),
                ("AND", "carbon", false, true),
            ]
        );
        assert!(!analysis.cut);
    }

    #[test]
    fn a_text_without_words_is_none_and_a_long_one_is_truncated() {
        assert_eq!(analyze(" !? \" ( "), None);
        assert!(analyze(&"tide ".repeat(10_000)).unwrap().cut);
    }
}
