//! The queue of events for plugins. An event stays in the queue until its plugin has processed it, so that it is delivered at least once.
//!
//! The caller passes the current time; times are milliseconds since 1970.

use masthead_domain::SiteId;
use sqlx::{Any, Row as _, Transaction, any::AnyRow};

use crate::{SiteStore, Store, StoreError, next};

/// An event to be delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewDelivery {
    /// The site that it happened on.
    pub site: SiteId,
    /// The plugin that receives it.
    pub plugin: String,
    /// What happened, such as `article.published`.
    pub event: String,
    /// The event's data for the plugin, as JSON; the store does not look inside.
    pub payload: String,
    /// Identifies the event for the plugin on the site: while one with this key is in the queue, another is ignored.
    pub key: String,
}

/// An event that a process has claimed to deliver it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Its number; numbers grow in the order in which events were queued.
    pub id: i64,
    /// The site that it happened on.
    pub site: SiteId,
    /// The plugin that receives it.
    pub plugin: String,
    /// What happened.
    pub event: String,
    /// The event's data for the plugin, as JSON.
    pub payload: String,
    /// Number of this attempt, from 1.
    pub attempts: i64,
    /// When it was queued, in milliseconds since 1970.
    pub created_ms: i64,
}

/// Whether delivery is still tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryState {
    /// It is tried, now or later.
    Waiting,
    /// It has failed and is kept until an administrator queues it again.
    Aside,
}

/// The state of an event's delivery, for an administrator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryStatus {
    /// Its number.
    pub id: i64,
    /// The plugin that receives it.
    pub plugin: String,
    /// What happened.
    pub event: String,
    /// Whether delivery is still tried.
    pub state: DeliveryState,
    /// Attempts so far.
    pub attempts: i64,
    /// When it is tried next, in milliseconds since 1970; during an attempt, the end of its lease.
    pub next_at_ms: i64,
    /// Why the last attempt failed; empty if none failed.
    pub error: String,
}

/// Characters of an error that are stored.
const ERROR_LENGTH: usize = 500;
const WAITING: &str = "waiting";
const ASIDE: &str = "aside";
const READING: &str = "reading deliveries";
const QUEUEING: &str = "queueing deliveries";
const CLAIMING: &str = "claiming deliveries";
const WRITING: &str = "recording the outcome of a delivery";

impl Store {
    /// The position of the reader `name` in the change log: the number of the last change that it has processed, 0 before the first.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn position(&self, name: &str) -> Result<i64, StoreError> {
        let position = sqlx::query_scalar("SELECT position FROM readers WHERE name = $1")
            .bind(name)
            .fetch_optional(&self.pool)
            .await
            .map_err(StoreError::query("reading a position in the change log"))?;
        Ok(position.unwrap_or(0))
    }

    /// Queues the events that the reader `name` derived from the changes up to number `position`, and moves the reader
    /// there, in one transaction. Returns the number of events that are new.
    ///
    /// If the reader is at that position or behind it already, nothing is queued: another process was faster.
    ///
    /// # Errors
    /// [`StoreError::Query`]; nothing is queued and the reader stays then.
    pub async fn enqueue(
        &self,
        name: &str,
        position: i64,
        deliveries: &[NewDelivery],
        now_ms: i64,
    ) -> Result<usize, StoreError> {
        if position <= 0 {
            return Ok(0);
        }
        self.queue(name, position, deliveries, now_ms).await.map_err(StoreError::query(QUEUEING))
    }

    async fn queue(
        &self,
        name: &str,
        position: i64,
        deliveries: &[NewDelivery],
        now_ms: i64,
    ) -> Result<usize, sqlx::Error> {
        let mut tx = self.pool.begin().await?;
        // Concurrent processes wait for each other at this row; the second finds the position advanced.
        let moved: Option<i64> = sqlx::query_scalar(
            "INSERT INTO readers (name, position) VALUES ($1, $2) \
             ON CONFLICT (name) DO UPDATE SET position = excluded.position WHERE readers.position < excluded.position \
             RETURNING position",
        )
        .bind(name)
        .bind(position)
        .fetch_optional(&mut *tx)
        .await?;
        if moved.is_none() {
            return Ok(0);
        }
        let mut added = 0;
        for delivery in deliveries {
            let id = next(&mut tx, "deliveries").await?;
            if insert(&mut tx, id, delivery, now_ms).await? {
                added += 1;
            }
        }
        tx.commit().await?;
        Ok(added)
    }

    /// Claims events that are due, oldest first, at most `limit`. No other process gets them before `lease_ms`
    /// milliseconds have passed; after that the process that claimed them is assumed to have died.
    ///
    /// # Errors
    /// [`StoreError::Query`]; none is claimed then.
    pub async fn claim_deliveries(&self, now_ms: i64, lease_ms: i64, limit: i64) -> Result<Vec<Delivery>, StoreError> {
        self.claim(now_ms, lease_ms, limit).await.map_err(StoreError::query(CLAIMING))
    }

    async fn claim(&self, now_ms: i64, lease_ms: i64, limit: i64) -> Result<Vec<Delivery>, sqlx::Error> {
        // This is called often and mostly finds nothing, so that it begins with a query outside of a transaction, which locks
        // nothing.
        let due: Option<i64> =
            sqlx::query_scalar("SELECT id FROM deliveries WHERE state = 'waiting' AND next_at <= $1 LIMIT 1")
                .bind(now_ms)
                .fetch_optional(&self.pool)
                .await?;
        if due.is_none() {
            return Ok(Vec::new());
        }
        let mut tx = self.pool.begin().await?;
        // Claims are serialized, because on PostgreSQL two concurrent ones would select the same oldest rows, and the second
        // would get none.
        next(&mut tx, "claims").await?;
        let rows = sqlx::query(
            "UPDATE deliveries SET next_at = $2, attempts = attempts + 1 WHERE state = 'waiting' AND next_at <= $1 \
             AND id IN (SELECT id FROM deliveries WHERE state = 'waiting' AND next_at <= $1 ORDER BY id LIMIT $3) \
             RETURNING id, site_id, plugin, event, payload, attempts, created",
        )
        .bind(now_ms)
        .bind(now_ms.saturating_add(lease_ms))
        .bind(limit)
        .fetch_all(&mut *tx)
        .await?;
        tx.commit().await?;
        let mut taken = rows.iter().map(delivery).collect::<Result<Vec<_>, _>>()?;
        // RETURNING guarantees no order.
        taken.sort_unstable_by_key(|delivery| delivery.id);
        Ok(taken)
    }

    /// Deletes an event that its plugin has processed.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn delivered(&self, id: i64) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM deliveries WHERE id = $1")
            .bind(id)
            .execute(&self.pool)
            .await
            .map_err(StoreError::query(WRITING))?;
        Ok(())
    }

    /// Schedules another attempt at `next_at_ms`, with the reason of the failure (at most 500 characters are stored). An event that was
    /// set aside stays set aside.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn retry_delivery(&self, id: i64, next_at_ms: i64, error: &str) -> Result<(), StoreError> {
        sqlx::query("UPDATE deliveries SET next_at = $2, error = $3 WHERE id = $1 AND state = 'waiting'")
            .bind(id)
            .bind(next_at_ms)
            .bind(cut(error))
            .execute(&self.pool)
            .await
            .map_err(StoreError::query(WRITING))?;
        Ok(())
    }

    /// Sets an event aside: it is stored with the reason (at most 500 characters of it) and not tried again automatically.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn set_aside(&self, id: i64, error: &str) -> Result<(), StoreError> {
        sqlx::query("UPDATE deliveries SET state = 'aside', error = $2 WHERE id = $1")
            .bind(id)
            .bind(cut(error))
            .execute(&self.pool)
            .await
            .map_err(StoreError::query(WRITING))?;
        Ok(())
    }

    /// The number of events in the queue: `(site, plugin, waiting, set aside)`, by site and plugin, without pairs that have no events.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn delivery_counts(&self) -> Result<Vec<(SiteId, String, i64, i64)>, StoreError> {
        let rows: Vec<(i64, String, i64, i64)> = sqlx::query_as(
            "SELECT site_id, plugin, COUNT(CASE state WHEN 'aside' THEN NULL ELSE 1 END), \
             COUNT(CASE state WHEN 'aside' THEN 1 END) FROM deliveries \
             GROUP BY site_id, plugin ORDER BY site_id, plugin",
        )
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query("counting deliveries"))?;
        Ok(rows.into_iter().map(|(site, plugin, waiting, aside)| (SiteId(site), plugin, waiting, aside)).collect())
    }
}

impl SiteStore {
    /// The site's events in the queue: those set aside first, then the oldest first, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn deliveries(&self, limit: i64) -> Result<Vec<DeliveryStatus>, StoreError> {
        sqlx::query(
            "SELECT id, plugin, event, state, attempts, next_at, error FROM deliveries WHERE site_id = $1 \
             ORDER BY CASE state WHEN 'aside' THEN 0 ELSE 1 END, id LIMIT $2",
        )
        .bind(self.site)
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?
        .iter()
        .map(status)
        .collect::<Result<_, _>>()
        .map_err(StoreError::query(READING))
    }

    /// Queues an event that was set aside again, with its attempts counted from 0. Returns whether this site has such an event.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn requeue_delivery(&self, id: i64, now_ms: i64) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "UPDATE deliveries SET state = 'waiting', next_at = $3, attempts = 0 \
             WHERE site_id = $1 AND id = $2 AND state = 'aside'",
        )
        .bind(self.site)
        .bind(id)
        .bind(now_ms)
        .execute(&self.pool)
        .await
        .map_err(StoreError::query("queueing a delivery again"))?;
        Ok(done.rows_affected() > 0)
    }

    /// Deletes every event for this plugin on this site; returns their number.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn drop_deliveries(&self, plugin: &str) -> Result<u64, StoreError> {
        let done = sqlx::query("DELETE FROM deliveries WHERE site_id = $1 AND plugin = $2")
            .bind(self.site)
            .bind(plugin)
            .execute(&self.pool)
            .await
            .map_err(StoreError::query("dropping a plugin's deliveries"))?;
        Ok(done.rows_affected())
    }
}

/// Queues an event; returns whether it is new.
async fn insert(
    tx: &mut Transaction<'_, Any>,
    id: i64,
    delivery: &NewDelivery,
    now_ms: i64,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query(
        "INSERT INTO deliveries (id, site_id, plugin, event, event_key, payload, state, attempts, next_at, created, \
         error) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, $8, '') ON CONFLICT (site_id, plugin, event_key) DO NOTHING",
    )
    .bind(id)
    .bind(delivery.site.0)
    .bind(&delivery.plugin)
    .bind(&delivery.event)
    .bind(&delivery.key)
    .bind(&delivery.payload)
    .bind(WAITING)
    .bind(now_ms)
    .execute(&mut **tx)
    .await?;
    Ok(done.rows_affected() > 0)
}

fn delivery(row: &AnyRow) -> Result<Delivery, sqlx::Error> {
    Ok(Delivery {
        id: row.try_get(0)?,
        site: SiteId(row.try_get(1)?),
        plugin: row.try_get(2)?,
        event: row.try_get(3)?,
        payload: row.try_get(4)?,
        attempts: row.try_get(5)?,
        created_ms: row.try_get(6)?,
    })
}

fn status(row: &AnyRow) -> Result<DeliveryStatus, sqlx::Error> {
    Ok(DeliveryStatus {
        id: row.try_get(0)?,
        plugin: row.try_get(1)?,
        event: row.try_get(2)?,
        state: if row.try_get::<&str, _>(3)? == ASIDE { DeliveryState::Aside } else { DeliveryState::Waiting },
        attempts: row.try_get(4)?,
        next_at_ms: row.try_get(5)?,
        error: row.try_get(6)?,
    })
}

/// The start of an error's text. Zero bytes are replaced, because PostgreSQL stores none in a text and the error may come from
/// a plugin.
fn cut(error: &str) -> String {
    error.chars().take(ERROR_LENGTH).map(|c| if c == '\0' { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn an_error_is_cut_between_characters() {
        assert_eq!(cut("短"), "短");
        assert_eq!(cut(&"短".repeat(501)), "短".repeat(500));
        assert_eq!(cut("a\0b"), "a\u{fffd}b");
    }
}
