//! Redirects: addresses that a site answered before, on another platform or under another name, and what is there now.
//!
//! A target is stored as an entity, not as an address, so that it stays right when the addresses of pages change. Redirects are
//! looked up only where no page answers, so that they are no part of the generation of a site's content.

use masthead_domain::{ArticleId, SiteId};
use sqlx::{Any, Transaction};

use crate::{AuditEntry, Store, StoreError, audit, edits, places, subjects};

const READING: &str = "reading redirects";
const WRITING: &str = "saving redirects";
/// The edited field of a redirect that somebody has added, changed or removed by hand: what it leads to in the form of the audit trail, or
/// null. It goes with the site where the audit trail stays behind.
const EDITED: &str = "to";

/// Limit on the bytes of a path: an index of PostgreSQL takes no longer keys.
const LONGEST_PATH: usize = 2000;

/// An earlier address and what is there now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The path below the root of the site, with leading slash, without percent-encoding and query:
    /// `/index.php/rivers/article/view/12`. The path of an issue may have a query that names the journal: `/issue/2026/3?journal=rivers`.
    pub from: String,
    /// What readers of this address are sent to.
    pub to: RedirectTarget,
}

/// What a redirect leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectTarget {
    /// An article's page.
    Article(ArticleId),
    /// A journal, by its key.
    Journal(String),
    /// An issue's page.
    Issue {
        /// Key of the journal.
        journal: String,
        /// Year.
        year: i32,
        /// Issue as printed.
        issue: String,
    },
    /// Another path below the root of the site, with leading slash, as it is written in an address.
    Path(String),
}

/// A row: path, kind, target, year, issue.
type Row = (String, String, String, i64, String);

impl RedirectTarget {
    const fn kind(&self) -> &'static str {
        match self {
            Self::Article(_) => "article",
            Self::Journal(_) => "journal",
            Self::Issue { .. } => "issue",
            Self::Path(_) => "path",
        }
    }

    fn target(&self) -> String {
        match self {
            Self::Article(id) => id.to_string(),
            Self::Journal(key) | Self::Issue { journal: key, .. } => key.clone(),
            Self::Path(path) => path.clone(),
        }
    }

    /// The year and the issue, which an issue alone has.
    fn issue(&self) -> (i64, &str) {
        match self {
            Self::Issue { year, issue, .. } => (i64::from(*year), issue),
            Self::Article(_) | Self::Journal(_) | Self::Path(_) => (0, ""),
        }
    }
}

/// A row as a redirect; `None` if a newer version wrote it with a kind that this one does not know.
fn read((from, kind, target, year, issue): Row) -> Option<Redirect> {
    let to = match kind.as_str() {
        "article" => RedirectTarget::Article(ArticleId(target.parse().ok()?)),
        "journal" => RedirectTarget::Journal(target),
        "issue" => RedirectTarget::Issue { journal: target, year: i32::try_from(year).ok()?, issue },
        "path" => RedirectTarget::Path(target),
        _ => return None,
    };
    Some(Redirect { from, to })
}

impl Store {
    /// Saves redirects of a site in one transaction; one with the path of an earlier one replaces it.
    ///
    /// # Errors
    /// [`StoreError::Path`] if a path does not begin with one slash, is longer than 2000 bytes or has control characters;
    /// [`StoreError::Query`]. Nothing is saved then.
    pub async fn add_redirects(&self, site: SiteId, redirects: &[Redirect]) -> Result<(), StoreError> {
        self.save_redirects(site, redirects, None).await
    }

    /// Saves a redirect that somebody adds by hand, with the line of the audit trail and among what was edited by hand.
    ///
    /// # Errors
    /// As [`Self::add_redirects`].
    pub async fn add_redirect(&self, site: SiteId, redirect: &Redirect, entry: &AuditEntry) -> Result<(), StoreError> {
        self.save_redirects(site, std::slice::from_ref(redirect), Some(entry)).await
    }

    async fn save_redirects(
        &self,
        site: SiteId,
        redirects: &[Redirect],
        entry: Option<&AuditEntry>,
    ) -> Result<(), StoreError> {
        if let Some(path) = unusable_path(redirects) {
            return Err(StoreError::Path(path.chars().take(200).collect()));
        }
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        write(&mut tx, site, redirects).await.map_err(StoreError::query(WRITING))?;
        if let Some(entry) = entry {
            for redirect in redirects {
                self.note_by_hand(&mut tx, site, &redirect.from, entry).await?;
            }
        }
        tx.commit().await.map_err(StoreError::query(WRITING))
    }

    /// Writes the line of the audit trail, and that the redirect of a path is one that was edited by hand.
    async fn note_by_hand(
        &self,
        tx: &mut Transaction<'_, Any>,
        site: SiteId,
        from: &str,
        entry: &AuditEntry,
    ) -> Result<(), StoreError> {
        let edited = [(EDITED.to_owned(), Some(entry.after.clone()))];
        edits::save(tx, site.0, &subjects::redirect(from), &edited).await?;
        audit::append(tx, site.0, (self.clock)(), entry).await
    }

    /// Removes the redirect of a path, with the line of the audit trail and among what was edited by hand. Returns whether there was one;
    /// without one, no line is written.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn remove_redirect(&self, site: SiteId, from: &str, entry: &AuditEntry) -> Result<bool, StoreError> {
        if !storable(from) {
            return Ok(false);
        }
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        let removed = sqlx::query("DELETE FROM redirects WHERE site_id = $1 AND path = $2")
            .bind(site.0)
            .bind(from)
            .execute(&mut *tx)
            .await
            .map_err(StoreError::query(WRITING))?;
        if removed.rows_affected() == 0 {
            return Ok(false);
        }
        self.note_by_hand(&mut tx, site, from, entry).await?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(true)
    }

    /// What a path of a site leads to, if a redirect is saved for it.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn redirect(&self, site: SiteId, from: &str) -> Result<Option<RedirectTarget>, StoreError> {
        self.first_redirect(site, &[from]).await
    }

    /// What the first of some paths of a site leads to that has a redirect.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn first_redirect(&self, site: SiteId, paths: &[&str]) -> Result<Option<RedirectTarget>, StoreError> {
        let paths: Vec<&str> = paths.iter().copied().filter(|path| storable(path)).collect();
        if paths.is_empty() {
            return Ok(None);
        }
        let sql = format!(
            "SELECT path, kind, target, year, issue FROM redirects WHERE site_id = $1 AND path IN ({})",
            places(2, paths.len())
        );
        let mut query = sqlx::query_as::<_, Row>(sqlx::AssertSqlSafe(sql)).bind(site.0);
        for path in &paths {
            query = query.bind(*path);
        }
        let rows = query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?;
        let found = rows.into_iter().filter_map(read);
        let first = found.min_by_key(|redirect| paths.iter().position(|path| *path == redirect.from));
        Ok(first.map(|redirect| redirect.to))
    }

    /// All redirects of a site, by path.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn redirects(&self, site: SiteId) -> Result<Vec<Redirect>, StoreError> {
        let rows: Vec<Row> =
            sqlx::query_as("SELECT path, kind, target, year, issue FROM redirects WHERE site_id = $1 ORDER BY path")
                .bind(site.0)
                .fetch_all(&self.pool)
                .await
                .map_err(StoreError::query(READING))?;
        Ok(rows.into_iter().filter_map(read).collect())
    }

    /// At most `limit` redirects of a site, by path, behind the path `after`.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn redirects_after(&self, site: SiteId, after: &str, limit: i64) -> Result<Vec<Redirect>, StoreError> {
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT path, kind, target, year, issue FROM redirects WHERE site_id = $1 AND path > $2 ORDER BY path LIMIT $3",
        )
        .bind(site.0)
        .bind(after)
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        Ok(rows.into_iter().filter_map(read).collect())
    }
}

/// Writes redirects whose paths are [`storable`].
pub(crate) async fn write(
    tx: &mut Transaction<'_, Any>,
    site: SiteId,
    redirects: &[Redirect],
) -> Result<(), sqlx::Error> {
    for Redirect { from, to } in redirects {
        let (year, issue) = to.issue();
        sqlx::query(
            "INSERT INTO redirects (site_id, path, kind, target, year, issue) VALUES ($1, $2, $3, $4, $5, $6) \
             ON CONFLICT (site_id, path) DO UPDATE SET kind = excluded.kind, target = excluded.target, \
             year = excluded.year, issue = excluded.issue",
        )
        .bind(site.0)
        .bind(from)
        .bind(to.kind())
        .bind(to.target())
        .bind(year)
        .bind(issue)
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

/// Whether a redirect can be saved for this path.
pub(crate) fn storable(path: &str) -> bool {
    path.starts_with('/') && path.len() <= LONGEST_PATH && !path.chars().any(char::is_control)
}

/// Whether a redirect can have this path, or lead to it.
#[must_use]
pub fn is_redirect_path(path: &str) -> bool {
    // Browsers take what follows two slashes for a host.
    storable(path) && !matches!(path.as_bytes().get(1), Some(b'/' | b'\\'))
}

/// The first path that no redirect can have or lead to.
fn unusable_path(redirects: &[Redirect]) -> Option<&str> {
    let mut paths = redirects.iter().flat_map(|redirect| {
        let to = if let RedirectTarget::Path(path) = &redirect.to { Some(path.as_str()) } else { None };
        std::iter::once(redirect.from.as_str()).chain(to)
    });
    paths.find(|path| !is_redirect_path(path))
}
