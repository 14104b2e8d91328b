//! Favourites of members.

use masthead_domain::member::{ItemRef, ItemType, ListedItem, folded};
use sqlx::{Any, Row as _, Transaction, any::AnyRow};

use super::{Listed, MemberStore, Saving, Window, listed_item, pattern};
use crate::StoreError;

const READING: &str = "reading favourites";
const WRITING: &str = "writing favourites";

/// An item of a member's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectedItem {
    /// The item, as it was called then.
    pub item: ListedItem,
    /// When it was added.
    pub added: i64,
}

/// Which items of a member's list to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ItemFilter<'a> {
    /// Of this type only.
    pub kind: Option<ItemType>,
    /// With this keyword in the title; "" for all.
    pub keyword: &'a str,
}

impl MemberStore {
    /// Adds favourites, all or none; those that the member has already stay as they are. A member has at most `most`.
    ///
    /// # Errors
    /// [`StoreError::Query`], [`StoreError::MemberGone`].
    pub async fn collect(&self, items: &[ListedItem], most: i64, now: i64) -> Result<Saving<()>, StoreError> {
        let mut tx = self.begin(WRITING).await?;
        for item in items {
            self.add_favourite(&mut tx, item, now).await.map_err(StoreError::query(WRITING))?;
        }
        let count = self.count(&mut tx, "favourites").await.map_err(StoreError::query(WRITING))?;
        if count > most {
            return Ok(Saving::Full);
        }
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(Saving::Saved(()))
    }

    async fn add_favourite(
        &self,
        tx: &mut Transaction<'_, Any>,
        listed: &ListedItem,
        now: i64,
    ) -> Result<(), sqlx::Error> {
        sqlx::query(
            "INSERT INTO favourites (site_id, member_id, item_type, item_id, title, address, words, added) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (site_id, member_id, item_type, item_id) DO NOTHING",
        )
        .bind(self.site)
        .bind(self.member)
        .bind(listed.item.kind.as_str())
        .bind(&listed.item.id)
        .bind(&listed.title)
        .bind(&listed.address)
        .bind(folded(&listed.title))
        .bind(now)
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    /// Favourites, latest first.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn favourites(
        &self,
        filter: ItemFilter<'_>,
        window: Window,
    ) -> Result<Listed<CollectedItem>, StoreError> {
        const ROWS: &str = "SELECT item_type, item_id, title, address, added FROM favourites \
             WHERE site_id = $1 AND member_id = $2 AND ($3 = '' OR item_type = $3) AND words LIKE $4 ESCAPE '\\' \
             ORDER BY added DESC, item_type, item_id LIMIT $5 OFFSET $6";
        const COUNT: &str = "SELECT COUNT(*) FROM favourites \
             WHERE site_id = $1 AND member_id = $2 AND ($3 = '' OR item_type = $3) AND words LIKE $4 ESCAPE '\\'";
        let (kind, pattern) = (filter.kind.map_or("", ItemType::as_str), pattern(filter.keyword));
        let rows = sqlx::query(ROWS)
            .bind(self.site)
            .bind(self.member)
            .bind(kind)
            .bind(&pattern)
            .bind(window.size)
            .bind(window.skip)
            .fetch_all(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        let total = sqlx::query_scalar(COUNT)
            .bind(self.site)
            .bind(self.member)
            .bind(kind)
            .bind(&pattern)
            .fetch_one(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        Ok(Listed { entries: collected(&rows).map_err(StoreError::query(READING))?, total })
    }

    /// Whether an item is among the favourites.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn is_favourite(&self, item: &ItemRef) -> Result<bool, StoreError> {
        let found: i64 = sqlx::query_scalar(
            "SELECT COUNT(*) FROM favourites WHERE site_id = $1 AND member_id = $2 AND item_type = $3 AND item_id = $4",
        )
        .bind(self.site)
        .bind(self.member)
        .bind(item.kind.as_str())
        .bind(&item.id)
        .fetch_one(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        Ok(found > 0)
    }

    /// Removes favourites. Returns how many there were of these.
    ///
    /// # Errors
    /// [`StoreError::Query`], [`StoreError::MemberGone`].
    pub async fn remove_favourites(&self, items: &[ItemRef]) -> Result<u64, StoreError> {
        let mut tx = self.begin(WRITING).await?;
        let mut removed = 0;
        for item in items {
            let done = sqlx::query(
                "DELETE FROM favourites WHERE site_id = $1 AND member_id = $2 AND item_type = $3 AND item_id = $4",
            )
            .bind(self.site)
            .bind(self.member)
            .bind(item.kind.as_str())
            .bind(&item.id)
            .execute(&mut *tx)
            .await
            .map_err(StoreError::query(WRITING))?;
            removed += done.rows_affected();
        }
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(removed)
    }
}

/// Items from rows of type, number, title, address and time; without those of types that this version does not know.
pub(super) fn collected(rows: &[AnyRow]) -> Result<Vec<CollectedItem>, sqlx::Error> {
    let mut items = Vec::with_capacity(rows.len());
    for row in rows {
        let item = listed_item(row.try_get(0)?, row.try_get(1)?, row.try_get(2)?, row.try_get(3)?);
        let added = row.try_get(4)?;
        items.extend(item.map(|item| CollectedItem { item, added }));
    }
    Ok(items)
}
