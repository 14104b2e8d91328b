//! Key-value data of plugins: values by key, of one plugin on one site, within a quota.
//!
//! The data are the plugin's own state, not content of the site, so that nothing is written to the change log.

use sqlx::{Any, Transaction};

use crate::{SiteStore, StoreError};

/// How much one plugin may store on one site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PluginQuota {
    /// Bytes of all keys and values together.
    pub bytes: i64,
    /// Number of keys.
    pub keys: i64,
}

/// What storing a value did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Put {
    /// It is stored.
    Stored,
    /// It would have exceeded the quota: nothing was written.
    OverQuota {
        /// The amount in use without this value: the number of keys if that is at its limit, otherwise bytes.
        used: i64,
        /// The limit of the same amount.
        limit: i64,
    },
}

const READING: &str = "reading a plugin's data";
const WRITING: &str = "storing a plugin's data";

impl SiteStore {
    /// The value that the plugin stored under this key on this site.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn plugin_value(&self, plugin: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        sqlx::query_scalar("SELECT value FROM plugin_values WHERE site_id = $1 AND plugin = $2 AND entry = $3")
            .bind(self.site)
            .bind(plugin)
            .bind(key.as_bytes())
            .fetch_optional(&self.pool)
            .await
            .map_err(StoreError::query(READING))
    }

    /// Stores a value, replacing one of the same key, unless that would exceed the quota.
    ///
    /// A value that is no larger than the one it replaces is stored even if the usage exceeds the quota, which may have been
    /// lowered.
    ///
    /// # Errors
    /// [`StoreError::Query`]; nothing is stored then.
    pub async fn save_plugin_value(
        &self,
        plugin: &str,
        key: &str,
        value: &[u8],
        quota: PluginQuota,
    ) -> Result<Put, StoreError> {
        self.put(plugin, key.as_bytes(), value, quota).await.map_err(StoreError::query(WRITING))
    }

    async fn put(&self, plugin: &str, key: &[u8], value: &[u8], quota: PluginQuota) -> Result<Put, sqlx::Error> {
        let mut tx = self.pool.begin().await?;
        let (bytes, keys) = self.lock_usage(&mut tx, plugin).await?;
        let old: Option<i64> = sqlx::query_scalar(
            "SELECT CAST(length(value) AS BIGINT) FROM plugin_values WHERE site_id = $1 AND plugin = $2 AND entry = $3",
        )
        .bind(self.site)
        .bind(plugin)
        .bind(key)
        .fetch_optional(&mut *tx)
        .await?;
        let (more_bytes, more_keys) = match old {
            Some(old) => (size(value).saturating_sub(old), 0),
            None => (size(value).saturating_add(size(key)), 1),
        };
        // A transaction that is dropped is rolled back.
        if more_keys > 0 && keys >= quota.keys {
            return Ok(Put::OverQuota { used: keys, limit: quota.keys });
        }
        if more_bytes > 0 && bytes.saturating_add(more_bytes) > quota.bytes {
            return Ok(Put::OverQuota { used: bytes, limit: quota.bytes });
        }
        sqlx::query(
            "INSERT INTO plugin_values (site_id, plugin, entry, value) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (site_id, plugin, entry) DO UPDATE SET value = excluded.value",
        )
        .bind(self.site)
        .bind(plugin)
        .bind(key)
        .bind(value)
        .execute(&mut *tx)
        .await?;
        self.add_usage(&mut tx, plugin, more_bytes, more_keys).await?;
        tx.commit().await?;
        Ok(Put::Stored)
    }

    /// Deletes a value; returns whether there was one.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn delete_plugin_value(&self, plugin: &str, key: &str) -> Result<bool, StoreError> {
        self.delete(plugin, key.as_bytes()).await.map_err(StoreError::query(WRITING))
    }

    async fn delete(&self, plugin: &str, key: &[u8]) -> Result<bool, sqlx::Error> {
        let mut tx = self.pool.begin().await?;
        self.lock_usage(&mut tx, plugin).await?;
        let old: Option<i64> = sqlx::query_scalar(
            "DELETE FROM plugin_values WHERE site_id = $1 AND plugin = $2 AND entry = $3 \
             RETURNING CAST(length(value) AS BIGINT)",
        )
        .bind(self.site)
        .bind(plugin)
        .bind(key)
        .fetch_optional(&mut *tx)
        .await?;
        let Some(old) = old else { return Ok(false) };
        self.add_usage(&mut tx, plugin, -old.saturating_add(size(key)), -1).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// The plugin's keys that start with `prefix` and come after `after`, in the order of their bytes, at most `limit`.
    ///
    /// An empty `after` is the beginning; the last key of a list is the `after` of the next one.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn plugin_keys(
        &self,
        plugin: &str,
        prefix: &str,
        after: &str,
        limit: i64,
    ) -> Result<Vec<String>, StoreError> {
        // A range instead of LIKE: no character of the prefix is a wildcard, and the key's index is used.
        let (first, end) = range(prefix, after);
        let keys: Vec<Vec<u8>> = sqlx::query_scalar(
            "SELECT entry FROM plugin_values WHERE site_id = $1 AND plugin = $2 AND entry >= $3 AND entry < $4 \
             ORDER BY entry LIMIT $5",
        )
        .bind(self.site)
        .bind(plugin)
        .bind(first)
        .bind(end)
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        // The keys are valid UTF-8, because they were written as text.
        Ok(keys.iter().map(|key| String::from_utf8_lossy(key).into_owned()).collect())
    }

    /// The amount in use by the plugin on this site: `(bytes of keys and values, number of keys)`.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn plugin_usage(&self, plugin: &str) -> Result<(i64, i64), StoreError> {
        let used = sqlx::query_as("SELECT bytes, entries FROM plugin_usage WHERE site_id = $1 AND plugin = $2")
            .bind(self.site)
            .bind(plugin)
            .fetch_optional(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        Ok(used.unwrap_or((0, 0)))
    }

    /// Deletes all data of the plugin on this site.
    ///
    /// # Errors
    /// [`StoreError::Query`]; nothing is deleted then.
    pub async fn clear_plugin_values(&self, plugin: &str) -> Result<(), StoreError> {
        self.clear(plugin).await.map_err(StoreError::query(WRITING))
    }

    async fn clear(&self, plugin: &str) -> Result<(), sqlx::Error> {
        let mut tx = self.pool.begin().await?;
        self.lock_usage(&mut tx, plugin).await?;
        for statement in [
            "DELETE FROM plugin_values WHERE site_id = $1 AND plugin = $2",
            "DELETE FROM plugin_usage WHERE site_id = $1 AND plugin = $2",
        ] {
            sqlx::query(statement).bind(self.site).bind(plugin).execute(&mut *tx).await?;
        }
        tx.commit().await
    }

    /// The amount in use, locked until the transaction ends. It is the first statement of every transaction here, and it
    /// writes even where it changes nothing, for the reason given at [`crate::take`].
    async fn lock_usage(&self, tx: &mut Transaction<'_, Any>, plugin: &str) -> Result<(i64, i64), sqlx::Error> {
        sqlx::query_as(
            "INSERT INTO plugin_usage (site_id, plugin, bytes, entries) VALUES ($1, $2, 0, 0) \
             ON CONFLICT (site_id, plugin) DO UPDATE SET bytes = plugin_usage.bytes RETURNING bytes, entries",
        )
        .bind(self.site)
        .bind(plugin)
        .fetch_one(&mut **tx)
        .await
    }

    async fn add_usage(
        &self,
        tx: &mut Transaction<'_, Any>,
        plugin: &str,
        bytes: i64,
        keys: i64,
    ) -> Result<(), sqlx::Error> {
        sqlx::query(
            "UPDATE plugin_usage SET bytes = bytes + $3, entries = entries + $4 WHERE site_id = $1 AND plugin = $2",
        )
        .bind(self.site)
        .bind(plugin)
        .bind(bytes)
        .bind(keys)
        .execute(&mut **tx)
        .await?;
        Ok(())
    }
}

fn size(bytes: &[u8]) -> i64 {
    i64::try_from(bytes.len()).unwrap_or(i64::MAX)
}

/// The first key that may be listed, and the end of the list, which is not. No text holds the byte 255, so that every
/// text with the prefix comes before the prefix and that byte; nothing lies between a text and the same with a zero.
fn range(prefix: &str, after: &str) -> (Vec<u8>, Vec<u8>) {
    let prefix = prefix.as_bytes();
    let behind = if after.is_empty() { Vec::new() } else { [after.as_bytes(), &[0]].concat() };
    (behind.max(prefix.to_vec()), [prefix, &[255]].concat())
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn a_range_has_the_keys_with_the_prefix_behind_a_key() {
        let within = |prefix: &str, after: &str, key: &str| {
            let (first, end) = range(prefix, after);
            first.as_slice() <= key.as_bytes() && key.as_bytes() < end.as_slice()
        };
        assert!(within("", "", "") && within("", "", "\u{10ffff}") && within("a%", "", "a%b"));
        assert!(!within("a%", "", "ab") && !within("a", "", "b") && !within("a", "ab", "ab"));
        assert!(within("a", "ab", "ab\0") && within("b", "a", "b") && !within("a", "b", "a"));
    }
}
