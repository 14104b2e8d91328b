//! The index on disk, made with tantivy. No other module names tantivy.

mod beginnings;
mod documents;
mod facets;
mod hits;
mod opening;
mod optional_parts;
mod paging;
mod phrases;
mod positions;
mod query_conversion;
mod schema;
mod segments;
mod similarity;
mod statistics;
mod suggestions;
mod term_expansion;
#[cfg(test)]
mod tests;
mod tokenizer;
mod words;
mod writing;

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError, RwLock},
};

use masthead_domain::SiteId;
use tantivy::{Index as Tantivy, IndexReader, IndexWriter, TantivyError};

use self::{paging::SortedBy, schema::Columns, segments::Segments};
use crate::{
    entry::{Subject, Update},
    index::{
        Answer, Clusters, ExternalOrder, Facet, Hit, Hits, Index, Like, PageOfHits, Position, SearchError, Sites,
        Suggest, Suggestion,
    },
    query::{Expansion, IndexedWord, Search},
};

/// An open index. Reads run on blocking threads, side by side; updates run one after another.
pub struct SearchIndex {
    inner: Arc<Inner>,
}

struct Inner {
    index: Tantivy,
    reader: IndexReader,
    // tantivy allows one writer for a folder; it is locked for a batch. There is none after the index was closed.
    writer: Mutex<Option<IndexWriter>>,
    // What was committed, newest first; whoever has the writer replaces it. Who asks how far the index is does not wait for a batch.
    positions: RwLock<Vec<Position>>,
    columns: Columns,
    segments: Segments,
    database: i64,
}

impl SearchIndex {
    /// Opens the index of the database with this identity (0 for one that was never restored from a backup) in `folder`, or creates it. An
    /// index of another database, or with other columns or analyzers, is emptied; its position is then the one before the first change.
    ///
    /// # Errors
    /// [`SearchError::Open`], also when the index is damaged, or another process has it open for writing.
    pub fn open(folder: &Path, database: i64) -> Result<Self, SearchError> {
        opening::open(folder, database, opening::Writers::One)
    }

    /// Opens an index to fill it: it uses more memory, and all processors.
    ///
    /// # Errors
    /// As [`SearchIndex::open`].
    pub fn open_to_fill(folder: &Path, database: i64) -> Result<Self, SearchError> {
        opening::open(folder, database, opening::Writers::All)
    }

    /// Merges the files of an index that nobody has open into those of one segment, which is searched faster than many.
    ///
    /// # Errors
    /// [`SearchError::Open`]; the index is as it was then.
    pub fn merge(folder: &Path) -> Result<(), SearchError> {
        opening::merge(folder)
    }

    /// Waits until no files are merged in the background any more; it blocks the thread. The index writes no updates after that. What reads the
    /// folder by itself, or opens it again, closes the index before.
    ///
    /// # Errors
    /// [`SearchError::Use`].
    pub fn close(&self) -> Result<(), SearchError> {
        let writer = self.inner.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        let merged = writer.map_or(Ok(()), IndexWriter::wait_merging_threads);
        merged.map_err(|source| SearchError::Use { doing: "merging files of the index", source: Box::new(source) })
    }

    /// Reads every file and compares it with its checksum. A large index is not read when it is opened, so that the process that opens it
    /// serves at once; it calls this meanwhile.
    ///
    /// # Errors
    /// [`SearchError::Use`], which says which files are damaged.
    pub fn verify(&self) -> Answer<'_, ()> {
        self.blocking("reading all files of the index", |inner| {
            let damaged = inner.index.validate_checksum().map_err(reading)?;
            if damaged.is_empty() { Ok(()) } else { Err(opening::damage(&damaged)) }
        })
    }

    /// Runs an operation on a blocking thread: it reads from disk, which must not hold up the other requests of an async thread.
    fn blocking<T: Send + 'static>(
        &self,
        doing: &'static str,
        run: impl FnOnce(&Inner) -> Result<T, SearchError> + Send + 'static,
    ) -> Answer<'_, T> {
        let inner = Arc::clone(&self.inner);
        Box::pin(async move {
            let ended = tokio::task::spawn_blocking(move || run(&inner)).await;
            ended.map_err(|source| SearchError::Ended { doing, source: Box::new(source) })?
        })
    }
}

const READING: &str = "reading the index";
const SEARCHING: &str = "searching";

fn reading(source: TantivyError) -> SearchError {
    SearchError::Use { doing: READING, source: Box::new(source) }
}

fn searching(source: TantivyError) -> SearchError {
    SearchError::Use { doing: SEARCHING, source: Box::new(source) }
}

impl Index for SearchIndex {
    fn position(&self) -> Answer<'_, Position> {
        self.blocking(READING, |inner| Ok(inner.positions().first().copied().unwrap_or_default()))
    }

    fn positions(&self) -> Answer<'_, Vec<Position>> {
        self.blocking(READING, |inner| Ok(inner.positions()))
    }

    fn written_after(&self, position: Position) -> Answer<'_, Vec<(SiteId, Subject)>> {
        self.blocking(READING, move |inner| inner.written_after(position).map_err(reading))
    }

    fn apply(&self, batch: Vec<Update>, position: Position) -> Answer<'_, ()> {
        self.blocking(writing::DOING, move |inner| inner.apply(&batch, position))
    }

    fn search(&self, sites: Sites, search: Search, page: PageOfHits) -> Answer<'_, Hits> {
        self.blocking(SEARCHING, move |inner| {
            inner.search(&sites, &search, search.order.into(), page).map_err(searching)
        })
    }

    fn search_ordered(&self, sites: Sites, search: Search, order: ExternalOrder, page: PageOfHits) -> Answer<'_, Hits> {
        self.blocking(SEARCHING, move |inner| {
            inner.search(&sites, &search, SortedBy::External(order.into()), page).map_err(searching)
        })
    }

    fn clusters(&self, sites: Sites, search: Search, facets: Vec<Facet>) -> Answer<'_, Clusters> {
        self.blocking(SEARCHING, move |inner| inner.clusters(&sites, &search, facets).map_err(searching))
    }

    fn suggest(&self, suggest: Suggest) -> Answer<'_, Vec<Suggestion>> {
        self.blocking(SEARCHING, move |inner| inner.suggest(&suggest).map_err(searching))
    }

    fn words(&self, sites: Sites, typed: Vec<(String, Expansion)>, limit: usize) -> Answer<'_, Vec<Vec<IndexedWord>>> {
        self.blocking(SEARCHING, move |inner| inner.words(&sites, &typed, limit).map_err(searching))
    }

    fn like(&self, like: Like) -> Answer<'_, Vec<Hit>> {
        self.blocking(SEARCHING, move |inner| inner.like(&like).map_err(searching))
    }
}
