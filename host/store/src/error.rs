//! Errors of the database.

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
        source: sqlx::migrate::MigrateError,
    },
    /// A query failed.
    #[error("{doing}: {source}")]
    Query {
        /// The operation that failed.
        doing: &'static str,
        /// The driver's error.
        source: sqlx::Error,
    },
    /// A row holds a value that this version cannot read.
    #[error("reading {what}: the stored value is damaged or of another version: {source}")]
    Damaged {
        /// The value that was read.
        what: &'static str,
        /// The parser's error.
        source: serde_json::Error,
    },
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
    /// Rows of a backup and tables of a database do not fit each other.
    #[error("{doing}: {problem}")]
    Unfit {
        /// The operation that failed, and its object.
        doing: String,
        /// What is wrong.
        problem: String,
    },
}

impl StoreError {
    /// Converts the driver's error of an operation; for `map_err`.
    pub(crate) const fn query(doing: &'static str) -> impl FnOnce(sqlx::Error) -> Self {
        move |source| Self::Query { doing, source }
    }

    /// Converts the parser's error of a stored value; for `map_err`.
    pub(crate) const fn damaged(what: &'static str) -> impl FnOnce(serde_json::Error) -> Self {
        move |source| Self::Damaged { what, source }
    }
}
