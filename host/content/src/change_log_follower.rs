//! Follows the change log: updates the search index, and notifies the host of sites that changed.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use masthead_domain::SiteId;
use masthead_search::SearchIndex;
use masthead_store::{ChangeKind, Store};

use crate::indexing;

/// Interval between reads of the log. The log is polled because other processes may write to it.
const POLL_INTERVAL: Duration = Duration::from_millis(300);
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
}

/// Follower of the change log. Its position is committed to the search index together with the indexed changes.
pub struct ChangeLogFollower<O> {
    store: Store,
    search: Arc<SearchIndex>,
    observer: Arc<O>,
}

impl<O: ChangeObserver> ChangeLogFollower<O> {
    /// A follower that reads the log of `store`, updates `search` and notifies `observer`.
    pub const fn new(store: Store, search: Arc<SearchIndex>, observer: Arc<O>) -> Self {
        Self { store, search, observer }
    }

    /// Follows the log until the process ends. A failure is logged, and the same changes are tried again after a pause.
    pub async fn run(self) {
        let mut seen = self.search.position().unwrap_or(0);
        let mut pause = POLL_INTERVAL;
        loop {
            match self.step(seen).await {
                Ok(position) => {
                    let more = position - seen >= BATCH;
                    seen = position;
                    pause = POLL_INTERVAL;
                    // The index is written once for all changes of a pause: while an import commits, each step would otherwise
                    // write it for a few articles.
                    if more {
                        continue;
                    }
                }
                Err(error) => {
                    tracing::error!(%error, position = seen, "the change log could not be followed; trying again");
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
            tokio::time::sleep(pause).await;
        }
    }

    /// Processes all changes that are in the log now.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub async fn catch_up(&self) -> anyhow::Result<()> {
        let mut position = self.search.position()?;
        loop {
            let next = self.step(position).await?;
            if next == position {
                return Ok(());
            }
            position = next;
        }
    }

    /// Processes one batch of changes after `position`. Returns the position of the last one, or `position` at the end of the log.
    ///
    /// # Errors
    /// A message, if the store cannot be read or the index cannot be written; the index is unchanged then.
    pub async fn step(&self, position: i64) -> anyhow::Result<i64> {
        let changes = self.store.changes_after(position, BATCH).await?;
        let Some(last) = changes.last().map(|change| change.seq) else { return Ok(position) };
        // The observer is notified before the index is updated: the new page is served at once, and search finds it a moment later.
        let latest: BTreeMap<SiteId, i64> = changes.iter().map(|change| (change.site, change.seq)).collect();
        for (site, sequence) in latest {
            self.observer.content_changed(site, sequence);
        }
        if changes.iter().any(|change| change.kind == ChangeKind::Setting) {
            self.observer.settings_changed().await;
        }
        let batch = indexing::updates(&self.store, &changes).await?;
        let search = Arc::clone(&self.search);
        tokio::task::spawn_blocking(move || search.apply(&batch, last)).await??;
        metrics::gauge!("masthead_index_position").set(last as f64);
        Ok(last)
    }
}
