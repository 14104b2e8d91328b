//! What readers see of journals and issues: those with articles, and those that an editor wants shown without. This is the one place that
//! decides it, for pages, menus, sitemaps, feeds, sets and calls.

use std::ops::Range;

use masthead_domain::{
    LocalText,
    publication::{Issue, Journal},
    resource::{Column, ResourceKind},
    section::SectionNames,
};
use sqlx::{Any, Transaction};

use crate::{
    ChangeAction, ChangeKind, SiteStore, StoreError, StoredForm, begin_change,
    journals::{JOURNAL_ORDER, issue_data, write_issue, write_journal},
    log,
};

const READING: &str = "reading the journals and issues that are shown";
const WRITING: &str = "showing or hiding a journal or an issue";

/// The condition for a journal `j` that is shown. One with an article or an issue that is shown without articles is shown too: it leads to them.
pub(crate) const JOURNAL_IS_SHOWN: &str = "(j.shown = 1 \
     OR EXISTS (SELECT 1 FROM articles AS a WHERE a.site_id = j.site_id AND a.journal = j.journal) \
     OR EXISTS (SELECT 1 FROM issues AS i WHERE i.site_id = j.site_id AND i.journal = j.journal AND i.shown = 1))";
/// The condition for the issues of the site that are shown; others may follow.
const SHOWN: &str = "i.site_id = $1 AND (i.shown = 1 \
     OR EXISTS (SELECT 1 FROM articles AS a WHERE a.site_id = i.site_id AND a.journal = i.journal AND a.year = i.year \
     AND a.issue = i.issue))";
/// The order of issues.
const ISSUE_ORDER: &str = "i.year DESC, i.sort_key DESC, i.issue DESC";
/// The issues of all journals that are shown, with the number of articles of each.
const ARCHIVE: &str = "SELECT i.data, CAST(COALESCE(n.total, 0) AS BIGINT) AS total FROM issues AS i \
     LEFT JOIN (SELECT journal, year, issue, COUNT(*) AS total FROM articles WHERE site_id = $1 GROUP BY journal, year, issue) AS n \
     ON n.journal = i.journal AND n.year = i.year AND n.issue = i.issue \
     WHERE i.site_id = $1 AND (i.shown = 1 OR n.total > 0) ORDER BY i.journal, i.year DESC, i.sort_key DESC, i.issue DESC";
/// Issues with their journals.
const WITH_JOURNALS: &str = "issues AS i JOIN journals AS j ON j.site_id = i.site_id AND j.journal = i.journal";

/// The journals that readers see, the issues of the first of them, newest first, and the names of sections.
#[derive(Clone, Debug, Default)]
pub struct VisiblePublications {
    /// The journals.
    pub journals: Vec<Journal>,
    /// The issues of the first one.
    pub issues: Vec<Issue>,
    /// The names of the site's sections in several languages: those of its columns, then those that articles tell.
    pub sections: SectionNames,
}

/// How many issues of one journal in one year readers see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct YearOfJournal {
    /// The year.
    pub year: i32,
    /// The number of issues.
    pub issues: u64,
}

pub(crate) fn journal(data: &str) -> Result<Journal, StoreError> {
    Journal::decode(data).map_err(StoreError::damaged("a journal"))
}

fn issue(data: &str) -> Result<Issue, StoreError> {
    Issue::decode(data).map_err(StoreError::damaged("an issue"))
}

impl SiteStore {
    /// The journals that readers see, in their order.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn shown_journals(&self) -> Result<Vec<Journal>, StoreError> {
        let sql = format!(
            "SELECT j.data FROM journals AS j WHERE j.site_id = $1 AND {JOURNAL_IS_SHOWN} ORDER BY {JOURNAL_ORDER}"
        );
        let rows: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
            .bind(self.site)
            .fetch_all(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        rows.iter().map(|data| journal(data)).collect()
    }

    /// The journals that readers see, the issues of the first one, and the names of the site's sections, in one statement.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn shown_publications(&self) -> Result<VisiblePublications, StoreError> {
        let sql = format!(
            "WITH seen AS (SELECT j.journal, j.hand_order, j.position, j.data FROM journals AS j \
             WHERE j.site_id = $1 AND {JOURNAL_IS_SHOWN}) \
             SELECT CAST(0 AS BIGINT) AS part, ROW_NUMBER() OVER (ORDER BY {JOURNAL_ORDER}) AS place, data FROM seen \
             UNION ALL SELECT CAST(1 AS BIGINT) AS part, ROW_NUMBER() OVER (ORDER BY {ISSUE_ORDER}) AS place, i.data \
             FROM issues AS i WHERE {SHOWN} AND i.journal = (SELECT journal FROM seen ORDER BY {JOURNAL_ORDER} LIMIT 1) \
             UNION ALL SELECT CAST(2 AS BIGINT) AS part, ROW_NUMBER() OVER (ORDER BY r.position, r.id) AS place, r.data \
             FROM resources AS r WHERE r.site_id = $1 AND r.kind = '{column}' \
             UNION ALL SELECT CAST(3 AS BIGINT) AS part, ROW_NUMBER() OVER (ORDER BY n.entry) AS place, n.data \
             FROM section_names AS n WHERE n.site_id = $1 \
             ORDER BY part, place",
            column = ResourceKind::Column.as_str(),
        );
        let rows: Vec<(i64, i64, String)> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(self.site)
            .fetch_all(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        let mut shown = VisiblePublications::default();
        for (part, _, data) in rows {
            match part {
                0 => shown.journals.push(journal(&data)?),
                1 => shown.issues.push(issue(&data)?),
                // The columns of the editors come first: what they call a section stays, whatever imported articles call it.
                2 => shown.sections.add(&Column::decode(&data).map_err(StoreError::damaged("a column"))?.title),
                _ => shown.sections.add(&LocalText::decode(&data).map_err(StoreError::damaged("names of a section"))?),
            }
        }
        Ok(shown)
    }

    /// The issues of a journal that readers see, newest first; the first one is the current issue.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn shown_issues(&self, journal: &str) -> Result<Vec<Issue>, StoreError> {
        let sql = format!("SELECT i.data FROM issues AS i WHERE {SHOWN} AND i.journal = $2 ORDER BY {ISSUE_ORDER}");
        let rows: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
            .bind(self.site)
            .bind(journal)
            .fetch_all(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        rows.iter().map(|data| issue(data)).collect()
    }

    /// The issues of all journals that readers see, those of each journal newest first, with the number of articles of each.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn archive(&self) -> Result<Vec<(Issue, i64)>, StoreError> {
        let rows: Vec<(String, i64)> =
            sqlx::query_as(ARCHIVE).bind(self.site).fetch_all(&self.pool).await.map_err(StoreError::query(READING))?;
        rows.iter().map(|(data, articles)| Ok((issue(data)?, *articles))).collect()
    }

    /// The keys of the journals of which readers see the issue with this year and number; without them, of which they see any issue.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn journals_with_issue(&self, which: Option<(i32, &str)>) -> Result<Vec<String>, StoreError> {
        let one = if which.is_some() { "AND i.year = $2 AND i.issue = $3" } else { "" };
        let sql = format!("SELECT DISTINCT i.journal FROM issues AS i WHERE {SHOWN} {one}");
        let mut query = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(self.site);
        if let Some((year, number)) = which {
            query = query.bind(i64::from(year)).bind(number);
        }
        query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))
    }

    /// How many issues readers see in each year of each journal, the newest year first; within a year, the journals in the order in which
    /// they were added.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn archive_years(&self) -> Result<Vec<YearOfJournal>, StoreError> {
        let sql = format!(
            "SELECT i.year, COUNT(*) FROM {WITH_JOURNALS} WHERE {SHOWN} GROUP BY i.year, j.hand_order, j.position, j.journal \
             ORDER BY i.year DESC, j.hand_order, j.position, j.journal"
        );
        let rows: Vec<(i64, i64)> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(self.site)
            .fetch_all(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        let year = |(year, issues): (i64, i64)| YearOfJournal {
            year: i32::try_from(year).unwrap_or_default(),
            issues: u64::try_from(issues).unwrap_or_default(),
        };
        Ok(rows.into_iter().map(year).collect())
    }

    /// The issues at these places of the archive, from 0, with the number of articles of each. The places are those of the order of
    /// [`SiteStore::archive_years`], or with `oldest_first` of the same with the oldest year first; the issues come in the order of
    /// [`SiteStore::archive`].
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn archive_part(&self, oldest_first: bool, at: Range<u64>) -> Result<Vec<(Issue, i64)>, StoreError> {
        let years = if oldest_first { "i.year" } else { "i.year DESC" };
        let sql = format!(
            "SELECT s.data, CAST((SELECT COUNT(*) FROM articles AS a WHERE a.site_id = $1 AND a.journal = s.journal \
             AND a.year = s.year AND a.issue = s.issue) AS BIGINT) AS total \
             FROM (SELECT i.journal, i.year, i.issue, i.sort_key, i.data FROM {WITH_JOURNALS} WHERE {SHOWN} \
             ORDER BY {years}, j.hand_order, j.position, j.journal, i.sort_key DESC, i.issue DESC LIMIT $2 OFFSET $3) AS s \
             ORDER BY s.journal, s.year DESC, s.sort_key DESC, s.issue DESC"
        );
        let number = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
        let rows: Vec<(String, i64)> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(self.site)
            .bind(number(at.end.saturating_sub(at.start)))
            .bind(number(at.start))
            .fetch_all(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        rows.iter().map(|(data, articles)| Ok((issue(data)?, *articles))).collect()
    }

    /// Sets whether a journal is shown although it has no articles. Returns `false` if the site has no such journal.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn show_journal(&self, key: &str, shown: bool) -> Result<bool, StoreError> {
        let (mut tx, seq) = begin_change(&self.pool).await.map_err(StoreError::query(WRITING))?;
        let row: Option<(String, i64)> =
            sqlx::query_as("SELECT data, position FROM journals WHERE site_id = $1 AND journal = $2")
                .bind(self.site)
                .bind(key)
                .fetch_optional(&mut *tx)
                .await
                .map_err(StoreError::query(READING))?;
        let Some((data, position)) = row else { return Ok(false) };
        let known = Journal::decode(&data).map_err(StoreError::damaged("a journal"))?;
        if known.shown == shown {
            return Ok(true);
        }
        write_journal(&mut tx, self.site, &Journal { shown, ..known }, position).await?;
        self.end_showing(tx, seq, key).await
    }

    /// Sets whether an issue is shown although it has no articles. Returns `false` if the site has no such issue.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn show_issue(&self, journal: &str, year: i32, issue: &str, shown: bool) -> Result<bool, StoreError> {
        let (mut tx, seq) = begin_change(&self.pool).await.map_err(StoreError::query(WRITING))?;
        let data = issue_data(&mut *tx, self.site, journal, year, issue).await.map_err(StoreError::query(READING))?;
        let Some(data) = data else { return Ok(false) };
        let known = Issue::decode(&data).map_err(StoreError::damaged("an issue"))?;
        if known.shown == shown {
            return Ok(true);
        }
        write_issue(&mut tx, self.site, &Issue { shown, ..known }, (self.clock)()).await?;
        self.end_showing(tx, seq, journal).await
    }

    async fn end_showing(&self, mut tx: Transaction<'_, Any>, seq: i64, journal: &str) -> Result<bool, StoreError> {
        log(&mut tx, self.site, seq, ChangeKind::Journal, ChangeAction::Replaced, journal)
            .await
            .map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(true)
    }
}
