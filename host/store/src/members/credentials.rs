//! Digests of passwords.

use masthead_domain::member::{MemberId, MemberName, MemberState};

use super::{MemberStore, accounts::state, changed, outbox, outbox::NewMessage};
use crate::{SiteStore, StoreError};

const READING: &str = "reading a password's digest";
const WRITING: &str = "writing a password's digest";

/// The digest with which the password of a member is compared.
#[derive(Clone, PartialEq, Eq)]
pub struct Credential {
    /// The member.
    pub member: MemberId,
    /// The account name, or "": no password contains it.
    pub account: String,
    /// The digest as a PHC string, or "" for a member without a password.
    pub password: String,
    /// Whether the member may sign in.
    pub state: MemberState,
}

impl std::fmt::Debug for Credential {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credential").field("member", &self.member).field("state", &self.state).finish_non_exhaustive()
    }
}

/// A session that gets another token, by the digests of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionRotation<'a> {
    /// The digest of the present token.
    pub from: &'a str,
    /// The digest of the token that replaces it.
    pub to: &'a str,
}

type Row = (i64, String, String, String);

fn credential((member, account, password, stored): Row) -> Credential {
    Credential { member: MemberId(member), account, password, state: state(&stored) }
}

impl SiteStore {
    /// The digest with which the password of the member with this name is compared.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn credential_by_name(&self, name: &MemberName) -> Result<Option<Credential>, StoreError> {
        let row: Option<Row> = sqlx::query_as(
            "SELECT members.id, members.account, members.password, members.state FROM member_names \
             JOIN members ON members.site_id = member_names.site_id AND members.id = member_names.member_id \
             WHERE member_names.site_id = $1 AND member_names.name = $2",
        )
        .bind(self.site)
        .bind(name.key())
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        Ok(row.map(credential))
    }
}

impl MemberStore {
    /// The digest with which the password of this member is compared.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn credential(&self) -> Result<Option<Credential>, StoreError> {
        let row: Option<Row> =
            sqlx::query_as("SELECT id, account, password, state FROM members WHERE site_id = $1 AND id = $2")
                .bind(self.site)
                .bind(self.member)
                .fetch_optional(&self.pool)
                .await
                .map_err(StoreError::query(READING))?;
        Ok(row.map(credential))
    }

    /// Sets the digest of a new password, with the messages about it, and ends all sessions but `kept`, which gets another token.
    ///
    /// # Errors
    /// [`StoreError::Query`], [`StoreError::MemberGone`].
    pub async fn set_password(
        &self,
        password: &str,
        kept: Option<SessionRotation<'_>>,
        messages: &[NewMessage],
        now: i64,
    ) -> Result<(), StoreError> {
        let mut tx = self.begin(WRITING).await?;
        sqlx::query("UPDATE members SET password = $3, password_changed = $4 WHERE site_id = $1 AND id = $2")
            .bind(self.site)
            .bind(self.member)
            .bind(password)
            .bind(now)
            .execute(&mut *tx)
            .await
            .map_err(StoreError::query(WRITING))?;
        sqlx::query("DELETE FROM sessions WHERE site_id = $1 AND member_id = $2 AND digest <> $3")
            .bind(self.site)
            .bind(self.member)
            .bind(kept.map_or("", |kept| kept.from))
            .execute(&mut *tx)
            .await
            .map_err(StoreError::query(WRITING))?;
        if let Some(kept) = kept {
            sqlx::query("UPDATE sessions SET digest = $4 WHERE site_id = $1 AND member_id = $2 AND digest = $3")
                .bind(self.site)
                .bind(self.member)
                .bind(kept.from)
                .bind(kept.to)
                .execute(&mut *tx)
                .await
                .map_err(StoreError::query(WRITING))?;
        }
        outbox::add(&mut tx, self.site, self.member, messages, now).await.map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))
    }

    /// Replaces the digest of the same password, made with other costs, unless the password was changed meanwhile.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn replace_password_digest(&self, from: &str, to: &str) -> Result<bool, StoreError> {
        let done = sqlx::query("UPDATE members SET password = $4 WHERE site_id = $1 AND id = $2 AND password = $3")
            .bind(self.site)
            .bind(self.member)
            .bind(from)
            .bind(to)
            .execute(&self.pool)
            .await
            .map_err(StoreError::query(WRITING))?;
        Ok(changed(&done))
    }
}
