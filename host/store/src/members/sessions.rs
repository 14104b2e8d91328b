//! Sessions of members, by the digest of their token. The caller decides when a session expires.

use masthead_domain::{
    Lang,
    member::{MemberId, MemberName, MemberState},
};
use serde_json::{Value, json};
use sqlx::Row as _;

use super::{MemberStore, accounts, changed};
use crate::{AuditEntry, SiteStore, StoreError, audit, next};

const READING: &str = "reading the sessions of a member";
const WRITING: &str = "writing a session of a member";

/// A session that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewSession<'a> {
    /// The digest of its token.
    pub digest: &'a str,
    /// The digest of the token of the session that it replaces.
    pub replaces: Option<&'a str>,
    /// How the member proved to be the one: `password`, `code`, `passkey`, or the name of an identity provider.
    pub method: &'a str,
    /// The browser, as the list of sessions shows it.
    pub client: &'a str,
}

/// A session of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberSession {
    /// Its number, by which the member ends it. It is no secret.
    pub id: i64,
    /// How the member proved to be the one.
    pub method: String,
    /// The browser, as the list of sessions shows it.
    pub client: String,
    /// When it began.
    pub created: i64,
    /// When it was last used.
    pub used: i64,
}

/// A session with what every page of the member needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionMember {
    /// The session.
    pub session: MemberSession,
    /// The member.
    pub member: MemberId,
    /// The account name, or "".
    pub account: String,
    /// The e-mail address, or "".
    pub email: String,
    /// The mobile number, or "".
    pub mobile: String,
    /// The name of the person, or "".
    pub name: String,
    /// The language of messages.
    pub lang: Lang,
}

impl SessionMember {
    /// The name to show: the account name, else the mobile number, the e-mail address or the name of the person.
    #[must_use]
    pub fn shown(&self) -> &str {
        [&self.account, &self.mobile, &self.email, &self.name]
            .into_iter()
            .find(|name| !name.is_empty())
            .map_or("", |name| name)
    }
}

impl SiteStore {
    /// The session with this digest, and its member, unless the account is closed. It is one query.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn member_session(&self, digest: &str) -> Result<Option<SessionMember>, StoreError> {
        let row = sqlx::query(
            "SELECT s.id, s.method, s.client, s.created, s.used, m.id, m.account, m.email, m.mobile, m.name, m.lang \
             FROM sessions s JOIN members m ON m.site_id = s.site_id AND m.id = s.member_id \
             WHERE s.digest = $1 AND s.site_id = $2 AND m.state = $3",
        )
        .bind(digest)
        .bind(self.site)
        .bind(MemberState::Active.as_str())
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        let read = |row: sqlx::any::AnyRow| -> Result<SessionMember, sqlx::Error> {
            Ok(SessionMember {
                session: MemberSession {
                    id: row.try_get(0)?,
                    method: row.try_get(1)?,
                    client: row.try_get(2)?,
                    created: row.try_get(3)?,
                    used: row.try_get(4)?,
                },
                member: MemberId(row.try_get(5)?),
                account: row.try_get(6)?,
                email: row.try_get(7)?,
                mobile: row.try_get(8)?,
                name: row.try_get(9)?,
                lang: accounts::lang(row.try_get(10)?),
            })
        };
        row.map(read).transpose().map_err(StoreError::query(READING))
    }
}

impl SiteStore {
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

    /// Ends all sessions of the member with this account name, e-mail address, mobile number, or identifier at an identity provider, on
    /// behalf of an administrator, with the line of the audit trail, unless there are none. Returns their number.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn end_sessions_by(&self, user: &str, who: &str) -> Result<u64, StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        // The rows of the members are locked, as by everything that writes for a member.
        let members: Vec<i64> = sqlx::query_scalar(
            "UPDATE members SET seen = seen WHERE site_id = $1 AND id IN (\
             SELECT member_id FROM member_identities WHERE site_id = $1 AND subject = $2 \
             UNION SELECT member_id FROM member_names WHERE site_id = $1 AND name = $3) RETURNING id",
        )
        .bind(self.site)
        .bind(user)
        .bind(MemberName::typed(user).map_or_else(|_| user.to_owned(), |name| name.key().to_owned()))
        .fetch_all(&mut *tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        let mut ended = 0;
        for member in members {
            let done = sqlx::query("DELETE FROM sessions WHERE site_id = $1 AND member_id = $2")
                .bind(self.site)
                .bind(member)
                .execute(&mut *tx)
                .await
                .map_err(StoreError::query(WRITING))?;
            ended += done.rows_affected();
            if changed(&done) {
                let entry = AuditEntry {
                    who: who.to_owned(),
                    action: "ended".to_owned(),
                    subject: format!("member/{member}"),
                    before: json!({ "sessions": done.rows_affected() }),
                    after: Value::Null,
                };
                audit::append(&mut tx, self.site, (self.clock)(), &entry).await?;
            }
        }
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(ended)
    }
}

impl MemberStore {
    /// Begins a session, ends the one that it replaces, of this or another member, and notes that the member was seen. Returns the
    /// session's number; `None` if the account is closed.
    ///
    /// # Errors
    /// [`StoreError::Query`], [`StoreError::MemberGone`].
    pub async fn begin_session(&self, new: &NewSession<'_>, now: i64) -> Result<Option<i64>, StoreError> {
        let mut tx = self.begin(WRITING).await?;
        if let Some(replaced) = new.replaces {
            sqlx::query("DELETE FROM sessions WHERE site_id = $1 AND digest = $2")
                .bind(self.site)
                .bind(replaced)
                .execute(&mut *tx)
                .await
                .map_err(StoreError::query(WRITING))?;
        }
        let seen = sqlx::query("UPDATE members SET seen = $3 WHERE site_id = $1 AND id = $2 AND state = $4")
            .bind(self.site)
            .bind(self.member)
            .bind(now)
            .bind(MemberState::Active.as_str())
            .execute(&mut *tx)
            .await
            .map_err(StoreError::query(WRITING))?;
        if !changed(&seen) {
            tx.commit().await.map_err(StoreError::query(WRITING))?;
            return Ok(None);
        }
        let id = next(&mut tx, "sessions").await.map_err(StoreError::query(WRITING))?;
        sqlx::query(
            "INSERT INTO sessions (digest, site_id, subject, name, created, used, id, member_id, method, client) \
             VALUES ($1, $2, $3, '', $4, $4, $5, $6, $7, $8)",
        )
        .bind(new.digest)
        .bind(self.site)
        .bind(format!("member/{}", self.member))
        .bind(now)
        .bind(id)
        .bind(self.member)
        .bind(new.method)
        .bind(new.client)
        .execute(&mut *tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(Some(id))
    }

    /// The sessions of the member that began at `created_from` or later and were used at `used_from` or later, latest use first.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn sessions(&self, created_from: i64, used_from: i64) -> Result<Vec<MemberSession>, StoreError> {
        let rows: Vec<(i64, String, String, i64, i64)> = sqlx::query_as(
            "SELECT id, method, client, created, used FROM sessions \
             WHERE site_id = $1 AND member_id = $2 AND created >= $3 AND used >= $4 ORDER BY used DESC, id DESC",
        )
        .bind(self.site)
        .bind(self.member)
        .bind(created_from)
        .bind(used_from)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        let session = |(id, method, client, created, used)| MemberSession { id, method, client, created, used };
        Ok(rows.into_iter().map(session).collect())
    }

    /// Ends a session of the member by its number. Returns whether there was such a session.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn end_session(&self, id: i64) -> Result<bool, StoreError> {
        let done = sqlx::query("DELETE FROM sessions WHERE site_id = $1 AND member_id = $2 AND id = $3")
            .bind(self.site)
            .bind(self.member)
            .bind(id)
            .execute(&self.pool)
            .await
            .map_err(StoreError::query(WRITING))?;
        Ok(changed(&done))
    }

    /// Ends all sessions of the member but the one with this number. Returns how many.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn end_sessions_but(&self, kept: Option<i64>) -> Result<u64, StoreError> {
        end_but(&self.pool, self.site, self.member, kept).await.map_err(StoreError::query(WRITING))
    }
}

/// Ends all sessions of a member but the one with this number, also in the transaction of a change that ends them. Returns how many.
pub(super) async fn end_but<'e>(
    executor: impl sqlx::Executor<'e, Database = sqlx::Any>,
    site: i64,
    member: i64,
    kept: Option<i64>,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query("DELETE FROM sessions WHERE site_id = $1 AND member_id = $2 AND id <> $3")
        .bind(site)
        .bind(member)
        .bind(kept.unwrap_or(0))
        .execute(executor)
        .await?;
    Ok(done.rows_affected())
}
