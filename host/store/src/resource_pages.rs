//! Resources as pages list them: a page by its number with the size of the whole list, the figures and tables of some articles, and the
//! articles that a collection names. Each is one statement, whatever the length of the list.

use std::collections::HashMap;

use masthead_domain::{
    ArticleId, Doi,
    resource::{FigureOrTable, ResourceKind, Stored},
};

use crate::{
    EARLIER_DOIS, ResourceRow, SiteStore, StoreError, StoredResource,
    counts::ALL_DAYS,
    edits, places,
    resources::{ROW, read},
};

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

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PartOrder {
    /// As the editors arranged it, then newest first.
    #[default]
    Usual,
    /// The reverse: oldest first.
    Reversed,
    /// Most viewed first; what was viewed equally often in the usual order.
    Visits,
}

/// The part of a list that a page shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListPart {
    /// Number of entries before it.
    pub offset: u64,
    /// Greatest number of its entries.
    pub limit: u32,
    /// The order of the list.
    pub order: PartOrder,
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
type PartRow = (i64, Option<i64>, Option<String>, Option<i64>, i64, Option<i64>, Option<String>);

/// The statement of a part of the list that `condition` selects: the length of the list stands on every row, and on the only one of an
/// empty part. `limit` and `offset` are the numbers of their parameters.
fn statement(condition: &str, limit: usize, offset: usize, order: PartOrder) -> String {
    let all = format!("SELECT id, kind, article_id, position, dated, changed, data FROM resources WHERE {condition}");
    let (all, order) = match order {
        PartOrder::Usual => (all, "position, dated DESC, id DESC"),
        PartOrder::Reversed => (all, "position DESC, dated, id"),
        PartOrder::Visits => (
            format!(
                "SELECT x.id, x.kind, x.article_id, x.position, x.dated, x.changed, x.data, COALESCE(c.visits, 0) AS views FROM ({all}) AS x \
                 LEFT JOIN counts AS c ON c.site_id = $1 AND c.kind = x.kind AND c.day = {ALL_DAYS} AND c.entity = x.id"
            ),
            "views DESC, position, dated DESC, id DESC",
        ),
    };
    let numbered = format!("SELECT t.*, ROW_NUMBER() OVER (ORDER BY {order}) AS place");
    format!(
        "SELECT n.total, {ROW} FROM (SELECT COUNT(*) AS total FROM resources WHERE {condition}) AS n \
         LEFT JOIN ({numbered} FROM ({all} ORDER BY {order} LIMIT ${limit} OFFSET ${offset}) AS t) AS r ON 1 = 1 \
         LEFT JOIN articles AS a ON a.site_id = $1 AND a.id = r.article_id ORDER BY r.place"
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

fn page(rows: Vec<PartRow>) -> ResourcePage {
    let total = rows.first().and_then(|row| u64::try_from(row.0).ok()).unwrap_or_default();
    let entry = |(_, id, kind, article, open_access, changed, data): PartRow| {
        ResourceRow::of((id?, kind?, article?, open_access, changed?, data?))
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
        part: ListPart,
    ) -> Result<ResourcePage, StoreError> {
        if kinds.is_empty() {
            return Ok(ResourcePage::default());
        }
        let of_section = if section.is_empty() { "$2 = ''" } else { "section = $2" };
        let condition = format!("site_id = $1 AND {of_section} AND kind IN ({})", places(5, kinds.len()));
        let sql = statement(&condition, 3, 4, part.order);
        let mut query = sqlx::query_as::<_, PartRow>(sqlx::AssertSqlSafe(sql))
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
    pub async fn exhibit_page<T: StoredResource + FigureOrTable>(
        &self,
        articles: &[ArticleId],
        keys: &[&str],
        part: ListPart,
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
        let sql = statement(&condition, 3, 4, part.order);
        let mut query = sqlx::query_as::<_, PartRow>(sqlx::AssertSqlSafe(sql))
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
    pub async fn exhibits_beside<T: StoredResource + FigureOrTable>(
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
    /// editor has changed since names its article too.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn named_articles(&self, names: &[&str]) -> Result<Vec<NamedArticle>, StoreError> {
        let names = &names[..names.len().min(NAMED)];
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let dois: Vec<String> =
            names.iter().map(|name| Doi::parse(name).map_or(String::new(), |doi| doi.key())).collect();
        let sql = naming(names.len());
        let mut query = sqlx::query_as::<_, NamingRow>(sqlx::AssertSqlSafe(sql)).bind(self.site).bind(EARLIER_DOIS);
        for doi in &dois {
            query = query.bind(doi.as_str());
        }
        for name in names {
            query = query.bind(*name);
        }
        let rows = query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?;
        let (mut present, mut earlier, mut sources) = (HashMap::new(), HashMap::new(), HashMap::new());
        for (id, doi, source, dois, figures, tables) in rows {
            let article = NamedArticle { id: ArticleId(id), figures, tables };
            if dois.is_empty() {
                present.insert(doi, article.clone());
                sources.insert(source, article);
            } else {
                let dois = edits::dois(&dois).map_err(StoreError::damaged("the earlier DOIs of an article"))?;
                earlier.extend(dois.into_iter().map(|doi| (doi, article.clone())));
            }
        }
        let mut found: Vec<NamedArticle> = Vec::with_capacity(names.len());
        for (name, doi) in names.iter().zip(&dois) {
            let by = |known: &HashMap<String, NamedArticle>| known.get(doi).filter(|_| !doi.is_empty()).cloned();
            let article = by(&present).or_else(|| sources.get(*name).cloned()).or_else(|| by(&earlier));
            found.extend(article.filter(|article| !found.contains(article)));
        }
        Ok(found)
    }
}

/// A row of [`naming`]: number, DOI, source key, earlier DOIs as JSON, numbers of figures and of tables.
type NamingRow = (i64, String, String, String, i64, i64);

/// The statement that finds articles by so many DOIs and as many source keys, and all articles of the site with earlier DOIs, of which there
/// are few: an editor changes a DOI by hand.
fn naming(names: usize) -> String {
    let count = |kind: ResourceKind| {
        let kind = kind.as_str();
        format!(
            "(SELECT COUNT(*) FROM resources AS r WHERE r.site_id = a.site_id AND r.article_id = a.id AND r.kind = '{kind}')"
        )
    };
    let counts = format!("{}, {}", count(ResourceKind::Picture), count(ResourceKind::Table));
    // The number at the end of the subject `article/12`. Subjects of other types are not read as numbers.
    let number = "CASE WHEN e.subject LIKE 'article/%' THEN CAST(SUBSTR(e.subject, 9) AS BIGINT) END";
    let present =
        format!("SELECT a.id, COALESCE(a.doi_key, ''), a.source_key, CAST('' AS TEXT), {counts} FROM articles AS a");
    // By each key apart, because an index has either.
    format!(
        "{present} WHERE a.site_id = $1 AND a.doi_key IN ({}) \
         UNION ALL {present} WHERE a.site_id = $1 AND a.source_key IN ({}) \
         UNION ALL SELECT a.id, CAST('' AS TEXT), CAST('' AS TEXT), e.value, {counts} FROM edits AS e \
         JOIN articles AS a ON a.site_id = e.site_id AND a.id = {number} WHERE e.site_id = $1 AND e.field = $2",
        places(3, names),
        places(3 + names, names),
    )
}
