//! Dates of the Gregorian calendar.

use crate::text::has_form;

/// Number of days of a month, from 1 to 12.
#[must_use]
pub fn days_in_month(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 31,
    }
}

/// Whether a text is a year, a month or a day that exists, in ISO 8601: `2026`, `2026-05`, `2026-05-17`.
#[must_use]
pub fn is_date(text: &str) -> bool {
    if !["0000", "0000-00", "0000-00-00"].iter().any(|form| has_form(text, form)) {
        return false;
    }
    let mut parts = text.split('-').map(|part| part.parse::<u32>().unwrap_or_default());
    let (year, month, day) = (parts.next().unwrap_or_default(), parts.next().unwrap_or(1), parts.next().unwrap_or(1));
    year > 0 && (1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day)
}

#[cfg(test)]
mod tests {
    use super::is_date;

    #[test]
    fn only_dates_of_the_calendar_are_dates() {
        for date in ["2026", "2026-12", "2026-02-28", "2024-02-29", "2000-02-29", "2026-04-30"] {
            assert!(is_date(date), "{date}");
        }
        for text in [
            "",
            "26",
            "2026-13",
            "2026-00",
            "2026-02-29",
            "1900-02-29",
            "2026-04-31",
            "2026-05-00",
            "2026-1-1",
            "2026/01/01",
            "0000",
            "May",
        ] {
            assert!(!is_date(text), "{text:?}");
        }
    }
}
