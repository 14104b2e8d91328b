//! Codes that are sent to a mobile number or an e-mail address. A site has one for each purpose and target: the latest. The caller passes its
//! digest, made with the key of the installation.

use masthead_domain::member::CodePurpose;

use super::{outbox, outbox::NewMessage};
use crate::{SiteStore, StoreError};

const READING: &str = "checking a code";
const WRITING: &str = "writing a code";

/// A code that is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCode<'a> {
    /// The purpose.
    pub purpose: CodePurpose,
    /// The number or address that it is sent to, in the form in which names are compared.
    pub target: &'a str,
    /// Its digest.
    pub digest: &'a str,
    /// The digest of the network that asks for it.
    pub network: &'a str,
    /// When it ends.
    pub expires: i64,
    /// Nothing is sent if the latest code was sent after this time.
    pub unless_after: i64,
}

/// The result of asking for a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeIssue {
    /// The code is stored, and its message is queued.
    Issued,
    /// Nothing: the latest was sent at this time.
    TooSoon(i64),
}

/// A code as it was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeUse<'a> {
    /// The purpose that it is used for.
    pub purpose: CodePurpose,
    /// The number or address that it was sent to.
    pub target: &'a str,
    /// The digest of the typed code.
    pub digest: &'a str,
    /// The digest of the network from which it was typed.
    pub network: &'a str,
    /// Attempts that a code has from the network that asked for it, and as many from all others together: no reader can use up the attempts
    /// of another one.
    pub attempts: i64,
}

/// Whether a code is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeCheck {
    /// It is.
    Right,
    /// It is not; so many attempts are left.
    Wrong(i64),
    /// There is no code: none was sent, or it has ended, was used, or has no attempts left.
    Missing,
}

impl SiteStore {
    /// Stores a code and queues its messages, unless one was sent a short time ago. The code replaces the one before. One from a future
    /// time was sent before the clock was set back, and causes no wait.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn issue_code(
        &self,
        code: &NewCode<'_>,
        messages: &[NewMessage],
        now: i64,
    ) -> Result<CodeIssue, StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        let stored: Option<i64> = sqlx::query_scalar(
            "INSERT INTO codes (site_id, purpose, target, digest, network, attempts, attempts_elsewhere, created, expires) \
             VALUES ($1, $2, $3, $4, $5, 0, 0, $6, $7) \
             ON CONFLICT (site_id, purpose, target) DO UPDATE SET digest = excluded.digest, \
             network = excluded.network, attempts = 0, attempts_elsewhere = 0, created = excluded.created, \
             expires = excluded.expires WHERE codes.created <= $8 OR codes.created - $6 > $6 - $8 RETURNING created",
        )
        .bind(self.site)
        .bind(code.purpose.as_str())
        .bind(code.target)
        .bind(code.digest)
        .bind(code.network)
        .bind(now)
        .bind(code.expires)
        .bind(code.unless_after)
        .fetch_optional(&mut *tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        if stored.is_none() {
            let latest: Option<i64> =
                sqlx::query_scalar("SELECT created FROM codes WHERE site_id = $1 AND purpose = $2 AND target = $3")
                    .bind(self.site)
                    .bind(code.purpose.as_str())
                    .bind(code.target)
                    .fetch_optional(&mut *tx)
                    .await
                    .map_err(StoreError::query(WRITING))?;
            return Ok(CodeIssue::TooSoon(latest.unwrap_or(now)));
        }
        outbox::add(&mut tx, self.site, 0, messages, now).await.map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(CodeIssue::Issued)
    }

    /// Checks a code, and spends it if it is right, so that it cannot be used twice, not even at the same time. Each check takes one of the
    /// attempts.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn spend_code(&self, code: &CodeUse<'_>, now: i64) -> Result<CodeCheck, StoreError> {
        self.check(code, now, true).await.map_err(StoreError::query(READING))
    }

    /// Checks a code that will be spent later. A wrong one takes one of the attempts.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn check_code(&self, code: &CodeUse<'_>, now: i64) -> Result<CodeCheck, StoreError> {
        self.check(code, now, false).await.map_err(StoreError::query(READING))
    }

    async fn check(&self, code: &CodeUse<'_>, now: i64, spend: bool) -> Result<CodeCheck, sqlx::Error> {
        let mut tx = self.pool.begin().await?;
        // The attempt is counted before the comparison, so that attempts at once are counted too. The row stays locked until the commit.
        let row: Option<(String, i64)> = sqlx::query_as(
            "UPDATE codes SET attempts = attempts + CASE network WHEN $4 THEN 1 ELSE 0 END, \
             attempts_elsewhere = attempts_elsewhere + CASE network WHEN $4 THEN 0 ELSE 1 END \
             WHERE site_id = $1 AND purpose = $2 AND target = $3 AND expires > $5 \
             AND CASE network WHEN $4 THEN attempts ELSE attempts_elsewhere END < $6 \
             RETURNING digest, CASE network WHEN $4 THEN attempts ELSE attempts_elsewhere END",
        )
        .bind(self.site)
        .bind(code.purpose.as_str())
        .bind(code.target)
        .bind(code.network)
        .bind(now)
        .bind(code.attempts)
        .fetch_optional(&mut *tx)
        .await?;
        let check = match row {
            None => CodeCheck::Missing,
            Some((digest, _)) if digest == code.digest => CodeCheck::Right,
            Some((_, attempts)) => CodeCheck::Wrong((code.attempts - attempts).max(0)),
        };
        if check == CodeCheck::Right && spend {
            sqlx::query("DELETE FROM codes WHERE site_id = $1 AND purpose = $2 AND target = $3")
                .bind(self.site)
                .bind(code.purpose.as_str())
                .bind(code.target)
                .execute(&mut *tx)
                .await?;
        } else if check == CodeCheck::Right {
            // Without a commit, the attempt that is counted above is rolled back.
            return Ok(check);
        }
        tx.commit().await?;
        Ok(check)
    }
}
