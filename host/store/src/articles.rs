//! Articles: written whole, read as what a page needs.

use std::{collections::HashMap, fmt};

use masthead_domain::{
    ArticleId, Doi,
    article::{Article, ArticleFile, ArticleMeta},
    card::ArticleCard,
    content::ArticleBody,
    resource::{Picture, Resource as _, ResourceKind, TableSheet},
};
use sha2::{Digest as _, Sha256};
use sqlx::{Any, Row as _, Transaction, any::AnyRow};

use crate::{ChangeAction, ChangeKind, SiteStore, StoreError, journals, log, next, resources, shelves};

/// An article to be stored.
#[derive(Clone, Debug, Default)]
pub struct NewArticle {
    /// What it is and says.
    pub article: Article,
    /// What lists show of it.
    pub card: ArticleCard,
    /// What the reader shows of it: the renderer's output as JSON; the store does not look inside.
    pub rendered: String,
    /// Its figures, to be found on their own; the store writes number, journal and key into them.
    pub pictures: Vec<Picture>,
    /// Its tables, in the same way.
    pub tables: Vec<TableSheet>,
    /// The files that came with it.
    pub files: Vec<ArticleFile>,
    /// Names what it was made from (a digest of the bytes), so that a repeated import can pass it by; or "".
    pub origin: String,
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
    /// The files that came with it.
    pub files: Vec<ArticleFile>,
    /// When it was last written, milliseconds since 1970.
    pub changed_ms: i64,
}

impl StoredArticle {
    /// The PDF of the whole article, where it came with it.
    #[must_use]
    pub fn pdf(&self) -> Option<&ArticleFile> {
        self.files.iter().find(|file| !self.meta.pdf.is_empty() && file.name == self.meta.pdf)
    }
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
    /// One journal, newest first.
    Journal(String),
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

/// Where a list of articles goes on: behind this one. Its text form stands in addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardCursor {
    published: String,
    id: i64,
}

impl CardCursor {
    /// The place behind a card.
    #[must_use]
    pub fn behind(card: &ArticleCard) -> Self {
        Self { published: card.published.clone(), id: card.id }
    }

    /// Reads the text form; `None` for what is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (id, published) = text.split_once('~')?;
        Some(Self { published: published.to_owned(), id: id.parse().ok()? })
    }
}

impl fmt::Display for CardCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}~{}", self.id, self.published)
    }
}

/// Behind every ISO date.
const LATEST_DATE: &str = "9999-99";
const READING: &str = "reading an article";
const WRITING: &str = "storing an article";
const LISTING: &str = "listing articles";

impl SiteStore {
    /// Stores an article with its journal, its issue, its figures and tables, its shelves and the change, in one transaction.
    ///
    /// The article is recognised by its `source_key`. An equal one is left alone, so that importing twice changes nothing.
    /// One that was removed and comes back gets its number back.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is stored then.
    pub async fn put_article(&self, new: &NewArticle) -> Result<Saved, StoreError> {
        let meta = json(&new.article.meta)?;
        let body = json(&new.article.body)?;
        let (pictures, tables, files) = (json(&new.pictures)?, json(&new.tables)?, json(&new.files)?);
        let digest = digest(&[&meta, &body, &new.rendered, &pictures, &tables, &files]);
        if let Some((id, known)) = self.known(&new.article.meta.source_key).await?
            && known == digest
        {
            return Ok(Saved::Unchanged(ArticleId(id)));
        }
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        let seq = next(&mut tx, "changes").await.map_err(StoreError::query(WRITING))?;
        let journal = journals::of_article(&mut tx, self.site, &new.article.meta).await?;
        let (old, id) = self.number(&mut tx, &new.article.meta.source_key).await.map_err(StoreError::query(WRITING))?;
        let mut card = new.card.clone();
        card.id = id;
        card.journal.clone_from(&journal);
        let changed = self.now(&mut tx).await.map_err(StoreError::query(WRITING))?;
        let row = Row { id, digest, journal, card: json(&card)?, meta, body, files, changed };
        self.write(&mut tx, &row, new).await.map_err(StoreError::query(WRITING))?;
        shelves::write(&mut tx, self.site, id, &new.article.meta).await.map_err(StoreError::query(WRITING))?;
        self.write_exhibits(&mut tx, &row, new).await?;
        log(&mut tx, self.site, seq, ChangeKind::Article, ChangeAction::write(old), &id.to_string())
            .await
            .map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(if old { Saved::Updated(ArticleId(id)) } else { Saved::Created(ArticleId(id)) })
    }

    /// Whether the article is there, and its number: its own, the one that it had before it was removed, or a new one.
    async fn number(&self, tx: &mut Transaction<'_, Any>, source_key: &str) -> Result<(bool, i64), sqlx::Error> {
        let old: Option<i64> = sqlx::query_scalar("SELECT id FROM articles WHERE site_id = $1 AND source_key = $2")
            .bind(self.site)
            .bind(source_key)
            .fetch_optional(&mut **tx)
            .await?;
        if let Some(id) = old {
            return Ok((true, id));
        }
        let gone: Option<i64> =
            sqlx::query_scalar("DELETE FROM removed_articles WHERE site_id = $1 AND source_key = $2 RETURNING id")
                .bind(self.site)
                .bind(source_key)
                .fetch_optional(&mut **tx)
                .await?;
        match gone {
            Some(id) => Ok((false, id)),
            None => Ok((false, next(tx, "articles").await?)),
        }
    }

    /// The moment of a change. It never goes back, so that whoever reads changes in their order misses none.
    async fn now(&self, tx: &mut Transaction<'_, Any>) -> Result<i64, sqlx::Error> {
        sqlx::query_scalar(
            "UPDATE sequences SET value = CASE WHEN value < $1 THEN $1 ELSE value END WHERE name = 'moments' RETURNING value",
        )
        .bind((self.clock)())
        .fetch_one(&mut **tx)
        .await
    }

    /// Replaces the figures and tables of an article.
    async fn write_exhibits(
        &self,
        tx: &mut Transaction<'_, Any>,
        row: &Row,
        new: &NewArticle,
    ) -> Result<(), StoreError> {
        let mut kept = Vec::with_capacity(new.pictures.len() + new.tables.len());
        for picture in &new.pictures {
            let mut picture = picture.clone();
            (picture.key, picture.article) = (format!("{}/{}", row.id, picture.element), row.id);
            picture.journal.clone_from(&row.journal);
            let put = resources::write(tx, self.site, ResourceKind::Picture, &picture.place(), &json(&picture)?).await;
            kept.push(put.map_err(StoreError::query(WRITING))?.id());
        }
        for table in &new.tables {
            let mut table = table.clone();
            (table.key, table.article) = (format!("{}/{}", row.id, table.element), row.id);
            table.journal.clone_from(&row.journal);
            let put = resources::write(tx, self.site, ResourceKind::Table, &table.place(), &json(&table)?).await;
            kept.push(put.map_err(StoreError::query(WRITING))?.id());
        }
        let there: Vec<i64> = sqlx::query_scalar(
            "SELECT id FROM resources WHERE site_id = $1 AND article_id = $2 AND kind IN ('picture', 'table')",
        )
        .bind(self.site)
        .bind(row.id)
        .fetch_all(&mut **tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        for id in there.into_iter().filter(|id| !kept.contains(id)) {
            sqlx::query("DELETE FROM resources WHERE site_id = $1 AND id = $2")
                .bind(self.site)
                .bind(id)
                .execute(&mut **tx)
                .await
                .map_err(StoreError::query(WRITING))?;
        }
        Ok(())
    }

    /// Takes an article away, with everything that belongs to it, and remembers that it was there. Says whether it was.
    ///
    /// # Errors
    /// [`StoreError::Query`]; nothing is removed then.
    pub async fn remove_article(&self, id: ArticleId) -> Result<bool, StoreError> {
        self.remove(id).await.map_err(StoreError::query("removing an article"))
    }

    async fn remove(&self, id: ArticleId) -> Result<bool, sqlx::Error> {
        const STATEMENTS: [&str; 4] = [
            "DELETE FROM articles WHERE site_id = $1 AND id = $2",
            "DELETE FROM article_shelves WHERE site_id = $1 AND article_id = $2",
            "DELETE FROM resources WHERE site_id = $1 AND article_id = $2",
            "DELETE FROM counts WHERE site_id = $1 AND kind = 'article' AND entity = $2",
        ];
        let mut tx = self.pool.begin().await?;
        let seq = next(&mut tx, "changes").await?;
        let changed = self.now(&mut tx).await?;
        let noted = sqlx::query(
            "INSERT INTO removed_articles (site_id, id, source_key, journal, changed) \
             SELECT site_id, id, source_key, journal, $3 FROM articles WHERE site_id = $1 AND id = $2",
        )
        .bind(self.site)
        .bind(id.0)
        .bind(changed)
        .execute(&mut *tx)
        .await?
        .rows_affected();
        if noted == 0 {
            return Ok(false);
        }
        for statement in STATEMENTS {
            sqlx::query(statement).bind(self.site).bind(id.0).execute(&mut *tx).await?;
        }
        log(&mut tx, self.site, seq, ChangeKind::Article, ChangeAction::Removed, &id.to_string()).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// The article that was made from these bytes (see [`NewArticle::origin`]) and has not been replaced since.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn article_id_by_origin(&self, origin: &str) -> Result<Option<ArticleId>, StoreError> {
        let id: Option<i64> = sqlx::query_scalar("SELECT id FROM articles WHERE site_id = $1 AND origin = $2 LIMIT 1")
            .bind(self.site)
            .bind(origin)
            .fetch_optional(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        Ok(id.map(ArticleId))
    }

    /// The number of the article with this source key (`doi:10.5555/...`), if this site has it.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn article_id_by_key(&self, source_key: &str) -> Result<Option<ArticleId>, StoreError> {
        Ok(self.known(source_key).await?.map(|(id, _)| ArticleId(id)))
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
             first_status, card, meta, body, rendered, files, changed, origin) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) \
             ON CONFLICT (site_id, source_key) DO UPDATE SET doi_key = excluded.doi_key, digest = excluded.digest, \
             journal = excluded.journal, year = excluded.year, issue = excluded.issue, page_key = excluded.page_key, \
             published = excluded.published, first_status = excluded.first_status, card = excluded.card, \
             meta = excluded.meta, body = excluded.body, rendered = excluded.rendered, files = excluded.files, changed = excluded.changed, \
             origin = excluded.origin",
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
        .bind(&row.files)
        .bind(row.changed)
        .bind(&new.origin)
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    /// The article with this number, if it is this site's.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn article(&self, id: ArticleId) -> Result<Option<StoredArticle>, StoreError> {
        sqlx::query("SELECT id, journal, meta, rendered, files, changed FROM articles WHERE site_id = $1 AND id = $2")
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

    /// A list of articles, at most `limit`; `after` goes on behind a card of the list before (issues are read whole).
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn cards(
        &self,
        query: &CardQuery,
        after: Option<&CardCursor>,
        limit: i64,
    ) -> Result<Vec<ArticleCard>, StoreError> {
        const LATEST: &str = "SELECT card FROM articles WHERE site_id = $1 \
             AND (published < $2 OR (published = $2 AND id < $3)) ORDER BY published DESC, id DESC LIMIT $4";
        const ACCEPTED: &str = "SELECT card FROM articles WHERE site_id = $1 AND first_status = -1 \
             AND (published < $2 OR (published = $2 AND id < $3)) ORDER BY published DESC, id DESC LIMIT $4";
        const ONLINE: &str = "SELECT card FROM articles WHERE site_id = $1 AND issue = '' AND first_status <> -1 \
             AND (published < $2 OR (published = $2 AND id < $3)) ORDER BY published DESC, id DESC LIMIT $4";
        const JOURNAL: &str = "SELECT card FROM articles WHERE site_id = $1 AND journal = $5 \
             AND (published < $2 OR (published = $2 AND id < $3)) ORDER BY published DESC, id DESC LIMIT $4";
        let (published, id) = after.map_or((LATEST_DATE, i64::MAX), |cursor| (cursor.published.as_str(), cursor.id));
        let statement = match query {
            CardQuery::Issue { journal, year, issue } => sqlx::query_scalar::<_, String>(
                "SELECT card FROM articles WHERE site_id = $1 AND journal = $2 AND year = $3 AND issue = $4 \
                 ORDER BY page_key, id LIMIT $5",
            )
            .bind(self.site)
            .bind(journal.as_str())
            .bind(i64::from(*year))
            .bind(issue.as_str())
            .bind(limit),
            CardQuery::Latest => sqlx::query_scalar(LATEST).bind(self.site).bind(published).bind(id).bind(limit),
            CardQuery::JustAccepted => {
                sqlx::query_scalar(ACCEPTED).bind(self.site).bind(published).bind(id).bind(limit)
            }
            CardQuery::OnlineFirst => sqlx::query_scalar(ONLINE).bind(self.site).bind(published).bind(id).bind(limit),
            CardQuery::Journal(journal) => {
                sqlx::query_scalar(JOURNAL).bind(self.site).bind(published).bind(id).bind(limit).bind(journal.as_str())
            }
        };
        let cards = statement.fetch_all(&self.pool).await.map_err(StoreError::query(LISTING))?;
        cards.iter().map(|card| serde_json::from_str(card).map_err(StoreError::damaged("an article's card"))).collect()
    }

    /// The cards of these articles, in this order; numbers of other sites and of nothing are left out.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn cards_by_id(&self, ids: &[ArticleId]) -> Result<Vec<ArticleCard>, StoreError> {
        let mut cards = HashMap::with_capacity(ids.len());
        for some in ids.chunks(crate::LIST) {
            let sql = format!(
                "SELECT id, card FROM articles WHERE site_id = $1 AND id IN ({})",
                crate::places(2, some.len())
            );
            let mut query = sqlx::query_as::<_, (i64, String)>(sqlx::AssertSqlSafe(sql)).bind(self.site);
            for id in some {
                query = query.bind(id.0);
            }
            cards.extend(query.fetch_all(&self.pool).await.map_err(StoreError::query(LISTING))?);
        }
        ids.iter()
            .filter_map(|id| cards.remove(&id.0))
            .map(|card| serde_json::from_str(&card).map_err(StoreError::damaged("an article's card")))
            .collect()
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
    files: String,
    changed: i64,
}

fn stored(row: &AnyRow) -> Result<StoredArticle, StoreError> {
    let text = |index: usize| row.try_get::<String, _>(index).map_err(StoreError::query(READING));
    Ok(StoredArticle {
        id: ArticleId(row.try_get(0).map_err(StoreError::query(READING))?),
        journal: text(1)?,
        meta: serde_json::from_str(&text(2)?).map_err(StoreError::damaged("an article's data"))?,
        rendered: text(3)?,
        files: serde_json::from_str(&text(4)?).map_err(StoreError::damaged("an article's files"))?,
        changed_ms: row.try_get(5).map_err(StoreError::query(READING))?,
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
    masthead_domain::text::hex(&hash.finalize())
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
