//! Stems: the forms of a word in one language become one.
//!
//! The stemmer of an indexed word follows from its script and, for the Latin script, from the language of its line, which is known from
//! frequent words and accents. A query does not say its language: it is searched by the stems of all of them.

use std::{borrow::Cow, collections::HashMap, sync::LazyLock};

use frostem::{Algorithm, Stemmer};
use masthead_domain::lang::same_language;

use super::arabic;

/// A language in the Latin script whose words have stems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Latin {
    /// English, and every language without a stemmer.
    English,
    /// Spanish.
    Spanish,
    /// French.
    French,
    /// German.
    German,
}

impl Latin {
    /// All languages; English first.
    pub const ALL: [Self; 4] = [Self::English, Self::Spanish, Self::French, Self::German];

    /// The language with this BCP 47 tag, if its words have stems.
    pub fn of_tag(tag: &str) -> Option<Self> {
        let tags = [("en", Self::English), ("es", Self::Spanish), ("fr", Self::French), ("de", Self::German)];
        tags.into_iter().find(|(known, _)| same_language(known, tag)).map(|(_, language)| language)
    }

    const fn algorithm(self) -> Algorithm {
        match self {
            Self::English => Algorithm::English,
            Self::Spanish => Algorithm::Spanish,
            Self::French => Algorithm::French,
            Self::German => Algorithm::German,
        }
    }
}

/// The stem of a folded word. `language` is that of words in the Latin script.
pub fn stem(word: &str, language: Latin) -> Cow<'_, str> {
    if word.is_ascii() {
        if word.len() < 3 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return Cow::Borrowed(word);
        }
        // The accents, which the stemmer relies on, are folded: the frequent ending is restored.
        return match word.strip_suffix("ion").filter(|_| language == Latin::Spanish) {
            Some(beginning) => Cow::Owned(stemmed(&format!("{beginning}ión"), language.algorithm()).into_owned()),
            None => stemmed(word, language.algorithm()),
        };
    }
    let all_in = |from: char, to: char| word.chars().all(|letter| (from..=to).contains(&letter));
    if all_in('\u{400}', '\u{4ff}') {
        stemmed(word, Algorithm::Russian)
    } else if all_in('\u{600}', '\u{6ff}') {
        Cow::Borrowed(arabic::stem(word))
    } else {
        Cow::Borrowed(word)
    }
}

fn stemmed(word: &str, algorithm: Algorithm) -> Cow<'_, str> {
    Stemmer::new(algorithm).stem(word)
}

/// Frequent words by language, without accents. A word of several languages counts for each.
const FREQUENT: [(Latin, &str); 4] = [
    (Latin::English, "the of and for with by from is are to in on an as at its their this that between using"),
    (Latin::Spanish, "el la los las de del y en por para con una un su se al entre sobre como que es son"),
    (Latin::French, "le la les des de du et en dans sur pour par une un au aux avec est sont entre chez que qui"),
    (
        Latin::German,
        "der die das und von zur zum fur mit des dem den ein eine einer auf im in bei uber nach aus an ist sind durch",
    ),
];

/// The accents of languages.
const ACCENTS: [(Latin, &str); 3] =
    [(Latin::Spanish, "áéíóúñ¿"), (Latin::French, "àâçèéêëîïôùûœ"), (Latin::German, "äöüßÄÖÜ")];

/// Counts by which the language of a line is recognized.
#[derive(Clone, Copy, Debug, Default)]
pub struct LanguageVotes([usize; 4]);

impl LanguageVotes {
    /// Counts the accents of a line.
    pub fn of_accents(line: &str) -> Self {
        let mut votes = Self::default();
        if !line.is_ascii() {
            for character in line.chars().filter(|character| !character.is_ascii()) {
                for (language, accents) in ACCENTS {
                    votes.0[language as usize] += usize::from(accents.contains(character));
                }
            }
        }
        votes
    }

    /// Counts a folded word.
    pub fn add(&mut self, word: &str) {
        static WORDS: LazyLock<HashMap<&'static str, [usize; 4]>> = LazyLock::new(|| {
            let mut words: HashMap<_, [usize; 4]> = HashMap::new();
            for (language, list) in FREQUENT {
                list.split(' ').for_each(|word| words.entry(word).or_default()[language as usize] = 1);
            }
            words
        });
        // No frequent word is longer.
        if word.len() <= 7
            && let Some(languages) = WORDS.get(word)
        {
            for (votes, more) in self.0.iter_mut().zip(languages) {
                *votes += more;
            }
        }
    }

    /// The language with the most votes; English if there is none.
    pub fn language(self) -> Latin {
        let most = self.0.iter().max().copied().unwrap_or_default();
        Latin::ALL.into_iter().find(|language| self.0[*language as usize] == most).unwrap_or(Latin::English)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language(line: &str) -> Latin {
        let mut votes = LanguageVotes::of_accents(line);
        super::super::fold::fold(line).split_whitespace().for_each(|word| votes.add(word));
        votes.language()
    }

    #[test]
    fn the_forms_of_a_word_have_one_stem() {
        for (latin, forms) in [
            (Latin::English, &["sediment", "sediments"][..]),
            (Latin::English, &["connect", "connection", "connected"]),
            (Latin::Spanish, &["investigacion", "investigaciones"]),
            (Latin::Spanish, &["marino", "marinos", "marina", "marinas"]),
            (Latin::French, &["oceanique", "oceaniques"]),
            (Latin::French, &["cheval", "chevaux"]),
            (Latin::German, &["meer", "meere", "meeren", "meeres"]),
            (Latin::German, &["stromung", "stromungen"]),
            (Latin::English, &["море", "моря", "морем", "морями"]),
            (Latin::English, &["исследование", "исследования", "исследований"]),
            (Latin::English, &["بحر", "البحر", "والبحر"]),
        ] {
            let stems: Vec<_> = forms.iter().map(|form| stem(form, latin)).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{forms:?}: {stems:?}");
        }
    }

    #[test]
    fn what_is_no_word_of_a_language_stays() {
        for word in ["co2", "p53", "dna", "αβγ", "יםים", "h", "", "हिन्दी"] {
            assert_eq!(stem(word, Latin::English), word);
        }
    }

    #[test]
    fn the_language_of_a_line_is_recognized() {
        for (line, expected) in [
            ("Carbon in the sediments of tidal flats", Latin::English),
            ("Corrientes de la costa y el océano", Latin::Spanish),
            ("La dynamique des sédiments dans les estuaires", Latin::French),
            ("Strömungen und Sedimente in der Nordsee", Latin::German),
            ("Seagrass meadows", Latin::English),
            ("", Latin::English),
        ] {
            assert_eq!(language(line), expected, "{line}");
        }
    }
}
