//! The tables that a version of the schema has, with their columns and keys.

use serde::{Deserialize, Serialize};
use sqlx::{AnyPool, any::AnyPoolOptions};

use crate::{MIGRATIONS, StoreError, install_drivers};

const READING: &str = "reading the tables of the schema";

/// The tables that no backup has, each with the reason.
const LEFT_OUT: [(&str, &str); 10] = [
    (
        "rewritten_articles",
        "what has changed since the latest backup of this database: a restored one has no backup yet",
    ),
    ("sessions", "sign-ins of readers: whoever has a backup has no session, and readers sign in again"),
    ("administrator_sessions", "sign-ins of administrators: whoever has a backup has no session of theirs"),
    ("administrator_invites", "invitations of administrators: they end within days and are sent again"),
    ("codes", "codes that were sent to phones and addresses: they end within minutes"),
    ("tickets", "what is used once within minutes; after a restore, what was used before must not be taken for new"),
    ("sign_in_attempts", "failures of hours ago: a restore would ask members for captchas again"),
    (
        "mail_outbox",
        "messages with codes and links in them; after a restore, those that were sent since would be sent again",
    ),
    ("search_readers", "hashes of readers: they are deleted after two days, and a backup would keep them"),
    ("reader_secrets", "secrets of these hashes: they are deleted after two days, and a backup would keep them"),
];

/// The tables whose rows belong to articles and change with them only, or are noted by `crate::rewrites`.
const OF_ARTICLES: [&str; 2] = ["articles", "compressed_html"];

/// The type of a column. There are no others, so that both databases store the same values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnType {
    /// A number.
    BigInt,
    /// A text.
    Text,
    /// Bytes.
    Bytea,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: ColumnType,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// The positions of the columns by which its rows are ordered. No two rows have the same values in them.
    pub key: Vec<usize>,
    /// Whether its rows belong to articles and change with them only, so that [`crate::backup::Snapshot::article_versions`] tells which
    /// of them have changed. Its key is the site and the number of the article.
    pub of_articles: bool,
    /// Why no backup has this table; `None` if backups have it.
    pub left_out: Option<&'static str>,
}

impl Table {
    /// The position of a column.
    #[must_use]
    pub fn position(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|one| one.name == column)
    }
}

/// The tables of a version of the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// Number of the latest migration.
    pub version: i64,
    /// The tables, by name.
    pub tables: Vec<Table>,
}

impl Schema {
    /// The number of this program's latest migration.
    #[must_use]
    pub fn newest() -> i64 {
        MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0)
    }

    /// The tables after the migration with this number. They are read from an empty database in memory with the same migrations, because
    /// both databases have the same tables, and one that is shared with other programs may have more.
    ///
    /// # Errors
    /// [`StoreError`], also for a column of a type that the databases do not share and for a table without a primary key.
    pub async fn at(version: i64) -> Result<Self, StoreError> {
        install_drivers();
        let pool = AnyPoolOptions::new()
            .max_connections(1)
            .connect("sqlite::memory:")
            .await
            .map_err(StoreError::query(READING))?;
        MIGRATIONS
            .run_to(version, &pool)
            .await
            .map_err(|source| StoreError::Migrate { url: "a database in memory".to_owned(), source })?;
        let names: Vec<String> = sqlx::query_scalar(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' \
             AND name <> '_sqlx_migrations' ORDER BY name",
        )
        .fetch_all(&pool)
        .await
        .map_err(StoreError::query(READING))?;
        let mut tables = Vec::with_capacity(names.len());
        for name in names {
            tables.push(table(&pool, name).await?);
        }
        pool.close().await;
        Ok(Self { version, tables })
    }

    /// The table of this name.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name)
    }

    /// The tables that backups have.
    pub fn backed_up(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter().filter(|table| table.left_out.is_none())
    }
}

async fn table(pool: &AnyPool, name: String) -> Result<Table, StoreError> {
    let rows: Vec<(String, String, i64)> =
        sqlx::query_as("SELECT name, type, pk FROM pragma_table_info($1) ORDER BY cid")
            .bind(&name)
            .fetch_all(pool)
            .await
            .map_err(StoreError::query(READING))?;
    let unfit = |problem: String| StoreError::Unfit { doing: format!("{READING}, {name}"), problem };
    let (mut columns, mut key) = (Vec::with_capacity(rows.len()), Vec::new());
    for (position, (column, kind, place)) in rows.into_iter().enumerate() {
        let kind = match kind.to_ascii_uppercase().as_str() {
            "BIGINT" => ColumnType::BigInt,
            "TEXT" => ColumnType::Text,
            "BYTEA" => ColumnType::Bytea,
            _ => {
                return Err(unfit(format!(
                    "the column {column} has the type {kind}, which the databases do not share"
                )));
            }
        };
        columns.push(Column { name: column, kind });
        if place > 0 {
            key.push((place, position));
        }
    }
    key.sort_unstable();
    let key = key.into_iter().map(|(_, position)| position).collect();
    let of_articles = OF_ARTICLES.contains(&name.as_str());
    let left_out = LEFT_OUT.iter().find(|(table, _)| *table == name).map(|(_, reason)| *reason);
    let table = Table { name: name.clone(), columns, key, of_articles, left_out };
    if table.key.is_empty() {
        return Err(unfit("it has no primary key".to_owned()));
    }
    Ok(table)
}
