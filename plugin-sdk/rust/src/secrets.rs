//! Secrets, by name only: the plugin never sees their values. Needs the capability `secrets` in `plugin.toml`.

#[cfg(target_arch = "wasm32")]
use crate::bindings::capabilities::masthead::plugin::secrets as host;
#[cfg(not(target_arch = "wasm32"))]
use crate::testing::host::secrets as host;

/// Whether the site grants a secret of this name and the host has it.
#[must_use]
pub fn has(name: &str) -> bool {
    host::has(name)
}

/// HMAC-SHA256 of data with the secret as key, in lower-case hexadecimal.
///
/// # Errors
/// A message, if the site does not grant the secret or the host does not have it.
pub fn sign(name: &str, data: impl AsRef<[u8]>) -> Result<String, String> {
    host::sign(name, data.as_ref())
}
