//! Resources as pages list them: a page by its number with the size of the whole list, the figures and tables of some articles, and the
//! articles that a collection names. Each is one statement, whatever the length of the list.

use std::collections::HashMap;

use masthead_domain::{
    ArticleId, Doi,
    resource::{ArticleExhibit, ResourceKind, Stored},
};

use crate::{ResourceRow, SiteStore, StoreError, StoredResource, places, resources::read};

const READING: &str = "listing resources";
/// Limit on the articles or keys that a list names; further ones are ignored.
const NAMED: usize = 500;

/// A part of a list, with the number of all its entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourcePage {
    /// The entries of this part.
    pub rows: Vec<ResourceRow>,
    /// Number of all entries of the list.
    pub total: u64,
}

/// The part of a list that a page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Number of entries before it.
    pub offset: u64,
    /// Greatest number of its entries.
    pub limit: u32,
    /// Whether the list begins at its end: with the oldest entries.
    pub reversed: bool,
}

/// An article that a list names, with the numbers of its figures and tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedArticle {
    /// The article.
    pub id: ArticleId,
    /// Number of its figures.
    pub figures: i64,
    /// Number of its tables.
    pub tables: i64,
}

/// A row of a part: the length of the list, and an entry unless the part is empty.
type Row = (i64, Option<i64>, Option<String>, Option<i64>, Option<String>);

/// The statement of a part of the list that `condition` selects: the length of the list stands on every row, and on the only one of an
/// empty part. `limit` and `offset` are the numbers of their parameters.
fn statement(condition: &str, limit: usize, offset: usize, reversed: bool) -> String {
    let (up, down) = if reversed { (" DESC", "") } else { ("", " DESC") };
    format!(
        "SELECT n.total, p.id, p.kind, p.article_id, p.data FROM (SELECT COUNT(*) AS total FROM resources WHERE {condition}) AS n \
         LEFT JOIN (SELECT id, kind, article_id, position, dated, data FROM resources WHERE {condition} \
         ORDER BY position{up}, dated{down}, id{down} LIMIT ${limit} OFFSET ${offset}) AS p ON 1 = 1 \
         ORDER BY p.position{up}, p.dated{down}, p.id{down}"
    )
}

impl ResourceRow {
    /// The resource of this row, whose kind must be that of `T`.
    ///
    /// # Errors
    /// [`StoreError`], if the row cannot be read as this kind.
    pub fn value<T: StoredResource>(&self) -> Result<T, StoreError> {
        T::decode(&self.data).map_err(StoreError::damaged("a resource"))
    }
}

fn page(rows: Vec<Row>) -> ResourcePage {
    let total = rows.first().and_then(|row| u64::try_from(row.0).ok()).unwrap_or_default();
    let entry = |(_, id, kind, article, data): Row| {
        Some(ResourceRow { id: id?, kind: ResourceKind::parse(&kind?)?, article: article?, data: data? })
    };
    ResourcePage { rows: rows.into_iter().filter_map(entry).collect(), total }
}

impl SiteStore {
    /// A part of the list of the resources of these kinds, in the order of [`SiteStore::resources`]; `section` "" lists all sections.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn resource_page(
        &self,
        kinds: &[ResourceKind],
        section: &str,
        part: Part,
    ) -> Result<ResourcePage, StoreError> {
        if kinds.is_empty() {
            return Ok(ResourcePage::default());
        }
        let of_section = if section.is_empty() { "$2 = ''" } else { "section = $2" };
        let condition = format!("site_id = $1 AND {of_section} AND kind IN ({})", places(5, kinds.len()));
        let sql = statement(&condition, 3, 4, part.reversed);
        let mut query = sqlx::query_as::<_, Row>(sqlx::AssertSqlSafe(sql))
            .bind(self.site)
            .bind(section)
            .bind(i64::from(part.limit))
            .bind(i64::try_from(part.offset).unwrap_or(i64::MAX));
        for kind in kinds {
            query = query.bind(kind.as_str());
        }
        Ok(page(query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?))
    }

    /// A part of the list of the figures or tables that belong to these articles, or have one of these keys. Articles and keys beyond 500
    /// are ignored.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn exhibit_page<T: StoredResource + ArticleExhibit>(
        &self,
        articles: &[ArticleId],
        keys: &[&str],
        part: Part,
    ) -> Result<ResourcePage, StoreError> {
        let articles = &articles[..articles.len().min(NAMED)];
        let keys = &keys[..keys.len().min(NAMED)];
        let mut wanted = Vec::new();
        if !articles.is_empty() {
            wanted.push(format!("article_id IN ({})", places(5, articles.len())));
        }
        if !keys.is_empty() {
            wanted.push(format!("entry IN ({})", places(5 + articles.len(), keys.len())));
        }
        if wanted.is_empty() {
            return Ok(ResourcePage::default());
        }
        let condition = format!("site_id = $1 AND kind = $2 AND ({})", wanted.join(" OR "));
        let sql = statement(&condition, 3, 4, part.reversed);
        let mut query = sqlx::query_as::<_, Row>(sqlx::AssertSqlSafe(sql))
            .bind(self.site)
            .bind(T::KIND.as_str())
            .bind(i64::from(part.limit))
            .bind(i64::try_from(part.offset).unwrap_or(i64::MAX));
        for article in articles {
            query = query.bind(article.0);
        }
        for key in keys {
            query = query.bind(*key);
        }
        Ok(page(query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?))
    }

    /// A figure or table with all others of the same kind in its article, in the article's order; empty if this site has none with this
    /// number.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn exhibits_beside<T: StoredResource + ArticleExhibit>(
        &self,
        id: i64,
    ) -> Result<Vec<Stored<T>>, StoreError> {
        let rows: Vec<(i64, String)> = sqlx::query_as(
            "SELECT id, data FROM resources WHERE site_id = $1 AND kind = $2 AND article_id = \
             (SELECT article_id FROM resources WHERE site_id = $1 AND kind = $2 AND id = $3) ORDER BY id",
        )
        .bind(self.site)
        .bind(T::KIND.as_str())
        .bind(id)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        rows.into_iter().map(read).collect()
    }

    /// The resource with this number, else with this key. A number has one form: others would be other addresses of the same page.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn resource_named<T: StoredResource>(&self, name: &str) -> Result<Option<Stored<T>>, StoreError> {
        // No key has a zero byte, and PostgreSQL refuses to look for one.
        if name.contains('\0') {
            return Ok(None);
        }
        // No resource has the number 0.
        let number = name.parse::<i64>().ok().filter(|number| number.to_string() == name).unwrap_or(0);
        let row: Option<(i64, String)> = sqlx::query_as(
            "SELECT id, data FROM resources WHERE site_id = $1 AND kind = $2 AND (id = $3 OR entry = $4) \
             ORDER BY CASE WHEN id = $3 THEN 0 ELSE 1 END LIMIT 1",
        )
        .bind(self.site)
        .bind(T::KIND.as_str())
        .bind(number)
        .bind(name)
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        row.map(read).transpose()
    }

    /// The articles with these DOIs or source keys, in the order of the names and each once; names beyond 500 are ignored. A DOI that an
    /// editor has changed since is found by a second look.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn named_articles(&self, names: &[&str]) -> Result<Vec<NamedArticle>, StoreError> {
        let names = &names[..names.len().min(NAMED)];
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let dois: Vec<String> =
            names.iter().map(|name| Doi::parse(name).map_or(String::new(), |doi| doi.key())).collect();
        let count = |kind: ResourceKind| {
            let kind = kind.as_str();
            format!(
                "(SELECT COUNT(*) FROM resources AS r WHERE r.site_id = a.site_id AND r.article_id = a.id AND r.kind = '{kind}')"
            )
        };
        let sql = format!(
            "SELECT a.id, a.doi_key, a.source_key, {}, {} FROM articles AS a \
             WHERE a.site_id = $1 AND (a.doi_key IN ({}) OR a.source_key IN ({}))",
            count(ResourceKind::Picture),
            count(ResourceKind::Table),
            places(2, names.len()),
            places(2 + names.len(), names.len()),
        );
        let mut query =
            sqlx::query_as::<_, (i64, Option<String>, String, i64, i64)>(sqlx::AssertSqlSafe(sql)).bind(self.site);
        for doi in &dois {
            query = query.bind(doi.as_str());
        }
        for name in names {
            query = query.bind(*name);
        }
        let rows = query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?;
        let (mut by_doi, mut by_source) = (HashMap::new(), HashMap::new());
        for (id, doi, source, figures, tables) in rows {
            let article = NamedArticle { id: ArticleId(id), figures, tables };
            by_doi.extend(doi.map(|doi| (doi, article.clone())));
            by_source.insert(source, article);
        }
        let mut found: Vec<NamedArticle> = Vec::with_capacity(names.len());
        let mut missing = Vec::new();
        for (name, doi) in names.iter().zip(&dois) {
            match by_doi.get(doi).or_else(|| by_source.get(*name)) {
                Some(article) if !found.contains(article) => found.push(article.clone()),
                Some(_) => {}
                None => missing.push(*name),
            }
        }
        if !missing.is_empty() {
            let earlier = self.article_ids_by_names(&missing).await?;
            for id in missing.iter().filter_map(|name| earlier.get(*name)) {
                if found.iter().all(|article| article.id != *id) {
                    found.push(NamedArticle { id: *id, figures: 0, tables: 0 });
                }
            }
        }
        Ok(found)
    }
}
