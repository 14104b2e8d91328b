//! Relevance of search: queries with what has to be found, measures, and other engines over the same documents.
//!
//! What it is: the judged queries over the demo content (`demo.toml`), queries that are drawn from articles by seeded chance (`drawn`),
//! scores by class of queries (`scores`), and SQLite FTS5 and PostgreSQL full text as engines to compare with (`engines`).
//! What it is not: it is no part of the host. Who may depend on it: its own tests and benchmark only.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

// The PostgreSQL cluster of the tests of the store.
#[path = "../../host/store/tests/support/mod.rs"]
pub mod cluster;
pub mod content;
pub mod drawn;
pub mod engines;
pub mod judged;
pub mod scores;
pub mod seeded;

/// The folder of real articles: `MASTHEAD_TEST_DATA`, or a folder next to the checkout. It is no part of the project.
#[must_use]
pub fn real_articles() -> Option<std::path::PathBuf> {
    let beside = || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("MASTHEAD_TEST_DATA").map_or_else(beside, std::path::PathBuf::from);
    folder.join("jats").is_dir().then_some(folder)
}
