//! The answers of an index.

use std::{fmt, str::FromStr};

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

impl fmt::Display for PageKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value.map_or_else(String::new, |value| format!("{:x}", value.cast_unsigned()));
        write!(f, "{value}.{:x}.{:x}", self.id.cast_unsigned(), self.place)
    }
}

impl FromStr for PageKey {
    type Err = ();

    /// Reads what [`PageKey`] writes; anything else is no key.
    fn from_str(text: &str) -> Result<Self, ()> {
        let number = |text: &str| u64::from_str_radix(text, 16).map_err(drop);
        let mut parts = text.split('.');
        let (Some(value), Some(id), Some(place), None) = (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(());
        };
        let value = if value.is_empty() { None } else { Some(number(value)?.cast_signed()) };
        Ok(Self { value, id: number(id)?.cast_signed(), place: number(place)? })
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_as_it_was_written_and_nothing_else_is_one() {
        for value in [None, Some(0), Some(i64::MAX), Some(-1)] {
            let key = PageKey { value, id: -7, place: u64::MAX };
            assert_eq!(key.to_string().parse(), Ok(key));
        }
        for text in ["", ".", "..", "1.2", "1.2.3.4", "x.1.1", "1.+1.1x", "99999999999999999.1.1", "\u{0}.1.1"] {
            assert_eq!(text.parse::<PageKey>(), Err(()), "{text:?}");
        }
    }
}
