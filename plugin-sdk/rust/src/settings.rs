//! Typed settings. Needs the capability `settings` in `plugin.toml`.

#[cfg(target_arch = "wasm32")]
use crate::bindings::capabilities::masthead::plugin::settings as host;
#[cfg(not(target_arch = "wasm32"))]
use crate::testing::host::settings as host;

use serde::de::DeserializeOwned;

/// The settings of this plugin on this site, with defaults, deserialized into a type of the plugin.
///
/// # Errors
/// The message of serde, for the administrator of the site.
pub fn settings<T: DeserializeOwned>() -> Result<T, String> {
    serde_json::from_str(&host::get()).map_err(|error| format!("settings: {error}"))
}
