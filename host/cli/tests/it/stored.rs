//! What a data folder has, read or changed without a host or a command.

use std::path::Path;

use masthead_content::data_folder::open_store;
use masthead_store::Store;

/// Opens the store of a data folder for a while.
pub fn with_store<T>(data: &Path, doing: impl AsyncFnOnce(&Store) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = open_store(data, None).await.unwrap();
        let done = doing(&store).await;
        store.close().await;
        done
    })
}
