//! Deletion of expired data. The times are configuration; a worker calls this again and again.

use masthead_domain::member::MemberId;

use super::{MemberStore, changed};
use crate::{SiteStore, Store, StoreError};

const DELETING: &str = "deleting what has expired";
/// The condition on the row of a member who has not signed in since the time `$3`, and has no session.
const UNUSED: &str = "seen < $3 AND NOT EXISTS (SELECT 1 FROM sessions \
     WHERE sessions.site_id = members.site_id AND sessions.member_id = members.id)";

/// The times before which data is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expiry {
    /// Sessions that began before this time.
    pub sessions_begun: i64,
    /// Sessions that were last used before this time.
    pub sessions_used: i64,
    /// Sessions of administrators that began before this time.
    pub administrator_sessions_begun: i64,
    /// Sessions of administrators that were last used before this time.
    pub administrator_sessions_used: i64,
    /// Counts of failed attempts whose latest was before this time.
    pub attempts: i64,
    /// Messages that were set aside and written before this time.
    pub messages: i64,
    /// Alerts that were made and sent before this time, and those that could not be sent; 0 for none.
    pub alerts: i64,
    /// The present time: codes, tickets, invitations and messages that have expired.
    pub now: i64,
}

/// How many rows were deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expired {
    /// Sessions of members and administrators.
    pub sessions: u64,
    /// Codes, tickets and invitations.
    pub secrets: u64,
    /// Counts of failed attempts.
    pub attempts: u64,
    /// Messages.
    pub messages: u64,
    /// Alerts.
    pub alerts: u64,
}

impl Store {
    /// Deletes the expired data of all sites. Each statement is a transaction of its own: the next run completes an interrupted one.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn delete_expired(&self, expiry: &Expiry) -> Result<Expired, StoreError> {
        const SESSIONS: &str = "DELETE FROM sessions WHERE created < $1 OR used < $2";
        const ADMINISTRATORS: &str = "DELETE FROM administrator_sessions WHERE created < $1 OR used < $2";
        let now = expiry.now;
        let sessions = self.delete(SESSIONS, &[expiry.sessions_begun, expiry.sessions_used]).await?
            + self
                .delete(ADMINISTRATORS, &[expiry.administrator_sessions_begun, expiry.administrator_sessions_used])
                .await?;
        let secrets = self.delete("DELETE FROM codes WHERE expires <= $1", &[now]).await?
            + self.delete("DELETE FROM tickets WHERE expires <= $1", &[now]).await?
            + self.delete("DELETE FROM administrator_invites WHERE expires <= $1", &[now]).await?;
        Ok(Expired {
            sessions,
            secrets,
            attempts: self.delete("DELETE FROM sign_in_attempts WHERE latest < $1", &[expiry.attempts]).await?,
            messages: self
                .delete(
                    "DELETE FROM mail_outbox WHERE (expires > 0 AND expires <= $1) OR (state = 'aside' AND created < $2)",
                    &[now, expiry.messages],
                )
                .await?,
            alerts: self.delete("DELETE FROM alerts WHERE told < $1 AND made < $1", &[expiry.alerts]).await?,
        })
    }

    async fn delete(&self, sql: &'static str, times: &[i64]) -> Result<u64, StoreError> {
        let query = times.iter().fold(sqlx::query(sql), |query, time| query.bind(*time));
        Ok(query.execute(&self.pool).await.map_err(StoreError::query(DELETING))?.rows_affected())
    }
}

impl SiteStore {
    /// Deletes the entries of items that members of the site viewed or downloaded for the last time before a time. Returns their number.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn delete_member_uses(&self, before: i64) -> Result<u64, StoreError> {
        let done = sqlx::query("DELETE FROM member_uses WHERE site_id = $1 AND latest < $2")
            .bind(self.site)
            .bind(before)
            .execute(&self.pool)
            .await
            .map_err(StoreError::query(DELETING))?;
        Ok(done.rows_affected())
    }

    /// Members of the site who have not signed in since a time, and have no session, by number, behind `after`, at most `limit`: their accounts are
    /// erased one by one ([`MemberStore::erase_unused`]).
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn unused_members(
        &self,
        seen_before: i64,
        after: MemberId,
        limit: i64,
    ) -> Result<Vec<MemberId>, StoreError> {
        let sql = format!("SELECT id FROM members WHERE site_id = $1 AND id > $2 AND {UNUSED} ORDER BY id LIMIT $4");
        let ids: Vec<i64> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
            .bind(self.site)
            .bind(after.0)
            .bind(seen_before)
            .bind(limit)
            .fetch_all(&self.pool)
            .await
            .map_err(StoreError::query(DELETING))?;
        Ok(ids.into_iter().map(MemberId).collect())
    }
}

impl MemberStore {
    /// Erases the member, as [`Self::erase`] does, if the member still has not signed in since a time, and has no session. A sign-in at the same
    /// time changes the row that is locked here: it comes before, and the member stays, or it comes after, and finds no member. Returns
    /// whether the member is erased.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn erase_unused(&self, seen_before: i64, now: i64) -> Result<bool, StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(DELETING))?;
        let sql = format!("UPDATE members SET seen = seen WHERE site_id = $1 AND id = $2 AND {UNUSED}");
        let done = sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(self.site)
            .bind(self.member)
            .bind(seen_before)
            .execute(&mut *tx)
            .await
            .map_err(StoreError::query(DELETING))?;
        if !changed(&done) {
            return Ok(false);
        }
        self.erase_in(tx, &[], "retention", now).await?;
        Ok(true)
    }
}
