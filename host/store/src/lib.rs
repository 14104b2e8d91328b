//! Storage of a site's content, in SQLite (a file, the default) or PostgreSQL.
//!
//! What it is: the only crate that knows SQL. It holds one set of queries for both databases, the change log, the key-value data of
//! plugins, the queue of events for plugins, and the rows of whole databases and of sites, for backups and copies.
//! What it is not: it renders nothing and knows no files, routes or plugins.
//! Who may depend on it: `content` and the crates above it; it depends on `domain` alone.
//!
//! Content is read and written through a [`SiteStore`] only, which adds its site to every query. No call reads an article of
//! "any" site, so that no query can omit the site. Lists of what several sites have are read through a [`SitesStore`], which asks for every
//! entry by its site and number.

mod article_removal;
mod article_rows;
mod article_writer;
mod articles;
mod audit;
mod availability;
mod backfill;
pub mod backup;
mod browse_index;
mod card_pages;
mod change_log;
mod citations;
mod counts;
mod database_file;
mod deliveries;
mod edits;
mod error;
mod harvest;
mod harvested;
mod issue_renaming;
mod journals;
mod lists;
mod lookups;
mod media;
mod media_uses;
mod members;
mod migrations;
mod named_items;
mod notices;
mod plugin_data;
mod records;
mod redirects;
mod resource_pages;
mod resources;
mod rewrites;
mod rows;
mod saved;
mod sections;
mod settings;
mod several_sites;
pub mod site_rows;
mod statistics;
pub mod subjects;
mod visible_publications;
mod withdrawn;
mod works;

use std::{path::Path, str::FromStr, sync::Once, time::Duration};

use masthead_domain::SiteId;
use sqlx::{
    Any, AnyConnection, AnyPool, Connection as _, Executor, Transaction,
    any::{AnyConnectOptions, AnyPoolOptions},
    migrate::MigrateError,
    sqlite::SqliteConnectOptions,
};

use crate::{availability::Availability, migrations::MIGRATIONS};

pub use article_rows::ArticleRow;
pub use articles::{CardCursor, CardQuery, NewArticle, StoredArticle};
pub use audit::{AuditEntry, AuditLine, AuditQuery};
pub use availability::LONGEST_UNKNOWN;
pub use browse_index::{BrowseBy, browse_entries, browse_label};
pub use card_pages::CardPage;
pub use change_log::{Change, ChangeAction, ChangeKind, LogPosition};
pub use counts::{Count, ImportedCount, Ranking, Searched, Totals};
pub use deliveries::{Delivery, DeliveryState, DeliveryStatus, NewDelivery};
pub use edits::{EARLIER_DOIS, Edits, apply_edits, edits_stamp, field, set_field};
pub use error::{Outage, StoreError};
pub use harvest::{ArticleChange, ArticleListing, ChangeCursor, HarvestWindow};
pub use harvested::HarvestedPage;
pub use issue_renaming::{IssueRenaming, MovedArticle};
pub use lists::{List, ListQuery};
pub use lookups::FirstResources;
pub use media::{Media, UsedMedia};
pub use members::*;
pub use plugin_data::{PluginQuota, Put};
pub use records::{Changed, RecordChange, record_version};
pub use redirects::{Redirect, RedirectTarget, is_redirect_path};
pub use resource_pages::{ListPart, NamedArticle, PartOrder, ResourcePage};
pub use resources::{ResourceCursor, ResourceRow, changed_resource};
pub use rows::{StoredForm, StoredResource};
pub use saved::Saved;
pub use several_sites::{SiteArticle, SitesStore};
pub use statistics::Daily;
pub use visible_publications::{VisiblePublications, YearOfJournal};
pub use withdrawn::WithdrawnArticle;
pub use works::{ExistingArticle, work_key};

static DRIVERS: Once = Once::new();

/// Milliseconds since 1970.
type Clock = fn() -> i64;

/// An open database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    pool: AnyPool,
    clock: Clock,
    availability: Availability,
}

/// The content of one site.
#[derive(Clone, Debug)]
pub struct SiteStore {
    pool: AnyPool,
    site: i64,
    clock: Clock,
}

impl Store {
    /// Opens the database at `url` (`postgres://...` or `sqlite://path`) and brings its tables up to date. The files of an SQLite database
    /// are restricted to the user of this process.
    ///
    /// # Errors
    /// [`StoreError::Open`] if it cannot be reached or was written by a newer version; the error has the address without the
    /// password.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        install_drivers();
        let shown = redact(url);
        let open = |source| StoreError::Open { url: shown.clone(), source };
        let sqlite = url.starts_with("sqlite:");
        let options = AnyConnectOptions::from_str(url).map_err(open)?;
        let availability = Availability::new(&options, sqlite);
        // The pool repeats what a full disk refuses until its time is over. A connection before it says at once that the disk is full.
        let first = if sqlite { Some(connect(&options).await.map_err(open)?) } else { None };
        let pool = AnyPoolOptions::new()
            .max_connections(if sqlite { 8 } else { 16 })
            .acquire_timeout(Duration::from_secs(10))
            .after_connect(move |connection, _| {
                Box::pin(async move { if sqlite { prepare(connection).await } else { Ok(()) } })
            })
            .after_release(|_, connection| {
                Box::pin(std::future::ready(Ok(!error::has_met_a_full_disk(connection.age))))
            })
            .connect_with(options)
            .await
            .map_err(open)?;
        if let Some(first) = first {
            first.close().await.map_err(open)?;
        }
        if sqlite {
            // The connection has created the file if the address says so (`?mode=rwc`), with the permissions that the umask leaves.
            let file = SqliteConnectOptions::from_str(url).map_err(open)?;
            database_file::restrict(file.get_filename()).map_err(|error| open(error.into()))?;
        }
        migrate(&pool, sqlite).await.map_err(|source| StoreError::Migrate { url: shown, source })?;
        media_uses::record_earlier_rows(&pool).await?;
        backfill::record(&pool).await?;
        notices::record_earlier_rows(&pool).await?;
        citations::record_earlier_rows(&pool).await?;
        Ok(Self { pool, clock: system_clock, availability })
    }

    /// Opens the SQLite file `path`, or creates it for the user of this process alone.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub async fn open_file(path: &Path) -> Result<Self, StoreError> {
        let url = format!("sqlite://{}?mode=rwc", path.display());
        database_file::create(path).map_err(|error| StoreError::Open { url: url.clone(), source: error.into() })?;
        Self::open(&url).await
    }

    /// The same database with another clock (milliseconds since 1970), for tests.
    #[must_use]
    pub fn with_clock(self, clock: fn() -> i64) -> Self {
        Self { clock, ..self }
    }

    /// The content of one site.
    #[must_use]
    pub fn site(&self, site: SiteId) -> SiteStore {
        SiteStore { pool: self.pool.clone(), site: site.0, clock: self.clock }
    }

    /// Checks that the database answers.
    ///
    /// # Errors
    /// [`StoreError::Query`] if it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT 1")
            .execute(&self.pool)
            .await
            .map_err(StoreError::query("checking that the database answers"))?;
        Ok(())
    }

    /// Checks that the database can be written, by a small write.
    ///
    /// # Errors
    /// [`StoreError::Query`] if it cannot.
    pub async fn check_writable(&self) -> Result<(), StoreError> {
        sqlx::query("UPDATE sequences SET value = value + 1 WHERE name = 'write_checks'")
            .execute(&self.pool)
            .await
            .map_err(StoreError::query("checking that the database can be written"))?;
        Ok(())
    }

    /// Closes all connections and waits for their end.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}

impl SiteStore {
    /// The site.
    #[must_use]
    pub const fn id(&self) -> SiteId {
        SiteId(self.site)
    }
}

/// Sets up a connection to an SQLite database.
async fn prepare(connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    // Readers continue while an import writes; a writer waits for another one instead of failing.
    for pragma in ["PRAGMA busy_timeout = 15000", "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL"] {
        connection.execute(pragma).await?;
    }
    Ok(())
}

/// Connects to an SQLite database; fails if its disk is full. Whatever else is wrong may pass, such as a lock of another process.
async fn connect(options: &AnyConnectOptions) -> Result<AnyConnection, sqlx::Error> {
    let mut connection = AnyConnection::connect_with(options).await?;
    match prepare(&mut connection).await {
        Err(error) if error::of_driver(&error) == Some(Outage::Full) => Err(error),
        _ => Ok(connection),
    }
}

fn install_drivers() {
    DRIVERS.call_once(sqlx::any::install_default_drivers);
}

/// Brings the tables up to date. SQLite has no lock that spans all migrations: if two processes open a new file at once, one of them finds
/// tables that the other has just created, and its transaction is rolled back. It tries again until the other has finished, for as long as a
/// writer waits for another (`busy_timeout`).
async fn migrate(pool: &AnyPool, sqlite: bool) -> Result<(), MigrateError> {
    let mut retries = if sqlite { 150 } else { 0 };
    loop {
        match MIGRATIONS.run(pool).await {
            // A disk that is full stays full.
            Err(MigrateError::Execute(source) | MigrateError::ExecuteMigration(source, _))
                if retries > 0 && error::of_driver(&source).is_none() =>
            {
                retries -= 1;
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            done => return done,
        }
    }
}

/// Takes the next `count` numbers of a sequence and returns the first. It is the first statement of every writing transaction:
/// SQLite then takes its write lock at once (a later upgrade of a read lock could fail), PostgreSQL locks the row until the
/// commit.
async fn take(tx: &mut Transaction<'_, Any>, sequence: &str, count: i64) -> Result<i64, sqlx::Error> {
    let last: i64 = sqlx::query_scalar("UPDATE sequences SET value = value + $2 WHERE name = $1 RETURNING value")
        .bind(sequence)
        .bind(count)
        .fetch_one(&mut **tx)
        .await?;
    Ok(last - count + 1)
}

/// Whether the new table of this name was filled from the rows of earlier versions.
async fn are_recorded(pool: &AnyPool, table: &str) -> Result<bool, sqlx::Error> {
    let done: i64 =
        sqlx::query_scalar("SELECT value FROM sequences WHERE name = $1").bind(table).fetch_one(pool).await?;
    Ok(done != 0)
}

/// Records that it was filled, once for each database.
async fn set_recorded(tx: &mut Transaction<'_, Any>, table: &str) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE sequences SET value = 1 WHERE name = $1").bind(table).execute(&mut **tx).await?;
    Ok(())
}

/// Takes the next number of a sequence, as [`take`] does.
async fn next(tx: &mut Transaction<'_, Any>, sequence: &str) -> Result<i64, sqlx::Error> {
    take(tx, sequence, 1).await
}

/// Begins a transaction that changes content, and takes its number of the change log.
async fn begin_change(pool: &AnyPool) -> Result<(Transaction<'static, Any>, i64), sqlx::Error> {
    let mut tx = pool.begin().await?;
    let seq = next(&mut tx, "changes").await?;
    Ok((tx, seq))
}

/// Begins a transaction during which nobody else changes content, and takes no number of the change log yet.
async fn lock_changes(pool: &AnyPool) -> Result<Transaction<'static, Any>, sqlx::Error> {
    let mut tx = pool.begin().await?;
    take(&mut tx, "changes", 0).await?;
    Ok(tx)
}

/// Writes the change that a transaction makes into the change log.
async fn log(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    seq: i64,
    kind: ChangeKind,
    action: ChangeAction,
    entity: &str,
) -> Result<(), sqlx::Error> {
    change_log::write(tx, site, &[change_log::LogLine { seq, kind, action, entity: entity.to_owned() }]).await
}

fn system_clock() -> i64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// Limit on the values in a list of a query, far below the number of parameters that both databases allow.
const LIST: usize = 200;
/// Limit on the keys or numbers that one query of a page looks up, so that a long list, such as the seats of a board, is one query. Both databases
/// allow more parameters.
const KEYS: usize = 10_000;
/// Limit on the rows of one INSERT statement.
const ROWS: usize = 50;
/// The key (site and number) before those of all articles and resources. What goes through all sites reads rows in the order of this key, the
/// primary key: numbers are unique on their site only, and no index begins with them.
const BEFORE_ALL: (i64, i64) = (i64::MIN, i64::MIN);

/// Placeholders for a list: `places(2, 3)` is `$2, $3, $4`.
fn places(first: usize, count: usize) -> String {
    (first..first + count).map(|place| format!("${place}")).collect::<Vec<_>>().join(", ")
}

/// Placeholders for inserted rows: `value_rows(2, 2)` is `($1, $2), ($3, $4)`.
fn value_rows(columns: usize, rows: usize) -> String {
    (0..rows).map(|row| format!("({})", places(row * columns + 1, columns))).collect::<Vec<_>>().join(", ")
}

/// The stored form of a value.
fn encode<T: StoredForm>(value: &T) -> Result<String, StoreError> {
    value.encode().map_err(StoreError::damaged("a value to be stored"))
}

fn json<T: serde::Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(StoreError::damaged("a value to be stored"))
}

/// The address without user name and password.
fn redact(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://***@{host}"),
        _ => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::redact;

    #[test]
    fn a_password_is_never_shown() {
        assert_eq!(redact("postgres://u:s3cret@db.example/x"), "postgres://***@db.example/x");
        assert_eq!(redact("postgres://u:p@ss@db/x"), "postgres://***@db/x");
        assert_eq!(redact("sqlite:///tmp/a.db"), "sqlite:///tmp/a.db");
    }
}
