//! The analysis of texts, as tantivy wants it. Texts are analyzed by the threads that write the index, one document at a time: the words of
//! all waiting documents would take many times the memory of their texts.

use tantivy::tokenizer::{TextAnalyzer, Token, TokenStream, Tokenizer};

use crate::analysis::{self, Analyzer};

/// The tokenizer for an analyzer.
pub fn of(analyzer: Analyzer) -> TextAnalyzer {
    TextAnalyzer::from(Analyzed(analyzer))
}

#[derive(Clone)]
struct Analyzed(Analyzer);

impl Tokenizer for Analyzed {
    type TokenStream<'a> = Tokens;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Tokens {
        Tokens { rest: self.0.tokens(text).into_iter(), token: Token::default() }
    }
}

/// Words that were found before.
struct Tokens {
    rest: std::vec::IntoIter<analysis::Token>,
    token: Token,
}

impl TokenStream for Tokens {
    fn advance(&mut self) -> bool {
        let Some(token) = self.rest.next() else { return false };
        self.token = Token {
            offset_from: token.range.start,
            offset_to: token.range.end,
            position: token.position,
            text: token.text,
            position_length: token.length,
        };
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}
