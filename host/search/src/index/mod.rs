//! What is asked of an index and what it answers, whatever the index is made of.

use masthead_domain::ArticleId;

use crate::entry::EntryKind;

/// One hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
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
}

impl Hits {
    /// Articles of this page, in order.
    #[must_use]
    pub fn articles(&self) -> Vec<ArticleId> {
        self.hits.iter().filter(|hit| hit.kind == EntryKind::Article).map(|hit| ArticleId(hit.id)).collect()
    }
}

/// Numbers of hits by value, in descending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clusters {
    /// Total number of hits.
    pub total: usize,
    /// By year.
    pub years: Vec<(String, u64)>,
    /// By column (subject heading).
    pub columns: Vec<(String, u64)>,
    /// By key of the journal.
    pub journals: Vec<(String, u64)>,
    /// By JATS article type.
    pub types: Vec<(String, u64)>,
    /// By author.
    pub authors: Vec<(String, u64)>,
}

/// The texts of an article for comparison with others.
#[derive(Clone, Debug, Default)]
pub struct Likeness {
    /// Titles.
    pub title: String,
    /// Key words.
    pub keywords: String,
    /// Abstracts.
    pub summary: String,
}
