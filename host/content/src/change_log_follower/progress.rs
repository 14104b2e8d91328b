//! How far the readers of the log have come, for readiness and for readers that go on.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use masthead_search::Position;
use masthead_store::LogPosition;

use super::index::place;

/// The activity of the reader for the index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IndexState {
    /// It follows the log.
    #[default]
    Following,
    /// It brings an index up to date that was new, damaged, or of another database: searches do not find everything yet.
    Rebuilding,
    /// The latest attempt failed; it tries again.
    Failing,
}

impl IndexState {
    /// The name in `/readyz`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Following => "following",
            Self::Rebuilding => "rebuilding",
            Self::Failing => "failing",
        }
    }
}

/// How far the readers of the log have come.
#[derive(Debug)]
pub struct Progress {
    pages: Mutex<LogPosition>,
    index: Mutex<IndexProgress>,
}

#[derive(Debug)]
struct IndexProgress {
    state: IndexState,
    /// Whether entries of the database may be missing: since the index began to be filled, until it is seen to have all changes. A failure
    /// on the way does not end this.
    incomplete: bool,
    /// When the index was last seen to have all changes.
    complete: Option<Instant>,
    started: Instant,
}

impl Progress {
    /// The progress of a process that has read the database as it was at this place of the log.
    #[must_use]
    pub fn from(place: LogPosition) -> Self {
        let started = Instant::now();
        let index = IndexProgress { state: IndexState::default(), incomplete: false, complete: None, started };
        Self { pages: Mutex::new(place), index: Mutex::new(index) }
    }

    /// The progress of a process that has read the database as it was at the end of the log, and has opened an index with this position. An
    /// index at another place is incomplete: the process that filled it may have been killed.
    #[must_use]
    pub fn opened(end: LogPosition, index: Position) -> Self {
        let progress = Self::from(end);
        if place(index) != end {
            let mut opened = locked(&progress.index);
            opened.incomplete = true;
            if index == Position::default() {
                opened.state = IndexState::Rebuilding;
            }
        }
        progress
    }

    pub(super) fn pages(&self) -> LogPosition {
        *locked(&self.pages)
    }

    pub(super) fn pages_read(&self, place: LogPosition) {
        *locked(&self.pages) = place;
    }

    /// The index has all changes that were in the log when it was read.
    pub(super) fn index_complete(&self) {
        let mut index = locked(&self.index);
        (index.state, index.incomplete, index.complete) = (IndexState::Following, false, Some(Instant::now()));
    }

    /// Sets the activity of the reader for the index. An index that is being rebuilt is incomplete until it has all changes, whatever the
    /// reader does meanwhile.
    pub fn index_is(&self, state: IndexState) {
        let mut index = locked(&self.index);
        index.state = state;
        index.incomplete |= state == IndexState::Rebuilding;
    }

    /// Whether the index may lack entries of the database, so that a search without hits does not show that there are none.
    #[must_use]
    pub fn index_is_incomplete(&self) -> bool {
        locked(&self.index).incomplete
    }

    /// The activity of the reader for the index.
    #[must_use]
    pub fn index_state(&self) -> IndexState {
        locked(&self.index).state
    }

    /// How long ago the index was last seen to have all changes of the log; if it never was, since the start of the process. While the reader
    /// follows, this is the time between two reads at most.
    #[must_use]
    pub fn index_age(&self) -> Duration {
        let index = locked(&self.index);
        index.complete.unwrap_or(index.started).elapsed()
    }
}

fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
