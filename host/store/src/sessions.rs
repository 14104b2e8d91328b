//! Sessions of signed-in readers, by the digest of their token. The caller passes the time, and decides when a session expires.

use serde_json::{Value, json};

use crate::{AuditEntry, SiteStore, StoreError, audit};

const READING: &str = "reading a session";
const WRITING: &str = "writing a session";

/// A session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Identifies the user, together with the plugin that authenticated them.
    pub subject: String,
    /// Name to show.
    pub name: String,
    /// When it began, in milliseconds since 1970.
    pub created: i64,
    /// When it was last used, in milliseconds since 1970.
    pub used: i64,
}

impl SiteStore {
    /// Stores a new session, and deletes those of all sites that began before `created_after` or were last used before
    /// `used_after`.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn add_session(
        &self,
        digest: &str,
        session: &Session,
        created_after: i64,
        used_after: i64,
    ) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM sessions WHERE created < $1 OR used < $2")
            .bind(created_after)
            .bind(used_after)
            .execute(&self.pool)
            .await
            .map_err(StoreError::query(WRITING))?;
        sqlx::query(
            "INSERT INTO sessions (digest, site_id, subject, name, created, used) VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(digest)
        .bind(self.site)
        .bind(&session.subject)
        .bind(&session.name)
        .bind(session.created)
        .bind(session.used)
        .execute(&self.pool)
        .await
        .map_err(StoreError::query(WRITING))?;
        Ok(())
    }

    /// The session with this digest on this site.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn session(&self, digest: &str) -> Result<Option<Session>, StoreError> {
        let row: Option<(String, String, i64, i64)> =
            sqlx::query_as("SELECT subject, name, created, used FROM sessions WHERE digest = $1 AND site_id = $2")
                .bind(digest)
                .bind(self.site)
                .fetch_optional(&self.pool)
                .await
                .map_err(StoreError::query(READING))?;
        Ok(row.map(|(subject, name, created, used)| Session { subject, name, created, used }))
    }

    /// Stores that a session was used.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn use_session(&self, digest: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query("UPDATE sessions SET used = $3 WHERE digest = $1 AND site_id = $2")
            .bind(digest)
            .bind(self.site)
            .bind(now)
            .execute(&self.pool)
            .await
            .map_err(StoreError::query(WRITING))?;
        Ok(())
    }

    /// Ends a session.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn end_session(&self, digest: &str) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM sessions WHERE digest = $1 AND site_id = $2")
            .bind(digest)
            .bind(self.site)
            .execute(&self.pool)
            .await
            .map_err(StoreError::query(WRITING))?;
        Ok(())
    }

    /// Ends all sessions of a user of this site. Returns their number.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn end_sessions_of(&self, subject: &str) -> Result<u64, StoreError> {
        self.delete_sessions_of(subject, None).await
    }

    /// The same for somebody who ends them by hand, with the line of the audit trail, unless there are none.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn end_sessions_by(&self, subject: &str, who: &str) -> Result<u64, StoreError> {
        self.delete_sessions_of(subject, Some(who)).await
    }

    async fn delete_sessions_of(&self, subject: &str, who: Option<&str>) -> Result<u64, StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        let done = sqlx::query("DELETE FROM sessions WHERE site_id = $1 AND subject = $2")
            .bind(self.site)
            .bind(subject)
            .execute(&mut *tx)
            .await
            .map_err(StoreError::query(WRITING))?;
        let ended = done.rows_affected();
        if let Some(who) = who.filter(|_| ended > 0) {
            let entry = AuditEntry {
                who: who.to_owned(),
                action: "ended".to_owned(),
                subject: format!("session/{subject}"),
                before: json!({ "sessions": ended }),
                after: Value::Null,
            };
            audit::append(&mut tx, self.site, (self.clock)(), &entry).await?;
        }
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(ended)
    }
}
