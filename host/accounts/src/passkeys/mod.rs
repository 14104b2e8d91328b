//! Passkeys (WebAuthn) beside passwords: registration by a member, and sign-in without a name. The state of a ceremony is kept in the database
//! between its two requests, under the digest of its challenge, and is used once.

mod ceremonies;
mod relying_party;
#[cfg(test)]
mod tests;

use std::time::Duration;

use masthead_store::StoreError;
use webauthn_rs::prelude::WebauthnError;

pub use ceremonies::{Passkeys, remove};

/// Time for a ceremony: readers may have to look for their key.
const CEREMONY: Duration = Duration::from_secs(300);

/// Greatest number of passkeys of a member.
pub const MAX_PASSKEYS: i64 = 20;

/// Why a ceremony does not succeed.
#[derive(Debug, thiserror::Error)]
pub enum PasskeyError {
    /// The site is open under an IP address; passkeys belong to host names.
    #[error("passkeys belong to a host name, and the site is opened under an IP address")]
    NoHostName,
    /// The answer of the browser cannot be read.
    #[error("the answer of the browser cannot be read: {0}")]
    Unreadable(String),
    /// The answer is not accepted.
    #[error("the passkey is not accepted: {0}")]
    Refused(String),
    /// The member has [`MAX_PASSKEYS`], or the passkey is registered already.
    #[error("the passkey is registered already, or the member has {MAX_PASSKEYS}")]
    NotAdded,
    /// Nothing: the member could not sign in any more.
    #[error("it is the only way by which the member can sign in")]
    LastWay,
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<WebauthnError> for PasskeyError {
    fn from(error: WebauthnError) -> Self {
        Self::Refused(error.to_string())
    }
}
