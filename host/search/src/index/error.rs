//! Why an index failed.

/// A failure of an index.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The folder cannot be used.
    #[error("opening the search index in {folder}: {source}; {remedy}")]
    Open {
        /// The folder.
        folder: String,
        /// The cause.
        source: Box<dyn std::error::Error + Send + Sync>,
        /// What to do.
        remedy: &'static str,
    },
    /// Reading or writing failed.
    #[error("{doing}: {source}")]
    Use {
        /// The operation that failed.
        doing: &'static str,
        /// The cause.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// An operation panicked, or did not run because the process is ending.
    #[error("{doing} ended before its end: {source}; please report the query")]
    Ended {
        /// The operation.
        doing: &'static str,
        /// The cause.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}
