//! Books as described in catalogues of publishers and libraries.

use masthead_domain::ids::Doi;

use crate::Name;

/// A book.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Book {
    /// The record's identifier: ONIX `RecordReference`, MARC 001.
    pub key: String,
    /// ISBN-13 without hyphens and with a valid check digit, or "".
    pub isbn: String,
    /// Further ISBN-13s (other bindings).
    pub other_isbns: Vec<String>,
    /// DOI, if the record has a valid one.
    pub doi: Option<Doi>,
    /// Title in its original script.
    pub title: String,
    /// Subtitle.
    pub subtitle: String,
    /// Romanized title, if the title is in a non-Latin script and the record has both; else "".
    pub romanized_title: String,
    /// English title, if the record has one besides the title; else "".
    pub english_title: String,
    /// Authors and other contributors.
    pub contributors: Vec<BookContributor>,
    /// Publisher.
    pub publisher: String,
    /// Place of publication.
    pub place: String,
    /// Edition as printed, or its number.
    pub edition: String,
    /// Date of this edition, ISO 8601 with the precision of the record, or "".
    pub published: String,
    /// Date of the first edition, in the same form.
    pub first_published: String,
    /// BCP 47 tag of the text's language, or "".
    pub language: String,
    /// BCP 47 tag of the original's language, for a translation.
    pub original_language: String,
    /// Number of pages, if known.
    pub pages: Option<u32>,
    /// Description, one paragraph a line.
    pub description: String,
    /// Table of contents ("catalogue"), one entry a line.
    pub contents: String,
    /// Subject headings and keywords.
    pub subjects: Vec<String>,
    /// Classification codes: `(scheme, code)` such as `("thema", "FFP")`.
    pub codes: Vec<(String, String)>,
    /// Title of the series, or "".
    pub series: String,
    /// Address or file name of the cover picture, or "".
    pub cover: String,
    /// Whether the record marks the book as withdrawn.
    pub withdrawn: bool,
    /// Warnings about the record.
    pub warnings: Vec<String>,
}

/// A contributor to a book.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BookContributor {
    /// `author`, `editor`, `translator`, `illustrator`, `introduction`, `compiler` or `contributor`.
    pub role: String,
    /// The name in its original script.
    pub name: Name,
    /// The romanized name, if the record has both; else "".
    pub romanized: String,
    /// ORCID iD, or "".
    pub orcid: String,
    /// Biography, one paragraph a line.
    pub bio: String,
}

impl Book {
    /// Adds an ISBN as printed: the first becomes the ISBN, further ones other ISBNs, an invalid one a warning.
    pub(super) fn add_isbn(&mut self, printed: &str) {
        match isbn13(printed) {
            Some(isbn) if self.isbn.is_empty() => self.isbn = isbn,
            Some(isbn) if isbn != self.isbn && !self.other_isbns.contains(&isbn) => self.other_isbns.push(isbn),
            Some(_) => {}
            None => self.warn(format!(
                "{:?} is not an ISBN (its length or check digit is wrong); it was left out",
                short(printed)
            )),
        }
    }

    pub(super) fn warn(&mut self, warning: impl Into<String>) {
        if self.warnings.len() < 50 {
            self.warnings.push(warning.into());
        }
    }
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The ISBN-13 of a printed ISBN of 13 or 10 digits, without hyphens and any text behind a space; `None` if the check digit is
/// wrong.
#[must_use]
pub fn isbn13(printed: &str) -> Option<String> {
    let printed = printed.trim();
    let printed = ["ISBN-13:", "ISBN-10:", "ISBN:", "ISBN"]
        .iter()
        .find_map(|prefix| printed.strip_prefix(prefix))
        .unwrap_or(printed)
        .trim_start();
    let number = printed.split(['(', ':', ';', ',']).next().unwrap_or_default().trim();
    let number: String =
        number.chars().filter(|c| !matches!(c, '-' | '‐' | '–' | ' ')).collect::<String>().to_uppercase();
    let digits: Vec<u32> = number
        .char_indices()
        .map(|(at, c)| if c == 'X' && at == 9 && number.len() == 10 { Some(10) } else { c.to_digit(10) })
        .collect::<Option<_>>()?;
    match digits.len() {
        13 => ((number.starts_with("97") && digits.get(2).is_some_and(|third| *third >= 8)) && check13(&digits) == 0)
            .then_some(number),
        10 => {
            let sum: u32 = digits.iter().zip((1..=10).rev()).map(|(digit, weight)| digit * weight).sum();
            if !sum.is_multiple_of(11) {
                return None;
            }
            let body = format!("978{}", number.get(..9)?);
            let with_zero: Vec<u32> = body.chars().filter_map(|c| c.to_digit(10)).chain([0]).collect();
            Some(format!("{body}{}", (10 - check13(&with_zero)) % 10))
        }
        _ => None,
    }
}

fn check13(digits: &[u32]) -> u32 {
    digits.iter().zip([1, 3].into_iter().cycle()).map(|(digit, weight)| digit * weight).sum::<u32>() % 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn isbns_are_checked_and_converted_to_13_digits() {
        for (printed, expected) in [
            ("978-3-16-148410-0", Some("9783161484100")),
            ("0-306-40615-2", Some("9780306406157")),
            ("080442957X (pbk.) :", Some("9780804429573")),
            ("ISBN 9783161484100", Some("9783161484100")),
            ("9783161484101", None),
            ("0306406153", None),
            ("123", None),
            ("", None),
            ("4006381333931", None),
        ] {
            assert_eq!(isbn13(printed).as_deref(), expected, "{printed}");
        }
    }
}
