//! What records may hold, however they are changed: dates of the calendar, and names of things that the site has.

use std::collections::BTreeSet;

use masthead_domain::{calendar::is_date, of_kind, resource::ResourceKind};
use masthead_store::{SiteStore, StoreError};
use serde_json::Value;

/// Keys whose value is a date.
const DATES: [&str; 7] = ["date", "start", "end", "deadline", "firstPublished", "applied", "effective"];

/// Whether the value at a path is a date.
fn is_date_path(path: &str) -> bool {
    path.starts_with("dates.") || DATES.contains(&path.rsplit('.').next().unwrap_or_default())
}

/// The fault of a text at a path, if it has to be a date and is none.
pub fn date_fault(path: &str, text: &str) -> Option<String> {
    let is_wrong = is_date_path(path) && !text.is_empty() && !is_date(text);
    is_wrong.then(|| format!("{path}: {text:?} is not a date; write 2026, 2026-05 or 2026-05-17"))
}

/// The fault of a record that ends before it starts.
pub fn is_backwards(record: &Value) -> Option<String> {
    let date = |key: &str| record[key].as_str().unwrap_or_default();
    let (start, end) = (date("start"), date("end"));
    // Dates of the same precision compare as texts.
    let is_backwards = start.len() == end.len() && end < start;
    is_backwards.then(|| format!("end: {end} is before the start, {start}"))
}

/// The faults of all dates of a record.
pub fn date_faults(record: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    walk("", record, &mut faults);
    faults.extend(is_backwards(record));
    faults
}

fn walk(path: &str, value: &Value, faults: &mut Vec<String>) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match value {
        Value::String(text) => faults.extend(date_fault(path, text)),
        Value::Array(values) => {
            values.iter().enumerate().for_each(|(index, one)| walk(&below(&index.to_string()), one, faults));
        }
        Value::Object(fields) => fields.iter().for_each(|(key, one)| walk(&below(key), one, faults)),
        _ => {}
    }
}

/// Something that a record names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    Article(String),
    Journal(String),
    Resource(ResourceKind, String),
    /// A kind that does not exist.
    Unknown(String),
}

/// What a record names.
fn names(value: &Value, found: &mut BTreeSet<Named>) {
    match value {
        Value::Array(values) => values.iter().for_each(|one| names(one, found)),
        Value::Object(fields) => {
            if let (Some(Value::String(kind)), Some(Value::String(key))) = (fields.get("kind"), fields.get("key")) {
                found.insert(item(kind, key));
            }
            for (key, value) in fields {
                match (key.as_str(), value.as_str().filter(|text| !text.is_empty())) {
                    ("journal" | "indexId", Some(key)) => _ = found.insert(Named::Journal(key.to_owned())),
                    ("articleKey", Some(key)) => _ = found.insert(Named::Article(key.to_owned())),
                    ("expert", Some(key)) => _ = found.insert(Named::Resource(ResourceKind::Expert, key.to_owned())),
                    ("topic", Some(key)) => _ = found.insert(Named::Resource(ResourceKind::Topic, key.to_owned())),
                    ("parent", Some(key)) => _ = found.insert(Named::Resource(ResourceKind::Column, key.to_owned())),
                    _ => names(value, found),
                }
            }
        }
        _ => {}
    }
}

fn item(kind: &str, key: &str) -> Named {
    match (kind, ResourceKind::parse(kind)) {
        ("article", _) => Named::Article(key.to_owned()),
        ("publication", _) => Named::Journal(key.to_owned()),
        (_, Some(kind)) => Named::Resource(kind, key.to_owned()),
        (_, None) => Named::Unknown(kind.to_owned()),
    }
}

/// The faults of a record that newly names something which the site does not have.
///
/// # Errors
/// The error of the store.
pub async fn missing(store: &SiteStore, before: &Value, after: &Value) -> Result<Vec<String>, StoreError> {
    let (mut was, mut is) = (BTreeSet::new(), BTreeSet::new());
    names(before, &mut was);
    names(after, &mut is);
    absent(store, &is.difference(&was).collect::<Vec<_>>()).await
}

/// The articles, journals and kinds of content that an imported record names and the site does not have, a sentence each. Other resources
/// may be imported after it.
///
/// # Errors
/// The error of the store.
pub async fn missing_from_import(store: &SiteStore, record: &Value) -> Result<Vec<String>, StoreError> {
    let mut is = BTreeSet::new();
    names(record, &mut is);
    let new: Vec<&Named> = is.iter().filter(|named| !matches!(named, Named::Resource(..))).collect();
    absent(store, &new).await
}

async fn absent(store: &SiteStore, new: &[&Named]) -> Result<Vec<String>, StoreError> {
    let mut faults = Vec::new();
    // A collection may name thousands of articles: they are looked up together.
    let articles =
        new.iter().filter_map(|named| if let Named::Article(name) = named { Some(name.as_str()) } else { None });
    let articles = store.article_ids_by_names(&articles.collect::<Vec<_>>()).await?;
    for named in new {
        let fault = match named {
            Named::Article(name) => (!articles.contains_key(name))
                .then(|| format!("the site has no article {name:?}; a withdrawn article cannot be named either")),
            Named::Journal(key) => {
                let there = store.journal_record(key).await?.is_some();
                (!there).then(|| format!("the site has no journal {key:?}"))
            }
            Named::Resource(kind, key) => {
                let there = of_kind!(*kind, T => store.resource_record::<T>(key).await?.is_some());
                (!there).then(|| format!("the site has no {} {key:?}", kind.as_str()))
            }
            Named::Unknown(kind) => Some(format!("{kind:?} is no kind of content")),
        };
        faults.extend(fault);
    }
    Ok(faults)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_record_names_items_journals_and_people() {
        let record = json!({
            "journal": "tides", "items": [{ "kind": "article", "key": "10.5555/a" }, { "kind": "book", "key": "b" }],
            "blocks": [{ "items": [{ "kind": "publication", "key": "stones" }] }], "seats": [{ "expert": "ada" }], "indexId": "",
        });
        let mut found = BTreeSet::new();
        names(&record, &mut found);
        let expected = [
            Named::Article("10.5555/a".to_owned()),
            Named::Journal("stones".to_owned()),
            Named::Journal("tides".to_owned()),
            Named::Resource(ResourceKind::Book, "b".to_owned()),
            Named::Resource(ResourceKind::Expert, "ada".to_owned()),
        ];
        assert_eq!(found.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn every_date_of_a_record_is_checked() {
        let record = json!({
            "key": "salt", "start": "2026-05-17", "end": "2026-05-32", "deadline": "soon", "title": { "en": "2026-99" },
            "dates": { "online": "2026-02-30" }, "rounds": [{ "deadline": "2026-04" }, { "deadline": "2026-13" }],
        });
        let faults = date_faults(&record);
        let mut keys: Vec<&str> = faults.iter().filter_map(|fault| fault.split(':').next()).collect();
        keys.sort_unstable();
        assert_eq!(keys, ["dates.online", "deadline", "end", "rounds.1.deadline"], "{faults:?}");
        let backwards = date_faults(&json!({ "start": "2026-05-02", "end": "2026-05-01" }));
        assert!(backwards.len() == 1 && backwards[0].contains("before the start"), "{backwards:?}");
        assert!(date_faults(&json!({ "start": "2026-05-02", "end": "" })).is_empty());
    }
}
