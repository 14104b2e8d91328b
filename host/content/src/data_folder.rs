//! The data folder, which contains everything that the host writes.

use std::path::Path;

use masthead_store::Store;

/// Creates the data folder if necessary, and opens the database at the given URL, or else the SQLite file `masthead.db` in the folder.
///
/// # Errors
/// A message, if the folder cannot be created; otherwise as [`Store::open`].
pub async fn open_store(data: &Path, database: Option<&str>) -> anyhow::Result<Store> {
    std::fs::create_dir_all(data)
        .map_err(|error| anyhow::anyhow!("creating the data folder {}: {error}", data.display()))?;
    Ok(match database {
        Some(url) => Store::open(url).await?,
        None => Store::open_file(&data.join("masthead.db")).await?,
    })
}
