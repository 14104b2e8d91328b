//! The values that tie the answer of a provider to the request that led there: the verifier of PKCE (RFC 7636) and the nonce of the ID
//! token. Both are derived from the state and the installation's key, so that neither has to be stored, and a state alone reveals neither.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use masthead_domain::SiteId;

use crate::installation_key::InstallationKey;

/// One sign-in at a provider.
#[derive(Clone)]
pub struct Attempt<'a> {
    /// The address that the provider sends the reader back to.
    pub callback: &'a str,
    /// The state, a random text that comes back with the reader.
    pub state: &'a str,
    pub(super) verifier: String,
    pub(super) nonce: String,
}

impl<'a> Attempt<'a> {
    /// The attempt of a reader of a site at one of its providers.
    #[must_use]
    pub fn new(key: &InstallationKey, site: SiteId, provider: &str, callback: &'a str, state: &'a str) -> Self {
        let derive = |purpose: &str| URL_SAFE_NO_PAD.encode(key.derive(purpose, &[&site.to_string(), provider, state]));
        Self { callback, state, verifier: derive("sign-in verifier"), nonce: derive("sign-in nonce") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_attempt_has_a_verifier_and_a_nonce_of_its_own() {
        let of = |key: u8, site, provider, state| {
            let key = InstallationKey::new([key; 32]);
            let attempt = Attempt::new(&key, SiteId(site), provider, "https://a.example/cb", state);
            (attempt.verifier, attempt.nonce)
        };
        let (verifier, nonce) = of(7, 1, "campus", "state");
        assert_eq!((verifier.len(), nonce.len()), (43, 43), "RFC 7636 asks for 43 to 128 characters");
        assert_ne!(verifier, nonce);
        assert_eq!(of(7, 1, "campus", "state"), (verifier.clone(), nonce.clone()));
        for other in [
            of(8, 1, "campus", "state"),
            of(7, 2, "campus", "state"),
            of(7, 1, "orcid", "state"),
            of(7, 1, "campus", "s"),
        ] {
            assert!(other.0 != verifier && other.1 != nonce);
        }
    }
}
