//! Analysis of texts: the words under which they are indexed, and those by which a query finds them. It knows no index.
//!
//! Texts mix scripts and languages, so that every analyzer handles all of them. Characters are folded first (`fold`), then a text is
//! divided into runs of one script (`runs`):
//!
//! - Chinese characters: every word of the dictionary, at each of its places, and single characters (`han`), so that any phrase of a title
//!   finds it. Full texts have only those single characters that no word covers, which keeps the index of a long text small.
//! - Japanese kana and Korean syllables: pairs of neighbours, and single ones where single Chinese characters are indexed.
//! - Letters: words, reduced to their stems (`stems`; Arabic: `arabic`).
//!
//! Positions count words and Chinese, Japanese and Korean characters, so that a phrase matches regardless of white space, punctuation and
//! plurals. Names of persons have forms of their own (`names`, `pinyin`). For a mistyped Chinese word, those that sound alike are found
//! (`homophones`).

mod arabic;
mod fold;
mod han;
mod homophones;
mod names;
mod pinyin;
mod runs;
mod stems;
#[cfg(test)]
mod tests;

use std::{borrow::Cow, ops::Range};

pub use self::{
    fold::fold,
    homophones::{HanRun, Homophone, han_runs},
};
use self::{
    han::SingleCharacters,
    runs::{Run, Script, runs},
    stems::{LanguageVotes, Latin},
};

/// Limit on the length of a word in bytes; longer ones are not indexed.
const MAX_WORD: usize = 80;
/// Distance of the names of two persons, so that no phrase is found in both together.
const GAP: usize = 16;

/// A treatment of texts, by the field that they stand in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Analyzer {
    /// Titles, keywords, abstracts, institutions: any phrase is found.
    Prose,
    /// Full texts: phrases of whole words are found.
    FullText,
    /// Names of persons, one a line: without stems, with initials and pinyin, in either order.
    Names,
    /// Words as they are written, folded and without stems: what a mistyped word is compared with, and what is suggested.
    Spelling,
}

impl Analyzer {
    /// All analyzers.
    pub const ALL: [Self; 4] = [Self::Prose, Self::FullText, Self::Names, Self::Spelling];

    /// The name in an index. It is part of the index's format: an index with another name is rebuilt, so that every change of tokens needs
    /// a new number.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Prose => "prose-3",
            Self::FullText => "full-text-3",
            Self::Names => "names-3",
            Self::Spelling => "spelling-3",
        }
    }

    /// The tokens of a text, in ascending order of position. Several tokens have the same position; none occurs twice there.
    #[must_use]
    pub fn tokens(self, text: &str) -> Vec<Token> {
        self.tokens_in(text, "")
    }

    /// The tokens of a text in the language with this BCP 47 tag. Where the tag is "" or that of a language without stems, each line is in
    /// the language that its words show.
    #[must_use]
    pub fn tokens_in(self, text: &str, language: &str) -> Vec<Token> {
        let known = Latin::of_tag(language);
        let mut tokens = Vec::new();
        let (mut position, mut offset) = (0, 0);
        for line in text.split('\n') {
            let runs = runs(line, offset);
            if self == Self::Names {
                let mut forms = Vec::new();
                let end = add_line(self, &runs, None, position, &mut forms);
                names::add_forms(text, &runs, position, &mut forms);
                forms.sort_by(|a, b| (a.position, &a.text, a.length).cmp(&(b.position, &b.text, b.length)));
                forms.dedup_by(|a, b| (a.position, &a.text) == (b.position, &b.text));
                tokens.append(&mut forms);
                position = end + GAP;
            } else {
                position = add_line(self, &runs, self.language(known, line, &runs), position, &mut tokens);
            }
            offset += line.len() + 1;
        }
        tokens
    }

    /// The language by which the words of a line in the Latin script are stemmed; `None` if no word is.
    fn language(self, known: Option<Latin>, line: &str, runs: &[Run]) -> Option<Latin> {
        if self == Self::Spelling {
            return None;
        }
        if known.is_some() {
            return known;
        }
        let mut votes = LanguageVotes::of_accents(line);
        runs.iter().filter(|run| run.script == Script::Letters).for_each(|run| votes.add(&run.text));
        Some(votes.language())
    }
}

/// A word of an indexed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The word as indexed.
    pub text: String,
    /// Its position.
    pub position: usize,
    /// Number of positions that it covers.
    pub length: usize,
    /// The bytes of the text that it comes from.
    pub range: Range<usize>,
}

/// Adds the tokens of a line, and returns the position behind it.
fn add_line(analyzer: Analyzer, runs: &[Run], language: Option<Latin>, start: usize, out: &mut Vec<Token>) -> usize {
    let mut position = start;
    for run in runs {
        match (run.script, analyzer) {
            (Script::Letters, _) => {
                if run.text.len() <= MAX_WORD {
                    let text =
                        language.map_or_else(|| run.text.clone(), |language| stems::stem(&run.text, language).into());
                    out.push(Token { text, position, length: 1, range: run.range.clone() });
                }
            }
            (Script::Han, Analyzer::Spelling) => {
                let words = han::searched(&run.text).into_iter().filter(|part| part.length > 1);
                add_parts(run, words.map(|part| (part.start, part.length)), position, out);
            }
            (Script::Han, _) => {
                let singles =
                    if analyzer == Analyzer::FullText { SingleCharacters::Alone } else { SingleCharacters::All };
                let parts = han::indexed(&run.text, singles).into_iter().map(|part| (part.start, part.length));
                add_parts(run, parts, position, out);
            }
            (Script::Hiragana | Script::Katakana | Script::Hangul, Analyzer::Spelling) => {
                if run.text.len() <= MAX_WORD {
                    out.push(Token {
                        text: run.text.clone(),
                        position,
                        length: run.places.len(),
                        range: run.range.clone(),
                    });
                }
            }
            (Script::Hiragana | Script::Katakana | Script::Hangul, _) => {
                let count = run.places.len();
                let singles = analyzer != Analyzer::FullText || count == 1;
                let parts = (0..count).flat_map(|at| [(at, 1), (at, 2)]);
                let parts = parts.filter(|(at, length)| at + length <= count && (*length == 2 || singles));
                add_parts(run, parts, position, out);
            }
        }
        position += run.positions();
    }
    position
}

/// Adds parts of a run, given as first character and number of characters, in ascending order.
fn add_parts(run: &Run, parts: impl Iterator<Item = (usize, usize)>, position: usize, out: &mut Vec<Token>) {
    let mut bytes: Vec<usize> = run.text.char_indices().map(|(at, _)| at).collect();
    bytes.push(run.text.len());
    for (start, length) in parts {
        let (Some(from), Some(to)) = (bytes.get(start), bytes.get(start + length)) else { continue };
        let (Some(first), Some(last)) = (run.places.get(start), run.places.get(start + length - 1)) else { continue };
        let text = run.text[*from..*to].to_owned();
        out.push(Token { text, position: position + start, length, range: first.start..last.end });
    }
}

/// A word of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word as indexed in English text.
    pub text: String,
    /// The word as typed, folded and not stemmed: [`Analyzer::Names`] and [`Analyzer::Spelling`] index it so.
    pub typed: String,
    /// The words under which it is indexed in [`Analyzer::Prose`] and [`Analyzer::FullText`], of which any matches: either one, or one for
    /// each language of the Latin script, always in the same order and with repetitions; see [`readings`].
    pub forms: Vec<String>,
    /// Its position.
    pub position: usize,
    /// The position of the next word.
    pub end: usize,
    /// Whether it consists of Chinese characters.
    pub han: bool,
}

/// The words of a query. Wherever its text is cut out of a text that [`Analyzer::Prose`] has indexed, without a part of a word in letters,
/// each word is there, at the same distances from the others.
#[must_use]
pub fn words(text: &str) -> Vec<Word> {
    placed_words(text).into_iter().map(|(word, _)| word).collect()
}

/// The words of a query, each with the bytes of its text that it comes from.
#[must_use]
pub fn placed_words(text: &str) -> Vec<(Word, Range<usize>)> {
    let mut words = Vec::new();
    let mut position = 0;
    for run in runs(text, 0) {
        let count = run.positions();
        match run.script {
            Script::Letters => {
                if run.text.len() <= MAX_WORD {
                    words.push((in_letters(run.text, position), run.range));
                }
            }
            Script::Han => {
                let parts = han::searched(&run.text).into_iter().map(|part| (part.start, part.length));
                add_words(&run, parts, position, true, &mut words);
            }
            Script::Hiragana | Script::Katakana => add_words(&run, pairs(count), position, false, &mut words),
            Script::Hangul => add_words(&run, pairs(count - ending(&run.text, count)), position, false, &mut words),
        }
        position += count;
    }
    words
}

/// The stems under which a folded word in letters is indexed, one for each language of the Latin script; the word itself in another script
/// without stems.
pub fn stems_of(word: &str) -> impl Iterator<Item = Cow<'_, str>> {
    Latin::ALL.into_iter().map(move |language| stems::stem(word, language))
}

fn in_letters(typed: String, position: usize) -> Word {
    let mut forms: Vec<String> = stems_of(&typed).map(Cow::into_owned).collect();
    if forms.iter().all(|form| *form == forms[0]) {
        forms.truncate(1);
    }
    Word { text: forms[0].clone(), typed, forms, position, end: position + 1, han: false }
}

fn add_words(
    run: &Run,
    parts: impl Iterator<Item = (usize, usize)>,
    position: usize,
    han: bool,
    words: &mut Vec<(Word, Range<usize>)>,
) {
    let mut tokens = Vec::new();
    add_parts(run, parts, position, &mut tokens);
    words.extend(tokens.into_iter().map(|token| {
        let word = Word {
            typed: token.text.clone(),
            forms: vec![token.text.clone()],
            text: token.text,
            position: token.position,
            end: token.position + token.length,
            han,
        };
        (word, token.range)
    }));
}

/// The fewest pairs of neighbours that cover a run; the character itself if there is only one.
fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    let last = (count > 1 && count % 2 == 1).then(|| (count - 2, 2));
    let single = (count == 1).then_some((0, 1));
    (0..count / 2).map(|index| (index * 2, 2)).chain(last).chain(single)
}

/// Endings of Korean nouns, the longest first.
const ENDINGS: [&str; 20] = [
    "에서", "으로", "에게", "까지", "부터", "처럼", "보다", "이나", "의", "을", "를", "은", "는", "이", "가", "에",
    "로", "과", "와", "도",
];

/// Number of the characters of a Korean word that are its ending: what is typed with an ending finds the word with any other.
fn ending(word: &str, count: usize) -> usize {
    let found = ENDINGS.into_iter().find(|ending| word.ends_with(ending));
    found.map(|ending| ending.chars().count()).filter(|length| count >= length + 2).unwrap_or(0)
}

/// The sequences of indexed words that adjacent words of a query stand for, one for each language in which they differ. Words are given by
/// position and [`Word::forms`]; those of one text have the stems of one language.
#[must_use]
pub fn readings<'a>(words: &[(usize, &'a [String])]) -> Vec<Vec<(usize, &'a str)>> {
    let mut readings: Vec<Vec<(usize, &str)>> = Vec::with_capacity(Latin::ALL.len());
    for language in 0..Latin::ALL.len() {
        let form = |forms: &'a [String]| forms.get(language).or(forms.first()).map_or("", String::as_str);
        let reading: Vec<_> = words.iter().map(|(position, forms)| (*position, form(forms))).collect();
        if !reading.is_empty() && !readings.contains(&reading) {
            readings.push(reading);
        }
    }
    readings
}

/// Adjacent words of a query as [`Analyzer::Names`] indexes them: up to six words in letters become one, which is a key of every name that
/// they may mean; of several words with Chinese characters, all are adjacent.
#[must_use]
pub fn name_words(words: &[Word]) -> Vec<Word> {
    let plain = |word: &Word| pinyin::without_tones(&word.typed).unwrap_or_else(|| word.typed.clone());
    let named = |text: String, first: &Word, last: &Word| Word {
        forms: vec![text.clone()],
        typed: text.clone(),
        text,
        position: first.position,
        end: last.end,
        han: first.han,
    };
    match words {
        [first, .., last] if words.len() <= names::MAX_WORDS && words.iter().all(in_alphabet) => {
            vec![named(words.iter().map(plain).collect(), first, last)]
        }
        words => words.iter().map(|word| named(plain(word), word, word)).collect(),
    }
}

/// Whether a word consists of letters and digits, and not of characters that are indexed in pairs.
fn in_alphabet(word: &Word) -> bool {
    runs(&word.typed, 0).iter().all(|run| run.script == Script::Letters)
}
