//! What differs in the records and the files that a bundle replaces: fields with their values before and after, in short.

use std::collections::BTreeMap;

use masthead_config::without_secrets;
use masthead_domain::{
    article::{Article, ArticleFile, ArticleMeta},
    content::{ArticleBody, text::plain},
};
use masthead_store::{
    StoreError, StoredForm as _,
    backup::Value as Field,
    site_rows::{SiteDiff, SiteRow, SiteRows, TableDiff},
};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{row::text, summary::EXAMPLES};
use crate::{
    article_fields::{self, WITHDRAWN},
    records::{FieldChange, setting_differences},
};

/// The most fields that are shown of a table, and the most keys of a file.
const MOST_FIELDS: usize = 20;
/// The most characters that are shown of a value.
const MOST_CHARACTERS: usize = 80;
/// How many of them stand before the first one that differs.
const BEFORE_DIFFERENCE: usize = 20;

/// Fields that differ.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FieldChanges {
    /// Some of them, in the order of their names, with their values before and after. In place of a value of more than 80 characters stands a
    /// text with the part in which it differs.
    pub fields: Vec<FieldChange>,
    /// Number of the others.
    pub more: usize,
}

/// A record that is replaced.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChangedRecord {
    /// Its row in words, as among the examples.
    pub name: String,
    /// What differs in it.
    #[serde(flatten)]
    pub changes: FieldChanges,
}

/// The records that are replaced, by the name of their table.
pub type ChangedRecords = BTreeMap<&'static str, Vec<ChangedRecord>>;

impl FieldChanges {
    /// The fields of two records that differ, at most `most` of them. Of settings, texts that may be secrets are not shown.
    fn of(before: &Value, after: &Value, is_settings: bool, most: usize) -> Self {
        let all = setting_differences(before, after);
        let more = all.len().saturating_sub(most);
        let shown = all.into_iter().take(most).map(|change| if is_settings { public(change) } else { change });
        Self { fields: shown.map(shortened).collect(), more }
    }

    /// The keys of two versions of a TOML file that differ; none where one of them cannot be read.
    pub(super) fn of_files(before: &[u8], after: &[u8]) -> Self {
        match (toml_of(before), toml_of(after)) {
            (Some(before), Some(after)) => Self::of(&before, &after, true, MOST_FIELDS),
            _ => Self::default(),
        }
    }

    const fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.more == 0
    }
}

fn toml_of(bytes: &[u8]) -> Option<Value> {
    toml::from_str(std::str::from_utf8(bytes).ok()?).ok()
}

fn public(change: FieldChange) -> FieldChange {
    let FieldChange { key, before, after } = change;
    FieldChange { before: without_secrets(&key, &before), after: without_secrets(&key, &after), key }
}

/// The change with values of limited length. Of two long values, the beginnings may be the same.
fn shortened(change: FieldChange) -> FieldChange {
    let FieldChange { key, before, after } = change;
    let (was, is) = (words(&before), words(&after));
    let same = was.chars().zip(is.chars()).take_while(|(one, other)| one == other).count();
    let start = if was == is { 0 } else { same.saturating_sub(BEFORE_DIFFERENCE) };
    FieldChange { key, before: part(before, &was, start), after: part(after, &is, start) }
}

fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The value, or if it is long, its text from `start` on.
fn part(value: Value, text: &str, start: usize) -> Value {
    if text.chars().nth(MOST_CHARACTERS).is_none() {
        return value;
    }
    let mut shown = String::from(if start > 0 { "…" } else { "" });
    shown.extend(text.chars().skip(start).take(MOST_CHARACTERS));
    if text.chars().nth(start + MOST_CHARACTERS).is_some() {
        shown.push('…');
    }
    Value::String(shown)
}

/// How the rows of a table are a record.
enum Form {
    /// The article in several columns.
    Article,
    /// One column has the record as JSON.
    Record(&'static str),
    /// These columns are its fields: texts and numbers, and others in JSON.
    Columns(&'static [&'static str], &'static [&'static str]),
    /// A setting with its value.
    Setting,
}

/// The tables whose rows are records.
static RECORDS: [(&str, Form); 11] = [
    ("journals", Form::Record("data")),
    ("issues", Form::Record("data")),
    ("articles", Form::Article),
    ("resources", Form::Record("data")),
    ("withdrawn_articles", Form::Article),
    ("sections", Form::Columns(&["label"], &[])),
    ("section_names", Form::Record("data")),
    ("edits", Form::Columns(&[], &["value"])),
    ("redirects", Form::Columns(&["kind", "target", "year", "issue"], &[])),
    ("settings", Form::Setting),
    ("institutions", Form::Columns(&["name", "until"], &["networks"])),
];

/// What differs in the records that are named as examples of replaced rows.
///
/// # Errors
/// [`StoreError`].
pub async fn changed_records(diff: &SiteDiff, here: &SiteRows, copy: &SiteRows) -> Result<ChangedRecords, StoreError> {
    let mut changed = ChangedRecords::new();
    for table in &diff.tables {
        if let Some((name, form)) = RECORDS.iter().find(|(name, _)| *name == table.table) {
            changed.insert(name, form.changed(table, here, copy).await?);
        }
    }
    Ok(changed)
}

impl Form {
    async fn changed(
        &self,
        table: &TableDiff,
        here: &SiteRows,
        copy: &SiteRows,
    ) -> Result<Vec<ChangedRecord>, StoreError> {
        let (mut changed, mut room) = (Vec::new(), MOST_FIELDS);
        for change in table.replaced.iter().take(EXAMPLES) {
            let Some(before) = here.row(table.table, change).await? else { continue };
            let Some(after) = copy.row(table.table, change).await? else { continue };
            let (Some(before), Some(after)) = (self.record(&before), self.record(&after)) else { continue };
            let changes = FieldChanges::of(&before, &after, matches!(self, Self::Setting), room);
            room = room.saturating_sub(changes.fields.len());
            // What is made anew of the same record is no field of it.
            if !changes.is_empty() {
                changed.push(ChangedRecord { name: change.shown.clone(), changes });
            }
        }
        Ok(changed)
    }

    /// The record of a row, with the names of fields that editors use; `None` for a row that this version cannot read.
    fn record(&self, row: &SiteRow) -> Option<Value> {
        let parsed = |column: &str| serde_json::from_str::<Value>(text(row, column).ok()?).ok();
        match self {
            Self::Article => article(row),
            Self::Record(column) => parsed(column),
            Self::Columns(columns, in_json) => {
                let as_they_are = columns.iter().map(|column| ((*column).to_owned(), value_of(row, column)));
                let read = in_json.iter().map(|column| ((*column).to_owned(), parsed(column).unwrap_or_default()));
                Some(Value::Object(as_they_are.chain(read).collect::<Map<_, _>>()))
            }
            Self::Setting => {
                let setting = (text(row, "setting").ok()?.to_owned(), parsed("value")?);
                Some(Value::Object(Map::from_iter([setting])))
            }
        }
    }
}

fn value_of(row: &SiteRow, column: &str) -> Value {
    match row.get(column) {
        Some(Field::Int(number)) => Value::from(*number),
        Some(Field::Text(text)) => Value::from(text.as_str()),
        Some(Field::Null | Field::Bytes(_)) | None => Value::Null,
    }
}

/// The record of an article, with its text.
fn article(row: &SiteRow) -> Option<Value> {
    let meta = ArticleMeta::decode(text(row, "meta").ok()?).ok()?;
    let body = ArticleBody::decode(text(row, "body").ok()?).ok()?;
    let files: Vec<ArticleFile> = serde_json::from_str(text(row, "files").ok()?).ok()?;
    let article = Article { meta, body };
    let mut record = article_fields::record(&article, &files, text(row, "journal").ok()?);
    record["text"] = json!(plain(&article.body.body));
    if let Ok(withdrawal) = text(row, "withdrawal") {
        record[WITHDRAWN] = serde_json::from_str(withdrawal).ok()?;
    }
    Some(record)
}

#[cfg(test)]
mod tests {
    use masthead_store::site_rows::{Decision, TABLES};

    use super::*;

    fn changes(before: &Value, after: &Value) -> FieldChanges {
        FieldChanges::of(before, after, true, MOST_FIELDS)
    }

    #[test]
    fn long_values_are_cut_where_they_differ() {
        let long = "Low tide. ".repeat(30);
        let (before, after) = (format!("{long}Sand.{long}"), format!("{long}Silt.{long}"));
        let found = changes(&json!({ "a": before, "b": 1, "c": [long] }), &json!({ "a": after, "b": 2, "c": [] }));
        let of = |at: usize| (&found.fields[at].before, &found.fields[at].after);
        let (Some(before), Some(after)) = (of(0).0.as_str(), of(0).1.as_str()) else { unreachable!("{found:?}") };
        assert!(before.starts_with('…') && before.contains("tide. Sand.Low") && before.ends_with('…'), "{before}");
        assert!(after.contains("tide. Silt.Low"), "{after}");
        assert_eq!(before.chars().count(), MOST_CHARACTERS + 2);
        assert_eq!(of(1), (&json!(1), &json!(2)));
        assert!(of(2).0.as_str().is_some_and(|text| text.starts_with("[\"Low tide.")), "{found:?}");
        assert_eq!((of(2).1, found.more), (&json!([]), 0));
    }

    #[test]
    fn fields_beyond_the_limit_are_counted() {
        let record = |value: i64| Value::Object((0..25).map(|at| (format!("f{at:02}"), json!(value))).collect());
        let found = changes(&record(1), &record(2));
        assert_eq!((found.fields.len(), found.more), (MOST_FIELDS, 5));
        assert_eq!(found.fields[19].key, "f19");
    }

    #[test]
    fn keys_of_files_are_compared_and_secrets_are_not_shown() {
        let plugins = |key: &str| format!("[[plugins]]\nid = \"a\"\nsettings = {{ apiKey = \"{key}\" }}\n");
        let before = format!("id = 1\nstate = \"active\"\n[header]\nnavStyle = 0\n{}", plugins("s3cret"));
        let after = format!("# Ours\nid = 1\n[header]\nnavStyle = 9\n{}", plugins("other"));
        let found = FieldChanges::of_files(before.as_bytes(), after.as_bytes());
        let keys: Vec<&str> = found.fields.iter().map(|change| change.key.as_str()).collect();
        assert_eq!(keys, ["header.navStyle", "plugins", "state"]);
        assert_eq!((&found.fields[0].before, &found.fields[0].after), (&json!(0), &json!(9)));
        assert_eq!((&found.fields[2].before, &found.fields[2].after), (&json!("active"), &Value::Null));
        let shown = format!("{found:?}");
        assert!(!shown.contains("s3cret") && !shown.contains("other"), "{shown}");
        assert_eq!(FieldChanges::of_files(b"id = ", b"id = 1"), FieldChanges::default());
    }

    #[test]
    fn records_are_rows_of_tables_that_a_bundle_has() {
        for (known, _) in &RECORDS {
            let decision = TABLES.iter().find(|one| one.table == *known).map(|one| one.decision);
            assert_eq!(decision, Some(Decision::Kept), "{known}");
        }
    }

    #[test]
    fn a_row_is_a_record_by_the_form_of_its_table() {
        let row = SiteRow::from([
            ("id".to_owned(), Field::Int(7)),
            ("setting".to_owned(), Field::Text("header.navStyle".to_owned())),
            ("value".to_owned(), Field::Text("9".to_owned())),
        ]);
        assert_eq!(Form::Setting.record(&row), Some(json!({ "header.navStyle": 9 })));
        let columns = Form::Columns(&["id", "setting"], &["value"]);
        assert_eq!(columns.record(&row), Some(json!({ "id": 7, "setting": "header.navStyle", "value": 9 })));
    }
}
