//! Changes of records by hand. Each is one transaction: it checks that nobody else has changed the record since it was read, writes the
//! record, its line of the change log and of the audit trail, and the fields that imports keep from now on.

use masthead_domain::{
    ArticleId,
    publication::{Issue, Journal},
    resource::ResourceKind,
    text::hex,
};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use sqlx::{Any, Executor, Transaction};

use crate::{
    AuditEntry, ChangeAction, ChangeKind, NewArticle, SiteStore, StoreError, StoredResource, audit, begin_change,
    edits, journals, lock_changes, log, media_uses, resources, subjects,
};

const READING: &str = "reading a record";
const WRITING: &str = "changing a record";

/// A change of a record by hand.
#[derive(Clone, Copy, Debug)]
pub struct RecordChange<'a> {
    /// The version that the change was made from; `None` if the record is new.
    pub from: Option<&'a str>,
    /// The line of the audit trail.
    pub entry: &'a AuditEntry,
    /// Fields that imports keep from now on, by their paths; `None` gives a field back to the imports.
    pub fields: &'a [(String, Option<Value>)],
}

/// Outcome of a change by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// It was made.
    Made,
    /// It was not: somebody has changed, added or removed the record in the meantime.
    Stale,
    /// It was not: the record to be removed has this many articles.
    InUse(i64),
}

/// The version of a record: a digest of its stored form.
#[must_use]
pub fn record_version(stored: &str) -> String {
    hex(Sha256::digest(stored).get(..8).unwrap_or_default())
}

/// Whether the record that is stored is the one that a change was made from.
pub(crate) fn is_current(stored: Option<&str>, from: Option<&str>) -> bool {
    match (stored, from) {
        (None, None) => true,
        (Some(stored), Some(from)) => record_version(stored) == from,
        _ => false,
    }
}

impl SiteStore {
    /// The journal with this key, with its version.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn journal_record(&self, key: &str) -> Result<Option<(Journal, String)>, StoreError> {
        let data = stored_journal(&self.pool, self.site, key).await?;
        data.map(|data| versioned(&data, "a journal")).transpose()
    }

    /// An issue with its version.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn issue_record(
        &self,
        journal: &str,
        year: i32,
        issue: &str,
    ) -> Result<Option<(Issue, String)>, StoreError> {
        let data = journals::issue_data(&self.pool, self.site, journal, year, issue)
            .await
            .map_err(StoreError::query(READING))?;
        data.map(|data| versioned(&data, "an issue")).transpose()
    }

    /// The number of a resource and the resource, with its version.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn resource_record<T: StoredResource>(&self, key: &str) -> Result<Option<(i64, T, String)>, StoreError> {
        let row = resources::by_key(&self.pool, self.site, T::KIND, key).await.map_err(StoreError::query(READING))?;
        row.map(|(id, data)| versioned(&data, "a resource").map(|(value, version)| (id, value, version))).transpose()
    }

    /// The version of an article.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn article_version(&self, id: ArticleId) -> Result<Option<String>, StoreError> {
        let digest = stored_article(&self.pool, self.site, id).await?;
        Ok(digest.map(|digest| record_version(&digest)))
    }

    /// Adds or changes a journal by hand.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is changed then.
    pub async fn edit_journal(&self, journal: &Journal, change: RecordChange<'_>) -> Result<Changed, StoreError> {
        let (mut tx, seq) = begin_change(&self.pool).await.map_err(StoreError::query(WRITING))?;
        let stored = stored_journal(&mut *tx, self.site, &journal.key).await?;
        if !is_current(stored.as_deref(), change.from) {
            return Ok(Changed::Stale);
        }
        journals::write_journal(&mut tx, self.site, journal, seq).await?;
        let used_by = media_uses::journal(&journal.key);
        media_uses::replace(&mut tx, self.site, used_by, &crate::encode(journal)?, (self.clock)())
            .await
            .map_err(StoreError::query(WRITING))?;
        let action = ChangeAction::write(stored.is_some());
        log(&mut tx, self.site, seq, ChangeKind::Journal, action, &journal.key)
            .await
            .map_err(StoreError::query(WRITING))?;
        self.finish(tx, &subjects::journal(&journal.key), change).await
    }

    /// Adds or changes an issue by hand.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is changed then.
    pub async fn edit_issue(&self, issue: &Issue, change: RecordChange<'_>) -> Result<Changed, StoreError> {
        let (mut tx, seq) = begin_change(&self.pool).await.map_err(StoreError::query(WRITING))?;
        // The journal may have been removed since the issue was read.
        if stored_journal(&mut *tx, self.site, &issue.journal).await?.is_none() {
            return Ok(Changed::Stale);
        }
        let stored = stored_issue(&mut tx, self.site, issue).await?;
        if !is_current(stored.as_deref(), change.from) {
            return Ok(Changed::Stale);
        }
        journals::write_issue(&mut tx, self.site, issue, (self.clock)()).await?;
        log(&mut tx, self.site, seq, ChangeKind::Journal, ChangeAction::Replaced, &issue.journal)
            .await
            .map_err(StoreError::query(WRITING))?;
        self.finish(tx, &subjects::issue(&issue.journal, i64::from(issue.year), &issue.issue), change).await
    }

    /// Adds or changes a resource by hand.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is changed then.
    pub async fn edit_resource<T: StoredResource>(
        &self,
        value: &T,
        change: RecordChange<'_>,
    ) -> Result<Changed, StoreError> {
        let (mut tx, seq) = begin_change(&self.pool).await.map_err(StoreError::query(WRITING))?;
        let key = value.list_keys().key.to_owned();
        let stored = resources::by_key(&mut *tx, self.site, T::KIND, &key).await.map_err(StoreError::query(READING))?;
        if !is_current(stored.as_ref().map(|(_, data)| data.as_str()), change.from) {
            return Ok(Changed::Stale);
        }
        self.put_in(&mut tx, seq, value).await?;
        self.finish(tx, &subjects::resource(T::KIND, &key), change).await
    }

    /// Stores an article that was changed by hand.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is changed then.
    pub async fn edit_article(
        &self,
        id: ArticleId,
        new: &NewArticle,
        change: RecordChange<'_>,
    ) -> Result<Changed, StoreError> {
        let mut tx = lock_changes(&self.pool).await.map_err(StoreError::query(WRITING))?;
        if !is_current(stored_article(&mut *tx, self.site, id).await?.as_deref(), change.from) {
            return Ok(Changed::Stale);
        }
        let work_key = stored_work_key(&mut tx, self.site, id).await?;
        // Notices find the article by the DOI that it had before this change.
        edits::save(&mut tx, self.site, &subjects::article(id), change.fields).await?;
        self.write_one(&mut tx, &NewArticle { work_key, ..new.clone() }).await?;
        self.finish(tx, &subjects::article(id), RecordChange { fields: &[], ..change }).await
    }

    /// Removes a journal with its issues, unless articles are in it.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is removed then.
    pub async fn remove_journal(&self, key: &str, change: RecordChange<'_>) -> Result<Changed, StoreError> {
        let (mut tx, seq) = begin_change(&self.pool).await.map_err(StoreError::query(WRITING))?;
        let stored = stored_journal(&mut *tx, self.site, key).await?;
        if stored.is_none() || !is_current(stored.as_deref(), change.from) {
            return Ok(Changed::Stale);
        }
        let articles: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM articles WHERE site_id = $1 AND journal = $2")
            .bind(self.site)
            .bind(key)
            .fetch_one(&mut *tx)
            .await
            .map_err(StoreError::query(READING))?;
        if articles > 0 {
            return Ok(Changed::InUse(articles));
        }
        self.delete_journal(&mut tx, key).await.map_err(StoreError::query(WRITING))?;
        log(&mut tx, self.site, seq, ChangeKind::Journal, ChangeAction::Removed, key)
            .await
            .map_err(StoreError::query(WRITING))?;
        self.finish(tx, &subjects::journal(key), change).await
    }

    async fn delete_journal(&self, tx: &mut Transaction<'_, Any>, key: &str) -> Result<(), sqlx::Error> {
        let issues: Vec<(i64, String)> =
            sqlx::query_as("SELECT year, issue FROM issues WHERE site_id = $1 AND journal = $2")
                .bind(self.site)
                .bind(key)
                .fetch_all(&mut **tx)
                .await?;
        let mut users = vec![media_uses::journal(key)];
        users.extend(issues.iter().map(|(year, issue)| media_uses::issue(key, *year, issue)));
        media_uses::end(tx, self.site, &users, (self.clock)()).await?;
        for (year, issue) in &issues {
            edits::forget(tx, self.site, &subjects::issue(key, *year, issue)).await?;
        }
        edits::forget(tx, self.site, &subjects::journal(key)).await?;
        for statement in [
            "DELETE FROM issues WHERE site_id = $1 AND journal = $2",
            "DELETE FROM journals WHERE site_id = $1 AND journal = $2",
        ] {
            sqlx::query(statement).bind(self.site).bind(key).execute(&mut **tx).await?;
        }
        Ok(())
    }

    /// Removes an issue, unless articles are in it.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is removed then.
    pub async fn remove_issue(&self, issue: &Issue, change: RecordChange<'_>) -> Result<Changed, StoreError> {
        let (mut tx, seq) = begin_change(&self.pool).await.map_err(StoreError::query(WRITING))?;
        let stored = stored_issue(&mut tx, self.site, issue).await?;
        if stored.is_none() || !is_current(stored.as_deref(), change.from) {
            return Ok(Changed::Stale);
        }
        let articles: i64 = sqlx::query_scalar(
            "SELECT COUNT(*) FROM articles WHERE site_id = $1 AND journal = $2 AND year = $3 AND issue = $4",
        )
        .bind(self.site)
        .bind(&issue.journal)
        .bind(i64::from(issue.year))
        .bind(&issue.issue)
        .fetch_one(&mut *tx)
        .await
        .map_err(StoreError::query(READING))?;
        if articles > 0 {
            return Ok(Changed::InUse(articles));
        }
        let subject = subjects::issue(&issue.journal, i64::from(issue.year), &issue.issue);
        self.delete_issue(&mut tx, issue, &subject).await.map_err(StoreError::query(WRITING))?;
        log(&mut tx, self.site, seq, ChangeKind::Journal, ChangeAction::Replaced, &issue.journal)
            .await
            .map_err(StoreError::query(WRITING))?;
        self.finish(tx, &subject, change).await
    }

    /// Deletes the row of an issue, with its edits and the use of its files.
    pub(crate) async fn delete_issue(
        &self,
        tx: &mut Transaction<'_, Any>,
        issue: &Issue,
        subject: &str,
    ) -> Result<(), sqlx::Error> {
        let used_by = media_uses::issue(&issue.journal, i64::from(issue.year), &issue.issue);
        media_uses::end(tx, self.site, &[used_by], (self.clock)()).await?;
        edits::forget(tx, self.site, subject).await?;
        sqlx::query("DELETE FROM issues WHERE site_id = $1 AND journal = $2 AND year = $3 AND issue = $4")
            .bind(self.site)
            .bind(&issue.journal)
            .bind(i64::from(issue.year))
            .bind(&issue.issue)
            .execute(&mut **tx)
            .await?;
        Ok(())
    }

    /// Removes a resource by hand.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is removed then.
    pub async fn remove_resource_record(
        &self,
        kind: ResourceKind,
        key: &str,
        change: RecordChange<'_>,
    ) -> Result<Changed, StoreError> {
        let (mut tx, seq) = begin_change(&self.pool).await.map_err(StoreError::query(WRITING))?;
        let stored = resources::by_key(&mut *tx, self.site, kind, key).await.map_err(StoreError::query(READING))?;
        let Some((id, data)) = stored else { return Ok(Changed::Stale) };
        if !is_current(Some(&data), change.from) {
            return Ok(Changed::Stale);
        }
        self.delete_in(&mut tx, seq, kind, id).await.map_err(StoreError::query(WRITING))?;
        self.finish(tx, &subjects::resource(kind, key), change).await
    }

    /// Completes the transaction of a change: the fields that imports keep, the line of the audit trail, the commit.
    pub(crate) async fn finish(
        &self,
        mut tx: Transaction<'_, Any>,
        subject: &str,
        change: RecordChange<'_>,
    ) -> Result<Changed, StoreError> {
        edits::save(&mut tx, self.site, subject, change.fields).await?;
        audit::append(&mut tx, self.site, (self.clock)(), change.entry).await?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(Changed::Made)
    }
}

fn versioned<T: crate::StoredForm>(data: &str, what: &'static str) -> Result<(T, String), StoreError> {
    Ok((T::decode(data).map_err(StoreError::damaged(what))?, record_version(data)))
}

/// The work key of the source of an article, which no change by hand changes; `None` if none is known.
pub(crate) async fn stored_work_key(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    id: ArticleId,
) -> Result<Option<String>, StoreError> {
    sqlx::query_scalar("SELECT work_key FROM articles WHERE site_id = $1 AND id = $2 AND work_key <> ''")
        .bind(site)
        .bind(id.0)
        .fetch_optional(&mut **tx)
        .await
        .map_err(StoreError::query(READING))
}

async fn stored_journal<'c>(
    executor: impl Executor<'c, Database = Any>,
    site: i64,
    key: &str,
) -> Result<Option<String>, StoreError> {
    sqlx::query_scalar("SELECT data FROM journals WHERE site_id = $1 AND journal = $2")
        .bind(site)
        .bind(key)
        .fetch_optional(executor)
        .await
        .map_err(StoreError::query(READING))
}

pub(crate) async fn stored_issue(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    issue: &Issue,
) -> Result<Option<String>, StoreError> {
    journals::issue_data(&mut **tx, site, &issue.journal, issue.year, &issue.issue)
        .await
        .map_err(StoreError::query(READING))
}

/// The digest of an article, which its version is made of.
pub(crate) async fn stored_article<'c>(
    executor: impl Executor<'c, Database = Any>,
    site: i64,
    id: ArticleId,
) -> Result<Option<String>, StoreError> {
    sqlx::query_scalar("SELECT digest FROM articles WHERE site_id = $1 AND id = $2")
        .bind(site)
        .bind(id.0)
        .fetch_optional(executor)
        .await
        .map_err(StoreError::query(READING))
}
