//! Invitations of administrators: one-time links, of which the digest is stored.

use masthead_domain::member::{AdministratorId, MemberName, MemberState, Role, RoleScope};
use serde_json::{Value, json};
use sqlx::{Any, Transaction};

use super::{
    administrators::{end_sessions, give, grant, lock, role_of, site},
    outbox,
    outbox::NewMessage,
};
use crate::{AuditEntry, Store, StoreError, audit, next};

const READING: &str = "reading an invitation";
const WRITING: &str = "writing an invitation";

/// An invitation to be stored.
#[derive(Clone, Copy, Debug)]
pub struct NewInvite<'a> {
    /// The digest of its token.
    pub digest: &'a str,
    /// The e-mail address of the person.
    pub email: &'a MemberName,
    /// Where the role holds.
    pub scope: RoleScope,
    /// The role.
    pub role: Role,
    /// When the invitation ends.
    pub expires: i64,
}

/// The account of a new administrator.
#[derive(Clone, Copy)]
pub struct NewAccount<'a> {
    /// The name of the person.
    pub name: &'a str,
    /// The digest of the password, as a PHC string.
    pub password: &'a str,
}

/// An invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invite {
    /// The e-mail address of the person.
    pub email: String,
    /// Where the role holds.
    pub scope: RoleScope,
    /// The role.
    pub role: Role,
    /// The name of the inviting administrator.
    pub invited_by: String,
    /// When the invitation ends.
    pub expires: i64,
}

type Row = (String, String, i64, String, String, i64);

fn invite((_, email, site, role, invited_by, expires): Row) -> Option<Invite> {
    let grant = grant(site, &role, 0)?;
    Some(Invite { email, scope: grant.scope, role: grant.role, invited_by, expires })
}

impl Store {
    /// Stores an invitation, with its messages and the line of the audit trail. It replaces the one before for the same person and site.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn invite_administrator(
        &self,
        new: &NewInvite<'_>,
        messages: &[NewMessage],
        who: &str,
        now: i64,
    ) -> Result<(), StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        lock(&mut tx).await.map_err(StoreError::query(WRITING))?;
        sqlx::query("DELETE FROM administrator_invites WHERE address = $1 AND site_id = $2")
            .bind(new.email.key())
            .bind(site(new.scope))
            .execute(&mut *tx)
            .await
            .map_err(StoreError::query(WRITING))?;
        sqlx::query(
            "INSERT INTO administrator_invites (digest, address, email, site_id, role, invited_by, created, expires) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(new.digest)
        .bind(new.email.key())
        .bind(new.email.shown())
        .bind(site(new.scope))
        .bind(new.role.as_str())
        .bind(who)
        .bind(now)
        .bind(new.expires)
        .execute(&mut *tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        outbox::add(&mut tx, 0, 0, messages, now).await.map_err(StoreError::query(WRITING))?;
        let after = json!({ "site": site(new.scope), "role": new.role.as_str() });
        let entry = AuditEntry {
            who: who.to_owned(),
            action: "invited".to_owned(),
            subject: format!("invite/{}", new.email.key()),
            before: Value::Null,
            after,
        };
        audit::append(&mut tx, 0, now, &entry).await?;
        tx.commit().await.map_err(StoreError::query(WRITING))
    }

    /// The invitation with this digest, unless it has ended.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn invite(&self, digest: &str, now: i64) -> Result<Option<Invite>, StoreError> {
        let row: Option<Row> = sqlx::query_as(
            "SELECT address, email, site_id, role, invited_by, expires FROM administrator_invites \
             WHERE digest = $1 AND expires > $2",
        )
        .bind(digest)
        .bind(now)
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        Ok(row.and_then(invite))
    }

    /// Accepts an invitation, once: creates an administrator with `account`, or, without one, gives the role to the administrator who has
    /// the address of the invitation already. A higher role stays as it is. Returns the administrator; `None` if there is no such
    /// invitation, if an administrator has the address of a new account by now, or if none has it without one.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn accept_invite(
        &self,
        digest: &str,
        account: Option<NewAccount<'_>>,
        now: i64,
    ) -> Result<Option<AdministratorId>, StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        lock(&mut tx).await.map_err(StoreError::query(WRITING))?;
        let row: Option<Row> = sqlx::query_as(
            "DELETE FROM administrator_invites WHERE digest = $1 AND expires > $2 \
             RETURNING address, email, site_id, role, invited_by, expires",
        )
        .bind(digest)
        .bind(now)
        .fetch_optional(&mut *tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        let Some((address, invite)) = row.and_then(|row| Some((row.0.clone(), invite(row)?))) else {
            return Ok(None);
        };
        let active: Option<i64> = sqlx::query_scalar("SELECT id FROM administrators WHERE address = $1 AND state = $2")
            .bind(&address)
            .bind(MemberState::Active.as_str())
            .fetch_optional(&mut *tx)
            .await
            .map_err(StoreError::query(WRITING))?;
        let administrator = match (active, account) {
            (Some(administrator), None) => {
                // An administrator with changed rights has to sign in again.
                end_sessions(&mut tx, administrator).await.map_err(StoreError::query(WRITING))?;
                administrator
            }
            (None, Some(account)) => open_account(&mut tx, (&address, &invite.email), account, now)
                .await
                .map_err(StoreError::query(WRITING))?,
            // The transaction is rolled back, and the invitation waits on.
            _ => return Ok(None),
        };
        let held = role_of(&mut tx, administrator, invite.scope).await.map_err(StoreError::query(WRITING))?;
        let role = held.map_or(invite.role, |held| held.max(invite.role));
        give(&mut tx, administrator, (invite.scope, role), &invite.invited_by, now).await?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(Some(AdministratorId(administrator)))
    }
}

/// Stores the account of a new administrator, or opens a closed one anew, with nothing of before. Returns its number.
async fn open_account(
    tx: &mut Transaction<'_, Any>,
    (address, email): (&str, &str),
    account: NewAccount<'_>,
    now: i64,
) -> Result<i64, sqlx::Error> {
    let id = next(tx, "administrators").await?;
    sqlx::query_scalar(
        "INSERT INTO administrators (id, address, email, name, password, password_changed, state, created, seen) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $6, 0) ON CONFLICT (address) DO UPDATE SET name = excluded.name, \
         password = excluded.password, password_changed = excluded.password_changed, state = excluded.state RETURNING id",
    )
    .bind(id)
    .bind(address)
    .bind(email)
    .bind(account.name)
    .bind(account.password)
    .bind(now)
    .bind(MemberState::Active.as_str())
    .fetch_one(&mut **tx)
    .await
}
