//! Stored news, pages, collections and all other resources that belong to no article: dead links, missing files, references to what the
//! site does not have, faults of direction, languages without a title.

use masthead_domain::{
    Lang,
    resource::{ResourceKind, ResourceSource},
};
use masthead_store::{ResourceRow, SiteStore, StoreError};
use serde_json::Value;

use super::{Notes, bidi, html, links::Links, readable, stored::Stored, texts::Lacking};
use crate::{record_checks::missing, sanitize::ADDRESSES};

const CHECK: &str = "references";

/// Page size for reading resources.
const PAGE: i64 = 200;
/// Kinds whose titles readers read on a page of their own, as news or as a page of text, or in lists, as the heading of what belongs together.
const TITLED: [ResourceKind; 6] = [
    ResourceKind::News,
    ResourceKind::Information,
    ResourceKind::Composite,
    ResourceKind::Collection,
    ResourceKind::Column,
    ResourceKind::Album,
];

/// The resources of a site that editors write.
pub async fn check(
    content: &SiteStore,
    links: &Links<'_>,
    (stored, lacking): (&mut Stored<'_>, &mut Lacking<'_>),
    notes: &mut Notes<'_>,
) -> Result<(), StoreError> {
    let mut after = 0;
    loop {
        let rows = content.resource_rows(0, after, PAGE).await?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.id;
        for row in rows.iter().filter(|row| row.kind.source() == ResourceSource::File) {
            // A row that cannot be read is reported with all others.
            let Ok(value) = serde_json::from_str::<Value>(&row.data) else { continue };
            let place = place(row, &value);
            // What is named may itself be a row that cannot be read.
            for fault in readable(missing(content, &Value::Null, &value).await)?.unwrap_or_default() {
                let fix = "import what is missing, or take it out of the record";
                notes.error(CHECK, place.as_str(), fault, fix);
            }
            if TITLED.contains(&row.kind) {
                lacking.add(row.kind.as_str(), "title", &place, &value);
            }
            check_texts(&value, &place, links, stored, notes).await?;
        }
    }
}

/// How diagnostics name a resource: by its kind and key, or else its number.
pub fn place(row: &ResourceRow, value: &Value) -> String {
    let name = value["key"].as_str().map_or_else(|| row.id.to_string(), str::to_owned);
    format!("{}/{name}", row.kind.as_str())
}

/// The dead links of a record and the faults of direction in its texts.
pub async fn check_texts(
    value: &Value,
    place: &str,
    links: &Links<'_>,
    stored: &mut Stored<'_>,
    notes: &mut Notes<'_>,
) -> Result<(), StoreError> {
    let mut texts: Vec<(String, Option<Lang>, String)> = Vec::new();
    bidi::walk(value, &mut Vec::new(), &mut |key, lang, text| texts.push((key, lang, text.to_owned())));
    for (key, lang, text) in texts.into_iter().filter(|(_, _, text)| !text.is_empty()) {
        let place = format!("{place} {key}");
        if is_address(&key) {
            links.note(stored, place, &text, notes).await?;
            continue;
        }
        for address in html::links(&text) {
            links.note(stored, place.clone(), &address, notes).await?;
        }
        bidi::note(notes, place, lang, &text);
    }
    Ok(())
}

/// Whether a key is that of an address: its last name, or for addresses by language the name before.
fn is_address(key: &str) -> bool {
    let mut names = key.rsplit('.').take(2).map(|name| name.split('[').next().unwrap_or_default());
    names.any(|name| ADDRESSES.contains(&name))
}
