//! The manifests of backups.

use std::{fs, path::Path};

use anyhow::Context as _;
use masthead_store::backup::Column;
use serde::{Deserialize, Serialize};

use super::{FORMAT, folder::Written};
use crate::digest::Digest;

/// The manifest of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// Format version.
    pub format: u32,
    /// Name of the backup: its time in UTC.
    pub name: String,
    /// Number of the backup in its folder; later ones have greater numbers, whatever the clock said.
    pub number: u64,
    /// The version of Masthead that wrote it.
    pub masthead: String,
    /// The database program.
    pub engine: String,
    /// Version of the schema: the number of the latest migration.
    pub schema: i64,
    /// The identity of the database ([`masthead_store::Store::restored`]).
    pub restored: i64,
    /// The number of the latest change that is in the backup.
    pub position: i64,
    /// Whether it has the secrets of the data folder.
    pub secrets: bool,
    /// The tables.
    pub tables: Vec<TableManifest>,
    /// Digest of the list of the files of the configuration folder and of the data folder.
    pub folder_files: String,
    /// Digests of the files of sites that the database names and the backup does not have.
    pub missing: Vec<String>,
    /// The data that was written for this backup and not for an earlier one.
    pub added: Added,
}

/// A table in a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TableManifest {
    /// Its name.
    pub name: String,
    /// Its columns, in the order of the values in the rows.
    pub columns: Vec<Column>,
    /// Number of rows.
    pub rows: u64,
    /// Number of chunks.
    pub chunks: u64,
    /// Bytes of the compressed chunks.
    pub stored: u64,
    /// Digests of the lists of its chunks.
    pub lists: Vec<String>,
}

impl TableManifest {
    /// The position of a column.
    pub(super) fn position(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|one| one.name == column)
    }
}

/// The data that was written for a backup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Added {
    /// Chunks and lists of chunks.
    pub chunks: u64,
    /// Their bytes.
    pub chunk_bytes: u64,
    /// Files.
    pub files: u64,
    /// Their bytes.
    pub file_bytes: u64,
}

impl Added {
    /// Counts a chunk, if it was not stored before.
    pub(super) fn chunk(&mut self, written: &Written) {
        if written.added {
            self.chunks += 1;
            self.chunk_bytes += written.stored;
        }
    }

    /// Counts a file of this many bytes.
    pub(super) fn file(&mut self, bytes: u64) {
        self.files += 1;
        self.file_bytes += bytes;
    }

    /// Adds the data that was written for a part.
    pub(super) fn add(&mut self, part: &Self) {
        self.chunks += part.chunks;
        self.chunk_bytes += part.chunk_bytes;
        self.files += part.files;
        self.file_bytes += part.file_bytes;
    }
}

impl Manifest {
    /// Number of articles.
    #[must_use]
    pub fn articles(&self) -> u64 {
        self.tables.iter().find(|table| table.name == "articles").map_or(0, |table| table.rows)
    }

    /// Number of rows of all tables.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.tables.iter().map(|table| table.rows).sum()
    }

    /// The text of the file: the manifest in one line, and its digest in the next.
    pub(super) fn text(&self) -> anyhow::Result<String> {
        let line = serde_json::to_string(self)?;
        Ok(format!("{line}\n{}\n", Digest::of(line.as_bytes()).hex()))
    }

    /// Reads the manifest of the backup with this name.
    pub(super) fn read(path: &Path, name: &str) -> anyhow::Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("reading the manifest {}", path.display()))?;
        let whole = text.strip_suffix('\n').and_then(|text| text.split_once('\n'));
        let Some((line, _)) = whole.filter(|(line, digest)| Digest::of(line.as_bytes()).hex() == *digest) else {
            anyhow::bail!("its manifest {} is cut off or damaged", path.display());
        };
        // A newer format may have other fields.
        let format: Format = serde_json::from_str(line)?;
        anyhow::ensure!(
            format.format <= FORMAT,
            "it has the format version {}, and this version reads at most {FORMAT}; use a newer Masthead",
            format.format
        );
        let manifest: Self = serde_json::from_str(line)?;
        anyhow::ensure!(manifest.name == name, "its manifest {} is that of {:?}", path.display(), manifest.name);
        Ok(manifest)
    }
}

#[derive(Deserialize)]
struct Format {
    format: u32,
}

/// A folder whose files are in a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Root {
    /// The configuration folder.
    Sites,
    /// The data folder.
    Data,
}

/// A file of a folder in a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderFile {
    pub root: Root,
    /// Its path in the folder.
    pub path: String,
    pub digest: Digest,
    pub bytes: u64,
    /// Its permissions.
    pub mode: u32,
}
