//! Removal of the files of removed articles from the data folder, after the time that the platform's configuration states.

use std::{sync::Arc, time::Duration};

use masthead_content::files;
use masthead_store::StoreError;

use crate::app::App;

/// Interval between two runs.
const INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Removes the files once a day until the process ends.
pub async fn run(app: Arc<App>) {
    loop {
        match remove(&app).await {
            Ok(0) => {}
            Ok(removed) => tracing::info!(removed, "files that nothing uses any more were removed"),
            Err(error) => {
                tracing::error!(%error, "files of removed articles could not be removed; trying again tomorrow")
            }
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

/// Removes the files that nothing has used for the stated number of days. Returns their number.
///
/// # Errors
/// [`StoreError`].
pub async fn remove(app: &App) -> Result<usize, StoreError> {
    let days = i64::from(app.sites.load().platform.removed_files_days);
    app.store.remove_unused_media(days * DAY_MS, |digest| files::remove(&app.data_folder, digest)).await
}
