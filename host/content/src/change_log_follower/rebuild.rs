//! Building an index beside the live one from the start of the change log.

use std::sync::Arc;

use anyhow::Context as _;
use masthead_search::{Index, IndexFolder, OpenIndex, Position};
use masthead_store::Store;

use super::{IndexFollower, Progress, index::place};

/// Largest number of changes in one step. The index is written once for each: no search waits for the first results.
const BATCH: i64 = 1_000;

/// How far a new index is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Built {
    /// The number of the index.
    pub index: u64,
    /// The number of the last change that it has.
    pub changes: i64,
    /// The number of the last change in the log.
    pub of: i64,
}

/// Builds an index beside the live one, and makes it live. Searches go on with the live one meanwhile. The index of an interrupted call is
/// continued. `report` is called after each step.
///
/// # Errors
/// A message, if the store cannot be read, or the index cannot be written or is being built by another process. The live index stays live.
pub async fn reindex(
    store: &Store,
    folder: &IndexFolder,
    mut report: impl FnMut(Built) + Send,
) -> anyhow::Result<Built> {
    let OpenIndex { index, number, lock, .. } = open_next(store, folder).await?;
    let index = Arc::new(index);
    let built = {
        let progress = Arc::new(Progress::from(store.log_end().await?));
        let follower = IndexFollower::new(store.clone(), Arc::clone(&index) as Arc<dyn Index>, progress);
        loop {
            let more = follower.step(BATCH).await?;
            let built =
                Built { index: number, changes: index.position().await?.change, of: store.log_end().await?.seq };
            report(built);
            if !more {
                break built;
            }
        }
    };
    let own = folder.clone();
    let merged = tokio::task::spawn_blocking(move || {
        // The index is closed before it is merged, and before the serving process opens it.
        index.close()?;
        drop(index);
        own.merge(number)
    });
    if let Err(error) = merged.await? {
        tracing::warn!(%error, "the new search index is complete, and its files are not merged: searches take longer");
    }
    drop(lock);
    folder.make_live(number)?;
    Ok(built)
}

/// Opens the index that an interrupted build has left, if the log has the place up to which it is complete, or else a new one.
async fn open_next(store: &Store, folder: &IndexFolder) -> anyhow::Result<OpenIndex> {
    const DOING: &str = "opening an index beside the live one";
    let own = folder.clone();
    let open = tokio::task::spawn_blocking(move || own.open_next()).await?.context(DOING)?;
    let at = open.index.position().await?;
    if store.changes_behind(place(at), 1).await?.is_some() {
        if at != Position::default() {
            tracing::info!(position = at.change, "an interrupted rebuild of the search index is continued");
        }
        return Ok(open);
    }
    tracing::info!("the index of an interrupted rebuild is of another state of the database; another one is begun");
    let own = folder.clone();
    tokio::task::spawn_blocking(move || own.begin_again(open)).await?.context(DOING)
}
