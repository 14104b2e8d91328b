//! Import of dates: those of an article's history and publication, in ISO 8601.

use masthead_domain::article::Dates;

use super::xml::{X, attr, child, child_text, children, elements, name};

/// The date of an element with the precision that it has; "" without a year. A part that no calendar has (month 13, 30 February)
/// and the parts after it are left out.
pub(super) fn date(x: X) -> String {
    if let Some(iso) = x.attribute("iso-8601-date").map(str::trim).filter(|iso| {
        let digits = iso.bytes().filter(u8::is_ascii_digit).count();
        matches!((iso.len(), digits), (4, 4) | (7, 6) | (10, 8)) && child(x, "year").is_none()
    }) {
        return iso.to_owned();
    }
    let year = child_text(x, "year");
    if year.len() != 4 || !year.bytes().all(|byte| byte.is_ascii_digit()) {
        return String::new();
    }
    let Some(month) = month(&child_text(x, "month")) else { return year };
    match child_text(x, "day").parse::<u8>() {
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
    (day == 0 || day > u32::from(most)).then(|| match written {
        Some(month) => format!("day {day} of month {month}"),
        None => format!("day {day}"),
    })
}

/// Number of days of a month in the Gregorian calendar.
fn days(year: &str, month: u8) -> u8 {
    let year = year.parse::<u32>().unwrap_or(4);
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 31,
    }
}

/// The number of a month, written as a number or an English name.
fn month(source: &str) -> Option<u8> {
    let lower = source.trim_end_matches('.').to_lowercase();
    if let Ok(number @ 1..=12) = lower.parse::<u8>() {
        return Some(number);
    }
    masthead_domain::text::month(&lower)
}

/// The dates of the article's history and publication.
pub(super) fn dates(front: X) -> Dates {
    let mut dates = Dates::default();
    let history = child(front, "history").into_iter().flat_map(elements);
    let events =
        child(front, "pub-history").into_iter().flat_map(|x| x.descendants()).filter(|node| name(*node) == "date");
    for x in history.chain(events).chain(children(front, "pub-date")) {
        let published = name(x) == "pub-date";
        let kind = if published {
            format!("{} {}", attr(x, "pub-type"), attr(x, "date-type"))
        } else {
            attr(x, "date-type").to_owned()
        };
        let format = attr(x, "publication-format");
        let value = date(x);
        let field = match kind.trim() {
            "received" => &mut dates.received,
            "rev-recd" | "rev-received" | "revised" | "rev-request" => {
                // The latest revision is kept.
                if value > dates.revised {
                    dates.revised.clone_from(&value);
                }
                continue;
            }
            "accepted" => &mut dates.accepted,
            "ppub" | "epub-ppub" => &mut dates.print,
            "epub" | "published-online" | "online" | "epreprint" | "preprint" => &mut dates.online,
            "pub" | "publication" | "" if published && format == "print" => &mut dates.print,
            "pub" | "publication" | "" if published => &mut dates.online,
            "collection" if published && format != "electronic" => &mut dates.print,
            _ => continue,
        };
        if field.len() < value.len() {
            *field = value;
        }
    }
    dates
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
    let collection = children(front, "pub-date")
        .find(|x| attr(*x, "pub-type") == "collection" || attr(*x, "date-type") == "collection")
        .map(date);
    collection
        .as_deref()
        .and_then(of)
        .or_else(|| of(&dates.print))
        .or_else(|| of(dates.published()))
        .or_else(|| children(front, "pub-date").find_map(|x| of(&date(x))))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::{date, impossible, month};

    #[test]
    fn months_are_read() {
        assert_eq!(month("05"), Some(5));
        assert_eq!(month("Sept."), Some(9));
        assert_eq!(month("13"), None);
        assert_eq!(month(""), None);
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
