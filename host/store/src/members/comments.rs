//! Comments of members on articles. A comment is a resource of the site; which member wrote it is stored beside it, and no copy of the site has it.

use masthead_domain::resource::{Comment, Resource as _, Stored};
use sqlx::{Any, Transaction};

use super::MemberStore;
use crate::{StoreError, next, resources};

const READING: &str = "reading the comments of a member";
const WRITING: &str = "writing a comment of a member";

impl MemberStore {
    /// Stores a comment of the member. Returns its number.
    ///
    /// # Errors
    /// [`StoreError`], [`StoreError::MemberGone`].
    pub async fn add_comment(&self, comment: &Comment) -> Result<i64, StoreError> {
        let mut tx = self.begin(WRITING).await?;
        let seq = next(&mut tx, "changes").await.map_err(StoreError::query(WRITING))?;
        let id = self.store().put_in(&mut tx, seq, comment).await?.id();
        sqlx::query(
            "INSERT INTO member_comments (site_id, comment_id, member_id) VALUES ($1, $2, $3) \
             ON CONFLICT (site_id, comment_id) DO UPDATE SET member_id = excluded.member_id",
        )
        .bind(self.site)
        .bind(id)
        .bind(self.member)
        .execute(&mut *tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(id)
    }

    /// The comments that the member wrote and that are not removed, oldest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn comments(&self) -> Result<Vec<Stored<Comment>>, StoreError> {
        let rows: Vec<(i64, String)> = sqlx::query_as(
            "SELECT r.id, r.data FROM member_comments c \
             JOIN resources r ON r.site_id = c.site_id AND r.id = c.comment_id AND r.kind = $3 \
             WHERE c.site_id = $1 AND c.member_id = $2 ORDER BY r.id",
        )
        .bind(self.site)
        .bind(self.member)
        .bind(Comment::KIND.as_str())
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        rows.into_iter().map(resources::read).collect()
    }

    /// Removes the member's comments in the transaction that erases the member, each with its line of the change log.
    pub(super) async fn erase_comments(&self, tx: &mut Transaction<'_, Any>) -> Result<(), sqlx::Error> {
        let ids: Vec<i64> =
            sqlx::query_scalar("SELECT comment_id FROM member_comments WHERE site_id = $1 AND member_id = $2")
                .bind(self.site)
                .bind(self.member)
                .fetch_all(&mut **tx)
                .await?;
        for id in ids {
            let seq = next(tx, "changes").await?;
            self.store().delete_in(tx, seq, Comment::KIND, id).await?;
        }
        sqlx::query("DELETE FROM member_comments WHERE site_id = $1 AND member_id = $2")
            .bind(self.site)
            .bind(self.member)
            .execute(&mut **tx)
            .await?;
        Ok(())
    }
}
