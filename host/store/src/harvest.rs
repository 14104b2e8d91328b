//! Articles in the order in which they changed, with those that are no more: what harvesters, feeds and site maps read.

use std::collections::HashMap;

use masthead_domain::ArticleId;

use crate::{SiteStore, StoreError};

const READING: &str = "reading what changed";

/// An article that changed, or went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// Its number.
    pub id: ArticleId,
    /// Milliseconds since 1970.
    pub changed_ms: i64,
    /// Key of its journal on the site.
    pub journal: String,
    /// Whether it is no more.
    pub removed: bool,
}

/// Which changes are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// First moment, milliseconds since 1970.
    pub from_ms: i64,
    /// Last moment.
    pub until_ms: i64,
    /// Key of a journal, or "" for all.
    pub journal: String,
    /// Goes on behind this one: moment and number.
    pub after: Option<(i64, i64)>,
}

/// An article's address and date, for a site map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its number.
    pub id: ArticleId,
    /// Its DOI's key, or "".
    pub doi: String,
    /// Milliseconds since 1970 of its last change.
    pub changed_ms: i64,
}

impl SiteStore {
    /// The articles that changed or went in a window, oldest change first, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn changed_articles(&self, window: &Window, limit: i64) -> Result<Vec<Changed>, StoreError> {
        const LIVE: &str = "SELECT id, changed, journal FROM articles WHERE site_id = $1 AND changed >= $2 AND changed <= $3 \
             AND ($4 = '' OR journal = $4) AND (changed > $5 OR (changed = $5 AND id > $6)) ORDER BY changed, id LIMIT $7";
        const GONE: &str = "SELECT id, changed, journal FROM removed_articles WHERE site_id = $1 AND changed >= $2 \
             AND changed <= $3 AND ($4 = '' OR journal = $4) AND (changed > $5 OR (changed = $5 AND id > $6)) \
             ORDER BY changed, id LIMIT $7";
        let (after, behind) = window.after.unwrap_or((i64::MIN, 0));
        let mut all = Vec::new();
        for (sql, removed) in [(LIVE, false), (GONE, true)] {
            let rows: Vec<(i64, i64, String)> = sqlx::query_as(sql)
                .bind(self.site)
                .bind(window.from_ms)
                .bind(window.until_ms)
                .bind(&window.journal)
                .bind(after)
                .bind(behind)
                .bind(limit)
                .fetch_all(&self.pool)
                .await
                .map_err(StoreError::query(READING))?;
            all.extend(rows.into_iter().map(|(id, changed_ms, journal)| Changed {
                id: ArticleId(id),
                changed_ms,
                journal,
                removed,
            }));
        }
        all.sort_by_key(|one| (one.changed_ms, one.id));
        all.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(all)
    }

    /// When an article went, milliseconds since 1970, with the key of its journal; `None` for one that is there or never was.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn removed_article(&self, id: ArticleId) -> Result<Option<Changed>, StoreError> {
        let row: Option<(i64, String)> =
            sqlx::query_as("SELECT changed, journal FROM removed_articles WHERE site_id = $1 AND id = $2")
                .bind(self.site)
                .bind(id.0)
                .fetch_optional(&self.pool)
                .await
                .map_err(StoreError::query(READING))?;
        Ok(row.map(|(changed_ms, journal)| Changed { id, changed_ms, journal, removed: true }))
    }

    /// The moment of the first change that is still told of, milliseconds since 1970; `None` without any article.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn earliest_change(&self) -> Result<Option<i64>, StoreError> {
        let live: Option<i64> = sqlx::query_scalar("SELECT MIN(changed) FROM articles WHERE site_id = $1")
            .bind(self.site)
            .fetch_one(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        let gone: Option<i64> = sqlx::query_scalar("SELECT MIN(changed) FROM removed_articles WHERE site_id = $1")
            .bind(self.site)
            .fetch_one(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        Ok(live.into_iter().chain(gone).min())
    }

    /// Articles in the order of their numbers behind `after`, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn listed_articles(&self, after: i64, limit: i64) -> Result<Vec<Listed>, StoreError> {
        let rows: Vec<(i64, String, i64)> = sqlx::query_as(
            "SELECT id, COALESCE(doi_key, ''), changed FROM articles WHERE site_id = $1 AND id > $2 ORDER BY id LIMIT $3",
        )
        .bind(self.site)
        .bind(after)
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        Ok(rows.into_iter().map(|(id, doi, changed_ms)| Listed { id: ArticleId(id), doi, changed_ms }).collect())
    }

    /// The ranges of `size` numbers (0 holds 1 to `size`) in which there are articles, with the moment of the last change in each.
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

    /// When these articles were last written, milliseconds since 1970; those of other sites are left out.
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
