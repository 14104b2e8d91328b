//! How far the readers of the log have come, for readiness and for readers that go on.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use masthead_store::LogPosition;

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
    /// When the index was last seen to have all changes.
    complete: Option<Instant>,
    started: Instant,
}

impl Progress {
    /// The progress of a process that has read the database as it was at this place of the log.
    #[must_use]
    pub fn from(place: LogPosition) -> Self {
        let index = IndexProgress { state: IndexState::default(), complete: None, started: Instant::now() };
        Self { pages: Mutex::new(place), index: Mutex::new(index) }
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
        (index.state, index.complete) = (IndexState::Following, Some(Instant::now()));
    }

    /// Sets the activity of the reader for the index.
    pub fn index_is(&self, state: IndexState) {
        locked(&self.index).state = state;
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
