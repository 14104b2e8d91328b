//! Reader of BibTeX and BibLaTeX. The `biblatex` crate parses entries; input that could make it run without end is rejected before.

use std::{
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind},
};

use biblatex::{Bibliography, Chunk, ChunksExt, Entry, EntryType, Person, RawBibliography, RawChunk};
use masthead_domain::{
    content::text::fold,
    ids::Doi,
    lang::{has_han_or_hangul, language_tag},
};

use super::{MAX_WORKS, characters};
use crate::{FormatError, Name, Records, Work, date::DateReader};

const FORMAT: &str = "BibTeX";
/// Limit on the depth of nested braces.
const MAX_DEPTH: usize = 60;
/// Limit on the characters of one entry after its abbreviations are expanded.
const MAX_ENTRY: usize = 1 << 20;
/// Limit on the depth of abbreviations within abbreviations.
const MAX_NESTING: usize = 8;

type Pairs<'s> = Vec<biblatex::Pair<'s>>;

/// Reads BibTeX. A faulty entry is skipped and reported; the others are read.
///
/// # Errors
/// [`FormatError`] if the bytes are not text, or contain no entry.
pub fn bibtex(bytes: &[u8]) -> Result<Records<Work>, FormatError> {
    let text = characters(FORMAT, bytes)?;
    let text = text.trim_start_matches('\u{feff}');
    let mut made = Records::default();
    refuse_depth(text)?;
    // The file is parsed as a whole first; if that fails, entry by entry, so that a malformed entry does not affect others.
    let mut parts: Vec<(usize, RawBibliography)> = Vec::new();
    match parse(text) {
        Ok(all) => parts.push((1, all)),
        Err(_) => {
            for (line, part) in entries(text) {
                match parse(part) {
                    Ok(read) => parts.push((line, read)),
                    Err((offset, reason)) => made.fault(fault(line + lines_before(part, offset), reason)),
                }
            }
        }
    }
    let mut known: HashMap<&str, &biblatex::Pair> = HashMap::new();
    for pair in parts.iter().flat_map(|(_, part)| &part.abbreviations) {
        known.insert(pair.key.v, pair);
    }
    let mut parents: HashMap<String, Work> = HashMap::new();
    let mut children: Vec<(usize, String)> = Vec::new();
    for entry in parts.iter().flat_map(|(first, part)| part.entries.iter().map(move |entry| (first, entry))) {
        let (first, entry) = entry;
        if made.records.len() >= MAX_WORKS {
            made.fault(FormatError::new(FORMAT, format!("the file has more than {MAX_WORKS} entries: divide it")));
            break;
        }
        let key = entry.v.key.v;
        let mut dates = DateReader::new(FormatError::new(FORMAT, "").record(made.records.len() + 1));
        match one(entry, &known, &mut dates) {
            Ok((work, parent)) => {
                dates.report(&mut made);
                if let Some(parent) = parent {
                    children.push((made.records.len(), parent));
                }
                parents.entry(key.to_owned()).or_insert_with(|| work.clone());
                made.records.push(work);
            }
            Err(reason) => {
                let line = if parts.len() == 1 { lines_before(text, entry.span.start) + 1 } else { *first };
                made.fault(fault(line, reason).field(key));
            }
        }
    }
    for (at, parent) in children {
        if let (Some(child), Some(parent)) = (made.records.get_mut(at), parents.get(&parent)) {
            inherit(child, parent);
        }
    }
    if made.records.is_empty() {
        let reason = "the file has no entry (@article{...}): export the list as BibTeX again";
        return Err(made.faults.into_iter().next().unwrap_or_else(|| FormatError::new(FORMAT, reason)));
    }
    Ok(made)
}

fn fault(line: usize, reason: impl Into<String>) -> FormatError {
    FormatError::new(FORMAT, reason).line(line)
}

fn lines_before(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}

/// Rejects braces nested too deeply, because the parser recurses for each.
fn refuse_depth(text: &str) -> Result<(), FormatError> {
    let (mut depth, mut line) = (0_usize, 1);
    let mut before = b' ';
    for byte in text.bytes() {
        match byte {
            b'\n' => line += 1,
            b'{' if before != b'\\' => depth += 1,
            b'}' if before != b'\\' => depth = depth.saturating_sub(1),
            // A new entry begins; braces left open belong to the one before.
            b'@' if before == b'\n' => depth = 0,
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err(fault(
                line,
                format!("braces are nested more than {MAX_DEPTH} deep: a brace may not be closed"),
            ));
        }
        before = byte;
    }
    Ok(())
}

/// The parts of a text that begin with `@` on a new line, each with its line number.
fn entries(text: &str) -> Vec<(usize, &str)> {
    let mut starts: Vec<usize> = text.match_indices("\n@").map(|(at, _)| at + 1).collect();
    if text.starts_with('@') {
        starts.insert(0, 0);
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let mut line = 1;
    let mut counted = 0;
    starts
        .iter()
        .zip(ends)
        .filter_map(|(start, end)| {
            line += text.get(counted..*start)?.matches('\n').count();
            counted = *start;
            Some((line, text.get(*start..end)?))
        })
        .collect()
}

fn parse(text: &str) -> Result<RawBibliography<'_>, (usize, String)> {
    // A panic of the parser on untrusted input must not end the process.
    let read = catch_unwind(AssertUnwindSafe(|| RawBibliography::parse(text)));
    match read {
        Ok(Ok(read)) => Ok(read),
        Ok(Err(error)) => {
            Err((error.span.start, format!("the entry cannot be read: {}; correct it there", error.kind)))
        }
        Err(_) => Err((0, "the entry cannot be read".to_owned())),
    }
}

fn one(
    entry: &biblatex::Spanned<biblatex::RawEntry>,
    known: &HashMap<&str, &biblatex::Pair>,
    dates: &mut DateReader,
) -> Result<(Work, Option<String>), String> {
    let mut used: Vec<&str> = Vec::new();
    let mut size = 0;
    for pair in &entry.v.fields {
        measure(&pair.value.v, known, 0, &mut size, &mut used)?;
    }
    let abbreviations: Pairs = used.iter().filter_map(|name| known.get(name)).map(|pair| (*pair).clone()).collect();
    let raw = RawBibliography { preamble: String::new(), entries: vec![entry.clone()], abbreviations };
    let read = catch_unwind(AssertUnwindSafe(|| Bibliography::from_raw(raw)));
    let bibliography = match read {
        Ok(Ok(bibliography)) => bibliography,
        Ok(Err(error)) => return Err(format!("the entry cannot be read: {}; correct it", error.kind)),
        Err(_) => return Err("the entry cannot be read".to_owned()),
    };
    let entry = bibliography.iter().next().ok_or_else(|| "the entry is empty".to_owned())?;
    let parent = Some(field(entry, &["crossref", "xdata"])).filter(|parent| !parent.is_empty());
    catch_unwind(AssertUnwindSafe(|| work(entry, dates)))
        .map(|work| (work, parent))
        .map_err(|_| "its names or dates cannot be read".to_owned())
}

/// Measures the expansion of abbreviations (`@string`), which may contain themselves or grow exponentially.
fn measure<'s>(
    field: &biblatex::Field<'s>,
    known: &HashMap<&str, &biblatex::Pair<'s>>,
    nesting: usize,
    size: &mut usize,
    used: &mut Vec<&'s str>,
) -> Result<(), String> {
    if nesting > MAX_NESTING {
        return Err(format!(
            "its abbreviations (@string) are nested more than {MAX_NESTING} deep, or contain themselves"
        ));
    }
    for chunk in field {
        match chunk.v {
            RawChunk::Normal(text) => *size += text.len() + 1,
            RawChunk::Abbreviation(name) => {
                *size += 1;
                if let Some(pair) = known.get(name) {
                    if !used.contains(&name) {
                        used.push(name);
                    }
                    measure(&pair.value.v, known, nesting + 1, size, used)?;
                }
            }
        }
        if *size > MAX_ENTRY {
            return Err(format!("the entry has more than {MAX_ENTRY} characters"));
        }
    }
    Ok(())
}

/// The first of these fields that is not empty.
fn field(entry: &Entry, names: &[&str]) -> String {
    names
        .iter()
        .filter_map(|name| entry.get(name))
        .map(|chunks| fold(&chunks.format_verbatim()))
        .find(|text| !text.is_empty())
        .unwrap_or_default()
}

/// CSL type of an entry.
fn kind_of(entry: &Entry) -> &'static str {
    use EntryType as T;
    match &entry.entry_type {
        T::Article | T::SuppPeriodical => "article-journal",
        T::Book
        | T::MvBook
        | T::Collection
        | T::MvCollection
        | T::Reference
        | T::MvReference
        | T::Booklet
        | T::Manual => "book",
        T::InBook | T::InCollection | T::BookInBook | T::SuppBook | T::SuppCollection | T::InReference => "chapter",
        T::InProceedings => "paper-conference",
        T::Proceedings | T::MvProceedings => "book",
        T::MastersThesis | T::PhdThesis | T::Thesis => "thesis",
        T::TechReport | T::Report => "report",
        T::Patent => "patent",
        T::Online => "webpage",
        T::Dataset => "dataset",
        T::Software => "software",
        T::Unpublished => "manuscript",
        T::Periodical => "periodical",
        T::Unknown(name) => match name.as_str() {
            "standard" => "standard",
            "newspaper" => "article-newspaper",
            "map" => "map",
            "archive" => "manuscript",
            "preprint" => "article",
            _ => "document",
        },
        _ => "document",
    }
}

fn work(entry: &Entry, dates: &mut DateReader) -> Work {
    use EntryType as T;
    let get = |names: &[&str]| field(entry, names);
    let kind = kind_of(entry);
    let name = |field: &str| format!("{} {field}", entry.key);
    let date = dates.iso(&name("date"), &get(&["date"]));
    let year = get(&["year"]);
    let date = if date.is_empty() { dates.of(&name("date"), &year, &get(&["month"]), &get(&["day"])) } else { date };
    let accessed = dates.iso(&name("urldate"), &get(&["urldate"]));
    let doi = Doi::parse(&get(&["doi"])).ok();
    let genre = match &entry.entry_type {
        T::PhdThesis => "PhD thesis".to_owned(),
        T::MastersThesis => "Master's thesis".to_owned(),
        _ => get(&["type"]),
    };
    let subtitle = get(&["subtitle"]);
    let title = get(&["title"]);
    let between = if has_han_or_hangul(&title) { "：" } else { ": " };
    Work {
        key: entry.key.clone(),
        kind: kind.to_owned(),
        title: [title, subtitle].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(between),
        container: get(&["journaltitle", "journal", "booktitle"]),
        collection: get(&["series"]),
        authors: names(entry, "author"),
        editors: names(entry, "editor"),
        translators: names(entry, "translator"),
        year: if year.is_empty() { date.get(..4).unwrap_or_default().to_owned() } else { year },
        date,
        volume: get(&["volume"]),
        issue: if kind == "article-journal" { get(&["number", "issue"]) } else { get(&["issue"]) },
        pages: get(&["pages", "eid"]).replace('–', "-"),
        edition: get(&["edition"]),
        publisher: get(&["publisher", "school", "institution", "organization"]),
        place: get(&["address", "location"]),
        number: if kind == "article-journal" { String::new() } else { get(&["number"]) },
        genre,
        doi,
        url: get(&["url"]),
        accessed,
        isbn: get(&["isbn"]),
        issn: get(&["issn"]),
        pmid: get(&["pmid"]),
        language: language(&get(&["langid", "language"])),
        abstract_text: get(&["abstract"]),
        keywords: get(&["keywords"]).split([',', ';']).map(fold).filter(|one| !one.is_empty()).collect(),
        unstructured: String::new(),
    }
}

/// The BCP 47 tag of a language by its Babel name; a tag is kept.
fn language(name: &str) -> String {
    match name.to_ascii_lowercase().as_str() {
        "english" | "american" | "british" | "usenglish" | "ukenglish" => "en".to_owned(),
        "chinese" | "chinese-simplified" | "simplified chinese" => "zh".to_owned(),
        "japanese" => "ja".to_owned(),
        "korean" => "ko".to_owned(),
        "russian" => "ru".to_owned(),
        "french" => "fr".to_owned(),
        "german" | "ngerman" => "de".to_owned(),
        "spanish" => "es".to_owned(),
        "arabic" => "ar".to_owned(),
        tag if tag.len() <= 3 || tag.contains('-') => language_tag(tag),
        _ => String::new(),
    }
}

fn names(entry: &Entry, name: &str) -> Vec<Name> {
    let Some(chunks) = entry.get(name) else { return Vec::new() };
    // A group in braces is one name; the parser would divide it like a person's.
    let one_group = matches!(chunks, [only] if matches!(only.v, Chunk::Verbatim(_)));
    if one_group {
        return vec![Name { literal: fold(&chunks.format_verbatim()), ..Name::default() }];
    }
    let people = entry.get_as::<Vec<Person>>(name).unwrap_or_default();
    people
        .into_iter()
        .map(|person| {
            let family = [person.prefix.as_str(), person.name.as_str()];
            let family = family.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
            let (given, suffix) = (fold(&person.given_name), fold(&person.suffix));
            if given.is_empty() && suffix.is_empty() {
                Name { literal: fold(&family), ..Name::default() }
            } else {
                Name { family: fold(&family), given, suffix, ..Name::default() }
            }
        })
        .filter(|name| !name.family.is_empty() || !name.literal.is_empty())
        .collect()
}

/// Completes a part by fields of the book or proceedings that it refers to.
fn inherit(child: &mut Work, parent: &Work) {
    if child.editors.is_empty() {
        child.editors.clone_from(&parent.editors);
    }
    for (own, given) in [
        (&mut child.container, &parent.title),
        (&mut child.publisher, &parent.publisher),
        (&mut child.place, &parent.place),
        (&mut child.year, &parent.year),
        (&mut child.date, &parent.date),
        (&mut child.isbn, &parent.isbn),
        (&mut child.volume, &parent.volume),
        (&mut child.collection, &parent.collection),
    ] {
        if own.is_empty() {
            own.clone_from(given);
        }
    }
}
