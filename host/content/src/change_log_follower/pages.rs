//! The reader of the log for pages: it notifies the host of sites that changed.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use masthead_domain::SiteId;
use masthead_store::{Change, ChangeKind, Store};

use super::{BATCH, ChangeObserver, LONGEST_PAUSE, progress::Progress};

/// Interval between reads of the log.
const POLL_INTERVAL: Duration = Duration::from_millis(300);

pub(super) struct PageReader<O> {
    store: Store,
    observer: Arc<O>,
    progress: Arc<Progress>,
}

impl<O: ChangeObserver> PageReader<O> {
    pub(super) const fn new(store: Store, observer: Arc<O>, progress: Arc<Progress>) -> Self {
        Self { store, observer, progress }
    }

    /// Follows the log until the process ends.
    pub(super) async fn run(&self) {
        let mut pause = POLL_INTERVAL;
        loop {
            match self.step().await {
                Ok(more) => {
                    pause = POLL_INTERVAL;
                    if more {
                        continue;
                    }
                }
                Err(error) => {
                    let position = self.progress.pages().seq;
                    tracing::error!(%error, position, "the change log could not be read for pages; trying again");
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
            tokio::time::sleep(pause).await;
        }
    }

    /// Notifies of one batch of changes. Returns whether there may be more.
    pub(super) async fn step(&self) -> anyhow::Result<bool> {
        let place = self.progress.pages();
        let Some(changes) = self.store.changes_behind(place, BATCH).await? else {
            // Changes after this end are read again, in the next step.
            let end = self.store.log_end().await?;
            tracing::warn!(
                position = place.seq,
                end = end.seq,
                "the database lacks a change that was seen here: it was restored or has failed over; all pages are made again"
            );
            self.observer.log_replaced().await?;
            self.progress.pages_read(end);
            return Ok(true);
        };
        let Some(last) = changes.last().map(Change::position) else { return Ok(false) };
        let latest: BTreeMap<SiteId, i64> = changes.iter().map(|change| (change.site, change.seq)).collect();
        for (site, sequence) in latest {
            self.observer.content_changed(site, sequence);
        }
        if changes.iter().any(|change| change.kind == ChangeKind::Setting) {
            self.observer.settings_changed().await;
        }
        self.progress.pages_read(last);
        Ok(i64::try_from(changes.len()).unwrap_or(i64::MAX) == BATCH)
    }
}
