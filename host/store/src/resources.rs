//! Resources of all kinds: written, read by number or key, listed.

use std::{collections::HashMap, fmt};

use masthead_domain::{
    ArticleId,
    access::ArticleAccess,
    resource::{ListKeys, ResourceKind, Stored},
};
use sqlx::{Any, Executor, Transaction};

use crate::{
    ChangeAction, ChangeKind, KEYS, Saved, SiteStore, StoreError, StoredResource, begin_change, edits, encode, log,
    media_uses, next, places, subjects,
};

const READING: &str = "reading a resource";
const WRITING: &str = "storing a resource";

/// A place in a list of resources; the next page begins behind it. Its text form is part of addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceCursor {
    pub(crate) position: i64,
    pub(crate) dated: String,
    pub(crate) id: i64,
}

impl ResourceCursor {
    /// The cursor behind a resource.
    #[must_use]
    pub fn behind<T: StoredResource>(stored: &Stored<T>) -> Self {
        let keys = stored.value.list_keys();
        Self { position: keys.position, dated: keys.date.to_owned(), id: stored.id }
    }

    /// Reads the text form; `None` if the text is no cursor.
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
    /// Whether that article is open access.
    pub open_access: bool,
    /// When it was last changed, in milliseconds since 1970: a figure or table changes with its article. 0 if that is not known.
    pub changed_ms: i64,
    /// The value's stored form; [`crate::StoredForm::decode`] reads it.
    pub data: String,
}

/// A row as it is read: number, kind, article, whether that is open access, time of the last change, stored form.
pub(crate) type RawResourceRow = (i64, String, i64, i64, i64, String);

/// The columns of a [`RawResourceRow`] of the resource `r` and its article `a`. In the stored form of a card, a quotation mark of a text is escaped,
/// so that only the field itself is found.
pub(crate) const ROW: &str = "r.id, r.kind, r.article_id, \
     CASE WHEN a.card LIKE '%\"openAccess\":true%' THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END AS open_access, \
     CASE WHEN r.changed > 0 THEN r.changed ELSE COALESCE(a.changed, CAST(0 AS BIGINT)) END AS changed, r.data";
/// The resources `r` of all sites, each with its article `a` if it has one. The condition for the site has to follow.
pub(crate) const WITH_ARTICLES: &str =
    "FROM resources AS r LEFT JOIN articles AS a ON a.site_id = r.site_id AND a.id = r.article_id";

impl ResourceRow {
    /// What the decision about reading depends on of the article that it belongs to.
    #[must_use]
    pub const fn article_access(&self) -> ArticleAccess {
        ArticleAccess { article: ArticleId(self.article), open_access: self.open_access }
    }

    /// The resource of a row; `None` for one of a kind that this version does not know.
    pub(crate) fn of((id, kind, article, open_access, changed_ms, data): RawResourceRow) -> Option<Self> {
        let kind = ResourceKind::parse(&kind)?;
        Some(Self { id, kind, article, open_access: open_access == 1, changed_ms, data })
    }
}

impl SiteStore {
    /// Adds or replaces a resource by its kind and key; an equal one is not written.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is stored then.
    pub async fn save_resource<T: StoredResource>(&self, value: &T) -> Result<Saved<i64>, StoreError> {
        Ok(self.put_resource(value, false).await?.0)
    }

    /// Adds or replaces a resource. With `keep_edits`, the fields that were edited by hand keep their values; the paths of those that
    /// differed are returned.
    pub(crate) async fn put_resource<T: StoredResource>(
        &self,
        value: &T,
        keep_edits: bool,
    ) -> Result<(Saved<i64>, Vec<String>), StoreError> {
        let subject = subjects::resource(T::KIND, value.list_keys().key);
        let edited = if keep_edits { self.edits(&subject).await? } else { Vec::new() };
        let (whole, kept) = edits::applied(value, &edited)?;
        let known =
            by_key(&self.pool, self.site, T::KIND, value.list_keys().key).await.map_err(StoreError::query(READING))?;
        if let Some((id, known)) = known
            && known == encode(&whole)?
        {
            return Ok((Saved::Unchanged(id), kept));
        }
        let (mut tx, seq) = begin_change(&self.pool).await.map_err(StoreError::query(WRITING))?;
        // Somebody may have edited the resource since.
        let edited = if keep_edits { edits::of(&mut *tx, self.site, &subject).await? } else { Vec::new() };
        let (whole, kept) = edits::applied(value, &edited)?;
        let put = self.put_in(&mut tx, seq, &whole).await?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok((put, kept))
    }

    /// Writes a resource with its files and its line of the change log, in a transaction that has taken the number `seq`.
    pub(crate) async fn put_in<T: StoredResource>(
        &self,
        tx: &mut Transaction<'_, Any>,
        seq: i64,
        value: &T,
    ) -> Result<Saved<i64>, StoreError> {
        let data = encode(value)?;
        let now = (self.clock)();
        let keys = value.list_keys();
        let put = write(tx, self.site, T::KIND, &keys, &data, now).await.map_err(StoreError::query(WRITING))?;
        if let Some(used_by) = media_uses::resource(T::KIND, put.id()) {
            media_uses::replace(tx, self.site, used_by, &data, now).await.map_err(StoreError::query(WRITING))?;
        }
        let action = ChangeAction::write(matches!(put, Saved::Updated(_)));
        log(tx, self.site, seq, ChangeKind::Resource, action, &entity(T::KIND, put.id()))
            .await
            .map_err(StoreError::query(WRITING))?;
        Ok(put)
    }

    /// Removes a resource; returns whether it was present.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn remove_resource(&self, kind: ResourceKind, id: i64) -> Result<bool, StoreError> {
        let (mut tx, seq) = begin_change(&self.pool).await.map_err(StoreError::query(WRITING))?;
        if !self.delete_in(&mut tx, seq, kind, id).await.map_err(StoreError::query(WRITING))? {
            return Ok(false);
        }
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(true)
    }

    /// Removes a resource in a transaction that has taken the number `seq`; returns whether it was present.
    pub(crate) async fn delete_in(
        &self,
        tx: &mut Transaction<'_, Any>,
        seq: i64,
        kind: ResourceKind,
        id: i64,
    ) -> Result<bool, sqlx::Error> {
        let key: Option<String> =
            sqlx::query_scalar("SELECT entry FROM resources WHERE site_id = $1 AND kind = $2 AND id = $3")
                .bind(self.site)
                .bind(kind.as_str())
                .bind(id)
                .fetch_optional(&mut **tx)
                .await?;
        let Some(key) = key else { return Ok(false) };
        sqlx::query("DELETE FROM resources WHERE site_id = $1 AND kind = $2 AND id = $3")
            .bind(self.site)
            .bind(kind.as_str())
            .bind(id)
            .execute(&mut **tx)
            .await?;
        if let Some(used_by) = media_uses::resource(kind, id) {
            media_uses::end(tx, self.site, &[used_by], (self.clock)()).await?;
        }
        edits::forget(tx, self.site, &subjects::resource(kind, &key)).await?;
        log(tx, self.site, seq, ChangeKind::Resource, ChangeAction::Removed, &entity(kind, id)).await?;
        Ok(true)
    }

    /// The resource with this number, if it is this site's and of this kind.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn resource<T: StoredResource>(&self, id: i64) -> Result<Option<Stored<T>>, StoreError> {
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
    pub async fn resource_by_key<T: StoredResource>(&self, key: &str) -> Result<Option<Stored<T>>, StoreError> {
        // No key has a zero byte, and PostgreSQL refuses to look for one.
        if key.contains('\0') {
            return Ok(None);
        }
        let row = by_key(&self.pool, self.site, T::KIND, key).await.map_err(StoreError::query(READING))?;
        row.map(read).transpose()
    }

    /// A list of at most `limit` resources: by the order that editors set, then newest first. `section` "" lists all sections; with `after`
    /// the list begins behind that place.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn resources<T: StoredResource>(
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
    pub async fn resources_of_article<T: StoredResource>(&self, article: i64) -> Result<Vec<Stored<T>>, StoreError> {
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

    /// The number of resources of a kind; `section` "" counts all sections.
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
        .map_err(StoreError::query("counting resources"))
    }

    /// The resource of a change ([`ChangeKind::Resource`]), if it is still present.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn resource_row(&self, entity: &str) -> Result<Option<ResourceRow>, StoreError> {
        let Some((kind, id)) = changed_resource(entity) else { return Ok(None) };
        let sql = format!("SELECT {ROW} {WITH_ARTICLES} WHERE r.site_id = $1 AND r.kind = $2 AND r.id = $3");
        let row: Option<RawResourceRow> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(self.site)
            .bind(kind.as_str())
            .bind(id)
            .fetch_optional(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        Ok(row.and_then(ResourceRow::of))
    }

    /// The resources with these numbers, by number; unknown numbers and numbers of other sites are left out.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn resource_rows_by_id(&self, ids: &[i64]) -> Result<HashMap<i64, ResourceRow>, StoreError> {
        let mut found = HashMap::with_capacity(ids.len());
        for some in ids.chunks(KEYS) {
            let ids = places(2, some.len());
            let sql = format!("SELECT {ROW} {WITH_ARTICLES} WHERE r.site_id = $1 AND r.id IN ({ids})");
            let mut query = sqlx::query_as::<_, RawResourceRow>(sqlx::AssertSqlSafe(sql)).bind(self.site);
            for id in some {
                query = query.bind(*id);
            }
            let rows = query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?;
            found.extend(rows.into_iter().filter_map(ResourceRow::of).map(|row| (row.id, row)));
        }
        Ok(found)
    }

    /// Resources of all kinds behind number `after`, in the order of their numbers, at most `limit`; those of
    /// the article with number `article`, or with 0 those that belong to no article.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn resource_rows(&self, article: i64, after: i64, limit: i64) -> Result<Vec<ResourceRow>, StoreError> {
        // Unknown kinds, which a newer version wrote, are filtered in the query: filtered afterwards, a page of them would look
        // like the end.
        let sql = format!(
            "SELECT {ROW} {WITH_ARTICLES} WHERE r.site_id = $1 AND r.article_id = $2 AND r.id > $3 AND r.kind IN ({}) \
             ORDER BY r.id LIMIT $4",
            places(5, ResourceKind::ALL.len())
        );
        let mut query = sqlx::query_as::<_, RawResourceRow>(sqlx::AssertSqlSafe(sql))
            .bind(self.site)
            .bind(article)
            .bind(after)
            .bind(limit);
        for kind in ResourceKind::ALL {
            query = query.bind(kind.as_str());
        }
        let rows = query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?;
        Ok(rows.into_iter().filter_map(ResourceRow::of).collect())
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

pub(crate) fn read<T: StoredResource>((id, data): (i64, String)) -> Result<Stored<T>, StoreError> {
    let value = T::decode(&data).map_err(StoreError::damaged("a resource"))?;
    Ok(Stored { id, value })
}

/// The number and the stored form of the resource with this key.
pub(crate) async fn by_key<'c>(
    executor: impl Executor<'c, Database = Any>,
    site: i64,
    kind: ResourceKind,
    key: &str,
) -> Result<Option<(i64, String)>, sqlx::Error> {
    sqlx::query_as("SELECT id, data FROM resources WHERE site_id = $1 AND kind = $2 AND entry = $3")
        .bind(site)
        .bind(kind.as_str())
        .bind(key)
        .fetch_optional(executor)
        .await
}

/// Writes a resource in a transaction that has taken its number of the change log.
async fn write(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    kind: ResourceKind,
    keys: &ListKeys<'_>,
    data: &str,
    now: i64,
) -> Result<Saved<i64>, sqlx::Error> {
    let known: Option<i64> =
        sqlx::query_scalar("SELECT id FROM resources WHERE site_id = $1 AND kind = $2 AND entry = $3")
            .bind(site)
            .bind(kind.as_str())
            .bind(keys.key)
            .fetch_optional(&mut **tx)
            .await?;
    let id = match known {
        Some(id) => id,
        None => next(tx, "resources").await?,
    };
    sqlx::query(
        "INSERT INTO resources (id, site_id, kind, entry, section, article_id, position, dated, data, changed) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) \
         ON CONFLICT (site_id, kind, entry) DO UPDATE SET section = excluded.section, article_id = excluded.article_id, \
         position = excluded.position, dated = excluded.dated, data = excluded.data, changed = excluded.changed",
    )
    .bind(id)
    .bind(site)
    .bind(kind.as_str())
    .bind(keys.key)
    .bind(keys.section)
    .bind(keys.article)
    .bind(keys.position)
    .bind(keys.date)
    .bind(data)
    .bind(now)
    .execute(&mut **tx)
    .await?;
    Ok(if known.is_some() { Saved::Updated(id) } else { Saved::Created(id) })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn cursors_are_read_back_as_written() {
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
