//! Division of a text into runs of one kind of script.

use std::ops::Range;

use masthead_domain::lang::is_han;
use unicode_normalization::char::is_combining_mark;

use super::fold::folded;

/// How the characters of a run form words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// Chinese characters, without spaces.
    Han,
    /// Japanese syllables, without spaces. Words end where these and the next ones meet.
    Hiragana,
    /// Japanese syllables of foreign words, without spaces.
    Katakana,
    /// Korean syllables; what stands between spaces is a word with its endings.
    Hangul,
    /// Letters and digits of any other script: the run is a word.
    Letters,
}

impl Script {
    fn of(character: char) -> Option<Self> {
        match character {
            'a'..='z' | '0'..='9' => Some(Self::Letters),
            '々' | '〇' => Some(Self::Han),
            _ if is_han(character) => Some(Self::Han),
            _ if !character.is_alphanumeric() => None,
            '\u{3040}'..='\u{309f}' => Some(Self::Hiragana),
            '\u{30a0}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' => Some(Self::Katakana),
            '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7a3}' => Some(Self::Hangul),
            _ => Some(Self::Letters),
        }
    }
}

impl Script {
    /// The script of a character behind one of another: a long vowel belongs to either Japanese script, and a vowel sign or another mark is
    /// a part of the word that it stands in. `None` if it ends the run, unless it is a mark.
    fn within(character: char, before: Option<Self>) -> Option<Self> {
        match (character, before) {
            ('ー', Some(Self::Hiragana)) => before,
            (_, Some(Self::Letters)) if is_combining_mark(character) => before,
            _ => Self::of(character),
        }
    }
}

/// Adjacent characters of one script.
#[derive(Clone, Debug)]
pub struct Run {
    /// The script.
    pub script: Script,
    /// The folded characters.
    pub text: String,
    /// The bytes of the source.
    pub range: Range<usize>,
    /// The bytes of the source of each character; empty for [`Script::Letters`].
    pub places: Vec<Range<usize>>,
}

impl Run {
    /// Number of positions of the run.
    pub fn positions(&self) -> usize {
        if self.script == Script::Letters { 1 } else { self.places.len() }
    }
}

/// Whether a character is not seen and does not divide words: a soft hyphen, a joiner, a direction mark.
fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{200c}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'
            | '\u{2066}'..='\u{2069}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

/// The runs of a text, whose first byte is counted as `offset`. An English `'s` is part of no run.
pub fn runs(text: &str, offset: usize) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    // Whether the next character continues the last run.
    let mut open = false;
    folded(text, |character, place| {
        if is_unseen(character) {
            return;
        }
        let before = runs.last().filter(|_| open).map(|run| run.script);
        let Some(script) = Script::within(character, before) else {
            open &= is_combining_mark(character);
            return;
        };
        let place = place.start + offset..place.end + offset;
        if !open || runs.last().is_none_or(|run| run.script != script) {
            runs.push(Run { script, text: String::new(), range: place.clone(), places: Vec::new() });
            open = true;
        }
        if let Some(run) = runs.last_mut() {
            run.text.push(character);
            run.range.end = place.end;
            if script != Script::Letters {
                run.places.push(place);
            }
        }
    });
    without_possessives(text, offset, &mut runs);
    runs
}

fn without_possessives(text: &str, offset: usize, runs: &mut Vec<Run>) {
    let mut before: Option<usize> = None;
    runs.retain(|run| {
        let between = before.and_then(|end| text.get(end - offset..run.range.start - offset));
        before = Some(run.range.end);
        run.text != "s" || !matches!(between, Some("'" | "’"))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Vec<(Script, String)> {
        runs(text, 0).into_iter().map(|run| (run.script, run.text)).collect()
    }

    #[test]
    fn scripts_are_separated() {
        use Script::{Han, Hangul, Hiragana, Katakana, Letters};
        for (text, expected) in [
            ("CO2海洋", vec![(Letters, "co2"), (Han, "海洋")]),
            ("海洋のデータ", vec![(Han, "海洋"), (Hiragana, "の"), (Katakana, "データ")]),
            ("らーめん", vec![(Hiragana, "らーめん")]),
            ("人々 〇", vec![(Han, "人々"), (Han, "〇")]),
            ("해양CO", vec![(Hangul, "해양"), (Letters, "co")]),
            ("Müller's o’brien", vec![(Letters, "muller"), (Letters, "o"), (Letters, "brien")]),
            ("co\u{ad}ast sea\u{200b}level", vec![(Letters, "coast"), (Letters, "sea"), (Letters, "level")]),
            ("ア・イ", vec![(Katakana, "ア"), (Katakana, "イ")]),
            ("葛\u{e0100}城\u{20dd}市", vec![(Han, "葛城市")]),
            ("हिन्दी भाषा", vec![(Letters, "हिन्दी"), (Letters, "भाषा")]),
            (" ,!", vec![]),
        ] {
            let expected: Vec<_> = expected.into_iter().map(|(script, text)| (script, text.to_owned())).collect();
            assert_eq!(list(text), expected, "{text}");
        }
    }

    #[test]
    fn runs_know_their_places() {
        let text = "a 漢字";
        let found = runs(text, 10);
        assert_eq!((found[1].range.clone(), found[1].places.clone()), (12..18, vec![12..15, 15..18]));
    }
}
