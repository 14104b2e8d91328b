//! Articles as they are stored, for checks that read all of them. Nothing is decoded here: what cannot be read of one article does not keep
//! the others from being read, and decoding may be done on another thread.

use masthead_domain::{
    ArticleId,
    access::FullText,
    article::{ArticleFile, ArticleMeta},
    card::ArticleCard,
};

use crate::{SiteStore, StoreError, StoredForm as _, rows};

/// The stored texts of an article.
#[derive(Clone, Debug)]
pub struct ArticleRow {
    /// Its number.
    pub id: ArticleId,
    /// The renderer's output as JSON.
    pub rendered: FullText<String>,
    meta: String,
    card: String,
    files: String,
}

impl ArticleRow {
    /// Its metadata.
    ///
    /// # Errors
    /// [`StoreError::Damaged`].
    pub fn meta(&self) -> Result<ArticleMeta, StoreError> {
        ArticleMeta::decode(&self.meta).map_err(StoreError::damaged("an article's data"))
    }

    /// Its entry in lists.
    ///
    /// # Errors
    /// [`StoreError::Damaged`].
    pub fn card(&self) -> Result<ArticleCard, StoreError> {
        ArticleCard::decode(&self.card).map_err(StoreError::damaged("an article's card"))
    }

    /// The files that came with it.
    ///
    /// # Errors
    /// [`StoreError::Damaged`].
    pub fn files(&self) -> Result<Vec<ArticleFile>, StoreError> {
        rows::decode_files(&self.files).map_err(StoreError::damaged("an article's files"))
    }
}

impl SiteStore {
    /// Articles in the order of their numbers behind number `after`, at most `limit`, as they are stored.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn article_rows(&self, after: i64, limit: i64) -> Result<Vec<ArticleRow>, StoreError> {
        let rows: Vec<(i64, String, String, String, String)> = sqlx::query_as(
            "SELECT id, meta, card, files, rendered FROM articles WHERE site_id = $1 AND id > $2 ORDER BY id LIMIT $3",
        )
        .bind(self.site)
        .bind(after)
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query("reading the rows of articles"))?;
        let row = |(id, meta, card, files, rendered)| {
            let id = ArticleId(id);
            ArticleRow { id, rendered: FullText::new(id, rendered), meta, card, files }
        };
        Ok(rows.into_iter().map(row).collect())
    }
}
