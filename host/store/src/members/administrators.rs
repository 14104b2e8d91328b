//! Administrators and their roles. They are no members, and belong to the installation.

use std::collections::HashMap;

use masthead_domain::{
    SiteId,
    member::{AdministratorId, MemberName, MemberState, Role, RoleScope},
};
use serde_json::{Value, json};
use sqlx::{Any, Transaction};

use super::{SessionRotation, accounts::state, changed};
use crate::{AuditEntry, Store, StoreError, audit, take};

const READING: &str = "reading administrators";
const WRITING: &str = "writing an administrator";
/// The number that stands for no site: that of a role for the installation.
const INSTALLATION: i64 = 0;

/// A role that an administrator has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Where it holds.
    pub scope: RoleScope,
    /// The role.
    pub role: Role,
    /// When it was granted.
    pub granted: i64,
}

/// An administrator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Administrator {
    /// The number.
    pub id: AdministratorId,
    /// The e-mail address, by which the administrator signs in.
    pub email: String,
    /// The name of the person.
    pub name: String,
    /// Whether the administrator may sign in.
    pub state: MemberState,
    /// When the account was created.
    pub created: i64,
    /// When the administrator signed in for the last time.
    pub seen: i64,
    /// The roles.
    pub grants: Vec<Grant>,
}

/// The digest with which the password of an administrator is compared.
#[derive(Clone, PartialEq, Eq)]
pub struct AdministratorCredential {
    /// The administrator.
    pub administrator: AdministratorId,
    /// The digest as a PHC string, or "".
    pub password: String,
    /// Whether the administrator may sign in.
    pub state: MemberState,
}

impl std::fmt::Debug for AdministratorCredential {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AdministratorCredential").field("administrator", &self.administrator).finish_non_exhaustive()
    }
}

/// The result of taking rights from an administrator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revoked {
    /// They are taken, and all sessions of the administrator have ended.
    Done,
    /// Nothing: there is no such administrator or role.
    Missing,
    /// Nothing: the installation would have no administrator any more.
    LastOne,
}

impl Store {
    /// All administrators, by number.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn administrators(&self) -> Result<Vec<Administrator>, StoreError> {
        let rows: Vec<(i64, String, String, String, i64, i64)> =
            sqlx::query_as("SELECT id, email, name, state, created, seen FROM administrators ORDER BY id")
                .fetch_all(&self.pool)
                .await
                .map_err(StoreError::query(READING))?;
        let roles: Vec<(i64, i64, String, i64)> = sqlx::query_as(
            "SELECT administrator_id, site_id, role, granted FROM administrator_roles ORDER BY administrator_id, site_id",
        )
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        let mut grants: HashMap<i64, Vec<Grant>> = HashMap::new();
        for (id, site, role, granted) in roles {
            grants.entry(id).or_default().extend(grant(site, &role, granted));
        }
        let read = |(id, email, name, stored, created, seen): (i64, String, String, String, i64, i64)| Administrator {
            id: AdministratorId(id),
            email,
            name,
            state: state(&stored),
            created,
            seen,
            grants: grants.remove(&id).unwrap_or_default(),
        };
        Ok(rows.into_iter().map(read).collect())
    }

    /// The roles of an administrator.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn grants(&self, administrator: AdministratorId) -> Result<Vec<Grant>, StoreError> {
        let rows: Vec<(i64, String, i64)> = sqlx::query_as(
            "SELECT site_id, role, granted FROM administrator_roles WHERE administrator_id = $1 ORDER BY site_id",
        )
        .bind(administrator.0)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        Ok(rows.into_iter().filter_map(|(site, role, granted)| grant(site, &role, granted)).collect())
    }

    /// The digest with which the password of the administrator with this e-mail address is compared.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn administrator_credential(
        &self,
        email: &MemberName,
    ) -> Result<Option<AdministratorCredential>, StoreError> {
        let row: Option<(i64, String, String)> =
            sqlx::query_as("SELECT id, password, state FROM administrators WHERE address = $1")
                .bind(email.key())
                .fetch_optional(&self.pool)
                .await
                .map_err(StoreError::query(READING))?;
        Ok(row.map(|(id, password, stored)| AdministratorCredential {
            administrator: AdministratorId(id),
            password,
            state: state(&stored),
        }))
    }

    /// Sets the digest of an administrator's new password, with the line of the audit trail, and ends all sessions but `kept`, which gets another
    /// token. Returns whether there is such an administrator.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn set_administrator_password(
        &self,
        administrator: AdministratorId,
        password: &str,
        kept: Option<SessionRotation<'_>>,
        who: &str,
        now: i64,
    ) -> Result<bool, StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        let done = sqlx::query("UPDATE administrators SET password = $2, password_changed = $3 WHERE id = $1")
            .bind(administrator.0)
            .bind(password)
            .bind(now)
            .execute(&mut *tx)
            .await
            .map_err(StoreError::query(WRITING))?;
        if !changed(&done) {
            return Ok(false);
        }
        sqlx::query("DELETE FROM administrator_sessions WHERE administrator_id = $1 AND digest <> $2")
            .bind(administrator.0)
            .bind(kept.map_or("", |kept| kept.from))
            .execute(&mut *tx)
            .await
            .map_err(StoreError::query(WRITING))?;
        if let Some(kept) = kept {
            sqlx::query("UPDATE administrator_sessions SET digest = $3 WHERE administrator_id = $1 AND digest = $2")
                .bind(administrator.0)
                .bind(kept.from)
                .bind(kept.to)
                .execute(&mut *tx)
                .await
                .map_err(StoreError::query(WRITING))?;
        }
        let entry = line(who, "changed", administrator.0, Value::Null, json!({ "password": "changed" }));
        audit::append(&mut tx, INSTALLATION, now, &entry).await?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(true)
    }

    /// Takes a role from an administrator, with the line of the audit trail.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn revoke_role(
        &self,
        administrator: AdministratorId,
        scope: RoleScope,
        who: &str,
        now: i64,
    ) -> Result<Revoked, StoreError> {
        self.revoke(administrator, Rights::Role(scope), who, now).await
    }

    /// Closes the account of an administrator and takes all roles, with the line of the audit trail.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn close_administrator(
        &self,
        administrator: AdministratorId,
        who: &str,
        now: i64,
    ) -> Result<Revoked, StoreError> {
        self.revoke(administrator, Rights::All, who, now).await
    }

    async fn revoke(
        &self,
        administrator: AdministratorId,
        rights: Rights,
        who: &str,
        now: i64,
    ) -> Result<Revoked, StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        lock(&mut tx).await.map_err(StoreError::query(WRITING))?;
        let had = platform_administrators(&mut tx).await.map_err(StoreError::query(WRITING))?;
        if !take_rights(&mut tx, administrator.0, rights).await.map_err(StoreError::query(WRITING))? {
            return Ok(Revoked::Missing);
        }
        withdraw_invites(&mut tx, administrator.0, rights).await.map_err(StoreError::query(WRITING))?;
        if had > 0 && platform_administrators(&mut tx).await.map_err(StoreError::query(WRITING))? == 0 {
            return Ok(Revoked::LastOne);
        }
        end_sessions(&mut tx, administrator.0).await.map_err(StoreError::query(WRITING))?;
        let entry = match rights {
            Rights::Role(scope) => line(who, "revoked", administrator.0, json!({ "site": site(scope) }), Value::Null),
            Rights::All => line(who, "closed", administrator.0, Value::Null, Value::Null),
        };
        audit::append(&mut tx, INSTALLATION, now, &entry).await?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(Revoked::Done)
    }
}

/// The rights that are taken from an administrator.
#[derive(Clone, Copy)]
enum Rights {
    /// The role with this scope.
    Role(RoleScope),
    /// All roles, and the account.
    All,
}

/// Takes rights from an administrator who has them; returns false otherwise.
async fn take_rights(tx: &mut Transaction<'_, Any>, administrator: i64, rights: Rights) -> Result<bool, sqlx::Error> {
    match rights {
        Rights::Role(scope) => {
            let done = sqlx::query("DELETE FROM administrator_roles WHERE administrator_id = $1 AND site_id = $2")
                .bind(administrator)
                .bind(site(scope))
                .execute(&mut **tx)
                .await?;
            Ok(changed(&done))
        }
        Rights::All => {
            let done = sqlx::query("UPDATE administrators SET state = $2 WHERE id = $1 AND state <> $2")
                .bind(administrator)
                .bind(MemberState::Closed.as_str())
                .execute(&mut **tx)
                .await?;
            sqlx::query("DELETE FROM administrator_roles WHERE administrator_id = $1")
                .bind(administrator)
                .execute(&mut **tx)
                .await?;
            Ok(changed(&done))
        }
    }
}

/// Withdraws the invitations of an administrator and those by the administrator, as far as the rights reach, so that none of them gives the
/// rights back.
async fn withdraw_invites(
    tx: &mut Transaction<'_, Any>,
    administrator: i64,
    rights: Rights,
) -> Result<(), sqlx::Error> {
    // With a role for the installation, the administrator has invited to any site.
    let scope = match rights {
        Rights::Role(RoleScope::Site(site)) => site.0,
        Rights::Role(RoleScope::Installation) | Rights::All => INSTALLATION,
    };
    sqlx::query(
        "DELETE FROM administrator_invites WHERE ($2 = 0 OR site_id = $2) \
         AND (address = (SELECT address FROM administrators WHERE id = $1) \
         OR invited_by = (SELECT email FROM administrators WHERE id = $1))",
    )
    .bind(administrator)
    .bind(scope)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The role that an administrator has with this scope.
pub(super) async fn role_of(
    tx: &mut Transaction<'_, Any>,
    administrator: i64,
    scope: RoleScope,
) -> Result<Option<Role>, sqlx::Error> {
    let stored: Option<String> =
        sqlx::query_scalar("SELECT role FROM administrator_roles WHERE administrator_id = $1 AND site_id = $2")
            .bind(administrator)
            .bind(site(scope))
            .fetch_optional(&mut **tx)
            .await?;
    Ok(stored.and_then(|role| Role::parse(&role)))
}

/// A stored role; `None` for one that this version does not know, which gives no rights.
pub(super) fn grant(site: i64, role: &str, granted: i64) -> Option<Grant> {
    let scope = if site == INSTALLATION { RoleScope::Installation } else { RoleScope::Site(SiteId(site)) };
    Some(Grant { scope, role: Role::parse(role)?, granted })
}

/// The number of the site of a scope, as it is stored.
pub(super) const fn site(scope: RoleScope) -> i64 {
    match scope {
        RoleScope::Installation => INSTALLATION,
        RoleScope::Site(site) => site.0,
    }
}

/// Waits until no other transaction changes administrators.
pub(super) async fn lock(tx: &mut Transaction<'_, Any>) -> Result<(), sqlx::Error> {
    take(tx, "administrators", 0).await.map(|_| ())
}

/// Stores a role with its line of the audit trail.
pub(super) async fn give(
    tx: &mut Transaction<'_, Any>,
    administrator: i64,
    (scope, role): (RoleScope, Role),
    who: &str,
    now: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO administrator_roles (administrator_id, site_id, role, granted, granted_by) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (administrator_id, site_id) DO UPDATE SET role = excluded.role, granted = excluded.granted, \
         granted_by = excluded.granted_by",
    )
    .bind(administrator)
    .bind(site(scope))
    .bind(role.as_str())
    .bind(now)
    .bind(who)
    .execute(&mut **tx)
    .await
    .map_err(StoreError::query(WRITING))?;
    let after = json!({ "site": site(scope), "role": role.as_str() });
    audit::append(tx, INSTALLATION, now, &line(who, "granted", administrator, Value::Null, after)).await
}

/// Ends the sessions of an administrator.
pub(super) async fn end_sessions(tx: &mut Transaction<'_, Any>, administrator: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM administrator_sessions WHERE administrator_id = $1")
        .bind(administrator)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// The number of administrators of the installation.
async fn platform_administrators(tx: &mut Transaction<'_, Any>) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT COUNT(*) FROM administrator_roles r JOIN administrators a ON a.id = r.administrator_id \
         WHERE r.site_id = 0 AND r.role = $1 AND a.state = 'active'",
    )
    .bind(Role::PlatformAdministrator.as_str())
    .fetch_one(&mut **tx)
    .await
}

pub(super) fn line(who: &str, action: &str, administrator: i64, before: Value, after: Value) -> AuditEntry {
    let subject = format!("administrator/{administrator}");
    AuditEntry { who: who.to_owned(), action: action.to_owned(), subject, before, after }
}
