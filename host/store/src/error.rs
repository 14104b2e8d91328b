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
