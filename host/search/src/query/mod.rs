//! Queries as readers type them and plugins rewrite them.
//!
//! No query makes a search fail or run long: the parts that exceed a limit below are ignored.

mod interpretation;
mod mistakes;
mod parse;
mod synonyms;

pub use self::{
    interpretation::{Analysis, QueryPart, analyze},
    mistakes::{Mistake, MistakeKind, mistakes},
    parse::QUOTES,
    synonyms::{TermTree, terms_of, terms_of_clause},
};
use crate::entry::{EntryKind, ExactField};

/// Limit on the length of a query's text in characters; the rest is ignored.
pub const MAX_TEXT: usize = 512;
/// Limit on the words of a text.
pub const MAX_WORDS: usize = 64;
/// Limit on the depth of nested brackets; deeper ones are treated as white space.
pub const MAX_DEPTH: usize = 16;
/// Limit on the synonyms of a query.
pub const MAX_SYNONYMS: usize = 256;
/// Limit on the alternatives of one term.
pub const MAX_ALTERNATIVES: usize = 32;
/// Limit on the alternatives of all terms of a query together.
pub const MAX_EXPANSIONS: usize = 128;
/// Limit on the length of a term or alternative in characters; longer ones are ignored.
pub const MAX_TERM: usize = 100;
/// Limit on the weight of a field in percent of the usual weight; higher ones are reduced to it.
pub const MAX_BOOST: u32 = 10_000;

/// Limit on the conditions of an advanced search.
pub const MAX_CLAUSES: usize = 12;
/// Limit on the hits that can be paged through, offset included, because a page costs as much as all pages before it.
pub const MAX_WINDOW: usize = 10_000;

/// A search. All fields may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The kinds of entries to search; empty for all.
    pub kinds: Vec<EntryKind>,
    /// The text typed by the reader. Words are combined with AND; the operators `AND`, `OR` and `NOT` in capitals, quoted
    /// phrases and brackets are supported (NOT has precedence over AND, AND over OR). Without words here and in `clauses`,
    /// nothing is found.
    pub text: String,
    /// Conditions of an advanced search, in addition to `text`.
    pub clauses: Vec<Clause>,
    /// Whether to find all entries that pass the filters if neither `text` nor `clauses` have words.
    pub all: bool,
    /// The order of the hits.
    pub order: Order,
    /// Synonyms of typed words.
    pub synonyms: Vec<Synonym>,
    /// Weights of fields in percent of the usual weight; 0 excludes a field. The last weight of a field is used.
    pub boosts: Vec<(Field, u32)>,
    /// Filters that every hit passes.
    pub filters: Vec<Filter>,
}

impl Query {
    /// A query for articles by a typed text, without further conditions.
    #[must_use]
    pub fn typed(text: &str) -> Self {
        Self { kinds: vec![EntryKind::Article], text: text.to_owned(), ..Self::default() }
    }
}

/// A synonym: where the term occurs in the text, a match of an alternative is treated as a match of the term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Synonym {
    /// Word or phrase; case and number are ignored.
    pub term: String,
    /// Words or phrases that are searched in addition.
    pub alternatives: Vec<String>,
}

/// A searchable part of an article.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Titles.
    Title,
    /// Keywords.
    Keywords,
    /// Authors.
    Authors,
    /// Institutions of authors.
    Company,
    /// Funders.
    Funds,
    /// Names of the journal.
    Publication,
    /// Abstracts.
    Summary,
    /// The whole text.
    Body,
}

/// A filter that every hit passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filter {
    /// Published in this year or later.
    YearFrom(i32),
    /// Published in this year or before.
    YearTo(i32),
    /// In the journal with this key.
    Journal(String),
    /// Of this JATS article type.
    ArticleType(String),
    /// Open access, or not.
    OpenAccess(bool),
    /// An article that is published online and not yet in an issue, or one that is formally published.
    OnlineFirst(bool),
    /// Under this column (subject heading), in any case and spacing.
    Column(String),
    /// By this author, in any case and spacing.
    Author(String),
    /// Funded by this funder, in any case and spacing.
    Fund(String),
    /// In the language with this tag.
    Language(String),
}

/// A condition of an advanced search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// How it is joined to the conditions before it; AND has precedence over OR.
    pub join: Join,
    /// The field to search.
    pub target: Target,
    /// The text to search, with the operators and quotes of [`Query::text`].
    pub text: String,
    /// Whether words must be adjacent as typed (match type 1); otherwise they may be anywhere and may differ by a letter (match
    /// type 0).
    pub precise: bool,
}

/// Operator between a condition and those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Join {
    /// Both must match.
    #[default]
    And,
    /// One of them must match.
    Or,
    /// Those before must match, this one must not.
    Not,
}

/// The field of an advanced condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// All texts.
    Everything,
    /// One part.
    Part(Field),
    /// The authors' institutions.
    Company,
    /// The DOI, or its beginning unless the condition is precise.
    Doi,
    /// A value that matches only as a whole.
    Exact(ExactField),
}

/// The order of hits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By relevance.
    #[default]
    Relevance,
    /// By a value in descending order; entries without one come last.
    Descending(SortKey),
    /// By a value in ascending order; entries without one come last.
    Ascending(SortKey),
}

/// A value by which hits are ordered; equal ones are ordered by number, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortKey {
    /// Date of publication.
    Date,
    /// Date of print publication.
    PrintDate,
    /// Year.
    Year,
    /// Year and issue.
    Issue,
    /// Proofing state.
    FirstStatus,
    /// Number of references.
    References,
    /// Number of citations.
    Citations,
    /// Time of the last update.
    Updated,
}
