//! Reader of CSL-JSON, as Zotero and citeproc write it.

use masthead_domain::{ids::Doi, lang::language_tag, text::without_tags};
use serde_json::Value;

use super::MAX_WORKS;
use crate::{
    FormatError, Name, Records, Work,
    date::DateReader,
    json::{self, date_parts, list, text},
};

const FORMAT: &str = "CSL-JSON";

/// Reads one item, or a list of items, of CSL-JSON.
///
/// Empty fields are filled from lines such as `page: 288` in the note, where Zotero keeps values that it has no field for.
///
/// # Errors
/// [`FormatError`] if the bytes are not JSON, or no item has a type or a title.
pub fn csl_json(bytes: &[u8]) -> Result<Records<Work>, FormatError> {
    let root = json::read(FORMAT, bytes)?;
    let items: &[Value] = match (&root, &root["items"]) {
        (Value::Array(items), _) | (_, Value::Array(items)) => items,
        _ => std::slice::from_ref(&root),
    };
    let mut made = Records::default();
    for (at, item) in items.iter().take(MAX_WORKS).enumerate() {
        let known = item["type"].is_string() || item["title"].is_string();
        if item.is_object() && known {
            let mut dates = DateReader::new(FormatError::new(FORMAT, "").record(at + 1));
            made.records.push(work(item, &mut dates));
            dates.report(&mut made);
        } else {
            let reason = "it has neither a type nor a title, so it is not a CSL-JSON item";
            made.fault(FormatError::new(FORMAT, reason).record(at + 1));
        }
    }
    match made.faults.first() {
        Some(fault) if made.records.is_empty() => Err(fault.clone()),
        _ => Ok(made),
    }
}

/// The date under a key: in parts, or as a text.
fn day(item: &Value, key: &str, dates: &mut DateReader) -> String {
    let value = &item[key];
    let [year, month, day] = [0_usize, 1, 2].map(|at| json::scalar(&value["date-parts"][0][at]));
    let made = dates.of(key, &year, &month, &day);
    if !made.is_empty() {
        return made;
    }
    let texts = ["raw", "literal"].map(|part| text(value, part));
    let made = texts.iter().map(|text| dates.iso(key, text)).find(|day| !day.is_empty());
    made.unwrap_or_else(|| date_parts(value))
}

fn work(item: &Value, dates: &mut DateReader) -> Work {
    let get = |key: &str| text(item, key);
    let first = |keys: &[&str]| keys.iter().map(|key| get(key)).find(|value| !value.is_empty()).unwrap_or_default();
    let date = day(item, "issued", dates);
    let raw = [json::scalar(&item["issued"]["date-parts"][0][0]), json::scalar(&item["issued"]["literal"])];
    let mut work = Work {
        key: first(&["id", "citation-key"]),
        kind: get("type"),
        title: without_tags(&get("title")),
        container: without_tags(&get("container-title")),
        collection: get("collection-title"),
        authors: names(item, "author"),
        editors: names(item, "editor"),
        translators: names(item, "translator"),
        year: date
            .get(..4)
            .map(str::to_owned)
            .or_else(|| raw.into_iter().find(|raw| !raw.is_empty()))
            .unwrap_or_default(),
        date,
        volume: get("volume"),
        issue: get("issue"),
        pages: get("page"),
        edition: get("edition"),
        publisher: get("publisher"),
        place: first(&["publisher-place", "event-place"]),
        number: get("number"),
        genre: get("genre"),
        doi: Doi::parse(&get("DOI")).ok(),
        url: get("URL"),
        accessed: day(item, "accessed", dates),
        isbn: get("ISBN"),
        issn: get("ISSN"),
        pmid: get("PMID"),
        language: language_tag(&get("language")),
        abstract_text: without_tags(&get("abstract")),
        keywords: get("keyword")
            .split([',', ';'])
            .map(|one| one.trim().to_owned())
            .filter(|one| !one.is_empty())
            .collect(),
        unstructured: String::new(),
    };
    noted(&get("note"), &mut work, dates);
    work
}

/// Fills empty fields from `key: value` lines of the note.
fn noted(note: &str, work: &mut Work, dates: &mut DateReader) {
    for (key, value) in note.lines().filter_map(|line| line.split_once(':')) {
        let value = value.trim();
        match key.trim().to_lowercase().as_str() {
            "doi" if work.doi.is_none() => work.doi = Doi::parse(value).ok(),
            "issued" if work.date.is_empty() => work.date = dates.iso("note issued", value),
            key => {
                let field = match key {
                    "page" => &mut work.pages,
                    "pmid" => &mut work.pmid,
                    "volume" => &mut work.volume,
                    "issue" => &mut work.issue,
                    "edition" => &mut work.edition,
                    "isbn" => &mut work.isbn,
                    "issn" => &mut work.issn,
                    "publisher" => &mut work.publisher,
                    "container-title" => &mut work.container,
                    "number" => &mut work.number,
                    "genre" => &mut work.genre,
                    _ => continue,
                };
                if field.is_empty() {
                    value.clone_into(field);
                }
            }
        }
    }
}

fn names(item: &Value, key: &str) -> Vec<Name> {
    let join = |parts: [String; 2]| parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    list(item, key)
        .iter()
        .map(|one| Name {
            family: join([text(one, "non-dropping-particle"), text(one, "family")]),
            given: join([text(one, "given"), text(one, "dropping-particle")]),
            suffix: text(one, "suffix"),
            literal: text(one, "literal"),
        })
        .map(|mut name| {
            if name.family.is_empty() && name.literal.is_empty() {
                name.literal = std::mem::take(&mut name.given);
            }
            name
        })
        .filter(|name| !name.family.is_empty() || !name.literal.is_empty())
        .collect()
}
