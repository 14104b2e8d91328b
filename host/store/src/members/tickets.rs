//! Values that are used once, each for a purpose: the answer of a captcha, the state of a passkey's ceremony, a pending sign-in, the mark
//! of a token that was used. A ticket is the digest of a random token, or another value that cannot be guessed.

use super::changed;
use crate::{SiteStore, StoreError};

const TAKING: &str = "taking a value that is used once";
const WRITING: &str = "writing a value that is used once";

impl SiteStore {
    /// Stores a value until it is taken or has expired.
    ///
    /// # Errors
    /// [`StoreError::Query`], also if the ticket exists.
    pub async fn put_ticket(&self, purpose: &str, ticket: &str, value: &str, expires: i64) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO tickets (site_id, purpose, ticket, value, expires) VALUES ($1, $2, $3, $4, $5)")
            .bind(self.site)
            .bind(purpose)
            .bind(ticket)
            .bind(value)
            .bind(expires)
            .execute(&self.pool)
            .await
            .map_err(StoreError::query(WRITING))?;
        Ok(())
    }

    /// Takes the value of a ticket: one caller gets it, once, before it expires.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn take_ticket(&self, purpose: &str, ticket: &str, now: i64) -> Result<Option<String>, StoreError> {
        let row: Option<(String, i64)> = sqlx::query_as(
            "DELETE FROM tickets WHERE site_id = $1 AND purpose = $2 AND ticket = $3 RETURNING value, expires",
        )
        .bind(self.site)
        .bind(purpose)
        .bind(ticket)
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::query(TAKING))?;
        Ok(row.filter(|(_, expires)| *expires > now).map(|(value, _)| value))
    }

    /// Marks a token as used, for tokens that are not stored when they are made, such as signed ones. Returns whether it is the first use. The
    /// mark stays until `expires`, when the token has ended by itself.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn mark_used(&self, purpose: &str, token: &str, expires: i64) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "INSERT INTO tickets (site_id, purpose, ticket, value, expires) VALUES ($1, $2, $3, '', $4) \
             ON CONFLICT (site_id, purpose, ticket) DO NOTHING",
        )
        .bind(self.site)
        .bind(purpose)
        .bind(token)
        .bind(expires)
        .execute(&self.pool)
        .await
        .map_err(StoreError::query(WRITING))?;
        Ok(changed(&done))
    }
}
