//! Site bundles: a site with configuration, content and files in one file, which another installation can load.
//!
//! A bundle is a gzipped tar archive: `bundle.json` (the manifest), `digests.json` (SHA-256 of every other file), `site.toml`, `group.toml`
//! and `assets/` (the configuration of the site), `tables/` (one JSON object per line and row, with the numbers and datestamps of the
//! installation), and `media/` (the files in use, by digest). [`masthead_store::site_rows::TABLES`] says what a bundle has of each table.
//!
//! Bundles of the first version have the articles as JATS and no numbers; they are still loaded.

mod configuration;
mod field_changes;
mod first_version;
mod load;
mod permitted;
mod row;
mod rows;
mod save;
mod sent;
mod snapshot;
mod summary;

use serde::{Deserialize, Serialize};

pub use configuration::{FileAction, FileChange, finish_loading};
pub use field_changes::{ChangedRecord, ChangedRecords, FieldChanges};
pub use load::{LoadDiff, LoadOptions, LoadState, Loaded, load};
pub use save::save;
pub use sent::{LoadFailure, load_sent};
pub use summary::{LoadReport, RowsSummary, TableSummary, summary};

/// Format version of bundles that this version writes, and the newest that it reads.
const VERSION: u32 = 2;

/// The manifest of a bundle (`bundle.json`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// Format version of the bundle.
    pub version: u32,
    /// Number of the exported site.
    pub site_id: i64,
    /// Its short name.
    pub sld: String,
    /// Number of articles.
    pub articles: u64,
    /// Number of resources other than figures and tables.
    pub resources: u64,
    /// Number of the latest migration of the tables; 0 in bundles of the first version.
    #[serde(default)]
    pub schema: i64,
    /// SHA-256 of `digests.json`, in hexadecimal; "" in bundles of the first version.
    #[serde(default)]
    pub digests: String,
    /// The part of OAI identifiers that names the site, which the platform's domain decides where the site has no domain of its own; "" in
    /// bundles of before.
    #[serde(default)]
    pub oai_namespace: String,
}

/// The digests of the files of a bundle, by name.
type Digests = std::collections::BTreeMap<String, String>;

/// Prefix of the media addresses of a site.
fn media(site: i64) -> String {
    format!("/media/{site}/")
}
