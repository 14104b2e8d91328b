//! What the fields of records may hold: dates of the calendar, ISSNs, things that the site has.

use std::collections::BTreeSet;

use masthead_domain::{calendar::is_date, link, of_kind, resource::ResourceKind, text::has_form};
use masthead_store::{SiteStore, StoreError};
use serde_json::Value;

use super::{FieldChange, RecordType};

/// Keys whose value is a date.
const DATES: [&str; 7] = ["date", "start", "end", "deadline", "firstPublished", "applied", "effective"];

/// Whether a text is an ISSN with its check digit.
fn is_issn(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter_map(|c| if c == 'X' { Some(10) } else { c.to_digit(10) }).collect();
    let form = has_form(text, "0000-0000") || (has_form(text.trim_end_matches('X'), "0000-000") && text.len() == 9);
    form && digits.len() == 8
        && digits.iter().zip((1..=8).rev()).map(|(digit, weight)| digit * weight).sum::<u32>() % 11 == 0
}

/// Whether the value at a path is a date.
fn is_date_path(path: &str) -> bool {
    path.starts_with("dates.") || DATES.contains(&path.rsplit('.').next().unwrap_or_default())
}

/// The faults in the new values of fields.
pub(super) fn faults(of: RecordType, changes: &[FieldChange], after: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    for FieldChange { key, after: value, .. } in changes {
        if has_nul(value) {
            faults.push(format!("{key}: a text must not have the character U+0000"));
        }
        let Some(text) = value.as_str().filter(|text| !text.is_empty()) else { continue };
        if is_date_path(key) && !is_date(text) {
            faults.push(format!("{key}: {text:?} is not a date; write 2026, 2026-05 or 2026-05-17"));
        }
        if ["issn", "eissn"].contains(&key.as_str()) && !is_issn(text) {
            faults.push(format!(
                "{key}: {text:?} is not an ISSN: it has the form 1234-5679, and the last digit checks the others"
            ));
        }
        let page_address = matches!(of, RecordType::Journal | RecordType::Issue) && key == "cover";
        if page_address && !link::is_own_or_web(text) {
            faults.push(format!("{key}: {text:?} is neither an http(s) address nor one of this host"));
        }
        if key == "licenseUrl" && !link::is_web(text) {
            faults.push(format!("{key}: {text:?} is not an http(s) address"));
        }
    }
    let date = |key: &str| after[key].as_str().unwrap_or_default();
    let (start, end) = (date("start"), date("end"));
    // Dates of the same precision compare as texts.
    if changes.iter().any(|change| change.key == "start" || change.key == "end")
        && start.len() == end.len()
        && end < start
    {
        faults.push(format!("end: {end} is before the start, {start}"));
    }
    faults
}

fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(values) => values.iter().any(has_nul),
        Value::Object(fields) => fields.iter().any(|(key, value)| key.contains('\0') || has_nul(value)),
        _ => false,
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
pub(super) async fn missing(store: &SiteStore, before: &Value, after: &Value) -> Result<Vec<String>, StoreError> {
    let (mut was, mut is) = (BTreeSet::new(), BTreeSet::new());
    names(before, &mut was);
    names(after, &mut is);
    let mut faults = Vec::new();
    let new: Vec<&Named> = is.difference(&was).collect();
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
    fn an_issn_has_a_check_digit() {
        assert!(is_issn("2049-3630") && is_issn("1050-124X"));
        for text in ["2049-3631", "20493630", "1050-124x", "X050-1240", "1050-12X4", "", "XXXX-XXXX"] {
            assert!(!is_issn(text), "{text:?}");
        }
    }

    #[test]
    fn faults_name_their_keys() {
        let change = |key: &str, value: Value| FieldChange { key: key.to_owned(), before: Value::Null, after: value };
        let changes = [
            change("dates.online", json!("2026-02-30")),
            change("issn", json!("1234-5678")),
            change("cover", json!("javascript:x")),
            change("title.en", json!("a\0b")),
            change("date", json!("")),
        ];
        let faults = faults(RecordType::Journal, &changes, &json!({}));
        assert_eq!(faults.len(), 4, "{faults:?}");
        let backwards = json!({ "start": "2026-05-02", "end": "2026-05-01" });
        let conference = RecordType::Resource(ResourceKind::Conference);
        let ends = [change("end", json!("2026-05-01"))];
        assert!(super::faults(conference, &ends, &backwards)[0].contains("before the start"));
    }

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
}
