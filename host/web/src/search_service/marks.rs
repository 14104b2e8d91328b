//! Words of a search, marked in HTML without breaking it: elements `mark` stand within single texts, never across a tag.

use std::ops::Range;

use masthead_search::Marker;
use maud::{Markup, PreEscaped};

/// The same markup with what a query matches marked.
pub fn in_markup(markup: &Markup, marker: &Marker) -> Markup {
    PreEscaped(marked(&markup.0, |text| marker.marks(text)))
}

/// The same markup of a person's name with what a query matches marked.
pub fn in_name(markup: &Markup, marker: &Marker) -> Markup {
    PreEscaped(marked(&markup.0, |text| marker.marks_of_name(text)))
}

/// HTML with what `find` finds in its text in elements `mark`. `find` gets the text as readers see it, and returns ranges of bytes in it, in
/// any order. Formulas and pictures are left as they are: HTML has no marks within them.
fn marked(html: &str, find: impl FnOnce(&str) -> Vec<Range<usize>>) -> String {
    let pieces = pieces(html);
    let mut text = String::with_capacity(html.len());
    for piece in &pieces {
        text.push_str(&piece.text);
    }
    let found = joined(find(&text), text.len());
    if found.is_empty() {
        return html.to_owned();
    }
    let mut out = String::with_capacity(html.len() + found.len() * "<mark></mark>".len());
    let (mut at, mut next, mut open) = (0, 0, false);
    for piece in &pieces {
        while found.get(next).is_some_and(|range| range.end <= at) {
            next += 1;
        }
        let within = piece.markable && found.get(next).is_some_and(|range| range.start <= at);
        if within != open {
            out.push_str(if within { "<mark>" } else { "</mark>" });
            open = within;
        }
        out.push_str(piece.html);
        at += piece.text.len();
    }
    if open {
        out.push_str("</mark>");
    }
    out
}

/// A part of HTML: one character of text as it is written there, or a tag or formula.
struct Piece<'a> {
    html: &'a str,
    text: String,
    markable: bool,
}

/// Elements in which no HTML element may stand.
const CLOSED: [&str; 2] = ["math", "svg"];
/// Elements that stand for a gap between words.
const GAPS: [&str; 5] = ["br", "p", "li", "div", "td"];
/// Longest name of a character, with `&` and `;`.
const MAX_ENTITY: usize = 34;

fn pieces(html: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = html;
    while let Some(first) = rest.chars().next() {
        let (length, text, markable) = match first {
            '<' => match tag(rest) {
                Some((length, name)) => {
                    let name = name.to_ascii_lowercase();
                    let gap = GAPS.contains(&name.as_str()) || CLOSED.contains(&name.as_str());
                    let text = if gap { " " } else { "" };
                    (
                        if CLOSED.contains(&name.as_str()) { element(rest, &name) } else { length },
                        text.to_owned(),
                        false,
                    )
                }
                None => (1, "<".to_owned(), false),
            },
            '&' => match entity(rest) {
                Some((length, text)) => (length, text, true),
                None => (1, "&".to_owned(), true),
            },
            other => (other.len_utf8(), other.to_string(), true),
        };
        let (html, after) = rest.split_at(length);
        pieces.push(Piece { html, text, markable });
        rest = after;
    }
    pieces
}

/// Length and name of the tag with which a text begins; `None` if it begins with none.
fn tag(html: &str) -> Option<(usize, &str)> {
    let inner = &html[1..];
    let named = inner.strip_prefix('/').unwrap_or(inner);
    if !named.starts_with(|c: char| c.is_ascii_alphabetic() || c == '!') {
        return None;
    }
    let name = named.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    let mut quote = None;
    for (at, c) in html.char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None, '>') => return Some((at + 1, name)),
            _ => {}
        }
    }
    None
}

/// Length of the element of this name with which a text begins; of all of the text if it does not end.
fn element(html: &str, name: &str) -> usize {
    let end = format!("</{name}>");
    html.to_ascii_lowercase().find(&end).map_or(html.len(), |at| at + end.len())
}

/// Length and text of the character that a text begins with by name or number.
fn entity(html: &str) -> Option<(usize, String)> {
    let length = html.bytes().take(MAX_ENTITY).position(|byte| byte == b';')? + 1;
    let written = html.get(..length)?;
    let text = html_escape::decode_html_entities(written);
    (text != written).then(|| (length, text.into_owned()))
}

/// Ranges in their order, without overlaps, within a text of this length.
fn joined(mut found: Vec<Range<usize>>, length: usize) -> Vec<Range<usize>> {
    found.retain(|range| range.start < range.end && range.end <= length);
    found.sort_by_key(|range| range.start);
    let mut all: Vec<Range<usize>> = Vec::with_capacity(found.len());
    for range in found {
        match all.last_mut().filter(|last| last.end >= range.start) {
            Some(last) => last.end = last.end.max(range.end),
            None => all.push(range),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(html: &str, words: &[&str]) -> String {
        marked(html, |text| {
            words.iter().flat_map(|word| text.match_indices(word).map(|(at, found)| at..at + found.len())).collect()
        })
    }

    #[test]
    fn words_are_marked_within_texts_and_never_across_tags() {
        for (html, expected) in [
            ("Tides of the bay", "<mark>Tides</mark> of the bay"),
            ("<i>Tides</i> rise", "<i><mark>Tides</mark></i> rise"),
            ("Ti<i>des</i> rise", "<mark>Ti</mark><i><mark>des</mark></i> rise"),
            ("<a title=\"Tides > x\" href='#'>x</a>", "<a title=\"Tides > x\" href='#'>x</a>"),
            ("Neap&nbsp;Tides &amp; ebb", "Neap&nbsp;<mark>Tides</mark> &amp; ebb"),
            ("no word", "no word"),
        ] {
            assert_eq!(with(html, &["Tides"]), expected, "{html}");
        }
        assert_eq!(with("CO<sub>2</sub> sink", &["CO2"]), "<mark>CO</mark><sub><mark>2</mark></sub> sink");
        assert_eq!(with("R&amp;D &lt;b&gt;", &["R&D", "<b>"]), "<mark>R&amp;D</mark> <mark>&lt;b&gt;</mark>");
        assert_eq!(with("one<br>two", &["onetwo"]), "one<br>two", "a line break stands between words");
    }

    #[test]
    fn formulas_are_left_as_they_are() {
        let formula = "<math><mi>Tides</mi></math>";
        assert_eq!(with(&format!("a {formula} Tides"), &["Tides"]), format!("a {formula} <mark>Tides</mark>"));
        assert_eq!(with("<svg><text>Tides", &["Tides"]), "<svg><text>Tides", "one that does not end");
    }

    #[test]
    fn overlapping_and_absurd_ranges_are_joined() {
        let find = |_: &str| vec![2..4, 0..3, 9..99, 3..3];
        assert_eq!(marked("abcdef", find), "<mark>abcd</mark>ef");
        assert_eq!(joined(vec![0..2, 2..4, 6..7], 10), [0..4, 6..7]);
    }

    #[test]
    fn whatever_the_text_the_markup_is_what_it_was() {
        for html in [
            "a < b & c",
            "&#x41;&bogus;&",
            "<",
            "<1>",
            "海<b>草</b>床&#x1F30A;",
            "<p title='\"'>a</p>",
            "\u{0}<!-- a --> a",
        ] {
            let all = marked(html, |text| std::iter::once(0..text.len()).collect());
            assert_eq!(all.replace("<mark>", "").replace("</mark>", ""), html, "nothing else changes");
            assert_eq!(all.matches("<mark>").count(), all.matches("</mark>").count());
        }
    }
}
