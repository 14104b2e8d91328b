//! The columns of the index: one set for all kinds of entries.

use tantivy::{
    Score,
    schema::{
        FAST, Field as Column, INDEXED, IndexRecordOption, STORED, STRING, Schema, SchemaBuilder, TextFieldIndexing,
        TextOptions,
    },
};

use crate::{analysis::Analyzer, query::Field};

/// The weight of a match in a field, which a search changes by percent.
pub const fn usual_weight(field: Field) -> Score {
    match field {
        Field::Title => 4.0,
        Field::Keywords | Field::Authors | Field::Company => 3.0,
        Field::Summary => 2.0,
        Field::Fund | Field::Publication | Field::Body => 1.0,
    }
}

/// The columns of the index.
#[derive(Clone, Copy)]
pub struct Columns {
    /// Identifies an entry, or a position of the log.
    pub key: Column,
    /// The site, under its number.
    pub site: Column,
    /// Site and kind, in one term: most searches are limited to both.
    pub kind_of_site: Column,
    pub kind: Column,
    pub id: Column,
    /// Distinguishes entries of the same number; see [`crate::PageKey`].
    pub place: Column,
    /// The article that an entry belongs to, and its site.
    pub owner: Column,
    pub title: Column,
    pub keywords: Column,
    pub authors: Column,
    pub company: Column,
    pub fund: Column,
    pub publication: Column,
    pub summary: Column,
    pub text: Column,
    /// The words of all texts as they are written: with what a mistyped word is compared.
    pub spelling: Column,
    /// Whole titles, as [`crate::title_key`] writes them.
    pub whole_title: Column,
    /// Titles as printed, one a line.
    pub titles: Column,
    /// Beginnings that are suggested, with the site and what they are the beginning of.
    pub beginning: Column,
    pub doi: Column,
    pub year: Column,
    pub journal: Column,
    pub article_type: Column,
    pub language: Column,
    pub open_access: Column,
    pub online_first: Column,
    /// Values by which hits are filtered, in the form in which they are compared; `..._shown` has them as printed.
    pub heading: Column,
    pub heading_shown: Column,
    pub person: Column,
    pub person_shown: Column,
    pub funder: Column,
    pub funder_shown: Column,
    pub codes: Column,
    pub dated: Column,
    pub printed: Column,
    pub issue: Column,
    pub first_status: Column,
    pub references: Column,
    pub citations: Column,
    pub updated: Column,
    /// A position of the log: its mark, and what was written with it.
    pub mark: Column,
    pub written: Column,
}

impl Columns {
    /// The column of a searched field.
    pub const fn of(&self, field: Field) -> Column {
        match field {
            Field::Title => self.title,
            Field::Keywords => self.keywords,
            Field::Authors => self.authors,
            Field::Company => self.company,
            Field::Fund => self.fund,
            Field::Publication => self.publication,
            Field::Summary => self.summary,
            Field::Body => self.text,
        }
    }
}

/// The schema and its columns.
pub fn schema() -> (Schema, Columns) {
    let mut builder = Schema::builder();
    let columns = columns(&mut builder);
    (builder.build(), columns)
}

fn columns(builder: &mut SchemaBuilder) -> Columns {
    let words = |analyzer: Analyzer| {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(analyzer.name())
            .set_index_option(IndexRecordOption::WithFreqsAndPositions);
        TextOptions::default().set_indexing_options(indexing)
    };
    let prose = words(Analyzer::Prose);
    let spelling = TextFieldIndexing::default()
        .set_tokenizer(Analyzer::Spelling.name())
        .set_index_option(IndexRecordOption::Basic)
        .set_fieldnorms(false);
    let spelling = TextOptions::default().set_indexing_options(spelling);
    Columns {
        key: builder.add_text_field("key", STRING),
        site: builder.add_i64_field("site", INDEXED | FAST),
        kind_of_site: builder.add_text_field("kind_of_site", STRING),
        kind: builder.add_text_field("kind", STRING | FAST),
        id: builder.add_i64_field("id", STORED | FAST),
        place: builder.add_u64_field("place", FAST),
        owner: builder.add_text_field("owner", STRING),
        title: builder.add_text_field("title", prose.clone()),
        keywords: builder.add_text_field("keywords", prose.clone()),
        authors: builder.add_text_field("authors", words(Analyzer::Names)),
        company: builder.add_text_field("company", prose.clone()),
        fund: builder.add_text_field("fund", prose.clone()),
        publication: builder.add_text_field("publication", prose.clone()),
        summary: builder.add_text_field("summary", prose),
        text: builder.add_text_field("text", words(Analyzer::FullText)),
        spelling: builder.add_text_field("spelling", spelling),
        whole_title: builder.add_text_field("whole_title", STRING),
        titles: builder.add_text_field("titles", STORED),
        beginning: builder.add_text_field("beginning", STRING),
        doi: builder.add_text_field("doi", STRING),
        year: builder.add_i64_field("year", INDEXED | FAST),
        journal: builder.add_text_field("journal", STRING | FAST),
        article_type: builder.add_text_field("article_type", STRING | FAST),
        language: builder.add_text_field("language", STRING | FAST),
        open_access: builder.add_bool_field("open_access", INDEXED | FAST),
        online_first: builder.add_bool_field("online_first", INDEXED | FAST),
        heading: builder.add_text_field("heading", STRING),
        heading_shown: builder.add_text_field("heading_shown", FAST),
        person: builder.add_text_field("person", STRING),
        person_shown: builder.add_text_field("person_shown", FAST),
        funder: builder.add_text_field("funder", STRING),
        funder_shown: builder.add_text_field("funder_shown", FAST),
        codes: builder.add_text_field("codes", STRING),
        dated: builder.add_i64_field("dated", FAST),
        printed: builder.add_i64_field("printed", FAST),
        issue: builder.add_i64_field("issue", FAST),
        first_status: builder.add_i64_field("first_status", FAST),
        references: builder.add_i64_field("references", FAST),
        citations: builder.add_i64_field("citations", FAST),
        updated: builder.add_i64_field("updated", FAST),
        mark: builder.add_i64_field("mark", STORED),
        written: builder.add_text_field("written", STORED),
    }
}
