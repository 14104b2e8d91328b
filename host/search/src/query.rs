//! Queries, as readers type them and as plugins rewrite them.
//!
//! No query makes a search fail or run long: what exceeds a limit below is ignored.

use crate::entry::{EntryKind, ExactField};

/// Longest text of a query, in characters; the rest is ignored.
pub const MAX_TEXT: usize = 512;
/// Most words of a text.
pub const MAX_WORDS: usize = 64;
/// Deepest nesting of brackets; deeper ones count as white space.
pub const MAX_DEPTH: usize = 16;
/// Most synonyms of a query.
pub const MAX_SYNONYMS: usize = 256;
/// Most alternatives of one term.
pub const MAX_ALTERNATIVES: usize = 32;
/// Most alternatives that one query searches for, over all its terms.
pub const MAX_EXPANSIONS: usize = 128;
/// Longest term or alternative, in characters; longer ones are ignored.
pub const MAX_TERM: usize = 100;
/// Highest weight of a field, in percent of the usual; higher ones count as this.
pub const MAX_BOOST: u32 = 10_000;

/// Most conditions of an advanced search.
pub const MAX_CLAUSES: usize = 12;
/// Hits that can be paged through, offset included: a deep offset costs as much as all pages before it.
pub const MAX_WINDOW: usize = 10_000;

/// A search. All fields may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The kinds of entries that are searched; empty for all.
    pub kinds: Vec<EntryKind>,
    /// What the reader typed: words are combined with AND; `AND`, `OR`, `NOT` in capitals, quoted phrases and brackets
    /// work (NOT binds strongest, then AND, then OR). Without words here and in `clauses` nothing is found.
    pub text: String,
    /// Conditions of an advanced search, which hold besides `text`.
    pub clauses: Vec<Clause>,
    /// Find everything that fulfils the filters if neither `text` nor `clauses` hold words.
    pub all: bool,
    /// The order of the hits.
    pub order: Order,
    /// Synonyms of typed words.
    pub synonyms: Vec<Synonym>,
    /// Weights of fields in percent of the usual; 0 leaves the field out. The last one of a field holds.
    pub boosts: Vec<(Field, u32)>,
    /// Conditions that every hit fulfils.
    pub filters: Vec<Filter>,
}

impl Query {
    /// Articles by what a reader typed, and nothing else.
    #[must_use]
    pub fn typed(text: &str) -> Self {
        Self { kinds: vec![EntryKind::Article], text: text.to_owned(), ..Self::default() }
    }
}

/// A synonym: in place of the term in the text, a match of an alternative counts as a match of the term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Synonym {
    /// Word or phrase, in whatever case or number.
    pub term: String,
    /// Words or phrases that are searched for as well.
    pub alternatives: Vec<String>,
}

/// A part of an article that is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Titles.
    Title,
    /// Keywords.
    Keywords,
    /// Authors and their institutions.
    Authors,
    /// Abstracts.
    Summary,
    /// The whole text.
    Body,
}

/// A condition that every hit fulfils.
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
    /// Under this column (subject heading), as printed.
    Column(String),
}

/// A condition of an advanced search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// How it is joined to the conditions before it; AND binds stronger than OR.
    pub join: Join,
    /// The field that it searches.
    pub target: Target,
    /// The searched text, with the operators and quotes of [`Query::text`].
    pub text: String,
    /// Words stand as typed, one behind the other (match type 1); else anywhere, and a letter may differ (match type 0).
    pub precise: bool,
}

/// How a condition is joined to those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Join {
    /// Both hold.
    #[default]
    And,
    /// One of them holds.
    Or,
    /// Those before hold, this one does not.
    Not,
}

/// The field of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Every text.
    Everything,
    /// One part.
    Part(Field),
    /// The institutions of the authors alone.
    Company,
    /// The DOI; not precise: its beginning.
    Doi,
    /// A value that matches as a whole only.
    Exact(ExactField),
}

/// The order of hits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Best first.
    #[default]
    Relevance,
    /// By a value, greatest first; entries without one come last.
    Descending(SortKey),
    /// By a value, smallest first; entries without one come last.
    Ascending(SortKey),
}

/// A value that hits are ordered by; equal ones by number, newest first.
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
}
