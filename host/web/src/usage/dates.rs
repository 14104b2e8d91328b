//! Conversion of days since 1970 to ISO dates, and arithmetic in months.

use jiff::{Span, Timestamp, civil::Date, tz::TimeZone};

const EPOCH: Date = jiff::civil::date(1970, 1, 1);

fn date(day: i64) -> Date {
    // Clamped to the range of the calendar, which ends with the year 9999.
    EPOCH.checked_add(Span::new().days(day.clamp(0, 2_900_000))).unwrap_or(EPOCH)
}

/// A date in days since 1970.
#[must_use]
pub fn day(date: Date) -> i64 {
    date.since(EPOCH).map_or(0, |span| i64::from(span.get_days()))
}

/// The ISO date of a day, given in days since 1970.
#[must_use]
pub fn iso(day: i64) -> String {
    date(day).to_string()
}

/// An instant, given in milliseconds since 1970, as ISO 8601 in a time zone with its offset.
#[must_use]
pub fn instant(ms: i64, zone: &TimeZone) -> String {
    let instant = Timestamp::from_millisecond(ms).unwrap_or(Timestamp::UNIX_EPOCH);
    instant.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

/// An instant in ISO 8601, in a time zone; another text stays as it is.
#[must_use]
pub fn local(text: &str, zone: &TimeZone) -> String {
    text.parse::<Timestamp>().map_or_else(|_| text.to_owned(), |at| instant(at.as_millisecond(), zone))
}

/// The day a number of months before `from`, in days since 1970; not before 1970.
#[must_use]
pub fn months_before(from: i64, months: u32) -> i64 {
    let months = i64::from(months.min(12_000));
    let before = date(from).checked_sub(Span::new().months(months)).unwrap_or(EPOCH);
    day(before).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates_and_short_months_are_clamped() {
        assert_eq!((iso(0).as_str(), iso(20_000).as_str()), ("1970-01-01", "2024-10-04"));
        let end_of_may = 151 + 365 * 2 - 1;
        assert_eq!(iso(months_before(end_of_may, 3)), "1972-02-29");
        assert_eq!(months_before(10, 36), 0);
        assert_eq!([instant(0, &TimeZone::UTC), instant(i64::MAX, &TimeZone::UTC)], ["1970-01-01T00:00:00+00:00"; 2]);
        let shanghai = TimeZone::fixed(jiff::tz::offset(8));
        assert_eq!(instant(1_728_000_061_999, &shanghai), "2024-10-04T08:01:01+08:00");
        assert_eq!(local("2024-10-04T00:01:01Z", &shanghai), "2024-10-04T08:01:01+08:00");
        assert_eq!(local("2024-10-04", &shanghai), "2024-10-04", "a day has no time zone");
        assert!(iso(i64::MAX).starts_with("99"));
    }
}
