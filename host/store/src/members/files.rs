//! Pictures that members upload. They are small: the host decodes and writes them anew.

use super::{MemberStore, Saving, changed};
use crate::{SiteStore, StoreError};

const READING: &str = "reading a member's file";
const WRITING: &str = "writing a member's file";

/// A picture to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFile<'a> {
    /// Its random identifier, which cannot be guessed.
    pub id: &'a str,
    /// The purpose, such as `portrait`.
    pub purpose: &'a str,
    /// Its media type.
    pub media_type: &'a str,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberFile {
    /// The purpose.
    pub purpose: String,
    /// Its media type.
    pub media_type: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// A picture of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileInfo {
    /// Its identifier.
    pub id: String,
    /// The purpose.
    pub purpose: String,
    /// Its media type.
    pub media_type: String,
    /// Number of its bytes.
    pub size: i64,
    /// When it was uploaded.
    pub created: i64,
}

impl SiteStore {
    /// A picture of any member of the site by its identifier.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn member_file(&self, id: &str) -> Result<Option<MemberFile>, StoreError> {
        let row: Option<(String, String, Vec<u8>)> =
            sqlx::query_as("SELECT purpose, media_type, bytes FROM member_files WHERE site_id = $1 AND id = $2")
                .bind(self.site)
                .bind(id)
                .fetch_optional(&self.pool)
                .await
                .map_err(StoreError::query(READING))?;
        Ok(row.map(|(purpose, media_type, bytes)| MemberFile { purpose, media_type, bytes }))
    }
}

impl MemberStore {
    /// Stores a picture, unless the member's files would have more than `most` bytes together.
    ///
    /// # Errors
    /// [`StoreError::Query`], [`StoreError::MemberGone`].
    pub async fn add_file(&self, new: &NewFile<'_>, most: i64, now: i64) -> Result<Saving<()>, StoreError> {
        let size = i64::try_from(new.bytes.len()).unwrap_or(i64::MAX);
        let mut tx = self.begin(WRITING).await?;
        let used: i64 = sqlx::query_scalar(
            "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM member_files WHERE site_id = $1 AND member_id = $2",
        )
        .bind(self.site)
        .bind(self.member)
        .fetch_one(&mut *tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        if used.saturating_add(size) > most {
            return Ok(Saving::Full);
        }
        sqlx::query(
            "INSERT INTO member_files (site_id, id, member_id, purpose, media_type, bytes, size, created) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(self.site)
        .bind(new.id)
        .bind(self.member)
        .bind(new.purpose)
        .bind(new.media_type)
        .bind(new.bytes)
        .bind(size)
        .bind(now)
        .execute(&mut *tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(Saving::Saved(()))
    }

    /// The member's pictures, oldest first.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn files(&self) -> Result<Vec<FileInfo>, StoreError> {
        let rows: Vec<(String, String, String, i64, i64)> = sqlx::query_as(
            "SELECT id, purpose, media_type, size, created FROM member_files WHERE site_id = $1 AND member_id = $2 \
             ORDER BY created, id",
        )
        .bind(self.site)
        .bind(self.member)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        let info = |(id, purpose, media_type, size, created)| FileInfo { id, purpose, media_type, size, created };
        Ok(rows.into_iter().map(info).collect())
    }

    /// Whether the member has a picture with this identifier for this purpose.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn has_file(&self, id: &str, purpose: &str) -> Result<bool, StoreError> {
        let found: i64 = sqlx::query_scalar(
            "SELECT COUNT(*) FROM member_files WHERE site_id = $1 AND member_id = $2 AND id = $3 AND purpose = $4",
        )
        .bind(self.site)
        .bind(self.member)
        .bind(id)
        .bind(purpose)
        .fetch_one(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        Ok(found > 0)
    }

    /// Removes a picture. Returns whether the member had it.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn remove_file(&self, id: &str) -> Result<bool, StoreError> {
        let done = sqlx::query("DELETE FROM member_files WHERE site_id = $1 AND member_id = $2 AND id = $3")
            .bind(self.site)
            .bind(self.member)
            .bind(id)
            .execute(&self.pool)
            .await
            .map_err(StoreError::query(WRITING))?;
        Ok(changed(&done))
    }

    /// Removes the pictures that were uploaded before a time and that neither the profile nor an album of the member uses. Returns how many.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn remove_unused_files(&self, before: i64) -> Result<u64, StoreError> {
        let done = sqlx::query(
            "DELETE FROM member_files WHERE site_id = $1 AND member_id = $2 AND created < $3 \
             AND id NOT IN (SELECT photo FROM members WHERE site_id = $1 AND id = $2) \
             AND id NOT IN (SELECT cover FROM member_albums WHERE site_id = $1 AND member_id = $2)",
        )
        .bind(self.site)
        .bind(self.member)
        .bind(before)
        .execute(&self.pool)
        .await
        .map_err(StoreError::query(WRITING))?;
        Ok(done.rows_affected())
    }
}
