//! A site as rows: what a copy of it has of each table, how two copies differ, and a site that becomes a copy of another one in one
//! transaction. Bundles of sites and the comparison of installations are made from this.

mod decisions;
mod diff;
mod replace;

use std::collections::BTreeMap;

use masthead_domain::article::ArticleMeta;
use sqlx::{Any, AnyConnection, Transaction};

use crate::{
    ROWS, SiteStore, StoreError, StoredForm as _,
    backup::{Row, Schema, Table, Value, bind, value},
    browse_index, citations, media_uses, value_rows,
};

pub use decisions::{Decision, TABLES, TableDecision};
pub use diff::{RowChange, SiteDiff, TableDiff};
pub use replace::{ConfigurationFile, Replaced, Replacement};

/// Rows that are read at once.
const PAGE: i64 = 100;
const READING: &str = "reading the rows of a site";
const WRITING: &str = "writing the rows of a site";

/// A row by the names of its columns, without the number of the site.
pub type SiteRow = BTreeMap<String, Value>;

/// A site, seen as rows.
pub struct SiteRows {
    store: SiteStore,
    tables: Vec<CopiedTable>,
}

/// A table of which copies have rows.
struct CopiedTable {
    decision: &'static TableDecision,
    table: Table,
    /// Position of the number of the site.
    site: usize,
    /// Positions of the columns that identify a row within the site.
    key: Vec<usize>,
}

impl CopiedTable {
    fn of(schema: &Schema, decision: &'static TableDecision) -> Option<Self> {
        let table = schema.table(decision.table)?.clone();
        let site = table.position("site_id")?;
        let key = table.key.iter().copied().filter(|column| *column != site).collect();
        Some(Self { decision, table, site, key })
    }

    fn key(&self, row: &[Value]) -> Row {
        self.key.iter().filter_map(|column| row.get(*column).cloned()).collect()
    }

    fn value<'a>(&self, row: &'a [Value], column: &str) -> Option<&'a Value> {
        row.get(self.table.position(column)?)
    }

    fn columns(&self) -> String {
        self.table.columns.iter().map(|column| format!("\"{}\"", column.name)).collect::<Vec<_>>().join(", ")
    }

    fn key_columns(&self) -> impl Iterator<Item = &str> {
        self.key.iter().filter_map(|column| self.table.columns.get(*column)).map(|column| column.name.as_str())
    }

    /// A row by the names of its columns, without those in which copies may differ.
    fn named(&self, row: Row) -> SiteRow {
        let pairs = self.table.columns.iter().map(|column| &column.name).zip(row).enumerate();
        pairs
            .filter(|(at, (name, _))| *at != self.site && !self.decision.ignored.contains(&name.as_str()))
            .map(|(_, (name, value))| (name.clone(), value))
            .collect()
    }

    /// Rows of a site in the order of their keys, behind the key `after`.
    async fn page(
        &self,
        connection: &mut AnyConnection,
        site: i64,
        after: Option<&[Value]>,
    ) -> Result<Vec<Row>, sqlx::Error> {
        self.keyed(connection, site, after.map(|key| (">", key))).await
    }

    /// Rows of a site in the order of their keys, of which the key compares so with a given one.
    async fn keyed(
        &self,
        connection: &mut AnyConnection,
        site: i64,
        than: Option<(&str, &[Value])>,
    ) -> Result<Vec<Row>, sqlx::Error> {
        let key = self.key_columns().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
        let only = if self.decision.only.is_empty() { String::new() } else { format!(" AND {}", self.decision.only) };
        let compared = match than {
            Some((operator, given)) => format!(" AND ({key}) {operator} ({})", crate::places(2, given.len())),
            None => String::new(),
        };
        let sql = format!(
            "SELECT {} FROM \"{}\" WHERE site_id = $1{only}{compared} ORDER BY {key} LIMIT {PAGE}",
            self.columns(),
            self.decision.table
        );
        let mut query = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(site);
        for (value, column) in than.map(|(_, given)| given).unwrap_or_default().iter().zip(&self.key) {
            query = bind(query, value, self.table.columns[*column].kind);
        }
        let rows = query.fetch_all(connection).await?;
        rows.iter()
            .map(|row| self.table.columns.iter().enumerate().map(|(at, column)| value(row, at, column.kind)).collect())
            .collect()
    }

    /// Writes rows of a site; a row with the same key is replaced.
    async fn write(&self, tx: &mut Transaction<'_, Any>, site: i64, rows: &[Row]) -> Result<(), sqlx::Error> {
        let keys: Vec<&str> = std::iter::once("site_id").chain(self.key_columns()).collect();
        let others = self.table.columns.iter().map(|column| column.name.as_str()).filter(|name| !keys.contains(name));
        let updates: Vec<String> = others.map(|name| format!("\"{name}\" = excluded.\"{name}\"")).collect();
        let then = if updates.is_empty() { "NOTHING".to_owned() } else { format!("UPDATE SET {}", updates.join(", ")) };
        let quoted: Vec<String> = keys.iter().map(|name| format!("\"{name}\"")).collect();
        for some in rows.chunks(ROWS) {
            let sql = format!(
                "INSERT INTO \"{}\" ({}) VALUES {} ON CONFLICT ({}) DO {then}",
                self.decision.table,
                self.columns(),
                value_rows(self.table.columns.len(), some.len()),
                quoted.join(", ")
            );
            let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
            for row in some {
                for (at, (value, column)) in row.iter().zip(&self.table.columns).enumerate() {
                    let value = if at == self.site { &Value::Int(site) } else { value };
                    query = bind(query, value, column.kind);
                }
            }
            query.execute(&mut **tx).await?;
        }
        Ok(())
    }
}

impl SiteRows {
    /// The site of a store.
    ///
    /// # Errors
    /// [`StoreError`], if the tables cannot be read.
    pub async fn of(store: SiteStore) -> Result<Self, StoreError> {
        let schema = Schema::at(Schema::newest()).await?;
        let copied = TABLES.iter().filter(|decision| decision.decision != Decision::Left);
        Ok(Self { store, tables: copied.filter_map(|decision| CopiedTable::of(&schema, decision)).collect() })
    }

    /// The same site without some tables: their rows are neither compared nor changed.
    #[must_use]
    pub fn without(mut self, tables: &[&str]) -> Self {
        self.tables.retain(|table| !tables.contains(&table.decision.table));
        self
    }

    /// The kept tables, in the order in which their rows are read and written.
    pub fn kept(&self) -> impl Iterator<Item = &'static str> {
        let kept = self.tables.iter().filter(|table| table.decision.decision == Decision::Kept);
        kept.map(|table| table.decision.table)
    }

    fn table(&self, name: &str) -> Result<&CopiedTable, StoreError> {
        let known = self.tables.iter().find(|table| table.decision.table == name);
        known.ok_or_else(|| unfit(name, "this version has no such table of a site".to_owned()))
    }

    /// Rows of a table in the order of their keys, behind the row `after`; an empty list is the end. Columns in which copies may differ
    /// are left out.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn rows(&self, table: &str, after: Option<&SiteRow>) -> Result<Vec<SiteRow>, StoreError> {
        let copied = self.table(table)?;
        let after: Option<Row> =
            after.map(|row| copied.key_columns().map(|name| row.get(name).cloned().unwrap_or(Value::Null)).collect());
        let mut connection = self.store.pool.acquire().await.map_err(StoreError::query(READING))?;
        let rows = copied
            .page(&mut connection, self.store.site, after.as_deref())
            .await
            .map_err(StoreError::query(READING))?;
        Ok(rows.into_iter().map(|row| copied.named(row)).collect())
    }

    /// The row of this copy in which another one differs, as far as [`Self::rows`] has it; `None` if this copy has none.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn row(&self, table: &str, change: &RowChange) -> Result<Option<SiteRow>, StoreError> {
        let copied = self.table(table)?;
        let mut connection = self.store.pool.acquire().await.map_err(StoreError::query(READING))?;
        let rows = copied
            .keyed(&mut connection, self.store.site, Some(("=", &change.key)))
            .await
            .map_err(StoreError::query(READING))?;
        Ok(rows.into_iter().next().map(|row| copied.named(row)))
    }

    /// Writes rows of one table; a column that a row does not have gets its default. With articles, their entries of the browse index are
    /// written; [`Self::record_uses`] records which files all of it uses.
    ///
    /// # Errors
    /// [`StoreError`], if a row does not fit the table; nothing is written then.
    pub async fn add(&self, table: &str, rows: &[SiteRow]) -> Result<(), StoreError> {
        let copied = self.table(table)?;
        if rows.is_empty() {
            return Ok(());
        }
        let mut tx = self.store.pool.begin().await.map_err(StoreError::query(WRITING))?;
        for row in rows {
            if let Some(odd) = row.keys().find(|name| *name == "site_id" || copied.table.position(name).is_none()) {
                return Err(unfit(table, format!("a row has the column {odd:?}, which the table has not")));
            }
            let has = |column: &&crate::backup::Column| row.contains_key(&column.name);
            let columns: Vec<_> = copied.table.columns.iter().filter(has).collect();
            let names: Vec<String> = columns.iter().map(|column| format!(", \"{}\"", column.name)).collect();
            let sql = format!(
                "INSERT INTO \"{table}\" (site_id{}) VALUES ({})",
                names.concat(),
                crate::places(1, columns.len() + 1)
            );
            let mut query = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(self.store.site);
            for column in &columns {
                query = bind(query, &row[&column.name], column.kind);
            }
            query.execute(&mut *tx).await.map_err(StoreError::rows(writing(table)))?;
            if table == "articles" {
                self.add_to_browse_index(&mut tx, row).await?;
            }
        }
        tx.commit().await.map_err(StoreError::query(WRITING))
    }

    async fn add_to_browse_index(&self, tx: &mut Transaction<'_, Any>, row: &SiteRow) -> Result<(), StoreError> {
        let (Some(Value::Int(id)), Some(Value::Text(meta))) = (row.get("id"), row.get("meta")) else {
            return Err(unfit("articles", "a row has no number or no metadata".to_owned()));
        };
        let meta = ArticleMeta::decode(meta).map_err(StoreError::damaged("an article's data"))?;
        browse_index::write(tx, self.store.site, *id, &meta, false).await.map_err(StoreError::query(WRITING))
    }

    /// Records which files are in use by the rows that [`Self::add`] wrote, and which works they cite. It is for a database that has this one
    /// site.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn record_uses(&self) -> Result<(), StoreError> {
        sqlx::query("UPDATE sequences SET value = 0 WHERE name IN ('media_uses', 'citations')")
            .execute(&self.store.pool)
            .await
            .map_err(StoreError::query(WRITING))?;
        citations::record_earlier_rows(&self.store.pool).await?;
        media_uses::record_earlier_rows(&self.store.pool).await
    }

    /// Whether the site has any row of a kept table.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn is_empty(&self) -> Result<bool, StoreError> {
        let mut connection = self.store.pool.acquire().await.map_err(StoreError::query(READING))?;
        for table in self.tables.iter().filter(|table| table.decision.decision == Decision::Kept) {
            let rows = table.page(&mut connection, self.store.site, None).await.map_err(StoreError::query(READING))?;
            if !rows.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn writing(table: &str) -> String {
    format!("writing rows of the table {table}")
}

fn unfit(table: &str, problem: String) -> StoreError {
    StoreError::Unfit { doing: writing(table), problem }
}
