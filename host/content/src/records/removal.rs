//! Removal of records.

use masthead_store::{AuditEntry, RecordChange};
use serde_json::Value;

use super::{
    Done, FieldChange, Loaded, RecordEdit, RecordError, RecordType, Records, articles, check_source, fields, in_use,
    types::read,
};

impl Records {
    /// Removes a record. A journal and an issue must have no articles; an article that is imported again gets its number back.
    ///
    /// # Errors
    /// [`RecordError`]; nothing is removed then.
    pub async fn remove(&self, of: RecordType, name: &str, change: &RecordEdit) -> Result<Done, RecordError> {
        check_source(of, "removed")?;
        let Some(loaded) = self.load(of, name).await? else { return Err(self.missing(of, name).await?) };
        let last_editor = self.check_version(&loaded, change).await?;
        // The trail keeps the whole record, with its empty fields.
        let entry = AuditEntry {
            who: change.who.clone(),
            action: "removed".to_owned(),
            subject: loaded.subject.clone(),
            before: loaded.value.clone(),
            after: Value::Null,
        };
        let by_hand = RecordChange { from: Some(&loaded.version), entry: &entry, fields: &[] };
        let done = Done {
            record_type: of.as_str(),
            name: loaded.name.clone(),
            action: "removed",
            dry_run: change.dry_run,
            version: None,
            changes: gone(&loaded.value),
            last_editor,
        };
        if change.dry_run {
            return self.check_unused(of, &loaded).await.map(|()| done);
        }
        let store = self.store();
        let outcome = match of {
            RecordType::Journal => store.remove_journal(&loaded.name, by_hand).await?,
            RecordType::Issue => store.remove_issue(&read(&loaded.value)?, by_hand).await?,
            RecordType::Article => store.remove_article_record(articles::number(&loaded.name)?, by_hand).await?,
            RecordType::Resource(kind) => store.remove_resource_record(kind, &loaded.name, by_hand).await?,
        };
        self.made(outcome, &loaded.subject, of).await?;
        Ok(done)
    }

    /// Whether a record could be removed, for a dry run.
    async fn check_unused(&self, of: RecordType, loaded: &Loaded) -> Result<(), RecordError> {
        let key = match of {
            RecordType::Journal => loaded.name.as_str(),
            RecordType::Issue => loaded.value["journal"].as_str().unwrap_or_default(),
            _ => return Ok(()),
        };
        let sizes = self.store().issue_sizes(key).await?;
        let same = |(year, issue, _): &&(i64, String, i64)| {
            of == RecordType::Journal
                || (loaded.value["year"].as_i64() == Some(*year)
                    && loaded.value["issue"].as_str() == Some(issue.as_str()))
        };
        let articles: i64 = sizes.iter().filter(same).map(|(.., articles)| articles).sum();
        if articles > 0 { Err(in_use(of, &loaded.subject, articles)) } else { Ok(()) }
    }
}

/// The fields that go with a record: those that have a value.
fn gone(record: &Value) -> Vec<FieldChange> {
    let mut changes = fields::differences(record, &Value::Null);
    changes.retain(|change| match &change.before {
        Value::String(text) => !text.is_empty(),
        Value::Array(values) => !values.is_empty(),
        _ => true,
    });
    changes
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_fields_that_go_are_those_with_a_value() {
        let record = json!({
            "key": "opening", "title": { "en": "We open" }, "cover": "", "items": [], "tags": ["a"], "year": null,
            "content": {}, "position": 0,
        });
        let change = |key: &str, before: Value| FieldChange { key: key.to_owned(), before, after: Value::Null };
        let expected = [
            change("key", json!("opening")),
            change("position", json!(0)),
            change("tags", json!(["a"])),
            change("title.en", json!("We open")),
        ];
        assert_eq!(gone(&record), expected);
    }
}
