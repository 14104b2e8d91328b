//! The answers of an index.

use std::{fmt, str::FromStr};

use masthead_domain::{ArticleId, SiteId};

use super::requests::Facet;
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

/// In characters that an address may have: value, number and place, with dots between them.
impl fmt::Display for PageKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value.map(|value| value.to_string()).unwrap_or_default();
        write!(f, "{value}.{}.{}", self.id, self.place)
    }
}

impl FromStr for PageKey {
    type Err = ();

    /// Reads what [`PageKey`] writes; anything else is no key.
    fn from_str(text: &str) -> Result<Self, ()> {
        let mut parts = text.split('.');
        let (Some(value), Some(id), Some(place), None) = (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(());
        };
        let value = if value.is_empty() { None } else { Some(value.parse().map_err(drop)?) };
        Ok(Self { value, id: id.parse().map_err(drop)?, place: place.parse().map_err(drop)? })
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
        for (value, id, place) in [
            (None, -7, u64::MAX),
            (Some(0), -7, u64::MAX),
            (Some(i64::MAX), -7, u64::MAX),
            (Some(-1), -7, u64::MAX),
            (Some(-20_260_102), 7, u64::MAX),
            (None, i64::MIN, 0),
        ] {
            let key = PageKey { value, id, place };
            assert_eq!(key.to_string().parse(), Ok(key));
        }
        for text in [
            "",
            ".",
            "..",
            "1",
            "1.2",
            "1.2.3.4",
            "a.b.c",
            "x.1.1",
            "1.2.-3",
            "1.+1.1x",
            "1..1",
            "99999999999999999999.1.1",
            "．.1.1",
            "\u{0}.1.1",
        ] {
            assert_eq!(text.parse::<PageKey>(), Err(()), "{text:?}");
        }
    }
}
