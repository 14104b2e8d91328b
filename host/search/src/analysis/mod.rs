//! Tokenization of text: one analyzer for all scripts, because titles and queries mix them.
//!
//! Runs of Chinese are segmented by jieba; every other run of letters and digits is a word. Words are lower-cased, stripped of
//! accents and stemmed. Positions count words and Chinese characters, so that a phrase matches regardless of white space,
//! punctuation and plurals.

use masthead_domain::lang::is_han;
use tantivy::tokenizer::{
    AsciiFoldingFilter, Language, LowerCaser, RemoveLongFilter, Stemmer, TextAnalyzer, Token, TokenStream, Tokenizer,
};
use tantivy_jieba::JiebaTokenizer;

/// Name of the analyzer in the index. It is part of the index's format: an index with another name is rebuilt, so that a change
/// of the analyzer's output needs a new name.
pub const NAME: &str = "masthead-2";

/// A word of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word as indexed.
    pub text: String,
    /// Its position.
    pub position: usize,
    /// The position of the next word.
    pub end: usize,
    /// Whether it consists of Chinese characters.
    pub han: bool,
}

/// The analyzer for indexed text: Chinese words and the shorter words within them, so that both are found.
pub fn for_texts() -> TextAnalyzer {
    build(true)
}

/// The words of a query; Chinese words do not overlap.
pub fn words(text: &str) -> Vec<Word> {
    let mut analyzer = build(false);
    let mut stream = analyzer.token_stream(text);
    let mut words = Vec::new();
    while let Some(token) = stream.next() {
        words.push(Word {
            text: token.text.clone(),
            position: token.position,
            end: token.position + token.position_length,
            han: token.text.chars().next().is_some_and(is_han),
        });
    }
    words
}

fn build(inner: bool) -> TextAnalyzer {
    TextAnalyzer::builder(Words { jieba: JiebaTokenizer::with_search_mode(inner) })
        .filter(RemoveLongFilter::limit(60))
        .filter(LowerCaser)
        .filter(AsciiFoldingFilter)
        .filter(Stemmer::new(Language::English))
        .build()
}

#[derive(Clone)]
struct Words {
    jieba: JiebaTokenizer,
}

impl Tokenizer for Words {
    type TokenStream<'a> = Stream;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Stream {
        let mut stream = Stream { tokens: Vec::new().into_iter(), token: Token::default() };
        let mut tokens = Vec::new();
        let mut position = 0;
        let mut rest = text.char_indices().peekable();
        while let Some((start, first)) = rest.next() {
            let Some(kind) = CharClass::of(first) else { continue };
            let (mut end, mut length) = (start + first.len_utf8(), 1);
            while let Some((at, next)) = rest.next_if(|(_, next)| CharClass::of(*next) == Some(kind)) {
                end = at + next.len_utf8();
                length += 1;
            }
            let run = &text[start..end];
            if kind == CharClass::Word {
                tokens.push(token(run, start, position, 1));
                position += 1;
                continue;
            }
            let mut parts = self.jieba.token_stream(run);
            while let Some(part) = parts.next() {
                let (at, wide) = (position + part.position, part.position_length);
                tokens.push(token(&part.text, start + part.offset_from, at, wide));
            }
            position += length;
        }
        stream.tokens = tokens.into_iter();
        stream
    }
}

fn token(text: &str, start: usize, position: usize, position_length: usize) -> Token {
    Token { offset_from: start, offset_to: start + text.len(), position, text: text.to_owned(), position_length }
}

/// The class of a run of characters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CharClass {
    /// Characters that jieba segments.
    Unspaced,
    /// Letters and digits.
    Word,
}

impl CharClass {
    fn of(character: char) -> Option<Self> {
        // Japanese kana are written without spaces too; jieba returns them one by one.
        if is_han(character) || matches!(character, '\u{3040}'..='\u{30ff}') {
            Some(Self::Unspaced)
        } else {
            character.is_alphanumeric().then_some(Self::Word)
        }
    }
}

/// Iterates over words that were found before.
struct Stream {
    tokens: std::vec::IntoIter<Token>,
    token: Token,
}

impl TokenStream for Stream {
    fn advance(&mut self) -> bool {
        let Some(token) = self.tokens.next() else { return false };
        self.token = token;
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    fn list(text: &str) -> Vec<(String, usize)> {
        words(text).into_iter().map(|word| (word.text, word.position)).collect()
    }

    #[test]
    fn phrases_match_regardless_of_accents_plurals_and_white_space() {
        assert_eq!(list("Müller's  sediments,\ncarbon"), list("muller s sediment carbon"));
        assert_eq!(list("Моря и реки").len(), 3, "other alphabets have whole words");
    }

    #[test]
    fn chinese_is_segmented_and_positions_count_characters() {
        assert_eq!(list("北京大学 CO2 海洋"), [("北京大学".into(), 0), ("co2".into(), 4), ("海洋".into(), 5)]);
    }
}
