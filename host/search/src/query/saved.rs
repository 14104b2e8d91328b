//! Saved queries: a text that means the same query in a later version.

use serde::{Deserialize, Serialize};

use super::request::Query;

/// The version of the form. A change of [`Query`] that an older text does not fit needs a new one, and a way to read the older one.
const VERSION: u32 = 1;
/// Limit on the length of a saved query in bytes.
const MAX_SAVED: usize = 64 << 10;

/// Why a saved query cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SavedQueryError {
    /// It is longer than any saved query.
    #[error(
        "reading a saved query of {0} bytes: at most {MAX_SAVED} are allowed; save the query again with fewer conditions"
    )]
    Long(usize),
    /// It is of a version that this one does not know.
    #[error(
        "reading a saved query of version {0}: this version of Masthead reads version {VERSION}; save the query again"
    )]
    Version(u32),
    /// It is no saved query.
    #[error("reading a saved query: {0}; save the query again")]
    Form(#[from] serde_json::Error),
}

#[derive(Serialize, Deserialize)]
struct Saved<T> {
    version: u32,
    query: T,
}

impl Query {
    /// The query as a text to keep.
    ///
    /// # Errors
    /// [`SavedQueryError::Long`], if it is too long to be read again.
    pub fn save(&self) -> Result<String, SavedQueryError> {
        let text = serde_json::to_string(&Saved { version: VERSION, query: self })?;
        if text.len() > MAX_SAVED { Err(SavedQueryError::Long(text.len())) } else { Ok(text) }
    }

    /// The query of a kept text.
    ///
    /// # Errors
    /// [`SavedQueryError`].
    pub fn restore(text: &str) -> Result<Self, SavedQueryError> {
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        if text.len() > MAX_SAVED {
            return Err(SavedQueryError::Long(text.len()));
        }
        let Version { version } = serde_json::from_str(text)?;
        if version != VERSION {
            return Err(SavedQueryError::Version(version));
        }
        let Saved { query, .. } = serde_json::from_str(text)?;
        Ok(query)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::resource::ResourceKind;

    use super::*;
    use crate::{
        EntryKind, ExactField,
        query::{Clause, Field, Filter, Join, Order, SortKey, Synonym, Target},
    };

    fn query() -> Query {
        Query {
            kinds: vec![EntryKind::Article, EntryKind::Resource(ResourceKind::Picture)],
            text: "sea \"level\" 海洋".into(),
            clauses: vec![
                Clause { join: Join::Or, target: Target::Part(Field::Fund), text: "973".into(), precise: true },
                Clause {
                    join: Join::Not,
                    target: Target::Exact(ExactField::Issn),
                    text: "1234-5678".into(),
                    precise: false,
                },
            ],
            all: true,
            order: Order::Descending(SortKey::Date),
            synonyms: vec![Synonym { term: "a".into(), alternatives: vec!["b".into()] }],
            stop_words: vec!["the".into()],
            boosts: vec![(Field::Title, 200)],
            filters: vec![Filter::YearFrom(2019), Filter::Author("Lin Wei".into()), Filter::OpenAccess(true)],
        }
    }

    #[test]
    fn a_saved_query_is_restored() {
        assert_eq!(Query::restore(&query().save().unwrap()).unwrap(), query());
        let short = Query::restore(r#"{"version":1,"query":{"text":"tide"}}"#).unwrap();
        assert_eq!(
            short,
            Query { text: "tide".into(), ..Query::default() },
            "a condition that it does not have is empty"
        );
    }

    #[test]
    fn what_is_no_saved_query_is_refused_with_a_reason() {
        let reason = |text: &str| Query::restore(text).unwrap_err().to_string();
        assert!(reason(r#"{"version":2,"query":{"words":[]}}"#).contains("version 2"));
        assert!(reason(r#"{"version":1,"query":{"kinds":["thesis"]}}"#).contains("thesis"));
        assert!(reason(&" ".repeat(MAX_SAVED + 1)).contains("65537 bytes"));
        assert!(reason("").contains("save the query again"));
        let long = Query { text: "x".repeat(MAX_SAVED), ..Query::default() };
        assert!(matches!(long.save(), Err(SavedQueryError::Long(_))));
    }
}
