//! Errors of the database.

use std::{
    fmt, io,
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use sqlx::migrate::MigrateError;

/// An error of the store. Its text is for the operator, never for a reader.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The database cannot be opened.
    #[error("opening the database {url}: {source}; check that it exists, is reachable and may be written")]
    Open {
        /// Address without password.
        url: String,
        /// The driver's error.
        source: sqlx::Error,
    },
    /// The tables cannot be brought up to date.
    #[error("bringing the tables of {url} up to date: {source}; a database of a newer Masthead needs that version")]
    Migrate {
        /// Address without password.
        url: String,
        /// The migration's error.
        source: MigrateError,
    },
    /// A query failed.
    #[error("{doing}: {source}")]
    Query {
        /// The operation that failed.
        doing: &'static str,
        /// The driver's error.
        source: sqlx::Error,
    },
    /// An article was edited by hand between its conversion and its storage.
    #[error("the article {0} was edited by hand while it was imported; import it again")]
    EditedMeanwhile(i64),
    /// A row holds a value that this version cannot read.
    #[error("reading {what}: the stored value is damaged or of another version: {source}")]
    Damaged {
        /// The value that was read.
        what: &'static str,
        /// The parser's error.
        source: serde_json::Error,
    },
    /// A path for which no redirect can be saved.
    #[error(
        "saving a redirect with the path {0:?}: write the path below the root of the site with one slash at its beginning, in at most 2000 \
         bytes, without control characters"
    )]
    Path(String),
    /// A value was not stored, because one before it could not be, for a reason that concerns all.
    #[error("not stored, because {0}")]
    NotTried(Outage),
    /// A member who was erased while something of theirs was written.
    #[error("the member {0} was erased meanwhile: nothing was written")]
    MemberGone(i64),
    /// A database into which a backup is to be restored has content.
    #[error(
        "the database {url} has content (rows in the table {table}); restore into an empty database, or give --replace to replace the content"
    )]
    NotEmpty {
        /// Address without password.
        url: String,
        /// A table with rows.
        table: String,
    },
    /// Rows cannot be written.
    #[error("{doing}: {source}")]
    Rows {
        /// The operation that failed, and its table.
        doing: String,
        /// The driver's error.
        source: sqlx::Error,
    },
    /// Rows of a backup and tables of a database do not fit each other.
    #[error("{doing}: {problem}")]
    Unfit {
        /// The operation that failed, and its object.
        doing: String,
        /// What is wrong.
        problem: String,
    },
}

/// Why the database as a whole does not do its work, whatever is asked of it: repeating with other values is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outage {
    /// It cannot be written: its disk is full, or its files may not grow.
    Full,
    /// It does not answer.
    Away,
}

impl fmt::Display for Outage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full => "the database cannot be written: its disk is full, or its files may not grow",
            Self::Away => "the database does not answer",
        })
    }
}

impl StoreError {
    /// Why the database as a whole does not do its work; `None` if the error concerns this operation only.
    #[must_use]
    pub fn outage(&self) -> Option<Outage> {
        match self {
            Self::Open { source, .. } | Self::Query { source, .. } | Self::Rows { source, .. } => of_driver(source),
            Self::Migrate {
                source: MigrateError::Execute(source) | MigrateError::ExecuteMigration(source, _), ..
            } => of_driver(source),
            Self::NotTried(outage) => Some(*outage),
            _ => None,
        }
    }

    /// Converts the driver's error of an operation; for `map_err`.
    pub(crate) fn query(doing: &'static str) -> impl FnOnce(sqlx::Error) -> Self {
        move |source| {
            note(&source);
            Self::Query { doing, source }
        }
    }

    /// Converts the driver's error of an operation on a table; for `map_err`.
    pub(crate) fn rows(doing: String) -> impl FnOnce(sqlx::Error) -> Self {
        move |source| {
            note(&source);
            Self::Rows { doing, source }
        }
    }

    /// Converts the parser's error of a stored value; for `map_err`.
    pub(crate) const fn damaged(what: &'static str) -> impl FnOnce(serde_json::Error) -> Self {
        move |source| Self::Damaged { what, source }
    }
}

/// When the disk of a database was full for the last time, in milliseconds after [`BEGINNING`]; 0 if it never was.
static LATEST_FULL: AtomicU64 = AtomicU64::new(0);
static BEGINNING: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Notes when the disk was full.
fn note(error: &sqlx::Error) {
    if of_driver(error) == Some(Outage::Full) {
        LATEST_FULL.store(now(), Ordering::Release);
    }
}

/// Milliseconds after [`BEGINNING`], from 1.
fn now() -> u64 {
    u64::try_from(BEGINNING.elapsed().as_millis()).unwrap_or(u64::MAX).saturating_add(1)
}

/// Whether a connection of this age may have met a full disk. SQLite then ends a transaction by itself, and the driver counts it as open:
/// after a further failure, the connection would hold a transaction that nobody commits.
pub(crate) fn has_met_a_full_disk(age: Duration) -> bool {
    let latest = LATEST_FULL.load(Ordering::Acquire);
    let opened = now().saturating_sub(u64::try_from(age.as_millis()).unwrap_or(u64::MAX));
    latest > 0 && opened <= latest
}

/// Why the database as a whole does not do its work, by an error of the driver.
pub(crate) fn of_driver(error: &sqlx::Error) -> Option<Outage> {
    match error {
        sqlx::Error::Io(error) if error.kind() == io::ErrorKind::StorageFull => Some(Outage::Full),
        sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => Some(Outage::Away),
        sqlx::Error::Database(error) => of_code(&error.code()?),
        _ => None,
    }
}

/// The meaning of an error code: a result code of SQLite in decimal digits, or an SQLSTATE of five characters of PostgreSQL.
fn of_code(code: &str) -> Option<Outage> {
    match code {
        // disk_full, and read_only_sql_transaction, as a server answers that protects itself from a full disk.
        "53100" | "25006" => Some(Outage::Full),
        // The connection was ended, or the server starts or stops.
        state if state.len() == 5 && (state.starts_with("08") || state.starts_with("57P")) => Some(Outage::Away),
        number if number.len() < 5 => match number.parse::<u32>().ok()? & 0xff {
            // SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL with their extended codes.
            8 | 10 | 13 => Some(Outage::Full),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::article::{Article, ArticleMeta, LangText};

    use super::*;
    use crate::{NewArticle, Store};

    #[test]
    fn codes_of_both_databases_are_told_apart() {
        for code in ["13", "778", "10", "8", "53100", "25006"] {
            assert_eq!(of_code(code), Some(Outage::Full), "{code}");
        }
        for code in ["57P01", "57P03", "08006"] {
            assert_eq!(of_code(code), Some(Outage::Away), "{code}");
        }
        // A lock, a violated constraint, a wrong statement; and SQLSTATEs that begin with digits of the others.
        for code in ["5", "2067", "1", "23505", "42601", "00013", "10000"] {
            assert_eq!(of_code(code), None, "{code}");
        }
    }

    fn article(number: usize, bytes: usize) -> NewArticle {
        let titles = vec![LangText { lang: "en".into(), plain: "x".repeat(bytes), nodes: Vec::new() }];
        let meta = ArticleMeta { source_key: format!("key:{number}"), titles, ..ArticleMeta::default() };
        NewArticle {
            article: Article { meta, ..Article::default() },
            rendered: "{}".to_owned(),
            ..NewArticle::default()
        }
    }

    #[tokio::test]
    async fn a_full_database_stops_a_batch_and_keeps_what_was_stored() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_file(&folder.path().join("a.db")).await.unwrap();
        let site = store.site(masthead_domain::SiteId(448));
        assert!(site.save_articles(&[article(1, 10)]).await[0].is_ok());
        let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&store.pool).await.unwrap();
        let mut connections = Vec::new();
        for _ in 0..8 {
            let mut connection = store.pool.acquire().await.unwrap();
            let limit = format!("PRAGMA max_page_count = {}", pages + 8);
            sqlx::query(sqlx::AssertSqlSafe(limit)).execute(&mut *connection).await.unwrap();
            connections.push(connection);
        }
        drop(connections);
        let outcomes = site.save_articles(&[article(2, 400_000), article(3, 10), article(3, 20), article(4, 10)]).await;
        let outages: Vec<_> =
            outcomes.iter().map(|outcome| outcome.as_ref().err().and_then(StoreError::outage)).collect();
        assert_eq!(outages, [Some(Outage::Full); 4], "what follows is not tried: {outcomes:?}");
        assert!(matches!(outcomes[1], Err(StoreError::NotTried(Outage::Full))), "{outcomes:?}");
        assert_eq!(site.article_count().await.unwrap(), 1);
        assert!(site.article_id_by_key("key:1").await.unwrap().is_some());
        // There is room again: the limit is one of the connections, and those that met it are not used any more.
        let mut stored = false;
        for _ in 0..20 {
            stored = stored || site.save_article(&article(2, 400_000)).await.is_ok();
        }
        assert!(stored, "connections that met a full disk are replaced");
        assert_eq!(site.article_count().await.unwrap(), 2);
    }
}
