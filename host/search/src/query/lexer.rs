//! Division of a typed query into words, phrases, operators, brackets and names of fields.

use std::ops::Range;

use super::fields::{self, COLONS, Named};

/// What begins or ends a phrase in a typed query.
pub const QUOTES: [char; 4] = ['"', '“', '”', '＂'];

/// A part of a typed query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind<'a> {
    /// A word that has letters or digits.
    Word(&'a str),
    /// What stands between two quotation marks, if it has letters or digits.
    Quoted(&'a str),
    /// A quotation mark without a second one.
    Quote,
    /// The operator `AND`.
    And,
    /// The operator `OR`.
    Or,
    /// The operator `NOT`.
    Not,
    /// An opening bracket.
    Open,
    /// A closing bracket.
    Close,
    /// The name of a field, before a word, a phrase or a bracket.
    Field(Named),
}

/// A part of a typed query with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind<'a>,
    /// Its bytes in the text.
    pub at: Range<usize>,
}

/// Whether a text has something to search for.
pub fn has_word(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

fn is_bracket(character: char) -> bool {
    "()（）".contains(character)
}

/// The parts of a text. What has neither letters nor digits is left out.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let after = &rest[first.len_utf8()..];
        let mut push = |kind, at| tokens.push(Token { kind, at });
        let length = if QUOTES.contains(&first) {
            if let Some(inner) = after.find(QUOTES) {
                let end = first.len_utf8() + inner;
                let end = end + rest[end..].chars().next().map_or(0, char::len_utf8);
                if has_word(&after[..inner]) {
                    push(Kind::Quoted(&after[..inner]), at..at + end);
                }
                end
            } else {
                push(Kind::Quote, at..at + first.len_utf8());
                first.len_utf8()
            }
        } else if is_bracket(first) {
            push(if "(（".contains(first) { Kind::Open } else { Kind::Close }, at..at + first.len_utf8());
            first.len_utf8()
        } else if first.is_whitespace() {
            first.len_utf8()
        } else {
            let ends = |c: char| c.is_whitespace() || QUOTES.contains(&c) || is_bracket(c);
            let length = rest.find(ends).unwrap_or(rest.len());
            word(&rest[..length], &rest[length..], at, push);
            length
        };
        at += length;
    }
    tokens
}

/// A word, an operator, or the name of a field with the word behind it.
fn word<'a>(text: &'a str, rest: &str, at: usize, mut push: impl FnMut(Kind<'a>, Range<usize>)) {
    let whole = at..at + text.len();
    match text {
        "AND" => return push(Kind::And, whole),
        "OR" => return push(Kind::Or, whole),
        "NOT" => return push(Kind::Not, whole),
        _ => {}
    }
    if let Some((name, value)) = text.split_once(COLONS)
        && let Some(field) = fields::named(name)
    {
        let value_at = whole.end - value.len();
        if has_word(value) {
            push(Kind::Field(field), at..value_at);
            return push(Kind::Word(value), value_at..whole.end);
        }
        if value.is_empty() && begins_group(rest) {
            return push(Kind::Field(field), at..value_at);
        }
    }
    if has_word(text) {
        push(Kind::Word(text), whole);
    }
}

/// Whether a text begins with a phrase or a bracket.
fn begins_group(text: &str) -> bool {
    let mut rest = text.chars();
    match rest.next() {
        Some(first) if QUOTES.contains(&first) => {
            let after = rest.as_str();
            after.find(QUOTES).is_some_and(|end| has_word(&after[..end]))
        }
        Some(first) => "(（".contains(first),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<String> {
        let said = |token: Token<'_>| match token.kind {
            Kind::Word(_) => text[token.at].to_owned(),
            Kind::Field(field) => format!("{}=", field.name),
            Kind::Quoted(inner) => format!("'{inner}'"),
            other => format!("{other:?}"),
        };
        tokens(text).into_iter().map(said).collect()
    }

    #[test]
    fn names_of_fields_stand_before_what_is_searched_in_them() {
        for (text, expected) in [
            ("title:tide", &["title=", "tide"][..]),
            ("Title:AND", &["title=", "AND"]),
            ("作者：张伟 tide", &["作者=", "张伟", "tide"]),
            ("authors_tic:(lin OR wei)", &["authors_tic=", "Open", "lin", "Or", "wei", "Close"]),
            ("title:\"sea level\"", &["title=", "'sea level'"]),
            ("title: tide", &["title:", "tide"]),
            ("title:", &["title:"]),
            ("title:\"tide", &["title:", "Quote", "tide"]),
            ("doi:10.5555/a:b", &["doi=", "10.5555/a:b"]),
            ("a:b:c https://example.org site:950", &["a:b:c", "https://example.org", "site:950"]),
        ] {
            assert_eq!(kinds(text), expected, "{text}");
        }
    }

    #[test]
    fn what_has_no_letters_is_left_out() {
        assert_eq!(kinds(" !? “,” \"\" — * 🌊 \u{0}"), Vec::<String>::new());
        assert_eq!(kinds("a\u{3000}b"), ["a", "b"]);
    }
}
