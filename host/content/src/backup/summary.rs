//! A backup in short, as commands and calls report it, and the name of a new one.

use serde::Serialize;

use super::manifest::{Added, Manifest};

/// A backup in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BackupSummary {
    /// Its name.
    pub name: String,
    /// The version of Masthead that wrote it.
    pub masthead: String,
    /// The database program.
    pub engine: String,
    /// Number of articles.
    pub articles: u64,
    /// Number of rows of all tables.
    pub rows: u64,
    /// The number of the latest change that is in it.
    pub position: i64,
    /// Whether it has the secrets of the data folder.
    pub secrets: bool,
    /// Number of files that the database names and the backup does not have.
    pub missing_files: usize,
    /// The data that was written for it and not for an earlier one.
    pub added: Added,
}

impl From<&Manifest> for BackupSummary {
    fn from(manifest: &Manifest) -> Self {
        Self {
            name: manifest.name.clone(),
            masthead: manifest.masthead.clone(),
            engine: manifest.engine.clone(),
            articles: manifest.articles(),
            rows: manifest.rows(),
            position: manifest.position,
            secrets: manifest.secrets,
            missing_files: manifest.missing.len(),
            added: manifest.added,
        }
    }
}

/// The name of a backup that is begun now.
#[must_use]
pub fn new_name() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H-%M-%SZ").to_string()
}

/// Lets others go first: the host that serves meanwhile, in particular. It holds for the thread of the caller and for those that it starts
/// later. `nice` is how far: 0 is equal to others, 19 starves on a machine that is never idle. A backup does not fail because this is not
/// possible.
pub fn give_way(nice: u8) {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(i32::from(nice));
    #[cfg(not(target_os = "linux"))]
    let _ = nice;
}
