//! Full-text search of a site's content, in an index on disk (tantivy, with jieba for Chinese).
//!
//! What it is: the only crate that knows tantivy. It indexes articles, journals and resources and finds their numbers; the data that
//! pages show are read from the store.
//! What it is not: it reads no database; the follower of the change log writes the index.
//! Who may depend on it: `content` and the crates above it; it depends on `domain` alone.
//!
//! As in the store, every read is limited to one site: [`SearchIndex::search`] adds it to every query.

mod analysis;
mod analyzer;
mod clauses;
mod entry;
mod hits;
mod matching;
mod mistakes;
mod parse;
mod passages;
mod query;
mod schema;
mod synonyms;
mod term_matcher;
#[cfg(test)]
mod tests;

use std::{path::Path, sync::Mutex};

use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy, Term};

pub use self::{
    analysis::{Analysis, QueryPart, analyze},
    entry::{Entry, EntryKind, ExactField, Subject, Update},
    hits::{Clusters, Hit, Hits, Likeness},
    mistakes::{Mistake, MistakeKind, mistakes},
    parse::QUOTES,
    passages::{MAX_PASSAGE, MAX_PASSAGES, MAX_SOURCE, passages},
    query::{
        Clause, Field, Filter, Join, MAX_ALTERNATIVES, MAX_BOOST, MAX_CLAUSES, MAX_DEPTH, MAX_EXPANSIONS, MAX_SYNONYMS,
        MAX_TERM, MAX_TEXT, MAX_WINDOW, MAX_WORDS, Order, Query, SortKey, Synonym, Target,
    },
};
use crate::schema::{Columns, Position};

/// Memory of the index writer in bytes, after which it writes a segment.
const WRITER_BYTES: usize = 50_000_000;

/// Errors of the index.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The folder cannot be used.
    #[error(
        "opening the search index in {folder}: {source}; another masthead process that serves from this data folder has it open; if none is running, the folder is damaged: remove it, the index is rebuilt from the database"
    )]
    Open {
        /// The folder.
        folder: String,
        /// The cause.
        source: tantivy::TantivyError,
    },
    /// Reading or writing failed.
    #[error("{doing}: {source}")]
    Use {
        /// The operation that failed.
        doing: &'static str,
        /// The cause.
        source: tantivy::TantivyError,
    },
}

/// An open index. Share it behind an `Arc`.
pub struct SearchIndex {
    index: Index,
    reader: IndexReader,
    // tantivy allows one writer for a folder; it is locked for a batch.
    writer: Mutex<IndexWriter>,
    columns: Columns,
    database: i64,
}

impl SearchIndex {
    /// Opens the index in `folder`, or creates it, for a database that was never restored from a backup; see [`SearchIndex::open_of`].
    ///
    /// # Errors
    /// [`SearchError::Open`], also when another process has it open for writing.
    pub fn open(folder: &Path) -> Result<Self, SearchError> {
        Self::open_of(folder, 0)
    }

    /// Opens the index of the database with this identity in `folder`, or creates it. An index of another database, of another version,
    /// with other columns or another analyzer, is emptied; its [`SearchIndex::position`] is then 0, so that it is rebuilt from the
    /// change log: positions in the logs of two databases are the same numbers for different changes.
    ///
    /// # Errors
    /// [`SearchError::Open`], also when another process has it open for writing.
    pub fn open_of(folder: &Path, database: i64) -> Result<Self, SearchError> {
        let failed = |source| SearchError::Open { folder: folder.display().to_string(), source };
        let (index, columns) = schema::open(folder, database).map_err(failed)?;
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into().map_err(failed)?;
        let writer = index.writer_with_num_threads(1, WRITER_BYTES).map_err(failed)?;
        Ok(Self { index, reader, writer: Mutex::new(writer), columns, database })
    }

    /// The number of the change up to which the index is complete; 0 for a new index.
    ///
    /// # Errors
    /// [`SearchError::Use`].
    pub fn position(&self) -> Result<i64, SearchError> {
        let position = Position::of(&self.index);
        Ok(position.map_err(|source| SearchError::Use { doing: "reading the index", source })?.change)
    }

    /// Writes updates and the new position, the number of the last change, in one commit: a process that is killed before the
    /// commit continues from the previous position.
    ///
    /// # Errors
    /// [`SearchError::Use`]; the index is unchanged then.
    pub fn apply(&self, batch: &[Update], position: i64) -> Result<(), SearchError> {
        let failed = |source| SearchError::Use { doing: "writing the index", source };
        let mut writer = self.writer.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let columns = &self.columns;
        let written = batch.iter().try_for_each(|update| {
            let site = update.site;
            let gone = match &update.subject {
                Subject::Article(id) => Term::from_field_text(columns.owner, &entry::owner(site, *id)),
                Subject::Publication(journal) => {
                    Term::from_field_text(columns.key, &entry::key(site, EntryKind::Publication, 0, journal))
                }
                Subject::Resource(kind, id) => {
                    Term::from_field_text(columns.key, &entry::key(site, EntryKind::Resource(*kind), *id, ""))
                }
            };
            writer.delete_term(gone);
            update.entries.iter().try_for_each(|entry| writer.add_document(columns.document(site, entry)).map(|_| ()))
        });
        let committed = written.and_then(|()| {
            let mut commit = writer.prepare_commit()?;
            commit.set_payload(&Position { change: position, database: self.database }.write());
            commit.commit()
        });
        if let Err(source) = committed {
            writer.rollback().map_err(failed)?;
            return Err(failed(source));
        }
        self.reader.reload().map_err(failed)
    }
}
