//! How text becomes words: one analyzer for all scripts, since titles and queries mix them.
//!
//! A run of Chinese is cut by jieba, every other run of letters and digits is a word; these are lower-cased, freed of
//! accents and stemmed. Positions count words and Chinese characters, so that a phrase stands whatever white space,
//! punctuation or plural is in it.

use masthead_domain::lang::is_han;
use tantivy::tokenizer::{
    AsciiFoldingFilter, Language, LowerCaser, RemoveLongFilter, Stemmer, TextAnalyzer, Token, TokenStream, Tokenizer,
};
use tantivy_jieba::JiebaTokenizer;

/// Name under which the index knows the analyzer. Part of the index's format: an index in which another name stands
/// is made anew, so give it a new one when the words of a text become others.
pub const NAME: &str = "masthead-2";

/// A word of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// As it stands in the index.
    pub text: String,
    /// Where it starts.
    pub position: usize,
    /// Where the next one may start.
    pub end: usize,
    /// Whether it is written in Chinese characters.
    pub han: bool,
}

/// The analyzer for texts: Chinese words with the shorter words in them, so that either finds.
pub fn for_texts() -> TextAnalyzer {
    build(true)
}

/// The words of what is searched for, none inside another.
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

/// What a run of characters is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CharClass {
    /// Characters that jieba cuts into words.
    Unspaced,
    /// Letters and digits.
    Word,
}

impl CharClass {
    fn of(character: char) -> Option<Self> {
        // Japanese syllables are written without spaces as well; jieba gives them one by one.
        if is_han(character) || matches!(character, '\u{3040}'..='\u{30ff}') {
            Some(Self::Unspaced)
        } else {
            character.is_alphanumeric().then_some(Self::Word)
        }
    }
}

/// Words that are already found.
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
    fn accents_plurals_and_white_space_do_not_part_phrases() {
        assert_eq!(list("Müller's  sediments,\ncarbon"), list("muller s sediment carbon"));
        assert_eq!(list("Моря и реки").len(), 3, "other alphabets have whole words");
    }

    #[test]
    fn chinese_is_cut_and_each_character_counts() {
        assert_eq!(list("北京大学 CO2 海洋"), [("北京大学".into(), 0), ("co2".into(), 4), ("海洋".into(), 5)]);
    }
}
