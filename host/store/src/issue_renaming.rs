//! Giving an issue another year or number by hand: its articles, edited fields and redirects move with it, in one transaction.

use masthead_domain::{ArticleId, SiteId, article::ArticleMeta, card::ArticleCard, publication::Issue};
use serde_json::Value;
use sqlx::{Any, Transaction};

use crate::{
    AuditEntry, ChangeAction, ChangeKind, Changed, NewArticle, RecordChange, Redirect, RedirectTarget, SiteStore,
    StoreError, StoredForm as _, audit, begin_change, edits, encode, journals, log,
    records::{is_current, record_version, stored_issue, stored_work_key},
    redirects, subjects,
};

const READING: &str = "reading the articles of an issue";
const WRITING: &str = "giving an issue another number";

/// An article that moves with its issue.
#[derive(Clone, Debug)]
pub struct MovedArticle {
    /// Its number.
    pub id: ArticleId,
    /// The version that it was read in.
    pub version: String,
    /// The article in the renamed issue.
    pub new: NewArticle,
    /// The line of the audit trail about it.
    pub entry: AuditEntry,
}

/// An issue that gets another year or number.
#[derive(Clone, Copy, Debug)]
pub struct IssueRenaming<'a> {
    /// The issue as it is.
    pub from: &'a Issue,
    /// The issue as it will be, in the same journal.
    pub to: &'a Issue,
    /// All its articles.
    pub articles: &'a [MovedArticle],
    /// The fields of the articles that imports keep from now on.
    pub fields: &'a [(String, Option<Value>)],
    /// The paths of its page before, the one that names the journal first.
    pub former: &'a [String],
    /// The paths of its page from now on, in the same order.
    pub present: &'a [String],
}

impl SiteStore {
    /// Gives an issue another year or number. `change` is made from the version of the issue.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is changed then. [`Changed::Stale`] also if an article of the issue was changed, added or removed meanwhile, or
    /// there is an issue with the new number.
    pub async fn rename_issue(
        &self,
        renaming: IssueRenaming<'_>,
        change: RecordChange<'_>,
    ) -> Result<Changed, StoreError> {
        let IssueRenaming { from, to, articles, fields, .. } = renaming;
        let (mut tx, seq) = begin_change(&self.pool).await.map_err(StoreError::query(WRITING))?;
        let stored = stored_issue(&mut tx, self.site, from).await?;
        if stored.is_none()
            || !is_current(stored.as_deref(), change.from)
            || stored_issue(&mut tx, self.site, to).await?.is_some()
            || !self.has_exactly(&mut tx, from, articles).await?
        {
            return Ok(Changed::Stale);
        }
        journals::write_issue(&mut tx, self.site, to, (self.clock)()).await?;
        for one in articles {
            let work_key = stored_work_key(&mut tx, self.site, one.id).await?;
            edits::save(&mut tx, self.site, &subjects::article(one.id), fields).await?;
            self.write_one(&mut tx, &NewArticle { work_key, ..one.new.clone() }).await?;
            audit::append(&mut tx, self.site, (self.clock)(), &one.entry).await?;
        }
        self.move_withdrawn(&mut tx, from, to, fields).await?;
        let (before, after) = (subject(from), subject(to));
        self.move_edits(&mut tx, &before, &after).await.map_err(StoreError::query(WRITING))?;
        self.delete_issue(&mut tx, from, &before).await.map_err(StoreError::query(WRITING))?;
        self.move_redirects(&mut tx, renaming).await.map_err(StoreError::query(WRITING))?;
        log(&mut tx, self.site, seq, ChangeKind::Journal, ChangeAction::Replaced, &to.journal)
            .await
            .map_err(StoreError::query(WRITING))?;
        self.finish(tx, &after, change).await
    }

    /// Whether these are the articles of the issue, in the versions that they have now.
    async fn has_exactly(
        &self,
        tx: &mut Transaction<'_, Any>,
        issue: &Issue,
        articles: &[MovedArticle],
    ) -> Result<bool, StoreError> {
        let stored: Vec<(i64, String)> = sqlx::query_as(
            "SELECT id, digest FROM articles WHERE site_id = $1 AND journal = $2 AND year = $3 AND issue = $4",
        )
        .bind(self.site)
        .bind(&issue.journal)
        .bind(i64::from(issue.year))
        .bind(&issue.issue)
        .fetch_all(&mut **tx)
        .await
        .map_err(StoreError::query(READING))?;
        let is_known = |(id, digest): &(i64, String)| {
            articles.iter().any(|one| one.id.0 == *id && one.version == record_version(digest))
        };
        Ok(stored.len() == articles.len() && stored.iter().all(is_known))
    }

    /// Moves the withdrawn articles of an issue, so that they are in it when they are put back.
    async fn move_withdrawn(
        &self,
        tx: &mut Transaction<'_, Any>,
        from: &Issue,
        to: &Issue,
        fields: &[(String, Option<Value>)],
    ) -> Result<(), StoreError> {
        let rows: Vec<(i64, String, String)> =
            sqlx::query_as("SELECT id, card, meta FROM withdrawn_articles WHERE site_id = $1 AND journal = $2")
                .bind(self.site)
                .bind(&from.journal)
                .fetch_all(&mut **tx)
                .await
                .map_err(StoreError::query(READING))?;
        for (id, card, meta) in rows {
            let meta = ArticleMeta::decode(&meta).map_err(StoreError::damaged("an article's data"))?;
            if meta.year != Some(from.year) || meta.issue != from.issue {
                continue;
            }
            let card = ArticleCard::decode(&card).map_err(StoreError::damaged("an article's card"))?;
            let card = ArticleCard { year: to.year, issue: to.issue.clone(), ..card };
            let meta = ArticleMeta { year: Some(to.year), issue: to.issue.clone(), ..meta };
            sqlx::query("UPDATE withdrawn_articles SET card = $3, meta = $4 WHERE site_id = $1 AND id = $2")
                .bind(self.site)
                .bind(id)
                .bind(encode(&card)?)
                .bind(encode(&meta)?)
                .execute(&mut **tx)
                .await
                .map_err(StoreError::query(WRITING))?;
            edits::save(tx, self.site, &subjects::article(ArticleId(id)), fields).await?;
        }
        Ok(())
    }

    async fn move_edits(&self, tx: &mut Transaction<'_, Any>, before: &str, after: &str) -> Result<(), sqlx::Error> {
        edits::forget(tx, self.site, after).await?;
        sqlx::query("UPDATE edits SET subject = $3 WHERE site_id = $1 AND subject = $2")
            .bind(self.site)
            .bind(before)
            .bind(after)
            .execute(&mut **tx)
            .await?;
        Ok(())
    }

    /// Lets the redirects to the issue lead to its new number, and redirects its former paths.
    async fn move_redirects(
        &self,
        tx: &mut Transaction<'_, Any>,
        renaming: IssueRenaming<'_>,
    ) -> Result<(), sqlx::Error> {
        let IssueRenaming { from, to, former, present, .. } = renaming;
        sqlx::query(
            "UPDATE redirects SET year = $5, issue = $6 \
             WHERE site_id = $1 AND kind = 'issue' AND target = $2 AND year = $3 AND issue = $4",
        )
        .bind(self.site)
        .bind(&from.journal)
        .bind(i64::from(from.year))
        .bind(&from.issue)
        .bind(i64::from(to.year))
        .bind(&to.issue)
        .execute(&mut **tx)
        .await?;
        let target = RedirectTarget::Issue { journal: to.journal.clone(), year: to.year, issue: to.issue.clone() };
        for (path, now) in former.iter().zip(present) {
            // What had this number before leads to the issue that has it now.
            sqlx::query("DELETE FROM redirects WHERE site_id = $1 AND path = $2 AND kind = 'issue' AND target = $3")
                .bind(self.site)
                .bind(now)
                .bind(&to.journal)
                .execute(&mut **tx)
                .await?;
            // A path without the name of the journal may have been another journal's.
            let others: i64 = sqlx::query_scalar(
                "SELECT COUNT(*) FROM redirects WHERE site_id = $1 AND path = $2 AND NOT (kind = 'issue' AND target = $3)",
            )
            .bind(self.site)
            .bind(path)
            .bind(&to.journal)
            .fetch_one(&mut **tx)
            .await?;
            if others == 0 && redirects::storable(path) {
                let redirect = Redirect { from: path.clone(), to: target.clone() };
                redirects::write(tx, SiteId(self.site), &[redirect]).await?;
            }
        }
        Ok(())
    }
}

fn subject(issue: &Issue) -> String {
    subjects::issue(&issue.journal, i64::from(issue.year), &issue.issue)
}
