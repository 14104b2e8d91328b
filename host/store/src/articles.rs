//! Articles as they are passed to the store, and reading them.

use std::{collections::HashMap, fmt};

use masthead_domain::{
    ArticleId, Doi,
    access::{ArticleAccess, FullText},
    article::{Article, ArticleFile, ArticleMeta},
    card::ArticleCard,
    content::ArticleBody,
    publication::Issue,
    resource::{Picture, TableSheet},
    text::section_key,
};
use sqlx::{Row as _, any::AnyRow};

use crate::{KEYS, LIST, SiteStore, StoreError, StoredForm, edits, places, rows};

/// An article to be stored.
#[derive(Clone, Debug, Default)]
pub struct NewArticle {
    /// Metadata and content.
    pub article: Article,
    /// Its card in lists.
    pub card: ArticleCard,
    /// The renderer's output as JSON; the store does not look inside.
    pub rendered: String,
    /// The long sections of `rendered`, compressed for the article page, or empty; the store does not look inside.
    pub compressed_html: Vec<u8>,
    /// Its figures as resources; the store writes the article's number, the journal and the key into them.
    pub pictures: Vec<Picture>,
    /// Its tables as resources, in the same way.
    pub tables: Vec<TableSheet>,
    /// The files that came with it.
    pub files: Vec<ArticleFile>,
    /// Digest of the bytes that it was imported from, by which a repeated import skips it; or "".
    pub origin: String,
    /// The stamp of the fields that were edited by hand, as they were when the article was converted with them
    /// ([`crate::edits_stamp`]), or "".
    pub edits: String,
    /// Its [`crate::work_key`] before the fields that were edited by hand were put into it: later sources have the values of the source.
    /// `None` for that of `article`.
    pub work_key: Option<String>,
    /// The article that it replaces although its key is another one, as [`SiteStore::recognise`] found it.
    pub replaces: Option<ArticleId>,
}

/// An article as the article page needs it.
#[derive(Clone, Debug)]
pub struct StoredArticle {
    /// Its number.
    pub id: ArticleId,
    /// Key of its journal on the site.
    pub journal: String,
    /// Metadata.
    pub meta: ArticleMeta,
    /// The renderer's output as JSON.
    pub rendered: FullText<String>,
    /// The files that came with it.
    pub files: Vec<ArticleFile>,
    /// When it was last written, milliseconds since 1970.
    pub changed_ms: i64,
    /// The number of its latest change in the change log.
    pub change_seq: i64,
}

impl StoredArticle {
    /// What the decision about reading depends on of the article.
    #[must_use]
    pub const fn access(&self) -> ArticleAccess {
        ArticleAccess { article: self.id, open_access: self.meta.open_access }
    }

    /// The PDF of the whole article, if one came with it.
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

impl CardQuery {
    /// What the articles of the list have in common, as a further condition; journals and issues are named by values beside it.
    pub(crate) const fn condition(&self) -> &'static str {
        match self {
            Self::JustAccepted => " AND first_status = -1",
            // The index `articles_online_first` has the same conditions.
            Self::OnlineFirst => " AND issue = '' AND first_status <> -1",
            Self::Latest | Self::Journal(_) | Self::Issue { .. } => "",
        }
    }
}

/// A place in a list of articles; the next page begins behind it. Its text form is part of addresses.
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

    /// Reads the text form; `None` if the text is no cursor.
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

/// Sorts behind every ISO date.
const LATEST_DATE: &str = "9999-99";
const READING: &str = "reading an article";
const LISTING: &str = "listing articles";

impl SiteStore {
    /// The number of the article that was imported from these bytes (see [`NewArticle::origin`]) and has not been replaced since.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn article_id_by_origin(&self, origin: &str) -> Result<Option<ArticleId>, StoreError> {
        self.id_by("SELECT id FROM articles WHERE site_id = $1 AND origin = $2 LIMIT 1", origin)
            .await
            .map_err(StoreError::query(READING))
    }

    /// The number of the article with this source key (`doi:10.5555/...`), if this site has it.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn article_id_by_key(&self, source_key: &str) -> Result<Option<ArticleId>, StoreError> {
        self.id_by("SELECT id FROM articles WHERE site_id = $1 AND source_key = $2", source_key)
            .await
            .map_err(StoreError::query(READING))
    }

    /// The number that a statement finds by the site and a text.
    pub(crate) async fn id_by(&self, select: &'static str, text: &str) -> Result<Option<ArticleId>, sqlx::Error> {
        let id: Option<i64> = sqlx::query_scalar(select).bind(self.site).bind(text).fetch_optional(&self.pool).await?;
        Ok(id.map(ArticleId))
    }

    /// The number that `by_doi` finds by the site and the key of a DOI; without one, the number that `by_number` finds by the site and the
    /// number of the article that had this DOI before an editor changed it.
    pub(crate) async fn id_by_doi(
        &self,
        by_doi: &'static str,
        by_number: &'static str,
        doi: &Doi,
    ) -> Result<Option<ArticleId>, sqlx::Error> {
        match self.id_by(by_doi, &doi.key()).await? {
            Some(id) => Ok(Some(id)),
            None => edits::by_earlier_doi(&self.pool, self.site, by_number, doi).await,
        }
    }

    /// The article with this number, if it is this site's.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn article(&self, id: ArticleId) -> Result<Option<StoredArticle>, StoreError> {
        sqlx::query(
            "SELECT id, journal, meta, rendered, files, changed, change_seq FROM articles WHERE site_id = $1 AND id = $2",
        )
            .bind(self.site)
            .bind(id.0)
            .fetch_optional(&self.pool)
            .await
            .map_err(StoreError::query(READING))?
            .as_ref()
            .map(stored)
            .transpose()
    }

    /// The article with this number, if it is this site's, with the compressed HTML of its long sections, which is empty if none is stored.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn article_with_compressed_html(
        &self,
        id: ArticleId,
    ) -> Result<Option<(StoredArticle, FullText<Vec<u8>>)>, StoreError> {
        let row = sqlx::query(
            "SELECT id, journal, meta, rendered, files, changed, change_seq, blocks FROM articles AS a \
             LEFT JOIN compressed_html AS c ON c.site_id = a.site_id AND c.article_id = a.id AND c.digest = a.digest \
             WHERE a.site_id = $1 AND a.id = $2",
        )
        .bind(self.site)
        .bind(id.0)
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        let both = |row: &AnyRow| {
            let blocks: Option<Vec<u8>> = row.try_get(7).map_err(StoreError::query(READING))?;
            Ok((stored(row)?, FullText::new(id, blocks.unwrap_or_default())))
        };
        row.as_ref().map(both).transpose()
    }

    /// The articles with these numbers, by number; numbers of other sites and of removed articles are left out.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn articles(&self, ids: &[ArticleId]) -> Result<HashMap<ArticleId, StoredArticle>, StoreError> {
        const SELECT: &str =
            "SELECT id, journal, meta, rendered, files, changed, change_seq FROM articles WHERE site_id = $1 AND id IN";
        let rows = self.rows_by_id(SELECT, ids).await?;
        rows.iter().map(|row| stored(row).map(|article| (article.id, article))).collect()
    }

    /// The same articles with their content nodes in place of the rendered HTML.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn full_articles(
        &self,
        ids: &[ArticleId],
    ) -> Result<HashMap<ArticleId, (ArticleMeta, FullText<ArticleBody>)>, StoreError> {
        const SELECT: &str = "SELECT id, meta, body FROM articles WHERE site_id = $1 AND id IN";
        let rows = self.rows_by_id(SELECT, ids).await?;
        let full = |row: &AnyRow| {
            let id = ArticleId(row.try_get(0).map_err(StoreError::query(READING))?);
            let meta: &str = row.try_get(1).map_err(StoreError::query(READING))?;
            let body: &str = row.try_get(2).map_err(StoreError::query(READING))?;
            Ok((id, (read_meta(meta)?, FullText::new(id, read_body(body)?))))
        };
        rows.iter().map(full).collect()
    }

    /// The metadata of the articles with these numbers and the time of their last change (milliseconds since 1970), by number.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn metas(&self, ids: &[ArticleId]) -> Result<HashMap<ArticleId, (ArticleMeta, i64)>, StoreError> {
        const SELECT: &str = "SELECT id, meta, changed FROM articles WHERE site_id = $1 AND id IN";
        let rows = self.rows_by_id(SELECT, ids).await?;
        let meta = |row: &AnyRow| {
            let id: i64 = row.try_get(0).map_err(StoreError::query(READING))?;
            let meta: &str = row.try_get(1).map_err(StoreError::query(READING))?;
            let changed: i64 = row.try_get(2).map_err(StoreError::query(READING))?;
            Ok((ArticleId(id), (read_meta(meta)?, changed)))
        };
        rows.iter().map(meta).collect()
    }

    async fn rows_by_id(&self, select: &'static str, ids: &[ArticleId]) -> Result<Vec<AnyRow>, StoreError> {
        let mut rows = Vec::with_capacity(ids.len());
        for some in ids.chunks(LIST) {
            let sql = format!("{select} ({})", places(2, some.len()));
            let mut query = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(self.site);
            for id in some {
                query = query.bind(id.0);
            }
            rows.extend(query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?);
        }
        Ok(rows)
    }

    /// The number of the article with this DOI, or that had it before an editor changed it, if it is this site's.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn article_id_by_doi(&self, doi: &Doi) -> Result<Option<ArticleId>, StoreError> {
        const BY_DOI: &str = "SELECT id FROM articles WHERE site_id = $1 AND doi_key = $2";
        const BY_NUMBER: &str = "SELECT id FROM articles WHERE site_id = $1 AND id = $2";
        self.id_by_doi(BY_DOI, BY_NUMBER, doi).await.map_err(StoreError::query(READING))
    }

    /// The source key of the article that a source with this metadata is of, if it is another one than the source gives: the article, present
    /// or withdrawn, has its DOI, or had it before an editor changed it.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn other_source_key(&self, meta: &ArticleMeta) -> Result<Option<String>, StoreError> {
        let Some(doi) = &meta.doi else { return Ok(None) };
        let known: Vec<String> = sqlx::query_scalar(
            "SELECT source_key FROM articles WHERE site_id = $1 AND (source_key = $2 OR doi_key = $3) UNION ALL \
             SELECT source_key FROM withdrawn_articles WHERE site_id = $1 AND (source_key = $2 OR doi_key = $3)",
        )
        .bind(self.site)
        .bind(&meta.source_key)
        .bind(doi.key())
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        if known.contains(&meta.source_key) {
            return Ok(None);
        }
        if let Some(key) = known.into_iter().next() {
            return Ok(Some(key));
        }
        let earlier = edits::earlier_dois(&self.pool, self.site).await.map_err(StoreError::query(READING))?;
        let Some(id) = earlier.get(&doi.key()) else { return Ok(None) };
        sqlx::query_scalar(
            "SELECT source_key FROM articles WHERE site_id = $1 AND id = $2 \
             UNION ALL SELECT source_key FROM withdrawn_articles WHERE site_id = $1 AND id = $2",
        )
        .bind(self.site)
        .bind(*id)
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::query(READING))
    }

    /// The content nodes of an article, if it is this site's.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn body(&self, id: ArticleId) -> Result<Option<FullText<ArticleBody>>, StoreError> {
        let text: Option<String> = sqlx::query_scalar("SELECT body FROM articles WHERE site_id = $1 AND id = $2")
            .bind(self.site)
            .bind(id.0)
            .fetch_optional(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        text.map(|text| Ok(FullText::new(id, read_body(&text)?))).transpose()
    }

    /// A list of articles, at most `limit`; with `after` it begins behind that place (issues are read whole).
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn cards(
        &self,
        query: &CardQuery,
        after: Option<&CardCursor>,
        limit: i64,
    ) -> Result<Vec<ArticleCard>, StoreError> {
        let (published, id) = after.map_or((LATEST_DATE, i64::MAX), |cursor| (cursor.published.as_str(), cursor.id));
        let (and, journal) = match query {
            CardQuery::Issue { journal, year, issue } => {
                return self.cards_of_issue(journal, *year, issue, limit).await;
            }
            CardQuery::Journal(journal) => (" AND journal = $5", Some(journal.as_str())),
            other => (other.condition(), None),
        };
        let sql = format!(
            "SELECT card FROM articles WHERE site_id = $1{and} AND (published < $2 OR (published = $2 AND id < $3)) \
             ORDER BY published DESC, id DESC LIMIT $4"
        );
        let statement = sqlx::query_scalar::<_, String>(sqlx::AssertSqlSafe(sql));
        let mut statement = statement.bind(self.site).bind(published).bind(id).bind(limit);
        if let Some(journal) = journal {
            statement = statement.bind(journal);
        }
        let cards = statement.fetch_all(&self.pool).await.map_err(StoreError::query(LISTING))?;
        cards.iter().map(|card| ArticleCard::decode(card).map_err(StoreError::damaged("an article's card"))).collect()
    }

    /// The articles of an issue: in the order of sections and articles that an editor has set, then in page order. What comes first in the
    /// editor's order may be anywhere in page order, so that such an issue is read whole.
    async fn cards_of_issue(
        &self,
        journal: &str,
        year: i32,
        issue: &str,
        limit: i64,
    ) -> Result<Vec<ArticleCard>, StoreError> {
        let record = self.issue_record(journal, year, issue).await?.map(|(issue, _)| issue);
        let ordered = record.filter(has_order);
        let rows: Vec<(String, String)> = sqlx::query_as(
            "SELECT source_key, card FROM articles WHERE site_id = $1 AND journal = $2 AND year = $3 AND issue = $4 \
             ORDER BY page_key, id LIMIT $5",
        )
        .bind(self.site)
        .bind(journal)
        .bind(i64::from(year))
        .bind(issue)
        .bind(if ordered.is_some() { i64::MAX } else { limit })
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(LISTING))?;
        let mut cards = Vec::with_capacity(rows.len());
        for (key, card) in rows {
            cards.push((key, ArticleCard::decode(&card).map_err(StoreError::damaged("an article's card"))?));
        }
        if let Some(issue) = ordered {
            in_order(&mut cards, &issue);
        }
        cards.truncate(usize::try_from(limit).unwrap_or(0));
        Ok(cards.into_iter().map(|(_, card)| card).collect())
    }

    /// The cards of these articles, in this order; unknown numbers and numbers of other sites are left out.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn cards_by_id(&self, ids: &[ArticleId]) -> Result<Vec<ArticleCard>, StoreError> {
        let mut cards = HashMap::with_capacity(ids.len());
        for some in ids.chunks(KEYS) {
            let sql = format!("SELECT id, card FROM articles WHERE site_id = $1 AND id IN ({})", places(2, some.len()));
            let mut query = sqlx::query_as::<_, (i64, String)>(sqlx::AssertSqlSafe(sql)).bind(self.site);
            for id in some {
                query = query.bind(id.0);
            }
            cards.extend(query.fetch_all(&self.pool).await.map_err(StoreError::query(LISTING))?);
        }
        ids.iter()
            .filter_map(|id| cards.remove(&id.0))
            .map(|card| ArticleCard::decode(&card).map_err(StoreError::damaged("an article's card")))
            .collect()
    }

    /// The number of the site's articles.
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

/// Whether an editor has set an order of sections or articles for an issue.
pub(crate) const fn has_order(issue: &Issue) -> bool {
    !issue.sections.is_empty() || !issue.articles.is_empty()
}

/// Sorts articles, each with its source key, into the order of sections and articles that an editor has set for their issue. What the
/// editor has not named comes behind, in the order in which it was.
pub(crate) fn in_order(cards: &mut [(String, ArticleCard)], issue: &Issue) {
    let place = |all: &[String], same: &dyn Fn(&String) -> bool| all.iter().position(same).unwrap_or(usize::MAX);
    cards.sort_by_cached_key(|(key, card)| {
        let subject = section_key(&card.subject);
        let section = place(&issue.sections, &|name| section_key(name) == subject);
        (section, place(&issue.articles, &|name| name == key))
    });
}

pub(crate) fn stored(row: &AnyRow) -> Result<StoredArticle, StoreError> {
    let text = |index: usize| row.try_get::<String, _>(index).map_err(StoreError::query(READING));
    let id = ArticleId(row.try_get(0).map_err(StoreError::query(READING))?);
    Ok(StoredArticle {
        id,
        journal: text(1)?,
        meta: read_meta(&text(2)?)?,
        rendered: FullText::new(id, text(3)?),
        files: rows::decode_files(&text(4)?).map_err(StoreError::damaged("an article's files"))?,
        changed_ms: row.try_get(5).map_err(StoreError::query(READING))?,
        change_seq: row.try_get(6).map_err(StoreError::query(READING))?,
    })
}

pub(crate) fn read_meta(text: &str) -> Result<ArticleMeta, StoreError> {
    ArticleMeta::decode(text).map_err(StoreError::damaged("an article's data"))
}

fn read_body(text: &str) -> Result<ArticleBody, StoreError> {
    ArticleBody::decode(text).map_err(StoreError::damaged("an article's body"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_of_an_issue_come_in_the_order_of_its_editor() {
        let card = |key: &str, subject: &str| {
            (key.to_owned(), ArticleCard { subject: subject.to_owned(), ..ArticleCard::default() })
        };
        let cards = [card("a", "Letters"), card("b", "Reviews"), card("c", "letters"), card("d", "Notes")];
        let order = |sections: &[&str], articles: &[&str]| {
            let names = |all: &[&str]| all.iter().map(|&name| name.to_owned()).collect();
            let issue = Issue { sections: names(sections), articles: names(articles), ..Issue::default() };
            let mut cards = cards.clone();
            in_order(&mut cards, &issue);
            cards.into_iter().map(|(key, _)| key).collect::<String>()
        };
        assert_eq!(order(&[], &[]), "abcd");
        assert_eq!(order(&[], &["c", "gone", "b"]), "cbad");
        assert_eq!(order(&["Reviews", "Letters"], &[]), "bacd");
        assert_eq!(order(&["Notes", "Letters"], &["c"]), "dcab");
        assert_eq!(order(&["Notes", " Letters "], &["b", "c"]), "dcab", "sections come before the order of articles");
    }
}
