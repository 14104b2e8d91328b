//! Removing articles, for good or into the table of withdrawn ones.

use masthead_domain::ArticleId;
use sqlx::{Any, Transaction};

use crate::{
    ChangeAction, ChangeKind, SiteStore, StoreError, change_log, change_log::LogLine, citations, edits, media_uses,
    next, notices, subjects,
};

const REMOVING: &str = "removing an article";

impl SiteStore {
    /// Removes an article with everything that belongs to it, and records the removal for harvesters. Returns whether it was present.
    ///
    /// # Errors
    /// [`StoreError::Query`]; nothing is removed then.
    pub async fn remove_article(&self, id: ArticleId) -> Result<bool, StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(REMOVING))?;
        if !self.remove_in(&mut tx, id).await.map_err(StoreError::query(REMOVING))? {
            return Ok(false);
        }
        tx.commit().await.map_err(StoreError::query(REMOVING))?;
        Ok(true)
    }

    /// Removes an article in a transaction; returns whether it was present.
    pub(crate) async fn remove_in(&self, tx: &mut Transaction<'_, Any>, id: ArticleId) -> Result<bool, sqlx::Error> {
        const STATEMENTS: [&str; 3] = [
            "DELETE FROM resources WHERE site_id = $1 AND article_id = $2",
            "DELETE FROM external_citations WHERE site_id = $1 AND article_id = $2",
            "DELETE FROM counts WHERE site_id = $1 AND kind IN ('article', 'article-imported') AND entity = $2",
        ];
        let seq = next(tx, "changes").await?;
        if !self.take_out(tx, id, seq).await? {
            return Ok(false);
        }
        for statement in STATEMENTS {
            sqlx::query(statement).bind(self.site).bind(id.0).execute(&mut **tx).await?;
        }
        edits::forget(tx, self.site, &subjects::article(id)).await?;
        Ok(true)
    }

    /// Takes an article out of all lists, with its figures and tables and its entries of the browse index, and records the removal for
    /// harvesters and in the change log. Returns whether it was present.
    pub(crate) async fn take_out(
        &self,
        tx: &mut Transaction<'_, Any>,
        id: ArticleId,
        seq: i64,
    ) -> Result<bool, sqlx::Error> {
        const STATEMENTS: [&str; 4] = [
            "DELETE FROM articles WHERE site_id = $1 AND id = $2",
            "DELETE FROM compressed_html WHERE site_id = $1 AND article_id = $2",
            "DELETE FROM article_shelves WHERE site_id = $1 AND article_id = $2",
            "DELETE FROM resources WHERE site_id = $1 AND article_id = $2 AND kind IN ('picture', 'table')",
        ];
        let changed = self.now(tx).await?;
        let noted = sqlx::query(
            "INSERT INTO removed_articles (site_id, id, source_key, journal, changed, change_seq) \
             SELECT site_id, id, source_key, journal, $3, $4 FROM articles WHERE site_id = $1 AND id = $2",
        )
        .bind(self.site)
        .bind(id.0)
        .bind(changed)
        .bind(seq)
        .execute(&mut **tx)
        .await?
        .rows_affected();
        if noted == 0 {
            return Ok(false);
        }
        media_uses::end_article(tx, self.site, id.0, changed).await?;
        for statement in STATEMENTS {
            sqlx::query(statement).bind(self.site).bind(id.0).execute(&mut **tx).await?;
        }
        citations::end(tx, self.site, id.0).await?;
        let others = notices::remove(tx, self.site, id.0).await?;
        let mut lines =
            vec![LogLine { seq, kind: ChangeKind::Article, action: ChangeAction::Removed, entity: id.to_string() }];
        lines.extend(notices::touch(tx, self.site, &others, changed).await?);
        change_log::write(tx, self.site, &lines).await?;
        Ok(true)
    }
}
