//! What composed pages, tabs and sitemaps show of resources: the items that a page names, the sizes of sections, and numbers; each in one query.

use masthead_domain::{Doi, card::ArticleCard, resource::ResourceKind};

use crate::{
    LIST, ResourceRow, SiteStore, StoreError, StoredForm as _, places,
    resources::{ROW, RawResourceRow, WITH_ARTICLES},
};

const READING: &str = "reading a list of resources";
/// Names that one query looks up: each takes two of its values.
const NAMES: usize = LIST / 2;

impl SiteStore {
    /// The sections of a kind with the number of resources in each, by name.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn section_counts(&self, kind: ResourceKind) -> Result<Vec<(String, i64)>, StoreError> {
        sqlx::query_as(
            "SELECT section, COUNT(*) FROM resources WHERE site_id = $1 AND kind = $2 GROUP BY section ORDER BY section",
        )
        .bind(self.site)
        .bind(kind.as_str())
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query("counting the sections of a list"))
    }

    /// Those of these kinds that the site has resources of, each with its sections that have some.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn present_sections(&self, kinds: &[ResourceKind]) -> Result<Vec<(ResourceKind, String)>, StoreError> {
        if kinds.is_empty() {
            return Ok(Vec::new());
        }
        let sql = format!(
            "SELECT DISTINCT kind, section FROM resources WHERE site_id = $1 AND kind IN ({}) ORDER BY kind, section",
            places(2, kinds.len())
        );
        let mut query = sqlx::query_as::<_, (String, String)>(sqlx::AssertSqlSafe(sql)).bind(self.site);
        for kind in kinds {
            query = query.bind(kind.as_str());
        }
        let rows = query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?;
        Ok(rows.into_iter().filter_map(|(kind, section)| Some((ResourceKind::parse(&kind)?, section))).collect())
    }

    /// The ranges of `size` numbers that hold resources of these kinds: range 0 is 1 to `size`.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn resource_ranges(&self, kinds: &[ResourceKind], size: i64) -> Result<Vec<i64>, StoreError> {
        if kinds.is_empty() {
            return Ok(Vec::new());
        }
        let sql = format!(
            "SELECT DISTINCT (id - 1) / $2 AS part FROM resources WHERE site_id = $1 AND kind IN ({}) ORDER BY part",
            places(3, kinds.len())
        );
        let mut query = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(self.site).bind(size.max(1));
        for kind in kinds {
            query = query.bind(kind.as_str());
        }
        query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))
    }

    /// Kinds and numbers of the resources of these kinds with a number behind `after`, at most `last`, in the order of their numbers.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn resource_numbers(
        &self,
        kinds: &[ResourceKind],
        after: i64,
        last: i64,
    ) -> Result<Vec<(ResourceKind, i64)>, StoreError> {
        if kinds.is_empty() {
            return Ok(Vec::new());
        }
        let sql = format!(
            "SELECT kind, id FROM resources WHERE site_id = $1 AND id > $2 AND id <= $3 AND kind IN ({}) ORDER BY id",
            places(4, kinds.len())
        );
        let mut query =
            sqlx::query_as::<_, (String, i64)>(sqlx::AssertSqlSafe(sql)).bind(self.site).bind(after).bind(last);
        for kind in kinds {
            query = query.bind(kind.as_str());
        }
        let rows = query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?;
        Ok(rows.into_iter().filter_map(|(kind, id)| Some((ResourceKind::parse(&kind)?, id))).collect())
    }

    /// The resources with these kinds and keys, in no order; unknown ones and those of other sites are left out. At most 100 names count.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn resources_by_names(&self, names: &[(ResourceKind, &str)]) -> Result<Vec<ResourceRow>, StoreError> {
        let names = &names[..names.len().min(NAMES)];
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let one = |at: usize| format!("(r.kind = ${} AND r.entry = ${})", 2 * at + 2, 2 * at + 3);
        let any = (0..names.len()).map(one).collect::<Vec<_>>().join(" OR ");
        let sql = format!("SELECT {ROW} {WITH_ARTICLES} WHERE r.site_id = $1 AND ({any})");
        let mut query = sqlx::query_as::<_, RawResourceRow>(sqlx::AssertSqlSafe(sql)).bind(self.site);
        for (kind, key) in names {
            query = query.bind(kind.as_str()).bind(*key);
        }
        let rows = query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?;
        Ok(rows.into_iter().filter_map(ResourceRow::of).collect())
    }

    /// The cards of the articles with these DOIs or source keys, each with the name that found it and in the order of the names, in one
    /// query. Unlike [`SiteStore::article_ids_by_names`] it does not know the DOIs that an editor has replaced. At most 100 names count.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn cards_by_names(&self, names: &[&str]) -> Result<Vec<(String, ArticleCard)>, StoreError> {
        let names = &names[..names.len().min(NAMES)];
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let keys: Vec<(String, &str)> =
            names.iter().map(|name| (Doi::parse(name).map(|doi| doi.key()).unwrap_or_default(), *name)).collect();
        let sql = format!(
            "SELECT COALESCE(doi_key, ''), source_key, card FROM articles WHERE site_id = $1 \
             AND (source_key IN ({}) OR (doi_key <> '' AND doi_key IN ({})))",
            places(2, names.len()),
            places(2 + names.len(), names.len())
        );
        let mut query = sqlx::query_as::<_, (String, String, String)>(sqlx::AssertSqlSafe(sql)).bind(self.site);
        for (_, name) in &keys {
            query = query.bind(*name);
        }
        for (doi, _) in &keys {
            query = query.bind(doi.as_str());
        }
        let rows = query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?;
        let mut found = Vec::with_capacity(names.len());
        for (doi, name) in &keys {
            let by_doi = || rows.iter().find(|(of, _, _)| !doi.is_empty() && of == doi);
            if let Some((_, _, card)) = by_doi().or_else(|| rows.iter().find(|(_, key, _)| key == name)) {
                let card = ArticleCard::decode(card).map_err(StoreError::damaged("an article's card"))?;
                found.push(((*name).to_owned(), card));
            }
        }
        Ok(found)
    }
}
