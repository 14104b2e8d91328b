//! Alerts: the new items that concern subscriptions and saved searches. They are recorded in the transaction that moves a follower of the
//! change log, and stay recorded when the mail is queued: each item reaches each subscriber once, across restarts and processes.

use std::collections::{BTreeMap, BTreeSet};

use masthead_domain::{
    SiteId,
    member::{ItemRef, ItemType, SubscriptionType},
};
use sqlx::{Any, Transaction};

use super::{AlertSearch, NewMessage, SiteSubscription, outbox, searches, subscriptions};
use crate::{KEYS, Store, StoreError, next, places, value_rows};

const READING: &str = "reading alerts";
const WRITING: &str = "recording alerts";
const TELLING: &str = "queueing the mail of alerts";
/// Rows of one INSERT statement.
const INSERTED: usize = 500;

/// The subscriptions or saved searches that a new item concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AlertTo {
    /// All subscriptions of a type; for [`SubscriptionType::Column`], those of the column with this number, otherwise "".
    Type(SubscriptionType, String),
    /// These subscriptions.
    Subscriptions(Vec<i64>),
    /// These saved searches.
    Searches(Vec<i64>),
}

/// A new item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAlert {
    /// The site of the subscriptions or saved searches.
    pub site: SiteId,
    /// The item, which may be of another site ([`ItemRef::at`]); an issue is a publication with a number of its own (`tides/2026/3`).
    pub item: ItemRef,
    /// The subscriptions or saved searches that it concerns.
    pub to: AlertTo,
}

/// The kind of an [`AlertSource`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceKind {
    /// A subscription.
    Subscription,
    /// A saved search.
    Search,
}

impl SourceKind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Subscription => "subscription",
            Self::Search => "search",
        }
    }
}

/// The subscription or saved search that alerts are sent for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AlertSource {
    /// A subscription.
    Subscription(SiteSubscription),
    /// A saved search.
    Search(AlertSearch),
}

impl AlertSource {
    const fn key(&self) -> (SourceKind, i64) {
        match self {
            Self::Subscription(found) => (SourceKind::Subscription, found.subscription.id),
            Self::Search(found) => (SourceKind::Search, found.id),
        }
    }

    const fn member(&self) -> i64 {
        match self {
            Self::Subscription(SiteSubscription { member: Some(member), .. }) => member.0,
            Self::Subscription(_) => 0,
            Self::Search(found) => found.member.0,
        }
    }
}

/// The alerts of one subscription or saved search that are due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueAlerts {
    /// The site.
    pub site: SiteId,
    /// The subscription or saved search.
    pub source: AlertSource,
    /// The items.
    pub items: Vec<ItemRef>,
}

/// Alerts with their mail; `None` if there is none to send, as for items that are gone.
#[derive(Clone, Debug)]
pub struct AlertMessage<'a> {
    /// The alerts.
    pub alerts: &'a DueAlerts,
    /// The mail.
    pub message: Option<NewMessage>,
}

/// A place in the order of due alerts: site, kind, number. `Default` is before all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AlertCursor(i64, String, i64);

impl Store {
    /// Records the new items that the follower `name` of the change log found in the changes up to number `position`, and moves the
    /// follower there, in one transaction. Alerts that were recorded before stay as they are. Returns how many alerts are new; `None` if
    /// another process was faster.
    ///
    /// # Errors
    /// [`StoreError::Query`]; nothing is recorded and the follower stays then.
    pub async fn record_alerts(
        &self,
        name: &str,
        position: i64,
        alerts: &[NewAlert],
        now: i64,
    ) -> Result<Option<u64>, StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        let moved: Option<i64> = sqlx::query_scalar(
            "INSERT INTO readers (name, position) VALUES ($1, $2) \
             ON CONFLICT (name) DO UPDATE SET position = excluded.position WHERE readers.position < excluded.position \
             RETURNING position",
        )
        .bind(name)
        .bind(position)
        .fetch_optional(&mut *tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        if moved.is_none() {
            return Ok(None);
        }
        let mut added = 0;
        for alert in alerts {
            added += record(&mut tx, alert, now).await.map_err(StoreError::query(WRITING))?;
        }
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(Some(added))
    }

    /// The due alerts of at most `limit` subscriptions and saved searches behind `after`, by site, kind and number. The cursor is the place
    /// of the last one that was looked at; `None` at the end. Alerts whose subscription or search has gone are deleted.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn due_alerts(
        &self,
        after: &AlertCursor,
        limit: i64,
    ) -> Result<(Vec<DueAlerts>, Option<AlertCursor>), StoreError> {
        self.read_due(after, limit).await.map_err(StoreError::query(READING))
    }

    async fn read_due(
        &self,
        after: &AlertCursor,
        limit: i64,
    ) -> Result<(Vec<DueAlerts>, Option<AlertCursor>), sqlx::Error> {
        let keys: Vec<(i64, String, i64)> = sqlx::query_as(
            "SELECT DISTINCT site_id, source, source_id FROM alerts WHERE told = 0 \
             AND (site_id, source, source_id) > ($1, $2, $3) ORDER BY site_id, source, source_id LIMIT $4",
        )
        .bind(after.0)
        .bind(&after.1)
        .bind(after.2)
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        let cursor = keys.last().cloned().map(|(site, source, id)| AlertCursor(site, source, id));
        let mut groups: BTreeMap<(i64, String), Vec<i64>> = BTreeMap::new();
        for (site, source, id) in keys {
            groups.entry((site, source)).or_default().push(id);
        }
        let mut due = Vec::new();
        for ((site, source), ids) in &groups {
            for some in ids.chunks(KEYS) {
                self.read_group(*site, source, some, &mut due).await?;
            }
        }
        Ok((due, cursor))
    }

    async fn read_group(
        &self,
        site: i64,
        source: &str,
        ids: &[i64],
        due: &mut Vec<DueAlerts>,
    ) -> Result<(), sqlx::Error> {
        let mut items: BTreeMap<i64, Vec<ItemRef>> = BTreeMap::new();
        let mut connection = self.pool.acquire().await?;
        for (id, kind, item) in untold(&mut connection, site, source, ids).await? {
            if let Some(kind) = ItemType::parse(&kind) {
                items.entry(id).or_default().push(ItemRef { kind, id: item });
            }
        }
        let mut gone: BTreeSet<i64> = ids.iter().copied().collect();
        let kind = if source == SourceKind::Search.as_str() { SourceKind::Search } else { SourceKind::Subscription };
        let sources = if kind == SourceKind::Search {
            let sql = format!("{} AND s.id IN ({}) ORDER BY s.id", searches::ALERTS, places(2, ids.len()));
            let rows: Vec<searches::AlertRow> = by_ids(sql, site, ids).fetch_all(&mut *connection).await?;
            for row in &rows {
                gone.remove(&row.0);
            }
            rows.into_iter().map(searches::alert_search).map(AlertSource::Search).collect::<Vec<_>>()
        } else {
            let sql = format!(
                "SELECT {} FROM subscriptions WHERE site_id = $1 AND id IN ({}) ORDER BY id",
                subscriptions::COLUMNS,
                places(2, ids.len())
            );
            let rows: Vec<subscriptions::SubscriptionRow> = by_ids(sql, site, ids).fetch_all(&mut *connection).await?;
            for row in &rows {
                gone.remove(&row.0);
            }
            rows.into_iter().filter_map(subscriptions::subscription).map(AlertSource::Subscription).collect()
        };
        // A subscription that ends between the reading of its number and the recording leaves alerts that are never sent, and that would be
        // the oldest ones of their site for months.
        if !gone.is_empty() {
            let gone: Vec<i64> = gone.into_iter().collect();
            forget_untold(&mut connection, site, kind, &gone).await?;
        }
        due.extend(sources.into_iter().filter_map(|source| {
            let items = items.remove(&source.key().1)?;
            Some(DueAlerts { site: SiteId(site), source, items })
        }));
        Ok(())
    }

    /// Queues the mail of alerts, and marks them as sent, in one transaction. Left out are those of which another process has marked any
    /// meanwhile, and those whose subscriber has gone. Returns how many are done.
    ///
    /// # Errors
    /// [`StoreError::Query`]; nothing is queued then.
    pub async fn tell(&self, tellings: &[AlertMessage<'_>], now: i64) -> Result<usize, StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(TELLING))?;
        let done = tell(&mut tx, tellings, now).await.map_err(StoreError::query(TELLING))?;
        tx.commit().await.map_err(StoreError::query(TELLING))?;
        Ok(done)
    }
}

type Query<'q, T> = sqlx::query::QueryAs<'q, Any, T, sqlx::any::AnyArguments>;

fn by_ids<'q, T: for<'r> sqlx::FromRow<'r, sqlx::any::AnyRow>>(sql: String, site: i64, ids: &[i64]) -> Query<'q, T> {
    ids.iter().fold(sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(site), |query, id| query.bind(*id))
}

/// The waiting alerts of some subscriptions or saved searches: number, type and number of the item.
async fn untold(
    connection: &mut sqlx::AnyConnection,
    site: i64,
    source: &str,
    ids: &[i64],
) -> Result<Vec<(i64, String, String)>, sqlx::Error> {
    let sql = format!(
        "SELECT source_id, item_type, item_id FROM alerts WHERE told = 0 AND site_id = $1 AND source = $2 AND source_id IN ({}) \
         ORDER BY source_id, made, item_type, item_id",
        places(3, ids.len())
    );
    let query = sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(site).bind(source.to_owned());
    ids.iter().fold(query, |query, id| query.bind(*id)).fetch_all(connection).await
}

/// Deletes the waiting alerts of subscriptions or saved searches.
pub(super) async fn forget_untold(
    connection: &mut sqlx::AnyConnection,
    site: i64,
    source: SourceKind,
    ids: &[i64],
) -> Result<(), sqlx::Error> {
    let sql = format!(
        "DELETE FROM alerts WHERE told = 0 AND site_id = $1 AND source = $2 AND source_id IN ({})",
        places(3, ids.len())
    );
    let query = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(site).bind(source.as_str());
    ids.iter().fold(query, |query, id| query.bind(*id)).execute(connection).await?;
    Ok(())
}

async fn record(tx: &mut Transaction<'_, Any>, alert: &NewAlert, now: i64) -> Result<u64, sqlx::Error> {
    let (source, ids) = match &alert.to {
        AlertTo::Type(kind, column) => return record_type(tx, alert, (*kind, column), now).await,
        AlertTo::Subscriptions(ids) => (SourceKind::Subscription, ids),
        AlertTo::Searches(ids) => (SourceKind::Search, ids),
    };
    let mut added = 0;
    for some in ids.chunks(INSERTED) {
        let sql = format!(
            "INSERT INTO alerts (site_id, source, source_id, item_type, item_id, made, told) VALUES {} ON CONFLICT DO NOTHING",
            value_rows(7, some.len())
        );
        let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
        for id in some {
            query = query
                .bind(alert.site.0)
                .bind(source.as_str())
                .bind(*id)
                .bind(alert.item.kind.as_str())
                .bind(&alert.item.id)
                .bind(now)
                .bind(0_i64);
        }
        added += query.execute(&mut **tx).await?.rows_affected();
    }
    Ok(added)
}

/// Records an item for all subscriptions of a type, in one statement.
async fn record_type(
    tx: &mut Transaction<'_, Any>,
    alert: &NewAlert,
    (kind, column): (SubscriptionType, &str),
    now: i64,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query(
        "INSERT INTO alerts (site_id, source, source_id, item_type, item_id, made, told) \
         SELECT site_id, 'subscription', id, $4, $5, $6, 0 FROM subscriptions \
         WHERE site_id = $1 AND type = $2 AND column_id = $3 ON CONFLICT DO NOTHING",
    )
    .bind(alert.site.0)
    .bind(kind.as_str())
    .bind(column)
    .bind(alert.item.kind.as_str())
    .bind(&alert.item.id)
    .bind(now)
    .execute(&mut **tx)
    .await?;
    Ok(done.rows_affected())
}

async fn tell(tx: &mut Transaction<'_, Any>, tellings: &[AlertMessage<'_>], now: i64) -> Result<usize, sqlx::Error> {
    // One after the other, so that alerts that wait now stay so until the end of this transaction.
    next(tx, "alerts").await?;
    let mut groups: BTreeMap<(i64, SourceKind), Vec<&AlertMessage<'_>>> = BTreeMap::new();
    for telling in tellings {
        groups.entry((telling.alerts.site.0, telling.alerts.source.key().0)).or_default().push(telling);
    }
    let (mut done, mut messages) = (0, Vec::new());
    for ((site, source), group) in groups {
        for some in group.chunks(KEYS) {
            let ids: Vec<i64> = some.iter().map(|telling| telling.alerts.source.key().1).collect();
            let open: BTreeSet<(i64, String, String)> =
                untold(tx, site, source.as_str(), &ids).await?.into_iter().collect();
            let is_open = |telling: &&&AlertMessage<'_>| {
                let id = telling.alerts.source.key().1;
                let key = |item: &ItemRef| (id, item.kind.as_str().to_owned(), item.id.clone());
                telling.alerts.items.iter().all(|item| open.contains(&key(item)))
            };
            let mut told: BTreeMap<&ItemRef, Vec<i64>> = BTreeMap::new();
            for telling in some.iter().filter(is_open) {
                done += 1;
                for item in &telling.alerts.items {
                    told.entry(item).or_default().push(telling.alerts.source.key().1);
                }
                let member = telling.alerts.source.member();
                messages.extend(telling.message.as_ref().map(|message| (site, member, message)));
            }
            for (item, ids) in told {
                mark(tx, (site, source), item, &ids, now).await?;
            }
        }
    }
    outbox::add_rows(tx, &messages, now).await?;
    Ok(done)
}

/// Marks an item as sent for subscriptions or saved searches.
async fn mark(
    tx: &mut Transaction<'_, Any>,
    (site, source): (i64, SourceKind),
    item: &ItemRef,
    ids: &[i64],
    now: i64,
) -> Result<(), sqlx::Error> {
    let sql = format!(
        "UPDATE alerts SET told = $5 WHERE told = 0 AND site_id = $1 AND source = $2 AND item_type = $3 AND item_id = $4 \
         AND source_id IN ({})",
        places(6, ids.len())
    );
    let query = sqlx::query(sqlx::AssertSqlSafe(sql))
        .bind(site)
        .bind(source.as_str())
        .bind(item.kind.as_str())
        .bind(&item.id)
        .bind(now.max(1));
    ids.iter().fold(query, |query, id| query.bind(*id)).execute(&mut **tx).await?;
    Ok(())
}

/// Deletes all alerts of a subscription or saved search that ends, sent or waiting.
pub(super) async fn forget(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    source: SourceKind,
    id: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM alerts WHERE site_id = $1 AND source = $2 AND source_id = $3")
        .bind(site)
        .bind(source.as_str())
        .bind(id)
        .execute(&mut **tx)
        .await?;
    Ok(())
}
