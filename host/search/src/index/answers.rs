//! The answers of an index.

use masthead_domain::{ArticleId, SiteId};

use crate::entry::EntryKind;

/// A place in the change log: behind a change, or before the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    /// The number of the change; 0 before the first.
    pub change: i64,
    /// The random mark of the change; 0 before the first, and for changes without one.
    pub mark: i64,
}

/// One hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Its site.
    pub site: SiteId,
    /// Its kind.
    pub kind: EntryKind,
    /// Its number; 0 for a journal.
    pub id: i64,
    /// Key of its journal; a journal's own key.
    pub journal: String,
}

/// The place of a hit in the order of a search: the next page begins behind it, however many hits were before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageKey {
    /// The value by which the hits are ordered; none for a hit without one.
    pub value: Option<i64>,
    /// The number of the entry, by which hits of the same value are ordered.
    pub id: i64,
    /// What distinguishes hits of the same value and number.
    pub place: u64,
}

/// A page of hits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// Total number of hits.
    pub total: usize,
    /// Hits of this page, in order.
    pub hits: Vec<Hit>,
    /// The place of the last hit, if others follow it.
    pub next: Option<PageKey>,
}

impl Hits {
    /// Articles of this page, in order.
    #[must_use]
    pub fn articles(&self) -> Vec<ArticleId> {
        self.hits.iter().filter(|hit| hit.kind == EntryKind::Article).map(|hit| ArticleId(hit.id)).collect()
    }
}

/// Numbers of hits by value, in descending order. A facet that was not asked for is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clusters {
    /// Total number of hits.
    pub total: usize,
    /// By kind of entry, under its name.
    pub kinds: Vec<(String, u64)>,
    /// By year.
    pub years: Vec<(String, u64)>,
    /// By column (subject heading), as printed.
    pub columns: Vec<(String, u64)>,
    /// By key of the journal.
    pub journals: Vec<(String, u64)>,
    /// By JATS article type.
    pub types: Vec<(String, u64)>,
    /// By author, as printed.
    pub authors: Vec<(String, u64)>,
    /// By funder, as printed.
    pub funds: Vec<(String, u64)>,
    /// By language, under its tag.
    pub languages: Vec<(String, u64)>,
    /// By open access: `true` and `false`.
    pub access: Vec<(String, u64)>,
    /// By publication online ahead of an issue: `true` and `false`.
    pub online_first: Vec<(String, u64)>,
}

/// A suggestion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The title, name or key word as printed.
    pub text: String,
    /// What it is.
    pub kind: SuggestionKind,
    /// Number of entries that have it.
    pub entries: u64,
}

/// What a suggestion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SuggestionKind {
    /// A title.
    Title,
    /// A key word.
    Keyword,
    /// The name of an author.
    Author,
}
