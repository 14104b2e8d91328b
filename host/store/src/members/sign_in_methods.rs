//! The ways by which a member can sign in. The last one is not removed: the account would be lost.

use sqlx::{Any, Transaction, any::AnyArguments, query::Query};

use super::{MemberStore, changed, outbox, outbox::NewMessage};
use crate::StoreError;

/// The result of removing a way to sign in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// It is removed.
    Removed,
    /// The member has no such way.
    NotFound,
    /// Nothing: the member could not sign in any more.
    LastWay,
}

impl MemberStore {
    /// Removes a way of the member by a statement, with the messages about it. The remaining ways are counted in the same transaction, so
    /// that two requests at once do not remove the last two ways.
    pub(super) async fn remove_way(
        &self,
        doing: &'static str,
        delete: Query<'_, Any, AnyArguments>,
        messages: &[NewMessage],
        now: i64,
    ) -> Result<Removal, StoreError> {
        let mut tx = self.begin(doing).await?;
        let done = delete.execute(&mut *tx).await.map_err(StoreError::query(doing))?;
        if !changed(&done) {
            return Ok(Removal::NotFound);
        }
        if !self.can_sign_in(&mut tx).await.map_err(StoreError::query(doing))? {
            tx.rollback().await.map_err(StoreError::query(doing))?;
            return Ok(Removal::LastWay);
        }
        outbox::add(&mut tx, self.site, self.member, messages, now).await.map_err(StoreError::query(doing))?;
        tx.commit().await.map_err(StoreError::query(doing))?;
        Ok(Removal::Removed)
    }

    /// Whether the member has a way: an address or number for codes, an account name with a password, a passkey or an identity.
    async fn can_sign_in(&self, tx: &mut Transaction<'_, Any>) -> Result<bool, sqlx::Error> {
        let found: i64 = sqlx::query_scalar(
            "SELECT COUNT(*) FROM members WHERE site_id = $1 AND id = $2 \
             AND (email <> '' OR mobile <> '' OR (account <> '' AND password <> '') \
             OR EXISTS (SELECT 1 FROM member_passkeys p WHERE p.site_id = $1 AND p.member_id = $2) \
             OR EXISTS (SELECT 1 FROM member_identities i WHERE i.site_id = $1 AND i.member_id = $2))",
        )
        .bind(self.site)
        .bind(self.member)
        .fetch_one(&mut **tx)
        .await?;
        Ok(found > 0)
    }
}
