//! The analyzers as tokenizers of tantivy.

use tantivy::{
    Index,
    tokenizer::{PreTokenizedString, TextAnalyzer, Token, TokenStream, Tokenizer},
};

use crate::analysis::{self, Analyzer};

/// Makes the analyzers known to an index, by their names.
pub fn register(index: &Index) {
    for analyzer in Analyzer::ALL {
        index.tokenizers().register(analyzer.name(), TextAnalyzer::from(Analyzing(analyzer)));
    }
}

/// A text in the language with this BCP 47 tag, which a tokenizer is not told.
pub fn in_language(analyzer: Analyzer, text: &str, language: &str) -> PreTokenizedString {
    let tokens = analyzer.tokens_in(text, language).into_iter().map(converted).collect();
    PreTokenizedString { text: String::new(), tokens }
}

fn converted(token: analysis::Token) -> Token {
    Token {
        offset_from: token.range.start,
        offset_to: token.range.end,
        position: token.position,
        text: token.text,
        position_length: token.length,
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
        self.token = converted(token);
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}
