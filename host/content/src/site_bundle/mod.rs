//! Site bundles: a site with configuration, content and files in one file, which another installation can load.
//!
//! A bundle is a gzipped tar archive: `bundle.json` (the manifest), `site.toml`, `group.toml` and `assets/` (the configuration of the
//! site), `settings.json` (settings saved by administrators), `journals.json`, `issues.json`, `resources.jsonl` (one resource per
//! line), `media/` (covers and other files by digest), and `articles/<n>/` with the JATS and the files of each article.

mod load;
mod save;

use serde::{Deserialize, Serialize};

pub use load::load;
pub use save::save;

/// Format version of bundles that this version writes, and the newest that it reads.
const VERSION: u32 = 1;

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
    /// Number of resources.
    pub resources: u64,
}

/// A resource in a bundle: its kind, its value, and the source key of the article that it belongs to, if any. Article numbers are not
/// used, because they are specific to an installation.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    kind: masthead_domain::resource::ResourceKind,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    article: String,
    value: serde_json::Value,
}

/// Prefix of the media addresses of a site.
fn media(site: i64) -> String {
    format!("/media/{site}/")
}
