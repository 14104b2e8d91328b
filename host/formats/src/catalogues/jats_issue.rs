//! Issues in JATS: the issue metadata of articles, and publishers' issue files (`issue-xml` with `issue-meta`).

use std::io::Read;

use masthead_domain::{article::JournalRef, lang::language_tag};

use super::issue::{Period, issn};
use crate::{
    FormatError,
    date::{self, DateReader},
    xml::{Element, Elements},
};

const FORMAT: &str = "JATS";
/// Limit on the size of one front matter in bytes: room for abstracts and a thousand authors.
const MAX_META: usize = 16 << 20;

/// The issues in a file: that of an article, that of an issue file, or those of a set of articles, without duplicates.
///
/// Only the front matter of an article is read, so that its body may be malformed.
///
/// # Errors
/// [`FormatError`] if the file is not XML, or has no metadata of an article or issue.
pub fn periods<R: Read>(source: R) -> Result<Vec<Period>, FormatError> {
    let mut elements = Elements::new(FORMAT, source, &["journal-meta", "article-meta", "issue-meta"], MAX_META);
    let mut journal = JournalRef::default();
    let mut found: Vec<Period> = Vec::new();
    let mut any = false;
    while let Some(element) = elements.next() {
        let element = element?;
        if element.name == "journal-meta" {
            journal = journal_of(&element);
            continue;
        }
        any = true;
        let own = element.child("journal-meta").map(journal_of);
        let period = period(&element, own.unwrap_or_else(|| journal.clone()));
        if period.year.is_some() || !period.volume.is_empty() || !period.issue.is_empty() {
            period.add_to(&mut found);
        }
        let one = elements.root().is_some_and(|root| matches!(root.name.as_str(), "article" | "issue-xml" | "issue"));
        if one {
            break;
        }
    }
    if any {
        return Ok(found);
    }
    let root = elements.root().map_or("", |root| root.name.as_str());
    let reason =
        format!("the file has neither article-meta nor issue-meta (its root element is <{root}>): send JATS XML");
    Err(FormatError::new(FORMAT, reason))
}

fn journal_of(meta: &Element) -> JournalRef {
    let group = meta.child("journal-title-group").unwrap_or(meta);
    let mut journal = JournalRef {
        title: group.child_text("journal-title"),
        abbrev: group.child_text("abbrev-journal-title"),
        publisher: meta.path(&["publisher", "publisher-name"]).map(Element::text).unwrap_or_default(),
        ..JournalRef::default()
    };
    for one in group.all("trans-title-group") {
        journal.trans_titles.push((language_tag(one.attribute("lang")), one.child_text("trans-title")));
    }
    for one in meta.all("issn").filter_map(|one| issn(&one.text())) {
        if !journal.issn.contains(&one) {
            journal.issn.push(one);
        }
    }
    if journal.title.is_empty() {
        journal.title.clone_from(&journal.abbrev);
    }
    journal
}

fn period(meta: &Element, journal: JournalRef) -> Period {
    let titles = ["issue-title", "trans-issue-title"].into_iter().flat_map(|name| meta.all(name));
    let groups = meta.all("issue-title-group").flat_map(|group| group.all("issue-title"));
    let issue_titles = titles
        .chain(groups)
        .map(|one| (language_tag(one.attribute("lang")), one.text()))
        .filter(|(_, title)| !title.is_empty())
        .collect();
    let mut ids: Vec<(String, String)> = meta
        .all("issue-id")
        .map(|one| (one.attribute("pub-id-type").to_owned(), one.text()))
        .filter(|(_, id)| !id.is_empty())
        .collect();
    for (kind, id) in &mut ids {
        if kind.is_empty() {
            kind.push_str(if id.starts_with("10.") { "doi" } else { "publisher-id" });
        }
    }
    let (date, warnings) = issue_date(meta);
    let cover = meta.elements().find(|one| matches!(one.name.as_str(), "issue-cover" | "cover" | "cover-image"));
    let cover = cover.and_then(|cover| if cover.name == "cover-image" { Some(cover) } else { cover.child("graphic") });
    Period {
        journal,
        year: date::year(&date),
        volume: meta.child_text("volume"),
        issue: meta.child_text("issue"),
        part: meta.child_text("issue-part"),
        supplement: meta.child_text("supplement"),
        titles: issue_titles,
        descriptions: Vec::new(),
        date,
        cover: cover.map(|graphic| graphic.attribute("href").to_owned()).unwrap_or_default(),
        ids,
        warnings,
    }
}

/// The date of the issue, with warnings: collection, else print, else the first given.
fn issue_date(meta: &Element) -> (String, Vec<String>) {
    let kind = |one: &Element| {
        let words = [one.attribute("pub-type"), one.attribute("date-type"), one.attribute("publication-format")];
        words.join(" ")
    };
    let (mut dates, mut warnings) = (Vec::<(String, String)>::new(), Vec::new());
    for one in meta.all("pub-date") {
        let mut read = DateReader::new(FormatError::new(FORMAT, "").line(one.line));
        let date = date_of(one, &mut read);
        warnings.extend(read.warnings());
        if !date.is_empty() {
            dates.push((kind(one), date));
        }
    }
    // Whole words are compared: "preprint" is not "print".
    let of = |words: &[&str]| dates.iter().find(|(kind, _)| kind.split_whitespace().any(|word| words.contains(&word)));
    let found = of(&["collection", "issue"]).or_else(|| of(&["ppub", "epub-ppub", "print"])).or(dates.first());
    (found.map(|(_, date)| date.clone()).unwrap_or_default(), warnings)
}

fn date_of(element: &Element, read: &mut DateReader) -> String {
    let parts = ["year", "month", "day"].map(|part| element.child_text(part));
    let [year, month, day] = &parts;
    let made = read.of("pub-date", year, month, day);
    if made.is_empty() { read.iso("pub-date", element.attribute("iso-8601-date")) } else { made }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    const META: &str = "<journal-meta><journal-title-group><journal-title>Ocean Ledger</journal-title></journal-title-group><issn>1234-5679</issn></journal-meta>";

    #[test]
    fn the_issue_of_an_article_with_a_malformed_body_is_read() {
        let text = format!(
            "<!DOCTYPE article PUBLIC 'x' 'y.dtd'><article><front>{META}<article-meta>
            <pub-date pub-type='epub'><day>2</day><month>1</month><year>2025</year></pub-date>
            <pub-date pub-type='collection'><year>2026</year><month>Mar</month></pub-date>
            <volume>3</volume><issue>2</issue><issue-id>10.5555/i</issue-id><issue-title xml:lang='en'>On <italic>tides</italic></issue-title>
            <issue-part>B</issue-part><supplement>Suppl 1</supplement></article-meta></front><body>&mine; </wrong>"
        );
        let found = periods(text.as_bytes()).unwrap();
        let [period] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((period.date.as_str(), period.year, period.volume.as_str()), ("2026-03", Some(2026), "3"));
        assert_eq!(period.titles, [("en".to_owned(), "On tides".to_owned())]);
        assert_eq!((period.part.as_str(), period.supplement.as_str()), ("B", "Suppl 1"));
        assert_eq!(period.ids, [("doi".to_owned(), "10.5555/i".to_owned())]);
        assert_eq!(period.journal.issn, ["1234-5679"]);
    }

    #[test]
    fn a_date_that_no_calendar_has_is_cut_and_reported() {
        let text = format!(
            "<article><front>{META}<article-meta>\n<pub-date pub-type='ppub'><day>29</day><month>2</month><year>2015</year></pub-date>
            <pub-date pub-type='epub' iso-8601-date='2015-02-30'/><volume>3</volume><issue>2</issue></article-meta></front></article>"
        );
        let found = periods(text.as_bytes()).unwrap();
        let [period] = found.as_slice() else { panic!("{found:?}") };
        let [print, online] = period.warnings.as_slice() else { panic!("{period:?}") };
        assert_eq!((period.date.as_str(), period.year), ("2015-02", Some(2015)));
        let said =
            "JATS, line 2, pub-date: no calendar has the day 29 of month 2 of the date \"2015-2-29\"; 2015-02 is used";
        assert!(print.starts_with(said), "{print}");
        assert!(online.contains("line 3, pub-date") && online.contains("\"2015-02-30\""), "{online}");
    }

    #[test]
    fn issues_of_sets_and_of_issue_files_are_read_once() {
        let article = |issue: u8| {
            format!(
                "<article><front>{META}<article-meta><pub-date><year>2026</year></pub-date><volume>3</volume><issue>{issue}</issue></article-meta></front></article>"
            )
        };
        let set = format!("<articles>{}{}{}</articles>", article(1), article(1), article(2));
        assert_eq!(periods(set.as_bytes()).unwrap().len(), 2);
        let file = format!(
            "<issue-xml>{META}<issue-meta><volume>3</volume><issue>1</issue><issue-cover><graphic xlink:href='c.jpg'/></issue-cover></issue-meta></issue-xml>"
        );
        let found = periods(file.as_bytes()).unwrap();
        assert_eq!((found[0].cover.as_str(), found[0].journal.title.as_str()), ("c.jpg", "Ocean Ledger"));
        assert!(periods(&b"<html/>"[..]).unwrap_err().reason.contains("<html>"));
        assert!(periods(&b"<article><front><article-meta>"[..]).is_err());
    }
}
