//! The time of day. Needs the capability `clock` in `plugin.toml`.

#[cfg(target_arch = "wasm32")]
use crate::bindings::capabilities::masthead::plugin::clock as host;
#[cfg(not(target_arch = "wasm32"))]
use crate::testing::host::clock as host;

/// Milliseconds since 1970-01-01T00:00:00Z.
#[must_use]
pub fn now() -> u64 {
    host::now()
}
