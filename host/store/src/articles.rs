//! Articles: written whole, read as what a page needs.

use masthead_domain::{
    ArticleId, Doi,
    article::{Article, ArticleMeta},
    card::ArticleCard,
    content::ArticleBody,
};
use sha2::{Digest as _, Sha256};
use sqlx::{Any, Row as _, Transaction, any::AnyRow};

use crate::{ChangeAction, ChangeKind, SiteStore, StoreError, journals, log, next};

/// An article to be stored.
#[derive(Clone, Debug)]
pub struct NewArticle {
    /// What it is and says.
    pub article: Article,
    /// What lists show of it.
    pub card: ArticleCard,
    /// What the reader shows of it: the renderer's output as JSON; the store does not look inside.
    pub rendered: String,
}

/// What storing an article did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saved {
    /// It is new.
    Created(ArticleId),
    /// It was there and differs: replaced, under the same number.
    Updated(ArticleId),
    /// It was there and is the same: nothing was written.
    Unchanged(ArticleId),
}

impl Saved {
    /// The article's number.
    #[must_use]
    pub const fn id(self) -> ArticleId {
        match self {
            Self::Created(id) | Self::Updated(id) | Self::Unchanged(id) => id,
        }
    }
}

/// An article as the reader's page needs it.
#[derive(Clone, Debug)]
pub struct StoredArticle {
    /// Its number.
    pub id: ArticleId,
    /// Key of its journal on the site.
    pub journal: String,
    /// What is known about it.
    pub meta: ArticleMeta,
    /// The renderer's output as JSON.
    pub rendered: String,
}

/// Which articles a list shows, and in which order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CardQuery {
    /// Newest first.
    Latest,
    /// "Just accepted" (`firstStatus` -1), newest first.
    JustAccepted,
    /// Published online, not yet in an issue, newest first.
    OnlineFirst,
    /// One issue, in page order.
    Issue {
        /// Journal's key.
        journal: String,
        /// Year.
        year: i32,
        /// Issue as printed.
        issue: String,
    },
}

const READING: &str = "reading an article";
const WRITING: &str = "storing an article";
const LISTING: &str = "listing articles";

impl SiteStore {
    /// Stores an article with its journal, its issue and the change, in one transaction.
    ///
    /// The article is recognised by its `source_key`. An equal one is left alone, so that importing twice changes nothing.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is stored then.
    pub async fn put_article(&self, new: &NewArticle) -> Result<Saved, StoreError> {
        let meta = json(&new.article.meta)?;
        let body = json(&new.article.body)?;
        let digest = digest(&[&meta, &body, &new.rendered]);
        if let Some((id, known)) = self.known(&new.article.meta.source_key).await?
            && known == digest
        {
            return Ok(Saved::Unchanged(ArticleId(id)));
        }
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        let seq = next(&mut tx, "changes").await.map_err(StoreError::query(WRITING))?;
        let journal = journals::of_article(&mut tx, self.site, &new.article.meta).await?;
        let old: Option<i64> = sqlx::query_scalar("SELECT id FROM articles WHERE site_id = $1 AND source_key = $2")
            .bind(self.site)
            .bind(&new.article.meta.source_key)
            .fetch_optional(&mut *tx)
            .await
            .map_err(StoreError::query(WRITING))?;
        let id = match old {
            Some(id) => id,
            None => next(&mut tx, "articles").await.map_err(StoreError::query(WRITING))?,
        };
        let mut card = new.card.clone();
        card.id = id;
        card.journal.clone_from(&journal);
        let row = Row { id, digest, journal, card: json(&card)?, meta, body };
        self.write(&mut tx, &row, new).await.map_err(StoreError::query(WRITING))?;
        let action = ChangeAction::write(old.is_some());
        log(&mut tx, self.site, seq, ChangeKind::Article, action, &id.to_string())
            .await
            .map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(if old.is_some() { Saved::Updated(ArticleId(id)) } else { Saved::Created(ArticleId(id)) })
    }

    async fn known(&self, source_key: &str) -> Result<Option<(i64, String)>, StoreError> {
        sqlx::query_as("SELECT id, digest FROM articles WHERE site_id = $1 AND source_key = $2")
            .bind(self.site)
            .bind(source_key)
            .fetch_optional(&self.pool)
            .await
            .map_err(StoreError::query(READING))
    }

    async fn write(&self, tx: &mut Transaction<'_, Any>, row: &Row, new: &NewArticle) -> Result<(), sqlx::Error> {
        let meta = &new.article.meta;
        sqlx::query(
            "INSERT INTO articles (id, site_id, source_key, doi_key, digest, journal, year, issue, page_key, published, \
             first_status, card, meta, body, rendered) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) \
             ON CONFLICT (site_id, source_key) DO UPDATE SET doi_key = excluded.doi_key, digest = excluded.digest, \
             journal = excluded.journal, year = excluded.year, issue = excluded.issue, page_key = excluded.page_key, \
             published = excluded.published, first_status = excluded.first_status, card = excluded.card, \
             meta = excluded.meta, body = excluded.body, rendered = excluded.rendered",
        )
        .bind(row.id)
        .bind(self.site)
        .bind(&meta.source_key)
        .bind(meta.doi.as_ref().map(Doi::key))
        .bind(&row.digest)
        .bind(&row.journal)
        .bind(i64::from(meta.year.unwrap_or(0)))
        .bind(&meta.issue)
        .bind(page_key(meta))
        .bind(meta.dates.published())
        .bind(i64::from(meta.first_status))
        .bind(&row.card)
        .bind(&row.meta)
        .bind(&row.body)
        .bind(&new.rendered)
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    /// The article with this number, if it is this site's.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn article(&self, id: ArticleId) -> Result<Option<StoredArticle>, StoreError> {
        sqlx::query("SELECT id, journal, meta, rendered FROM articles WHERE site_id = $1 AND id = $2")
            .bind(self.site)
            .bind(id.0)
            .fetch_optional(&self.pool)
            .await
            .map_err(StoreError::query(READING))?
            .as_ref()
            .map(stored)
            .transpose()
    }

    /// The number of the article with this DOI, if it is this site's.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn article_id_by_doi(&self, doi: &Doi) -> Result<Option<ArticleId>, StoreError> {
        let id: Option<i64> = sqlx::query_scalar("SELECT id FROM articles WHERE site_id = $1 AND doi_key = $2")
            .bind(self.site)
            .bind(doi.key())
            .fetch_optional(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        Ok(id.map(ArticleId))
    }

    /// The content nodes of an article, if it is this site's.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn body(&self, id: ArticleId) -> Result<Option<ArticleBody>, StoreError> {
        let text: Option<String> = sqlx::query_scalar("SELECT body FROM articles WHERE site_id = $1 AND id = $2")
            .bind(self.site)
            .bind(id.0)
            .fetch_optional(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        text.map(|text| serde_json::from_str(&text).map_err(StoreError::damaged("an article's body"))).transpose()
    }

    /// A list of articles, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn cards(&self, query: &CardQuery, limit: i64) -> Result<Vec<ArticleCard>, StoreError> {
        const LATEST: &str = "SELECT card FROM articles WHERE site_id = $1 ORDER BY published DESC, id DESC LIMIT $2";
        const ACCEPTED: &str = "SELECT card FROM articles WHERE site_id = $1 AND first_status = -1 \
                                ORDER BY published DESC, id DESC LIMIT $2";
        const ONLINE: &str = "SELECT card FROM articles WHERE site_id = $1 AND issue = '' AND first_status <> -1 \
                              ORDER BY published DESC, id DESC LIMIT $2";
        const ISSUE: &str = "SELECT card FROM articles WHERE site_id = $1 AND journal = $3 AND year = $4 AND issue = $5 \
                             ORDER BY page_key, id LIMIT $2";
        let sql = match query {
            CardQuery::Latest => LATEST,
            CardQuery::JustAccepted => ACCEPTED,
            CardQuery::OnlineFirst => ONLINE,
            CardQuery::Issue { .. } => ISSUE,
        };
        let mut statement = sqlx::query_scalar::<_, String>(sql).bind(self.site).bind(limit);
        if let CardQuery::Issue { journal, year, issue } = query {
            statement = statement.bind(journal.clone()).bind(i64::from(*year)).bind(issue.clone());
        }
        let cards = statement.fetch_all(&self.pool).await.map_err(StoreError::query(LISTING))?;
        cards.iter().map(|card| serde_json::from_str(card).map_err(StoreError::damaged("an article's card"))).collect()
    }

    /// The cards of these articles, in this order; numbers of other sites and of nothing are left out.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn cards_by_id(&self, ids: &[ArticleId]) -> Result<Vec<ArticleCard>, StoreError> {
        let mut cards = Vec::with_capacity(ids.len());
        for id in ids {
            let card: Option<String> = sqlx::query_scalar("SELECT card FROM articles WHERE site_id = $1 AND id = $2")
                .bind(self.site)
                .bind(id.0)
                .fetch_optional(&self.pool)
                .await
                .map_err(StoreError::query(LISTING))?;
            if let Some(card) = card {
                cards.push(serde_json::from_str(&card).map_err(StoreError::damaged("an article's card"))?);
            }
        }
        Ok(cards)
    }

    /// How many articles the site has.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn article_count(&self) -> Result<i64, StoreError> {
        sqlx::query_scalar("SELECT COUNT(*) FROM articles WHERE site_id = $1")
            .bind(self.site)
            .fetch_one(&self.pool)
            .await
            .map_err(StoreError::query("counting articles"))
    }
}

/// The columns that are computed while storing.
struct Row {
    id: i64,
    digest: String,
    journal: String,
    card: String,
    meta: String,
    body: String,
}

fn stored(row: &AnyRow) -> Result<StoredArticle, StoreError> {
    let text = |index: usize| row.try_get::<String, _>(index).map_err(StoreError::query(READING));
    Ok(StoredArticle {
        id: ArticleId(row.try_get(0).map_err(StoreError::query(READING))?),
        journal: text(1)?,
        meta: serde_json::from_str(&text(2)?).map_err(StoreError::damaged("an article's data"))?,
        rendered: text(3)?,
    })
}

pub(crate) fn json<T: serde::Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(StoreError::damaged("a value to be stored"))
}

fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Orders the articles of an issue: by first page as a number, then by article number, then as text.
fn page_key(meta: &ArticleMeta) -> String {
    let page = if meta.first_page.is_empty() { &meta.elocation_id } else { &meta.first_page };
    let digits: String = page.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    format!("{:0>12}{page}", digits.trim_start_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_sort_as_numbers() {
        let key = |page: &str| page_key(&ArticleMeta { first_page: page.to_owned(), ..ArticleMeta::default() });
        assert!(key("9") < key("10") && key("e9") < key("e10") && key("") < key("1"));
    }

    #[test]
    fn a_digest_tells_where_a_part_ends() {
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
    }
}
