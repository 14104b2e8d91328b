//! Interpretation of a query, for readers to check before they search.

use super::{
    MAX_TEXT, MAX_WORDS,
    expression::{Expression, Typed},
    parse,
    terms::{self, TypoTolerance},
};
use crate::analysis::{self, Word};

/// A part of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryPart {
    /// The words in the form in which they are indexed; a value of a field that matches as a whole is as typed.
    pub text: String,
    /// Whether the words must be adjacent (a phrase).
    pub phrase: bool,
    /// Whether the words are excluded.
    pub excluded: bool,
    /// The operator between it and the part before: `AND` or `OR`; "" for the first part.
    pub operator: &'static str,
    /// The name of the field, or "" for all.
    pub field: &'static str,
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
    let mut walk = Walk { parts: Vec::new(), words_left: MAX_WORDS };
    walk.expression(&parse::parse(text)?, Place::default());
    let cut = text.chars().nth(MAX_TEXT).is_some() || walk.words_left == 0;
    (!walk.parts.is_empty()).then_some(Analysis { parts: walk.parts, cut })
}

#[derive(Clone, Copy, Default)]
struct Place {
    operator: &'static str,
    excluded: bool,
    field: &'static str,
    /// Whether the field has words, and not one value.
    value: bool,
}

struct Walk {
    parts: Vec<QueryPart>,
    words_left: usize,
}

impl Walk {
    fn expression(&mut self, expression: &Expression, place: Place) {
        match expression {
            Expression::And(parts) => self.each(parts, place, "AND"),
            Expression::Or(parts) => self.each(parts, place, "OR"),
            Expression::Not(part) => self.expression(part, Place { excluded: !place.excluded, ..place }),
            Expression::In(field, part) => {
                self.expression(part, Place { field: field.name, value: !field.target.has_words(), ..place });
            }
            Expression::Phrase(typed) => {
                let words = self.take(typed);
                self.push(&words, typed, true, place);
            }
            Expression::Words(typed) => {
                let mut place = place;
                for typed in typed {
                    for words in terms::units(self.take(typed), TypoTolerance::None) {
                        self.push(&words, typed, words.len() > 1, place);
                        place.operator = "AND";
                    }
                }
            }
        }
    }

    fn each(&mut self, parts: &[Expression], place: Place, between: &'static str) {
        for (index, part) in parts.iter().enumerate() {
            let operator = if index == 0 { place.operator } else { between };
            self.expression(part, Place { operator, ..place });
        }
    }

    fn take(&mut self, typed: &Typed) -> Vec<Word> {
        let mut words = analysis::words(&typed.text);
        words.truncate(self.words_left);
        self.words_left -= words.len();
        words
    }

    fn push(&mut self, words: &[Word], typed: &Typed, phrase: bool, place: Place) {
        let text = if place.value { typed.text.clone() } else { said(words) };
        let Place { operator, excluded, field, .. } = place;
        let operator = if self.parts.is_empty() { "" } else { operator };
        if !text.is_empty() {
            self.parts.push(QueryPart { text, phrase, excluded, operator, field });
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
        let analysis = analyze("tide \"sea level\" OR 海洋 NOT carbon AND author:(Lin)").unwrap();
        let part = |part: &QueryPart| (part.operator, part.text.clone(), part.phrase, part.excluded, part.field);
        let parts: Vec<_> = analysis.parts.iter().map(part).collect();
        let expected = [
            ("", "tide", false, false, ""),
            ("AND", "sea level", true, false, ""),
            ("OR", "海洋", false, false, ""),
            ("AND", "carbon", false, true, ""),
            ("AND", "lin", false, false, "author"),
        ];
        assert_eq!(
            parts,
            expected.map(|(operator, text, phrase, out, field)| (operator, text.into(), phrase, out, field))
        );
        assert!(!analysis.cut);
    }

    #[test]
    fn values_are_as_typed() {
        let analysis = analyze("issn:1234-567X").unwrap();
        assert_eq!((analysis.parts[0].text.as_str(), analysis.parts[0].field), ("1234-567X", "issn"));
    }

    #[test]
    fn a_text_without_words_is_none_and_a_long_one_is_truncated() {
        assert_eq!(analyze(" !? \" ( "), None);
        assert!(analyze(&"tide ".repeat(10_000)).unwrap().cut);
    }
}
