//! Writer of CSL-JSON, as citation processors read it.

use serde_json::{Value, json};

use crate::{Entry, Name, page_range};

/// One item (`application/vnd.citationstyles.csl+json` holds a list of items).
#[must_use]
pub fn csl_json(entry: &Entry) -> Value {
    let mut item = json!({ "id": entry.key(), "type": entry.work.names().2 });
    for (field, names) in [("author", &entry.authors), ("editor", &entry.editors)] {
        if !names.is_empty() {
            item[field] = names.iter().map(name).collect();
        }
    }
    let range = page_range(&entry.first_page, &entry.last_page, "-");
    let page = if range.is_empty() { entry.article_number.as_str() } else { range.as_str() };
    for (field, value) in [
        ("title", entry.plain_title().as_str()),
        ("container-title", &entry.journal),
        ("container-title-short", &entry.journal_abbreviation),
        ("volume", &entry.volume),
        ("issue", &entry.issue),
        ("page", page),
        ("ISSN", &entry.issn.join(", ")),
        ("publisher", &entry.publisher),
        ("DOI", &entry.doi),
        ("URL", &entry.url),
        ("language", &entry.language),
        ("keyword", &entry.keywords.join(", ")),
        ("abstract", &entry.abstract_text),
    ] {
        if !value.is_empty() {
            item[field] = json!(value);
        }
    }
    let parts: Vec<i32> = entry.date().into_iter().map_while(|part| part.parse().ok()).collect();
    if !parts.is_empty() {
        item["issued"] = json!({ "date-parts": [parts] });
    }
    item
}

fn name(name: &Name) -> Value {
    match name {
        Name::Whole(whole) => json!({ "literal": whole }),
        Name::Parts { family, given, suffix } => {
            let mut made = json!({ "family": family });
            for (field, value) in [("given", given), ("suffix", suffix)] {
                if !value.is_empty() {
                    made[field] = json!(value);
                }
            }
            made
        }
    }
}
