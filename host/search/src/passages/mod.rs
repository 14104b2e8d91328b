//! Selection of the sentences of a text that fit a query best, for citing; and of what a query matches in a text, for marking.

mod marker;
mod occurrences;

use std::{cmp::Ordering, ops::Range};

use masthead_domain::lang::{is_han_or_hangul, is_kana};

pub use self::marker::Marker;
use self::occurrences::{Words, limited, phrases_of};
use crate::query::{self, Phrase, Query, Tree};

/// Limit on the text that is considered, in bytes.
pub const MAX_SOURCE: usize = 256 * 1024;
/// Limit on the length of a passage in characters. Chinese, Japanese and Korean ones count two: they take that much space, and say that much.
pub const MAX_PASSAGE: usize = 400;
/// Limit on the number of passages of a text.
pub const MAX_PASSAGES: usize = 20;

/// At most `limit` passages of a plain text, best first: a sentence with words of the query, and its neighbours as far as the
/// length allows. A sentence longer than a passage is cut between words. Boosts, filters and what is excluded are ignored.
#[must_use]
pub fn passages(query: &Query, text: &str, limit: usize) -> Vec<String> {
    let tree = query::compile(query).and_then(|search| search.tree);
    tree.map_or_else(Vec::new, |tree| passages_of(&tree, text, limit))
}

/// The same for what an index executed.
#[must_use]
pub fn passages_of(tree: &Tree, text: &str, limit: usize) -> Vec<String> {
    let text = &text[..text.floor_char_boundary(MAX_SOURCE)];
    let mut phrases = Vec::new();
    phrases_of(tree, &mut phrases);
    let mut phrases: Vec<Phrase> = phrases.into_iter().cloned().collect();
    let reaching = limited(&mut phrases);
    let sentences = sentences(text);
    let counts: Vec<Vec<u8>> =
        sentences.iter().map(|sentence| count(&text[sentence.range.clone()], &phrases, reaching)).collect();
    // A word in few sentences has more weight than one in many.
    let weights: Vec<f32> = (0..phrases.len())
        .map(|phrase| {
            let with = counts.iter().filter(|counts| counts.get(phrase).is_some_and(|count| *count > 0)).count();
            (1.0 + sentences.len() as f32 / (1 + with) as f32).ln()
        })
        .collect();
    let scores: Vec<f32> = counts
        .iter()
        .map(|counts| {
            if counts.is_empty() { 0.0 } else { score(tree, &mut counts.iter().copied().zip(weights.iter().copied())) }
        })
        .collect();
    let mut order: Vec<usize> = (0..sentences.len()).filter(|index| scores[*index] > 0.0).collect();
    order.sort_by(|a, b| scores[*b].partial_cmp(&scores[*a]).unwrap_or(Ordering::Equal).then(a.cmp(b)));
    let mut used = vec![false; sentences.len()];
    let mut found = Vec::new();
    for best in order {
        if found.len() == limit.min(MAX_PASSAGES) {
            break;
        }
        if !used[best] {
            let passage = around(&sentences, &scores, &used, best);
            used[passage.clone()].fill(true);
            let (from, to) = (sentences[passage.start].range.start, sentences[passage.end - 1].range.end);
            found.push(text[from..to].split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    found
}

/// The sentence of a plain text that a byte of it is in, or the next one; at most as long as a passage.
#[must_use]
pub fn sentence_at(text: &str, at: usize) -> &str {
    let text = &text[..text.floor_char_boundary(MAX_SOURCE)];
    let found = sentences(text).into_iter().find(|sentence| sentence.range.end > at);
    found.map_or("", |sentence| &text[sentence.range])
}

/// The score of a sentence, from the counts of the phrases in the order of [`phrases_of`].
fn score(tree: &Tree, counts: &mut impl Iterator<Item = (u8, f32)>) -> f32 {
    match tree {
        // Repetitions of a phrase add little, always less than another phrase.
        Tree::Phrase(_) => counts.next().map_or(0.0, |(count, weight)| {
            let count = f32::from(count);
            weight * count * 1.5 / (count + 0.5)
        }),
        Tree::All(parts) | Tree::Any { parts, .. } => parts.iter().fold(0.0, |sum, part| sum + score(part, counts)),
        Tree::Best(parts) => parts.iter().fold(0.0, |best, part| score(part, counts).max(best)),
        Tree::Rather { base: part, .. } | Tree::Weighted { part, .. } => score(part, counts),
        Tree::Not(_) | Tree::Title(_) | Tree::Filter(_) | Tree::Doi { .. } | Tree::Exact(..) => 0.0,
    }
}

/// Number of occurrences of each phrase in a sentence; empty if none occurs.
fn count(sentence: &str, phrases: &[Phrase], reaching: bool) -> Vec<u8> {
    let words = Words::of(sentence, reaching);
    let number = |phrase| u8::try_from(words.occurrences(phrase).len()).unwrap_or(u8::MAX);
    let counts: Vec<u8> = phrases.iter().map(number).collect();
    if counts.iter().any(|count| *count > 0) { counts } else { Vec::new() }
}

/// Extends a sentence by neighbours of the same paragraph that fit into the length and are not part of another passage: the
/// better neighbour first, and the following one if both are equal.
fn around(sentences: &[Sentence], scores: &[f32], used: &[bool], best: usize) -> Range<usize> {
    let mut passage = best..best + 1;
    let mut room = MAX_PASSAGE.saturating_sub(sentences[best].width);
    let fits = |index: usize, room: usize| {
        let sentence = &sentences[index];
        !used[index] && sentence.paragraph == sentences[best].paragraph && sentence.width < room
    };
    loop {
        let next = Some(passage.end).filter(|index| *index < sentences.len() && fits(*index, room));
        let before = passage.start.checked_sub(1).filter(|index| fits(*index, room));
        let taken = match (before, next) {
            (Some(before), Some(next)) if scores[before] > scores[next] => before,
            (_, Some(next)) => next,
            (Some(before), None) => before,
            (None, None) => return passage,
        };
        // Includes the space between the sentences.
        room = room.saturating_sub(sentences[taken].width + 1);
        passage = passage.start.min(taken)..passage.end.max(taken + 1);
    }
}

/// A sentence, or a piece of a long one that fits into a passage.
struct Sentence {
    range: Range<usize>,
    width: usize,
    paragraph: usize,
}

/// Abbreviations whose full stop does not end a sentence.
const ABBREVIATIONS: [&str; 22] = [
    "al", "approx", "ca", "cf", "dr", "e.g", "ed", "eds", "eq", "eqs", "etc", "fig", "figs", "i.e", "no", "nos", "pp",
    "prof", "ref", "refs", "sp", "vs",
];

fn sentences(text: &str) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    for (paragraph, line) in text.split('\n').enumerate() {
        let offset = line.as_ptr() as usize - text.as_ptr() as usize;
        let mut start = 0;
        let mut rest = line.char_indices().peekable();
        while let Some((at, character)) = rest.next() {
            let mut end = at + character.len_utf8();
            let ends = match character {
                '。' | '！' | '？' | '；' => true,
                '.' | '!' | '?' => {
                    // Closing marks and quotes belong to the sentence.
                    while let Some((at, mark)) = rest.next_if(|(_, next)| "!?.\"'”’)]）】」』".contains(*next))
                    {
                        end = at + mark.len_utf8();
                    }
                    rest.peek().is_none_or(|(_, next)| next.is_whitespace())
                        && (character != '.' || full_stop(&line[start..at], &line[end..]))
                }
                _ => false,
            };
            if !ends {
                continue;
            }
            while let Some((at, mark)) = rest.next_if(|(_, next)| "。！？”’」』）】".contains(*next)) {
                end = at + mark.len_utf8();
            }
            cut(text, offset + start..offset + end, paragraph, &mut sentences);
            start = end;
        }
        cut(text, offset + start..offset + line.len(), paragraph, &mut sentences);
    }
    sentences
}

/// Whether a full stop between these two texts ends a sentence.
fn full_stop(before: &str, after: &str) -> bool {
    let word = before.rsplit(|c: char| c.is_whitespace() || "([（".contains(c)).next().unwrap_or_default();
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    let known = ABBREVIATIONS.contains(&word.to_lowercase().as_str());
    let goes_on = after.trim_start().chars().next().is_some_and(char::is_lowercase);
    !(initial || known || goes_on)
}

/// Adds a sentence; in pieces if it is longer than a passage, not at all if it has no words.
fn cut(text: &str, range: Range<usize>, paragraph: usize, into: &mut Vec<Sentence>) {
    let whole = &text[range.clone()];
    if !whole.contains(char::is_alphanumeric) {
        return;
    }
    let mut start = range.start + (whole.len() - whole.trim_start().len());
    let end = range.start + whole.trim_end().len();
    while start < end {
        let rest = &text[start..end];
        let mut used = 0;
        let beyond = rest.char_indices().find(|(_, character)| {
            used += width(*character);
            used > MAX_PASSAGE
        });
        let Some((limit, _)) = beyond else {
            into.push(Sentence { range: start..end, width: used, paragraph });
            return;
        };
        let piece = &rest[..limit];
        // A piece is cut at a gap in its second half, so that pieces do not become too short.
        let after = |at: usize| at + piece[at..].chars().next().map_or(0, char::len_utf8);
        let gap = piece.rfind(|c: char| c.is_whitespace() || "，、；：,;".contains(c)).map(after);
        let length = gap.filter(|length| *length > limit / 2).unwrap_or(limit);
        let range = start..start + length;
        into.push(Sentence { width: text[range.clone()].chars().map(width).sum(), range, paragraph });
        start += length;
    }
}

/// The space of a character, in letters; roughly, because a passage is not measured by the font.
fn width(character: char) -> usize {
    let full_width = matches!(character, '\u{3000}'..='\u{303f}' | '\u{ff01}'..='\u{ff60}');
    if full_width || is_kana(character) || is_han_or_hangul(character) { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Synonym;

    const EN: &str = "Salt marshes trap carbon. The tide, see Fig. 2 of Smith et al. (2020), carries sediment in. \
                      Birds nest there.\nElsewhere, nothing happens. Carbon burial depends on sediment supply!";

    fn parts(text: &str) -> Vec<&str> {
        sentences(text).into_iter().map(|sentence| &text[sentence.range]).collect()
    }

    #[test]
    fn sentences_are_split_despite_abbreviations() {
        assert_eq!(
            parts(EN),
            [
                "Salt marshes trap carbon.",
                "The tide, see Fig. 2 of Smith et al. (2020), carries sediment in.",
                "Birds nest there.",
                "Elsewhere, nothing happens.",
                "Carbon burial depends on sediment supply!",
            ]
        );
        assert_eq!(
            parts("潮汐带来泥沙。盐沼固碳！“真的吗？”是的；3.5 倍"),
            ["潮汐带来泥沙。", "盐沼固碳！", "“真的吗？”", "是的；", "3.5 倍",]
        );
        let abbreviated = ["He said \"No.\"", "J. Doe et al. left...", "Then 3.5 m. rose"];
        assert_eq!(parts(&abbreviated.join(" ")), abbreviated);
        assert!(parts(" . \n。\n\n!").is_empty());
    }

    #[test]
    fn the_sentence_of_a_place_is_found() {
        let at = |word: &str| sentence_at(EN, EN.find(word).unwrap_or(EN.len()));
        assert_eq!(at("Fig. 2"), "The tide, see Fig. 2 of Smith et al. (2020), carries sediment in.");
        assert_eq!(
            (at("Salt"), at("supply!")),
            ("Salt marshes trap carbon.", "Carbon burial depends on sediment supply!")
        );
        assert_eq!((sentence_at(EN, 90_000), sentence_at("", 0)), ("", ""));
    }

    #[test]
    fn the_best_sentence_comes_first_with_its_neighbours() {
        let found = passages(&Query::typed("sediment carbon"), EN, 5);
        assert_eq!(
            found,
            [
                "Elsewhere, nothing happens. Carbon burial depends on sediment supply!",
                "Salt marshes trap carbon. The tide, see Fig. 2 of Smith et al. (2020), carries sediment in. Birds nest there.",
            ]
        );
        assert_eq!(passages(&Query::typed("sediment carbon"), EN, 1).len(), 1);
        assert!(passages(&Query::typed("whales"), EN, 5).is_empty());
        assert!(passages(&Query::typed("whales NOT carbon"), EN, 5).is_empty());
        assert!(passages(&Query::typed(""), EN, 5).is_empty());
        assert!(passages(&Query::typed("carbon"), EN, 0).is_empty());
    }

    #[test]
    fn chinese_phrases_and_synonyms_are_found() {
        let text = "潮间带很宽。\n海草床固定大量碳。\n鸟类在此筑巢。\n蓝碳生态系统受到关注。";
        assert_eq!(passages(&Query::typed("海草床"), text, 5), ["海草床固定大量碳。"]);
        let synonyms =
            vec![Synonym { term: "海草床".into(), alternatives: vec!["seagrass".into(), "鸟类".into()] }];
        let found = passages(&Query { synonyms, ..Query::typed("海草床") }, text, 5);
        assert_eq!(found, ["海草床固定大量碳。", "鸟类在此筑巢。"]);
    }

    #[test]
    fn passages_are_limited_in_length_for_any_text() {
        let long = format!("{} carbon {}.", "sediment, ".repeat(200), "word ".repeat(200));
        let han = "沉积物与碳".repeat(60_000);
        let odd = ". A. ".repeat(60_000);
        let hard = "x".repeat(400_000);
        for text in [long.as_str(), &han, &odd, &hard, "", "\u{0}\u{301}。", &"a\n".repeat(200_000)] {
            for typed in ["carbon sediment", "碳", "a", "\"x\" OR (", &"a b ".repeat(500)] {
                let found = passages(&Query::typed(typed), text, 1000);
                assert!(found.len() <= MAX_PASSAGES);
                assert!(found.iter().all(|passage| passage.chars().count() <= MAX_PASSAGE && !passage.is_empty()));
            }
        }
        assert!(passages(&Query::typed("carbon"), &long, 1)[0].contains("carbon"));
        let chinese = &passages(&Query::typed("碳"), &han, 1)[0];
        assert_eq!(chinese.chars().count(), MAX_PASSAGE / 2, "Chinese is twice as wide");
    }
}
