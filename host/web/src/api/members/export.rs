//! All data that a member owns on the site, as one file.

use std::{
    fs::File,
    io::{self, BufWriter, Seek as _, Write as _},
    path::Path,
    sync::Arc,
};

use axum::{http::StatusCode, response::Response};
use masthead_accounts::export::{self, ExportError, ExportFile};
use masthead_content::import::outage_of;
use masthead_store::Outage;
use tokio::sync::{Semaphore, mpsc};
use utoipa_axum::router::OpenApiRouter;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use crate::{
    api::{envelope::ApiError, signed_in::SignedIn, types::Envelope},
    app::{App, rate_limits::Action},
    discovery::{attachment::attachment, stored_file},
    failure::Failure,
    page::caching::Caching,
    routing::routes,
};

/// Turns for writing exports: each takes a processor and room on the disk for a while.
static EXPORTS: Semaphore = Semaphore::const_new(2);

/// Returns everything that the member owns on this site: a ZIP file with JSON and the uploaded pictures.
#[utoipa::path(get, path = "/rc-pub/front/frontMembers/export", tag = "member", operation_id = "exportMember",
    responses((status = 200, content_type = "application/zip", body = Vec<u8>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>),
        (status = 507, body = Envelope<serde_json::Value>)))]
pub async fn export(by: SignedIn) -> Result<Response, ApiError> {
    by.caller.take(Action::PersonalExport)?;
    let app = &by.caller.app;
    // The file has the latest uses of the member too.
    app.member_uses.flush(&app.store).await.map_err(by.failed())?;
    let turn = EXPORTS.acquire().await.map_err(|error| by.caller.internal_error(&error))?;
    let (send, receive) = mpsc::channel(1);
    let folder = app.data_folder.clone();
    let written = tokio::task::spawn_blocking(move || {
        // Held here, because the work goes on if the member disconnects.
        let _turn = turn;
        pack(receive, &folder)
    });
    let addresses = by.caller.addresses();
    let root = format!("{}{}/{}", by.caller.host.origin, addresses.base, addresses.lang);
    let give = |file| {
        let send = send.clone();
        async move { send.send(file).await.map_err(|_| ExportError::BrokenOff) }
    };
    let read = export::files(&by.caller.store(), &by.store(), (&root, by.now()), give).await;
    drop(send);
    // A failure of the archive is reported first: that its receiver has gone follows from it.
    let written = written.await.map_err(|error| by.caller.internal_error(&error))?;
    let (file, length) = written.map_err(|error| not_written(&by, &error))?;
    read.map_err(|error| not_read(&by, error))?;
    let content = stored_file::streamed(tokio::fs::File::from_std(file), length);
    let stem = format!("{} {}", by.caller.entry().site.sld, by.member());
    Ok(attachment(content, "application/zip", &stem, "zip", Caching::Reader))
}

fn not_read(by: &SignedIn, error: ExportError) -> ApiError {
    match error {
        ExportError::Store(error) => by.failed()(error),
        ExportError::Gone => by.caller.failed(Failure::SignInNeeded),
        error => by.caller.internal_error(&error),
    }
}

fn not_written(by: &SignedIn, error: &PackingError) -> ApiError {
    let failed = by.caller.internal_error(error);
    if outage_of(error) == Some(Outage::Full) {
        by.caller.fail(StatusCode::INSUFFICIENT_STORAGE, "disk_full")
    } else {
        failed
    }
}

/// Writes the files to an unnamed package in `folder`. Returns it, at its beginning, and its length.
fn pack(mut files: mpsc::Receiver<ExportFile>, folder: &Path) -> Result<(File, u64), PackingError> {
    // Not in the system's folder for temporary files, which may be in memory.
    let mut zip = ZipWriter::new(BufWriter::new(tempfile::tempfile_in(folder)?));
    while let Some(ExportFile { name, bytes, compressed }) = files.blocking_recv() {
        let method = if compressed { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        zip.start_file(name, SimpleFileOptions::default().compression_method(method))?;
        zip.write_all(&bytes)?;
    }
    let mut file = zip.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
    let length = file.metadata()?.len();
    file.rewind()?;
    Ok((file, length))
}

/// Why an export could not be written.
#[derive(Debug, thiserror::Error)]
enum PackingError {
    /// The zip container failed.
    #[error("writing an export of a member: {0}")]
    Zip(#[from] zip::result::ZipError),
    /// The file failed.
    #[error("writing an export of a member to the data folder: {0}")]
    Io(#[from] io::Error),
}

/// The routes of this file.
pub(super) fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(export))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::io::Read as _;

    use super::*;

    fn file(name: &str, compressed: bool) -> ExportFile {
        ExportFile { name: name.to_owned(), bytes: vec![b'x'; 5_000], compressed }
    }

    #[test]
    fn files_are_packed_one_after_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let (send, receive) = mpsc::channel(1);
        let sender = std::thread::spawn(move || {
            for one in [file("account.json", false), file("files/a.png", true)] {
                send.blocking_send(one).unwrap();
            }
        });
        let (file, length) = pack(receive, folder.path()).unwrap();
        sender.join().unwrap();
        assert_eq!(file.metadata().unwrap().len(), length);
        let mut zip = zip::ZipArchive::new(file).unwrap();
        let names: Vec<String> = zip.file_names().map(|name| name.unwrap().into_owned()).collect();
        assert_eq!(names.len(), 2, "{names:?}");
        let mut text = String::new();
        zip.by_name("account.json").unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text.len(), 5_000);
        assert!(length < 6_000, "what is compressed already is stored as it is, the rest is compressed: {length}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the package has no name");
    }

    #[test]
    fn a_folder_that_is_missing_is_no_full_disk() {
        let (_send, receive) = mpsc::channel(1);
        let error = pack(receive, Path::new("/nowhere/at/all")).unwrap_err();
        assert_eq!(outage_of(&error), None, "{error}");
        let full = PackingError::from(io::Error::from(io::ErrorKind::StorageFull));
        assert_eq!(outage_of(&full), Some(Outage::Full));
    }
}
