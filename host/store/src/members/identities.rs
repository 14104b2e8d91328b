//! Accounts at identity providers (OpenID Connect, ORCID, the `identity` hook of a plugin) by which members sign in.

use masthead_domain::member::MemberId;
use sqlx::{Any, Transaction};

use super::{MemberStore, Removal, changed, outbox, outbox::NewMessage};
use crate::{SiteStore, StoreError};

const READING: &str = "reading the identities of a member";
const WRITING: &str = "binding an identity to a member";

/// An account at an identity provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The provider's name in the configuration of the site, or `plugin/` and the name of the plugin.
    pub provider: String,
    /// The identifier of the account at the provider.
    pub subject: String,
    /// The name that the provider gave, or "".
    pub name: String,
}

/// An identity that is bound to a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundIdentity {
    /// The identity.
    pub identity: Identity,
    /// When it was bound.
    pub since: i64,
}

/// The result of binding an identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdentityBinding {
    /// It is bound to the member, now or since before.
    Bound,
    /// Nothing: it is bound to another member.
    Taken,
    /// Nothing: the member has another identity at this provider.
    HasAnother,
}

impl SiteStore {
    /// The member to whom an identity is bound.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn member_by_identity(&self, provider: &str, subject: &str) -> Result<Option<MemberId>, StoreError> {
        let found: Option<i64> = sqlx::query_scalar(
            "SELECT member_id FROM member_identities WHERE site_id = $1 AND provider = $2 AND subject = $3",
        )
        .bind(self.site)
        .bind(provider)
        .bind(subject)
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        Ok(found.map(MemberId))
    }
}

impl MemberStore {
    /// Binds an identity to the member, with the messages about it.
    ///
    /// # Errors
    /// [`StoreError::Query`], [`StoreError::MemberGone`].
    pub async fn bind_identity(
        &self,
        identity: &Identity,
        messages: &[NewMessage],
        now: i64,
    ) -> Result<IdentityBinding, StoreError> {
        let mut tx = self.begin(WRITING).await?;
        if add(&mut tx, self.site, self.member, identity, now).await.map_err(StoreError::query(WRITING))? {
            outbox::add(&mut tx, self.site, self.member, messages, now).await.map_err(StoreError::query(WRITING))?;
            tx.commit().await.map_err(StoreError::query(WRITING))?;
            return Ok(IdentityBinding::Bound);
        }
        tx.rollback().await.map_err(StoreError::query(WRITING))?;
        Ok(match self.store().member_by_identity(&identity.provider, &identity.subject).await? {
            Some(member) if member.0 == self.member => IdentityBinding::Bound,
            Some(_) => IdentityBinding::Taken,
            None => IdentityBinding::HasAnother,
        })
    }

    /// The identities of the member, by provider.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn identities(&self) -> Result<Vec<BoundIdentity>, StoreError> {
        let rows: Vec<(String, String, String, i64)> = sqlx::query_as(
            "SELECT provider, subject, name, since FROM member_identities WHERE site_id = $1 AND member_id = $2 \
             ORDER BY provider",
        )
        .bind(self.site)
        .bind(self.member)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        let bound =
            |(provider, subject, name, since)| BoundIdentity { identity: Identity { provider, subject, name }, since };
        Ok(rows.into_iter().map(bound).collect())
    }

    /// Removes the member's identity at a provider, with the messages about it, unless it is the only way in.
    ///
    /// # Errors
    /// [`StoreError::Query`], [`StoreError::MemberGone`].
    pub async fn unbind_identity(
        &self,
        provider: &str,
        messages: &[NewMessage],
        now: i64,
    ) -> Result<Removal, StoreError> {
        let delete =
            sqlx::query("DELETE FROM member_identities WHERE site_id = $1 AND member_id = $2 AND provider = $3")
                .bind(self.site)
                .bind(self.member)
                .bind(provider);
        self.remove_way(WRITING, delete, messages, now).await
    }
}

/// Binds an identity; returns false if it is bound already, or the member has another one at the provider.
pub(super) async fn add(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    member: i64,
    identity: &Identity,
    now: i64,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query(
        "INSERT INTO member_identities (site_id, provider, subject, member_id, name, since) VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT DO NOTHING",
    )
    .bind(site)
    .bind(&identity.provider)
    .bind(&identity.subject)
    .bind(member)
    .bind(&identity.name)
    .bind(now)
    .execute(&mut **tx)
    .await?;
    Ok(changed(&done))
}
