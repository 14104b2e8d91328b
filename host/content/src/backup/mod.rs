//! Backups of a whole installation, while it serves, and their restoration.
//!
//! A backup folder holds any number of backups; parts that several of them have in common are stored once. It contains
//! - `backups/<name>.json`, the manifest of a backup. It is written last, so that a backup is complete if its manifest is there;
//! - `chunks/<first two digits>/<digest>`: some hundred kilobytes of rows of a table, or a list of such chunks, as postcard, compressed by
//!   gzip. The digest is the SHA-256 of the uncompressed bytes;
//! - `files/<first two digits>/<digest>`: the files of the sites, and those of the configuration folder;
//! - `unfinished` while a backup is being written, `lock`, the mark `masthead-backup.json`, and `new/` for files that are being written.
//!
//! A manifest lists the chunks of each table through lists of chunks. Rows are in the order of their keys, and it depends on the rows alone
//! where a chunk ends, so that a changed row changes one chunk and one list. The two tables of articles, which are most of a database, are
//! not even read where no article of a chunk was written since the latest backup.
//!
//! A backup has no index, which is built again, no compiled plugins, no sessions, codes or messages, and no hashes of readers. Accounts of members
//! and administrators are in it, with the digests of their passwords. The installation's key, the digests of the administrators' tokens and
//! `secrets.toml` are in it on request only.

mod check;
mod chunks;
mod folder;
mod manifest;
mod restore;
mod retain;
mod save;
mod summary;
#[cfg(test)]
mod tests;

pub use self::{
    check::{Checked, verify},
    folder::BackupFolder,
    manifest::{Added, Manifest, TableManifest},
    restore::{Choices, RestoreTarget, Restored, restore},
    retain::{Retained, retain},
    save::{Options, Saved, Source, save, save_unadvised},
    summary::{BackupSummary, give_way, new_name},
};

/// Format version of backup folders that this version writes, and the newest that it reads.
const FORMAT: u32 = 1;

/// The files of the data folder that are in a backup on request only: the installation's key, the digests of the administrators' tokens,
/// and the secrets that plugins use.
const SECRETS: [&str; 3] = ["cookie.key", ADMIN_TOKENS, "secrets.toml"];
const ADMIN_TOKENS: &str = "admin-tokens.json";
/// The digest of the one token of an earlier version. It is in a backup with the secrets, too; a folder without it lacks nothing.
const EARLIER_TOKEN: &str = "admin.token";

/// The folder in the data folder with the uploads that wait for their import.
const UPLOADS: &str = "uploads";
