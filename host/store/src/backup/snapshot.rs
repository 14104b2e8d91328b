//! One state of the database, read while others write.

use sqlx::{
    Any, AnyPool, Row as _, Transaction,
    any::{AnyArguments, AnyRow},
    query::Query,
};

use super::{ColumnType, RESTORED, Row, Schema, Table, Value};
use crate::{Store, StoreError, places};

const READING: &str = "reading the state of the database for a backup";
/// Number of article versions that one query reads.
const VERSIONS: i64 = 5000;

/// The site and the number of an article.
pub type ArticleKey = (i64, i64);

/// What tells whether an article was written since another state of the same database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ArticleVersion {
    /// The article.
    pub key: ArticleKey,
    /// The moment of its latest change, in milliseconds since 1970.
    pub changed: i64,
    /// The number of its latest change.
    pub change: i64,
    /// Another number after each write of its rows that was no such change; 0 if there was none.
    pub rewrite: i64,
}

/// One state of the database: all that was committed when it was taken, and nothing later. Others write meanwhile; on SQLite, the
/// write-ahead log grows by what they write until the snapshot is dropped.
pub struct Snapshot {
    tx: Transaction<'static, Any>,
    engine: String,
    schema: Schema,
    position: i64,
    restored: i64,
}

impl Store {
    /// Takes a snapshot.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn snapshot(&self) -> Result<Snapshot, StoreError> {
        let failed = || StoreError::query(READING);
        let (mut tx, engine) = begin_reading(&self.pool).await.map_err(failed())?;
        // The state is that of the first read.
        let position: i64 = sqlx::query_scalar("SELECT value FROM sequences WHERE name = 'changes'")
            .fetch_one(&mut *tx)
            .await
            .map_err(failed())?;
        let restored: Option<i64> = sqlx::query_scalar("SELECT value FROM sequences WHERE name = $1")
            .bind(RESTORED)
            .fetch_optional(&mut *tx)
            .await
            .map_err(failed())?;
        let version: i64 = sqlx::query_scalar("SELECT MAX(version) FROM _sqlx_migrations")
            .fetch_one(&mut *tx)
            .await
            .map_err(failed())?;
        let schema = Schema::at(version).await?;
        Ok(Snapshot { tx, engine, schema, position, restored: restored.unwrap_or(0) })
    }
}

/// A transaction that reads one state of the database, and the name of the database program.
pub(crate) async fn begin_reading(pool: &AnyPool) -> Result<(Transaction<'static, Any>, String), sqlx::Error> {
    let engine = pool.acquire().await?.backend_name().to_owned();
    // SQLite's transactions read one state in any case.
    let begin =
        if engine == "SQLite" { "BEGIN" } else { "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY" };
    Ok((pool.begin_with(begin).await?, engine))
}

impl Snapshot {
    /// The name of the database program.
    #[must_use]
    pub fn engine(&self) -> &str {
        &self.engine
    }

    /// The tables.
    #[must_use]
    pub const fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The number of the latest change.
    #[must_use]
    pub const fn position(&self) -> i64 {
        self.position
    }

    /// As [`Store::restored`].
    #[must_use]
    pub const fn restored(&self) -> i64 {
        self.restored
    }

    /// At most `limit` rows of a table in the order of their keys: those behind the key `after` and before the key `before`.
    ///
    /// # Errors
    /// [`StoreError`], with the name of the table.
    pub async fn rows(
        &mut self,
        table: &Table,
        after: Option<&[Value]>,
        before: Option<&[Value]>,
        limit: i64,
    ) -> Result<Vec<Row>, StoreError> {
        let quoted = |positions: &mut dyn Iterator<Item = usize>| -> String {
            let names: Vec<_> = positions.map(|position| format!("\"{}\"", table.columns[position].name)).collect();
            names.join(", ")
        };
        let columns = quoted(&mut (0..table.columns.len()));
        let key = quoted(&mut table.key.iter().copied());
        let (mut bounds, mut values) = (Vec::new(), Vec::new());
        for (bound, sign) in [(after, '>'), (before, '<')] {
            if let Some(bound) = bound {
                bounds.push(format!("({key}) {sign} ({})", places(values.len() + 1, bound.len())));
                values.extend(bound.iter().zip(&table.key).map(|(value, column)| (value, table.columns[*column].kind)));
            }
        }
        let filter = if bounds.is_empty() { String::new() } else { format!(" WHERE {}", bounds.join(" AND ")) };
        let sql =
            format!("SELECT {columns} FROM \"{}\"{filter} ORDER BY {key} LIMIT ${}", table.name, values.len() + 1);
        let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
        for (value, kind) in values {
            query = bind(query, value, kind);
        }
        let failed = |error: sqlx::Error| StoreError::Unfit {
            doing: format!("reading the table {} for a backup", table.name),
            problem: error.to_string(),
        };
        let rows = query.bind(limit).fetch_all(&mut *self.tx).await.map_err(failed)?;
        rows.iter()
            .map(|row| table.columns.iter().enumerate().map(|(at, column)| value(row, at, column.kind)).collect())
            .collect::<Result<_, sqlx::Error>>()
            .map_err(failed)
    }

    /// The number of rows of a table.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn count(&mut self, table: &Table) -> Result<u64, StoreError> {
        let sql = format!("SELECT COUNT(*) FROM \"{}\"", table.name);
        let count: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
            .fetch_one(&mut *self.tx)
            .await
            .map_err(StoreError::query(READING))?;
        Ok(count.unsigned_abs())
    }

    /// The versions of all articles, by site and number. Indexes have all that is read for it, so that this does not read the articles.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn article_versions(&mut self) -> Result<Vec<ArticleVersion>, StoreError> {
        let mut versions: Vec<ArticleVersion> = Vec::new();
        let mut after = (i64::MIN, i64::MIN, i64::MIN, i64::MIN);
        loop {
            // In the order of the index `articles_by_change`.
            let rows: Vec<(i64, i64, i64, i64)> = sqlx::query_as(
                "SELECT site_id, changed, change_seq, id FROM articles \
                 WHERE (site_id, changed, change_seq, id) > ($1, $2, $3, $4) \
                 ORDER BY site_id, changed, change_seq, id LIMIT $5",
            )
            .bind(after.0)
            .bind(after.1)
            .bind(after.2)
            .bind(after.3)
            .bind(VERSIONS)
            .fetch_all(&mut *self.tx)
            .await
            .map_err(StoreError::query(READING))?;
            let Some(last) = rows.last() else { break };
            after = *last;
            versions.extend(rows.iter().map(|(site, changed, change, id)| ArticleVersion {
                key: (*site, *id),
                changed: *changed,
                change: *change,
                rewrite: 0,
            }));
        }
        versions.sort_unstable();
        self.add_rewrites(&mut versions).await?;
        Ok(versions)
    }

    /// Adds to the versions of articles, in the order of their keys, what was written without a change.
    async fn add_rewrites(&mut self, versions: &mut [ArticleVersion]) -> Result<(), StoreError> {
        let mut after = (i64::MIN, i64::MIN);
        loop {
            let rows: Vec<(i64, i64, i64)> = sqlx::query_as(
                "SELECT site_id, article_id, rewrite FROM rewritten_articles WHERE (site_id, article_id) > ($1, $2) \
                 ORDER BY site_id, article_id LIMIT $3",
            )
            .bind(after.0)
            .bind(after.1)
            .bind(VERSIONS)
            .fetch_all(&mut *self.tx)
            .await
            .map_err(StoreError::query(READING))?;
            let Some((site, article, _)) = rows.last() else { return Ok(()) };
            after = (*site, *article);
            for (site, article, rewrite) in rows {
                // Articles that were removed since are not among the versions.
                if let Ok(at) = versions.binary_search_by_key(&(site, article), |version| version.key) {
                    versions[at].rewrite = rewrite;
                }
            }
        }
    }
}

/// The value of a column of this type.
pub(crate) fn value(row: &AnyRow, at: usize, kind: ColumnType) -> Result<Value, sqlx::Error> {
    Ok(match kind {
        ColumnType::BigInt => row.try_get::<Option<i64>, _>(at)?.map_or(Value::Null, Value::Int),
        ColumnType::Text => row.try_get::<Option<String>, _>(at)?.map_or(Value::Null, Value::Text),
        ColumnType::Bytea => row.try_get::<Option<Vec<u8>>, _>(at)?.map_or(Value::Null, Value::Bytes),
    })
}

/// Binds a value to the next parameter; `kind` is the type of a parameter without a value.
pub(crate) fn bind<'q>(
    query: Query<'q, Any, AnyArguments>,
    value: &Value,
    kind: ColumnType,
) -> Query<'q, Any, AnyArguments> {
    match value {
        Value::Int(number) => query.bind(*number),
        Value::Text(text) => query.bind(text.clone()),
        Value::Bytes(bytes) => query.bind(bytes.clone()),
        Value::Null => match kind {
            ColumnType::BigInt => query.bind(None::<i64>),
            ColumnType::Text => query.bind(None::<String>),
            ColumnType::Bytea => query.bind(None::<Vec<u8>>),
        },
    }
}
