//! The terms of words and phrases: their indexed forms, and how far another word may differ.

use super::{
    request::Field,
    tree::{Expansion, Phrase, Scope, Term, Tree},
    typos,
};
use crate::analysis::{self, Word};

/// How words are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TermOptions {
    /// Where.
    pub scope: Scope,
    /// Whether words in sequence are one phrase, exactly as typed.
    pub precise: bool,
    /// Which words may have mistakes in typing.
    pub tolerance: TypoTolerance,
    /// Whether what matches is excluded: that is never widened.
    pub excluded: bool,
}

/// Which words may have mistakes in typing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TypoTolerance {
    /// None.
    #[default]
    None,
    /// Words that are long enough to be recognized.
    Long,
    /// Words of three letters too: nothing was found otherwise.
    Short,
}

impl TypoTolerance {
    fn reach(self, typed: &str) -> Expansion {
        let distance = match self {
            Self::None => 0,
            Self::Long => typos::tolerance(typed),
            Self::Short => typos::widest_tolerance(typed),
        };
        if distance == 0 { Expansion::Same } else { Expansion::Near(distance) }
    }
}

/// The units of a typed word: each Chinese word is a unit; the parts of "sea-level" form one unit, unless one of them may be mistyped.
pub fn units(words: Vec<Word>, tolerance: TypoTolerance) -> Vec<Vec<Word>> {
    let apart = tolerance == TypoTolerance::Short;
    let mut units: Vec<Vec<Word>> = Vec::new();
    for word in words {
        match units.last_mut().filter(|unit| !apart && unit.last().is_some_and(|last| !last.han && !word.han)) {
            Some(unit) => unit.push(word),
            None => units.push(vec![word]),
        }
    }
    units
}

/// The tree of adjacent words.
pub fn phrase(words: &[Word], manner: TermOptions) -> Tree {
    let tolerance = if words.len() == 1 && !manner.excluded { manner.tolerance } else { TypoTolerance::None };
    reaching(words, manner.scope, |word| tolerance.reach(&word.typed))
}

/// The tree of adjacent words of which the last one is the beginning of a word.
pub fn beginning(words: &[Word], manner: TermOptions) -> Tree {
    let last = words.last().map_or(0, |word| word.position);
    reaching(words, manner.scope, |word| if word.position == last { Expansion::Beginning } else { Expansion::Same })
}

fn reaching(words: &[Word], scope: Scope, reach: impl Fn(&Word) -> Expansion) -> Tree {
    let first = words.first().map_or(0, |word| word.position);
    let term = |word: &Word| Term {
        forms: word.forms.clone(),
        typed: word.typed.clone(),
        position: word.position - first,
        reach: reach(word),
    };
    let terms: Vec<Term> = words.iter().map(term).collect();
    let named = matches!(scope, Scope::Everything | Scope::Only(Field::Authors));
    let names = if named { analysis::name_words(words).iter().map(term).collect() } else { Vec::new() };
    let names = if names == terms { Vec::new() } else { names };
    Tree::Phrase(Phrase { scope, terms, names })
}

/// Fewest and most characters of a Chinese phrase of which one may be wrong.
const CHARACTERS: std::ops::RangeInclusive<usize> = 3..=12;

/// Phrases of the characters of a Chinese text of which one is wrong or two neighbours are exchanged, in the fields that have their
/// single characters indexed and are short. None for a text that is too short or too long.
pub fn with_a_wrong_character(words: &[Word], scope: Scope) -> Vec<Tree> {
    let characters: Vec<char> = words.iter().filter(|word| word.han).flat_map(|word| word.typed.chars()).collect();
    if !CHARACTERS.contains(&characters.len()) || words.iter().any(|word| !word.han) {
        return Vec::new();
    }
    let scopes = match scope {
        Scope::Everything => vec![Scope::Only(Field::Title), Scope::Only(Field::Keywords)],
        Scope::Only(Field::Body | Field::Authors) => return Vec::new(),
        only @ Scope::Only(_) => vec![only],
    };
    let term = |(position, character): (usize, &char)| Term {
        forms: vec![character.to_string()],
        typed: character.to_string(),
        position,
        reach: Expansion::Same,
    };
    let all: Vec<Term> = characters.iter().enumerate().map(term).collect();
    let mut variants: Vec<Vec<Term>> = Vec::new();
    for wrong in 0..all.len() {
        variants.push(all.iter().filter(|term| term.position != wrong).cloned().collect());
    }
    for first in (1..characters.len()).filter(|at| characters[at - 1] != characters[*at]) {
        let mut exchanged = characters.clone();
        exchanged.swap(first - 1, first);
        variants.push(exchanged.iter().enumerate().map(term).collect());
    }
    let phrase = |scope| {
        variants.iter().map(move |terms| Tree::Phrase(Phrase { scope, terms: terms.clone(), names: Vec::new() }))
    };
    scopes.into_iter().flat_map(phrase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_single_words_may_be_mistyped() {
        let tolerant = TermOptions { tolerance: TypoTolerance::Long, ..TermOptions::default() };
        let reaches = |text: &str, manner| match phrase(&analysis::words(text), manner) {
            Tree::Phrase(phrase) => phrase.terms.into_iter().map(|term| term.reach).collect::<Vec<_>>(),
            other => unreachable!("{other:?}"),
        };
        assert_eq!(reaches("carbon", TermOptions::default()), [Expansion::Same]);
        assert_eq!(reaches("carbon", tolerant), [Expansion::Near(1)]);
        assert_eq!(reaches("sea-level", tolerant), [Expansion::Same, Expansion::Same]);
        assert_eq!(reaches("carbon", TermOptions { excluded: true, ..tolerant }), [Expansion::Same]);
    }

    #[test]
    fn one_character_of_a_chinese_phrase_may_be_wrong() {
        let all = with_a_wrong_character(&analysis::words("蓝碳汇"), Scope::Only(Field::Title));
        let said = |tree: &Tree| match tree {
            Tree::Phrase(phrase) => {
                let term = |term: &Term| format!("{}{}", term.position, term.typed);
                phrase.terms.iter().map(term).collect::<Vec<_>>().concat()
            }
            other => unreachable!("{other:?}"),
        };
        let all: Vec<String> = all.iter().map(said).collect();
        assert_eq!(all, ["1碳2汇", "0蓝2汇", "0蓝1碳", "0碳1蓝2汇", "0蓝1汇2碳"]);
        for other in ["蓝碳", "carbon", "蓝 carbon 汇", &"碳".repeat(13)] {
            assert_eq!(with_a_wrong_character(&analysis::words(other), Scope::Everything), [], "{other}");
        }
    }
}
