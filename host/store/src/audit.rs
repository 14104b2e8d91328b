//! The audit trail: what people changed by hand. A line is written in the transaction that makes the change; only a change of a file has
//! its line after it ([`SiteStore::note_audit`]).

use masthead_domain::SiteId;
use serde_json::Value;
use sqlx::{Any, Transaction};

use crate::{SiteStore, Store, StoreError, next};

const READING: &str = "reading the audit trail";
const WRITING: &str = "writing to the audit trail";

/// A change that somebody made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuditEntry {
    /// Who made it.
    pub who: String,
    /// What was done: `created`, `changed`, `removed`, `withdrawn`, `reinstated`, or as another part of the host names it.
    pub action: String,
    /// What it was done to: the kind, a slash, the name (`journal/tides`, `issue/tides/2026/3`, `article/12`, `news/opening`).
    pub subject: String,
    /// What was there: the changed fields by their keys, or the whole record; null for a new one.
    pub before: Value,
    /// What is there now, in the same form; null for a removed record.
    pub after: Value,
}

/// A line of the audit trail.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditLine {
    /// Its number; later lines have larger ones.
    pub id: i64,
    /// The site.
    pub site: SiteId,
    /// When it was written, milliseconds since 1970.
    pub at_ms: i64,
    /// The change.
    pub entry: AuditEntry,
}

/// Which lines of the audit trail to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditQuery {
    /// The site; all sites without one.
    pub site: Option<SiteId>,
    /// A subject, with those below it (`issue/tides` has all issues of a journal); "" for all.
    pub subject: String,
    /// The kinds of subjects, which are the part before the slash; all kinds if there are none.
    pub kinds: Vec<&'static str>,
    /// Lines older than the one with this number.
    pub older_than: Option<i64>,
    /// Greatest number of lines.
    pub limit: i64,
}

type Row = (i64, i64, i64, String, String, String, String, String);

impl Store {
    /// Lines of the audit trail, newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn audit(&self, query: &AuditQuery) -> Result<Vec<AuditLine>, StoreError> {
        // Not by LIKE, for which SQLite takes a capital and a small letter as the same.
        let sql = format!(
            "SELECT id, site_id, moment, who, action, subject, old_value, new_value FROM audit \
             WHERE ($1 = -1 OR site_id = $1) \
             AND ($2 = '' OR subject = $2 OR SUBSTR(subject, 1, LENGTH($3)) = $3) AND id < $4{} \
             ORDER BY id DESC LIMIT $5",
            of_kinds(6, query.kinds.len())
        );
        let mut lines = sqlx::query_as::<_, Row>(sqlx::AssertSqlSafe(sql))
            .bind(query.site.map_or(-1, |site| site.0))
            .bind(&query.subject)
            .bind(format!("{}/", query.subject))
            .bind(query.older_than.unwrap_or(i64::MAX))
            .bind(query.limit);
        for kind in &query.kinds {
            lines = lines.bind(format!("{kind}/"));
        }
        let rows = lines.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?;
        rows.into_iter().map(line).collect()
    }
}

/// The condition for as many kinds of subjects, the first of which has this place among the parameters.
fn of_kinds(first: usize, kinds: usize) -> String {
    let kind = |place: usize| format!("SUBSTR(subject, 1, LENGTH(${place})) = ${place}");
    let all: Vec<String> = (first..).take(kinds).map(kind).collect();
    if all.is_empty() { String::new() } else { format!(" AND ({})", all.join(" OR ")) }
}

impl SiteStore {
    /// The latest line about a subject.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn latest_audit(&self, subject: &str) -> Result<Option<AuditLine>, StoreError> {
        let row: Option<Row> = sqlx::query_as(
            "SELECT id, site_id, moment, who, action, subject, old_value, new_value FROM audit \
             WHERE site_id = $1 AND subject = $2 ORDER BY id DESC LIMIT 1",
        )
        .bind(self.site)
        .bind(subject)
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        row.map(line).transpose()
    }
}

impl SiteStore {
    /// Appends a line about a change that was made outside the database, such as one of a configuration file.
    ///
    /// # Errors
    /// [`StoreError`]; no line is written then.
    pub async fn note_audit(&self, entry: &AuditEntry) -> Result<(), StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        append(&mut tx, self.site, (self.clock)(), entry).await?;
        tx.commit().await.map_err(StoreError::query(WRITING))
    }
}

fn line((id, site, at_ms, who, action, subject, before, after): Row) -> Result<AuditLine, StoreError> {
    let value = |text: &str| serde_json::from_str(text).map_err(StoreError::damaged("a line of the audit trail"));
    let entry = AuditEntry { who, action, subject, before: value(&before)?, after: value(&after)? };
    Ok(AuditLine { id, site: SiteId(site), at_ms, entry })
}

/// Appends a line, in the transaction of the change that it describes; `now` is in milliseconds since 1970.
pub(crate) async fn append(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    now: i64,
    entry: &AuditEntry,
) -> Result<(), StoreError> {
    write(tx, site, now, entry).await.map_err(StoreError::query(WRITING))
}

async fn write(tx: &mut Transaction<'_, Any>, site: i64, now: i64, entry: &AuditEntry) -> Result<(), sqlx::Error> {
    let id = next(tx, "audit").await?;
    sqlx::query(
        "INSERT INTO audit (id, site_id, moment, who, action, subject, old_value, new_value) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(id)
    .bind(site)
    .bind(now)
    .bind(&entry.who)
    .bind(&entry.action)
    .bind(&entry.subject)
    .bind(entry.before.to_string())
    .bind(entry.after.to_string())
    .execute(&mut **tx)
    .await?;
    Ok(())
}
