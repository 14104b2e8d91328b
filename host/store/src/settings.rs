//! Settings that an administrator saved: the topmost layer of a site's configuration.

use std::collections::BTreeMap;

use crate::{AuditEntry, ChangeAction, ChangeKind, SiteStore, Store, StoreError, audit, begin_change, json, log};

const WRITING: &str = "saving a setting";

impl Store {
    /// The saved settings of all sites, by site: `(dotted key, value)`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn all_settings(&self) -> Result<BTreeMap<i64, Vec<(String, serde_json::Value)>>, StoreError> {
        let rows: Vec<(i64, String, String)> =
            sqlx::query_as("SELECT site_id, setting, value FROM settings ORDER BY site_id, setting")
                .fetch_all(&self.pool)
                .await
                .map_err(StoreError::query("reading saved settings"))?;
        let mut all: BTreeMap<i64, Vec<_>> = BTreeMap::new();
        for (site, key, value) in rows {
            let value = serde_json::from_str(&value).map_err(StoreError::damaged("a setting"))?;
            all.entry(site).or_default().push((key, value));
        }
        Ok(all)
    }
}

impl SiteStore {
    /// The saved settings: `(dotted key, value)`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn settings(&self) -> Result<Vec<(String, serde_json::Value)>, StoreError> {
        let rows: Vec<(String, String)> =
            sqlx::query_as("SELECT setting, value FROM settings WHERE site_id = $1 ORDER BY setting")
                .bind(self.site)
                .fetch_all(&self.pool)
                .await
                .map_err(StoreError::query("reading saved settings"))?;
        rows.into_iter()
            .map(|(key, value)| Ok((key, serde_json::from_str(&value).map_err(StoreError::damaged("a setting"))?)))
            .collect()
    }

    /// Saves a setting, or with `None` deletes it.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn save_setting(&self, key: &str, value: Option<&serde_json::Value>) -> Result<(), StoreError> {
        self.write_setting(key, value, None).await
    }

    /// Saves or deletes a setting that somebody changes by hand, with the line of the audit trail.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn change_setting(
        &self,
        key: &str,
        value: Option<&serde_json::Value>,
        entry: &AuditEntry,
    ) -> Result<(), StoreError> {
        self.write_setting(key, value, Some(entry)).await
    }

    async fn write_setting(
        &self,
        key: &str,
        value: Option<&serde_json::Value>,
        entry: Option<&AuditEntry>,
    ) -> Result<(), StoreError> {
        let (mut tx, seq) = begin_change(&self.pool).await.map_err(StoreError::query(WRITING))?;
        let there: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM settings WHERE site_id = $1 AND setting = $2")
            .bind(self.site)
            .bind(key)
            .fetch_one(&mut *tx)
            .await
            .map_err(StoreError::query(WRITING))?;
        let action = if value.is_some() { ChangeAction::write(there > 0) } else { ChangeAction::Removed };
        let statement = match value {
            Some(value) => sqlx::query(
                "INSERT INTO settings (site_id, setting, value) VALUES ($1, $2, $3) \
                 ON CONFLICT (site_id, setting) DO UPDATE SET value = excluded.value",
            )
            .bind(self.site)
            .bind(key)
            .bind(json(value)?),
            None => sqlx::query("DELETE FROM settings WHERE site_id = $1 AND setting = $2").bind(self.site).bind(key),
        };
        statement.execute(&mut *tx).await.map_err(StoreError::query(WRITING))?;
        log(&mut tx, self.site, seq, ChangeKind::Setting, action, key).await.map_err(StoreError::query(WRITING))?;
        if let Some(entry) = entry {
            audit::append(&mut tx, self.site, (self.clock)(), entry).await?;
        }
        tx.commit().await.map_err(StoreError::query(WRITING))
    }
}
