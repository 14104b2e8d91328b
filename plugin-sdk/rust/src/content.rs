//! The published content of the site. Needs the capability `content` in `plugin.toml`.

pub use crate::bindings::capabilities::masthead::plugin::content::Passage;

#[cfg(target_arch = "wasm32")]
use crate::bindings::capabilities::masthead::plugin::content as host;
#[cfg(not(target_arch = "wasm32"))]
use crate::testing::host::content as host;

use crate::Article;

/// The article with this number on this site; `None` if there is none.
///
/// # Errors
/// A message, if the host cannot read the content.
pub fn by_id(id: i64) -> Result<Option<Article>, String> {
    host::by_id(id)
}

/// The article with this DOI on this site; `None` if there is none.
///
/// # Errors
/// A message, if the host cannot read the content.
pub fn by_doi(doi: &str) -> Result<Option<Article>, String> {
    host::by_doi(doi)
}

/// The latest articles, newest first; at most 50.
///
/// # Errors
/// A message, if the host cannot read the content.
pub fn latest(limit: u32) -> Result<Vec<Article>, String> {
    host::latest(limit)
}

/// The full text of an article as plain text; `None` if it is not open access.
///
/// # Errors
/// A message, if the host cannot read the content.
pub fn full_text(id: i64) -> Result<Option<String>, String> {
    host::full_text(id)
}

/// Passages that match a query in the site's search; at most 20.
///
/// # Errors
/// A message, if the host cannot read the content.
pub fn search(text: &str, limit: u32) -> Result<Vec<Passage>, String> {
    host::search(text, limit)
}
