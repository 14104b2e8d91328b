//! The reader of the log for the search index. Its position is committed to the index together with the indexed changes, so that a process that
//! is killed goes on behind the last change that is in the index.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use anyhow::Context as _;
use masthead_search::{Index, MAX_KEPT_POSITIONS, Position};
use masthead_store::{Change, LogPosition, Store};

use super::{
    BATCH, LONGEST_PAUSE,
    progress::{IndexState, Progress},
    rebuild::{Built, reindex},
};
use crate::{indexing, served_index::ServedIndex};

/// Interval between reads of the log. A change is found within a second of its commit: this, and the time to write it.
const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// Largest number of subjects that are read again in one step when the index is taken back.
const SUBJECTS: usize = 500;

/// Reader of the log for an index.
pub struct IndexFollower {
    store: Store,
    index: Arc<dyn Index>,
    /// For the index that is served: another one may be put in its place.
    served: Option<Arc<ServedIndex>>,
    progress: Arc<Progress>,
    /// The end of the log when this reader began to fill an empty index: everything in it was read of the database later.
    filled_from: AtomicI64,
}

/// The place of the log up to which an index is complete.
pub(super) const fn place(position: Position) -> LogPosition {
    LogPosition { seq: position.change, mark: position.mark }
}

const fn position(place: LogPosition) -> Position {
    Position { change: place.seq, mark: place.mark }
}

impl IndexFollower {
    /// A reader that updates `index` from the log of `store`.
    pub fn new(store: Store, index: Arc<dyn Index>, progress: Arc<Progress>) -> Self {
        Self { store, index, served: None, progress, filled_from: AtomicI64::new(0) }
    }

    /// A reader that updates the index that is served, and puts another one in its place as soon as one is made live.
    pub fn of_served(store: Store, served: Arc<ServedIndex>, progress: Arc<Progress>) -> Self {
        let index = served.index();
        Self { served: Some(served), ..Self::new(store, index, progress) }
    }

    /// Follows the log until the process ends, and checks the index meanwhile.
    pub(super) async fn run(&self) {
        tokio::join!(self.follow(), self.check());
    }

    /// Builds the index again that is served, if it is damaged. The files of a large one are not read before pages are served.
    async fn check(&self) {
        let Some(served) = &self.served else { return };
        while !served.is_intact().await {
            let rebuilt = match self.rebuild(served).await {
                Ok(_) => self.adopt().await,
                Err(error) => Err(error),
            };
            if let Err(error) = rebuilt {
                // Another process may be building one.
                tracing::error!(error = format!("{error:#}"), "the search index is not built again yet; trying again");
                tokio::time::sleep(LONGEST_PAUSE).await;
            }
        }
    }

    async fn follow(&self) {
        let mut pause = POLL_INTERVAL;
        loop {
            match self.step(BATCH).await {
                Ok(more) => {
                    pause = POLL_INTERVAL;
                    // The index is written once for all changes of a pause: while an import commits, each step would otherwise
                    // write it for a few articles.
                    if more {
                        continue;
                    }
                }
                Err(error) => {
                    self.progress.index_is(IndexState::Failing);
                    tracing::error!(error = format!("{error:#}"), "the search index does not follow; trying again");
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
            tokio::time::sleep(pause).await;
        }
    }

    /// Indexes all changes that are in the log now.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub async fn catch_up(&self) -> anyhow::Result<()> {
        while self.step(BATCH).await? {}
        Ok(())
    }

    /// Indexes one batch of at most `limit` changes. Returns whether there may be more.
    ///
    /// # Errors
    /// A message, if the store cannot be read or the index cannot be written; the index is unchanged then.
    pub async fn step(&self, limit: i64) -> anyhow::Result<bool> {
        self.adopt().await?;
        let at = self.index.position().await.context("reading how far the search index is")?;
        if at == Position::default() {
            self.filled_from.store(self.store.log_end().await?.seq, Ordering::Relaxed);
        }
        let Some(changes) = self.store.changes_behind(place(at), limit).await? else {
            self.take_back(at).await?;
            return Ok(true);
        };
        let Some(last) = changes.last().map(Change::position) else {
            self.progress.index_complete();
            return Ok(false);
        };
        if at == Position::default() {
            self.progress.index_is(IndexState::Rebuilding);
        }
        let counted = self.filled_from.load(Ordering::Relaxed);
        let updates = indexing::updates(&self.store, &changes, counted).await?;
        self.index.apply(updates, position(last)).await.context("writing the search index")?;
        metrics::gauge!("masthead_index_position").set(last.seq as f64);
        let more = i64::try_from(changes.len()).unwrap_or(i64::MAX) == limit;
        if !more {
            self.progress.index_complete();
        }
        Ok(more)
    }

    /// Builds an index beside the one that is served, and makes it live. It is built by a reader of its own, which builds no other: the
    /// return type is explicit, because the compiler cannot infer it of a recursive call.
    fn rebuild<'a>(
        &'a self,
        served: &'a ServedIndex,
    ) -> Pin<Box<dyn Future<Output = anyhow::Result<Built>> + Send + 'a>> {
        Box::pin(reindex(&self.store, served.folder(), |_| ()))
    }

    /// Puts the index in place that was made live since, if any.
    async fn adopt(&self) -> anyhow::Result<()> {
        let Some(served) = self.served.clone() else { return Ok(()) };
        let adopted = tokio::task::spawn_blocking(move || served.adopt()).await?;
        adopted.context("opening the search index that was made live")?;
        Ok(())
    }

    /// Takes an index back to the latest of its positions that the log has. Entries that were written to it after that are read again, and
    /// get the state that the database has now.
    async fn take_back(&self, at: Position) -> anyhow::Result<()> {
        let kept = self.index.positions().await.context("reading the positions of the search index")?;
        let places: Vec<LogPosition> = kept.iter().copied().map(place).collect();
        let known = self.store.known_positions(&places).await?;
        let to = kept.iter().copied().find(|one| known.contains(&place(*one))).unwrap_or_default();
        tracing::warn!(
            position = at.change,
            back_to = to.change,
            "the database lacks a change that is in the search index: it was restored or has failed over; the index is taken back"
        );
        self.progress.index_is(IndexState::Rebuilding);
        if to == Position::default()
            && let Some(served) = &self.served
        {
            // Nothing in it is known to be of this database. It is searched until another one is complete.
            self.rebuild(served).await?;
            return self.adopt().await;
        }
        // An index keeps its latest positions only. One that has forgotten the others does not know all that was written to it.
        anyhow::ensure!(
            to != Position::default() || kept.len() < MAX_KEPT_POSITIONS,
            "the search index has no change of this database; build it again with `masthead search reindex`"
        );
        let subjects = self.index.written_after(to).await.context("reading what the search index was given")?;
        let mut rest = subjects.as_slice();
        // Until the last part is written, the index stays where it is, so that a process that is killed begins again.
        while rest.len() > SUBJECTS {
            let (some, behind) = rest.split_at(SUBJECTS);
            self.index.apply(indexing::current(&self.store, some).await?, at).await?;
            rest = behind;
        }
        let updates = indexing::current(&self.store, rest).await?;
        self.index.apply(updates, to).await.context("taking the search index back")
    }
}
