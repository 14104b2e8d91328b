//! The forms of names of persons: in either order, with initials, in pinyin.
//!
//! Beside its words as written, a name is indexed by keys: all its letters as one word, in the orders and shortenings in which it is
//! usual. A query for adjacent words of a name is then one word too, so that "zhang wei", "Wei Zhang", "zhangwei", "W. Zhang" and "Zhāng Wěi"
//! find 张伟, and not an article by a Zhang and a Wei.

use super::{
    Token,
    fold::fold,
    pinyin::{Chinese, is_surname, joined, two_syllables},
    runs::{Run, Script},
};

/// The most words of a name that has keys, and of a query that is searched as a key.
pub const MAX_WORDS: usize = 6;
/// The most words of a line, which may be the name of an organization, that are joined to keys.
const MAX_LINE: usize = 24;

/// Words that begin a family name of several words.
const PARTICLES: &str = "van der den de da di du la le von zu zur dos del della al bin ben el ten ter";
/// Words behind a name that are no part of it.
const TITLES: &str = "jr sr ii iii iv md phd msc";

/// A part of a name: a word, or words that are joined by hyphens and apostrophes, or a family name with its particles.
struct Element {
    /// The letters as one word; several spellings, the usual one first.
    spellings: Vec<String>,
    /// The words that it consists of.
    words: Vec<String>,
    position: usize,
    length: usize,
    range: std::ops::Range<usize>,
    capitals: bool,
    particle: bool,
}

/// The sink of the tokens of a line.
struct Forms<'a> {
    out: &'a mut Vec<Token>,
}

impl Forms<'_> {
    fn add(&mut self, text: String, element: (usize, usize, &std::ops::Range<usize>)) {
        let (position, length, range) = element;
        if !text.is_empty() && text.len() <= super::MAX_WORD {
            self.out.push(Token { text, position, length: length.max(1), range: range.clone() });
        }
    }
}

/// Adds the forms of the name on a line, whose runs begin at a position. `source` is the whole text.
pub fn add_forms(source: &str, runs: &[Run], position: usize, out: &mut Vec<Token>) {
    let mut forms = Forms { out };
    let mut position = position;
    // "张伟 (Wei Zhang)" is two names.
    for part in runs.chunk_by(|a, b| (a.script == Script::Han) == (b.script == Script::Han)) {
        if part.iter().all(|run| run.script == Script::Han) {
            chinese(source, part, position, &mut forms);
        } else {
            contiguous(part, position, &mut forms);
            latin(source, &elements(source, part, position), &mut forms);
        }
        position += part.iter().map(Run::positions).sum::<usize>();
    }
}

fn chinese(source: &str, runs: &[Run], position: usize, forms: &mut Forms<'_>) {
    let (Some(first), Some(last)) = (runs.first(), runs.last()) else { return };
    // "张 伟" is one name; a foreign one in Chinese characters has a dot and no pinyin.
    let only_spaces = runs.windows(2).all(|pair| {
        let between = source.get(pair[0].range.end..pair[1].range.start).unwrap_or("·");
        between.chars().all(char::is_whitespace)
    });
    if !only_spaces {
        return;
    }
    let folded: Vec<char> = runs.iter().flat_map(|run| run.text.chars()).collect();
    let places = runs.iter().flat_map(|run| run.places.iter());
    let original: Vec<char> = places.filter_map(|place| source.get(place.clone())?.chars().next()).collect();
    let Some(name) = Chinese::of(&original, &folded) else { return };
    let range = first.range.start..last.range.end;
    let (start, whole) = (position + name.surname, (position, folded.len(), &range));
    let given_place = (start, name.given.len(), &range);
    forms.add(folded.iter().collect(), whole);
    for (index, readings) in name.given.iter().enumerate() {
        for reading in readings {
            forms.add(initial(reading), (start + index, 1, &range));
            forms.add(reading.clone(), (start + index, 1, &range));
        }
    }
    let initials: String = name.given.iter().filter_map(|readings| readings.first()?.chars().next()).collect();
    forms.add(initials.clone(), given_place);
    for surname in &name.surnames {
        forms.add(surname.clone(), (position, name.surname, &range));
        for given in joined(name.given.iter().cloned()) {
            forms.add(given.clone(), given_place);
            keys(surname, &given, &initials, whole, forms);
        }
    }
}

fn initial(word: &str) -> String {
    word.chars().take(1).collect()
}

/// The keys of a name: family name and given names in both orders, in full and with initials.
fn keys(
    surname: &str,
    given: &str,
    initials: &str,
    place: (usize, usize, &std::ops::Range<usize>),
    forms: &mut Forms<'_>,
) {
    for shortened in [given, initials, &initial(initials)] {
        forms.add(format!("{surname}{shortened}"), place);
        forms.add(format!("{shortened}{surname}"), place);
    }
}

/// The parts of a name in letters.
fn elements(source: &str, runs: &[Run], position: usize) -> Vec<Element> {
    let mut elements: Vec<Element> = Vec::new();
    let mut before: Option<usize> = None;
    let mut next = position;
    for run in runs {
        let position = next;
        next += run.positions();
        let written = source.get(run.range.clone()).unwrap_or_default();
        let between = before.and_then(|end| source.get(end..run.range.start)).unwrap_or(" ");
        before = Some(run.range.end);
        if let Some(last) = elements.last_mut().filter(|_| matches!(between, "-" | "‐" | "'" | "’" | "")) {
            last.spellings.iter_mut().for_each(|spelling| spelling.push_str(&run.text));
            last.words.push(run.text.clone());
            last.length += run.positions();
            last.range.end = run.range.end;
            continue;
        }
        let lower = written.chars().next().is_some_and(char::is_lowercase);
        elements.push(Element {
            spellings: spellings(written, &run.text),
            words: vec![run.text.clone()],
            position,
            length: run.positions(),
            range: run.range.clone(),
            capitals: written.chars().count() > 1 && written.chars().all(|c| !c.is_lowercase()),
            particle: lower && PARTICLES.split(' ').any(|particle| particle == run.text),
        });
    }
    elements
}

/// A word and, if it has umlauts, the same with the letters that replace them.
fn spellings(written: &str, folded: &str) -> Vec<String> {
    let mut spellings = vec![folded.to_owned()];
    if written.contains(['ä', 'ö', 'ü', 'Ä', 'Ö', 'Ü']) {
        let replaced = written.to_lowercase().replace('ä', "ae").replace('ö', "oe").replace('ü', "ue");
        spellings.push(fold(&replaced));
    }
    spellings
}

/// Keys of adjacent words in the order in which they are written.
fn contiguous(runs: &[Run], position: usize, forms: &mut Forms<'_>) {
    let runs = &runs[..runs.len().min(MAX_LINE)];
    let mut start = position;
    for (index, first) in runs.iter().enumerate() {
        let mut key = first.text.clone();
        let mut length = first.positions();
        for next in runs.iter().skip(index + 1).take(MAX_WORDS - 1) {
            key.push_str(&next.text);
            length += next.positions();
            forms.add(key.clone(), (start, length, &(first.range.start..next.range.end)));
        }
        start += first.positions();
    }
}

fn latin(source: &str, elements: &[Element], forms: &mut Forms<'_>) {
    for element in elements {
        let place = (element.position, element.length, &element.range);
        element.spellings.iter().for_each(|spelling| forms.add(spelling.clone(), place));
    }
    let is_title = |element: &Element| TITLES.split(' ').any(|title| title == element.spellings[0]);
    let parts = elements.iter().enumerate().filter(|(index, element)| *index < 2 || !is_title(element));
    let parts: Vec<&Element> = parts.map(|(_, element)| element).collect();
    if !(2..=MAX_WORDS).contains(&parts.len()) {
        return;
    }
    // A comma follows the family name; capitals mark it; else it is the last word or, in some countries, the first.
    let comma = parts.windows(2).position(|pair| {
        source.get(pair[0].range.end..pair[1].range.start).is_some_and(|between| between.contains([',', '，']))
    });
    let capitals: Vec<usize> = (0..parts.len()).filter(|index| parts[*index].capitals).collect();
    let last = parts.len() - 1;
    // "van der Berg" begins with its particles.
    let begin = (0..last).rev().take_while(|index| parts[*index].particle).last().unwrap_or(last);
    if let Some(comma) = comma {
        person(&parts, 0..comma + 1, forms);
    } else if let [only] = capitals[..]
        && parts[only].words[0].chars().count() > 2
    {
        person(&parts, only..only + 1, forms);
    } else {
        if begin > 0 {
            person(&parts, begin..parts.len(), forms);
        }
        if begin < last {
            person(&parts, last..parts.len(), forms);
        }
        person(&parts, 0..1, forms);
    }
}

/// Adds the forms of a name whose family name are these parts.
fn person(parts: &[&Element], family: std::ops::Range<usize>, forms: &mut Forms<'_>) {
    let given: Vec<&Element> =
        parts.iter().enumerate().filter(|(index, _)| !family.contains(index)).map(|(_, part)| *part).collect();
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return };
    let Some(first_given) = given.first() else { return };
    let family = &parts[family];
    let range = first.range.start..last.range.end;
    let place = (first.position, last.position + last.length - first.position, &range);
    let surname = spelled(family, 0);
    let mut initials = String::new();
    for part in &given {
        let whole = &part.spellings[0];
        let mut syllables: Vec<&str> = part.words.iter().map(String::as_str).collect();
        if syllables.len() == 1 && given.len() == 1 && is_surname(&surname) {
            syllables = two_syllables(whole).map_or(syllables, |two| two.to_vec());
        }
        for syllable in syllables {
            let letter = initial(syllable);
            initials.push_str(&letter);
            forms.add(letter, (part.position, 1, &part.range));
            forms.add(syllable.to_owned(), (part.position, 1, &part.range));
        }
    }
    forms.add(initials.clone(), (first_given.position, given.len(), &range));
    let spellings = parts.iter().map(|part| part.spellings.len()).max().unwrap_or(1);
    for which in 0..spellings {
        let surname = spelled(family, which);
        keys(&surname, &spelled(&given, which), &initials, place, forms);
        if given.len() > 1 {
            keys(&surname, &spelled(&given[..1], which), &initials, place, forms);
        }
    }
}

/// The letters of parts of a name in one of their spellings.
fn spelled(parts: &[&Element], which: usize) -> String {
    let each = parts.iter().filter_map(|part| part.spellings.get(which).or(part.spellings.first()));
    each.map(String::as_str).collect()
}
