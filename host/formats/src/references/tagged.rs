//! Readers of formats with one tag a line: RIS (`TY  - JOUR`), EndNote (`%0 Journal Article`), Web of Science (`PT J`).

use masthead_domain::{article::page_range, content::text::fold, ids::Doi, lang::language_tag};

use super::{MAX_WORKS, characters};
use crate::{FormatError, Name, Records, Work, date::DateReader};

const RIS: &str = "RIS";
const ENDNOTE: &str = "EndNote";
/// Limit on the fields of one record.
const MAX_FIELDS: usize = 10_000;

/// One record: its line number and its fields, as pairs of tag and value.
struct Record {
    line: usize,
    fields: Vec<(String, String)>,
}

/// Reads RIS. A record without its end tag (`ER`) is read and reported.
///
/// # Errors
/// [`FormatError`] if the bytes are not text, or contain no record.
pub fn ris(bytes: &[u8]) -> Result<Records<Work>, FormatError> {
    let text = characters(RIS, bytes)?;
    let mut made = Records::default();
    let mut open: Option<Record> = None;
    for (at, line) in lines(&text) {
        match (ris_tag(line), &mut open) {
            (Some(("TY", value)), open) => {
                if let Some(unfinished) = open.take() {
                    let reason = "the record has no end (ER) before the next one begins; it was read up to there";
                    made.fault(FormatError::new(RIS, reason).record(made.records.len() + 1).line(unfinished.line));
                    push(&mut made, RIS, &unfinished, ris_work);
                }
                *open = Some(Record { line: at, fields: vec![("TY".to_owned(), value.to_owned())] });
            }
            (Some(("ER", _)), open) => {
                if let Some(record) = open.take() {
                    push(&mut made, RIS, &record, ris_work);
                }
            }
            (Some((tag, value)), Some(record)) => add(record, tag, value),
            (Some((tag, _)), None) => {
                let reason = format!("the tag {tag} stands before a record begins (TY); the line was left out");
                made.fault(FormatError::new(RIS, reason).line(at));
            }
            (None, Some(record)) => go_on(record, line),
            (None, None) => {}
        }
    }
    if let Some(record) = open {
        let reason = "the last record has no end (ER): the file may be cut off; it was read as far as it goes";
        made.fault(FormatError::new(RIS, reason).record(made.records.len() + 1).line(record.line));
        push(&mut made, RIS, &record, ris_work);
    }
    found(made, RIS, "no line begins a record (TY  - ...): export the list as RIS again")
}

/// Reads EndNote's tagged format (`.enw`), and that of the Web of Science, which has the same file extension.
///
/// # Errors
/// [`FormatError`] if the bytes are not text, or contain no record.
pub fn endnote(bytes: &[u8]) -> Result<Records<Work>, FormatError> {
    let text = characters(ENDNOTE, bytes)?;
    let mut made = Records::default();
    if text.lines().any(|line| line.trim_start().starts_with('%')) {
        percent(&text, &mut made);
    } else {
        web_of_science(&text, &mut made);
    }
    found(made, ENDNOTE, "no line begins a record (%0 ... or PT ...): export the list as EndNote again")
}

fn percent(text: &str, made: &mut Records<Work>) {
    let mut open: Option<Record> = None;
    for (at, line) in lines(text) {
        let tag = line.strip_prefix('%').and_then(|rest| {
            let tag = rest.chars().next()?;
            Some((tag.to_string(), rest.get(tag.len_utf8()..)?.trim()))
        });
        match (tag, &mut open) {
            (Some((tag, value)), open) if tag == "0" => {
                if let Some(record) = open.take() {
                    push(made, ENDNOTE, &record, percent_work);
                }
                *open = Some(Record { line: at, fields: vec![(tag, value.to_owned())] });
            }
            (Some((tag, value)), open) => {
                let record = open.get_or_insert_with(|| Record { line: at, fields: Vec::new() });
                add(record, &tag, value);
            }
            (None, Some(record)) => go_on(record, line),
            (None, None) => {}
        }
    }
    if let Some(record) = open {
        push(made, ENDNOTE, &record, percent_work);
    }
}

fn web_of_science(text: &str, made: &mut Records<Work>) {
    let mut open = Record { line: 1, fields: Vec::new() };
    for (at, line) in lines(text) {
        let indented = line.starts_with("   ");
        let line = line.trim();
        let tag = line.get(..2).filter(|tag| {
            tag.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
                && line.get(2..3).is_none_or(|next| next == " ")
        });
        match tag.filter(|_| !indented) {
            Some("FN" | "VR" | "EF") => {}
            Some("ER") => {
                let record = std::mem::replace(&mut open, Record { line: at + 1, fields: Vec::new() });
                push(made, ENDNOTE, &record, web_work);
            }
            Some(tag) => add(&mut open, tag, line.get(2..).unwrap_or_default().trim()),
            // Each author has a line of their own, the first of them with the tag.
            None => match open.fields.last().map(|(tag, _)| tag.clone()) {
                Some(tag) if matches!(tag.as_str(), "AU" | "AF" | "BE" | "ED") => add(&mut open, &tag, line),
                _ => go_on(&mut open, line),
            },
        }
    }
    if !open.fields.is_empty() {
        let reason = "the last record has no end (ER): the file may be cut off; it was read as far as it goes";
        made.fault(FormatError::new(ENDNOTE, reason).record(made.records.len() + 1).line(open.line));
        push(made, ENDNOTE, &open, web_work);
    }
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(['\n', '\r'])
        .scan((1, 0), move |state, line| {
            // CR LF is one line end; a single CR is one as well (old Macintosh files).
            let start = state.1;
            state.1 += line.len() + 1;
            let counts = text.as_bytes().get(start + line.len()) != Some(&b'\r')
                || text.as_bytes().get(start + line.len() + 1) != Some(&b'\n');
            let at = state.0;
            state.0 += usize::from(counts);
            Some((at, line))
        })
        .map(|(at, line)| (at, line.trim_start_matches('\u{feff}')))
        .filter(|(_, line)| !line.trim().is_empty())
}

/// Tag and value of `AU  - value`; some programs write fewer spaces.
fn ris_tag(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let tag = line.get(..2)?;
    let valid = tag.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        && tag.starts_with(|c: char| c.is_ascii_uppercase());
    let rest = line.get(2..)?;
    let trimmed = rest.trim_start();
    let value = trimmed.strip_prefix('-')?;
    (valid && rest.len() > trimmed.len() && (value.is_empty() || value.starts_with(char::is_whitespace)))
        .then(|| (tag, value.trim()))
}

pub(super) fn begins_ris(line: &str) -> bool {
    matches!(ris_tag(line.trim_start_matches('\u{feff}')), Some(("TY", _)))
}

fn add(record: &mut Record, tag: &str, value: &str) {
    if record.fields.len() < MAX_FIELDS {
        record.fields.push((tag.to_owned(), value.to_owned()));
    }
}

/// Appends a line without a tag to the last value.
fn go_on(record: &mut Record, line: &str) {
    if let Some((_, value)) = record.fields.last_mut() {
        if !value.is_empty() {
            value.push(' ');
        }
        value.push_str(line.trim());
    }
}

fn push(made: &mut Records<Work>, format: &'static str, record: &Record, read: fn(&Record, &mut DateReader) -> Work) {
    if made.records.len() >= MAX_WORKS {
        made.fault(FormatError::new(format, format!("the file has more than {MAX_WORKS} records: divide it")));
        return;
    }
    let place = FormatError::new(format, "").record(made.records.len() + 1).line(record.line);
    let mut dates = DateReader::new(place);
    made.records.push(read(record, &mut dates));
    dates.report(made);
}

fn found(made: Records<Work>, format: &'static str, otherwise: &str) -> Result<Records<Work>, FormatError> {
    if made.records.is_empty() { Err(FormatError::new(format, otherwise)) } else { Ok(made) }
}

impl Record {
    fn all<'a>(&'a self, tags: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
        self.fields
            .iter()
            .filter(|(tag, value)| tags.contains(&tag.as_str()) && !value.is_empty())
            .map(|(_, value)| value.as_str())
    }

    /// The first of these tags that has a value.
    fn first(&self, tags: &[&str]) -> String {
        tags.iter().find_map(|tag| self.all(&[tag]).next().map(fold)).unwrap_or_default()
    }

    fn names(&self, tags: &[&str]) -> Vec<Name> {
        self.all(tags).map(Name::parse).filter(|name| *name != Name::default()).collect()
    }

    /// An ISBN or an ISSN, distinguished by the number of digits.
    fn number(&self, tags: &[&str], isbn: bool) -> String {
        let digits = |value: &str| value.chars().filter(|c| c.is_ascii_digit() || matches!(c, 'X' | 'x')).count();
        self.all(tags).find(|value| (digits(value) >= 10) == isbn).map(fold).unwrap_or_default()
    }
}

/// The pages as one text. Some databases write the whole range as the first page.
fn joined_pages(first: String, last: &str) -> String {
    if first.contains(['-', '–']) { first } else { page_range(&first, last, '-') }
}

/// Sets date and year from the two fields that have them, each with its tag.
fn dated(work: &mut Work, dates: &mut DateReader, (year_tag, year): (&str, &str), (full_tag, full): (&str, &str)) {
    let given = [(full_tag, full), (year_tag, year)];
    let date = given.into_iter().map(|(tag, text)| dates.iso(tag, text)).find(|date| !date.is_empty());
    work.date = date.unwrap_or_default();
    let printed = year.split('/').next().unwrap_or_default().trim();
    work.year = if printed.is_empty() { work.date.get(..4).unwrap_or_default().to_owned() } else { printed.to_owned() };
}

fn ris_work(record: &Record, dates: &mut DateReader) -> Work {
    let one = |tags: &[&str]| record.first(tags);
    let kind = match one(&["TY"]).as_str() {
        "JOUR" | "EJOUR" | "JFULL" | "ABST" | "INPR" => "article-journal",
        "BOOK" | "EBOOK" | "EDBOOK" | "WHOLE" => "book",
        "CHAP" | "ECHAP" => "chapter",
        "CONF" | "CPAPER" => "paper-conference",
        "THES" => "thesis",
        "RPRT" => "report",
        "PAT" => "patent",
        "STAND" => "standard",
        "NEWS" => "article-newspaper",
        "MGZN" => "article-magazine",
        "ELEC" | "ICOMM" | "BLOG" => "webpage",
        "DATA" | "DBASE" => "dataset",
        "COMP" => "software",
        "MAP" => "map",
        "UNPB" => "article",
        "ENCYC" => "entry-encyclopedia",
        "DICT" => "entry-dictionary",
        _ => "document",
    };
    let hosted =
        matches!(kind, "article-journal" | "chapter" | "paper-conference" | "article-newspaper" | "article-magazine");
    let mut work = Work {
        key: one(&["ID"]),
        kind: kind.to_owned(),
        title: one(&["TI", "T1", "CT"]),
        container: one(&["T2", "JO", "JF", "BT", "JA", "J2", "SO"]),
        collection: one(&["T3"]),
        authors: record.names(&["AU", "A1"]),
        editors: record.names(if hosted { &["ED", "A2"] } else { &["ED", "A3"] }),
        translators: record.names(&["A4", "TA"]),
        volume: one(&["VL"]),
        issue: one(&["IS", "CP"]),
        pages: joined_pages(one(&["SP", "C7"]), &one(&["EP"])),
        edition: one(&["ET"]),
        publisher: one(&["PB"]),
        place: one(&["CY", "PP"]),
        number: one(&["M1"]),
        genre: one(&["M3"]),
        doi: record.all(&["DO", "M3", "UR"]).find_map(|value| Doi::parse(value).ok()),
        url: one(&["UR", "L2", "LK"]),
        accessed: dates.iso("Y2", &one(&["Y2"])),
        isbn: record.number(&["SN"], true),
        issn: record.number(&["SN"], false),
        language: language_tag(&one(&["LA"])),
        abstract_text: one(&["AB", "N2"]),
        keywords: record.all(&["KW"]).map(fold).collect(),
        ..Work::default()
    };
    // Old files have the title of a book in BT.
    if work.title.is_empty() {
        work.title = std::mem::take(&mut work.container);
    }
    if work.doi.as_ref().is_some_and(|doi| Doi::parse(&work.genre).is_ok_and(|genre| genre == *doi)) {
        work.genre.clear();
    }
    dated(&mut work, dates, ("PY", &one(&["PY", "Y1"])), ("DA", &one(&["DA"])));
    work
}

fn percent_work(record: &Record, dates: &mut DateReader) -> Work {
    let one = |tags: &[&str]| record.first(tags);
    let kind = match one(&["0"]).as_str() {
        "Journal Article" | "Electronic Article" => "article-journal",
        "Book" | "Edited Book" | "Electronic Book" => "book",
        "Book Section" | "Electronic Book Section" => "chapter",
        "Conference Paper" | "Conference Proceedings" => "paper-conference",
        "Thesis" => "thesis",
        "Report" | "Government Document" => "report",
        "Patent" => "patent",
        "Standard" => "standard",
        "Newspaper Article" => "article-newspaper",
        "Magazine Article" => "article-magazine",
        "Web Page" | "Electronic Source" | "Blog" => "webpage",
        "Dataset" | "Online Database" => "dataset",
        "Computer Program" => "software",
        "Map" => "map",
        "Unpublished Work" | "Manuscript" => "manuscript",
        "" => "",
        _ => "document",
    };
    let mut work = Work {
        key: one(&["F", "M"]),
        kind: kind.to_owned(),
        title: one(&["T"]),
        container: one(&["J", "B"]),
        collection: one(&["S"]),
        authors: record.names(&["A"]),
        editors: record.names(&["E"]),
        translators: record.names(&["?"]),
        volume: one(&["V"]),
        issue: one(&["N"]),
        pages: one(&["P"]),
        edition: one(&["7"]),
        publisher: one(&["I"]),
        place: one(&["C"]),
        genre: one(&["9"]),
        doi: record.all(&["R", "U"]).find_map(|value| Doi::parse(value).ok()),
        url: one(&["U"]),
        accessed: dates.iso("[", &one(&["["])),
        isbn: record.number(&["@"], true),
        issn: record.number(&["@"], false),
        language: language_tag(&one(&["G"])),
        abstract_text: one(&["X"]),
        keywords: record
            .all(&["K"])
            .flat_map(|value| value.split([';', '\n']))
            .map(fold)
            .filter(|one| !one.is_empty())
            .collect(),
        ..Work::default()
    };
    dated(&mut work, dates, ("D", &one(&["D"])), ("8", &one(&["8"])));
    work
}

fn web_work(record: &Record, dates: &mut DateReader) -> Work {
    let one = |tags: &[&str]| record.first(tags);
    let kind = match one(&["PT"]).as_str() {
        "B" => "book",
        "P" => "patent",
        "C" => "paper-conference",
        _ => "article-journal",
    };
    let full = record.names(&["AF"]);
    let mut work = Work {
        key: one(&["UT"]),
        kind: kind.to_owned(),
        title: one(&["TI"]),
        container: one(&["SO"]),
        collection: one(&["SE"]),
        authors: if full.is_empty() { record.names(&["AU"]) } else { full },
        editors: record.names(&["BE", "ED"]),
        volume: one(&["VL"]),
        issue: one(&["IS"]),
        pages: joined_pages(one(&["BP", "AR"]), &one(&["EP"])),
        publisher: one(&["PU"]),
        place: one(&["PI"]),
        doi: record.all(&["DI"]).find_map(|value| Doi::parse(value).ok()),
        isbn: one(&["BN"]),
        issn: one(&["SN"]),
        pmid: one(&["PM"]),
        abstract_text: one(&["AB"]),
        keywords: record
            .all(&["DE"])
            .flat_map(|value| value.split(';'))
            .map(fold)
            .filter(|one| !one.is_empty())
            .collect(),
        ..Work::default()
    };
    let (year, month) = (one(&["PY"]), one(&["PD"]));
    dated(&mut work, dates, ("PY", &year), ("PD", &format!("{month} {year}")));
    work
}
