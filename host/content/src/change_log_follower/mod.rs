//! Follows the change log with two readers: one notifies the host of sites that changed, the other updates the search index. Neither waits
//! for the other: a page is new at once, however long the index takes.
//!
//! The log is polled, because other processes write to it.

mod index;
mod pages;
mod progress;
mod rebuild;
#[cfg(test)]
mod tests;

use std::{sync::Arc, time::Duration};

use masthead_domain::SiteId;
use masthead_store::Store;

use self::pages::PageReader;
pub use self::{
    index::IndexFollower,
    progress::{IndexState, Progress},
    rebuild::{Built, reindex},
};
use crate::served_index::ServedIndex;

/// The longest pause after a failure.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// Largest number of changes in one step.
const BATCH: i64 = 200;

/// Receiver of change notifications: the host's page cache and configuration.
pub trait ChangeObserver: Send + Sync {
    /// Content of a site changed; `sequence` is the number of the site's latest change.
    fn content_changed(&self, site: SiteId, sequence: i64);

    /// An administrator saved a setting of some site.
    fn settings_changed(&self) -> impl Future<Output = ()> + Send;

    /// The database was restored or has failed over to one that lacks changes which were seen here. Everything that was read of it may differ,
    /// and the same numbers stand for other changes.
    ///
    /// # Errors
    /// A message, if the database cannot be read; it is called again then.
    fn log_replaced(&self) -> impl Future<Output = anyhow::Result<()>> + Send;
}

/// Both readers of the log.
pub struct ChangeLogFollower<O> {
    pages: PageReader<O>,
    index: IndexFollower,
}

impl<O: ChangeObserver> ChangeLogFollower<O> {
    /// Readers of the log of `store`, which notify `observer` and update the served index. They begin where those with the same `progress`
    /// have come.
    pub fn new(store: Store, served: Arc<ServedIndex>, observer: Arc<O>, progress: Arc<Progress>) -> Self {
        Self {
            pages: PageReader::new(store.clone(), observer, Arc::clone(&progress)),
            index: IndexFollower::of_served(store, served, progress),
        }
    }

    /// Follows the log until the process ends. A failure is logged, and the same changes are tried again after a pause.
    pub async fn run(self) {
        tokio::join!(self.pages.run(), self.index.run());
    }

    /// Notifies of all changes that are in the log now, and indexes them.
    ///
    /// # Errors
    /// A message, if the store cannot be read or the index cannot be written.
    pub async fn catch_up(&self) -> anyhow::Result<()> {
        while self.pages.step().await? {}
        self.index.catch_up().await
    }
}
