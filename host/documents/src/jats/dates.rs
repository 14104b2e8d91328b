//! Import of dates: those of an article's history and publication, in ISO 8601.

use masthead_domain::{
    article::Dates,
    calendar::{days_in_month, is_date},
};

use super::xml::{X, attr, child, child_text, children, elements, name};

/// The date of an element with the precision that it has; "" without a year. A part that no calendar has (month 13, 30 February)
/// and the parts after it are left out.
pub(super) fn date(x: X) -> String {
    let iso = x.attribute("iso-8601-date").map(str::trim);
    if let Some(iso) = iso.filter(|iso| is_date(iso) && child(x, "year").is_none()) {
        return iso.to_owned();
    }
    let year = child_text(x, "year");
    if year.len() != 4 || !year.bytes().all(|byte| byte.is_ascii_digit()) {
        return String::new();
    }
    let Some(month) = month(&child_text(x, "month")) else { return year };
    match child_text(x, "day").parse::<u32>() {
        Ok(day) if (1..=days(&year, month)).contains(&day) => format!("{year}-{month:02}-{day:02}"),
        _ => format!("{year}-{month:02}"),
    }
}

/// What is impossible in a date: the part and its value. Words (`Jan-Feb`, `Spring`) are possible.
pub(super) fn impossible(x: X) -> Option<String> {
    let number = |part: &str| child_text(x, part).parse::<u32>().ok();
    let year = child_text(x, "year");
    if let Some(years) = number("year")
        && year.len() != 4
    {
        return Some(format!("year {years}"));
    }
    let written = number("month");
    if let Some(month) = written.filter(|month| !(1..=12).contains(month)) {
        return Some(format!("month {month}"));
    }
    let day = number("day")?;
    let most = month(&child_text(x, "month")).map_or(31, |month| days(&year, month));
    (day == 0 || day > most).then(|| match written {
        Some(month) => format!("day {day} of month {month}"),
        None => format!("day {day}"),
    })
}

/// Number of days of a month; of February 29 where the year is no number.
fn days(year: &str, month: u8) -> u32 {
    days_in_month(year.parse().unwrap_or(4), u32::from(month))
}

/// The number of a month, written as a number or an English name.
fn month(source: &str) -> Option<u8> {
    let lower = source.trim_end_matches('.').to_lowercase();
    if let Ok(number @ 1..=12) = lower.parse::<u8>() {
        return Some(number);
    }
    masthead_domain::text::month(&lower)
}

/// What a date of publication is the date of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Event {
    /// The publication of the article.
    Publication,
    /// The publication of the issue or collection that it belongs to.
    Collection,
    /// The publication of the text before its review.
    Preprint,
    /// Another event: a correction, a retraction, the release by an archive.
    Other,
}

/// The medium of a publication: print, online, or both.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Medium {
    print: bool,
    online: bool,
}

const PRINT: Medium = Medium { print: true, online: false };
const ONLINE: Medium = Medium { print: false, online: true };
const BOTH: Medium = Medium { print: true, online: true };

/// What a word of `pub-type` or `date-type` says about the event and the medium.
fn meaning(word: &str) -> (Option<Event>, Option<Medium>) {
    match word {
        "" => (None, None),
        "pub" | "publication" | "published" => (Some(Event::Publication), None),
        "epub" | "online" | "electronic" | "published-online" => (Some(Event::Publication), Some(ONLINE)),
        "ppub" | "print" | "published-print" => (Some(Event::Publication), Some(PRINT)),
        "epub-ppub" | "ppub-epub" => (Some(Event::Publication), Some(BOTH)),
        "collection" | "issue" => (Some(Event::Collection), None),
        "epreprint" | "preprint" => (Some(Event::Preprint), Some(ONLINE)),
        _ => (Some(Event::Other), None),
    }
}

/// What a value of `publication-format` says.
fn format(word: &str) -> Option<Medium> {
    match word {
        "print" | "ppub" | "paper" => Some(PRINT),
        "electronic" | "epub" | "online" | "web" | "ebook" | "electronic-only" | "online-only" => Some(ONLINE),
        "epub-ppub" | "print-electronic" | "electronic-print" => Some(BOTH),
        _ => None,
    }
}

/// Event and medium of a `pub-date`. NLM and the first versions of JATS have both in `pub-type`; later ones have the event in `date-type` and the
/// medium in `publication-format`; sources of all versions mix them. The newer attribute decides, except that the older one may be the more
/// exact: `pub-type="collection" date-type="pub"` is a collection.
fn kind(x: X) -> (Event, Option<Medium>) {
    let word = |key: &str| attr(x, key).to_ascii_lowercase();
    let (older, older_medium) = meaning(&word("pub-type"));
    let (newer, newer_medium) = meaning(&word("date-type"));
    let event = match (newer, older) {
        (None, None) => Event::Publication,
        (Some(Event::Publication), Some(older @ (Event::Collection | Event::Preprint))) => older,
        (Some(event), _) | (None, Some(event)) => event,
    };
    (event, format(&word("publication-format")).or(newer_medium).or(older_medium))
}

/// The dates of the article's history and publication. The date of a collection is the date of print only if it says so or is the only
/// one: journals that appear online only give it too. That of a preprint counts if no other date of publication online is given.
pub(super) fn dates(front: X) -> Dates {
    let mut dates = Dates::default();
    let (mut collection, mut preprint) = (String::new(), String::new());
    let history = child(front, "history").into_iter().flat_map(elements);
    let events =
        child(front, "pub-history").into_iter().flat_map(|x| x.descendants()).filter(|node| name(*node) == "date");
    for x in history.chain(events) {
        let value = date(x);
        let field = match attr(x, "date-type") {
            "received" => &mut dates.received,
            "rev-recd" | "rev-received" | "revised" | "rev-request" => {
                // The latest revision is kept.
                if value > dates.revised {
                    dates.revised = value;
                }
                continue;
            }
            "accepted" => &mut dates.accepted,
            // "pub" alone is the date of any version of the article.
            other => match meaning(&other.to_ascii_lowercase()) {
                (Some(Event::Publication), Some(medium)) => {
                    published(&mut dates, medium, &value);
                    continue;
                }
                (Some(Event::Preprint), _) => &mut preprint,
                _ => continue,
            },
        };
        longer(field, &value);
    }
    for x in children(front, "pub-date") {
        let value = date(x);
        match kind(x) {
            (Event::Publication, medium) => published(&mut dates, medium.unwrap_or(ONLINE), &value),
            (Event::Collection, Some(medium)) if medium.print => longer(&mut dates.print, &value),
            (Event::Collection, None) => longer(&mut collection, &value),
            (Event::Preprint, _) => longer(&mut preprint, &value),
            (Event::Collection | Event::Other, _) => {}
        }
    }
    if dates.online.is_empty() {
        dates.online = preprint;
    }
    if dates.online.is_empty() && dates.print.is_empty() {
        dates.print = collection;
    }
    dates
}

fn published(dates: &mut Dates, medium: Medium, value: &str) {
    if medium.print {
        longer(&mut dates.print, value);
    }
    if medium.online {
        longer(&mut dates.online, value);
    }
}

/// Takes a date over if it is more exact than the known one.
fn longer(known: &mut String, value: &str) {
    if known.len() < value.len() {
        value.clone_into(known);
    }
}

/// Whether none of the dates that are read says what this one says.
pub(super) fn unread(x: X) -> bool {
    let value = date(x);
    let Some(front) = x.ancestors().find(|up| name(*up) == "article-meta").filter(|_| !value.is_empty()) else {
        return true;
    };
    let Dates { received, revised, accepted, print, online } = dates(front);
    ![received, revised, accepted, print, online].iter().any(|read| read.starts_with(&value))
}

/// The year of publication: of the issue, else of the article.
pub(super) fn year(front: X, dates: &Dates) -> Option<i32> {
    let of = |date: &str| date.get(..4).and_then(|year| year.parse().ok());
    let collections = children(front, "pub-date").filter(|x| kind(*x).0 == Event::Collection);
    collections
        .map(date)
        .find_map(|date| of(&date))
        .or_else(|| of(&dates.print))
        .or_else(|| of(dates.published()))
        .or_else(|| children(front, "pub-date").find_map(|x| of(&date(x))))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::{date, dates, impossible, month, year};

    #[test]
    fn months_are_read() {
        assert_eq!(month("05"), Some(5));
        assert_eq!(month("Sept."), Some(9));
        assert_eq!(month("13"), None);
        assert_eq!(month(""), None);
    }

    /// Print date, online date and year of an article with these dates, each given as its attributes and its ISO date.
    fn of(given: &[(&str, &str)]) -> (String, String, Option<i32>) {
        let element = |(attributes, iso): &(&str, &str)| {
            let mut parts = iso.split('-');
            let parts: String = ["year", "month", "day"]
                .iter()
                .filter_map(|name| parts.next().map(|part| format!("<{name}>{part}</{name}>")))
                .collect();
            format!("<pub-date {attributes}>{parts}</pub-date>")
        };
        let all: String = given.iter().map(element).collect();
        let source = format!("<article-meta>{all}</article-meta>");
        let document = masthead_xml::Document::parse(&source).unwrap();
        let front = document.root_element();
        let read = dates(front);
        let year = year(front, &read);
        (read.print, read.online, year)
    }

    #[test]
    fn dates_of_publication_count_in_the_attributes_of_all_versions() {
        let day = "2019-01-04";
        for (attributes, print, online) in [
            ("pub-type='epub'", false, true),
            ("pub-type='ppub'", true, false),
            ("pub-type='epub-ppub'", true, true),
            ("pub-type='pub'", false, true),
            ("", false, true),
            ("date-type='pub' publication-format='electronic'", false, true),
            ("date-type='pub' publication-format='print'", true, false),
            ("date-type='publication' publication-format='electronic'", false, true),
            ("date-type='published' publication-format='print'", true, false),
            ("date-type='pub' publication-format='ppub'", true, false),
            ("date-type='pub' publication-format='epub'", false, true),
            ("publication-format='print'", true, false),
            ("date-type='PUB' publication-format='Print'", true, false),
            // Both the older and the newer attributes.
            ("pub-type='epub' date-type='pub'", false, true),
            ("pub-type='ppub' date-type='pub'", true, false),
            ("pub-type='epub-original' date-type='pub' publication-format='electronic'", false, true),
            ("pub-type='epub-ppub' date-type='pub' publication-format='electronic'", false, true),
            ("pub-type='ppub' date-type='pub' publication-format='print'", true, false),
            // Other events.
            ("pub-type='pmc-release'", false, false),
            ("pub-type='epub' date-type='corrected'", false, false),
            ("date-type='update' publication-format='electronic'", false, false),
            ("date-type='retracted' publication-format='print'", false, false),
        ] {
            let (printed, put_online, _) = of(&[(attributes, day)]);
            assert_eq!((printed == day, put_online == day), (print, online), "{attributes}");
        }
    }

    #[test]
    fn the_date_of_a_collection_is_that_of_print_only_if_nothing_else_is_known() {
        let online = ("pub-type='epub'", "2018-12-30");
        for collection in [
            "pub-type='collection'",
            "date-type='collection'",
            "date-type='collection' publication-format='electronic'",
            "pub-type='collection' date-type='pub'",
        ] {
            let expected = (String::new(), "2018-12-30".to_owned(), Some(2019));
            assert_eq!(of(&[online, (collection, "2019")]), expected, "{collection}");
            assert_eq!(of(&[(collection, "2019"), online]), expected, "{collection}");
        }
        let printed = ("date-type='collection' publication-format='print'", "2019-02");
        assert_eq!(of(&[online, printed]), ("2019-02".to_owned(), "2018-12-30".to_owned(), Some(2019)));
        assert_eq!(of(&[("pub-type='collection'", "2019-02")]), ("2019-02".to_owned(), String::new(), Some(2019)));
        let preprint = ("pub-type='epreprint'", "2018-01-01");
        assert_eq!(of(&[preprint, online]).1, "2018-12-30", "a preprint is not the publication");
        assert_eq!(of(&[preprint]).1, "2018-01-01");
    }

    #[test]
    fn an_iso_date_counts_only_if_it_exists() {
        for (iso, read) in [("2024-02-29", "2024-02-29"), (" 2024 ", "2024"), ("2023-02-29", ""), ("2024/01/01", "")] {
            let source = format!("<date iso-8601-date='{iso}'/>");
            let document = masthead_xml::Document::parse(&source).unwrap();
            assert_eq!(date(document.root_element()), read, "{iso}");
        }
    }

    #[test]
    fn parts_that_no_calendar_has_are_left_out_and_named() {
        for (parts, read, fault) in [
            (["31", "12", "2024"], "2024-12-31", None),
            (["29", "2", "2024"], "2024-02-29", None),
            (["29", "Feb", "1900"], "1900-02", Some("day 29")),
            (["30", "2", "2024"], "2024-02", Some("day 30 of month 2")),
            (["0", "5", "2024"], "2024-05", Some("day 0 of month 5")),
            (["5", "13", "2024"], "2024", Some("month 13")),
            (["", "Jan-Feb", "2024"], "2024-01", None),
            (["", "", "20244"], "", Some("year 20244")),
        ] {
            let [day, month, year] = parts;
            let source = format!("<date><day>{day}</day><month>{month}</month><year>{year}</year></date>");
            let document = masthead_xml::Document::parse(&source).unwrap();
            let x = document.root_element();
            assert_eq!((date(x).as_str(), impossible(x).as_deref()), (read, fault), "{source}");
        }
    }
}
