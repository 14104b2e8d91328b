//! Sessions of administrators, apart from those of members.

use masthead_domain::member::AdministratorId;

use super::{Grant, changed};
use crate::{Store, StoreError, next};

const READING: &str = "reading a session of an administrator";
const WRITING: &str = "writing a session of an administrator";

/// A session that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewAdministratorSession<'a> {
    /// The administrator.
    pub administrator: AdministratorId,
    /// The digest of its token.
    pub digest: &'a str,
    /// The browser, as the list of sessions shows it.
    pub client: &'a str,
}

/// A session of an administrator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdministratorSession {
    /// Its number. It is no secret.
    pub id: i64,
    /// The administrator.
    pub administrator: AdministratorId,
    /// The e-mail address.
    pub email: String,
    /// The name of the person.
    pub name: String,
    /// The roles, as they are now.
    pub grants: Vec<Grant>,
    /// When it began.
    pub created: i64,
    /// When it was last used.
    pub used: i64,
}

impl Store {
    /// Begins a session. Returns its number; `None` if the account is closed.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn begin_administrator_session(
        &self,
        new: &NewAdministratorSession<'_>,
        now: i64,
    ) -> Result<Option<i64>, StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        let seen = sqlx::query("UPDATE administrators SET seen = $2 WHERE id = $1 AND state = 'active'")
            .bind(new.administrator.0)
            .bind(now)
            .execute(&mut *tx)
            .await
            .map_err(StoreError::query(WRITING))?;
        if !changed(&seen) {
            return Ok(None);
        }
        let id = next(&mut tx, "sessions").await.map_err(StoreError::query(WRITING))?;
        sqlx::query(
            "INSERT INTO administrator_sessions (digest, id, administrator_id, client, created, used) VALUES ($1, $2, $3, $4, $5, $5)",
        )
        .bind(new.digest)
        .bind(id)
        .bind(new.administrator.0)
        .bind(new.client)
        .bind(now)
        .execute(&mut *tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(Some(id))
    }

    /// The session with this digest, unless the account is closed.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn administrator_session(&self, digest: &str) -> Result<Option<AdministratorSession>, StoreError> {
        let row: Option<(i64, i64, String, String, i64, i64)> = sqlx::query_as(
            "SELECT s.id, a.id, a.email, a.name, s.created, s.used FROM administrator_sessions s \
             JOIN administrators a ON a.id = s.administrator_id WHERE s.digest = $1 AND a.state = 'active'",
        )
        .bind(digest)
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        let Some((id, administrator, email, name, created, used)) = row else {
            return Ok(None);
        };
        let administrator = AdministratorId(administrator);
        let grants = self.grants(administrator).await?;
        Ok(Some(AdministratorSession { id, administrator, email, name, grants, created, used }))
    }

    /// Stores that a session was used.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn use_administrator_session(&self, digest: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query("UPDATE administrator_sessions SET used = $2 WHERE digest = $1")
            .bind(digest)
            .bind(now)
            .execute(&self.pool)
            .await
            .map_err(StoreError::query(WRITING))?;
        Ok(())
    }

    /// Ends a session. Returns whether there was one.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn end_administrator_session(&self, digest: &str) -> Result<bool, StoreError> {
        let done = sqlx::query("DELETE FROM administrator_sessions WHERE digest = $1")
            .bind(digest)
            .execute(&self.pool)
            .await
            .map_err(StoreError::query(WRITING))?;
        Ok(changed(&done))
    }
}
