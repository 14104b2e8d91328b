//! Conversion of MARC 21 fields to a book.

use masthead_domain::{
    ids::Doi,
    lang::{has_han_or_hangul, is_han_or_hangul, language_tag},
};

use super::{FORMAT, Field, Record};
use crate::{
    FormatError, Name,
    catalogues::{Book, BookContributor},
    date,
};

impl Record {
    fn fields<'a>(&'a self, tags: &'a [&'a str]) -> impl Iterator<Item = &'a Field> {
        self.data.iter().filter(|field| tags.contains(&field.tag.as_str()))
    }

    /// The linked field in the original script (880), found by the occurrence number in subfield 6.
    fn own_script<'a>(&'a self, field: &Field) -> Option<&'a Field> {
        let (_, number) = link(field)?;
        if number == "00" {
            return None;
        }
        self.fields(&["880"]).find(|other| link(other).is_some_and(|(tag, same)| tag == field.tag && same == number))
    }

    fn control(&self, tag: &str) -> &str {
        self.control.iter().find(|(own, _)| own == tag).map_or("", |(_, value)| value)
    }
}

/// Tag and occurrence number in subfield 6: `880-01`, or `245-01/$1`.
fn link(field: &Field) -> Option<(&str, &str)> {
    let (_, value) = field.subfields.iter().find(|(code, _)| *code == '6')?;
    Some((value.get(..3)?, value.get(4..6)?))
}

impl Field {
    fn first(&self, code: char) -> &str {
        self.subfields.iter().find(|(own, value)| *own == code && !value.is_empty()).map_or("", |(_, value)| value)
    }

    fn all<'a>(&'a self, codes: &'a str) -> impl Iterator<Item = &'a str> {
        self.subfields
            .iter()
            .filter(|(code, value)| codes.contains(*code) && !value.is_empty())
            .map(|(_, value)| value.as_str())
    }

    fn joined(&self, codes: &str, between: &str) -> String {
        self.all(codes).collect::<Vec<_>>().join(between)
    }
}

/// A value without the punctuation that cataloguing rules (ISBD) put between parts.
fn bare(text: &str) -> String {
    let trimmed = text.trim().trim_end_matches([' ', '/', ':', ';', ',', '=']);
    // The full stop of an abbreviation is kept.
    let stop = trimmed.strip_suffix('.').filter(|rest| {
        let last = rest.rsplit([' ', '.', '-']).next().unwrap_or_default();
        last.chars().count() > 3 || last.chars().all(|c| c.is_ascii_digit() || is_han_or_hangul(c))
    });
    stop.unwrap_or(trimmed).trim_end().trim_start_matches(['[', ' ']).trim_end_matches(']').to_owned()
}

pub(super) fn book(record: &Record) -> Result<Book, FormatError> {
    let mut book =
        Book { key: record.control("001").trim().to_owned(), warnings: record.warnings.clone(), ..Book::default() };
    titles(record, &mut book)?;
    for field in record.fields(&["020"]) {
        if let Some(isbn) = field.all("a").next() {
            book.add_isbn(isbn);
        }
    }
    for field in record.fields(&["024"]) {
        if field.first('2') == "doi" && book.doi.is_none() {
            book.doi = Doi::parse(field.first('a')).ok();
        }
    }
    people(record, &mut book);
    published(record, &mut book);
    languages(record, &mut book);
    if let Some(field) = record.fields(&["250"]).next() {
        book.edition = bare(&field.joined("a", " "));
    }
    let lines = |tags: &[&str], codes: &str| {
        record
            .fields(tags)
            .map(|field| field.joined(codes, " "))
            .filter(|line| !line.is_empty())
            .collect::<Vec<_>>()
            .join("\n")
    };
    book.contents = lines(&["505"], "agrt").replace(" -- ", "\n");
    book.description = lines(&["520"], "ab");
    for field in record.fields(&["600", "610", "611", "630", "650", "651", "653"]) {
        let heading = bare(&field.joined("abcdqtxyzv", " -- ").replace(", -- ", ", "));
        if !heading.is_empty() && !book.subjects.contains(&heading) {
            book.subjects.push(heading);
        }
    }
    for (tag, scheme) in [("050", "lcc"), ("082", "ddc"), ("093", "clc"), ("690", "clc")] {
        for code in record.fields(&[tag]).map(|field| field.first('a')).filter(|code| !code.is_empty()) {
            book.codes.push((scheme.to_owned(), code.to_owned()));
        }
    }
    let series = record.fields(&["490", "830", "440"]).next();
    book.series = series.map(|field| bare(record.own_script(field).unwrap_or(field).first('a'))).unwrap_or_default();
    let extent = record.fields(&["300"]).next().map(|field| field.first('a')).unwrap_or_default();
    book.pages = pages(extent);
    book.withdrawn = record.leader.as_bytes().get(5) == Some(&b'd');
    if record.leader.as_bytes().get(7) == Some(&b's') {
        book.warn("the record describes a serial, not a book");
    }
    Ok(book)
}

fn titles(record: &Record, book: &mut Book) -> Result<(), FormatError> {
    let field = record.fields(&["245"]).next();
    let field = field.filter(|field| !field.joined("abnp", "").is_empty()).ok_or_else(|| {
        FormatError::new(FORMAT, "the record has no title (245 $a); it was left out").field(book.key.clone())
    })?;
    let title = |field: &Field| bare(&field.joined("anp", " "));
    book.title = title(field);
    book.subtitle = bare(&field.joined("b", " "));
    if let Some(own) = record.own_script(field) {
        book.romanized_title = std::mem::replace(&mut book.title, title(own));
        book.subtitle = bare(&own.joined("b", " "));
    }
    // 245 has a subtitle or a part only.
    if book.title.is_empty() {
        book.title = std::mem::take(&mut book.subtitle);
    }
    let translated = record.fields(&["242"]).find(|field| matches!(field.first('y').trim_end_matches('.'), "eng" | ""));
    // 246 with second indicator 1 is a parallel title; the field has no language, so that ASCII text is taken for English.
    let parallel = record.fields(&["246"]).find(|field| field.indicators[1] == '1' && field.first('a').is_ascii());
    let english = translated.or(parallel.filter(|_| has_han_or_hangul(&book.title)));
    book.english_title = english.map(|field| bare(&field.joined("ab", " "))).unwrap_or_default();
    Ok(())
}

fn people(record: &Record, book: &mut Book) {
    for field in record.fields(&["100", "110", "111", "700", "710", "711"]) {
        // A field with a title refers to a work that this one contains or continues.
        if !field.first('t').is_empty() {
            continue;
        }
        let own = record.own_script(field);
        let name = person(own.unwrap_or(field));
        let romanized = own.map(|_| person(field).listed()).unwrap_or_default();
        let main = field.tag.starts_with('1');
        let orcid =
            field.all("10").map(crate::catalogues::crossref::orcid).find(|_| field.joined("10", " ").contains("orcid"));
        if name != Name::default() && !book.contributors.iter().any(|known| known.name == name) {
            book.contributors.push(BookContributor {
                role: role(field, main).to_owned(),
                name,
                romanized,
                orcid: orcid.unwrap_or_default(),
                bio: String::new(),
            });
        }
    }
}

fn person(field: &Field) -> Name {
    let tag = if field.tag == "880" { link(field).map_or("", |(tag, _)| tag) } else { &field.tag };
    let name = bare(field.first('a'));
    if !tag.ends_with("00") {
        return Name { literal: bare(&field.joined("ab", " ")), ..Name::default() };
    }
    if has_han_or_hangul(&name) {
        // 王, 小明 is written without the comma.
        return Name { literal: name.replace([',', '，', ' '], ""), ..Name::default() };
    }
    let mut made = Name::parse(&name);
    let suffix = bare(field.first('c'));
    if matches!(suffix.trim_end_matches('.'), "Jr" | "Sr" | "II" | "III" | "IV") {
        made.suffix = suffix;
    }
    made
}

fn role(field: &Field, main: bool) -> &'static str {
    let says = field.joined("e4j", " ").to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| says.contains(word));
    if has(&["translat", "trl", "译"]) {
        "translator"
    } else if has(&["illustrat", "ill.", "ill", "绘"]) {
        "illustrator"
    } else if has(&["compil", "com"]) {
        "compiler"
    } else if has(&["edit", "ed.", "edt", "主编", "编"]) {
        "editor"
    } else if main || has(&["author", "aut", "著"]) {
        "author"
    } else {
        "contributor"
    }
}

fn published(record: &Record, book: &mut Book) {
    // 264 with second indicator 1 is publication; the others are copyright, distribution and manufacture.
    let field = record
        .fields(&["264"])
        .find(|field| field.indicators[1] == '1')
        .or_else(|| record.fields(&["260"]).next())
        .or_else(|| record.fields(&["264"]).next());
    let mut printed = String::new();
    if let Some(field) = field {
        let own = record.own_script(field).unwrap_or(field);
        book.place = bare(own.first('a'));
        book.publisher = bare(own.first('b'));
        printed = field.joined("c", " ");
    }
    let fixed = record.control("008").get(7..11).unwrap_or_default();
    book.published = date::of(fixed, "", "");
    if book.published.is_empty() {
        let digits: Vec<char> = printed.chars().collect();
        let year = digits.windows(4).find(|four| four.iter().all(char::is_ascii_digit));
        book.published = year.map(|year| date::of(&year.iter().collect::<String>(), "", "")).unwrap_or_default();
    }
    // "r" means reprint; its second date is that of the original.
    let kind = record.control("008").get(6..7).unwrap_or_default();
    let second = date::of(record.control("008").get(11..15).unwrap_or_default(), "", "");
    book.first_published = if kind == "r" && !second.is_empty() { second } else { book.published.clone() };
}

fn languages(record: &Record, book: &mut Book) {
    let fixed = record.control("008").get(35..38).unwrap_or_default();
    let tag = |code: &str| match code {
        "" | "und" | "zxx" | "mul" | "|||" | "   " => String::new(),
        code => language_tag(code),
    };
    book.language = tag(fixed);
    for field in record.fields(&["041"]) {
        if book.language.is_empty() {
            book.language = tag(field.first('a').get(..3).unwrap_or_default());
        }
        book.original_language = tag(field.first('h').get(..3).unwrap_or_default());
    }
}

/// The last number before "p", "页" or "S." in `xvii, 605 p.`; numbers of volumes and leaves are ignored.
fn pages(extent: &str) -> Option<u32> {
    let numbers = extent.rmatch_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at);
    let starts =
        numbers.filter(|at| !extent.get(..*at).is_some_and(|before| before.ends_with(|c: char| c.is_ascii_digit())));
    let mut found = starts.filter_map(|at| {
        let rest = extent.get(at..)?;
        let end = rest.find(|c: char| !c.is_ascii_digit())?;
        let unit = rest.get(end..)?.trim_start_matches([']', ' ']);
        let counts = ["p", "页", "頁", "S."].iter().any(|name| unit.starts_with(name));
        counts.then(|| rest.get(..end)?.parse().ok()).flatten()
    });
    found.next()
}
