//! Everything that a member owns on the site, as one file.

use std::{
    fs::File,
    io::{self, BufWriter, Seek as _, Write as _},
    path::Path,
    sync::Arc,
};

use axum::{http::StatusCode, response::Response};
use masthead_accounts::export::{self, ExportError, ExportFile};
use tokio::sync::{Semaphore, mpsc};
use utoipa_axum::{router::OpenApiRouter, routes};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use crate::{
    api::{envelope::ApiError, signed_in::SignedIn, types::Envelope},
    app::{App, rate_limits::Action},
    discovery::{attachment::attachment, stored_file},
    failure::Failure,
    page::caching::Caching,
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
    // What the member has just done is part of it.
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
    // Why it was not written comes before that nobody took the rest.
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
    if error.is_full() {
        tracing::error!(%error, "an export of a member could not be written");
        return by.caller.fail(StatusCode::INSUFFICIENT_STORAGE, "disk_full");
    }
    by.caller.internal_error(error)
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

impl PackingError {
    /// Whether the disk is full.
    fn is_full(&self) -> bool {
        let error = match self {
            Self::Zip(zip::result::ZipError::Io(error)) | Self::Io(error) => error,
            Self::Zip(_) => return false,
        };
        matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
    }
}

/// The routes of this file.
pub(super) fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(export))
}
