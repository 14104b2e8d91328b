//! Engines that answer queries over the same documents.

mod fts5;
mod postgres;

pub use self::{
    fts5::{Fts5, Tokenizer},
    postgres::Postgres,
};
use crate::{content::Document, judged::Query};

/// An engine.
pub trait Engine {
    /// Its name in tables.
    fn name(&self) -> &'static str;

    /// The keys of the best `limit` documents for a query, best first.
    fn find(&self, query: &Query, limit: usize) -> Vec<String>;
}

/// A table of a database with full-text search.
pub trait Database: Engine {
    /// Adds documents.
    fn add(&self, documents: &[Document]);

    /// Prepares what was added to be searched fast, as the engine recommends.
    fn finish(&self);

    /// Bytes on disk of the documents and their index.
    fn bytes(&self) -> u64;
}

/// Weights of the fields in the other engines, after those of the host: title, keywords, authors, institutions, abstract, text, DOI.
pub const WEIGHTS: [f64; 7] = [10.0, 5.0, 5.0, 2.0, 3.0, 1.0, 10.0];

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}
