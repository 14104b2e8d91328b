//! Words that sound like Chinese characters: most mistakes in typing Chinese are other characters of the same pinyin, or of one that many
//! speakers do not tell apart from it (`zh` and `z`, `ing` and `in`).

use std::{collections::HashMap, ops::Range, sync::LazyLock};

use super::{
    fold::fold,
    han::{self, SingleCharacters},
    pinyin,
    runs::{Script, runs},
};

/// The most characters of a word that is looked for.
const MAX_LENGTH: usize = 4;
/// The number of characters of a word all of which may differ; of a longer one, one may.
const ALL_DIFFER: usize = 2;

/// Chinese characters without anything between them, folded.
#[derive(Clone, Debug)]
pub struct HanRun {
    characters: Vec<char>,
    places: Vec<Range<usize>>,
}

/// A word of the dictionary that sounds like a part of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Homophone {
    /// Its first character in the run.
    pub start: usize,
    /// The word, which has as many characters as the part that it sounds like.
    pub text: String,
    /// Whether it has the same pinyin without tones, and not only one that is often confused with it.
    pub same_sound: bool,
}

impl Homophone {
    /// The character of the run behind its last one.
    pub fn end(&self) -> usize {
        self.start + self.text.chars().count()
    }
}

/// The runs of Chinese characters in a text.
pub fn han_runs(text: &str) -> Vec<HanRun> {
    let han = runs(text, 0).into_iter().filter(|run| run.script == Script::Han);
    han.map(|run| HanRun { characters: run.text.chars().collect(), places: run.places }).collect()
}

impl HanRun {
    /// The number of characters.
    pub fn len(&self) -> usize {
        self.characters.len()
    }

    /// The bytes of some characters in the text that the run is a part of.
    pub fn bytes(&self, characters: Range<usize>) -> Range<usize> {
        let places = self.places.get(characters).unwrap_or_default();
        places.first().map_or(0, |place| place.start)..places.last().map_or(0, |place| place.end)
    }

    /// The words of the dictionary that stand in the run, with their characters.
    pub fn words(&self) -> Vec<(Range<usize>, String)> {
        let text: String = self.characters.iter().collect();
        let parts = han::indexed(&text, SingleCharacters::All).into_iter().filter(|part| part.length > 1);
        let word = |range: Range<usize>| (range.clone(), self.characters.get(range).into_iter().flatten().collect());
        parts.map(|part| word(part.start..part.start + part.length)).collect()
    }

    /// The words of the dictionary that sound like a part of the run and differ from it in `doubtful` characters only. No more words are
    /// compared with the dictionary than are `left`, from which they are taken off; those of one other character are compared first.
    pub fn homophones(&self, doubtful: &[bool], left: &mut usize) -> Vec<Homophone> {
        let alike: Vec<Vec<(char, bool)>> = self
            .characters
            .iter()
            .zip(doubtful)
            .map(|(character, doubtful)| if *doubtful { sounding_like(*character) } else { Vec::new() })
            .collect();
        let mut found = Found { left, words: Vec::new() };
        for length in ALL_DIFFER..=MAX_LENGTH {
            for start in 0..(self.len() + 1).saturating_sub(length) {
                self.with_one_other(start, length, &alike, &mut found);
            }
        }
        let mut pairs: Vec<_> = alike.windows(ALL_DIFFER).enumerate().collect();
        pairs.sort_by_key(|(_, pair)| pair.iter().map(Vec::len).product::<usize>());
        for (start, pair) in pairs {
            let [first, second] = pair else { continue };
            for (one, same_one) in first {
                for (other, same_other) in second {
                    found.add(start, &[*one, *other], *same_one && *same_other);
                }
            }
        }
        found.words
    }

    /// Adds the words that differ in one character from a part of the run.
    fn with_one_other(&self, start: usize, length: usize, alike: &[Vec<(char, bool)>], found: &mut Found<'_>) {
        let Some(typed) = self.characters.get(start..start + length) else { return };
        for (at, others) in alike.iter().skip(start).take(length).enumerate() {
            let mut word = typed.to_vec();
            for (other, same_sound) in others {
                word[at] = *other;
                found.add(start, &word, *same_sound);
            }
        }
    }
}

/// Words that were found, and how many may still be compared with the dictionary.
struct Found<'a> {
    left: &'a mut usize,
    words: Vec<Homophone>,
}

impl Found<'_> {
    /// Adds a word if it is one. Those of one part differ from each other.
    fn add(&mut self, start: usize, word: &[char], same_sound: bool) {
        if *self.left == 0 {
            return;
        }
        *self.left -= 1;
        let text: String = word.iter().collect();
        if han::is_word(&text) {
            self.words.push(Homophone { start, text, same_sound });
        }
    }
}

/// The other simplified characters that sound like one, and whether their pinyin is the same without tones.
fn sounding_like(character: char) -> Vec<(char, bool)> {
    // With the sound of each, which takes longer to find than the characters.
    static BY_SOUND: LazyLock<HashMap<String, Vec<(char, String)>>> = LazyLock::new(|| {
        let mut by_sound: HashMap<String, Vec<(char, String)>> = HashMap::new();
        let simplified = ('\u{4e00}'..='\u{9fff}').filter(|one| fold(one.encode_utf8(&mut [0; 4])).starts_with(*one));
        for one in simplified.filter(|one| han::is_word(one.encode_utf8(&mut [0; 4]))) {
            if let Some(sound) = pinyin::readings(one).into_iter().next() {
                by_sound.entry(confused(&sound)).or_default().push((one, sound));
            }
        }
        by_sound
    });
    let Some(sound) = pinyin::readings(character).into_iter().next() else { return Vec::new() };
    let alike = BY_SOUND.get(&confused(&sound)).into_iter().flatten().filter(|(other, _)| *other != character);
    alike.map(|(other, of_other)| (*other, *of_other == sound)).collect()
}

/// One spelling for the syllables that many speakers do not tell apart.
fn confused(sound: &str) -> String {
    let initial = match sound.as_bytes() {
        [b'z' | b'c' | b's', b'h', ..] => format!("{}{}", &sound[..1], &sound[2..]),
        _ => sound.to_owned(),
    };
    match initial.strip_suffix('g') {
        Some(final_n) if initial.ends_with("ang") || initial.ends_with("eng") || initial.ends_with("ing") => {
            final_n.to_owned()
        }
        _ => initial,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn words(text: &str, doubtful: &[usize]) -> Vec<(usize, String, bool)> {
        let run = &han_runs(text)[0];
        let doubtful: Vec<bool> = (0..run.len()).map(|at| doubtful.contains(&at)).collect();
        run.homophones(&doubtful, &mut 1_000_000).into_iter().map(|one| (one.start, one.text, one.same_sound)).collect()
    }

    #[test]
    fn words_of_the_same_sound_are_found() {
        let has = |text: &str, doubtful: &[usize], start: usize, word: &str, same: bool| {
            let found = words(text, doubtful);
            assert!(found.contains(&(start, word.to_owned(), same)), "{text}, {word}: {found:?}");
        };
        has("海样沉积物", &[0, 1], 0, "海洋", true);
        has("深海沉机物", &[2, 3, 4], 2, "沉积物", true);
        has("坚定", &[0, 1], 0, "鉴定", true);
        has("森态", &[0, 1], 0, "生态", false);
    }

    #[test]
    fn characters_that_are_certain_stay() {
        assert_eq!(words("海样", &[]), []);
        assert!(words("海样", &[1]).iter().all(|(_, word, _)| word.starts_with('海')));
    }

    #[test]
    fn a_part_has_its_bytes_in_the_text() {
        let text = "CO2 海\u{2060}樣x";
        let run = &han_runs(text)[0];
        assert_eq!(&text[run.bytes(0..1)], "海");
        assert_eq!(run.bytes(run.len() - 1..run.len()).end, text.len() - 1);
        assert_eq!(run.bytes(7..9), 0..0);
    }

    #[test]
    fn no_more_words_are_compared_than_may_be() {
        let run = &han_runs(&"是一".repeat(12))[0];
        let mut left = 50_000;
        let all = run.homophones(&vec![true; run.len()], &mut left);
        assert!(left == 0 && !all.is_empty() && all.len() < 50_000, "{left} left, {} found", all.len());
        assert_eq!(run.homophones(&vec![true; run.len()], &mut left), []);
        let mut left = 50_000;
        han_runs("海样")[0].homophones(&[false, true], &mut left);
        assert!((49_000..50_000).contains(&left), "{left}");
    }
}
