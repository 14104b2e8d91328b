//! Files that the database has and the data folder has not: figures, PDFs, covers, attachments.

use std::path::Path;

use masthead_store::{
    SiteStore, StoreError,
    site_rows::{SiteRow, SiteRows},
};

use super::{Counted, Notes, records, text};
use crate::files;

const CHECK: &str = "files";
const FIX: &str =
    "restore the data folder from a backup, or remove what uses the file and import it again with its files";

/// The files that something of a site uses.
pub async fn check(rows: &SiteRows, content: &SiteStore, data: &Path, notes: &mut Notes<'_>) -> Result<(), StoreError> {
    let mut lost = Counted::new(CHECK);
    let mut last: Option<SiteRow> = None;
    // The rows are in the order of the files, so that each file is looked for once.
    let mut looked_for: (String, Option<String>) = Default::default();
    loop {
        let uses = rows.rows("media_uses", last.as_ref()).await?;
        for one in &uses {
            let (digest, used_by) = (text(one, "digest"), text(one, "used_by"));
            // The files of a withdrawn article are served to nobody.
            if used_by.starts_with("withdrawn/") {
                continue;
            }
            if looked_for.0 != digest {
                looked_for = (digest.to_owned(), lost_file(content, data, digest).await?);
            }
            if let Some(name) = &looked_for.1 {
                let place = files::path(data, digest);
                let message = format!("its file {name:?} is recorded, and not in the data folder: {}", place.display());
                lost.error(notes, user(content, used_by).await?, message, FIX);
            }
        }
        let Some(end) = uses.into_iter().next_back() else { break };
        last = Some(end);
    }
    lost.end(notes, "uses of files that are not in the data folder");
    Ok(())
}

/// The name of a file that is recorded without being in the data folder. A link to one that is not recorded is a dead link.
async fn lost_file(content: &SiteStore, data: &Path, digest: &str) -> Result<Option<String>, StoreError> {
    if files::path(data, digest).is_file() {
        return Ok(None);
    }
    Ok(content.media(digest).await?.map(|file| file.name))
}

/// What uses a file, as other diagnostics name it.
async fn user(content: &SiteStore, used_by: &str) -> Result<String, StoreError> {
    let number = used_by.strip_prefix("resource/").and_then(|number| number.parse::<i64>().ok());
    let row = match number {
        Some(number) => content.resource_rows_by_id(&[number]).await?.remove(&number),
        None => None,
    };
    let place = row.map(|row| records::place(&row, &serde_json::from_str(&row.data).unwrap_or_default()));
    Ok(place.unwrap_or_else(|| used_by.to_owned()))
}
