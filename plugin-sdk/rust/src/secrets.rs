//! Secrets by name only: the plugin never sees one. Needs the capability `secrets` in `plugin.toml`.

#[cfg(target_arch = "wasm32")]
use crate::bindings::capabilities::masthead::plugin::secrets as host;
#[cfg(not(target_arch = "wasm32"))]
use crate::testing::host::secrets as host;

/// Whether the site grants a secret of this name and the host has it.
#[must_use]
pub fn has(name: &str) -> bool {
    host::has(name)
}

/// HMAC with SHA-256 of these bytes under the secret, in lower-case hexadecimal.
///
/// # Errors
/// What the site has to grant.
pub fn sign(name: &str, data: impl AsRef<[u8]>) -> Result<String, String> {
    host::sign(name, data.as_ref())
}
