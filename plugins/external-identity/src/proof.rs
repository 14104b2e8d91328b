//! Values that bind the responses of the service to one sign-in: the code verifier of PKCE (RFC 7636) and the nonce of OpenID Connect.
//!
//! They are signatures of the state with the client secret. The state is random and of one sign-in, so that nothing has to be stored
//! between the redirect and the return, and nobody who sees the redirect can compute them.

use masthead_plugin::{base64_url, secrets};
use sha2::{Digest as _, Sha256};

/// The values of one sign-in.
pub struct Proof {
    /// The code verifier, sent with the code only.
    pub verifier: String,
    /// The nonce, which the ID token repeats.
    pub nonce: String,
}

impl Proof {
    /// The values of the sign-in with this state.
    pub fn of(secret: &str, state: &str) -> Result<Self, String> {
        let sign = |purpose: &str| secrets::sign(secret, format!("{purpose}\n{state}"));
        Ok(Self { verifier: sign("code verifier")?, nonce: sign("nonce")? })
    }

    /// The code challenge of the method S256, which the redirect contains.
    pub fn challenge(&self) -> String {
        base64_url(&Sha256::digest(self.verifier.as_bytes()))
    }
}
