//! The rows of a whole database, for backups: read from one state of it while others write, and written into an empty one.
//!
//! Rows are typed by their columns, which are the same in both databases, so that what was read from one can be written into the other.

mod loader;
mod schema;
mod snapshot;

use serde::{Deserialize, Serialize};

pub use loader::Loader;
pub use schema::{Column, ColumnType, Schema, Table};
pub use snapshot::{ArticleKey, ArticleVersion, Snapshot};
pub(crate) use snapshot::{begin_reading, bind, value};

use crate::{Store, StoreError};

/// A value of a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Value {
    /// No value.
    Null,
    /// A number.
    Int(i64),
    /// A text.
    Text(String),
    /// Bytes, which are read and written as a whole instead of one by one.
    Bytes(#[serde(with = "serde_bytes")] Vec<u8>),
}

/// A row: a value for each column of its table, in their order.
pub type Row = Vec<Value>;

/// Name of the sequence that holds the identity of a restored database. It is no counter: it is written once, at the restore.
const RESTORED: &str = "restored";

impl Store {
    /// The identity of a database that was restored from a backup: another number at each restore, 0 for a database that never was.
    /// What is derived from the change log of one database, such as an index, does not fit another with the same positions.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn restored(&self) -> Result<i64, StoreError> {
        let found: Option<i64> = sqlx::query_scalar("SELECT value FROM sequences WHERE name = $1")
            .bind(RESTORED)
            .fetch_optional(&self.pool)
            .await
            .map_err(StoreError::query("reading the identity of the database"))?;
        Ok(found.unwrap_or(0))
    }

    /// Whether some site has the file with this digest now.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn has_media(&self, digest: &str) -> Result<bool, StoreError> {
        let found: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM media WHERE digest = $1")
            .bind(digest)
            .fetch_one(&self.pool)
            .await
            .map_err(StoreError::query("looking up a file"))?;
        Ok(found > 0)
    }
}
