//! Full-text search of a site's content, in an index on disk (tantivy, with jieba for Chinese).
//!
//! What it is: the only crate that knows tantivy. It indexes articles, journals and resources and finds their numbers; the data that
//! pages show are read from the store.
//! What it is not: it reads no database; the follower of the change log writes the index.
//! Who may depend on it: `content` and the crates above it; it depends on `domain` alone.
//!
//! As in the store, every read is limited to the sites that its caller names ([`Sites`]).
//!
//! Its rooms, each of which uses only those before it: `entry` (what is indexed), `analysis` (texts to words), `query` (what a reader typed,
//! and what it means), `passages` (sentences to cite), `index` (what is asked of an index), `counts` (numbers of hits beside those of a
//! page), `spelling` (which words are mistyped, and what was meant), `fallbacks` (what is tried if nothing is found), `tantivy_index` (the
//! index on disk; only it names tantivy), `folder` (which index is live, and which is built beside it).

mod analysis;
mod counts;
mod entry;
mod fallbacks;
mod folder;
mod index;
mod passages;
mod query;
mod spelling;
mod tantivy_index;
#[cfg(test)]
mod tests;

#[cfg(any(test, feature = "conformance"))]
pub use self::index::conformance;
pub use self::{
    counts::{Subset, by_filters, count, counts},
    entry::{Entry, EntryKind, ExactField, Subject, Texts, Update},
    fallbacks::{FEW, Found, Relaxed, find},
    folder::{IndexFolder, IndexLock, OpenIndex},
    index::{
        Answer, Clusters, ExternalOrder, Facet, Hit, Hits, Index, Like, LiveIndex, MAX_KEPT_POSITIONS, PageKey,
        PageOfHits, Position, SearchError, SimilarityRequest, SiteValues, Sites, Suggest, Suggestion, SuggestionKind,
    },
    passages::{MAX_PASSAGE, MAX_PASSAGES, MAX_SOURCE, Marker, passages, passages_of, sentence_at},
    query::{
        Analysis, Clause, Expansion, Expression, Field, Filter, IndexedWord, Join, MAX_ALTERNATIVES, MAX_BOOST,
        MAX_CLAUSES, MAX_DEPTH, MAX_EXPANDED_TERMS, MAX_EXPANSIONS, MAX_KNOWN_ENTRIES, MAX_SYNONYMS, MAX_TERM,
        MAX_TEXT, MAX_WINDOW, MAX_WORDS, Mistake, MistakeKind, Named, Order, Phrase, QUOTES, Query, QueryPart,
        Relaxation, SavedQueryError, Scope, Search, SortKey, Synonym, Target, Term, Tree, Typed, Unfinished, analyze,
        compile, compile_exactly, mistakes, parse, target_of, title_key, unfinished,
    },
    spelling::{SpellingSuggestion, meant},
    tantivy_index::SearchIndex,
};
