//! The answers of an index.

use masthead_domain::{ArticleId, SiteId};

use super::{page_key::PageKey, requests::Facet};
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
    /// In the order of [`Facet::ALL`].
    pub(crate) values: [Vec<(String, u64)>; Facet::ALL.len()],
}

impl Clusters {
    /// The numbers of hits by the values of a facet.
    #[must_use]
    pub const fn of(&self, facet: Facet) -> &Vec<(String, u64)> {
        &self.values[facet as usize]
    }

    /// As [`Clusters::of`], to be written.
    pub const fn of_mut(&mut self, facet: Facet) -> &mut Vec<(String, u64)> {
        &mut self.values[facet as usize]
    }
}

/// A suggestion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The title, name or key word as printed.
    pub text: String,
    /// What it is.
    pub kind: SuggestionKind,
    /// Number of entries that have it, at most [`crate::query::MAX_KNOWN_ENTRIES`].
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
