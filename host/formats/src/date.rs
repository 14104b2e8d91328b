//! Dates as written by people and in catalogues, converted to ISO 8601 with their precision. What no calendar has is cut off; a
//! [`DateReader`] reports that.

use std::collections::BTreeMap;

use masthead_domain::{calendar::days_in_month, text::month as month_name};

use crate::{FormatError, Records};

/// Greatest number of dates of a record that are reported.
const MOST_FAULTS: usize = 20;
/// Greatest number of characters of a date in a report.
const SHOWN: usize = 40;

/// Reads the dates of a record by [`iso`] and [`of`], and notes those that no calendar has.
pub(crate) struct DateReader {
    /// What is known of the place of the record, without field and reason.
    place: FormatError,
    faults: Vec<FormatError>,
}

impl DateReader {
    /// A reader for the record at `place`, a fault without field and reason.
    pub(crate) fn new(place: FormatError) -> Self {
        Self { place, faults: Vec::new() }
    }

    /// The same as [`iso`]; `field` is the name of the date in the source.
    pub(crate) fn iso(&mut self, field: &str, text: &str) -> String {
        let read = iso(text);
        let fault = parts(text).and_then(|[year, month, day]| impossible(&year, &month, &day));
        self.note(field, text, fault, &read);
        read
    }

    /// The same as [`of`].
    pub(crate) fn of(&mut self, field: &str, year: &str, month: &str, day: &str) -> String {
        let read = of(year, month, day);
        let written = [year, month, day].map(str::trim);
        let written: Vec<&str> = written.into_iter().filter(|part| !part.is_empty()).collect();
        self.note(field, &written.join("-"), impossible(year, month, day), &read);
        read
    }

    fn note(&mut self, field: &str, written: &str, fault: Option<String>, read: &str) {
        let Some(fault) = fault else { return };
        let written: String = written.trim().chars().take(SHOWN).collect();
        let used = if read.is_empty() { "it is left out".to_owned() } else { format!("{read} is used") };
        let reason =
            format!("no calendar has the {fault} of the date {written:?}; {used}: correct the day, month or year");
        let fault = FormatError { reason, ..self.place.clone() }.field(field);
        if self.faults.len() < MOST_FAULTS && !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    /// A sentence for each date that no calendar has, with its place, its field and its value.
    pub(crate) fn warnings(self) -> Vec<String> {
        self.faults.iter().map(ToString::to_string).collect()
    }

    /// Adds the faults to those of a file.
    pub(crate) fn report<T>(self, made: &mut Records<T>) {
        self.faults.into_iter().for_each(|fault| made.fault(fault));
    }

    /// Adds the warnings, if there are any, to those of the article with this source key.
    pub(crate) fn warn(self, source_key: &str, all: &mut BTreeMap<String, Vec<String>>) {
        if !self.faults.is_empty() {
            all.entry(source_key.to_owned()).or_default().extend(self.warnings());
        }
    }
}

/// Converts `2015-07-21`, `2015/7`, `20150721`, `21 July 2015`, `July 21, 2015`, `2015 Jul` or `2015年7月21日`; "" if the text is
/// not a date.
pub(crate) fn iso(text: &str) -> String {
    parts(text).map(|[year, month, day]| of(&year, &month, &day)).unwrap_or_default()
}

/// Year, month and day as a text has them, "" for those that it does not have; `None` if it has no year.
fn parts(text: &str) -> Option<[String; 3]> {
    let text = text.trim().split('T').next().unwrap_or_default();
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && text.len() == 8 {
        return Some([&text[..4], &text[4..6], &text[6..]].map(str::to_owned));
    }
    if is_number && text.len() == 6 {
        return Some([&text[..4], &text[4..], ""].map(str::to_owned));
    }
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() || matches!(c, '年' | '月' | '日')).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let year = |word: &&&str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    let found = words.iter().find(year).copied()?;
    let named = words.iter().find_map(|word| month_name(word));
    let numbers: Vec<&str> = words
        .iter()
        .copied()
        .filter(|word| *word != found && word.len() <= 4 && word.starts_with(|c: char| c.is_ascii_digit()))
        .map(|word| word.trim_end_matches(|c: char| c.is_ascii_alphabetic()))
        .collect();
    let number = |at: usize| numbers.get(at).copied().unwrap_or_default().to_owned();
    Some(match (named, words.first() == Some(&found)) {
        (Some(month), _) => [found.to_owned(), month.to_string(), number(0)],
        (None, true) => [found.to_owned(), number(0), number(1)],
        // 21/07/2015 and 07/21/2015 are ambiguous in general, so that the year alone is kept.
        (None, false) => [found.to_owned(), String::new(), String::new()],
    })
}

/// What no calendar has of a date: the part and its value. Words (`Jan-Feb`) are possible, and so are longer numbers, such as the second
/// year of `2015-2016`.
fn impossible(year: &str, month: &str, day: &str) -> Option<String> {
    let number = |text: &str| {
        let text = text.trim();
        let is_part = matches!(text.len(), 1 | 2) && text.bytes().all(|byte| byte.is_ascii_digit());
        if is_part { text.parse::<u32>().ok() } else { None }
    };
    let (year, written, day) = (year.trim(), number(month), number(day));
    if year == "0000" {
        // Databases write 0000-00-00 for a date that nobody has entered.
        let is_entered = [written, day].into_iter().flatten().any(|part| part > 0);
        return is_entered.then(|| "year 0".to_owned());
    }
    let number_of_year = self::year(year).filter(|_| year.len() == 4)?;
    if let Some(month) = written.filter(|month| !(1..=12).contains(month)) {
        // ISO 8601-2 numbers seasons and quarters from 21 to 41; they have no days.
        let is_season = (21..=41).contains(&month) && day.is_none();
        return (!is_season).then(|| format!("month {month}"));
    }
    let day = day?;
    let month = written.or_else(|| month_name(month).map(u32::from));
    let most = month.map_or(31, |month| days_in_month(number_of_year.unsigned_abs(), month));
    (!(1..=most).contains(&day)).then(|| match month {
        Some(month) => format!("day {day} of month {month}"),
        None => format!("day {day}"),
    })
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

    #[test]
    fn a_date_that_no_calendar_has_is_reported() {
        for (text, fault) in [
            ("2015-02-29", Some("day 29 of month 2 of the date \"2015-02-29\"; 2015-02 is used")),
            ("31 April 2015", Some("day 31 of month 4 of the date \"31 April 2015\"; 2015-04 is used")),
            ("2015-13-40", Some("month 13 of the date \"2015-13-40\"; 2015 is used")),
            ("20151301", Some("month 13")),
            ("2015-00-00", Some("month 0")),
            ("2015-24-03", Some("month 24")),
            ("0000-02-03", Some("year 0 of the date \"0000-02-03\"; it is left out")),
            ("2016-02-29", None),
            ("2015-24", None),
            ("2015-2016", None),
            ("Spring 2015", None),
            ("07/21/2015", None),
            ("0000-00-00", None),
            ("soon", None),
            ("", None),
        ] {
            let mut read = DateReader::new(FormatError::new("Test", "").record(3));
            assert_eq!(read.iso("issued", text), iso(text), "{text}");
            let said = read.warnings();
            assert_eq!(said.len(), usize::from(fault.is_some()), "{text}: {said:?}");
            let expected = fault.map(|fault| format!("Test, record 3, issued: no calendar has the {fault}"));
            assert!(expected.is_none_or(|expected| said[0].starts_with(&expected)), "{text}: {said:?}");
        }
    }

    #[test]
    fn a_date_in_parts_is_reported_once() {
        let mut read = DateReader::new(FormatError::new("Test", ""));
        assert_eq!(read.of("print", " 2015 ", "Feb", "30"), "2015-02");
        assert_eq!(read.of("print", "2015", "Feb", "30"), "2015-02");
        assert_eq!(read.of("print", "2015", "Spring", ""), "2015");
        assert_eq!(read.of("print", "2016", "2", "29"), "2016-02-29");
        let said = read.warnings();
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains("day 30 of month 2 of the date \"2015-Feb-30\"; 2015-02 is used"), "{said:?}");
    }
}
