//! Searches and their hits.

use super::article::Badge;

/// A searchable part of an article.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchField {
    /// Titles.
    Title,
    /// Keywords.
    Keywords,
    /// Names of authors.
    Authors,
    /// Abstracts.
    Summary,
    /// Full text.
    Body,
}

/// Alternatives for a term that the reader typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSynonym {
    /// The word or phrase as typed.
    pub term: String,
    /// Words and phrases that match as well.
    pub alternatives: Vec<String>,
}

impl SearchSynonym {
    /// Limit on the alternatives that a plugin returns.
    pub const MAX_ALTERNATIVES: usize = 32;
    /// Limit on the bytes of a term and of each alternative that a plugin returns.
    pub const MAX_WORD_BYTES: usize = 256;
}

/// The weight of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchBoost {
    /// The field.
    pub field: SearchField,
    /// Percent of its usual weight; 0 excludes the field.
    pub percent: u32,
}

/// A condition that every hit meets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchFilter {
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

/// A search as plugins rewrite it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginSearchQuery {
    /// The text that the reader typed. `AND`, `OR`, `NOT` and quotes have the specification's meaning.
    pub text: String,
    /// Alternatives for typed terms.
    pub synonyms: Vec<SearchSynonym>,
    /// Weights of fields.
    pub boosts: Vec<SearchBoost>,
    /// Conditions that hold together.
    pub filters: Vec<SearchFilter>,
}

impl PluginSearchQuery {
    /// Limit on the synonyms that a plugin returns.
    pub const MAX_SYNONYMS: usize = 64;
    /// Limit on the weights that a plugin returns.
    pub const MAX_BOOSTS: usize = 8;
    /// Limit on the conditions that a plugin returns.
    pub const MAX_FILTERS: usize = 16;
}

/// A hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchHit {
    /// The article's number.
    pub id: i64,
    /// DOI, or "".
    pub doi: String,
    /// Title in the page's language.
    pub title: String,
    /// JATS article type.
    pub kind: String,
    /// Year, or 0.
    pub year: i32,
    /// Whether it is open access.
    pub open_access: bool,
    /// Marks.
    pub badges: Vec<Badge>,
}

/// A page of hits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchHitPage {
    /// The text that the reader typed.
    pub text: String,
    /// The hits in their order.
    pub hits: Vec<SearchHit>,
}
