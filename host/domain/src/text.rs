//! Conversions of text that several crates share.

use std::fmt::Write as _;

use unicode_normalization::UnicodeNormalization as _;

use crate::content::text::fold;

/// The bytes in lower-case hexadecimal, two digits each.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// The bytes of a text in hexadecimal, two digits each; `None` for any other text.
#[must_use]
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> =
        text.chars().map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect::<Option<_>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    rest.is_empty().then(|| pairs.iter().map(|[high, low]| (high << 4) | low).collect())
}

/// The letters and digits of a text in lower case, to find a text within another that punctuates it differently.
#[must_use]
pub fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The form in which names of sections are compared: "Case Report", "CASE  REPORT" and full-width letters are one name, as are "论著" and
/// "论  著". Case, white space, characters without a picture, and compatibility forms do not matter.
#[must_use]
pub fn section_key(name: &str) -> String {
    let unseen =
        |c: char| c.is_whitespace() || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    without_case(name).filter(|c| !unseen(*c)).nfc().collect()
}

/// The form in which titles are compared: their letters and digits, without case and compatibility forms.
#[must_use]
pub fn title_key(title: &str) -> String {
    without_case(title).filter(|c| c.is_alphanumeric()).nfc().collect()
}

/// The characters without case. Upper case comes first, because it has one form where lower case has several (`ß` and `ss`, `σ` and `ς`).
fn without_case(text: &str) -> impl Iterator<Item = char> {
    text.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase)
}

/// The text of HTML or JATS: each tag becomes a space, then entities become characters and white space is folded.
///
/// A `<` that begins no tag (`p < 0.05`) stays, as source data is not always escaped.
#[must_use]
pub fn without_tags(markup: &str) -> String {
    let mut text = String::with_capacity(markup.len());
    let mut rest = markup;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        if let Some(behind) = tag_end(after).and_then(|end| after.get(end..)) {
            text.push(' ');
            rest = behind;
        } else {
            text.push('<');
            rest = after;
        }
    }
    text.push_str(rest);
    fold(&html_escape::decode_html_entities(&text))
}

/// The byte offset behind the `>` of the tag whose `<` stands before this text; `None` if no tag begins there.
fn tag_end(text: &str) -> Option<usize> {
    if !text.strip_prefix('/').unwrap_or(text).starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let mut quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '>' if !quoted => return Some(at + 1),
            '<' if !quoted => return None,
            _ => {}
        }
    }
    None
}

/// Whether a text has a digit where the form has a `0`, and the same character as the form elsewhere: dates have the form `0000-00-00`.
#[must_use]
pub fn has_form(text: &str, form: &str) -> bool {
    text.len() == form.len()
        && text.bytes().zip(form.bytes()).all(|(b, f)| if f == b'0' { b.is_ascii_digit() } else { b == f })
}

/// Longest name, in bytes, that known names are compared with.
const LONGEST_NAME: usize = 200;

/// The known name that is most like another, if one is like it: what somebody meant who has mistyped a name.
#[must_use]
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // The comparison takes memory in proportion to the name, which a call may make as long as it likes.
    if name.len() > LONGEST_NAME {
        return None;
    }
    let name = name.to_lowercase();
    let distance = |other: &str| strsim::damerau_levenshtein(&name, &other.to_lowercase());
    let near = known.map(|other| (distance(other), other)).min_by_key(|(distance, _)| *distance)?;
    (near.0 <= (name.chars().count() / 3).max(2)).then_some(near.1)
}

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// The number of an English month, 1 to 12, from its name or abbreviation: `July`, `sept.`.
#[must_use]
pub fn month(name: &str) -> Option<u8> {
    let lower = name.trim().to_lowercase();
    let at = MONTHS.iter().position(|month| lower.starts_with(month))?;
    u8::try_from(at + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::{from_hex, has_form, hex, month, nearest, section_key, title_key, without_tags};

    #[test]
    fn a_form_has_zeros_for_digits() {
        assert!(has_form("2026-05-17", "0000-00-00") && has_form("2026-05-17T08:30:00Z", "0000-00-00T00:00:00Z"));
        for text in ["", "2026-05-1", "2026-05-171", "2026-05-1x", "2026/05/17", "２6-05-17"] {
            assert!(!has_form(text, "0000-00-00"), "{text:?}");
        }
    }

    #[test]
    fn a_mistyped_name_has_a_nearest_one() {
        let known = || ["friendship-links", "hss-article", "webhook"].into_iter();
        assert_eq!(nearest("freindship-link", known()), Some("friendship-links"));
        assert_eq!(nearest("WebHooks", known()), Some("webhook"));
        assert_eq!(nearest("badge", known()), None);
        assert_eq!(nearest("webhook", std::iter::empty()), None);
    }

    #[test]
    fn names_of_sections_are_compared_without_case_and_spacing() {
        for (one, other) in [
            ("Case Report", "  CASE\u{a0}\n report "),
            ("Études", "E\u{301}TUDES"),
            ("ＲＥＶＩＥＷ", "Review"),
            ("论著", "论\u{3000}著"),
            ("Straße", "STRASSE"),
            ("ΟΔΟΣ", "οδος"),
            ("Обзор", "ОБЗОР"),
            ("Re\u{ad}view", "review\u{200b}"),
        ] {
            assert_eq!(section_key(one), section_key(other), "{one} {other}");
        }
        for (one, other) in [("Review", "Reviews"), ("Case reports", "Case report"), ("Letters: A", "Letters A")] {
            assert_ne!(section_key(one), section_key(other));
        }
    }

    #[test]
    fn titles_are_compared_by_their_letters_and_digits() {
        assert_eq!(title_key("On “tides” – 2nd part."), title_key("ON 'TIDES': 2ND  PART"));
        assert_ne!(title_key("On tides, part 1"), title_key("On tides, part 2"));
        assert_eq!(title_key(" — "), "");
    }

    #[test]
    fn bytes_have_two_digits_each() {
        assert_eq!(hex(&[0, 10, 255]), "000aff");
        assert_eq!(from_hex("000aFF"), Some(vec![0, 10, 255]));
        assert!(from_hex("000").is_none() && from_hex("0g").is_none());
    }

    #[test]
    fn tags_are_removed_and_entities_decoded() {
        for (markup, text) in [
            ("<p>Salt &amp; <i>silt</i></p><p>x</p>", "Salt & silt x"),
            ("One<br/>two <img alt=\"a > b < c\">", "One two"),
            ("a < b, x<y and <jats:i>open", "a < b, x<y and open"),
            ("cut <off", "cut <off"),
        ] {
            assert_eq!(without_tags(markup), text);
        }
    }

    #[test]
    fn months_are_recognized_by_their_first_letters() {
        assert_eq!((month("July"), month(" sept."), month("juillet"), month("")), (Some(7), Some(9), None, None));
    }
}
