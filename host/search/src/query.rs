//! What is searched for, as readers type it and as plugins change it.
//!
//! Nothing in a query makes a search fail or run long: what exceeds a bound below is left out.

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

/// A search. All fields but `text` may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// What the reader typed: words are combined with AND; `AND`, `OR`, `NOT` in capitals, quoted phrases and brackets
    /// work (NOT binds strongest, then AND, then OR). A text without words finds nothing.
    pub text: String,
    /// Words that stand for typed ones.
    pub synonyms: Vec<Synonym>,
    /// Weights of fields in percent of the usual; 0 leaves the field out. The last one of a field holds.
    pub boosts: Vec<(Field, u32)>,
    /// What every hit fulfils.
    pub filters: Vec<Filter>,
}

impl Query {
    /// What a reader typed, and nothing else.
    #[must_use]
    pub fn typed(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
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
}
