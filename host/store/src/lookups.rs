//! Lookups of many resources and articles at once, in a number of queries that does not grow with the length of a list.

use std::{collections::HashMap, fmt::Write as _};

use masthead_domain::{
    ArticleId, Doi,
    resource::{ResourceKind, Stored},
};
use sqlx::{Any, Transaction};

use crate::{KEYS, LIST, ResourceCursor, SiteStore, StoreError, StoredResource, edits, places, resources::read};

const READING: &str = "looking up resources";

/// Reads pairs of a text and a number by a list of texts; `select` ends with `IN`.
pub(crate) async fn pairs(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    select: &'static str,
    texts: &[&str],
) -> Result<Vec<(String, i64)>, sqlx::Error> {
    let mut found = Vec::new();
    for some in texts.chunks(LIST) {
        let sql = format!("{select} ({})", places(2, some.len()));
        let mut query = sqlx::query_as::<_, (String, i64)>(sqlx::AssertSqlSafe(sql)).bind(site);
        for text in some {
            query = query.bind(*text);
        }
        found.extend(query.fetch_all(&mut **tx).await?);
    }
    Ok(found)
}

/// The resources with which lists of one kind begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FirstResources {
    /// The number of the first of all.
    pub first: Option<i64>,
    /// The numbers of the first of each section that has any.
    pub by_section: HashMap<String, i64>,
}

impl FirstResources {
    /// The first resource of a section, or of all if the section has none.
    #[must_use]
    pub fn of(&self, section: &str) -> Option<i64> {
        self.by_section.get(section).copied().or(self.first)
    }
}

impl SiteStore {
    /// The resources of a kind with these keys, by key; unknown keys and keys of other sites are left out.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn resources_by_keys<T: StoredResource>(
        &self,
        keys: &[&str],
    ) -> Result<HashMap<String, Stored<T>>, StoreError> {
        let mut found = HashMap::with_capacity(keys.len());
        for some in keys.chunks(KEYS) {
            let sql = format!(
                "SELECT id, data FROM resources WHERE site_id = $1 AND kind = $2 AND entry IN ({})",
                places(3, some.len())
            );
            let mut query =
                sqlx::query_as::<_, (i64, String)>(sqlx::AssertSqlSafe(sql)).bind(self.site).bind(T::KIND.as_str());
            for key in some {
                query = query.bind(*key);
            }
            for row in query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))? {
                let stored: Stored<T> = read(row)?;
                found.insert(stored.value.list_keys().key.to_owned(), stored);
            }
        }
        Ok(found)
    }

    /// The resources of a kind that belong to these articles, by article and number, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn resources_of_articles<T: StoredResource>(
        &self,
        articles: &[i64],
        limit: usize,
    ) -> Result<Vec<Stored<T>>, StoreError> {
        let mut found = Vec::new();
        for some in articles.chunks(LIST) {
            let left = limit.saturating_sub(found.len());
            if left == 0 {
                break;
            }
            let sql = format!(
                "SELECT id, data FROM resources WHERE site_id = $1 AND kind = $2 AND article_id IN ({}) \
                 ORDER BY article_id, id LIMIT {left}",
                places(3, some.len())
            );
            let mut query =
                sqlx::query_as::<_, (i64, String)>(sqlx::AssertSqlSafe(sql)).bind(self.site).bind(T::KIND.as_str());
            for article in some {
                query = query.bind(*article);
            }
            for row in query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))? {
                found.push(read(row)?);
            }
        }
        Ok(found)
    }

    /// The numbers of the articles with these DOIs, present or earlier ones, or source keys, by the text that named each.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn article_ids_by_names(&self, names: &[&str]) -> Result<HashMap<String, ArticleId>, StoreError> {
        let mut found = HashMap::with_capacity(names.len());
        for some in names.chunks(LIST) {
            // The source key of an article may be its DOI, so that DOIs are looked up first and source keys only for the
            // remaining names.
            let dois: Vec<(String, &str)> =
                some.iter().filter_map(|name| Some((Doi::parse(name).ok()?.key(), *name))).collect();
            let by_doi = self.ids("doi_key", dois.iter().map(|(key, _)| key.as_str())).await?;
            for (key, name) in &dois {
                if let Some(id) = by_doi.get(key) {
                    found.insert((*name).to_owned(), *id);
                }
            }
            let rest: Vec<&str> = some.iter().copied().filter(|name| !found.contains_key(*name)).collect();
            found.extend(self.ids("source_key", rest.into_iter()).await?);
            let missing: Vec<_> = dois.iter().filter(|(_, name)| !found.contains_key(*name)).collect();
            if !missing.is_empty() {
                found.extend(self.ids_by_earlier_dois(&missing).await?);
            }
        }
        Ok(found)
    }

    /// The numbers of present articles by the names with the DOIs that they had before an editor changed them.
    async fn ids_by_earlier_dois(&self, names: &[&(String, &str)]) -> Result<HashMap<String, ArticleId>, StoreError> {
        let earlier = edits::earlier_dois(&self.pool, self.site).await.map_err(StoreError::query(READING))?;
        let named: Vec<(&str, ArticleId)> =
            names.iter().filter_map(|(key, name)| Some((*name, ArticleId(*earlier.get(key)?)))).collect();
        let ids: Vec<ArticleId> = named.iter().map(|(_, id)| *id).collect();
        let present = self.metas(&ids).await?;
        let present = named.into_iter().filter(|(_, id)| present.contains_key(id));
        Ok(present.map(|(name, id)| (name.to_owned(), id)).collect())
    }

    /// The numbers of articles by the values of a column.
    async fn ids(
        &self,
        column: &'static str,
        values: impl Iterator<Item = &str> + Clone,
    ) -> Result<HashMap<String, ArticleId>, StoreError> {
        let count = values.clone().count();
        if count == 0 {
            return Ok(HashMap::new());
        }
        let sql =
            format!("SELECT {column}, id FROM articles WHERE site_id = $1 AND {column} IN ({})", places(2, count));
        let mut query = sqlx::query_as::<_, (String, i64)>(sqlx::AssertSqlSafe(sql)).bind(self.site);
        for value in values {
            query = query.bind(value);
        }
        let rows = query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?;
        Ok(rows.into_iter().map(|(value, id)| (value, ArticleId(id))).collect())
    }

    /// The first resource of a kind and of some of its sections, in the order of lists. It is one query, of at most 200 sections.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn first_resources(&self, kind: ResourceKind, sections: &[&str]) -> Result<FirstResources, StoreError> {
        const ORDER: &str = "ORDER BY position, dated DESC, id DESC LIMIT 1";
        const OF_KIND: &str = "SELECT id FROM resources WHERE site_id = $1 AND kind = $2";
        let sections = &sections[..sections.len().min(LIST)];
        let mut sql = format!("SELECT CAST(0 AS BIGINT) AS place, id FROM ({OF_KIND} {ORDER}) AS of_all");
        for place in 1..=sections.len() {
            let _ = write!(
                sql,
                " UNION ALL SELECT CAST({place} AS BIGINT) AS place, id FROM ({OF_KIND} AND section = ${} {ORDER}) AS of_{place}",
                place + 2
            );
        }
        let mut query = sqlx::query_as::<_, (i64, i64)>(sqlx::AssertSqlSafe(sql)).bind(self.site).bind(kind.as_str());
        for section in sections {
            query = query.bind(*section);
        }
        let rows = query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?;
        let mut found = FirstResources::default();
        for (place, id) in rows {
            let section = usize::try_from(place).ok().and_then(|place| sections.get(place.checked_sub(1)?));
            match section {
                Some(section) => _ = found.by_section.insert((*section).to_owned(), id),
                None => found.first = Some(id),
            }
        }
        Ok(found)
    }

    /// The cursor behind the first `count` resources of a list, or `None` if the list is shorter. It reads no values.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn resource_cursor_at<T: StoredResource>(
        &self,
        section: &str,
        count: i64,
    ) -> Result<Option<ResourceCursor>, StoreError> {
        let row: Option<(i64, String, i64)> = sqlx::query_as(
            "SELECT position, dated, id FROM resources WHERE site_id = $1 AND kind = $2 AND ($3 = '' OR section = $3) \
             ORDER BY position, dated DESC, id DESC LIMIT 1 OFFSET $4",
        )
        .bind(self.site)
        .bind(T::KIND.as_str())
        .bind(section)
        .bind((count - 1).max(0))
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        Ok(row.map(|(position, dated, id)| ResourceCursor { position, dated, id }))
    }
}
