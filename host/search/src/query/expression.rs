//! A typed query as it was understood: words, phrases, operators and fields, before any word is analyzed.

use std::{fmt, ops::Range};

use super::fields::Named;

/// A typed query. Its printed form ([`fmt::Display`]) is a query that is understood in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// Words in sequence without an operator between them.
    Words(Vec<Typed>),
    /// A phrase in quotation marks.
    Phrase(Typed),
    /// All operands.
    And(Vec<Expression>),
    /// At least one operand.
    Or(Vec<Expression>),
    /// Not the operand.
    Not(Box<Expression>),
    /// The operand, searched in a field.
    In(Named, Box<Expression>),
}

/// A word or phrase as typed. Two of them are the same wherever they stand.
#[derive(Clone, Debug, Eq)]
pub struct Typed {
    /// The text.
    pub text: String,
    /// Its bytes in the query.
    pub at: Range<usize>,
}

impl PartialEq for Typed {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Expression {
    /// Calls `each` with the words and phrases that are searched for, from left to right, and whether it is a phrase. What is excluded
    /// and what is searched in a field without words is left out.
    pub fn each_positive<'a>(&'a self, each: &mut impl FnMut(&'a Typed, bool)) {
        match self {
            Self::Words(words) => words.iter().for_each(|word| each(word, false)),
            Self::Phrase(phrase) => each(phrase, true),
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.each_positive(each)),
            Self::In(field, part) if field.target.has_words() => part.each_positive(each),
            Self::Not(_) | Self::In(..) => {}
        }
    }

    /// Whether there are only words, without an operator, a phrase or a field.
    pub const fn is_plain(&self) -> bool {
        matches!(self, Self::Words(_))
    }

    fn is_single(&self) -> bool {
        match self {
            Self::Words(words) => words.len() == 1,
            Self::Phrase(_) | Self::In(..) => true,
            Self::And(_) | Self::Or(_) | Self::Not(_) => false,
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within = |to: &mut fmt::Formatter<'_>, part: &Self, brackets: bool| {
            if brackets { write!(to, "({part})") } else { write!(to, "{part}") }
        };
        match self {
            Self::Words(words) => words.iter().enumerate().try_for_each(|(index, word)| {
                to.write_str(if index == 0 { "" } else { " " })?;
                to.write_str(&word.text)
            }),
            Self::Phrase(phrase) => write!(to, "\"{}\"", phrase.text),
            Self::And(parts) => parts.iter().enumerate().try_for_each(|(index, part)| {
                to.write_str(if index == 0 { "" } else { " AND " })?;
                within(to, part, matches!(part, Self::And(_) | Self::Or(_)))
            }),
            Self::Or(parts) => parts.iter().enumerate().try_for_each(|(index, part)| {
                to.write_str(if index == 0 { "" } else { " OR " })?;
                within(to, part, matches!(part, Self::Or(_)))
            }),
            Self::Not(part) => {
                to.write_str("NOT ")?;
                within(to, part, !part.is_single())
            }
            Self::In(field, part) => {
                write!(to, "{}:", field.name)?;
                // A field in a field, and a word that looks like one, need brackets to be read as such.
                let bare = match &**part {
                    Self::Words(words) => words.len() == 1,
                    Self::Phrase(_) => true,
                    _ => false,
                };
                within(to, part, !bare)
            }
        }
    }
}
