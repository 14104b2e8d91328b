//! Dates as written by people and in catalogues, converted to ISO 8601 with their precision.

use masthead_domain::{calendar::days_in_month, text::month as month_name};

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

/// An ISO date from its parts; from the first one that is invalid or that the calendar does not have, they are omitted.
pub(crate) fn of(year: &str, month: &str, day: &str) -> String {
    let year = year.trim();
    let Some(number_of_year) = self::year(year).filter(|_| year.len() == 4) else { return String::new() };
    let number = |text: &str, most: u32| text.trim().parse::<u32>().ok().filter(|value| (1..=most).contains(value));
    let Some(month) = number(month, 12).or_else(|| month_name(month).map(u32::from)) else { return year.to_owned() };
    match number(day, days_in_month(number_of_year.unsigned_abs(), month)) {
        Some(day) => format!("{year}-{month:02}-{day:02}"),
        None => format!("{year}-{month:02}"),
    }
}

/// The year of an ISO date.
pub(crate) fn year(iso: &str) -> Option<i32> {
    let year = iso.get(..4).filter(|year| year.bytes().all(|byte| byte.is_ascii_digit()));
    year.and_then(|year| year.parse().ok()).filter(|year| *year > 0)
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
            ("2015-02-29", "2015-02"),
            ("20160229", "2016-02-29"),
            ("31 April 2015", "2015-04"),
            ("0000-01-01", ""),
            ("c1980.", ""),
            ("", ""),
            ("soon", ""),
        ] {
            assert_eq!(iso(text), expected, "{text}");
        }
        assert_eq!(year("2015-07"), Some(2015));
    }
}
