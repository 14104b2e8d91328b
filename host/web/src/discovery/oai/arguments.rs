//! Arguments of a request, as strict as the protocol wants them.

use std::fmt::Write as _;

use crate::discovery::oai::xml::{Fault, OaiFormat};
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use masthead_domain::text::has_form;

use crate::discovery::oai::Trouble;

/// Names and values as they were given.
pub struct Arguments<'a>(pub &'a [(String, String)]);

impl Arguments<'_> {
    /// The one verb.
    pub fn verb(&self) -> Result<&str, Trouble> {
        let mut verbs = self.0.iter().filter(|(name, _)| name == "verb").map(|(_, value)| value.as_str());
        match (verbs.next(), verbs.next()) {
            (Some(verb), None) => Ok(verb),
            (None, _) => Err(Trouble::fault(Fault::BadVerb, "the verb is missing")),
            _ => Err(Trouble::fault(Fault::BadVerb, "the verb is given more than once")),
        }
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// All of `required` are there, and besides them only some of `optional`; each once.
    pub fn are(&self, required: &[&str], optional: &[&str]) -> Result<(), Trouble> {
        let bad = |words: String| Err(Trouble::Fault(Fault::BadArgument, words));
        for (at, (name, _)) in self.0.iter().enumerate().filter(|(_, (name, _))| name != "verb") {
            if !required.contains(&name.as_str()) && !optional.contains(&name.as_str()) {
                let name: String = name.chars().take(40).collect();
                return bad(format!("this request takes no argument {name:?}"));
            }
            if self.0[..at].iter().any(|(before, _)| before == name) {
                return bad(format!("the argument {name} is given more than once"));
            }
        }
        match required.iter().find(|name| self.get(name).is_none()) {
            Some(name) => bad(format!("the argument {name} is missing")),
            None => Ok(()),
        }
    }
}

/// The format with this prefix.
pub fn prefix(text: &str) -> Result<OaiFormat, Trouble> {
    let found = OaiFormat::ALL.into_iter().find(|format| format.prefix() == text);
    found.ok_or_else(|| Trouble::fault(Fault::CannotDisseminateFormat, "the formats here are oai_dc and jats"))
}

/// A day or a second, from its first to its last millisecond since 1970.
#[derive(Debug, PartialEq, Eq)]
pub struct Datestamp {
    pub seconds: bool,
    pub first_ms: i64,
    pub last_ms: i64,
}

/// `2026-05-17` or `2026-05-17T08:30:00Z`, and nothing else that a date could be.
pub fn day_or_second(text: &str) -> Result<Datestamp, Trouble> {
    let day = || {
        let date: Date = text.parse().ok()?;
        let first_ms = date.to_zoned(TimeZone::UTC).ok()?.timestamp().as_millisecond();
        Some(Datestamp { seconds: false, first_ms, last_ms: first_ms + 86_399_999 })
    };
    let second = || {
        let first_ms = text.parse::<Timestamp>().ok()?.as_millisecond();
        Some(Datestamp { seconds: true, first_ms, last_ms: first_ms + 999 })
    };
    let found = if has_form(text, "0000-00-00") {
        day()
    } else if has_form(text, "0000-00-00T00:00:00Z") {
        second()
    } else {
        None
    };
    found.ok_or_else(|| Trouble::fault(Fault::BadArgument, "dates are written as 2026-05-17 or 2026-05-17T08:30:00Z"))
}

/// A journal's key as a `setSpec`: what may not stand there is written as `~` and two hexadecimal digits a byte.
pub fn set_spec(key: &str) -> String {
    key.bytes().fold(String::with_capacity(key.len()), |mut spec, byte| {
        if byte.is_ascii_alphanumeric() || byte == b'-' {
            spec.push(char::from(byte));
        } else {
            let _ = write!(spec, "~{byte:02x}");
        }
        spec
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn only_the_two_forms_of_a_date_are_dates() {
        let read = |text: &str| day_or_second(text).ok();
        assert_eq!(read("1970-01-01"), Some(Datestamp { seconds: false, first_ms: 0, last_ms: 86_399_999 }));
        assert_eq!(read("1970-01-01T00:00:01Z"), Some(Datestamp { seconds: true, first_ms: 1000, last_ms: 1999 }));
        for text in [
            "",
            "2026",
            "2026-05",
            "2026-5-17",
            "2026-02-30",
            "2026-05-17T08:30Z",
            "2026-05-17T08:30:00",
            "2026-05-17T08:30:00+00:00",
            "2026-05-17T08:30:00.5Z",
            "2026-05-17t08:30:00z",
            "2026-05-17T25:00:00Z",
            "+026-05-17",
            "二〇二六-05-17",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_set_is_named_by_letters_that_the_protocol_has() {
        assert_eq!(set_spec("ocean-ledger"), "ocean-ledger");
        assert_eq!(set_spec("é:a"), "~c3~a9~3aa");
    }

    #[test]
    fn arguments_are_known_single_and_complete() {
        let are = |given: &[(&str, &str)]| {
            let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            Arguments(&given).are(&["a"], &["b"]).is_ok()
        };
        assert!(are(&[("verb", "x"), ("a", "1")]) && are(&[("b", "1"), ("a", "1")]));
        assert!(!are(&[("b", "1")]) && !are(&[("a", "1"), ("a", "1")]) && !are(&[("a", "1"), ("c", "1")]));
    }
}
