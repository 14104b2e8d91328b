//! Dates as written by people and in catalogues, converted to ISO 8601 with their precision.

use masthead_domain::text::month as month_name;

/// Converts `2015-07-21`, `2015/7`, `20150721`, `21 July 2015`, `July 21, 2015`, `2015 Jul` or `2015年7月21日`; "" if the text is
/// not a date.
pub(crate) fn iso(text: &str) -> String {
    let text = text.trim().split('T').next().unwrap_or_default();
    if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return of(&text[..4], &text[4..6], &text[6..]);
    }
    if text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return of(&text[..4], &text[4..], "");
    }
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() || matches!(c, '年' | '月' | '日')).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let year = |word: &&&str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    let Some(found) = words.iter().find(year).copied() else { return String::new() };
    let named = words.iter().find_map(|word| month_name(word));
    let numbers: Vec<&str> = words
        .iter()
        .copied()
        .filter(|word| *word != found && word.len() <= 4 && word.starts_with(|c: char| c.is_ascii_digit()))
        .map(|word| word.trim_end_matches(|c: char| c.is_ascii_alphabetic()))
        .collect();
    match (named, words.first() == Some(&found)) {
        (Some(month), _) => of(found, &month.to_string(), numbers.first().copied().unwrap_or_default()),
        (None, true) => {
            of(found, numbers.first().copied().unwrap_or_default(), numbers.get(1).copied().unwrap_or_default())
        }
        // 21/07/2015 and 07/21/2015 are ambiguous in general, so that the year alone is kept.
        (None, false) => found.to_owned(),
    }
}

/// An ISO date from its parts; from the first invalid part on, they are omitted.
pub(crate) fn of(year: &str, month: &str, day: &str) -> String {
    let year = year.trim();
    if year.len() != 4 || !year.bytes().all(|byte| byte.is_ascii_digit()) || year == "0000" {
        return String::new();
    }
    let number = |text: &str, most: u8| text.trim().parse::<u8>().ok().filter(|value| (1..=most).contains(value));
    match (number(month, 12).or_else(|| month_name(month)), number(day, 31)) {
        (Some(month), Some(day)) => format!("{year}-{month:02}-{day:02}"),
        (Some(month), None) => format!("{year}-{month:02}"),
        _ => year.to_owned(),
    }
}

/// The year of an ISO date.
pub(crate) fn year(iso: &str) -> Option<i32> {
    iso.get(..4).and_then(|year| year.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_dates_in_the_usual_forms() {
        for (text, expected) in [
            ("2015-07-21", "2015-07-21"),
            ("2015-07-21T10:00:00Z", "2015-07-21"),
            ("20150721", "2015-07-21"),
            ("201507", "2015-07"),
            ("2015/7", "2015-07"),
            ("21 July 2015", "2015-07-21"),
            ("July 21, 2015", "2015-07-21"),
            ("3rd Sept. 2015", "2015-09-03"),
            ("2015 Jul", "2015-07"),
            ("2015年7月21日", "2015-07-21"),
            ("07/21/2015", "2015"),
            ("2015-13-40", "2015"),
            ("c1980.", ""),
            ("", ""),
            ("soon", ""),
        ] {
            assert_eq!(iso(text), expected, "{text}");
        }
        assert_eq!(year("2015-07"), Some(2015));
    }
}
