//! A search as it is asked for.

use serde::{Deserialize, Serialize};

use crate::entry::{EntryKind, ExactField};

/// A search. All fields may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Query {
    /// The kinds of entries to search; empty for all.
    pub kinds: Vec<EntryKind>,
    /// The text typed by the reader. Words are combined with AND; the operators `AND`, `OR` and `NOT` in capitals, quoted phrases,
    /// brackets and names of fields before a colon are supported (NOT has precedence over AND, AND over OR), and a word of at least two
    /// letters that ends with `*` stands for all words that begin so. Without words here and in `clauses`, nothing is found.
    pub text: String,
    /// Conditions of an advanced search, in addition to `text`.
    pub clauses: Vec<Clause>,
    /// Whether to find all entries that pass the filters if neither `text` nor `clauses` have words.
    pub all: bool,
    /// The order of the hits.
    pub order: Order,
    /// Synonyms of typed words.
    pub synonyms: Vec<Synonym>,
    /// Words that need not match if others do; those of a phrase in quotation marks must.
    pub stop_words: Vec<String>,
    /// Weights of fields in percent of the usual weight; 0 excludes a field. The last weight of a field is used. A weight of the authors
    /// holds for their institutions too, unless these have their own.
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Synonym {
    /// Word or phrase; case and number are ignored.
    pub term: String,
    /// Words or phrases that are searched in addition.
    pub alternatives: Vec<String>,
}

/// A searchable part of an article.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Field {
    /// Titles.
    Title,
    /// Keywords.
    Keywords,
    /// Names of authors.
    Authors,
    /// Institutions of authors; organizers of a journal.
    Company,
    /// Funding: funders and grant numbers.
    Fund,
    /// Names of the journal.
    Publication,
    /// Abstracts.
    Summary,
    /// The whole text.
    Body,
}

impl Field {
    /// All fields.
    pub const ALL: [Self; 8] = [
        Self::Title,
        Self::Keywords,
        Self::Authors,
        Self::Company,
        Self::Fund,
        Self::Publication,
        Self::Summary,
        Self::Body,
    ];
}

/// A filter that every hit passes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// By this author, as printed, in any case and spacing.
    Author(String),
    /// Funded by this, as printed, in any case and spacing.
    Fund(String),
    /// In this language (BCP 47 tag), without regard to script and region.
    Language(String),
}

/// A condition of an advanced search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clause {
    /// How it is joined to the conditions before it; AND has precedence over OR.
    pub join: Join,
    /// The field to search.
    pub target: Target,
    /// The text to search, with the operators and quotes of [`Query::text`].
    pub text: String,
    /// Whether words must be adjacent as typed (match type 1); otherwise they may be anywhere and may have mistakes in typing, as far
    /// as their length allows (match type 0).
    pub precise: bool,
}

/// Operator between a condition and those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// All texts.
    Everything,
    /// One part.
    Part(Field),
    /// The DOI, or its beginning unless the condition is precise.
    Doi,
    /// A value that matches only as a whole.
    Exact(ExactField),
    /// The year of publication: one, or the first and the last of several, `2019-2024`; one of them may be missing.
    Year,
}

impl Target {
    /// The field of texts that it names; `None` for all of them, and for values.
    #[must_use]
    pub const fn field(self) -> Option<Field> {
        match self {
            Self::Part(field) => Some(field),
            Self::Everything | Self::Doi | Self::Exact(_) | Self::Year => None,
        }
    }

    /// Whether words are searched, and not a value as a whole.
    #[must_use]
    pub const fn has_words(self) -> bool {
        matches!(self, Self::Everything | Self::Part(_))
    }
}

/// The order of hits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Number of citations that are known.
    Citations,
    /// Time of the last update.
    Updated,
}
