//! Everything that a site publishes besides articles and journals, by kind.

use std::fmt;

use masthead_domain::resource::{Place, Resource, ResourceKind, Stored};
use sqlx::{Any, Transaction};

use crate::{ChangeAction, ChangeKind, SiteStore, StoreError, articles::json, log, next};

const READING: &str = "reading what a site publishes";
const WRITING: &str = "storing what a site publishes";

/// What storing a resource did; each with its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filed {
    /// It is new.
    Added(i64),
    /// It was there and differs: replaced, under the same number.
    Replaced(i64),
    /// It was there and is the same: nothing was written.
    Same(i64),
}

impl Filed {
    /// The resource's number.
    #[must_use]
    pub const fn id(self) -> i64 {
        match self {
            Self::Added(id) | Self::Replaced(id) | Self::Same(id) => id,
        }
    }
}

/// Where a list goes on: behind this row. Its text form stands in addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceCursor {
    pub(crate) position: i64,
    pub(crate) dated: String,
    pub(crate) id: i64,
}

impl ResourceCursor {
    /// The place behind a resource.
    #[must_use]
    pub fn behind<T: Resource>(stored: &Stored<T>) -> Self {
        let place = stored.value.place();
        Self { position: place.position, dated: place.date.to_owned(), id: stored.id }
    }

    /// Reads the text form; `None` for what is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '~');
        let (position, id, dated) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Self { position: position.parse().ok()?, dated: dated.to_owned(), id: id.parse().ok()? })
    }
}

impl fmt::Display for ResourceCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}~{}~{}", self.position, self.id, self.dated)
    }
}

/// A resource whose kind is known at run time only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceRow {
    /// Its number.
    pub id: i64,
    /// Its kind.
    pub kind: ResourceKind,
    /// The article that it belongs to, or 0.
    pub article: i64,
    /// The value as JSON.
    pub data: String,
}

impl SiteStore {
    /// Adds or replaces a resource by its kind and key; an equal one is left alone.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is stored then.
    pub async fn put_resource<T: Resource>(&self, value: &T) -> Result<Filed, StoreError> {
        let data = json(value)?;
        let place = value.place();
        let known: Option<(i64, String)> =
            sqlx::query_as("SELECT id, data FROM resources WHERE site_id = $1 AND kind = $2 AND entry = $3")
                .bind(self.site)
                .bind(T::KIND.as_str())
                .bind(place.key)
                .fetch_optional(&self.pool)
                .await
                .map_err(StoreError::query(READING))?;
        if let Some((id, known)) = known
            && known == data
        {
            return Ok(Filed::Same(id));
        }
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        let seq = next(&mut tx, "changes").await.map_err(StoreError::query(WRITING))?;
        let put = write(&mut tx, self.site, T::KIND, &place, &data).await.map_err(StoreError::query(WRITING))?;
        let action = ChangeAction::write(matches!(put, Filed::Replaced(_)));
        log(&mut tx, self.site, seq, ChangeKind::Resource, action, &entity(T::KIND, put.id()))
            .await
            .map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(put)
    }

    /// Takes a resource away; says whether it was there.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn remove_resource(&self, kind: ResourceKind, id: i64) -> Result<bool, StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        let seq = next(&mut tx, "changes").await.map_err(StoreError::query(WRITING))?;
        let gone = sqlx::query("DELETE FROM resources WHERE site_id = $1 AND kind = $2 AND id = $3")
            .bind(self.site)
            .bind(kind.as_str())
            .bind(id)
            .execute(&mut *tx)
            .await
            .map_err(StoreError::query(WRITING))?
            .rows_affected();
        if gone == 0 {
            return Ok(false);
        }
        log(&mut tx, self.site, seq, ChangeKind::Resource, ChangeAction::Removed, &entity(kind, id))
            .await
            .map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(true)
    }

    /// The resource with this number, if it is this site's and of this kind.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn resource<T: Resource>(&self, id: i64) -> Result<Option<Stored<T>>, StoreError> {
        let row: Option<(i64, String)> =
            sqlx::query_as("SELECT id, data FROM resources WHERE site_id = $1 AND kind = $2 AND id = $3")
                .bind(self.site)
                .bind(T::KIND.as_str())
                .bind(id)
                .fetch_optional(&self.pool)
                .await
                .map_err(StoreError::query(READING))?;
        row.map(read).transpose()
    }

    /// The resource with this key, if this site has it.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn resource_by_key<T: Resource>(&self, key: &str) -> Result<Option<Stored<T>>, StoreError> {
        let row: Option<(i64, String)> =
            sqlx::query_as("SELECT id, data FROM resources WHERE site_id = $1 AND kind = $2 AND entry = $3")
                .bind(self.site)
                .bind(T::KIND.as_str())
                .bind(key)
                .fetch_optional(&self.pool)
                .await
                .map_err(StoreError::query(READING))?;
        row.map(read).transpose()
    }

    /// A list in the order of hand, then newest first, at most `limit`. `section` "" is every section; `after` goes on
    /// behind a row.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn resources<T: Resource>(
        &self,
        section: &str,
        after: Option<&ResourceCursor>,
        limit: i64,
    ) -> Result<Vec<Stored<T>>, StoreError> {
        const ALL: &str = "SELECT id, data FROM resources WHERE site_id = $1 AND kind = $2 AND $3 = '' \
             AND (position > $4 OR (position = $4 AND (dated < $5 OR (dated = $5 AND id < $6)))) \
             ORDER BY position, dated DESC, id DESC LIMIT $7";
        const SECTION: &str = "SELECT id, data FROM resources WHERE site_id = $1 AND kind = $2 AND section = $3 \
             AND (position > $4 OR (position = $4 AND (dated < $5 OR (dated = $5 AND id < $6)))) \
             ORDER BY position, dated DESC, id DESC LIMIT $7";
        let (position, dated, id) =
            after.map_or((i64::MIN, "", 0), |cursor| (cursor.position, cursor.dated.as_str(), cursor.id));
        let rows: Vec<(i64, String)> = sqlx::query_as(if section.is_empty() { ALL } else { SECTION })
            .bind(self.site)
            .bind(T::KIND.as_str())
            .bind(section)
            .bind(position)
            .bind(dated)
            .bind(id)
            .bind(limit)
            .fetch_all(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        rows.into_iter().map(read).collect()
    }

    /// The resources of one kind that belong to an article, in the order in which they were stored.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn resources_of_article<T: Resource>(&self, article: i64) -> Result<Vec<Stored<T>>, StoreError> {
        let rows: Vec<(i64, String)> = sqlx::query_as(
            "SELECT id, data FROM resources WHERE site_id = $1 AND article_id = $2 AND kind = $3 ORDER BY id",
        )
        .bind(self.site)
        .bind(article)
        .bind(T::KIND.as_str())
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        rows.into_iter().map(read).collect()
    }

    /// How many there are of a kind; `section` "" counts every section.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn resource_count(&self, kind: ResourceKind, section: &str) -> Result<i64, StoreError> {
        sqlx::query_scalar(
            "SELECT COUNT(*) FROM resources WHERE site_id = $1 AND kind = $2 AND ($3 = '' OR section = $3)",
        )
        .bind(self.site)
        .bind(kind.as_str())
        .bind(section)
        .fetch_one(&self.pool)
        .await
        .map_err(StoreError::query("counting what a site publishes"))
    }

    /// The resource of a change ([`ChangeKind::Resource`]), if it is still there.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn resource_row(&self, entity: &str) -> Result<Option<ResourceRow>, StoreError> {
        let Some((kind, id)) = changed_resource(entity) else { return Ok(None) };
        let row: Option<(i64, String)> =
            sqlx::query_as("SELECT article_id, data FROM resources WHERE site_id = $1 AND kind = $2 AND id = $3")
                .bind(self.site)
                .bind(kind.as_str())
                .bind(id)
                .fetch_optional(&self.pool)
                .await
                .map_err(StoreError::query(READING))?;
        Ok(row.map(|(article, data)| ResourceRow { id, kind, article, data }))
    }

    /// Resources of all kinds behind number `after`, in the order of their numbers, at most `limit`; those of an article
    /// with `article`, else those that belong to none.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn resource_rows(&self, article: i64, after: i64, limit: i64) -> Result<Vec<ResourceRow>, StoreError> {
        let rows: Vec<(i64, String, String)> = sqlx::query_as(
            "SELECT id, kind, data FROM resources WHERE site_id = $1 AND article_id = $2 AND id > $3 ORDER BY id LIMIT $4",
        )
        .bind(self.site)
        .bind(article)
        .bind(after)
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        let row = |(id, kind, data): (i64, String, String)| {
            // A kind that a newer version wrote is none of ours.
            ResourceKind::parse(&kind).map(|kind| ResourceRow { id, kind, article, data })
        };
        Ok(rows.into_iter().filter_map(row).collect())
    }
}

/// Kind and number of a changed resource.
#[must_use]
pub fn changed_resource(entity: &str) -> Option<(ResourceKind, i64)> {
    let (kind, id) = entity.split_once('/')?;
    Some((ResourceKind::parse(kind)?, id.parse().ok()?))
}

fn entity(kind: ResourceKind, id: i64) -> String {
    format!("{}/{id}", kind.as_str())
}

pub(crate) fn read<T: Resource>((id, data): (i64, String)) -> Result<Stored<T>, StoreError> {
    let value = serde_json::from_str(&data).map_err(StoreError::damaged("what a site publishes"))?;
    Ok(Stored { id, value })
}

/// Writes a resource in a transaction that has taken its number of the change log.
pub(crate) async fn write(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    kind: ResourceKind,
    place: &Place<'_>,
    data: &str,
) -> Result<Filed, sqlx::Error> {
    let known: Option<i64> =
        sqlx::query_scalar("SELECT id FROM resources WHERE site_id = $1 AND kind = $2 AND entry = $3")
            .bind(site)
            .bind(kind.as_str())
            .bind(place.key)
            .fetch_optional(&mut **tx)
            .await?;
    let id = match known {
        Some(id) => id,
        None => next(tx, "resources").await?,
    };
    sqlx::query(
        "INSERT INTO resources (id, site_id, kind, entry, section, article_id, position, dated, data) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
         ON CONFLICT (site_id, kind, entry) DO UPDATE SET section = excluded.section, \
         article_id = excluded.article_id, position = excluded.position, dated = excluded.dated, data = excluded.data",
    )
    .bind(id)
    .bind(site)
    .bind(kind.as_str())
    .bind(place.key)
    .bind(place.section)
    .bind(place.article)
    .bind(place.position)
    .bind(place.date)
    .bind(data)
    .execute(&mut **tx)
    .await?;
    Ok(if known.is_some() { Filed::Replaced(id) } else { Filed::Added(id) })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_cursor_reads_as_it_was_written() {
        let cursor = ResourceCursor { position: -3, dated: "2026-01-02".into(), id: 17 };
        assert_eq!(ResourceCursor::parse(&cursor.to_string()), Some(cursor));
        for text in ["", "1", "1~2", "x~1~2026", "1~y~2026"] {
            assert_eq!(ResourceCursor::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_change_names_its_resource() {
        assert_eq!(changed_resource(&entity(ResourceKind::Book, 5)), Some((ResourceKind::Book, 5)));
        assert_eq!(changed_resource("novel/5"), None);
    }
}
