//! Full-text search of what a site publishes, in an index on disk (tantivy, with jieba for Chinese).
//!
//! What it is: the only crate that knows tantivy. It holds words and numbers of articles, never what a page shows.
//! What it is not: it reads no database; `server` feeds it from the change log. `server` may depend on it.
//!
//! As in the store, reading needs a site: [`SearchIndex::search`] adds it to every query.

mod analyzer;
mod matching;
mod parse;
mod passages;
mod query;
#[cfg(test)]
mod relevance_tests;
mod schema;
mod synonyms;
#[cfg(test)]
mod tests;

use std::{path::Path, sync::Mutex};

use masthead_domain::{ArticleId, SiteId};
use tantivy::{
    Index, IndexReader, IndexWriter, ReloadPolicy, TantivyDocument, Term,
    collector::{Count, TopDocs},
    doc,
    schema::Value as _,
};

pub use self::{
    passages::{MAX_PASSAGE, MAX_PASSAGES, MAX_SOURCE, passages},
    query::{
        Field, Filter, MAX_ALTERNATIVES, MAX_BOOST, MAX_DEPTH, MAX_EXPANSIONS, MAX_SYNONYMS, MAX_TERM, MAX_TEXT,
        MAX_WORDS, Query, Synonym,
    },
};
use crate::schema::Columns;

/// Memory that the index writer may use before it writes a segment.
const WRITER_BYTES: usize = 50_000_000;

/// What the index keeps of an article.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// Titles in every language.
    pub title: String,
    /// Keywords in every language.
    pub keywords: String,
    /// Authors and their institutions.
    pub authors: String,
    /// Abstracts in every language.
    pub summary: String,
    /// The whole text.
    pub text: String,
    /// DOI, or "".
    pub doi: String,
    /// Year of publication, where known.
    pub year: Option<i32>,
    /// Key of its journal on the site.
    pub journal: String,
    /// JATS article type.
    pub kind: String,
    /// Whether it is open access.
    pub open_access: bool,
}

/// A page of hits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// Number of all hits.
    pub total: usize,
    /// The page's articles, best first.
    pub ids: Vec<ArticleId>,
}

/// What can go wrong with the index.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The folder cannot be used.
    #[error(
        "opening the search index in {folder}: {source}; another masthead that serves from this data folder holds it, or, if none runs, the folder is damaged: remove it, it is made anew from the database"
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
        /// What was tried.
        doing: &'static str,
        /// The cause.
        source: tantivy::TantivyError,
    },
}

/// An open index. Share it behind an `Arc`.
pub struct SearchIndex {
    index: Index,
    reader: IndexReader,
    // tantivy allows one writer a folder; who writes holds the lock for a batch.
    writer: Mutex<IndexWriter>,
    columns: Columns,
}

impl SearchIndex {
    /// Opens the index in `folder`, making it where there is none. One that another version made in another form is
    /// emptied; its [`SearchIndex::position`] is 0 then, so that it is filled anew from the change log.
    ///
    /// # Errors
    /// [`SearchError::Open`], also when another process has it open for writing.
    pub fn open(folder: &Path) -> Result<Self, SearchError> {
        let failed = |source| SearchError::Open { folder: folder.display().to_string(), source };
        let (index, columns) = schema::open(folder).map_err(failed)?;
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into().map_err(failed)?;
        let writer = index.writer_with_num_threads(1, WRITER_BYTES).map_err(failed)?;
        Ok(Self { index, reader, writer: Mutex::new(writer), columns })
    }

    /// The number of the change up to which the index is complete; 0 for a new one.
    ///
    /// # Errors
    /// [`SearchError::Use`].
    pub fn position(&self) -> Result<i64, SearchError> {
        let meta = self.index.load_metas().map_err(|source| SearchError::Use { doing: "reading the index", source })?;
        Ok(meta.payload.and_then(|payload| payload.parse().ok()).unwrap_or(0))
    }

    /// Replaces (or with `None` removes) articles and remembers that everything up to change `position` is in, at once:
    /// a process that is killed in between goes on from the position before.
    ///
    /// # Errors
    /// [`SearchError::Use`]; the index is as before then.
    pub fn apply(&self, batch: &[(SiteId, ArticleId, Option<Entry>)], position: i64) -> Result<(), SearchError> {
        let failed = |source| SearchError::Use { doing: "writing the index", source };
        let mut writer = self.writer.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let columns = self.columns;
        let written = batch.iter().try_for_each(|(site, id, entry)| {
            let key = format!("{site}/{id}");
            writer.delete_term(Term::from_field_text(columns.key, &key));
            let Some(entry) = entry else { return Ok(()) };
            let mut document = doc!(
                columns.key => key,
                columns.site => site.0,
                columns.id => id.0,
                columns.title => entry.title.as_str(),
                columns.keywords => entry.keywords.as_str(),
                columns.authors => entry.authors.as_str(),
                columns.summary => entry.summary.as_str(),
                columns.text => entry.text.as_str(),
                columns.doi => entry.doi.to_ascii_lowercase(),
                columns.journal => entry.journal.as_str(),
                columns.kind => entry.kind.as_str(),
                columns.open_access => entry.open_access,
            );
            if let Some(year) = entry.year {
                document.add_i64(columns.year, year.into());
            }
            writer.add_document(document)?;
            Ok(())
        });
        let committed = written.and_then(|()| {
            let mut commit = writer.prepare_commit()?;
            commit.set_payload(&position.to_string());
            commit.commit()
        });
        if let Err(source) = committed {
            writer.rollback().map_err(failed)?;
            return Err(failed(source));
        }
        self.reader.reload().map_err(failed)
    }

    /// Articles of a site that match a query, best first.
    ///
    /// # Errors
    /// [`SearchError::Use`].
    pub fn search(&self, site: SiteId, query: &Query, offset: usize, limit: usize) -> Result<Hits, SearchError> {
        let failed = |source| SearchError::Use { doing: "searching", source };
        let Some(matcher) = matching::build(&self.columns, site, query) else { return Ok(Hits::default()) };
        let searcher = self.reader.searcher();
        let top = TopDocs::with_limit(limit.max(1)).and_offset(offset).order_by_score();
        let (hits, total) = searcher.search(&matcher, &(top, Count)).map_err(failed)?;
        let mut ids = Vec::with_capacity(hits.len());
        for (_, address) in hits.into_iter().take(limit) {
            let document: TantivyDocument = searcher.doc(address).map_err(failed)?;
            if let Some(id) = document.get_first(self.columns.id).and_then(|value| value.as_i64()) {
                ids.push(ArticleId(id));
            }
        }
        Ok(Hits { total, ids })
    }
}
