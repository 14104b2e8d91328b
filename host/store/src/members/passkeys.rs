//! Passkeys of members (WebAuthn).

use masthead_domain::member::{MemberId, MemberState};

use super::{MemberStore, Removal, changed, outbox, outbox::NewMessage};
use crate::{SiteStore, StoreError, next};

const READING: &str = "reading passkeys";
const WRITING: &str = "writing a passkey";

/// A passkey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passkey {
    /// Its number, by which the member removes it.
    pub id: i64,
    /// The identifier that the authenticator chose, in base64url.
    pub credential: String,
    /// The name that the member gave it.
    pub name: String,
    /// The public key with its counter, as JSON; the store does not look inside.
    pub data: String,
    /// When it was registered.
    pub created: i64,
    /// When it was last used to sign in; 0 if never.
    pub used: i64,
}

/// A passkey with its member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasskeyOwner {
    /// The member.
    pub member: MemberId,
    /// The member's name towards authenticators.
    pub handle: String,
    /// Whether the member may sign in.
    pub state: MemberState,
    /// The passkey.
    pub passkey: Passkey,
}

type Row = (i64, String, String, String, i64, i64);
/// Number, handle and state of the member before the columns of [`Row`].
type OwnedRow = (i64, String, String, i64, String, String, String, i64, i64);

fn passkey((id, credential, name, data, created, used): Row) -> Passkey {
    Passkey { id, credential, name, data, created, used }
}

impl SiteStore {
    /// The passkey with this identifier, and its member.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn passkey(&self, credential: &str) -> Result<Option<PasskeyOwner>, StoreError> {
        let row: Option<OwnedRow> = sqlx::query_as(
            "SELECT m.id, m.handle, m.state, p.id, p.credential, p.name, p.data, p.created, p.used \
             FROM member_passkeys p JOIN members m ON m.site_id = p.site_id AND m.id = p.member_id \
             WHERE p.site_id = $1 AND p.credential = $2",
        )
        .bind(self.site)
        .bind(credential)
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        Ok(row.map(|(member, handle, state, id, credential, name, data, created, used)| PasskeyOwner {
            member: MemberId(member),
            handle,
            state: super::accounts::state(&state),
            passkey: passkey((id, credential, name, data, created, used)),
        }))
    }
}

impl MemberStore {
    /// Stores a passkey, unless the member has `most` already or the site has one with this identifier. Its number and the time of its use
    /// are not read. Returns whether it is stored.
    ///
    /// # Errors
    /// [`StoreError::Query`], [`StoreError::MemberGone`].
    pub async fn add_passkey(&self, new: &Passkey, most: i64, messages: &[NewMessage]) -> Result<bool, StoreError> {
        let mut tx = self.begin(WRITING).await?;
        let count = self.count(&mut tx, "member_passkeys").await.map_err(StoreError::query(WRITING))?;
        if count >= most {
            return Ok(false);
        }
        let id = next(&mut tx, "member_objects").await.map_err(StoreError::query(WRITING))?;
        let done = sqlx::query(
            "INSERT INTO member_passkeys (site_id, credential, id, member_id, name, data, created, used) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, 0) ON CONFLICT DO NOTHING",
        )
        .bind(self.site)
        .bind(&new.credential)
        .bind(id)
        .bind(self.member)
        .bind(&new.name)
        .bind(&new.data)
        .bind(new.created)
        .execute(&mut *tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        if !changed(&done) {
            return Ok(false);
        }
        outbox::add(&mut tx, self.site, self.member, messages, new.created)
            .await
            .map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(true)
    }

    /// The passkeys of the member, oldest first.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn passkeys(&self) -> Result<Vec<Passkey>, StoreError> {
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT id, credential, name, data, created, used FROM member_passkeys \
             WHERE site_id = $1 AND member_id = $2 ORDER BY id",
        )
        .bind(self.site)
        .bind(self.member)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        Ok(rows.into_iter().map(passkey).collect())
    }

    /// Stores a sign-in with a passkey: its data with the new counter, unless they were changed since they were read as `from` (two
    /// sign-ins at once with one counter would be those of a copy). Returns whether it is stored.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn use_passkey(&self, id: i64, from: &str, to: &str, now: i64) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "UPDATE member_passkeys SET data = $5, used = $6 WHERE site_id = $1 AND member_id = $2 AND id = $3 AND data = $4",
        )
        .bind(self.site)
        .bind(self.member)
        .bind(id)
        .bind(from)
        .bind(to)
        .bind(now)
        .execute(&self.pool)
        .await
        .map_err(StoreError::query(WRITING))?;
        Ok(changed(&done))
    }

    /// Removes a passkey, with the messages about it, unless it is the only way in.
    ///
    /// # Errors
    /// [`StoreError::Query`], [`StoreError::MemberGone`].
    pub async fn remove_passkey(&self, id: i64, messages: &[NewMessage], now: i64) -> Result<Removal, StoreError> {
        let delete = sqlx::query("DELETE FROM member_passkeys WHERE site_id = $1 AND member_id = $2 AND id = $3")
            .bind(self.site)
            .bind(self.member)
            .bind(id);
        self.remove_way(WRITING, delete, messages, now).await
    }
}
