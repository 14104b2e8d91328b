//! The analyzers as tokenizers of tantivy.

use tantivy::{
    Index,
    tokenizer::{TextAnalyzer, Token, TokenStream, Tokenizer},
};

use crate::analysis::{self, Analyzer};

/// Makes the analyzers known to an index, by their names.
pub fn register(index: &Index) {
    for analyzer in Analyzer::ALL {
        index.tokenizers().register(analyzer.name(), TextAnalyzer::from(Analyzing(analyzer)));
    }
}

#[derive(Clone)]
struct Analyzing(Analyzer);

impl Tokenizer for Analyzing {
    type TokenStream<'a> = Tokens;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Tokens {
        Tokens { tokens: self.0.tokens(text).into_iter(), token: Token::default() }
    }
}

/// Iterates over tokens that were found before.
struct Tokens {
    tokens: std::vec::IntoIter<analysis::Token>,
    token: Token,
}

impl TokenStream for Tokens {
    fn advance(&mut self) -> bool {
        let Some(token) = self.tokens.next() else { return false };
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
