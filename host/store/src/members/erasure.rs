//! Erasure of a member with everything that is the member's.

use serde_json::Value;
use sqlx::{Any, Transaction};

use super::{MemberStore, outbox, outbox::NewMessage};
use crate::{AuditEntry, StoreError, audit};

const ERASING: &str = "erasing a member";

/// The statements that delete, in this order; `$1` is the site, `$2` the member. The row of the member is locked before, and deleted at the
/// end.
const STATEMENTS: [&str; 15] = [
    "DELETE FROM alerts WHERE site_id = $1 AND source = 'search' \
     AND source_id IN (SELECT id FROM saved_searches WHERE site_id = $1 AND member_id = $2)",
    "DELETE FROM saved_searches WHERE site_id = $1 AND member_id = $2",
    "DELETE FROM alerts WHERE site_id = $1 AND source = 'subscription' AND source_id IN (SELECT id FROM subscriptions \
     WHERE site_id = $1 AND (member_id = $2 OR address IN (SELECT name FROM member_names WHERE site_id = $1 AND member_id = $2)))",
    "DELETE FROM subscriptions WHERE site_id = $1 AND (member_id = $2 \
     OR address IN (SELECT name FROM member_names WHERE site_id = $1 AND member_id = $2))",
    "DELETE FROM codes WHERE site_id = $1 AND target IN (SELECT name FROM member_names WHERE site_id = $1 AND member_id = $2)",
    "DELETE FROM member_album_items WHERE site_id = $1 \
     AND album_id IN (SELECT id FROM member_albums WHERE site_id = $1 AND member_id = $2)",
    "DELETE FROM member_albums WHERE site_id = $1 AND member_id = $2",
    "DELETE FROM favourites WHERE site_id = $1 AND member_id = $2",
    "DELETE FROM member_uses WHERE site_id = $1 AND member_id = $2",
    "DELETE FROM member_files WHERE site_id = $1 AND member_id = $2",
    "DELETE FROM institution_members WHERE site_id = $1 AND member_id = $2",
    "DELETE FROM member_passkeys WHERE site_id = $1 AND member_id = $2",
    "DELETE FROM member_identities WHERE site_id = $1 AND member_id = $2",
    "DELETE FROM mail_outbox WHERE site_id = $1 AND (member_id = $2 \
     OR address IN (SELECT name FROM member_names WHERE site_id = $1 AND member_id = $2))",
    "DELETE FROM sessions WHERE site_id = $1 AND member_id = $2",
];
const LAST: [&str; 2] = [
    "DELETE FROM member_names WHERE site_id = $1 AND member_id = $2",
    "DELETE FROM members WHERE site_id = $1 AND id = $2",
];

impl MemberStore {
    /// Erases the member with everything that is the member's, also the comments and the subscriptions of the
    /// member's address, in one transaction. `messages` tell
    /// the person; they are kept until they are sent. The line of the audit trail has the number only; `who` is "" for the member.
    ///
    /// # Errors
    /// [`StoreError`], [`StoreError::MemberGone`] for a member who was erased before.
    pub async fn erase(&self, messages: &[NewMessage], who: &str, now: i64) -> Result<(), StoreError> {
        let tx = self.begin(ERASING).await?;
        self.erase_in(tx, messages, who, now).await
    }

    /// Erases the member in a transaction that has locked the member's row, and ends the transaction.
    pub(super) async fn erase_in(
        &self,
        mut tx: Transaction<'_, Any>,
        messages: &[NewMessage],
        who: &str,
        now: i64,
    ) -> Result<(), StoreError> {
        self.erase_rows(&mut tx).await.map_err(StoreError::query(ERASING))?;
        // These messages have no member any more.
        outbox::add(&mut tx, self.site, 0, messages, now).await.map_err(StoreError::query(ERASING))?;
        let subject = format!("member/{}", self.member);
        let entry = AuditEntry {
            who: if who.is_empty() { subject.clone() } else { who.to_owned() },
            action: "erased".to_owned(),
            subject,
            before: Value::Null,
            after: Value::Null,
        };
        audit::append(&mut tx, self.site, now, &entry).await?;
        tx.commit().await.map_err(StoreError::query(ERASING))
    }

    async fn erase_rows(&self, tx: &mut Transaction<'_, Any>) -> Result<(), sqlx::Error> {
        self.erase_comments(tx).await?;
        for sql in STATEMENTS.into_iter().chain(LAST) {
            sqlx::query(sql).bind(self.site).bind(self.member).execute(&mut **tx).await?;
        }
        Ok(())
    }
}
