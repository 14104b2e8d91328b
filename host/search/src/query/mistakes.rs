//! What a reader probably did not mean in a typed query. A search ignores it ([`crate::Query::text`]); the forms say it, with the text as it
//! was probably meant.

use std::ops::Range;

use super::{
    MAX_TEXT, MAX_WORDS,
    doi::typed_doi,
    expression::{Expression, Typed},
    fields::{self, COLONS},
    lexer::{self, Kind, QUOTES, Token},
    parse::{balanced, parse, read_of},
};
use crate::analysis;

/// A mistake in a typed query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Its place in the text, in characters from 1.
    pub at: usize,
    /// What stands there.
    pub text: String,
    /// What is wrong with it.
    pub kind: MistakeKind,
    /// The whole text without this mistake.
    pub suggestion: String,
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
    /// The name of a field that is mistyped: it is searched as a word.
    Field,
    /// A `*` that is not at the end of a word of at least two letters: it is ignored.
    Wildcard,
    /// More characters than a search reads.
    Length,
    /// More words than a search reads.
    Words,
    /// Brackets within more others than a search reads: they are ignored.
    Depth,
}

impl MistakeKind {
    /// Whether the text has no meaning as it is. The other kinds may be meant so.
    #[must_use]
    pub const fn is_error(self) -> bool {
        matches!(self, Self::Quote | Self::Bracket | Self::Operator)
    }
}

/// Limit on the mistakes that are told of a text.
const MAX_MISTAKES: usize = 64;

/// The mistakes in a typed text in their order, at most 64.
#[must_use]
pub fn mistakes(text: &str) -> Vec<Mistake> {
    let read = read_of(text);
    let tokens = lexer::tokens(read);
    let mut finder = Finder { text: read, found: Vec::new() };
    finder.quotes(&tokens);
    finder.brackets(&tokens);
    finder.operators(&tokens);
    finder.words(&tokens);
    finder.number();
    finder.depth(tokens);
    let mut found = finder.found;
    found.sort_by_key(|(place, ..)| place.start);
    let cut = read.len() < text.len();
    let mut mistakes: Vec<Mistake> = found
        .into_iter()
        .take(MAX_MISTAKES - usize::from(cut))
        .map(|(place, kind, suggestion)| Mistake {
            at: read[..place.start].chars().count() + 1,
            text: read[place].to_owned(),
            kind,
            suggestion,
        })
        .collect();
    if cut {
        let (text, suggestion) = (String::new(), read.trim_end().to_owned());
        mistakes.push(Mistake { at: MAX_TEXT + 1, text, kind: MistakeKind::Length, suggestion });
    }
    mistakes
}

struct Finder<'a> {
    text: &'a str,
    found: Vec<(Range<usize>, MistakeKind, String)>,
}

impl Finder<'_> {
    /// The text with another part; without the part, its neighbours stay apart.
    fn replaced(&self, place: &Range<usize>, by: &str) -> String {
        if by.is_empty() {
            return without(self.text, place);
        }
        format!("{}{by}{}", &self.text[..place.start], &self.text[place.end..])
    }

    fn quotes(&mut self, tokens: &[Token<'_>]) {
        for (index, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Quote) {
            let rest = &tokens[index + 1..];
            // A phrase of what follows, unless that has a structure of its own.
            let words = !rest.is_empty() && rest.iter().all(|token| matches!(token.kind, Kind::Word(_)));
            let closing = if self.text[token.at.clone()].starts_with('“') { '”' } else { QUOTES[0] };
            let suggestion =
                if words { format!("{}{closing}", self.text.trim_end()) } else { self.replaced(&token.at, "") };
            self.found.push((token.at.clone(), MistakeKind::Quote, suggestion));
        }
    }

    fn brackets(&mut self, tokens: &[Token<'_>]) {
        let mut open: Vec<(usize, &Token<'_>)> = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            match token.kind {
                Kind::Open => open.push((index, token)),
                Kind::Close if open.pop().is_none() => {
                    let suggestion = self.replaced(&token.at, "");
                    self.found.push((token.at.clone(), MistakeKind::Bracket, suggestion));
                }
                _ => {}
            }
        }
        for (index, token) in open {
            // One word needs no brackets.
            let closed = matches!(
                &tokens[index + 1..],
                [_, .., Token { kind: Kind::Word(_) | Kind::Quoted(_) | Kind::Close, .. }]
            );
            let suggestion = if closed {
                format!("{}{}", self.text.trim_end(), if self.text[token.at.clone()] == *"（" { '）' } else { ')' })
            } else {
                self.replaced(&token.at, "")
            };
            self.found.push((token.at.clone(), MistakeKind::Bracket, suggestion));
        }
    }

    fn operators(&mut self, tokens: &[Token<'_>]) {
        let tokens: Vec<&Token<'_>> = tokens.iter().filter(|token| token.kind != Kind::Quote).collect();
        for (index, token) in tokens.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|index| tokens.get(index)).map(|token| token.kind);
            let after = tokens.get(index + 1).map(|token| token.kind);
            let ends_term = matches!(before, Some(Kind::Word(_) | Kind::Quoted(_) | Kind::Close));
            let begins_term =
                matches!(after, Some(Kind::Word(_) | Kind::Quoted(_) | Kind::Open | Kind::Not | Kind::Field(_)));
            match token.kind {
                // NOT may begin a query and stand behind another operator.
                Kind::And | Kind::Or | Kind::Not if !begins_term || (token.kind != Kind::Not && !ends_term) => {
                    let suggestion = self.replaced(&token.at, "");
                    self.found.push((token.at.clone(), MistakeKind::Operator, suggestion));
                }
                Kind::Word(word) if ends_term && begins_term && is_small_operator(word) => {
                    let suggestion = self.replaced(&token.at, &word.to_ascii_uppercase());
                    self.found.push((token.at.clone(), MistakeKind::SmallOperator, suggestion));
                }
                _ => {}
            }
        }
    }

    fn words(&mut self, tokens: &[Token<'_>]) {
        for token in tokens {
            let Kind::Word(word) = token.kind else { continue };
            if let Some(name) = mistyped_field(word) {
                let place = token.at.start..token.at.start + name.len();
                let suggestion = fields::nearest(name).map(|meant| self.replaced(&place, meant));
                self.found.extend(suggestion.map(|suggestion| (place, MistakeKind::Field, suggestion)));
            }
            if word.trim_end_matches('*').contains('*') || (word.ends_with('*') && beginning_of(word).is_none()) {
                let suggestion = self.replaced(&token.at, &word.replace('*', ""));
                self.found.push((token.at.clone(), MistakeKind::Wildcard, suggestion));
            }
        }
    }

    /// The first bracket that is too deep, with the text without all of these.
    fn depth(&mut self, tokens: Vec<Token<'_>>) {
        let (_, beyond) = balanced(tokens);
        let Some(first) = beyond.first().cloned() else { return };
        // From right to left: the places of the others stay the same.
        let suggestion = beyond.iter().rev().fold(self.text.to_owned(), |text, place| without(&text, place));
        self.found.push((first, MistakeKind::Depth, suggestion));
    }

    /// The first word that is not read, with the text before it. A DOI is searched as one value.
    fn number(&mut self) {
        if typed_doi(self.text).is_some() {
            return;
        }
        let mut left = MAX_WORDS;
        let Some(first) = parse(self.text).and_then(|typed| self.first_beyond(&typed, &mut left)) else { return };
        let suggestion = self.text[..first].trim_end().to_owned();
        self.found.push((first..first, MistakeKind::Words, suggestion));
    }

    /// Where the first word begins that is not among so many words that are left; they are counted as a search reads them.
    fn first_beyond(&self, expression: &Expression, left: &mut usize) -> Option<usize> {
        match expression {
            Expression::Words(words) => words.iter().find_map(|word| first_word_beyond(word, word.at.start, left)),
            Expression::Phrase(phrase) => {
                let quote = self.text[phrase.at.clone()].chars().next().map_or(0, char::len_utf8);
                first_word_beyond(phrase, phrase.at.start + quote, left)
            }
            Expression::And(parts) | Expression::Or(parts) => {
                parts.iter().find_map(|part| self.first_beyond(part, left))
            }
            Expression::Not(part) => self.first_beyond(part, left),
            Expression::In(field, part) if field.target.has_words() => self.first_beyond(part, left),
            Expression::In(..) => None,
        }
    }
}

/// As [`Finder::first_beyond`], in a part whose text begins at this place.
fn first_word_beyond(typed: &Typed, start: usize, left: &mut usize) -> Option<usize> {
    let words = analysis::placed_words(&typed.text);
    let first = words.get(*left).map(|(_, place)| start + place.start);
    *left = left.saturating_sub(words.len());
    first
}

/// A text without a part, whose neighbours stay apart.
fn without(text: &str, place: &Range<usize>) -> String {
    let (before, after) = (text[..place.start].trim_end(), text[place.end..].trim_start());
    if before.is_empty() || after.is_empty() { format!("{before}{after}") } else { format!("{before} {after}") }
}

fn is_small_operator(word: &str) -> bool {
    ["and", "or", "not"].iter().any(|operator| word.eq_ignore_ascii_case(operator))
}

/// What stands before the colon, if it is like the name of a field and what is behind it is not like an address.
fn mistyped_field(word: &str) -> Option<&str> {
    let (name, value) = word.split_once(COLONS)?;
    (lexer::has_word(value) && !value.starts_with('/') && fields::named(name).is_none()).then_some(name)
}

/// The letters with which words begin that are meant by a word with a `*` at its end. `None` if the word has none there or too few letters.
pub fn beginning_of(word: &str) -> Option<&str> {
    let letters = word.strip_suffix('*')?.trim_end_matches('*');
    (letters.chars().filter(|c| c.is_alphanumeric()).nth(1).is_some()).then_some(letters)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::query::MAX_DEPTH;

    fn seen(text: &str) -> Vec<(usize, String, MistakeKind)> {
        mistakes(text).into_iter().map(|one| (one.at, one.text, one.kind)).collect()
    }

    #[test]
    fn mistakes_have_their_place_in_the_text() {
        use MistakeKind::{Bracket, Field, Operator, Quote, SmallOperator, Wildcard};
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
            ("海 titel:land", vec![(3, "titel", Field)]),
            ("se*a *tide t* ti*", vec![(1, "se*a", Wildcard), (6, "*tide", Wildcard), (12, "t*", Wildcard)]),
        ] {
            let expected: Vec<_> = expected.into_iter().map(|(at, text, kind)| (at, text.to_owned(), kind)).collect();
            assert_eq!(seen(text), expected, "{text}");
        }
    }

    #[test]
    fn a_mistake_has_the_text_that_was_probably_meant() {
        for (text, meant) in [
            ("sea \"level rise", "sea \"level rise\""),
            ("海洋“碳 ", "海洋“碳”"),
            ("sea \"(level)", "sea (level)"),
            ("(sea OR land", "(sea OR land)"),
            ("（sea", "sea"),
            ("（sea level", "（sea level）"),
            ("sea (", "sea"),
            ("sea) level", "sea level"),
            ("AND sea", "sea"),
            ("sea AND OR land", "sea OR land"),
            ("sea and land", "sea AND land"),
            ("titel:land", "title:land"),
            ("se*a", "sea"),
        ] {
            assert_eq!(mistakes(text)[0].suggestion, meant, "{text}");
        }
    }

    #[test]
    fn words_beyond_the_limit_are_told_with_the_place_of_the_first() {
        let many = |count: usize| (0..count).map(|number| format!("w{number}")).collect::<Vec<_>>().join(" ");
        let all = many(MAX_WORDS);
        assert_eq!(mistakes(&all), []);
        let length = all.chars().count();
        for (text, at, suggestion) in [
            (format!("{all} one more"), length + 2, all.clone()),
            (format!("é {all}"), length, format!("é {}", many(MAX_WORDS - 1))),
            (format!("{} NOT (“a b”)", many(MAX_WORDS - 1)), length + 6, String::new()),
            (format!("year:2024 title:{all} doi:10.5555/a.1 ebb"), length + 34, String::new()),
        ] {
            let found = mistakes(&text);
            let told: Vec<_> = found.iter().map(|one| (one.at, one.text.as_str(), one.kind)).collect();
            assert_eq!(told, [(at, "", MistakeKind::Words)], "{text}");
            assert!(suggestion.is_empty() || found[0].suggestion == suggestion, "{text}: {found:?}");
            assert!(text.starts_with(&found[0].suggestion), "{text}: {found:?}");
        }
        let chinese = "海洋沉积物".repeat(40);
        let words = analysis::words(&chinese);
        assert_eq!(seen(&chinese), [(words[MAX_WORDS].position + 1, String::new(), MistakeKind::Words)]);
        let doi = format!("10.5555/{}", "a.".repeat(MAX_WORDS + 1));
        assert_eq!(mistakes(&doi), [], "one value");
    }

    #[test]
    fn brackets_beyond_the_limit_are_told_with_the_place_of_the_first() {
        let nested = |depth: usize, inner: &str| format!("{}{inner}{}", "(".repeat(depth), ")".repeat(depth));
        assert_eq!(mistakes(&nested(MAX_DEPTH, "sea")), []);
        let text = format!("tide OR {}", nested(MAX_DEPTH + 2, "sea"));
        let suggestion = format!("tide OR {}", nested(MAX_DEPTH, " sea "));
        let (at, kind) = ("tide OR ".len() + MAX_DEPTH + 1, MistakeKind::Depth);
        assert_eq!(mistakes(&text), [Mistake { at, text: "(".into(), kind, suggestion: suggestion.clone() }]);
        assert_eq!(mistakes(&suggestion), []);
        assert_eq!(parse(&suggestion), parse(&text), "it means what the search has read");
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
            "title:and AND authors_tic:(lin OR wei)",
            "RNA:DNA https://example.org/a 10:30 doi:10.5555/x",
            "sedim* — !? *",
        ] {
            assert_eq!(seen(text), [], "{text}");
        }
    }

    #[test]
    fn hostile_texts_have_mistakes_without_end_of_time() {
        assert_eq!(mistakes(&"(".repeat(60_000)).len(), MAX_MISTAKES);
        let long = seen(&"a ".repeat(60_000));
        let at = |at: usize, kind| (at, String::new(), kind);
        assert_eq!(long, [at(2 * MAX_WORDS + 1, MistakeKind::Words), at(MAX_TEXT + 1, MistakeKind::Length)]);
        for odd in ["\"", "“ ", "AND ", ")(", "NOT\u{a0}", "\u{301}", "titel:", "a*b", "*"] {
            let _ = mistakes(&odd.repeat(9_000));
        }
    }

    fn texts() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            Just("AND"),
            Just("or"),
            Just("NOT"),
            Just("("),
            Just(")"),
            Just("\""),
            Just("”"),
            Just("titel:"),
            Just("title:"),
            Just(" "),
            Just(" "),
            Just(" "),
            Just("sea"),
            Just("海洋"),
            Just("*"),
            Just("!"),
        ];
        prop::collection::vec(part, 0..40).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn every_place_lies_in_the_text(text in any::<String>()) {
            for one in mistakes(&text) {
                prop_assert!((1..=text.chars().count()).contains(&one.at), "{:?}", one);
                let stands: String = text.chars().skip(one.at - 1).take(one.text.chars().count()).collect();
                prop_assert_eq!(stands, one.text);
            }
        }

        #[test]
        fn following_the_suggestions_ends_in_a_text_without_mistakes(text in texts()) {
            let mut text = text;
            for _ in 0..100 {
                match mistakes(&text).into_iter().next() {
                    Some(one) => text = one.suggestion,
                    None => return Ok(()),
                }
            }
            prop_assert!(false, "{:?} still has mistakes: {:?}", &text, mistakes(&text));
        }
    }
}
