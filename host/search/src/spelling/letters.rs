//! Words in letters: what was meant is a word that differs in a few of them.

use crate::{
    analysis,
    index::{Index, SearchError, Sites},
    query::{self, Expansion, IndexedWord},
};

use super::{Frequencies, RARE, Replacement, Word, folded};

/// Limit on the words that are looked at in place of a mistyped one.
const MAX_NEAR: usize = 16;
/// A rare word is replaced only by a word with at least this many times its entries.
const MORE: u64 = 10;

/// The mistyped words among those of a query, with those that they are replaced by.
pub async fn replacements(index: &dyn Index, sites: &Sites, words: &[Word]) -> Result<Vec<Replacement>, SearchError> {
    let folded = folded(words.iter().map(|word| &word.typed));
    let rare = Frequencies::among(index, sites, folded).await?.mistyped(RARE);
    let words = words.iter().map(|word| (word, analysis::fold(&word.typed.text)));
    let words: Vec<(&Word, String)> = words.filter(|(_, folded)| rare.contains(folded)).collect();
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let asked = words.iter().map(|(_, folded)| (folded.clone(), Expansion::Near(query::widest_tolerance(folded))));
    let near = index.words(sites.clone(), asked.collect(), MAX_NEAR).await?;
    let replaced = words.into_iter().zip(near).filter_map(|((Word { of, typed }, folded), near)| {
        let better = better(&folded, &near)?;
        Some(Replacement { of: *of, at: typed.at.clone(), by: written_as(&typed.text, better) })
    });
    Ok(replaced.collect())
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
}
