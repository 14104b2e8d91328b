//! The long work of platform administrators: bundles of sites, backups, the search index.

use std::{
    fs::File,
    io,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use masthead_content::{
    backup::{BackupSummary, Checked},
    change_log_follower::Built,
    site_bundle::LoadReport,
};
use tokio::sync::watch;

use crate::app::long_work::LongWork;

/// Longest wait of a host that stops for the ends of what it breaks off. Work that is in the middle of a file ends with the process instead,
/// which no work minds.
const STOPPING: Duration = Duration::from_secs(5);

/// A bundle that was written, until it is sent.
#[derive(Debug)]
pub struct ExportedBundle {
    file: Mutex<Option<File>>,
    /// Its length in bytes.
    pub length: u64,
}

impl ExportedBundle {
    /// The bundle in an open file.
    ///
    /// # Errors
    /// The error of the file system.
    pub fn new(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self { file: Mutex::new(Some(file)), length })
    }

    /// Takes the file; `None` if it was taken before.
    pub fn take(&self) -> Option<File> {
        locked(&self.file).take()
    }
}

/// What was done with a folder of backups.
#[derive(Debug, Default)]
pub struct BackupDone {
    /// The backup that was written.
    pub backup: Option<BackupSummary>,
    /// Files that it lacks although it should have them, a sentence each.
    pub problems: Vec<String>,
    /// The backups that were verified.
    pub verified: Vec<Checked>,
}

/// A search index that was built.
#[derive(Clone, Copy, Debug)]
pub struct Reindexed {
    /// The index.
    pub built: Built,
    /// The time that it took.
    pub seconds: f64,
}

/// The long work of platform administrators.
#[derive(Debug)]
pub struct OperatorWork {
    /// Writing the bundle of a site.
    pub export: LongWork<ExportedBundle>,
    /// Loading a bundle, or comparing it with the site.
    pub load: LongWork<LoadReport>,
    /// Writing or verifying backups.
    pub backup: LongWork<BackupDone>,
    /// Building the search index again.
    pub reindex: LongWork<Reindexed>,
    /// How far the search index is that is being built.
    index: Mutex<Option<Built>>,
    /// The folder of the backups.
    backups: Mutex<Option<PathBuf>>,
    stop: watch::Sender<bool>,
}

impl Default for OperatorWork {
    fn default() -> Self {
        let (stop, stopping) = watch::channel(false);
        Self {
            export: LongWork::new(stopping.clone()),
            load: LongWork::new(stopping.clone()),
            backup: LongWork::new(stopping.clone()),
            reindex: LongWork::new(stopping),
            index: Mutex::default(),
            backups: Mutex::default(),
            stop,
        }
    }
}

impl OperatorWork {
    /// Names the one folder into which backups are written.
    pub fn backups_are_in(&self, folder: PathBuf) {
        *locked(&self.backups) = Some(folder);
    }

    /// The folder into which backups are written; `None` if the operator has named none.
    #[must_use]
    pub fn backup_folder(&self) -> Option<PathBuf> {
        locked(&self.backups).clone()
    }

    /// Notes how far the search index is that is being built; `None` at the beginning.
    pub fn index_is_at(&self, built: Option<Built>) {
        *locked(&self.index) = built;
    }

    /// How far the search index is that is being built, or was built last.
    #[must_use]
    pub fn index_at(&self) -> Option<Built> {
        *locked(&self.index)
    }

    /// Breaks off what is being done, because the host stops.
    pub async fn stop(&self) {
        self.stop.send_replace(true);
        let ends = async {
            self.export.rest().await;
            self.load.rest().await;
            self.backup.rest().await;
            self.reindex.rest().await;
        };
        if tokio::time::timeout(STOPPING, ends).await.is_err() {
            tracing::warn!("an administrator's task is stopped with the process");
        }
    }
}

fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
