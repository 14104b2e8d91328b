//! Writing the rows of a backup into an empty database. Whoever opens the database sees all of them or none: a file is opened by nobody
//! before it is complete, and a PostgreSQL database is written in one transaction.

use std::{path::Path, str::FromStr as _, time::Duration};

use sqlx::{
    Any, AnyPool, Executor as _, Transaction,
    any::{AnyConnectOptions, AnyPoolOptions},
};

use super::{ColumnType, RESTORED, Row, Schema, Table, Value, snapshot};
use crate::{
    AuditEntry, MIGRATIONS, ROWS, StoreError, audit, database_file, install_drivers, redact, system_clock, value_rows,
};

const WRITING: &str = "writing the rows of a backup";
/// The number that stands for no site in the audit trail.
const INSTALLATION: i64 = 0;
/// How a new file is written. Nobody else has it, and after a crash it is written again from the start: nothing has to reach the disk before
/// the end.
const NEW_FILE: [&str; 3] = ["PRAGMA journal_mode = MEMORY", "PRAGMA synchronous = OFF", "PRAGMA cache_size = -32768"];

/// A database that is being restored.
pub struct Loader {
    pool: AnyPool,
    tx: Transaction<'static, Any>,
    schema: Schema,
    /// The address without password.
    shown: String,
}

impl Loader {
    /// Begins to write a new SQLite file, for the user of this process alone. The file is worth nothing until [`Self::finish`] returns.
    ///
    /// # Errors
    /// [`StoreError`], also if the file exists.
    pub async fn into_file(path: &Path, version: i64) -> Result<Self, StoreError> {
        let url = format!("sqlite://{}?mode=rwc", path.display());
        let unfit = |problem: String| StoreError::Unfit { doing: format!("creating {}", path.display()), problem };
        if path.exists() {
            return Err(unfit("the file exists".to_owned()));
        }
        database_file::create(path).map_err(|error| unfit(error.to_string()))?;
        let (pool, tx) = begin(&url, &NEW_FILE).await?;
        Self::on(pool, tx, version, url).await
    }

    /// Begins to write a PostgreSQL database. Until [`Self::finish`] returns, all others see what was there before.
    ///
    /// # Errors
    /// [`StoreError::NotEmpty`] if it has content and `replace` is false; otherwise [`StoreError`].
    pub async fn into_database(url: &str, version: i64, replace: bool) -> Result<Self, StoreError> {
        let shown = redact(url);
        if url.starts_with("sqlite:") {
            let problem = "an SQLite database is restored into the data folder: leave --database out".to_owned();
            return Err(StoreError::Unfit { doing: format!("restoring into {shown}"), problem });
        }
        let (pool, mut tx) = begin(url, &[]).await?;
        let failed = || StoreError::query("making room in the database; stop the hosts that use it");
        if let Some(table) = content(&mut tx, &shown).await?
            && !replace
        {
            return Err(StoreError::NotEmpty { url: shown, table });
        }
        // A host that serves from this database has to stop first; it is not waited for.
        sqlx::query("SET LOCAL lock_timeout = '10s'").execute(&mut *tx).await.map_err(failed())?;
        let tables = Schema::at(Schema::newest()).await?.tables;
        for table in tables.iter().map(|table| table.name.as_str()).chain(["_sqlx_migrations"]) {
            let sql = format!("DROP TABLE IF EXISTS \"{table}\"");
            sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&mut *tx).await.map_err(failed())?;
        }
        Self::on(pool, tx, version, shown).await
    }

    /// Creates the tables as they were at the time of the backup, without rows.
    async fn on(
        pool: AnyPool,
        mut tx: Transaction<'static, Any>,
        version: i64,
        shown: String,
    ) -> Result<Self, StoreError> {
        let schema = Schema::at(version).await?;
        MIGRATIONS
            .run_to(version, &mut *tx)
            .await
            .map_err(|source| StoreError::Migrate { url: shown.clone(), source })?;
        for table in &schema.tables {
            let sql = format!("DELETE FROM \"{}\"", table.name);
            sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&mut *tx).await.map_err(StoreError::query(WRITING))?;
        }
        Ok(Self { pool, tx, schema, shown })
    }

    /// The tables at the time of the backup.
    #[must_use]
    pub const fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Writes rows into a table.
    ///
    /// # Errors
    /// [`StoreError`], with the name of the table; the restore has failed then.
    pub async fn insert(&mut self, table: &Table, rows: &[Row]) -> Result<(), StoreError> {
        let unfit =
            |problem: String| StoreError::Unfit { doing: format!("restoring the table {}", table.name), problem };
        let fits = |row: &Row| {
            row.len() == table.columns.len()
                && row.iter().zip(&table.columns).all(|(value, column)| is_of(value, column.kind))
        };
        if !rows.iter().all(fits) {
            return Err(unfit("a row does not fit the columns".to_owned()));
        }
        let columns: Vec<_> = table.columns.iter().map(|column| format!("\"{}\"", column.name)).collect();
        for some in rows.chunks(ROWS) {
            let sql = format!(
                "INSERT INTO \"{}\" ({}) VALUES {}",
                table.name,
                columns.join(", "),
                self.placeholders(columns.len(), some.len())
            );
            let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
            for row in some {
                for (value, column) in row.iter().zip(&table.columns) {
                    query = snapshot::bind(query, value, column.kind);
                }
            }
            let failed = StoreError::rows(format!("restoring the table {}", table.name));
            query.execute(&mut *self.tx).await.map_err(failed)?;
        }
        Ok(())
    }

    /// Placeholders for rows. SQLite looks up the name of each parameter that has one among those of all others, for each value that is bound.
    fn placeholders(&self, columns: usize, rows: usize) -> String {
        if self.shown.starts_with("sqlite:") {
            let row = format!("({})", vec!["?"; columns].join(", "));
            return vec![row; rows].join(", ");
        }
        value_rows(columns, rows)
    }

    /// Brings the tables up to date, as opening the database would have done, gives the database its identity, adds a line to its audit
    /// trail and commits.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is restored then.
    pub async fn finish(self, restored: i64, entry: Option<&AuditEntry>) -> Result<(), StoreError> {
        let Self { pool, mut tx, shown, .. } = self;
        MIGRATIONS.run(&mut *tx).await.map_err(|source| StoreError::Migrate { url: shown, source })?;
        sqlx::query(
            "INSERT INTO sequences (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        )
        .bind(RESTORED)
        .bind(restored)
        .execute(&mut *tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        if let Some(entry) = entry {
            audit::append(&mut tx, INSTALLATION, system_clock(), entry).await?;
        }
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        pool.close().await;
        Ok(())
    }
}

async fn begin(
    url: &str,
    pragmas: &'static [&'static str],
) -> Result<(AnyPool, Transaction<'static, Any>), StoreError> {
    install_drivers();
    let open = |source| StoreError::Open { url: redact(url), source };
    let pool = AnyPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(Duration::from_secs(10))
        .after_connect(move |connection, _| {
            Box::pin(async move {
                for pragma in pragmas {
                    connection.execute(*pragma).await?;
                }
                Ok(())
            })
        })
        .connect_with(AnyConnectOptions::from_str(url).map_err(open)?)
        .await
        .map_err(open)?;
    let tx = pool.begin().await.map_err(open)?;
    Ok((pool, tx))
}

/// A table of a PostgreSQL database that has rows of an installation.
async fn content(tx: &mut Transaction<'static, Any>, shown: &str) -> Result<Option<String>, StoreError> {
    const LOOKING: &str = "looking for content in the database";
    let migrated: i64 = sqlx::query_scalar(
        "SELECT COUNT(*) FROM information_schema.tables \
         WHERE table_schema = current_schema() AND table_name = '_sqlx_migrations'",
    )
    .fetch_one(&mut **tx)
    .await
    .map_err(StoreError::query(LOOKING))?;
    if migrated == 0 {
        return Ok(None);
    }
    let version: Option<i64> = sqlx::query_scalar("SELECT MAX(version) FROM _sqlx_migrations")
        .fetch_one(&mut **tx)
        .await
        .map_err(StoreError::query(LOOKING))?;
    let version = version.unwrap_or(0);
    if version > Schema::newest() {
        let problem = "a newer Masthead has written to it; use that version".to_owned();
        return Err(StoreError::Unfit { doing: format!("restoring into {shown}"), problem });
    }
    // A host that has never stored anything has counters and positions.
    let kept = |table: &&Table| !["sequences", "readers"].contains(&table.name.as_str());
    for table in Schema::at(version).await?.backed_up().filter(kept) {
        let sql = format!("SELECT COUNT(*) FROM (SELECT 1 FROM \"{}\" LIMIT 1) AS found", table.name);
        let rows: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
            .fetch_one(&mut **tx)
            .await
            .map_err(StoreError::query(LOOKING))?;
        if rows > 0 {
            return Ok(Some(table.name.clone()));
        }
    }
    Ok(None)
}

fn is_of(value: &Value, kind: ColumnType) -> bool {
    matches!(
        (value, kind),
        (Value::Null, _)
            | (Value::Int(_), ColumnType::BigInt)
            | (Value::Text(_), ColumnType::Text)
            | (Value::Bytes(_), ColumnType::Bytea)
    )
}
