//! Withdrawn articles. A withdrawn article keeps its number and everything that belongs to it, in a table of its own: no list, index or call
//! finds it, harvesters are told that it was removed, and its page shows why. It can be put back.

use masthead_domain::{
    ArticleId, Doi,
    article::{Article, ArticleMeta, Withdrawal},
    card::ArticleCard,
    content::ArticleBody,
    resource::{Picture, TableSheet},
};
use serde_json::json;
use sqlx::{Any, Row as _, Transaction, any::AnyRow};

use crate::{
    Changed, NewArticle, RecordChange, SiteStore, StoreError, StoredForm, begin_change, edits, encode, lock_changes,
    media_uses, next,
    records::{is_current, record_version, stored_article},
    rows, subjects,
};

const READING: &str = "reading a withdrawn article";
const WRITING: &str = "withdrawing an article";

/// A withdrawn article.
#[derive(Clone, Debug)]
pub struct WithdrawnArticle {
    /// Its number.
    pub id: ArticleId,
    /// Key of its journal.
    pub journal: String,
    /// Its metadata.
    pub meta: ArticleMeta,
    /// When and why it was withdrawn.
    pub withdrawal: Withdrawal,
    /// Its version as a record.
    pub version: String,
}

impl SiteStore {
    /// The withdrawn article with this number, if it is this site's.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn withdrawn_article(&self, id: ArticleId) -> Result<Option<WithdrawnArticle>, StoreError> {
        let row = sqlx::query(
            "SELECT id, journal, meta, withdrawal, digest FROM withdrawn_articles WHERE site_id = $1 AND id = $2",
        )
        .bind(self.site)
        .bind(id.0)
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        row.as_ref().map(withdrawn).transpose()
    }

    /// The number of the withdrawn article with this DOI, or that had it before an editor changed it, if it is this site's.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn withdrawn_id_by_doi(&self, doi: &Doi) -> Result<Option<ArticleId>, StoreError> {
        const BY_DOI: &str = "SELECT id FROM withdrawn_articles WHERE site_id = $1 AND doi_key = $2 LIMIT 1";
        const BY_NUMBER: &str = "SELECT id FROM withdrawn_articles WHERE site_id = $1 AND id = $2";
        self.id_by_doi(BY_DOI, BY_NUMBER, doi).await.map_err(StoreError::query(READING))
    }

    /// The number of the withdrawn article with this source key, if it is this site's.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn withdrawn_id_by_key(&self, source_key: &str) -> Result<Option<ArticleId>, StoreError> {
        self.id_by("SELECT id FROM withdrawn_articles WHERE site_id = $1 AND source_key = $2", source_key)
            .await
            .map_err(StoreError::query(READING))
    }

    /// Withdrawn articles in the order of their numbers behind number `after`, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn withdrawn_articles(&self, after: i64, limit: i64) -> Result<Vec<WithdrawnArticle>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, journal, meta, withdrawal, digest FROM withdrawn_articles WHERE site_id = $1 AND id > $2 \
             ORDER BY id LIMIT $3",
        )
        .bind(self.site)
        .bind(after)
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        rows.iter().map(withdrawn).collect()
    }

    /// Withdraws an article.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is changed then.
    pub async fn withdraw_article(
        &self,
        id: ArticleId,
        withdrawal: &Withdrawal,
        change: RecordChange<'_>,
    ) -> Result<Changed, StoreError> {
        let (mut tx, seq) = begin_change(&self.pool).await.map_err(StoreError::query(WRITING))?;
        if !is_current(stored_article(&mut *tx, self.site, id).await?.as_deref(), change.from) {
            return Ok(Changed::Stale);
        }
        let text = encode(withdrawal)?;
        self.set_aside(&mut tx, id, &text, seq).await.map_err(StoreError::query(WRITING))?;
        self.finish(tx, &subjects::article(id), change).await
    }

    /// Moves an article to the withdrawn ones, with its figures, tables and counts, and keeps its files.
    async fn set_aside(
        &self,
        tx: &mut Transaction<'_, Any>,
        id: ArticleId,
        withdrawal: &str,
        seq: i64,
    ) -> Result<(), sqlx::Error> {
        let exhibits: Vec<(String, String)> = sqlx::query_as(
            "SELECT kind, data FROM resources WHERE site_id = $1 AND article_id = $2 AND kind IN ('picture', 'table') \
             ORDER BY id",
        )
        .bind(self.site)
        .bind(id.0)
        .fetch_all(&mut **tx)
        .await?;
        let exhibits = json!(exhibits).to_string();
        let texts: (String, String) =
            sqlx::query_as("SELECT rendered, files FROM articles WHERE site_id = $1 AND id = $2")
                .bind(self.site)
                .bind(id.0)
                .fetch_one(&mut **tx)
                .await?;
        sqlx::query(
            "INSERT INTO withdrawn_articles (site_id, id, source_key, doi_key, journal, withdrawal, digest, card, meta, \
             body, rendered, files, exhibits, origin, work_key) SELECT site_id, id, source_key, doi_key, journal, \
             CAST($3 AS TEXT), digest, card, meta, body, rendered, files, CAST($4 AS TEXT), origin, work_key \
             FROM articles WHERE site_id = $1 AND id = $2",
        )
        .bind(self.site)
        .bind(id.0)
        .bind(withdrawal)
        .bind(&exhibits)
        .execute(&mut **tx)
        .await?;
        self.take_out(tx, id, seq).await?;
        let all = vec![texts.0.as_str(), texts.1.as_str(), exhibits.as_str()];
        media_uses::add(tx, self.site, &[(media_uses::withdrawn(id.0), all)]).await?;
        self.rename_counts(tx, id, "article", "withdrawn").await
    }

    /// Changes what the page of a withdrawn article says.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is changed then.
    pub async fn edit_withdrawal(
        &self,
        id: ArticleId,
        withdrawal: &Withdrawal,
        change: RecordChange<'_>,
    ) -> Result<Changed, StoreError> {
        let (mut tx, seq) = begin_change(&self.pool).await.map_err(StoreError::query(WRITING))?;
        if !self.is_current_withdrawal(&mut tx, id, change.from).await? {
            return Ok(Changed::Stale);
        }
        sqlx::query("UPDATE withdrawn_articles SET withdrawal = $3 WHERE site_id = $1 AND id = $2")
            .bind(self.site)
            .bind(id.0)
            .bind(encode(withdrawal)?)
            .execute(&mut *tx)
            .await
            .map_err(StoreError::query(WRITING))?;
        crate::log(&mut tx, self.site, seq, crate::ChangeKind::Article, crate::ChangeAction::Removed, &id.to_string())
            .await
            .map_err(StoreError::query(WRITING))?;
        self.finish(tx, &subjects::article(id), change).await
    }

    /// Puts a withdrawn article back as it was.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is changed then.
    pub async fn reinstate_article(&self, id: ArticleId, change: RecordChange<'_>) -> Result<Changed, StoreError> {
        let mut tx = lock_changes(&self.pool).await.map_err(StoreError::query(WRITING))?;
        if !self.is_current_withdrawal(&mut tx, id, change.from).await? {
            return Ok(Changed::Stale);
        }
        let row = sqlx::query(
            "SELECT card, meta, body, rendered, files, exhibits, origin, work_key FROM withdrawn_articles \
             WHERE site_id = $1 AND id = $2",
        )
        .bind(self.site)
        .bind(id.0)
        .fetch_one(&mut *tx)
        .await
        .map_err(StoreError::query(READING))?;
        let new = article(&row)?;
        self.forget_withdrawal(&mut tx, id).await.map_err(StoreError::query(WRITING))?;
        // It has its former number: it is noted among the removed articles.
        self.write_one(&mut tx, &new).await?;
        self.rename_counts(&mut tx, id, "withdrawn", "article").await.map_err(StoreError::query(WRITING))?;
        self.finish(tx, &subjects::article(id), change).await
    }

    /// Removes an article by hand, whether it is withdrawn or not.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is removed then.
    pub async fn remove_article_record(&self, id: ArticleId, change: RecordChange<'_>) -> Result<Changed, StoreError> {
        let mut tx = lock_changes(&self.pool).await.map_err(StoreError::query(WRITING))?;
        let withdrawn = self.is_current_withdrawal(&mut tx, id, change.from).await?;
        if withdrawn {
            self.remove_withdrawn(&mut tx, id).await.map_err(StoreError::query(WRITING))?;
        } else {
            if !is_current(stored_article(&mut *tx, self.site, id).await?.as_deref(), change.from) {
                return Ok(Changed::Stale);
            }
            self.remove_in(&mut tx, id).await.map_err(StoreError::query(WRITING))?;
        }
        self.finish(tx, &subjects::article(id), change).await
    }

    async fn remove_withdrawn(&self, tx: &mut Transaction<'_, Any>, id: ArticleId) -> Result<(), sqlx::Error> {
        const STATEMENTS: [&str; 3] = [
            "DELETE FROM resources WHERE site_id = $1 AND article_id = $2",
            "DELETE FROM external_citations WHERE site_id = $1 AND article_id = $2",
            "DELETE FROM counts WHERE site_id = $1 AND kind IN ('withdrawn', 'article-imported') AND entity = $2",
        ];
        let seq = next(tx, "changes").await?;
        self.forget_withdrawal(tx, id).await?;
        for statement in STATEMENTS {
            sqlx::query(statement).bind(self.site).bind(id.0).execute(&mut **tx).await?;
        }
        edits::forget(tx, self.site, &subjects::article(id)).await?;
        let (kind, action) = (crate::ChangeKind::Article, crate::ChangeAction::Removed);
        crate::log(tx, self.site, seq, kind, action, &id.to_string()).await
    }

    /// Deletes the row of a withdrawn article, and ends the use of its files.
    async fn forget_withdrawal(&self, tx: &mut Transaction<'_, Any>, id: ArticleId) -> Result<(), sqlx::Error> {
        media_uses::end(tx, self.site, &[media_uses::withdrawn(id.0)], (self.clock)()).await?;
        sqlx::query("DELETE FROM withdrawn_articles WHERE site_id = $1 AND id = $2")
            .bind(self.site)
            .bind(id.0)
            .execute(&mut **tx)
            .await?;
        Ok(())
    }

    async fn is_current_withdrawal(
        &self,
        tx: &mut Transaction<'_, Any>,
        id: ArticleId,
        from: Option<&str>,
    ) -> Result<bool, StoreError> {
        let known: Option<(String, String)> =
            sqlx::query_as("SELECT digest, withdrawal FROM withdrawn_articles WHERE site_id = $1 AND id = $2")
                .bind(self.site)
                .bind(id.0)
                .fetch_optional(&mut **tx)
                .await
                .map_err(StoreError::query(READING))?;
        Ok(known.is_some_and(|(digest, withdrawal)| from == Some(version(&digest, &withdrawal).as_str())))
    }

    /// Moves the counts of an article from one kind to another, so that rankings list it or not.
    async fn rename_counts(
        &self,
        tx: &mut Transaction<'_, Any>,
        id: ArticleId,
        from: &str,
        to: &str,
    ) -> Result<(), sqlx::Error> {
        sqlx::query(
            "INSERT INTO counts (site_id, kind, day, entity, visits, downloads) \
             SELECT site_id, CAST($4 AS TEXT), day, entity, visits, downloads FROM counts \
             WHERE site_id = $1 AND kind = $3 AND entity = $2 \
             ON CONFLICT (site_id, kind, day, entity) DO UPDATE SET visits = counts.visits + excluded.visits, \
             downloads = counts.downloads + excluded.downloads",
        )
        .bind(self.site)
        .bind(id.0)
        .bind(from)
        .bind(to)
        .execute(&mut **tx)
        .await?;
        sqlx::query("DELETE FROM counts WHERE site_id = $1 AND kind = $3 AND entity = $2")
            .bind(self.site)
            .bind(id.0)
            .bind(from)
            .execute(&mut **tx)
            .await?;
        Ok(())
    }
}

/// Whether a site has this article among its withdrawn ones.
pub(crate) async fn is_withdrawn(tx: &mut Transaction<'_, Any>, site: i64, id: ArticleId) -> Result<bool, StoreError> {
    let found: Option<i64> = sqlx::query_scalar("SELECT id FROM withdrawn_articles WHERE site_id = $1 AND id = $2")
        .bind(site)
        .bind(id.0)
        .fetch_optional(&mut **tx)
        .await
        .map_err(StoreError::query(READING))?;
    Ok(found.is_some())
}

fn version(digest: &str, withdrawal: &str) -> String {
    record_version(&format!("{digest} {withdrawal}"))
}

fn withdrawn(row: &AnyRow) -> Result<WithdrawnArticle, StoreError> {
    let text = |index: usize| row.try_get::<String, _>(index).map_err(StoreError::query(READING));
    let (withdrawal, digest) = (text(3)?, text(4)?);
    Ok(WithdrawnArticle {
        id: ArticleId(row.try_get(0).map_err(StoreError::query(READING))?),
        journal: text(1)?,
        meta: ArticleMeta::decode(&text(2)?).map_err(StoreError::damaged("an article's data"))?,
        withdrawal: Withdrawal::decode(&withdrawal).map_err(StoreError::damaged("the withdrawal of an article"))?,
        version: version(&digest, &withdrawal),
    })
}

/// A withdrawn article as it is stored again: its figures and tables get their keys when it is written, as in an import. Its compressed HTML is made again when its page is.
fn article(row: &AnyRow) -> Result<NewArticle, StoreError> {
    let text = |index: usize| row.try_get::<String, _>(index).map_err(StoreError::query(READING));
    let body = ArticleBody::decode(&text(2)?).map_err(StoreError::damaged("an article's body"))?;
    let meta = ArticleMeta::decode(&text(1)?).map_err(StoreError::damaged("an article's data"))?;
    let exhibits: Vec<(String, String)> =
        serde_json::from_str(&text(5)?).map_err(StoreError::damaged("the figures of an article"))?;
    let (mut pictures, mut tables) = (Vec::new(), Vec::new());
    for (kind, data) in &exhibits {
        if kind == "picture" {
            let mut picture = Picture::decode(data).map_err(StoreError::damaged("a figure"))?;
            (picture.key, picture.article, picture.journal) = (String::new(), 0, String::new());
            pictures.push(picture);
        } else {
            let mut table = TableSheet::decode(data).map_err(StoreError::damaged("a table"))?;
            (table.key, table.article, table.journal) = (String::new(), 0, String::new());
            tables.push(table);
        }
    }
    Ok(NewArticle {
        article: Article { meta, body },
        card: ArticleCard::decode(&text(0)?).map_err(StoreError::damaged("an article's card"))?,
        rendered: text(3)?,
        pictures,
        tables,
        files: rows::decode_files(&text(4)?).map_err(StoreError::damaged("an article's files"))?,
        origin: text(6)?,
        work_key: Some(text(7)?).filter(|key| !key.is_empty()),
        ..NewArticle::default()
    })
}
