//! The part of a query that is being typed.

use super::{
    lexer::{self, Kind},
    parse::read_of,
    request::Target,
};

/// What is being typed at the end of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfinished<'a> {
    /// What stands before it and stays: operators, brackets, and other conditions.
    pub before: &'a str,
    /// The words that are not finished, without quotation mark and field.
    pub words: &'a str,
    /// The field that they are typed for.
    pub target: Target,
}

/// What is being typed at the end of a text; `None` if a condition was just completed or nothing has been typed.
#[must_use]
pub fn unfinished(text: &str) -> Option<Unfinished<'_>> {
    let text = read_of(text.trim_start());
    let tokens = lexer::tokens(text);
    let words = tokens.iter().rev().take_while(|token| matches!(token.kind, Kind::Word(_))).count();
    let first = tokens.len() - words;
    let start = tokens.get(first).map(|token| token.at.start)?;
    let target = match first.checked_sub(1).and_then(|before| tokens.get(before)).map(|token| token.kind) {
        // A second word behind `title:tide` is typed for all fields.
        Some(Kind::Field(field)) if words == 1 && !text.ends_with(char::is_whitespace) => field.target,
        Some(Kind::Field(_)) => {
            let second = tokens.get(first + 1)?;
            return Some(Unfinished {
                before: &text[..second.at.start],
                words: &text[second.at.start..],
                target: Target::Everything,
            });
        }
        _ => Target::Everything,
    };
    Some(Unfinished { before: &text[..start], words: &text[start..], target })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Field;

    #[test]
    fn the_words_at_the_end_are_unfinished() {
        let title = Target::Part(Field::Title);
        for (text, before, words, target) in [
            ("tid", "", "tid", Target::Everything),
            (" sea lev", "", "sea lev", Target::Everything),
            ("tide AND sea lev", "tide AND ", "sea lev", Target::Everything),
            ("(tide OR 海", "(tide OR ", "海", Target::Everything),
            ("title:ti", "title:", "ti", title),
            ("title:tide sea", "title:tide ", "sea", Target::Everything),
            ("\"sea lev", "\"", "sea lev", Target::Everything),
        ] {
            assert_eq!(unfinished(text), Some(Unfinished { before, words, target }), "{text}");
        }
        for text in ["", "  ", "tide AND ", "\"sea level\"", "(tide)", "title:tide ", "!"] {
            assert_eq!(unfinished(text), None, "{text}");
        }
        let _ = unfinished(&"海 \"(title:".repeat(20_000));
    }
}
