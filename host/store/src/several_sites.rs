//! What several sites have, read for one list of all of it: the results of a search at a group site. A read is one statement, however many sites
//! have something in the list.
//!
//! Numbers are unique on their site only. So whatever is asked names its site, and whatever is returned does.

use std::collections::{BTreeSet, HashMap};

use masthead_domain::{
    ArticleId, SiteId, article::ArticleMeta, card::ArticleCard, publication::Journal, resource::CommentState,
};
use sqlx::{AnyPool, FromRow as _, Row as _, any::AnyRow};

use crate::{
    KEYS, ResourceRow, Store, StoreError, StoredArticle, StoredForm as _, Totals, articles, citations,
    counts::ALL_DAYS,
    resources, value_rows,
    visible_publications::{self, JOURNAL_IS_SHOWN},
};

const READING: &str = "reading what several sites have";

/// An article of a site.
pub type SiteArticle = (SiteId, ArticleId);

/// The content of several sites. It is read only, and what is asked of any other site is not there.
#[derive(Clone, Debug)]
pub struct SitesStore {
    pool: AnyPool,
    sites: BTreeSet<SiteId>,
}

impl Store {
    /// The content of these sites. It is for lists that show their readers what all of these sites publish; everything else is asked of one
    /// [`crate::SiteStore`].
    #[must_use]
    pub fn sites(&self, sites: impl IntoIterator<Item = SiteId>) -> SitesStore {
        SitesStore { pool: self.pool.clone(), sites: sites.into_iter().collect() }
    }
}

impl SitesStore {
    /// The cards of these articles; unknown numbers and numbers of other sites are left out.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn cards_by_id(&self, ids: &[SiteArticle]) -> Result<HashMap<SiteArticle, ArticleCard>, StoreError> {
        const SELECT: &str = "SELECT site_id, id, card FROM articles WHERE (site_id, id)";
        let rows = self.rows((SELECT, ""), &numbers(ids)).await?;
        let card = |row: &AnyRow| {
            let card = ArticleCard::decode(text(row, 2)?).map_err(StoreError::damaged("an article's card"))?;
            Ok((article(row)?, card))
        };
        rows.iter().map(card).collect()
    }

    /// These articles; unknown numbers and numbers of other sites are left out.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn articles(&self, ids: &[SiteArticle]) -> Result<HashMap<SiteArticle, StoredArticle>, StoreError> {
        const SELECT: &str =
            "SELECT id, journal, meta, rendered, files, changed, change_seq, site_id FROM articles WHERE (site_id, id)";
        let rows = self.rows((SELECT, ""), &numbers(ids)).await?;
        let stored = |row: &AnyRow| {
            let stored = articles::stored(row)?;
            Ok(((SiteId(number(row, 7)?), stored.id), stored))
        };
        rows.iter().map(stored).collect()
    }

    /// The metadata of these articles and the time of their last change (milliseconds since 1970); unknown numbers and numbers of other sites
    /// are left out.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn metas(&self, ids: &[SiteArticle]) -> Result<HashMap<SiteArticle, (ArticleMeta, i64)>, StoreError> {
        const SELECT: &str = "SELECT site_id, id, meta, changed FROM articles WHERE (site_id, id)";
        let rows = self.rows((SELECT, ""), &numbers(ids)).await?;
        let meta = |row: &AnyRow| Ok((article(row)?, (articles::read_meta(text(row, 2)?)?, number(row, 3)?)));
        rows.iter().map(meta).collect()
    }

    /// Views and downloads of these articles over all days; those without any are left out.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn article_totals(&self, ids: &[SiteArticle]) -> Result<HashMap<SiteArticle, Totals>, StoreError> {
        let select = format!(
            "SELECT site_id, entity, visits, downloads FROM counts WHERE kind = 'article' AND day = {ALL_DAYS} \
             AND (site_id, entity)"
        );
        let rows = self.rows((&select, ""), &numbers(ids)).await?;
        let totals = |row: &AnyRow| {
            let totals = Totals { visits: number(row, 2)?, downloads: number(row, 3)? };
            Ok((article(row)?, totals))
        };
        rows.iter().map(totals).collect()
    }

    /// The number of published comments of each of these articles; articles without any are left out.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn comment_counts(&self, ids: &[SiteArticle]) -> Result<HashMap<SiteArticle, i64>, StoreError> {
        let select = format!(
            "SELECT site_id, article_id, COUNT(*) FROM resources WHERE kind = 'comment' AND section = '{}' \
             AND (site_id, article_id)",
            CommentState::Shown.as_str()
        );
        let rows = self.rows((&select, " GROUP BY site_id, article_id"), &numbers(ids)).await?;
        rows.iter().map(|row: &AnyRow| Ok((article(row)?, number(row, 2)?))).collect()
    }

    /// How often each of these articles, given with the DOI's key, is cited, as [`crate::SiteStore::citation_counts`] counts it.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn citation_counts(
        &self,
        articles: &[(SiteArticle, Option<String>)],
    ) -> Result<HashMap<SiteArticle, u32>, StoreError> {
        const SELECT: &str = "SELECT site_id, article_id, citations FROM external_citations WHERE citations > 0 \
             AND (site_id, article_id)";
        let articles: Vec<&(SiteArticle, Option<String>)> =
            articles.iter().filter(|((site, _), _)| self.sites.contains(site)).collect();
        let asked: Vec<(SiteId, i64)> = articles.iter().map(|((site, id), _)| (*site, id.0)).collect();
        let rows = self.rows((SELECT, ""), &asked).await?;
        let mut counts = HashMap::with_capacity(articles.len());
        for row in &rows {
            counts.insert(article(row)?, citations::of_column(number(row, 2)?));
        }
        citations::with_those_of_installation(&self.pool, counts, articles).await
    }

    /// The resources with these numbers; unknown numbers and numbers of other sites are left out.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn resource_rows_by_id(
        &self,
        ids: &[(SiteId, i64)],
    ) -> Result<HashMap<(SiteId, i64), ResourceRow>, StoreError> {
        let select =
            format!("SELECT {}, r.site_id {} WHERE (r.site_id, r.id)", resources::ROW, resources::WITH_ARTICLES);
        let rows = self.rows((&select, ""), ids).await?;
        let resource = |row: &AnyRow| {
            let site = SiteId(number(row, 6)?);
            let row = resources::RawResourceRow::from_row(row).map_err(StoreError::query(READING))?;
            Ok(ResourceRow::of(row).map(|row| ((site, row.id), row)))
        };
        rows.iter().map(resource).filter_map(Result::transpose).collect()
    }

    /// The journals with these keys that readers see; unknown keys and keys of other sites are left out.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn shown_journals(
        &self,
        keys: &[(SiteId, &str)],
    ) -> Result<HashMap<(SiteId, String), Journal>, StoreError> {
        let asked: BTreeSet<(SiteId, &str)> =
            keys.iter().copied().filter(|(site, _)| self.sites.contains(site)).collect();
        let asked: Vec<(SiteId, &str)> = asked.into_iter().collect();
        let mut found = HashMap::with_capacity(asked.len());
        for some in asked.chunks(KEYS) {
            let sql = format!(
                "SELECT j.site_id, j.journal, j.data FROM journals AS j WHERE (j.site_id, j.journal) IN (VALUES {}) \
                 AND {JOURNAL_IS_SHOWN}",
                value_rows(2, some.len())
            );
            let mut query = sqlx::query_as::<_, (i64, String, String)>(sqlx::AssertSqlSafe(sql));
            for (site, key) in some {
                query = query.bind(site.0).bind(*key);
            }
            for (site, key, data) in query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))? {
                found.insert((SiteId(site), key), visible_publications::journal(&data)?);
            }
        }
        Ok(found)
    }

    /// The rows of these sites and numbers. `select` ends with the columns of both, and `end` follows the condition for them.
    async fn rows(&self, (select, end): (&str, &str), asked: &[(SiteId, i64)]) -> Result<Vec<AnyRow>, StoreError> {
        let asked: BTreeSet<&(SiteId, i64)> = asked.iter().filter(|(site, _)| self.sites.contains(site)).collect();
        let asked: Vec<&(SiteId, i64)> = asked.into_iter().collect();
        let mut rows = Vec::with_capacity(asked.len());
        for some in asked.chunks(KEYS) {
            // Pairs, and not a list of sites beside one of numbers: a number of one site may be that of something else on another.
            let sql = format!("{select} IN (VALUES {}){end}", value_rows(2, some.len()));
            let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
            for (site, number) in some {
                query = query.bind(site.0).bind(*number);
            }
            rows.extend(query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?);
        }
        Ok(rows)
    }
}

fn numbers(articles: &[SiteArticle]) -> Vec<(SiteId, i64)> {
    articles.iter().map(|(site, id)| (*site, id.0)).collect()
}

/// The article of a row that begins with the numbers of the site and of the article.
fn article(row: &AnyRow) -> Result<SiteArticle, StoreError> {
    Ok((SiteId(number(row, 0)?), ArticleId(number(row, 1)?)))
}

fn number(row: &AnyRow, column: usize) -> Result<i64, StoreError> {
    row.try_get(column).map_err(StoreError::query(READING))
}

fn text(row: &AnyRow, column: usize) -> Result<&str, StoreError> {
    row.try_get(column).map_err(StoreError::query(READING))
}
