//! Parser of typed queries: operators in capitals, quotes, brackets, and words.
//!
//! Every text has a tree: an unmatched quote or bracket is treated as white space, an operator without an operand is ignored,
//! and in a text of operators only, the operators are words.

use super::{MAX_DEPTH, MAX_TEXT, MAX_WORDS};
use crate::analysis::{self, Word};

/// The tree of a typed query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// Adjacent words.
    Phrase(Vec<Word>),
    /// Units in sequence; each is a phrase, often of one word, and a hit has all of them.
    Run(Vec<Vec<Word>>),
    /// All operands.
    And(Vec<Node>),
    /// At least one operand.
    Or(Vec<Node>),
    /// Not the operand.
    Not(Box<Node>),
}

/// The tree of a typed text; `None` if it has no words.
pub fn parse(text: &str) -> Option<Node> {
    let text: String = text.chars().take(MAX_TEXT).collect();
    let mut parser = Parser { tokens: lex(&text).into_iter().peekable(), words: MAX_WORDS };
    parser.either().or_else(|| {
        let units: Vec<_> = text.split_whitespace().flat_map(|word| parser.units(word)).collect();
        (!units.is_empty()).then_some(Node::Run(units))
    })
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a str),
    Quoted(&'a str),
    And,
    Or,
    Not,
    Open,
    Close,
}

/// What begins or ends a phrase in a typed query.
pub const QUOTES: [char; 4] = ['"', '“', '”', '＂'];

fn lex(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    // Open brackets, and those of them beyond the limit of depth, which are ignored.
    let (mut open, mut deep) = (0, 0);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        if QUOTES.contains(&first) {
            match after.split_once(QUOTES) {
                Some((quoted, behind)) => {
                    tokens.push(Token::Quoted(quoted));
                    rest = behind;
                }
                None => rest = after,
            }
            continue;
        }
        match first {
            '(' | '（' if open == MAX_DEPTH => deep += 1,
            '(' | '（' => {
                open += 1;
                tokens.push(Token::Open);
            }
            ')' | '）' if deep > 0 => deep -= 1,
            ')' | '）' if open > 0 => {
                open -= 1;
                tokens.push(Token::Close);
            }
            ')' | '）' => {}
            white if white.is_whitespace() => {}
            _ => {
                let ends = |c: char| c.is_whitespace() || QUOTES.contains(&c) || "()（）".contains(c);
                let end = rest.find(ends).unwrap_or(rest.len());
                tokens.push(match &rest[..end] {
                    "AND" => Token::And,
                    "OR" => Token::Or,
                    "NOT" => Token::Not,
                    word => Token::Word(word),
                });
                rest = &rest[end..];
                continue;
            }
        }
        rest = after;
    }
    tokens
}

struct Parser<'a> {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token<'a>>>,
    /// Number of words that may still be added.
    words: usize,
}

impl Parser<'_> {
    // The recursion is as deep as the brackets, whose depth the lexer limits.
    fn either(&mut self) -> Option<Node> {
        let mut parts: Vec<Node> = self.all().into_iter().collect();
        while self.tokens.next_if_eq(&Token::Or).is_some() {
            parts.extend(self.all());
        }
        one_or(parts, Node::Or)
    }

    fn all(&mut self) -> Option<Node> {
        let mut parts: Vec<Node> = Vec::new();
        // Whether the next word directly follows the last one.
        let mut side_by_side = false;
        while let Some(token) = self.tokens.next_if(|token| !matches!(token, Token::Or | Token::Close)) {
            let (beside, mut negated) = (std::mem::take(&mut side_by_side), false);
            let part = match token {
                Token::Word(text) => {
                    side_by_side = true;
                    let units = self.units(text);
                    match parts.last_mut() {
                        Some(Node::Run(run)) if beside => {
                            run.extend(units);
                            None
                        }
                        _ => (!units.is_empty()).then_some(Node::Run(units)),
                    }
                }
                Token::Not => {
                    negated = true;
                    while self.tokens.next_if(|next| matches!(next, Token::Not | Token::And)).is_some_and(|next| {
                        negated ^= next == Token::Not;
                        true
                    }) {}
                    match self.tokens.next_if(|next| !matches!(next, Token::Or | Token::Close)) {
                        Some(Token::Word(text)) => {
                            let units = self.units(text);
                            (!units.is_empty()).then_some(Node::Run(units))
                        }
                        Some(next) => self.operand(&next),
                        None => None,
                    }
                }
                other => self.operand(&other),
            };
            parts.extend(part.map(|part| if negated { Node::Not(Box::new(part)) } else { part }));
        }
        one_or(parts, Node::And)
    }

    fn operand(&mut self, token: &Token<'_>) -> Option<Node> {
        match token {
            Token::Quoted(text) => {
                let phrase = self.take(text);
                (!phrase.is_empty()).then_some(Node::Phrase(phrase))
            }
            Token::Open => {
                let inner = self.either();
                self.tokens.next_if_eq(&Token::Close);
                inner
            }
            _ => None,
        }
    }

    fn take(&mut self, text: &str) -> Vec<Word> {
        let mut words = analysis::words(text);
        words.truncate(self.words);
        self.words -= words.len();
        words
    }

    /// The units of a typed word: each Chinese word is a unit; the parts of "sea-level" form one unit.
    fn units(&mut self, text: &str) -> Vec<Vec<Word>> {
        let mut units: Vec<Vec<Word>> = Vec::new();
        for word in self.take(text) {
            match units.last_mut().filter(|unit| unit.last().is_some_and(|last| !last.han && !word.han)) {
                Some(unit) => unit.push(word),
                None => units.push(vec![word]),
            }
        }
        units
    }
}

fn one_or(mut parts: Vec<Node>, many: fn(Vec<Node>) -> Node) -> Option<Node> {
    if parts.len() > 1 { Some(many(parts)) } else { parts.pop() }
}
