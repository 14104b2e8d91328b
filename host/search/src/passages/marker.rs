//! What a query matches in the texts that a page shows of its hits.

use std::ops::Range;

use super::{
    MAX_SOURCE,
    occurrences::{Words, limited, phrases_of},
};
use crate::query::{Phrase, Tree};

/// Finds what a query matches in short texts (titles, abstracts, captions), so that pages can mark it.
#[derive(Clone, Debug, Default)]
pub struct Marker {
    phrases: Vec<Phrase>,
    reaching: bool,
}

impl Marker {
    /// For what an index executed; without a tree, nothing is found.
    #[must_use]
    pub fn new(tree: Option<&Tree>) -> Self {
        let mut found = Vec::new();
        tree.into_iter().for_each(|tree| phrases_of(tree, &mut found));
        let mut phrases: Vec<Phrase> = Vec::new();
        for phrase in found {
            if !phrases.contains(phrase) {
                phrases.push(phrase.clone());
            }
        }
        let reaching = limited(&mut phrases);
        Self { phrases, reaching }
    }

    /// Whether nothing can be found in any text.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.phrases.is_empty()
    }

    /// The bytes of a text that the query matches, between characters, in any order; they may overlap.
    #[must_use]
    pub fn marks(&self, text: &str) -> Vec<Range<usize>> {
        if self.is_empty() || text.is_empty() {
            return Vec::new();
        }
        let words = Words::of(&text[..text.floor_char_boundary(MAX_SOURCE)], self.reaching);
        self.phrases.iter().flat_map(|phrase| words.occurrences(phrase)).collect()
    }

    /// The same for the name of a person, which is found in either order, by its initials and in pinyin.
    #[must_use]
    pub fn marks_of_name(&self, name: &str) -> Vec<Range<usize>> {
        if self.is_empty() || name.is_empty() {
            return Vec::new();
        }
        let words = Words::of_name(&name[..name.floor_char_boundary(MAX_NAME)], self.reaching);
        self.phrases.iter().flat_map(|phrase| words.occurrences_in_name(phrase)).collect()
    }
}

/// Bytes of a name that are searched.
const MAX_NAME: usize = 500;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        analysis,
        query::{Expansion, Field, Scope, Term},
    };

    fn phrase(typed: &str, reach: Expansion) -> Tree {
        let term = |word: analysis::Word| Term { forms: word.forms, typed: word.typed, position: word.position, reach };
        let terms = analysis::words(typed).into_iter().map(term).collect();
        Tree::Phrase(Phrase { scope: Scope::Everything, terms, names: Vec::new() })
    }

    #[test]
    fn names_are_marked_in_every_form_in_which_they_are_found() {
        let named = |scope, typed: &str, reach, name: &'static str| {
            let words = analysis::words(typed);
            let term = |word: &analysis::Word| Term {
                forms: word.forms.clone(),
                typed: word.typed.clone(),
                position: word.position,
                reach,
            };
            let terms = words.iter().map(term).collect();
            let names = analysis::name_words(&words).iter().map(term).collect();
            let tree = Tree::Phrase(Phrase { scope, terms, names });
            let mut marks = Marker::new(Some(&tree)).marks_of_name(name);
            marks.sort_by_key(|mark| mark.start);
            marks.dedup();
            marks.into_iter().map(|mark| &name[mark]).collect::<Vec<_>>()
        };
        let everywhere = |typed: &str, name| named(Scope::Everything, typed, Expansion::Same, name);
        assert_eq!(everywhere("tidal", "Ellis Tidal"), ["Tidal"]);
        assert_eq!(everywhere("Wei Lin", "Lin Wei"), ["Lin Wei"], "in either order");
        assert_eq!(everywhere("muller", "Jürgen Müller"), ["Müller"]);
        assert_eq!(everywhere("zhangwei", "张伟"), ["张伟"]);
        assert_eq!(everywhere("Zhang Wei", "张伟"), ["张伟"]);
        assert_eq!(everywhere("张伟", "张伟").concat(), "张伟");
        assert_eq!(everywhere("carbon", "Ellis Tidal"), [""; 0]);
        assert_eq!(named(Scope::Only(Field::Authors), "tidal", Expansion::Same, "Ellis Tidal"), ["Tidal"]);
        assert_eq!(named(Scope::Only(Field::Title), "tidal", Expansion::Same, "Ellis Tidal"), [""; 0]);
        assert_eq!(named(Scope::Everything, "tidla", Expansion::Near(1), "Ellis Tidal"), ["Tidal"]);
        assert_eq!(named(Scope::Everything, "elling", Expansion::Beginning, "Ada Ellingham"), ["Ellingham"]);
    }

    fn marked<'a>(tree: &Tree, text: &'a str) -> Vec<&'a str> {
        let mut marks = Marker::new(Some(tree)).marks(text);
        marks.sort_by_key(|mark| mark.start);
        marks.into_iter().map(|mark| &text[mark]).collect()
    }

    #[test]
    fn words_and_phrases_are_marked_as_they_are_written() {
        let text = "Müller’s Tides: the sea-level rise, and the rising SEA level";
        assert_eq!(marked(&phrase("tide", Expansion::Same), text), ["Tides"]);
        assert_eq!(marked(&phrase("sea level", Expansion::Same), text), ["sea-level", "SEA level"]);
        assert_eq!(marked(&phrase("muller", Expansion::Same), text), ["Müller"]);
        assert_eq!(marked(&phrase("海草床", Expansion::Same), "全球海草床碳汇"), ["海草床"]);
        assert!(Marker::new(None).marks(text).is_empty());
        assert!(Marker::new(None).marks_of_name("Müller").is_empty());
    }

    #[test]
    fn spellings_and_beginnings_are_marked() {
        assert_eq!(marked(&phrase("sedimant", Expansion::Near(2)), "Sediments and sentiments"), ["Sediments"]);
        assert_eq!(marked(&phrase("sedi", Expansion::Beginning), "Sediments settle"), ["Sediments"]);
        assert_eq!(marked(&phrase("sedi", Expansion::Same), "Sediments settle"), [""; 0]);
    }

    #[test]
    fn what_is_excluded_or_searched_elsewhere_is_not_marked() {
        let tide = || phrase("tide", Expansion::Same);
        let tree = Tree::All(vec![tide(), Tree::Not(Box::new(phrase("sea", Expansion::Same)))]);
        assert_eq!(marked(&tree, "tide and sea"), ["tide"]);
        let Tree::Phrase(inner) = tide() else { unreachable!() };
        let authors = Tree::Phrase(Phrase { scope: Scope::Only(Field::Authors), ..inner });
        assert_eq!(marked(&authors, "tide"), [""; 0]);
        let nested =
            Tree::Best(vec![Tree::Rather { base: Box::new(tide()), better: vec![phrase("sea", Expansion::Same)] }]);
        assert_eq!(marked(&nested, "tide and sea"), ["tide"]);
    }

    #[test]
    fn any_text_has_marks_between_its_characters() {
        let many = Tree::All((0..64).map(|_| phrase("a", Expansion::Near(2))).collect());
        for text in ["", "\u{0}", "é\u{301}a", "ﷺ a", "𠀀a海", &"a ".repeat(200_000), &"x".repeat(300_000)] {
            for mark in Marker::new(Some(&many)).marks(text) {
                assert!(text.is_char_boundary(mark.start) && text.is_char_boundary(mark.end), "{mark:?}");
            }
        }
    }
}
