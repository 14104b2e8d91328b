//! Writer of RIS: on each line a tag of two characters, two spaces, a hyphen, a space and the value.

use crate::{Entry, Name, one_line};

/// One record (`application/x-research-info-systems`) with lines ended by CR LF.
#[must_use]
pub fn ris(entry: &Entry) -> String {
    let mut out = String::new();
    // Values are reduced to one line, because a second line could be read as a tag.
    let mut line = |tag: &str, value: &str| {
        let value = one_line(value);
        if !value.is_empty() || tag == "ER" {
            out.push_str(&format!("{tag}  - {value}\r\n"));
        }
    };
    line("TY", entry.work.names().1);
    for (tag, names) in [("AU", &entry.authors), ("ED", &entry.editors)] {
        names.iter().for_each(|one| line(tag, &name(one)));
    }
    line("TI", &entry.plain_title());
    line("T2", &entry.journal);
    line("J2", &entry.journal_abbreviation);
    line("PY", &entry.year);
    line("DA", &slashed(&entry.published));
    line("VL", &entry.volume);
    line("IS", &entry.issue);
    line("SP", &entry.first_page);
    line("EP", &entry.last_page);
    line("C7", &entry.article_number);
    entry.issn.iter().for_each(|issn| line("SN", issn));
    line("PB", &entry.publisher);
    line("DO", &entry.doi);
    line("UR", &entry.url);
    entry.keywords.iter().for_each(|keyword| line("KW", keyword));
    line("LA", &entry.language);
    line("AB", &entry.abstract_text);
    line("ER", "");
    out
}

/// `Lovelace, Ada, Jr`; an undivided name unchanged.
fn name(name: &Name) -> String {
    match name {
        Name::Whole(whole) => whole.clone(),
        Name::Parts { family, given, suffix } => {
            let parts = [family, given, suffix].into_iter().filter(|part| !part.is_empty());
            parts.map(String::as_str).collect::<Vec<_>>().join(", ")
        }
    }
}

/// An ISO date in the form of RIS, which has four parts: `2026/03/01/`.
fn slashed(date: &str) -> String {
    let mut parts: Vec<&str> = date.split('-').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() {
        return String::new();
    }
    parts.resize(4, "");
    parts.join("/")
}
