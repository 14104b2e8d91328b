//! The data folder: everything that the host writes.

use std::path::Path;

use masthead_store::Store;

/// Makes the data folder and opens the database that the operator named, or the file in that folder.
///
/// # Errors
/// As [`Store::open`].
pub async fn open_store(data: &Path, database: Option<&str>) -> anyhow::Result<Store> {
    std::fs::create_dir_all(data)
        .map_err(|error| anyhow::anyhow!("making the data folder {}: {error}", data.display()))?;
    Ok(match database {
        Some(url) => Store::open(url).await?,
        None => Store::open_file(&data.join("masthead.db")).await?,
    })
}
