//! What the site has published. Needs the capability `content` in `plugin.toml`.

pub use crate::bindings::capabilities::masthead::plugin::content::Passage;

#[cfg(target_arch = "wasm32")]
use crate::bindings::capabilities::masthead::plugin::content as host;
#[cfg(not(target_arch = "wasm32"))]
use crate::testing::host::content as host;

use crate::Article;

/// The article with this number on this site.
///
/// # Errors
/// A failure of the host, in words.
pub fn by_id(id: i64) -> Result<Option<Article>, String> {
    host::by_id(id)
}

/// The article with this DOI on this site.
///
/// # Errors
/// A failure of the host, in words.
pub fn by_doi(doi: &str) -> Result<Option<Article>, String> {
    host::by_doi(doi)
}

/// The latest articles, newest first; at most 50.
///
/// # Errors
/// A failure of the host, in words.
pub fn latest(limit: u32) -> Result<Vec<Article>, String> {
    host::latest(limit)
}

/// The article's full text as plain text, where readers may read it.
///
/// # Errors
/// A failure of the host, in words.
pub fn full_text(id: i64) -> Result<Option<String>, String> {
    host::full_text(id)
}

/// Passages in which the site's own search finds these words; at most 20.
///
/// # Errors
/// A failure of the host, in words.
pub fn search(text: &str, limit: u32) -> Result<Vec<Passage>, String> {
    host::search(text, limit)
}
