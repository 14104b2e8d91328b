//! Tests of the analyzers over all languages, and properties of any text.
#![allow(clippy::unwrap_used)]

use super::{Analyzer, name_words, words};

/// The tokens at each position, in the order of their text.
fn at_positions(analyzer: Analyzer, text: &str) -> Vec<Vec<String>> {
    let mut positions: Vec<Vec<String>> = Vec::new();
    for token in analyzer.tokens(text) {
        positions.resize(positions.len().max(token.position + 1), Vec::new());
        positions[token.position].push(token.text);
    }
    positions.iter_mut().for_each(|texts| texts.sort());
    positions
}

#[test]
fn every_language_has_its_words() {
    for (text, expected) in [
        ("The Sediments of Müller's coasts", "the|sediment|of|muller|coast"),
        ("sea-level rise, CO₂", "sea|level|rise|co2"),
        ("海洋沉积物", "海 海洋|洋|沉 沉积 沉积物|积|物"),
    ] {
        let found = at_positions(Analyzer::Prose, text).iter().map(|texts| texts.join(" ")).collect::<Vec<_>>();
        assert_eq!(found.join("|"), expected, "{text}");
    }
}

#[test]
fn adjacent_words_of_a_name_are_one_word() {
    let keys = |text: &str| name_words(&words(text)).into_iter().map(|word| word.text).collect::<Vec<_>>();
    assert_eq!(keys("Zh\u{101}ng W\u{11b}i"), ["zhangwei"]);
    assert_eq!(keys("zhang1 wei3"), ["zhangwei"]);
}
