//! A site as one file: configuration, content, files. Another installation loads it and has the same site.
//!
//! A gzipped tar of plain things, which other programs can read too: `bundle.json` (what it is), `site.toml` and `assets/` (the
//! site's configuration), `settings.json` (what administrators saved), `journals.json`, `issues.json`, `resources.jsonl` (one a
//! line), `media/` (covers and other files by digest), and `articles/<n>/` with each article's JATS and its files.

mod load;
mod save;

use serde::{Deserialize, Serialize};

pub use load::load;
pub use save::save;

/// The form of bundles that this version writes; it reads no newer one.
const VERSION: u32 = 1;

/// What a bundle says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// The form of the bundle.
    pub version: u32,
    /// Number of the site that it was made from.
    pub site_id: i64,
    /// Its short name.
    pub sld: String,
    /// Number of articles.
    pub articles: u64,
    /// Number of resources.
    pub resources: u64,
}

/// A resource in a bundle: its kind, the value, and for what belongs to an article the article's source key (numbers are
/// another installation's own).
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    kind: masthead_domain::resource::ResourceKind,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    article: String,
    value: serde_json::Value,
}

/// The prefix of addresses of a site's files.
fn media(site: i64) -> String {
    format!("/media/{site}/")
}
