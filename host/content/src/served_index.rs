//! The search index of a process that serves: the live one of the data folder, in the place of which another process can put a new one.

use std::{
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use masthead_search::{Index, IndexFolder, IndexLock, LiveIndex, OpenIndex, SearchError, SearchIndex};

/// Name of the folder of search indexes in the data folder.
const FOLDER: &str = "search";

/// The folder of the search indexes of a data folder, for the database with this identity.
#[must_use]
pub fn folder_of(data: &Path, database: i64) -> IndexFolder {
    IndexFolder::new(&data.join(FOLDER), database)
}

/// The index that a process serves searches from.
pub struct ServedIndex {
    folder: IndexFolder,
    live: Arc<LiveIndex>,
    held: Mutex<Held>,
    damage: Mutex<Option<String>>,
}

/// The open index.
struct Held {
    number: u64,
    index: Arc<SearchIndex>,
    _lock: IndexLock,
}

impl Held {
    fn of(open: OpenIndex) -> Self {
        let OpenIndex { index, number, lock, .. } = open;
        Self { number, index: Arc::new(index), _lock: lock }
    }

    fn index(&self) -> Arc<dyn Index> {
        Arc::clone(&self.index) as Arc<dyn Index>
    }
}

fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ServedIndex {
    /// Opens the live index of a data folder, for the database with this identity. One that is damaged is set aside, and this is logged; the
    /// new one is complete when it has followed the change log from its start.
    ///
    /// # Errors
    /// [`SearchError::Open`], also when another process serves from this data folder.
    pub fn open(data: &Path, database: i64) -> Result<Self, SearchError> {
        let folder = folder_of(data, database);
        let open = folder.open()?;
        let damage = open.damage.clone();
        if let Some(damage) = &damage {
            tracing::error!(
                damage,
                "the search index is damaged; it was set aside, and is built again from the database"
            );
        }
        folder.remove_former();
        let held = Held::of(open);
        let live = Arc::new(LiveIndex::new(held.index()));
        Ok(Self { folder, live, held: Mutex::new(held), damage: Mutex::new(damage) })
    }

    /// The index. It stays the same value when another index is put in its place.
    #[must_use]
    pub fn index(&self) -> Arc<dyn Index> {
        Arc::clone(&self.live) as Arc<dyn Index>
    }

    /// Puts another index in the place of the present one, which is returned; the folder stays as it is.
    pub fn replace(&self, index: Arc<dyn Index>) -> Arc<dyn Index> {
        self.live.replace(index)
    }

    /// The damage of an index that this process had opened; `None` if none was found.
    #[must_use]
    pub fn damage(&self) -> Option<String> {
        locked(&self.damage).clone()
    }

    /// Reads the whole index, which takes long, and returns whether it is undamaged. A damaged one has to be built again; searches go on
    /// with it meanwhile, and fail where it is damaged.
    pub async fn is_intact(&self) -> bool {
        let index = Arc::clone(&locked(&self.held).index);
        let Err(error) = index.verify().await else { return true };
        tracing::error!(%error, "the search index is damaged; it is built again from the database");
        *locked(&self.damage) = Some(error.to_string());
        false
    }

    /// Waits until no files of the index are merged in the background any more; it blocks the thread. The index writes no updates after that.
    ///
    /// # Errors
    /// [`SearchError::Use`].
    pub fn close(&self) -> Result<(), SearchError> {
        let index = Arc::clone(&locked(&self.held).index);
        index.close()
    }

    /// Where the indexes are.
    #[must_use]
    pub const fn folder(&self) -> &IndexFolder {
        &self.folder
    }

    /// Opens the index that was made live since, if any, and puts it in the place of the present one; searches that have begun are completed
    /// with that. Returns whether there was one.
    ///
    /// # Errors
    /// [`SearchError::Open`]; the present index stays in use.
    pub fn adopt(&self) -> Result<bool, SearchError> {
        let mut held = locked(&self.held);
        if self.folder.live().is_none_or(|live| live == held.number) {
            return Ok(false);
        }
        let new = Held::of(self.folder.open()?);
        drop(self.replace(new.index()));
        tracing::info!(index = new.number, "searches use the new search index");
        *held = new;
        self.folder.remove_former();
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_search::conformance;

    use super::*;

    #[tokio::test]
    async fn the_index_that_is_served_does_what_every_index_does() {
        // Each part of the suite has an index of its own; the one before is closed.
        let mut held: Option<(ServedIndex, tempfile::TempDir)> = None;
        conformance::suite(|| {
            drop(held.take());
            let folder = tempfile::tempdir().unwrap();
            let served = ServedIndex::open(folder.path(), 0).unwrap();
            let index = served.index();
            held = Some((served, folder));
            index
        })
        .await;
    }
}
