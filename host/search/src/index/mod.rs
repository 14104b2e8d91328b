//! What is asked of an index and what it answers, whatever the index is made of.
//!
//! An [`Index`] executes. It does not interpret: the text that a reader typed arrives as a tree of terms ([`crate::query`]), with synonyms and
//! limits applied. An index over several machines can stand behind the same trait, and passes the same suite of tests.

mod answers;
#[cfg(any(test, feature = "conformance"))]
pub mod conformance;
mod error;
mod live;
mod page_key;
mod requests;

use std::pin::Pin;

use masthead_domain::SiteId;

pub use self::{
    answers::{Clusters, Hit, Hits, Position, Suggestion, SuggestionKind},
    error::SearchError,
    live::LiveIndex,
    page_key::PageKey,
    requests::{
        ExternalOrder, Facet, Like, MAX_KEPT_POSITIONS, PageOfHits, SimilarityRequest, SiteValues, Sites, Suggest,
    },
};
use crate::{
    entry::{Subject, Update},
    query::{Expansion, IndexedWord, Search},
};

/// What a method of an index returns.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, SearchError>> + Send + 'a>>;

/// A full-text index. Share it behind an `Arc`.
///
/// Every method is cancelled with its future, as far as the caller is concerned; an update that has begun is completed nevertheless.
/// A failure is an error, never an empty answer.
pub trait Index: Send + Sync {
    /// The change of the log up to which the index is complete; [`Position::default`] for a new index.
    ///
    /// # Errors
    /// [`SearchError`].
    fn position(&self) -> Answer<'_, Position>;

    /// The latest positions that were written, newest first, at most [`MAX_KEPT_POSITIONS`]. If the log does not have the newest one, the
    /// database was restored or failed over, and the index is to be taken back to the newest one that the log has.
    ///
    /// # Errors
    /// [`SearchError`].
    fn positions(&self) -> Answer<'_, Vec<Position>>;

    /// The subjects of all updates that were written after a position out of [`Index::positions`]. Their entries may not be those of the
    /// log's own changes; whoever takes the index back reads them anew and writes them with that position.
    ///
    /// # Errors
    /// [`SearchError`].
    fn written_after(&self, position: Position) -> Answer<'_, Vec<(SiteId, Subject)>>;

    /// Writes updates and the new position in one commit: a process that is killed before the commit continues from the previous position.
    /// A position before the present one takes the index back: the positions after it are forgotten.
    ///
    /// # Errors
    /// [`SearchError`]; the index is unchanged then.
    fn apply(&self, batch: Vec<Update>, position: Position) -> Answer<'_, ()>;

    /// A page of the hits of a search.
    ///
    /// # Errors
    /// [`SearchError`].
    fn search(&self, sites: Sites, search: Search, page: PageOfHits) -> Answer<'_, Hits>;

    /// A page of the hits of a search in an order by values that the index does not have; the order of the search does not matter.
    ///
    /// # Errors
    /// [`SearchError`].
    fn search_ordered(&self, sites: Sites, search: Search, order: ExternalOrder, page: PageOfHits) -> Answer<'_, Hits>;

    /// Counts the hits of a search by the values of these facets. The order of the search does not matter. A count is the number of
    /// hits that the same search has with the filter of that value added.
    ///
    /// # Errors
    /// [`SearchError`].
    fn clusters(&self, sites: Sites, search: Search, facets: Vec<Facet>) -> Answer<'_, Clusters>;

    /// What a reader may be about to type, best first. Every suggestion is that of an entry of these sites.
    ///
    /// # Errors
    /// [`SearchError`].
    fn suggest(&self, suggest: Suggest) -> Answer<'_, Vec<Suggestion>>;

    /// For each of these words, given folded, the words of these sites that it reaches, the nearest first, of equally near ones the most
    /// frequent: what a reader meant to type. At most `limit` for each, and never more than [`crate::MAX_EXPANDED_TERMS`].
    ///
    /// # Errors
    /// [`SearchError`].
    fn words(&self, sites: Sites, typed: Vec<(String, Expansion)>, limit: usize) -> Answer<'_, Vec<Vec<IndexedWord>>>;

    /// Other articles that share rare words with an article, most similar first.
    ///
    /// # Errors
    /// [`SearchError`].
    fn like(&self, like: Like) -> Answer<'_, Vec<Hit>>;
}
