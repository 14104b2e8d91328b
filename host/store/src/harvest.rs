//! Articles in the order of their latest changes, removed ones included: what OAI-PMH, feeds and sitemaps read.
//!
//! The order is (time, number of the change, number of the article). The time alone is not enough: a batch writes many articles in
//! one millisecond, and an article that changes again within it must come behind the place that a harvester has reached.

use std::collections::HashMap;

use masthead_domain::ArticleId;

use crate::{SiteStore, StoreError};

const READING: &str = "reading the changes of articles";

/// The latest change of an article.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArticleChange {
    /// The article's number.
    pub id: ArticleId,
    /// Milliseconds since 1970.
    pub changed_ms: i64,
    /// The change's number in the change log; 0 for articles that a version before 0004 of the tables wrote.
    pub seq: i64,
    /// Key of its journal on the site.
    pub journal: String,
    /// Whether the article was removed.
    pub removed: bool,
}

impl ArticleChange {
    /// The place of this change in the order of changes.
    #[must_use]
    pub const fn cursor(&self) -> ChangeCursor {
        ChangeCursor { changed_ms: self.changed_ms, seq: self.seq, id: self.id }
    }
}

/// A place in the order of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangeCursor {
    /// Milliseconds since 1970.
    pub changed_ms: i64,
    /// The change's number in the change log.
    pub seq: i64,
    /// The article's number.
    pub id: ArticleId,
}

/// The changes that a harvester requests. Both ends are inclusive, as in OAI-PMH.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HarvestWindow {
    /// First moment, milliseconds since 1970.
    pub from_ms: i64,
    /// Last moment, milliseconds since 1970.
    pub until_ms: i64,
    /// Key of a journal, or "" for all.
    pub journal: String,
    /// Cursor of the last change that the harvester has; the list begins behind it.
    pub after: Option<ChangeCursor>,
}

/// An article's address and date, for sitemaps and exports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArticleListing {
    /// The article's number.
    pub id: ArticleId,
    /// Its DOI's key, or "".
    pub doi: String,
    /// Milliseconds since 1970 of its latest change.
    pub changed_ms: i64,
}

impl SiteStore {
    /// The articles that were written or removed within a window, oldest change first, at most `limit`. Each article is listed once, with
    /// its latest change.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn article_changes(&self, window: &HarvestWindow, limit: i64) -> Result<Vec<ArticleChange>, StoreError> {
        // One statement, so that an article that is removed meanwhile is in one of the two tables. Each part of the union has
        // the limit, so that each reads at most a page of its index.
        const CHANGES: &str = "SELECT * FROM (SELECT id, changed, change_seq, journal, CAST(0 AS BIGINT) AS removed FROM articles \
             WHERE site_id = $1 AND changed >= $2 AND changed <= $3 AND ($4 = '' OR journal = $4) AND (changed > $5 \
             OR (changed = $5 AND (change_seq > $6 OR (change_seq = $6 AND id > $7)))) \
             ORDER BY changed, change_seq, id LIMIT $8) AS present \
             UNION ALL SELECT * FROM (SELECT id, changed, change_seq, journal, CAST(1 AS BIGINT) AS removed FROM removed_articles \
             WHERE site_id = $1 AND changed >= $2 AND changed <= $3 AND ($4 = '' OR journal = $4) AND (changed > $5 \
             OR (changed = $5 AND (change_seq > $6 OR (change_seq = $6 AND id > $7)))) \
             ORDER BY changed, change_seq, id LIMIT $8) AS gone \
             ORDER BY changed, change_seq, id LIMIT $8";
        let from = window.from_ms.max(window.after.map_or(i64::MIN, |after| after.changed_ms));
        let after = window.after.unwrap_or(ChangeCursor { changed_ms: i64::MIN, seq: 0, id: ArticleId(0) });
        let rows: Vec<(i64, i64, i64, String, i64)> = sqlx::query_as(CHANGES)
            .bind(self.site)
            .bind(from)
            .bind(window.until_ms)
            .bind(&window.journal)
            .bind(after.changed_ms)
            .bind(after.seq)
            .bind(after.id.0)
            .bind(limit)
            .fetch_all(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        let change = |(id, changed_ms, seq, journal, removed)| ArticleChange {
            id: ArticleId(id),
            changed_ms,
            seq,
            journal,
            removed: removed != 0,
        };
        Ok(rows.into_iter().map(change).collect())
    }

    /// The removal of an article; `None` for an article that is present or never was.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn removed_article(&self, id: ArticleId) -> Result<Option<ArticleChange>, StoreError> {
        let row: Option<(i64, i64, String)> =
            sqlx::query_as("SELECT changed, change_seq, journal FROM removed_articles WHERE site_id = $1 AND id = $2")
                .bind(self.site)
                .bind(id.0)
                .fetch_optional(&self.pool)
                .await
                .map_err(StoreError::query(READING))?;
        Ok(row.map(|(changed_ms, seq, journal)| ArticleChange { id, changed_ms, seq, journal, removed: true }))
    }

    /// The number of the removed article with this source key (`doi:10.5555/...`).
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn removed_article_by_key(&self, source_key: &str) -> Result<Option<ArticleId>, StoreError> {
        self.id_by("SELECT id FROM removed_articles WHERE site_id = $1 AND source_key = $2", source_key)
            .await
            .map_err(StoreError::query(READING))
    }

    /// The earliest moment that [`SiteStore::article_changes`] lists, milliseconds since 1970; `None` without any article.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn earliest_change(&self) -> Result<Option<i64>, StoreError> {
        sqlx::query_scalar(
            "SELECT MIN(changed) FROM (SELECT MIN(changed) AS changed FROM articles WHERE site_id = $1 \
             UNION ALL SELECT MIN(changed) FROM removed_articles WHERE site_id = $1) AS ends",
        )
        .bind(self.site)
        .fetch_one(&self.pool)
        .await
        .map_err(StoreError::query(READING))
    }

    /// The latest moment that [`SiteStore::article_changes`] lists, milliseconds since 1970; `None` without any article.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn latest_article_change(&self) -> Result<Option<i64>, StoreError> {
        sqlx::query_scalar(
            "SELECT MAX(changed) FROM (SELECT MAX(changed) AS changed FROM articles WHERE site_id = $1 \
             UNION ALL SELECT MAX(changed) FROM removed_articles WHERE site_id = $1) AS ends",
        )
        .bind(self.site)
        .fetch_one(&self.pool)
        .await
        .map_err(StoreError::query(READING))
    }

    /// Articles in the order of their numbers behind number `after`, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn article_listing(&self, after: i64, limit: i64) -> Result<Vec<ArticleListing>, StoreError> {
        let rows: Vec<(i64, String, i64)> = sqlx::query_as(
            "SELECT id, COALESCE(doi_key, ''), changed FROM articles WHERE site_id = $1 AND id > $2 ORDER BY id LIMIT $3",
        )
        .bind(self.site)
        .bind(after)
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        Ok(rows
            .into_iter()
            .map(|(id, doi, changed_ms)| ArticleListing { id: ArticleId(id), doi, changed_ms })
            .collect())
    }

    /// The ranges of `size` article numbers that hold articles, as `(range, moment of its latest change)`: range 0 is 1 to `size`, the
    /// moment is in milliseconds since 1970.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn article_ranges(&self, size: i64) -> Result<Vec<(i64, i64)>, StoreError> {
        sqlx::query_as(
            "SELECT (id - 1) / $2, MAX(changed) FROM articles WHERE site_id = $1 GROUP BY (id - 1) / $2 ORDER BY 1",
        )
        .bind(self.site)
        .bind(size.max(1))
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))
    }

    /// When each of these articles was last written, milliseconds since 1970; articles of other sites are left out.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn changed_at(&self, ids: &[ArticleId]) -> Result<HashMap<ArticleId, i64>, StoreError> {
        let mut found = HashMap::with_capacity(ids.len());
        for some in ids.chunks(crate::LIST) {
            let places = crate::places(2, some.len());
            let sql = format!("SELECT id, changed FROM articles WHERE site_id = $1 AND id IN ({places})");
            let mut query = sqlx::query_as::<_, (i64, i64)>(sqlx::AssertSqlSafe(sql)).bind(self.site);
            for id in some {
                query = query.bind(id.0);
            }
            let rows = query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?;
            found.extend(rows.into_iter().map(|(id, changed)| (ArticleId(id), changed)));
        }
        Ok(found)
    }
}
