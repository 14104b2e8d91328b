//! The form in which a body has a password: as it is, or encrypted.

use serde::{Deserialize, Serialize};

use super::{KeyError, Keys};

/// An encrypted text. All but the id is base64.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Encrypted {
    /// Names the key of the host.
    pub key_id: String,
    /// The browser's point, uncompressed; "" with the key of a session.
    #[serde(default)]
    pub public_key: String,
    /// Initialization vector, 12 bytes.
    pub iv: String,
    /// Encrypted text with its tag.
    pub data: String,
}

/// A password in a body. It is never written to a log.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum SecretText {
    /// As it is.
    Plain(String),
    /// Encrypted.
    Sealed {
        /// The encrypted text.
        encrypted: Encrypted,
    },
}

impl std::fmt::Debug for SecretText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretText")
    }
}

impl SecretText {
    /// The text.
    ///
    /// # Errors
    /// [`KeyError`] of an encrypted text.
    pub fn open(self, keys: &Keys<'_>, session: Option<&str>) -> Result<String, KeyError> {
        match self {
            Self::Plain(text) => Ok(text),
            Self::Sealed { encrypted } => keys.open(&encrypted, session),
        }
    }
}
