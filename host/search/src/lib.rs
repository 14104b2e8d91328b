//! Full-text search of what a site publishes, in an index on disk (tantivy, with jieba for Chinese).
//!
//! What it is: the only crate that knows tantivy. It holds words and numbers of articles, never what a page shows.
//! What it is not: it reads no database; `server` feeds it from the change log. `server` may depend on it.
//!
//! As in the store, reading needs a site: [`SearchIndex::search`] adds it to every query.

mod analyzer;

use std::{path::Path, sync::Mutex};

use masthead_domain::{ArticleId, SiteId};
use tantivy::{
    Index, IndexReader, IndexWriter, ReloadPolicy, TantivyDocument, Term,
    collector::{Count, TopDocs},
    doc,
    query::{BooleanQuery, Occur, Query, QueryParser, TermQuery},
    schema::{Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions, Value as _},
};

/// Memory that the index writer may use before it writes a segment.
const WRITER_BYTES: usize = 50_000_000;
/// Longest query that is looked at, in characters.
const MAX_QUERY: usize = 512;

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

#[derive(Clone, Copy)]
struct Fields {
    key: Field,
    site: Field,
    id: Field,
    title: Field,
    keywords: Field,
    authors: Field,
    summary: Field,
    text: Field,
    doi: Field,
}

/// An open index. Share it behind an `Arc`.
pub struct SearchIndex {
    index: Index,
    reader: IndexReader,
    // tantivy allows one writer a folder; who writes holds the lock for a batch.
    writer: Mutex<IndexWriter>,
    fields: Fields,
}

impl SearchIndex {
    /// Opens the index in `folder`, making it where there is none.
    ///
    /// # Errors
    /// [`SearchError::Open`], also when another process has it open for writing.
    pub fn open(folder: &Path) -> Result<Self, SearchError> {
        let failed = |source| SearchError::Open { folder: folder.display().to_string(), source };
        std::fs::create_dir_all(folder).map_err(|error| failed(error.into()))?;
        let (schema, fields) = schema();
        let directory = tantivy::directory::MmapDirectory::open(folder).map_err(|error| failed(error.into()))?;
        let index = Index::open_or_create(directory, schema).map_err(failed)?;
        index.tokenizers().register(analyzer::NAME, analyzer::build());
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into().map_err(failed)?;
        let writer = index.writer_with_num_threads(1, WRITER_BYTES).map_err(failed)?;
        Ok(Self { index, reader, writer: Mutex::new(writer), fields })
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
        let fields = self.fields;
        let written = batch.iter().try_for_each(|(site, id, entry)| {
            let key = format!("{site}/{id}");
            writer.delete_term(Term::from_field_text(fields.key, &key));
            let Some(entry) = entry else { return Ok(()) };
            writer.add_document(doc!(
                fields.key => key,
                fields.site => site.0,
                fields.id => id.0,
                fields.title => entry.title.as_str(),
                fields.keywords => entry.keywords.as_str(),
                fields.authors => entry.authors.as_str(),
                fields.summary => entry.summary.as_str(),
                fields.text => entry.text.as_str(),
                fields.doi => entry.doi.to_ascii_lowercase(),
            ))?;
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

    /// Articles of a site that match what a reader typed: words are combined with AND; `AND`, `OR`, `NOT` in capitals
    /// and quoted phrases work; anything that does not parse is searched for as words.
    ///
    /// # Errors
    /// [`SearchError::Use`].
    pub fn search(&self, site: SiteId, typed: &str, offset: usize, limit: usize) -> Result<Hits, SearchError> {
        let failed = |source| SearchError::Use { doing: "searching", source };
        let typed: String = typed.trim().chars().take(MAX_QUERY).collect();
        if typed.is_empty() {
            return Ok(Hits::default());
        }
        let of_site = TermQuery::new(Term::from_field_i64(self.fields.site, site.0), IndexRecordOption::Basic);
        let query = BooleanQuery::new(vec![(Occur::Must, Box::new(of_site)), (Occur::Must, self.parse(&typed))]);
        let searcher = self.reader.searcher();
        let top = TopDocs::with_limit(limit.max(1)).and_offset(offset).order_by_score();
        let (hits, total) = searcher.search(&query, &(top, Count)).map_err(failed)?;
        let mut ids = Vec::with_capacity(hits.len());
        for (_, address) in hits.into_iter().take(limit) {
            let document: TantivyDocument = searcher.doc(address).map_err(failed)?;
            if let Some(id) = document.get_first(self.fields.id).and_then(|value| value.as_i64()) {
                ids.push(ArticleId(id));
            }
        }
        Ok(Hits { total, ids })
    }

    fn parse(&self, typed: &str) -> Box<dyn Query> {
        let fields = self.fields;
        if masthead_domain::Doi::parse(typed).is_ok() {
            let doi = masthead_domain::Doi::parse(typed).map(|doi| doi.key()).unwrap_or_default();
            return Box::new(TermQuery::new(Term::from_field_text(fields.doi, &doi), IndexRecordOption::Basic));
        }
        let mut parser = QueryParser::for_index(
            &self.index,
            vec![fields.title, fields.keywords, fields.authors, fields.summary, fields.text],
        );
        parser.set_conjunction_by_default();
        parser.set_field_boost(fields.title, 4.0);
        parser.set_field_boost(fields.keywords, 3.0);
        parser.set_field_boost(fields.authors, 3.0);
        parser.set_field_boost(fields.summary, 2.0);
        // A colon would name a field of the index; readers mean the character.
        let typed = typed.replace(':', " ");
        parser.parse_query_lenient(&typed).0
    }
}

fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(analyzer::NAME)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let words = TextOptions::default().set_indexing_options(indexing);
    let fields = Fields {
        key: builder.add_text_field("key", STRING),
        site: builder.add_i64_field("site", INDEXED),
        id: builder.add_i64_field("id", STORED),
        title: builder.add_text_field("title", words.clone()),
        keywords: builder.add_text_field("keywords", words.clone()),
        authors: builder.add_text_field("authors", words.clone()),
        summary: builder.add_text_field("summary", words.clone()),
        text: builder.add_text_field("text", words),
        doi: builder.add_text_field("doi", STRING),
    };
    (builder.build(), fields)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    const HERE: SiteId = SiteId(448);
    const THERE: SiteId = SiteId(950);

    fn entry(title: &str, text: &str) -> Entry {
        Entry { title: title.into(), text: text.into(), doi: "10.5555/Tide.1".into(), ..Entry::default() }
    }

    fn filled() -> (tempfile::TempDir, SearchIndex) {
        let folder = tempfile::tempdir().unwrap();
        let index = SearchIndex::open(folder.path()).unwrap();
        let batch = [
            (HERE, ArticleId(1), Some(entry("Tidal ledgers of the coast", "sediment carbon"))),
            (HERE, ArticleId(2), Some(entry("海洋沉积物的碳收支", "潮间带 sediment"))),
            (THERE, ArticleId(3), Some(entry("Tidal inscriptions", "carbon"))),
        ];
        index.apply(&batch, 7).unwrap();
        (folder, index)
    }

    fn found(index: &SearchIndex, typed: &str) -> Vec<i64> {
        let mut ids: Vec<_> = index.search(HERE, typed, 0, 20).unwrap().ids.into_iter().map(|id| id.0).collect();
        ids.sort_unstable();
        ids
    }

    #[test]
    fn words_are_found_in_both_scripts_and_only_on_their_site() {
        let (_folder, index) = filled();
        assert_eq!(found(&index, "tidal"), [1]);
        assert_eq!(found(&index, "Tides"), Vec::<i64>::new());
        assert_eq!(found(&index, "ledger"), [1], "plurals are folded");
        assert_eq!(found(&index, "沉积物"), [2]);
        assert_eq!(found(&index, "sediment"), [1, 2]);
        assert_eq!(index.search(THERE, "tidal", 0, 20).unwrap().ids, [ArticleId(3)]);
        assert_eq!(found(&index, "https://doi.org/10.5555/TIDE.1"), [1, 2]);
    }

    #[test]
    fn operators_and_phrases_work() {
        let (_folder, index) = filled();
        assert_eq!(found(&index, "sediment carbon"), [1]);
        assert_eq!(found(&index, "tidal OR 沉积物"), [1, 2]);
        assert_eq!(found(&index, "sediment NOT carbon"), [2]);
        assert_eq!(found(&index, "\"sediment carbon\""), [1]);
        assert_eq!(found(&index, "\"carbon sediment\""), Vec::<i64>::new());
    }

    #[test]
    fn odd_queries_are_answered() {
        let (_folder, index) = filled();
        for typed in
            ["", " ", "(", "\"", "site:950 tidal", "title:", "a:b:c", "AND", "[* TO", &"x ".repeat(5000), "\u{0}"]
        {
            let ids = found(&index, typed);
            assert!(!ids.contains(&3), "{typed:?}");
        }
    }

    #[test]
    fn replacing_and_removing_follow_the_log() {
        let (folder, index) = filled();
        assert_eq!(index.position().unwrap(), 7);
        index.apply(&[(HERE, ArticleId(1), Some(entry("Estuary", ""))), (HERE, ArticleId(2), None)], 9).unwrap();
        assert_eq!(found(&index, "tidal"), Vec::<i64>::new());
        assert_eq!(found(&index, "estuary"), [1]);
        assert_eq!(found(&index, "沉积物"), Vec::<i64>::new());
        drop(index);
        let again = SearchIndex::open(folder.path()).unwrap();
        assert_eq!(again.position().unwrap(), 9);
        assert_eq!(found(&again, "estuary"), [1]);
    }

    #[test]
    fn pages_do_not_overlap() {
        let folder = tempfile::tempdir().unwrap();
        let index = SearchIndex::open(folder.path()).unwrap();
        let batch: Vec<_> = (1..=45).map(|id| (HERE, ArticleId(id), Some(entry("tide", "")))).collect();
        index.apply(&batch, 1).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for page in 0..3 {
            let hits = index.search(HERE, "tide", page * 20, 20).unwrap();
            assert_eq!(hits.total, 45);
            seen.extend(hits.ids.into_iter().map(|id| id.0));
        }
        assert_eq!(seen.len(), 45);
    }
}
