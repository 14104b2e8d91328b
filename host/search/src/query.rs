//! What is searched for, as readers type it and as plugins change it.
//!
//! Nothing in a query makes a search fail or run long: what exceeds a bound below is left out.

use crate::entry::{Code, Kind};

/// Longest text that is looked at, in characters.
pub const MAX_TEXT: usize = 512;
/// Most words of a text that are looked at.
pub const MAX_WORDS: usize = 64;
/// Brackets inside each other that are looked at; deeper ones count as white space.
pub const MAX_DEPTH: usize = 16;
/// Most synonyms that are looked at.
pub const MAX_SYNONYMS: usize = 256;
/// Most alternatives of one term that are looked at.
pub const MAX_ALTERNATIVES: usize = 32;
/// Most alternatives that are searched for in one query, over all its terms.
pub const MAX_EXPANSIONS: usize = 128;
/// Longest term or alternative, in characters; longer ones are left out.
pub const MAX_TERM: usize = 100;
/// Highest weight of a field, in percent of the usual; higher ones count as this.
pub const MAX_BOOST: u32 = 10_000;

/// Most conditions of an advanced search that are looked at.
pub const MAX_CLAUSES: usize = 12;
/// Hits that can be paged through, offset included; nobody reads further, and a deep offset costs as much as all pages
/// before it.
pub const MAX_WINDOW: usize = 10_000;

/// A search. All fields may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// What is searched for; empty for everything.
    pub kinds: Vec<Kind>,
    /// What the reader typed: words are combined with AND; `AND`, `OR`, `NOT` in capitals, quoted phrases and brackets
    /// work (NOT binds strongest, then AND, then OR). Without words here and in `clauses` nothing is found.
    pub text: String,
    /// Conditions of an advanced search, which hold besides `text`.
    pub clauses: Vec<Clause>,
    /// Find everything that fulfils the filters where neither `text` nor `clauses` hold words.
    pub all: bool,
    /// The order of the hits.
    pub order: Order,
    /// Words that stand for typed ones.
    pub synonyms: Vec<Synonym>,
    /// Weights of fields in percent of the usual; 0 leaves the field out. The last one of a field holds.
    pub boosts: Vec<(Field, u32)>,
    /// What every hit fulfils.
    pub filters: Vec<Filter>,
}

impl Query {
    /// Articles by what a reader typed, and nothing else.
    #[must_use]
    pub fn typed(text: &str) -> Self {
        Self { kinds: vec![Kind::Article], text: text.to_owned(), ..Self::default() }
    }
}

/// Words that stand for typed ones: where the term stands in the text, a match of an alternative is one of the term.
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

/// What a hit has to fulfil.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filter {
    /// Published in this year or later.
    YearFrom(i32),
    /// Published in this year or before.
    YearTo(i32),
    /// In the journal with this key.
    Journal(String),
    /// Of this JATS article type.
    Kind(String),
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
    /// What it looks at.
    pub target: Target,
    /// What is looked for, with the operators and quotes of [`Query::text`].
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

/// What a condition looks at.
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
    /// A value that is compared whole.
    Code(Code),
}

/// The order of hits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Best first.
    #[default]
    Relevance,
    /// By a value, greatest first; what has none comes last.
    Descending(SortKey),
    /// By a value, smallest first; what has none comes last.
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
