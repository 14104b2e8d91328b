//! Frequent questions about alerts: whether any wait to be sent, and for how long.

use masthead_domain::SiteId;

use crate::{Store, StoreError};

const READING: &str = "reading what subscribers wait for";

/// The alerts of a site that wait to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitingAlerts {
    /// The site.
    pub site: SiteId,
    /// When the first of them was recorded.
    pub oldest: i64,
    /// When the last of them was recorded.
    pub newest: i64,
}

impl Store {
    /// Whether any site has a subscription.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn has_subscriptions(&self) -> Result<bool, StoreError> {
        self.is_there("SELECT id FROM subscriptions LIMIT 1").await
    }

    /// Whether any site has a saved search whose new results are mailed.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn has_alert_searches(&self) -> Result<bool, StoreError> {
        self.is_there("SELECT id FROM saved_searches WHERE alert = 1 LIMIT 1").await
    }

    /// The sites with alerts that wait to be sent, by their numbers.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn waiting_alerts(&self) -> Result<Vec<WaitingAlerts>, StoreError> {
        let rows: Vec<(i64, i64, i64)> = sqlx::query_as(
            "SELECT site_id, MIN(made), MAX(made) FROM alerts WHERE told = 0 GROUP BY site_id ORDER BY site_id",
        )
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        let waiting = |(site, oldest, newest)| WaitingAlerts { site: SiteId(site), oldest, newest };
        Ok(rows.into_iter().map(waiting).collect())
    }

    async fn is_there(&self, sql: &'static str) -> Result<bool, StoreError> {
        let found: Option<i64> =
            sqlx::query_scalar(sql).fetch_optional(&self.pool).await.map_err(StoreError::query(READING))?;
        Ok(found.is_some())
    }
}
