//! Files of a site (figures, covers): the database has their names, the data folder has their bytes by digest.

use std::collections::HashSet;

use masthead_domain::ArticleId;

use crate::{KEYS, SiteStore, StoreError, media_uses, next, places};

const LOOKING_UP: &str = "looking up a file";
const STORING: &str = "storing a file's name";
/// Limit on the users of a file that are read to decide who may see it.
const USERS: i64 = 50;

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

/// A file with what uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedMedia {
    /// The file.
    pub media: Media,
    /// The articles that use it, at most 50. Without any, and not used elsewhere, the file was of removed articles only.
    pub articles: Vec<ArticleId>,
    /// Whether something other than an article uses it: a journal, an issue, a resource of the editors.
    pub elsewhere: bool,
}

impl SiteStore {
    /// Records a file of this site; a file with the same bytes is recorded once, with the moment at which it was last stored.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn save_media(&self, media: &Media) -> Result<(), StoreError> {
        self.write_media(media).await.map_err(StoreError::query(STORING))
    }

    async fn write_media(&self, media: &Media) -> Result<(), sqlx::Error> {
        let mut tx = self.pool.begin().await?;
        // Waits for a removal of files that is under way.
        next(&mut tx, "media").await?;
        sqlx::query(
            "INSERT INTO media (site_id, digest, name, mime, bytes, saved) VALUES ($1, $2, $3, $4, $5, $6) \
             ON CONFLICT (site_id, digest) DO UPDATE SET saved = excluded.saved",
        )
        .bind(self.site)
        .bind(&media.digest)
        .bind(&media.name)
        .bind(&media.mime)
        .bind(media.bytes)
        .bind((self.clock)())
        .execute(&mut *tx)
        .await?;
        tx.commit().await
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
                .map_err(StoreError::query(LOOKING_UP))?;
        Ok(row.map(|(digest, name, mime, bytes)| Media { digest, name, mime, bytes }))
    }

    /// The file with this digest and what uses it; `None` if it is not this site's, or nothing has ever used it.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn used_media(&self, digest: &str) -> Result<Option<UsedMedia>, StoreError> {
        let rows: Vec<(String, String, i64, String, i64)> = sqlx::query_as(
            "SELECT m.name, m.mime, m.bytes, u.used_by, u.ended FROM media AS m \
             JOIN media_uses AS u ON u.site_id = m.site_id AND u.digest = m.digest \
             WHERE m.site_id = $1 AND m.digest = $2 AND u.used_by NOT LIKE 'withdrawn/%' ORDER BY CASE WHEN u.ended = 0 THEN 0 ELSE 1 END, \
             CASE WHEN u.used_by LIKE 'article/%' THEN 1 ELSE 0 END, u.used_by LIMIT $3",
        )
        .bind(self.site)
        .bind(digest)
        .bind(USERS)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(LOOKING_UP))?;
        let Some((name, mime, bytes, ..)) = rows.first() else { return Ok(None) };
        let media = Media { digest: digest.to_owned(), name: name.clone(), mime: mime.clone(), bytes: *bytes };
        let users: Vec<&str> =
            rows.iter().filter(|(.., ended)| *ended == 0).map(|(.., used_by, _)| used_by.as_str()).collect();
        let articles: Vec<ArticleId> = users.iter().filter_map(|used_by| media_uses::as_article(used_by)).collect();
        Ok(Some(UsedMedia { media, elsewhere: users.len() > articles.len(), articles }))
    }

    /// Those of these files that something of the site uses, by their digests.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn files_in_use(&self, digests: &[&str]) -> Result<HashSet<String>, StoreError> {
        let mut used = HashSet::new();
        for some in digests.chunks(KEYS) {
            // A use is looked up by its key, so that a file with thousands of uses takes no longer than one with a single one.
            let sql = format!(
                "SELECT m.digest FROM media AS m WHERE m.site_id = $1 AND m.digest IN ({}) AND EXISTS (\
                 SELECT 1 FROM media_uses AS u WHERE u.site_id = m.site_id AND u.digest = m.digest AND u.ended = 0 \
                 AND u.used_by NOT LIKE 'withdrawn/%')",
                places(2, some.len())
            );
            let mut query = sqlx::query_scalar::<_, String>(sqlx::AssertSqlSafe(sql)).bind(self.site);
            for digest in some {
                query = query.bind(*digest);
            }
            used.extend(query.fetch_all(&self.pool).await.map_err(StoreError::query(LOOKING_UP))?);
        }
        Ok(used)
    }
}
