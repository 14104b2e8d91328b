//! The fields of records that were edited by hand. An import keeps them: it applies them to what it is about to store.
//!
//! A field is named by its path in the record's JSON form (`title.en`); null stands for a part that an editor has taken away.

use std::collections::HashMap;

use masthead_domain::{ArticleId, Doi, article::JournalRef, publication::Issue};
use serde_json::{Map, Value};
use sqlx::{Any, AnyPool, Executor, Transaction};

use crate::{LIST, SiteStore, StoreError, StoredForm, StoredResource, places, subjects};

const READING: &str = "reading the fields that were edited by hand";
const WRITING: &str = "saving the fields that were edited by hand";

/// The field with the DOIs that an article had before an editor changed its DOI, a list. Sources and readers may still name it by them.
pub const EARLIER_DOIS: &str = "earlierDois";

/// Edited fields of a record: path and value.
pub type Edits = Vec<(String, Value)>;

/// Sets the value at a path; null removes it. Objects on the way are made where they are missing.
pub fn set_field(record: &mut Value, path: &str, value: Value) {
    let (head, rest) = path.split_once('.').map_or((path, None), |(head, rest)| (head, Some(rest)));
    if !record.is_object() {
        *record = Value::Object(Map::new());
    }
    let Some(fields) = record.as_object_mut() else { return };
    match rest {
        Some(rest) => set_field(fields.entry(head).or_insert(Value::Null), rest, value),
        None if value.is_null() => _ = fields.remove(head),
        None => _ = fields.insert(head.to_owned(), value),
    }
}

/// The value at a path; null where there is none.
#[must_use]
pub fn field<'a>(record: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(record, |value, name| value.get(name).unwrap_or(&Value::Null))
}

/// Puts the edited fields into a record; returns the paths of those that differed.
pub fn apply_edits(record: &mut Value, edits: &[(String, Value)]) -> Vec<String> {
    let mut kept = Vec::new();
    for (path, value) in edits {
        if field(record, path) != value {
            set_field(record, path, value.clone());
            kept.push(path.clone());
        }
    }
    kept
}

/// The stored value with the edited fields, and the paths of those that differed.
pub(crate) fn applied<T: StoredForm + Clone>(
    value: &T,
    edits: &[(String, Value)],
) -> Result<(T, Vec<String>), StoreError> {
    if edits.is_empty() {
        return Ok((value.clone(), Vec::new()));
    }
    let damaged = || StoreError::damaged("a record with the fields that were edited by hand");
    let text = value.encode().map_err(damaged())?;
    let mut record: Value = serde_json::from_str(&text).map_err(damaged())?;
    let kept = apply_edits(&mut record, edits);
    Ok((T::decode(&record.to_string()).map_err(damaged())?, kept))
}

/// What tells whether the edits of a record have changed; "" without edits.
#[must_use]
pub fn edits_stamp(edits: &[(String, Value)]) -> String {
    edits.iter().map(|(path, value)| format!("{path}={value}\n")).collect()
}

/// The edited fields of a subject, by path.
pub(crate) async fn of<'c>(
    executor: impl Executor<'c, Database = Any>,
    site: i64,
    subject: &str,
) -> Result<Edits, StoreError> {
    let rows: Vec<(String, String)> =
        sqlx::query_as("SELECT field, value FROM edits WHERE site_id = $1 AND subject = $2 ORDER BY field")
            .bind(site)
            .bind(subject)
            .fetch_all(executor)
            .await
            .map_err(StoreError::query(READING))?;
    rows.into_iter().map(read).collect()
}

fn read((path, value): (String, String)) -> Result<(String, Value), StoreError> {
    Ok((path, serde_json::from_str(&value).map_err(StoreError::damaged("a field that was edited by hand"))?))
}

/// The stamps of those of the articles that have edits.
pub(crate) async fn stamps(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    articles: &[i64],
) -> Result<HashMap<i64, String>, StoreError> {
    let mut edits: HashMap<i64, Edits> = HashMap::new();
    for some in articles.chunks(LIST) {
        let sql = format!(
            "SELECT subject, field, value FROM edits WHERE site_id = $1 AND subject IN ({}) ORDER BY subject, field",
            places(2, some.len())
        );
        let mut query = sqlx::query_as::<_, (String, String, String)>(sqlx::AssertSqlSafe(sql)).bind(site);
        for id in some {
            query = query.bind(subjects::article(ArticleId(*id)));
        }
        for (subject, path, value) in query.fetch_all(&mut **tx).await.map_err(StoreError::query(READING))? {
            let Some(id) = subjects::as_article(&subject) else { continue };
            edits.entry(id.0).or_default().push(read((path, value))?);
        }
    }
    Ok(edits.into_iter().map(|(id, edits)| (id, edits_stamp(&edits))).collect())
}

/// The paths of the edited fields of those of the articles that have any.
pub(crate) async fn fields_of(
    executor: &AnyPool,
    site: i64,
    articles: &[i64],
) -> Result<HashMap<i64, Vec<String>>, StoreError> {
    let mut fields: HashMap<i64, Vec<String>> = HashMap::new();
    for some in articles.chunks(LIST) {
        let sql =
            format!("SELECT subject, field FROM edits WHERE site_id = $1 AND subject IN ({})", places(2, some.len()));
        let mut query = sqlx::query_as::<_, (String, String)>(sqlx::AssertSqlSafe(sql)).bind(site);
        for id in some {
            query = query.bind(subjects::article(ArticleId(*id)));
        }
        for (subject, path) in query.fetch_all(executor).await.map_err(StoreError::query(READING))? {
            let Some(id) = subjects::as_article(&subject) else { continue };
            fields.entry(id.0).or_default().push(path);
        }
    }
    Ok(fields)
}

/// The articles of a site, withdrawn or not, by the DOIs ([`Doi::key`]) that they had before an editor changed them.
pub(crate) async fn earlier_dois<'c>(
    executor: impl Executor<'c, Database = Any>,
    site: i64,
) -> Result<HashMap<String, i64>, sqlx::Error> {
    let rows: Vec<(String, String)> =
        sqlx::query_as("SELECT subject, value FROM edits WHERE site_id = $1 AND field = $2")
            .bind(site)
            .bind(EARLIER_DOIS)
            .fetch_all(executor)
            .await?;
    let mut found = HashMap::new();
    for (subject, value) in rows {
        let Some(id) = subjects::as_article(&subject) else { continue };
        let dois = dois(&value).map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
        found.extend(dois.into_iter().map(|doi| (doi, id.0)));
    }
    Ok(found)
}

/// The keys of the DOIs in a stored field [`EARLIER_DOIS`].
pub(crate) fn dois(value: &str) -> serde_json::Result<Vec<String>> {
    let dois: Value = serde_json::from_str(value)?;
    let dois = dois.as_array().into_iter().flatten().filter_map(Value::as_str);
    Ok(dois.filter_map(|doi| Some(Doi::parse(doi).ok()?.key())).collect())
}

/// The number that `select` finds for the site and the number of the article that had this DOI before an editor changed it.
pub(crate) async fn by_earlier_doi(
    pool: &AnyPool,
    site: i64,
    select: &'static str,
    doi: &Doi,
) -> Result<Option<ArticleId>, sqlx::Error> {
    let Some(id) = earlier_dois(pool, site).await?.remove(&doi.key()) else { return Ok(None) };
    let found: Option<i64> = sqlx::query_scalar(select).bind(site).bind(id).fetch_optional(pool).await?;
    Ok(found.map(ArticleId))
}

/// Saves edited fields; `None` gives a field, and what is below it, back to the imports.
pub(crate) async fn save(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    subject: &str,
    fields: &[(String, Option<Value>)],
) -> Result<(), StoreError> {
    write(tx, site, subject, fields).await.map_err(StoreError::query(WRITING))
}

async fn write(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    subject: &str,
    fields: &[(String, Option<Value>)],
) -> Result<(), sqlx::Error> {
    let known: Vec<String> = sqlx::query_scalar("SELECT field FROM edits WHERE site_id = $1 AND subject = $2")
        .bind(site)
        .bind(subject)
        .fetch_all(&mut **tx)
        .await?;
    for (path, value) in fields {
        // A field is kept once: as a whole, or by its parts.
        let below = format!("{path}.");
        for old in known.iter().filter(|old| *old == path || old.starts_with(&below)) {
            sqlx::query("DELETE FROM edits WHERE site_id = $1 AND subject = $2 AND field = $3")
                .bind(site)
                .bind(subject)
                .bind(old)
                .execute(&mut **tx)
                .await?;
        }
        let Some(value) = value else { continue };
        sqlx::query(
            "INSERT INTO edits (site_id, subject, field, value) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (site_id, subject, field) DO UPDATE SET value = excluded.value",
        )
        .bind(site)
        .bind(subject)
        .bind(path)
        .bind(value.to_string())
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

/// Forgets the edited fields of a record that was removed.
pub(crate) async fn forget(tx: &mut Transaction<'_, Any>, site: i64, subject: &str) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM edits WHERE site_id = $1 AND subject = $2")
        .bind(site)
        .bind(subject)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

impl SiteStore {
    /// The fields of a record that were edited by hand. The subject is that of the audit trail (`issue/tides/2026/3`).
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn edits(&self, subject: &str) -> Result<Edits, StoreError> {
        of(&self.pool, self.site, subject).await
    }

    /// The subjects of a kind (`redirect`) of which fields were edited by hand.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn edited_subjects(&self, kind: &str) -> Result<Vec<String>, StoreError> {
        // Not by LIKE, for which SQLite takes a capital and a small letter as the same.
        sqlx::query_scalar(
            "SELECT DISTINCT subject FROM edits WHERE site_id = $1 AND SUBSTR(subject, 1, LENGTH($2)) = $2 ORDER BY subject",
        )
        .bind(self.site)
        .bind(format!("{kind}/"))
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))
    }

    /// The number and the edited fields of the article with this source key, if it has any; a withdrawn article has the field `withdrawn`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn edits_of_article(&self, source_key: &str) -> Result<Option<(ArticleId, Edits)>, StoreError> {
        let rows: Vec<(i64, String, String)> = sqlx::query_as(
            "SELECT a.id, e.field, e.value FROM (SELECT id FROM articles WHERE site_id = $1 AND source_key = $2 \
             UNION ALL SELECT id FROM withdrawn_articles WHERE site_id = $1 AND source_key = $2) AS a \
             JOIN edits AS e ON e.site_id = $1 AND e.subject = 'article/' || CAST(a.id AS TEXT) ORDER BY e.field",
        )
        .bind(self.site)
        .bind(source_key)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        let Some(id) = rows.first().map(|(id, ..)| ArticleId(*id)) else { return Ok(None) };
        let edits = rows.into_iter().map(|(_, path, value)| read((path, value))).collect::<Result<_, _>>()?;
        Ok(Some((id, edits)))
    }

    /// The paths of the fields in which an imported issue differs from what an editor has made of it.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn kept_of_issue(&self, of: &JournalRef, imported: &Issue) -> Result<Vec<String>, StoreError> {
        let Some(journal) = self.journal_key(of).await? else { return Ok(Vec::new()) };
        let edits = self.edits(&subjects::issue(&journal, i64::from(imported.year), &imported.issue)).await?;
        // What the import leaves empty keeps its value anyway.
        let given =
            |path: &str, record: &Value| !matches!(field(record, path), Value::Null) && *field(record, path) != "";
        let text = imported.encode().map_err(StoreError::damaged("an issue"))?;
        let record: Value = serde_json::from_str(&text).map_err(StoreError::damaged("an issue"))?;
        let differs = |(path, value): &(String, Value)| given(path, &record) && field(&record, path) != value;
        Ok(edits.into_iter().filter(differs).map(|(path, _)| path).collect())
    }

    /// Stores an imported resource as [`SiteStore::save_resource`] does, with the fields that were edited by hand. Returns the paths of
    /// those in which the import differed.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is stored then.
    pub async fn import_resource<T: StoredResource>(
        &self,
        value: &T,
    ) -> Result<(crate::Saved<i64>, Vec<String>), StoreError> {
        self.put_resource(value, true).await
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn edits_are_put_at_their_paths() {
        let mut record = json!({ "title": { "en": "Tides", "zh": "潮" }, "date": "2026" });
        let edits = [
            ("date".to_owned(), json!("2026")),
            ("title.en".to_owned(), json!("Tides, corrected")),
            ("title.zh".to_owned(), Value::Null),
            ("dates.online".to_owned(), json!("2026-03")),
        ];
        assert_eq!(apply_edits(&mut record, &edits), ["title.en", "title.zh", "dates.online"]);
        let expected =
            json!({ "title": { "en": "Tides, corrected" }, "date": "2026", "dates": { "online": "2026-03" } });
        assert_eq!(record, expected);
        assert_eq!(apply_edits(&mut record, &edits), Vec::<String>::new(), "what agrees already is not reported");
        assert_ne!(edits_stamp(&edits[..1]), edits_stamp(&edits[..2]));
        assert_eq!(edits_stamp(&[]), "");
    }
}
