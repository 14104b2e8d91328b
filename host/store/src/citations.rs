//! Which works the articles of the installation cite, and how often an article is cited by others.
//!
//! Two reads are across all sites, the only ones: they give numbers of citations, and numbers of articles to those who count again.

use std::{
    collections::{BTreeSet, HashMap},
    hash::Hash,
};

use masthead_domain::{
    ArticleId, Doi, SiteId,
    content::{ArticleBody, Node, RefList},
};
use sqlx::{Any, AnyPool, Transaction};

use crate::{
    BEFORE_ALL, ChangeAction, ChangeKind, LIST, ROWS, SiteStore, Store, StoreError, StoredForm as _, are_recorded,
    lock_changes, log, next, places, set_recorded, value_rows,
};

const READING: &str = "reading the citations of articles";
const RECORDING: &str = "recording the citations of stored articles";
/// Articles of an earlier version that are read at a time.
const EARLIER: i64 = 50;

/// An article with what it cites.
pub(crate) struct Citing<'a> {
    pub(crate) id: i64,
    pub(crate) source_key: &'a str,
    pub(crate) body: &'a ArticleBody,
    /// Whether it replaces an article.
    pub(crate) replaces: bool,
}

/// The DOIs that the lists of references of an article name.
fn cited(body: &ArticleBody) -> BTreeSet<String> {
    fn of_list(list: &RefList) -> impl Iterator<Item = String> + '_ {
        let citations = list.refs.iter().flat_map(|reference| &reference.citations);
        citations.filter_map(|citation| Doi::parse(&citation.doi).ok()).map(|doi| doi.key())
    }
    let mut all: BTreeSet<String> = body.reference_lists.iter().flat_map(of_list).collect();
    for node in &body.body {
        if let Node::RefList(list) = node {
            all.extend(of_list(list));
        }
    }
    all
}

/// Records what articles cite, in place of what their former versions cited.
pub(crate) async fn write(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    articles: &[Citing<'_>],
) -> Result<(), sqlx::Error> {
    let mut rows = Vec::new();
    for one in articles {
        if one.replaces {
            end(tx, site, one.id).await?;
        }
        rows.extend(cited(one.body).into_iter().map(|cited| (one, cited)));
    }
    for some in rows.chunks(ROWS) {
        let sql = format!(
            "INSERT INTO citations (site_id, article_id, cited, source, gone) VALUES {} \
             ON CONFLICT (site_id, article_id, cited) DO UPDATE SET source = excluded.source, gone = excluded.gone",
            value_rows(5, some.len())
        );
        let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
        for (article, cited) in some {
            query = query.bind(site).bind(article.id).bind(cited).bind(article.source_key).bind(0_i64);
        }
        query.execute(&mut **tx).await?;
    }
    Ok(())
}

/// Notes that an article cites nothing any more.
pub(crate) async fn end(tx: &mut Transaction<'_, Any>, site: i64, article: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE citations SET gone = 1 WHERE site_id = $1 AND article_id = $2")
        .bind(site)
        .bind(article)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Records the citations of the articles that earlier versions wrote, once for each database.
pub(crate) async fn record_earlier_rows(pool: &AnyPool) -> Result<(), StoreError> {
    if are_recorded(pool, "citations").await.map_err(StoreError::query(RECORDING))? {
        return Ok(());
    }
    let mut after = BEFORE_ALL;
    loop {
        let mut tx = lock_changes(pool).await.map_err(StoreError::query(RECORDING))?;
        let recorded = earlier_rows(&mut tx, after).await.map_err(StoreError::query(RECORDING))?;
        if recorded.is_none() {
            set_recorded(&mut tx, "citations").await.map_err(StoreError::query(RECORDING))?;
        }
        tx.commit().await.map_err(StoreError::query(RECORDING))?;
        match recorded {
            Some(last) => after = last,
            None => return Ok(()),
        }
    }
}

/// Records some articles, and returns the last one; `None` behind all.
async fn earlier_rows(tx: &mut Transaction<'_, Any>, after: (i64, i64)) -> Result<Option<(i64, i64)>, sqlx::Error> {
    let rows: Vec<(i64, i64, String, String)> = sqlx::query_as(
        "SELECT site_id, id, source_key, body FROM articles WHERE (site_id, id) > ($1, $2) ORDER BY site_id, id LIMIT $3",
    )
    .bind(after.0)
    .bind(after.1)
    .bind(EARLIER)
    .fetch_all(&mut **tx)
    .await?;
    let last = rows.last().map(|(site, id, ..)| (*site, *id));
    // A damaged row must not keep the database from being opened; whoever reads it is told.
    let decoded = |(site, id, source_key, body): (i64, i64, String, String)| {
        Some((site, id, source_key, ArticleBody::decode(&body).ok()?))
    };
    let articles: Vec<(i64, i64, String, ArticleBody)> = rows.into_iter().filter_map(decoded).collect();
    for of_site in articles.chunk_by(|one, next| one.0 == next.0) {
        let citing =
            of_site.iter().map(|(_, id, source_key, body)| Citing { id: *id, source_key, body, replaces: false });
        write(tx, of_site[0].0, &citing.collect::<Vec<_>>()).await?;
    }
    Ok(last)
}

impl SiteStore {
    /// How often each of these articles of the site, given with the DOI's key, is cited: as often as articles of the installation cite it, or
    /// as a service that counts all publishers' says ([`Self::save_external_citations`]) if that is more. An article that several sites have
    /// counts once. Articles that are not cited are left out.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn citation_counts(
        &self,
        articles: &[(ArticleId, Option<String>)],
    ) -> Result<HashMap<ArticleId, u32>, StoreError> {
        let counts = self.external_citations(articles).await?;
        with_those_of_installation(&self.pool, counts, articles).await
    }

    async fn external_citations(
        &self,
        articles: &[(ArticleId, Option<String>)],
    ) -> Result<HashMap<ArticleId, u32>, StoreError> {
        let mut counts = HashMap::new();
        for some in articles.chunks(LIST) {
            let sql = format!(
                "SELECT article_id, citations FROM external_citations WHERE site_id = $1 AND citations > 0 AND article_id IN ({})",
                places(2, some.len())
            );
            let mut query = sqlx::query_as::<_, (i64, i64)>(sqlx::AssertSqlSafe(sql)).bind(self.site);
            for (id, _) in some {
                query = query.bind(id.0);
            }
            let rows = query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?;
            counts.extend(rows.into_iter().map(|(id, count)| (ArticleId(id), of_column(count))));
        }
        Ok(counts)
    }

    /// Records how often an article is cited according to a service that counts the citations of all publishers. Returns whether the number
    /// has changed; nothing is recorded for an article that the site does not have.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn save_external_citations(&self, article: ArticleId, citations: u32) -> Result<bool, StoreError> {
        const WRITING: &str = "saving how often an article is cited";
        let mut tx = lock_changes(&self.pool).await.map_err(StoreError::query(WRITING))?;
        let written = sqlx::query(
            "INSERT INTO external_citations (site_id, article_id, citations) \
             SELECT site_id, id, $3 FROM articles WHERE site_id = $1 AND id = $2 \
             ON CONFLICT (site_id, article_id) DO UPDATE SET citations = excluded.citations \
             WHERE external_citations.citations <> excluded.citations",
        )
        .bind(self.site)
        .bind(article.0)
        .bind(i64::from(citations))
        .execute(&mut *tx)
        .await
        .map_err(StoreError::query(WRITING))?
        .rows_affected();
        if written == 0 {
            return Ok(false);
        }
        let seq = next(&mut tx, "changes").await.map_err(StoreError::query(WRITING))?;
        log(&mut tx, self.site, seq, ChangeKind::Article, ChangeAction::Recounted, &article.to_string())
            .await
            .map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(true)
    }
}

/// Raises the counts of articles, which are given with their DOIs' keys, to the number of those of the installation that cite them.
pub(crate) async fn with_those_of_installation<'a, K: Copy + Eq + Hash + 'a>(
    pool: &AnyPool,
    mut counts: HashMap<K, u32>,
    articles: impl IntoIterator<Item = &'a (K, Option<String>)>,
) -> Result<HashMap<K, u32>, StoreError> {
    let keyed: Vec<(K, &str)> =
        articles.into_iter().filter_map(|(article, key)| Some((*article, key.as_deref()?))).collect();
    let keys: Vec<&str> = keyed.iter().map(|(_, key)| *key).collect();
    let own = cited_by_installation(pool, &keys).await?;
    for (article, key) in keyed {
        if let Some(count) = own.get(key) {
            let known = counts.entry(article).or_default();
            *known = (*known).max(*count);
        }
    }
    Ok(counts)
}

/// How many articles of the installation cite each DOI, by the DOI's key.
async fn cited_by_installation(pool: &AnyPool, keys: &[&str]) -> Result<HashMap<String, u32>, StoreError> {
    let mut counts = HashMap::new();
    for some in keys.chunks(LIST) {
        let sql = format!(
            "SELECT cited, COUNT(DISTINCT source) FROM citations WHERE gone = 0 AND cited IN ({}) GROUP BY cited",
            places(1, some.len())
        );
        let mut query = sqlx::query_as::<_, (String, i64)>(sqlx::AssertSqlSafe(sql));
        for key in some {
            query = query.bind(*key);
        }
        let rows = query.fetch_all(pool).await.map_err(StoreError::query(READING))?;
        counts.extend(rows.into_iter().map(|(key, count)| (key, of_column(count))));
    }
    Ok(counts)
}

/// A number of citations as it is stored.
pub(crate) fn of_column(count: i64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl Store {
    /// The articles of the installation that these articles of a site cite, or have cited: their counts may have changed with them.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn cited_articles(&self, site: SiteId, citing: &[i64]) -> Result<BTreeSet<(SiteId, i64)>, StoreError> {
        let mut found = BTreeSet::new();
        for some in citing.chunks(LIST) {
            let sql = format!(
                "SELECT DISTINCT articles.site_id, articles.id FROM citations JOIN articles ON articles.doi_key = citations.cited \
                 WHERE citations.site_id = $1 AND citations.article_id IN ({})",
                places(2, some.len())
            );
            let mut query = sqlx::query_as::<_, (i64, i64)>(sqlx::AssertSqlSafe(sql)).bind(site.0);
            for id in some {
                query = query.bind(*id);
            }
            let rows = query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?;
            found.extend(rows.into_iter().map(|(site, id)| (SiteId(site), id)));
        }
        Ok(found)
    }
}
