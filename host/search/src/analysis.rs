//! What a query was understood as: for the reader's check before searching.

use crate::{
    analyzer::Word,
    parse::{self, Node},
    query::{MAX_TEXT, MAX_WORDS},
};

/// A part of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The words in the form in which they are looked up.
    pub text: String,
    /// Whether the words have to follow each other.
    pub phrase: bool,
    /// Whether it must not be found.
    pub excluded: bool,
}

/// What a query was understood as.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// The parts that are looked for, from left to right.
    pub parts: Vec<Part>,
    /// The operators that were found, in the order of the tree: `AND`, `OR`, `NOT`.
    pub operators: Vec<&'static str>,
    /// Whether the text is longer than what is looked at.
    pub cut: bool,
}

/// Reads a query; `None` where it holds no words.
#[must_use]
pub fn analyze(text: &str) -> Option<Analysis> {
    let node = parse::parse(text)?;
    let mut analysis = Analysis { cut: text.chars().nth(MAX_TEXT).is_some(), ..Analysis::default() };
    walk(&node, false, &mut analysis);
    analysis.cut |= analysis.parts.len() >= MAX_WORDS;
    Some(analysis)
}

fn walk(node: &Node, excluded: bool, analysis: &mut Analysis) {
    match node {
        Node::Phrase(words) => analysis.parts.push(Part { text: said(words), phrase: true, excluded }),
        Node::Run(units) => {
            let parts = units.iter().map(|words| Part { text: said(words), phrase: words.len() > 1, excluded });
            analysis.parts.extend(parts);
        }
        Node::And(nodes) => {
            analysis.operators.extend(std::iter::repeat_n("AND", nodes.len() - 1));
            nodes.iter().for_each(|node| walk(node, excluded, analysis));
        }
        Node::Or(nodes) => {
            analysis.operators.extend(std::iter::repeat_n("OR", nodes.len() - 1));
            nodes.iter().for_each(|node| walk(node, excluded, analysis));
        }
        Node::Not(node) => {
            analysis.operators.push("NOT");
            walk(node, !excluded, analysis);
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
    fn terms_phrases_and_operators_are_told_apart() {
        let analysis = analyze("tide \"sea level\" OR 海洋 NOT carbon").unwrap();
        let parts: Vec<_> =
            analysis.parts.iter().map(|part| (part.text.as_str(), part.phrase, part.excluded)).collect();
        assert_eq!(
            parts,
            [("tide", false, false), ("sea level", true, false), ("海洋", false, false), ("carbon", false, true)]
        );
        assert_eq!(analysis.operators, ["OR", "AND", "AND", "NOT"]);
        assert!(!analysis.cut);
    }

    #[test]
    fn a_text_without_words_is_nothing_and_a_long_one_is_cut() {
        assert_eq!(analyze(" !? \" ( "), None);
        assert!(analyze(&"tide ".repeat(10_000)).unwrap().cut);
    }
}
