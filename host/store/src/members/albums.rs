//! Albums that members make.

use masthead_domain::member::{ItemRef, ItemType, ListedItem, folded};
use sqlx::{Any, Transaction};

use super::{CollectedItem, ItemFilter, Listed, MemberStore, Window, changed, favourites::collected, pattern};
use crate::{StoreError, next};

const READING: &str = "reading albums of a member";
const WRITING: &str = "writing an album of a member";

/// The result of saving a thing of which a member may have a limited number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saving<T> {
    /// It is saved.
    Saved(T),
    /// Nothing: the member would have too many.
    Full,
    /// Nothing: the member has no such thing to which it would belong.
    Missing,
}

/// The fields of an album that a member writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AlbumText {
    /// Name.
    pub name: String,
    /// English name, or "".
    pub en_name: String,
    /// Identifier of the file with the cover, or "".
    pub cover: String,
}

/// An album.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Album {
    /// Its number.
    pub id: i64,
    /// The fields that the member wrote.
    pub text: AlbumText,
    /// When it was made.
    pub created: i64,
    /// When it or its items were changed.
    pub changed: i64,
}

/// An album of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlbumEntry {
    /// The album.
    pub album: Album,
    /// Number of its items.
    pub items: i64,
}

type Row = (i64, String, String, String, i64, i64);

fn album((id, name, en_name, cover, created, changed): Row) -> Album {
    Album { id, text: AlbumText { name, en_name, cover }, created, changed }
}

fn words(text: &AlbumText) -> String {
    folded(&format!("{}\n{}", text.name, text.en_name))
}

impl MemberStore {
    /// Makes an album, unless the member has `most`. Returns its number.
    ///
    /// # Errors
    /// [`StoreError::Query`], [`StoreError::MemberGone`].
    pub async fn add_album(&self, text: &AlbumText, most: i64, now: i64) -> Result<Saving<i64>, StoreError> {
        let mut tx = self.begin(WRITING).await?;
        let count = self.count(&mut tx, "member_albums").await.map_err(StoreError::query(WRITING))?;
        if count >= most {
            return Ok(Saving::Full);
        }
        let id = next(&mut tx, "member_objects").await.map_err(StoreError::query(WRITING))?;
        sqlx::query(
            "INSERT INTO member_albums (site_id, id, member_id, name, en_name, cover, words, created, changed) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)",
        )
        .bind(self.site)
        .bind(id)
        .bind(self.member)
        .bind(&text.name)
        .bind(&text.en_name)
        .bind(&text.cover)
        .bind(words(text))
        .bind(now)
        .execute(&mut *tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(Saving::Saved(id))
    }

    /// Changes an album. Returns whether the member has it.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn set_album(&self, id: i64, text: &AlbumText, now: i64) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "UPDATE member_albums SET name = $4, en_name = $5, cover = $6, words = $7, changed = $8 \
             WHERE site_id = $1 AND member_id = $2 AND id = $3",
        )
        .bind(self.site)
        .bind(self.member)
        .bind(id)
        .bind(&text.name)
        .bind(&text.en_name)
        .bind(&text.cover)
        .bind(words(text))
        .bind(now)
        .execute(&self.pool)
        .await
        .map_err(StoreError::query(WRITING))?;
        Ok(changed(&done))
    }

    /// Removes albums with their items. Returns how many the member had of these.
    ///
    /// # Errors
    /// [`StoreError::Query`], [`StoreError::MemberGone`].
    pub async fn remove_albums(&self, ids: &[i64]) -> Result<u64, StoreError> {
        let mut tx = self.begin(WRITING).await?;
        let mut removed = 0;
        for id in ids {
            let done = sqlx::query("DELETE FROM member_albums WHERE site_id = $1 AND member_id = $2 AND id = $3")
                .bind(self.site)
                .bind(self.member)
                .bind(id)
                .execute(&mut *tx)
                .await
                .map_err(StoreError::query(WRITING))?;
            if changed(&done) {
                removed += 1;
                sqlx::query("DELETE FROM member_album_items WHERE site_id = $1 AND album_id = $2")
                    .bind(self.site)
                    .bind(id)
                    .execute(&mut *tx)
                    .await
                    .map_err(StoreError::query(WRITING))?;
            }
        }
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(removed)
    }

    /// An album of the member.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn album(&self, id: i64) -> Result<Option<Album>, StoreError> {
        let row: Option<Row> = sqlx::query_as(
            "SELECT id, name, en_name, cover, created, changed FROM member_albums \
             WHERE site_id = $1 AND member_id = $2 AND id = $3",
        )
        .bind(self.site)
        .bind(self.member)
        .bind(id)
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        Ok(row.map(album))
    }

    /// Albums whose names have a keyword ("" for all), latest change first.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn albums(&self, keyword: &str, window: Window) -> Result<Listed<AlbumEntry>, StoreError> {
        let pattern = pattern(keyword);
        let rows: Vec<(i64, String, String, String, i64, i64, i64)> = sqlx::query_as(
            "SELECT a.id, a.name, a.en_name, a.cover, a.created, a.changed, (SELECT COUNT(*) FROM member_album_items i \
             WHERE i.site_id = a.site_id AND i.album_id = a.id) FROM member_albums a \
             WHERE a.site_id = $1 AND a.member_id = $2 AND a.words LIKE $3 ESCAPE '\\' \
             ORDER BY a.changed DESC, a.id DESC LIMIT $4 OFFSET $5",
        )
        .bind(self.site)
        .bind(self.member)
        .bind(&pattern)
        .bind(window.size)
        .bind(window.skip)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        let total = sqlx::query_scalar(
            "SELECT COUNT(*) FROM member_albums WHERE site_id = $1 AND member_id = $2 AND words LIKE $3 ESCAPE '\\'",
        )
        .bind(self.site)
        .bind(self.member)
        .bind(&pattern)
        .fetch_one(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        let entry = |(id, name, en_name, cover, created, changed, items)| AlbumEntry {
            album: album((id, name, en_name, cover, created, changed)),
            items,
        };
        Ok(Listed { entries: rows.into_iter().map(entry).collect(), total })
    }

    /// Adds items to an album, all or none; those that it has already stay as they are. An album has at most `most`.
    ///
    /// # Errors
    /// [`StoreError::Query`], [`StoreError::MemberGone`].
    pub async fn add_to_album(
        &self,
        id: i64,
        items: &[ListedItem],
        most: i64,
        now: i64,
    ) -> Result<Saving<()>, StoreError> {
        let mut tx = self.begin(WRITING).await?;
        if !self.touch_album(&mut tx, id, now).await.map_err(StoreError::query(WRITING))? {
            return Ok(Saving::Missing);
        }
        for item in items {
            self.add_item(&mut tx, id, item, now).await.map_err(StoreError::query(WRITING))?;
        }
        let count: i64 =
            sqlx::query_scalar("SELECT COUNT(*) FROM member_album_items WHERE site_id = $1 AND album_id = $2")
                .bind(self.site)
                .bind(id)
                .fetch_one(&mut *tx)
                .await
                .map_err(StoreError::query(WRITING))?;
        if count > most {
            return Ok(Saving::Full);
        }
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(Saving::Saved(()))
    }

    async fn add_item(
        &self,
        tx: &mut Transaction<'_, Any>,
        album: i64,
        listed: &ListedItem,
        now: i64,
    ) -> Result<(), sqlx::Error> {
        sqlx::query(
            "INSERT INTO member_album_items (site_id, album_id, item_type, item_id, title, address, words, added) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (site_id, album_id, item_type, item_id) DO NOTHING",
        )
        .bind(self.site)
        .bind(album)
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

    /// Notes that an album is changed. Returns whether the member has it.
    async fn touch_album(&self, tx: &mut Transaction<'_, Any>, id: i64, now: i64) -> Result<bool, sqlx::Error> {
        let done =
            sqlx::query("UPDATE member_albums SET changed = $4 WHERE site_id = $1 AND member_id = $2 AND id = $3")
                .bind(self.site)
                .bind(self.member)
                .bind(id)
                .bind(now)
                .execute(&mut **tx)
                .await?;
        Ok(changed(&done))
    }

    /// Removes items from an album. Returns how many it had of these; none if the member has no such album.
    ///
    /// # Errors
    /// [`StoreError::Query`], [`StoreError::MemberGone`].
    pub async fn remove_from_album(&self, id: i64, items: &[ItemRef], now: i64) -> Result<u64, StoreError> {
        let mut tx = self.begin(WRITING).await?;
        if !self.touch_album(&mut tx, id, now).await.map_err(StoreError::query(WRITING))? {
            return Ok(0);
        }
        let mut removed = 0;
        for item in items {
            let done = sqlx::query(
                "DELETE FROM member_album_items WHERE site_id = $1 AND album_id = $2 AND item_type = $3 AND item_id = $4",
            )
            .bind(self.site)
            .bind(id)
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

    /// The items of an album, latest first; none if the member has no such album.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn album_items(
        &self,
        id: i64,
        filter: ItemFilter<'_>,
        window: Window,
    ) -> Result<Listed<CollectedItem>, StoreError> {
        const ROWS: &str = "SELECT i.item_type, i.item_id, i.title, i.address, i.added FROM member_album_items i \
             JOIN member_albums a ON a.site_id = i.site_id AND a.id = i.album_id \
             WHERE i.site_id = $1 AND a.member_id = $2 AND i.album_id = $3 AND ($4 = '' OR i.item_type = $4) \
             AND i.words LIKE $5 ESCAPE '\\' ORDER BY i.added DESC, i.item_type, i.item_id LIMIT $6 OFFSET $7";
        const COUNT: &str = "SELECT COUNT(*) FROM member_album_items i \
             JOIN member_albums a ON a.site_id = i.site_id AND a.id = i.album_id \
             WHERE i.site_id = $1 AND a.member_id = $2 AND i.album_id = $3 AND ($4 = '' OR i.item_type = $4) \
             AND i.words LIKE $5 ESCAPE '\\'";
        let (kind, pattern) = (filter.kind.map_or("", ItemType::as_str), pattern(filter.keyword));
        let rows = sqlx::query(ROWS)
            .bind(self.site)
            .bind(self.member)
            .bind(id)
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
            .bind(id)
            .bind(kind)
            .bind(&pattern)
            .fetch_one(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        Ok(Listed { entries: collected(&rows).map_err(StoreError::query(READING))?, total })
    }
}
