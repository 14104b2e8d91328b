//! Statistics of articles: views and downloads by day, and the numbers of published comments.

use std::collections::HashMap;

use masthead_domain::resource::{Comment, CommentState, Resource as _, Stored};

use crate::{SiteStore, StoreError, resources::read};

const READING: &str = "reading statistics of articles";

/// Views and downloads on one day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Daily {
    /// Days since 1970.
    pub day: i64,
    /// Views.
    pub visits: i64,
    /// Downloads.
    pub downloads: i64,
}

impl SiteStore {
    /// The days since `since` on which something was viewed or downloaded, oldest first, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn daily(&self, kind: &str, entity: i64, since: i64, limit: i64) -> Result<Vec<Daily>, StoreError> {
        let rows: Vec<(i64, i64, i64)> = sqlx::query_as(
            "SELECT day, visits, downloads FROM counts WHERE site_id = $1 AND kind = $2 AND entity = $3 AND day >= $4 \
             ORDER BY day LIMIT $5",
        )
        .bind(self.site)
        .bind(kind)
        .bind(entity)
        .bind(since.max(0))
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        Ok(rows.into_iter().map(|(day, visits, downloads)| Daily { day, visits, downloads }).collect())
    }

    /// The number of published comments of each of these articles; articles without any are left out.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn comment_counts(&self, articles: &[i64]) -> Result<HashMap<i64, i64>, StoreError> {
        let mut all = HashMap::new();
        for some in articles.chunks(crate::KEYS) {
            let sql = format!(
                "SELECT article_id, COUNT(*) FROM resources WHERE site_id = $1 AND kind = 'comment' AND section = $2 \
                 AND article_id IN ({}) GROUP BY article_id",
                crate::places(3, some.len())
            );
            let mut query = sqlx::query_as::<_, (i64, i64)>(sqlx::AssertSqlSafe(sql))
                .bind(self.site)
                .bind(CommentState::Shown.as_str());
            for article in some {
                query = query.bind(*article);
            }
            all.extend(query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?);
        }
        Ok(all)
    }

    /// The articles with the most comments that were written since an ISO date ("" for all times) and are published:
    /// `(number, comments)`.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn most_commented(&self, since: &str, limit: i64) -> Result<Vec<(i64, i64)>, StoreError> {
        sqlx::query_as(
            "SELECT article_id, COUNT(*) AS total FROM resources WHERE site_id = $1 AND kind = 'comment' \
             AND section = $2 AND dated >= $3 GROUP BY article_id ORDER BY total DESC, article_id DESC LIMIT $4",
        )
        .bind(self.site)
        .bind(CommentState::Shown.as_str())
        .bind(since)
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))
    }

    /// Comments of an article in one state, newest first behind number `before` (`i64::MAX` to begin), at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn comments(
        &self,
        article: i64,
        state: CommentState,
        before: i64,
        limit: i64,
    ) -> Result<Vec<Stored<Comment>>, StoreError> {
        let rows: Vec<(i64, String)> = sqlx::query_as(
            "SELECT id, data FROM resources WHERE site_id = $1 AND article_id = $2 AND kind = $3 AND section = $4 \
             AND id < $5 ORDER BY id DESC LIMIT $6",
        )
        .bind(self.site)
        .bind(article)
        .bind(Comment::KIND.as_str())
        .bind(state.as_str())
        .bind(before)
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        rows.into_iter().map(read).collect()
    }
}
