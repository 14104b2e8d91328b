//! Key-value storage of this plugin on this site. Needs the capability `kv` in `plugin.toml`.

pub use crate::bindings::capabilities::masthead::plugin::kv::Failure;

#[cfg(target_arch = "wasm32")]
use crate::bindings::capabilities::masthead::plugin::kv as host;
#[cfg(not(target_arch = "wasm32"))]
use crate::testing::host::kv as host;

use serde::{Serialize, de::DeserializeOwned};

impl From<Failure> for String {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Invalid(what) | Failure::Other(what) => format!("kv: {what}"),
            Failure::OverQuota => "kv: no room is left".to_owned(),
        }
    }
}

/// The value of a key; `None` if there is none.
///
/// # Errors
/// The reason why it could not be read.
pub fn get(key: &str) -> Result<Option<Vec<u8>>, Failure> {
    host::get(key)
}

/// Sets a value.
///
/// # Errors
/// The reason why it could not be stored.
pub fn set(key: &str, value: impl AsRef<[u8]>) -> Result<(), Failure> {
    host::set(key, value.as_ref())
}

/// Removes a key; false if there was none.
///
/// # Errors
/// The reason why it could not be removed.
pub fn delete(key: &str) -> Result<bool, Failure> {
    host::delete(key)
}

/// Keys with a prefix that follow `after` ("" for the first ones), in byte order; at most 100.
///
/// # Errors
/// The reason why they could not be read.
pub fn keys(prefix: &str, after: &str) -> Result<Vec<String>, Failure> {
    host::keys(prefix, after)
}

/// The value of a key, deserialized from JSON.
///
/// # Errors
/// The reason why it could not be read, or the message of serde.
pub fn get_json<T: DeserializeOwned>(key: &str) -> Result<Option<T>, Failure> {
    let Some(bytes) = get(key)? else { return Ok(None) };
    serde_json::from_slice(&bytes).map(Some).map_err(|error| Failure::Other(format!("{key}: {error}")))
}

/// Sets a value, serialized to JSON.
///
/// # Errors
/// The reason why it could not be stored, or the message of serde.
pub fn set_json(key: &str, value: &impl Serialize) -> Result<(), Failure> {
    let bytes = serde_json::to_vec(value).map_err(|error| Failure::Invalid(format!("{key}: {error}")))?;
    set(key, bytes)
}
