//! Whether the host can write where it has to: a full disk shows before an import fails.
//!
//! Each place is written for real, because free space does not show quotas, permissions and file systems that were mounted read-only.

use std::{
    fs::File,
    io::{self, Write as _},
    path::Path,
    time::Duration,
};

use serde::Serialize;
use tokio::sync::Mutex;

use crate::app::App;

/// The result of a check is used for this long.
const INTERVAL_MS: i64 = 10_000;
/// Name of the file that a check writes and removes.
const FILE: &str = "write-check";
/// Size of this file, in bytes.
const SIZE: usize = 4096;
/// Time after which a database that has not written yet is taken to be busy with other writers, which is no fault.
const BUSY: Duration = Duration::from_secs(2);

/// A place that cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unwritable {
    /// `data folder`, `database` or `search index`.
    pub what: &'static str,
    /// The error.
    pub why: String,
}

/// The latest check.
#[derive(Debug, Default)]
pub struct WriteChecks(Mutex<Option<(i64, Vec<Unwritable>)>>);

impl WriteChecks {
    /// The places that cannot be written. They are checked at most every ten seconds; a caller waits while another one checks.
    pub async fn unwritable(&self, app: &App) -> Vec<Unwritable> {
        let now = app.counting.now();
        let mut latest = self.0.lock().await;
        if let Some((checked, found)) = latest.as_ref()
            && now.saturating_sub(*checked) < INTERVAL_MS
        {
            return found.clone();
        }
        let found = check(app).await;
        *latest = Some((now, found.clone()));
        found
    }
}

async fn check(app: &App) -> Vec<Unwritable> {
    let data = app.data_folder.clone();
    let folders = [("data folder", data.clone()), ("search index", data.join("search"))];
    let written = tokio::task::spawn_blocking(move || folders.map(|(what, folder)| (what, write(&folder))));
    let mut found = Vec::new();
    for (what, written) in written.await.into_iter().flatten() {
        found.extend(written.err().map(|error| Unwritable { what, why: error.to_string() }));
    }
    let database = tokio::select! {
        written = tokio::time::timeout(BUSY, app.store.check_writable()) => written.ok().and_then(Result::err),
        // A database that does not answer is reported on its own.
        () = app.store.unavailable() => None,
    };
    found.extend(database.map(|error| Unwritable { what: "database", why: error.to_string() }));
    found
}

/// Writes a file to a folder, waits until it is on the disk, and removes it.
fn write(folder: &Path) -> io::Result<()> {
    let path = folder.join(FILE);
    let written = File::create(&path).and_then(|mut file| file.write_all(&[0; SIZE]).and_then(|()| file.sync_all()));
    let removed = std::fs::remove_file(&path);
    written.and(removed)
}
