//! What a reader probably did not mean in a typed query. A search ignores it ([`crate::Query::text`]); the form of the advanced search says so.

use super::{MAX_TEXT, parse::QUOTES};

/// A mistake in a typed query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Its place in the text, in characters from 1.
    pub at: usize,
    /// What stands there.
    pub text: String,
    /// What is wrong with it.
    pub kind: MistakeKind,
}

/// The kinds of mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MistakeKind {
    /// A quotation mark without a second one.
    Quote,
    /// A bracket without its counterpart.
    Bracket,
    /// An operator without a term on one of its sides.
    Operator,
    /// An operator that is not in capitals: it is searched as a word.
    SmallOperator,
    /// More characters than a search reads.
    Length,
}

const OPERATORS: [&str; 3] = ["AND", "OR", "NOT"];

/// The kinds of parts, as far as operators depend on them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Term,
    Operator,
    Open,
    Close,
}

struct Token {
    at: usize,
    text: String,
    part: Part,
}

/// The mistakes in a typed text, in their order.
#[must_use]
pub fn mistakes(text: &str) -> Vec<Mistake> {
    let characters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    if characters.len() > MAX_TEXT {
        found.push(Mistake { at: MAX_TEXT + 1, text: String::new(), kind: MistakeKind::Length });
    }
    let tokens = tokens(&characters[..characters.len().min(MAX_TEXT)], &mut found);
    brackets(&tokens, &mut found);
    operators(&tokens, &mut found);
    found.sort_by_key(|mistake| mistake.at);
    found
}

fn tokens(characters: &[char], found: &mut Vec<Mistake>) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&first) = characters.get(at) {
        let rest = &characters[at..];
        let length = if QUOTES.contains(&first) {
            match rest[1..].iter().position(|one| QUOTES.contains(one)) {
                Some(end) => {
                    tokens.push(Token { at: at + 1, text: rest[..end + 2].iter().collect(), part: Part::Term });
                    end + 2
                }
                None => {
                    found.push(Mistake { at: at + 1, text: first.to_string(), kind: MistakeKind::Quote });
                    1
                }
            }
        } else if "()（）".contains(first) {
            let part = if "(（".contains(first) { Part::Open } else { Part::Close };
            tokens.push(Token { at: at + 1, text: first.to_string(), part });
            1
        } else if first.is_whitespace() {
            1
        } else {
            let ends = |one: &char| one.is_whitespace() || QUOTES.contains(one) || "()（）".contains(*one);
            let length = rest.iter().position(ends).unwrap_or(rest.len());
            let text: String = rest[..length].iter().collect();
            let part = if OPERATORS.contains(&text.as_str()) { Part::Operator } else { Part::Term };
            tokens.push(Token { at: at + 1, text, part });
            length
        };
        at += length;
    }
    tokens
}

fn brackets(tokens: &[Token], found: &mut Vec<Mistake>) {
    let mut open: Vec<&Token> = Vec::new();
    for token in tokens {
        match token.part {
            Part::Open => open.push(token),
            Part::Close if open.pop().is_none() => found.push(mistake(token, MistakeKind::Bracket)),
            _ => {}
        }
    }
    found.extend(open.into_iter().map(|token| mistake(token, MistakeKind::Bracket)));
}

fn operators(tokens: &[Token], found: &mut Vec<Mistake>) {
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|index| tokens.get(index));
        let after = tokens.get(index + 1);
        let ends_term = before.is_some_and(|one| matches!(one.part, Part::Term | Part::Close));
        let begins_term = after.is_some_and(|one| matches!(one.part, Part::Term | Part::Open) || one.text == "NOT");
        if token.part == Part::Operator {
            // NOT may begin a query and stand behind another operator.
            if !begins_term || (token.text != "NOT" && !ends_term) {
                found.push(mistake(token, MistakeKind::Operator));
            }
        } else if OPERATORS.contains(&token.text.to_ascii_uppercase().as_str()) && ends_term && begins_term {
            found.push(mistake(token, MistakeKind::SmallOperator));
        }
    }
}

fn mistake(token: &Token, kind: MistakeKind) -> Mistake {
    Mistake { at: token.at, text: token.text.clone(), kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Vec<(usize, String, MistakeKind)> {
        mistakes(text).into_iter().map(|one| (one.at, one.text, one.kind)).collect()
    }

    #[test]
    fn mistakes_have_their_place_in_the_text() {
        use MistakeKind::{Bracket, Operator, Quote, SmallOperator};
        for (text, expected) in [
            ("sea \"level rise", vec![(5, "\"", Quote)]),
            ("海洋“碳", vec![(3, "“", Quote)]),
            ("(sea OR (land", vec![(1, "(", Bracket), (9, "(", Bracket)]),
            ("sea) level", vec![(4, ")", Bracket)]),
            ("AND sea", vec![(1, "AND", Operator)]),
            ("sea OR", vec![(5, "OR", Operator)]),
            ("sea AND OR land", vec![(5, "AND", Operator), (9, "OR", Operator)]),
            ("sea and land", vec![(5, "and", SmallOperator)]),
            ("sea Not land or", vec![(5, "Not", SmallOperator)]),
        ] {
            let expected: Vec<_> = expected.into_iter().map(|(at, text, kind)| (at, text.to_owned(), kind)).collect();
            assert_eq!(seen(text), expected, "{text}");
        }
    }

    #[test]
    fn queries_as_the_specification_has_them_have_none() {
        for text in [
            "",
            "sea level",
            "sea AND (land OR \"sea and land\")",
            "NOT sea",
            "sea AND NOT land",
            "sea NOT (land OR ice)",
            "or",
            "「and」 AND 海（碳）",
            "(sea) (land)",
        ] {
            assert_eq!(seen(text), [], "{text}");
        }
    }

    #[test]
    fn hostile_texts_have_mistakes_without_end_of_time() {
        assert_eq!(mistakes(&"(".repeat(60_000)).len(), MAX_TEXT + 1);
        assert_eq!(mistakes(&"a ".repeat(60_000))[0].kind, MistakeKind::Length);
        for odd in ["\"", "“ ", "AND ", ")(", "NOT\u{a0}", "\u{301}"] {
            let _ = mistakes(&odd.repeat(9_000));
        }
    }
}
