//! The index on disk, made with tantivy. No other module names tantivy.

mod clauses;
mod documents;
mod hits;
mod matching;
mod schema;
mod term_matcher;
mod tokenizer;

use std::{path::Path, sync::Mutex};

use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy, Term};

use self::schema::{Columns, Position};
use crate::{
    entry::{EntryKind, Subject, Update},
    index::SearchError,
};

/// What to do about a folder that cannot be opened.
const REMEDY: &str = "another masthead process that serves from this data folder has it open; if none is running, the folder is damaged: remove it, \
                      the index is rebuilt from the database";
/// Memory of the index writer in bytes, after which it writes a segment.
pub const WRITER_BYTES: usize = 50_000_000;

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
        let failed = |source: tantivy::TantivyError| SearchError::Open {
            folder: folder.display().to_string(),
            source: Box::new(source),
            remedy: REMEDY,
        };
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
        Ok(position.map_err(|source| SearchError::Use { doing: "reading the index", source: source.into() })?.change)
    }

    /// Writes updates and the new position, the number of the last change, in one commit: a process that is killed before the
    /// commit continues from the previous position.
    ///
    /// # Errors
    /// [`SearchError::Use`]; the index is unchanged then.
    pub fn apply(&self, batch: &[Update], position: i64) -> Result<(), SearchError> {
        let failed =
            |source: tantivy::TantivyError| SearchError::Use { doing: "writing the index", source: source.into() };
        let mut writer = self.writer.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let columns = &self.columns;
        let written = batch.iter().try_for_each(|update| {
            let site = update.site;
            let gone = match &update.subject {
                Subject::Article(id) => Term::from_field_text(columns.owner, &documents::owner(site, *id)),
                Subject::Publication(journal) => {
                    Term::from_field_text(columns.key, &documents::key(site, EntryKind::Publication, 0, journal))
                }
                Subject::Resource(kind, id) => {
                    Term::from_field_text(columns.key, &documents::key(site, EntryKind::Resource(*kind), *id, ""))
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
