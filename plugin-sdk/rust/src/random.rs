//! Cryptographically secure random bytes. Needs the capability `random` in `plugin.toml`.

#[cfg(target_arch = "wasm32")]
use crate::bindings::capabilities::masthead::plugin::random as host;
#[cfg(not(target_arch = "wasm32"))]
use crate::testing::host::random as host;

/// Returns this number of random bytes, at most 1,024.
#[must_use]
pub fn bytes(length: u32) -> Vec<u8> {
    host::bytes(length)
}
