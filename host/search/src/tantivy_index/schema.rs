//! The index's columns, and its folder.

use std::path::Path;

use tantivy::{
    Directory, Index, IndexSettings, TantivyError,
    directory::{INDEX_WRITER_LOCK, MmapDirectory},
    schema::{FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions},
};

use super::tokenizer;
use crate::analysis::Analyzer;

/// The columns of the index.
#[derive(Clone, Copy)]
pub struct Columns {
    pub key: Field,
    pub site: Field,
    pub resource: Field,
    pub id: Field,
    pub owner: Field,
    pub title: Field,
    pub keywords: Field,
    pub authors: Field,
    pub company: Field,
    pub summary: Field,
    pub text: Field,
    pub doi: Field,
    pub year: Field,
    pub journal: Field,
    pub kind: Field,
    pub open_access: Field,
    pub column: Field,
    pub section: Field,
    pub person: Field,
    pub codes: Field,
    pub dated: Field,
    pub printed: Field,
    pub issue: Field,
    pub first_status: Field,
    pub references: Field,
    pub citations: Field,
    pub online_first: Field,
    pub updated: Field,
}

fn schema() -> (Schema, Columns) {
    let mut builder = Schema::builder();
    let analyzed = |analyzer: Analyzer| {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(analyzer.name())
            .set_index_option(IndexRecordOption::WithFreqsAndPositions);
        TextOptions::default().set_indexing_options(indexing)
    };
    let words = analyzed(Analyzer::Prose);
    let columns = Columns {
        key: builder.add_text_field("key", STRING),
        site: builder.add_i64_field("site", INDEXED | STORED),
        resource: builder.add_text_field("resource", STRING | STORED),
        id: builder.add_i64_field("id", STORED | FAST),
        owner: builder.add_text_field("owner", STRING),
        title: builder.add_text_field("title", words.clone()),
        keywords: builder.add_text_field("keywords", words.clone()),
        authors: builder.add_text_field("authors", words.clone()),
        company: builder.add_text_field("company", words.clone()),
        summary: builder.add_text_field("summary", words.clone()),
        text: builder.add_text_field("text", analyzed(Analyzer::FullText)),
        doi: builder.add_text_field("doi", STRING),
        year: builder.add_i64_field("year", INDEXED | FAST),
        journal: builder.add_text_field("journal", STRING | STORED | FAST),
        kind: builder.add_text_field("kind", STRING | FAST),
        open_access: builder.add_bool_field("open_access", INDEXED),
        column: builder.add_text_field("column", STRING | FAST),
        section: builder.add_text_field("section", STRING),
        person: builder.add_text_field("person", STRING | FAST),
        codes: builder.add_text_field("codes", STRING),
        dated: builder.add_i64_field("dated", FAST),
        printed: builder.add_i64_field("printed", FAST),
        issue: builder.add_i64_field("issue", FAST),
        first_status: builder.add_i64_field("first_status", FAST),
        citations: builder.add_i64_field("citations", FAST),
        references: builder.add_i64_field("references", FAST),
        online_first: builder.add_bool_field("online_first", INDEXED),
        updated: builder.add_i64_field("updated", FAST),
    };
    (builder.build(), columns)
}

/// How far an index is complete. It is committed with the index, as a text: the number of the change, and the database if that is not 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The number of the latest change that is in the index.
    pub change: i64,
    /// The identity of the database whose changes are counted.
    pub database: i64,
}

impl Position {
    /// The position of an index; that of an empty index of a database without identity if nothing is committed yet.
    pub fn of(index: &Index) -> Result<Self, TantivyError> {
        Ok(index.load_metas()?.payload.map(|payload| Self::read(&payload)).unwrap_or_default())
    }

    fn read(payload: &str) -> Self {
        let (change, database) = payload.split_once(' ').unwrap_or((payload, "0"));
        Self { change: change.parse().unwrap_or(0), database: database.parse().unwrap_or(0) }
    }

    /// The text to commit.
    pub fn write(self) -> String {
        if self.database == 0 { self.change.to_string() } else { format!("{} {}", self.change, self.database) }
    }
}

/// Opens the index of a database in a folder. If there is none, or one of another database, with other columns or another analyzer, an
/// empty one is created; it has no position, so that it is built from the start of the change log.
pub fn open(folder: &Path, database: i64) -> Result<(Index, Columns), TantivyError> {
    std::fs::create_dir_all(folder)?;
    let (schema, columns) = schema();
    let directory = MmapDirectory::open(folder)?;
    let index = if Index::exists(&directory)? {
        let index = Index::open(directory.clone())?;
        if index.schema() == schema && Position::of(&index)?.database == database {
            index
        } else {
            // A process of an older version may still be writing. The new index replaces the old one at once, in one file; the
            // old segments are deleted with the first commit.
            let _alone =
                directory.acquire_lock(&INDEX_WRITER_LOCK).map_err(|error| TantivyError::LockFailure(error, None))?;
            Index::create(directory.clone(), schema, IndexSettings::default())?
        }
    } else {
        Index::create(directory, schema, IndexSettings::default())?
    };
    tokenizer::register(&index);
    Ok((index, columns))
}
