//! Files of a site (figures, covers): the database has their names, the data folder has their bytes by digest.

use crate::{SiteStore, StoreError};

/// A file's name, type and size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Media {
    /// SHA-256 of the bytes in lower-case hexadecimal.
    pub digest: String,
    /// Name as in the source, for downloads.
    pub name: String,
    /// Media type.
    pub mime: String,
    /// Size in bytes.
    pub bytes: i64,
}

impl SiteStore {
    /// Records a file of this site; a file with the same bytes is recorded once.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn save_media(&self, media: &Media) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO media (site_id, digest, name, mime, bytes) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (site_id, digest) DO NOTHING",
        )
        .bind(self.site)
        .bind(&media.digest)
        .bind(&media.name)
        .bind(&media.mime)
        .bind(media.bytes)
        .execute(&self.pool)
        .await
        .map_err(StoreError::query("storing a file's name"))?;
        Ok(())
    }

    /// The file with this digest, if it is this site's.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn media(&self, digest: &str) -> Result<Option<Media>, StoreError> {
        let row: Option<(String, String, String, i64)> =
            sqlx::query_as("SELECT digest, name, mime, bytes FROM media WHERE site_id = $1 AND digest = $2")
                .bind(self.site)
                .bind(digest)
                .fetch_optional(&self.pool)
                .await
                .map_err(StoreError::query("looking up a file"))?;
        Ok(row.map(|(digest, name, mime, bytes)| Media { digest, name, mime, bytes }))
    }
}
