//! Views and downloads of members. They are recorded in batches, apart from the counts of items, which know no members.

use std::collections::{BTreeMap, BTreeSet};

use masthead_domain::{
    SiteId,
    member::{ListedItem, MemberId, Use},
};
use sqlx::{Any, Row as _, Transaction};

use super::{Listed, MemberStore, Window, changed, listed_item};
use crate::{Store, StoreError, take, value_rows};

const READING: &str = "reading what a member viewed and downloaded";
const WRITING: &str = "recording what members viewed and downloaded";
/// Rows of one INSERT statement.
const INSERTED: usize = 200;

/// An item that a member viewed or downloaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberUse {
    /// The site.
    pub site: SiteId,
    /// The member.
    pub member: MemberId,
    /// The act of the member.
    pub act: Use,
    /// The item.
    pub item: ListedItem,
    /// When.
    pub at: i64,
}

/// An item of a member's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedItem {
    /// Number of the entry, by which the member removes it.
    pub id: i64,
    /// The item, as it was called when it was used for the last time.
    pub item: ListedItem,
    /// How often.
    pub times: i64,
    /// When it was used for the last time.
    pub latest: i64,
}

impl Store {
    /// Records uses of members, in one transaction. Uses of members who were erased meanwhile are left out.
    ///
    /// # Errors
    /// [`StoreError::Query`]; nothing is recorded then.
    pub async fn record_member_uses(&self, uses: &[MemberUse]) -> Result<(), StoreError> {
        if uses.is_empty() {
            return Ok(());
        }
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        record(&mut tx, uses).await.map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))
    }
}

async fn record(tx: &mut Transaction<'_, Any>, uses: &[MemberUse]) -> Result<(), sqlx::Error> {
    // The rows of the members are locked before anything else, as everything that writes for a member does, so that an erasure at the same time
    // comes before or after all of it.
    let mut present = BTreeSet::new();
    let members: BTreeSet<_> = uses.iter().map(|used| (used.site, used.member)).collect();
    for (site, member) in members {
        let done = sqlx::query("UPDATE members SET seen = seen WHERE site_id = $1 AND id = $2")
            .bind(site.0)
            .bind(member.0)
            .execute(&mut **tx)
            .await?;
        if changed(&done) {
            present.insert((site, member));
        }
    }
    // A statement changes a row once only, so that several uses of an item are one row, with their number.
    let mut rows: BTreeMap<_, (&MemberUse, i64)> = BTreeMap::new();
    for used in uses.iter().filter(|used| present.contains(&(used.site, used.member))) {
        let key = (used.site, used.member, used.act.as_str(), &used.item.item);
        let (latest, times) = rows.entry(key).or_insert((used, 0));
        if used.at >= latest.at {
            *latest = used;
        }
        *times += 1;
    }
    let first = take(tx, "member_objects", i64::try_from(rows.len()).unwrap_or(i64::MAX)).await?;
    let rows: Vec<_> = (first..).zip(rows.into_values()).collect();
    for some in rows.chunks(INSERTED) {
        add(tx, some).await?;
    }
    Ok(())
}

/// Adds uses to the histories: each has its number, and says how often.
async fn add(tx: &mut Transaction<'_, Any>, rows: &[(i64, (&MemberUse, i64))]) -> Result<(), sqlx::Error> {
    let sql = format!(
        "INSERT INTO member_uses (site_id, member_id, act, item_type, item_id, id, title, address, times, latest) \
         VALUES {} ON CONFLICT (site_id, member_id, act, item_type, item_id) \
         DO UPDATE SET title = excluded.title, address = excluded.address, times = member_uses.times + excluded.times, \
         latest = CASE WHEN member_uses.latest > excluded.latest THEN member_uses.latest ELSE excluded.latest END",
        value_rows(10, rows.len())
    );
    let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
    for (id, (used, times)) in rows {
        query = query
            .bind(used.site.0)
            .bind(used.member.0)
            .bind(used.act.as_str())
            .bind(used.item.item.kind.as_str())
            .bind(&used.item.item.id)
            .bind(*id)
            .bind(&used.item.title)
            .bind(&used.item.address)
            .bind(*times)
            .bind(used.at);
    }
    query.execute(&mut **tx).await?;
    Ok(())
}

impl MemberStore {
    /// The items that the member viewed or downloaded, latest first.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn uses(&self, act: Use, window: Window) -> Result<Listed<UsedItem>, StoreError> {
        self.read_uses(act, window).await.map_err(StoreError::query(READING))
    }

    async fn read_uses(&self, act: Use, window: Window) -> Result<Listed<UsedItem>, sqlx::Error> {
        let rows = sqlx::query(
            "SELECT item_type, item_id, title, address, id, times, latest FROM member_uses \
             WHERE site_id = $1 AND member_id = $2 AND act = $3 ORDER BY latest DESC, id DESC LIMIT $4 OFFSET $5",
        )
        .bind(self.site)
        .bind(self.member)
        .bind(act.as_str())
        .bind(window.size)
        .bind(window.skip)
        .fetch_all(&self.pool)
        .await?;
        let total =
            sqlx::query_scalar("SELECT COUNT(*) FROM member_uses WHERE site_id = $1 AND member_id = $2 AND act = $3")
                .bind(self.site)
                .bind(self.member)
                .bind(act.as_str())
                .fetch_one(&self.pool)
                .await?;
        let mut entries = Vec::with_capacity(rows.len());
        for row in &rows {
            if let Some(item) = listed_item(row.try_get(0)?, row.try_get(1)?, row.try_get(2)?, row.try_get(3)?) {
                entries.push(UsedItem { id: row.try_get(4)?, item, times: row.try_get(5)?, latest: row.try_get(6)? });
            }
        }
        Ok(Listed { entries, total })
    }

    /// Removes an entry of the history, or all. Returns how many there were.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn remove_uses(&self, act: Use, id: Option<i64>) -> Result<u64, StoreError> {
        let done = sqlx::query(
            "DELETE FROM member_uses WHERE site_id = $1 AND member_id = $2 AND act = $3 AND ($4 = 0 OR id = $4)",
        )
        .bind(self.site)
        .bind(self.member)
        .bind(act.as_str())
        .bind(id.unwrap_or(0))
        .execute(&self.pool)
        .await
        .map_err(StoreError::query(WRITING))?;
        Ok(done.rows_affected())
    }
}
