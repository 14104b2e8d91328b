//! Parser of typed queries.
//!
//! Every text is understood: an unmatched quote or bracket is treated as white space, an operator without an operand is ignored, and in a
//! text of operators only, the operators are words. What was ignored is told by [`super::mistakes`].

use std::ops::Range;

use super::{
    MAX_DEPTH, MAX_TEXT,
    expression::{Expression, Typed},
    lexer::{self, Kind, Token},
};

/// A typed text as it is understood; `None` if it has no words.
pub fn parse(text: &str) -> Option<Expression> {
    parse_at_most(text, MAX_TEXT)
}

/// The part of a text that a search reads.
pub fn read_of(text: &str) -> &str {
    beginning(text, MAX_TEXT)
}

/// The beginning of a text, limited in characters.
fn beginning(text: &str, characters: usize) -> &str {
    text.char_indices().nth(characters).map_or(text, |(end, _)| &text[..end])
}

/// As [`parse`], with another limit on the characters that are read.
pub fn parse_at_most(text: &str, characters: usize) -> Option<Expression> {
    let tokens = lexer::tokens(beginning(text, characters));
    let operators: Vec<Typed> = tokens.iter().filter_map(operator).collect();
    let mut parser = Parser { tokens: balanced(tokens).0, next: 0 };
    parser.either().or_else(|| (!operators.is_empty()).then_some(Expression::Words(operators)))
}

fn operator(token: &Token<'_>) -> Option<Typed> {
    let text = match token.kind {
        Kind::And => "AND",
        Kind::Or => "OR",
        Kind::Not => "NOT",
        _ => return None,
    };
    Some(Typed { text: text.to_owned(), at: token.at.clone() })
}

/// The tokens without single quotation marks, closing brackets that close nothing, and brackets beyond the limit of depth; and the places of
/// these last ones, from left to right.
pub fn balanced(tokens: Vec<Token<'_>>) -> (Vec<Token<'_>>, Vec<Range<usize>>) {
    let (mut open, mut deep, mut beyond) = (0, 0, Vec::new());
    let kept = tokens.into_iter().filter(|token| match token.kind {
        Kind::Quote => false,
        Kind::Open if open == MAX_DEPTH => {
            deep += 1;
            beyond.push(token.at.clone());
            false
        }
        Kind::Open => {
            open += 1;
            true
        }
        Kind::Close if deep > 0 => {
            deep -= 1;
            beyond.push(token.at.clone());
            false
        }
        Kind::Close if open > 0 => {
            open -= 1;
            true
        }
        Kind::Close => false,
        _ => true,
    });
    (kept.collect(), beyond)
}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    next: usize,
}

impl<'a> Parser<'a> {
    fn next_if(&mut self, wanted: impl Fn(Kind<'a>) -> bool) -> Option<Token<'a>> {
        let token = self.tokens.get(self.next).filter(|token| wanted(token.kind)).cloned();
        self.next += usize::from(token.is_some());
        token
    }

    // The recursion is as deep as the brackets, whose depth is limited, and the names of fields before them.
    fn either(&mut self) -> Option<Expression> {
        let mut parts: Vec<Expression> = self.all().into_iter().collect();
        while self.next_if(|kind| kind == Kind::Or).is_some() {
            parts.extend(self.all());
        }
        one_or(parts, Expression::Or)
    }

    fn all(&mut self) -> Option<Expression> {
        let mut parts: Vec<Expression> = Vec::new();
        // Whether the next word directly follows the last one.
        let mut beside = false;
        while let Some(token) = self.next_if(|kind| !matches!(kind, Kind::Or | Kind::Close)) {
            match token.kind {
                Kind::And => beside = false,
                Kind::Not => {
                    parts.extend(self.negated());
                    beside = false;
                }
                Kind::Word(text) => {
                    let word = Typed { text: text.to_owned(), at: token.at };
                    match parts.last_mut() {
                        Some(Expression::Words(words)) if beside => words.push(word),
                        _ => parts.push(Expression::Words(vec![word])),
                    }
                    beside = true;
                }
                _ => {
                    parts.extend(self.operand(token));
                    beside = false;
                }
            }
        }
        one_or(parts, Expression::And)
    }

    /// The operand of a NOT that was just read.
    fn negated(&mut self) -> Option<Expression> {
        let mut negated = true;
        while let Some(token) = self.next_if(|kind| matches!(kind, Kind::Not | Kind::And)) {
            negated ^= token.kind == Kind::Not;
        }
        let token = self.next_if(|kind| !matches!(kind, Kind::Or | Kind::Close))?;
        let operand = self.operand(token)?;
        Some(if negated { Expression::Not(Box::new(operand)) } else { operand })
    }

    fn operand(&mut self, token: Token<'a>) -> Option<Expression> {
        let typed = |text: &str| Typed { text: text.to_owned(), at: token.at.clone() };
        match token.kind {
            Kind::Word(text) => Some(Expression::Words(vec![typed(text)])),
            Kind::Quoted(text) => Some(Expression::Phrase(typed(text))),
            Kind::Open => {
                let inner = self.either();
                self.next_if(|kind| kind == Kind::Close);
                inner
            }
            Kind::Field(field) => {
                let of_field = |kind| matches!(kind, Kind::Word(_) | Kind::Quoted(_) | Kind::Open | Kind::Field(_));
                let token = self.next_if(of_field)?;
                Some(Expression::In(field, Box::new(self.operand(token)?)))
            }
            Kind::And | Kind::Or | Kind::Not | Kind::Close | Kind::Quote => None,
        }
    }
}

/// The only part, or what `many` makes of several; `None` without one.
pub fn one_or(mut parts: Vec<Expression>, many: fn(Vec<Expression>) -> Expression) -> Option<Expression> {
    if parts.len() > 1 { Some(many(parts)) } else { parts.pop() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn printed(text: &str) -> String {
        parse(text).map_or_else(String::new, |expression| expression.to_string())
    }

    #[test]
    fn operators_bind_as_documented() {
        for (typed, meant) in [
            ("sea level", "sea level"),
            ("sea AND level", "sea AND level"),
            ("a b OR c NOT d", "a b OR c AND NOT d"),
            ("a NOT b c", "a AND NOT b AND c"),
            ("a AND (b OR \"c d\")", "a AND (b OR \"c d\")"),
            ("a (b c)", "a AND b c"),
            ("NOT NOT a", "a"),
            ("NOT (NOT a)", "NOT (NOT a)"),
            ("NOT (a b)", "NOT (a b)"),
            ("not or and", "not or and"),
            ("sea-level 海洋（碳）", "sea-level 海洋 AND 碳"),
            ("“sea level” rise", "\"sea level\" AND rise"),
            ("title:tide author:(lin OR wei)", "title:tide AND author:(lin OR wei)"),
            ("TITLE:“sea level”", "title:\"sea level\""),
            ("作者：(张伟 李娜)", "作者:(张伟 李娜)"),
            ("title:(author:lin)", "title:(author:lin)"),
            ("NOT title:tide sea", "NOT title:tide AND sea"),
        ] {
            assert_eq!(printed(typed), meant, "{typed}");
        }
    }

    #[test]
    fn unmatched_syntax_is_searched_as_words() {
        for (typed, meant) in [
            ("", ""),
            ("!? ,", ""),
            ("AND", "AND"),
            ("OR NOT", "OR NOT"),
            ("sea OR", "sea"),
            ("OR sea AND", "sea"),
            ("a) b", "a b"),
            ("((a", "a"),
            ("\"a b", "a b"),
            ("() a", "a"),
            ("a !! b", "a b"),
            ("title:(", ""),
            ("title: (a", "title: AND a"),
            ("site:950 tide", "site:950 tide"),
        ] {
            assert_eq!(printed(typed), meant, "{typed}");
        }
    }

    #[test]
    fn words_know_where_they_stand() {
        let text = "é title:tide \"sea level\"";
        let mut seen = Vec::new();
        parse(text).unwrap().each_positive(&mut |word, _| seen.push(text[word.at.clone()].to_owned()));
        assert_eq!(seen, ["é", "tide", "\"sea level\""]);
    }

    #[test]
    fn length_and_depth_are_limited() {
        let deep = format!("{}a{} b", "(".repeat(200), ")".repeat(200));
        assert_eq!(printed(&deep), "a AND b");
        assert!(printed(&"NOT ".repeat(30_000)).len() <= MAX_TEXT);
        for odd in ["(NOT a OR ", "\"", "“a ", "((\"", "AND OR ", "海", ")(", "title:(", "title:", "*", "a*:"] {
            let _ = parse(&odd.repeat(30_000));
        }
    }

    /// Texts of the parts that have a meaning, in any order.
    fn texts() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            Just("AND"),
            Just("OR"),
            Just("NOT"),
            Just("("),
            Just(")"),
            Just("（"),
            Just("\""),
            Just("“"),
            Just("title:"),
            Just("作者："),
            Just("doi:"),
            Just(" "),
            Just(" "),
            Just(" "),
            Just("sea"),
            Just("海洋"),
            Just("a*"),
            Just("-"),
            Just(":"),
            Just("x"),
            Just("é"),
            Just("!"),
        ];
        prop::collection::vec(part, 0..60).prop_map(|parts| parts.concat())
    }

    fn printed_form_is_understood_alike(text: &str) -> Result<(), TestCaseError> {
        let most = 16 * MAX_TEXT;
        let Some(once) = parse_at_most(text, most) else { return Ok(()) };
        let said = once.to_string();
        let again = parse_at_most(&said, most);
        prop_assert_eq!(again.as_ref(), Some(&once), "{:?} is printed {:?}", text, said);
        Ok(())
    }

    proptest! {
        #[test]
        fn the_printed_form_of_a_query_is_the_same_query(text in texts()) {
            printed_form_is_understood_alike(&text)?;
        }

        #[test]
        fn any_text_is_understood(text in any::<String>()) {
            printed_form_is_understood_alike(&text)?;
            let mut inside = true;
            if let Some(expression) = parse(&text) {
                expression.each_positive(&mut |word, _| inside &= text.get(word.at.clone()).is_some());
            }
            prop_assert!(inside);
        }
    }
}
