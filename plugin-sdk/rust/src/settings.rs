//! Typed settings. Needs the capability `settings` in `plugin.toml`.

#[cfg(target_arch = "wasm32")]
use crate::bindings::capabilities::masthead::plugin::settings as host;
#[cfg(not(target_arch = "wasm32"))]
use crate::testing::host::settings as host;

use serde::de::DeserializeOwned;

/// This plugin's settings on this site, defaults filled in, read into the author's own type.
///
/// # Errors
/// What serde says, in words that the site's administrator reads.
pub fn settings<T: DeserializeOwned>() -> Result<T, String> {
    serde_json::from_str(&host::get()).map_err(|error| format!("settings: {error}"))
}
