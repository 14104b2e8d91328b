//! Keys and digests that are derived from the installation's key, each for one purpose, so that those of one are of no use for another.
//! Hosts that share the installation's key derive the same ones.

use hkdf::Hkdf;
use sha2::{Digest as _, Sha256};

/// The installation's key.
#[derive(Clone)]
pub struct InstallationKey([u8; 32]);

impl std::fmt::Debug for InstallationKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("InstallationKey")
    }
}

impl InstallationKey {
    /// The key of these bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The key for a purpose. `parts` cannot run into one another: their lengths are part of the input.
    #[must_use]
    pub fn derive(&self, purpose: &str, parts: &[&str]) -> [u8; 32] {
        let mut info = format!("masthead/{purpose}").into_bytes();
        for part in parts {
            info.extend_from_slice(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
            info.extend_from_slice(part.as_bytes());
        }
        let mut key = [0; 32];
        // The only error is an output longer than 255 digests. A random key opens nothing.
        if Hkdf::<Sha256>::new(None, &self.0).expand(&info, &mut key).is_err() {
            return rand::random();
        }
        key
    }

    /// The digest of a short secret, such as a code of six digits, which cannot be guessed from a copy of the database without the key.
    #[must_use]
    pub fn digest(&self, purpose: &str, parts: &[&str]) -> String {
        masthead_domain::text::hex(&self.derive(purpose, parts))
    }
}

/// The digest under which a long random token is stored: a token cannot be made from a copy of the database.
#[must_use]
pub fn token_digest(token: &str) -> String {
    masthead_domain::text::hex(&Sha256::digest(token))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_purpose_site_and_installation_has_keys_of_its_own() {
        let key = InstallationKey::new([7; 32]);
        let all = [
            key.derive("a", &["b", "c"]),
            key.derive("b", &["b", "c"]),
            key.derive("a", &["bc", ""]),
            key.derive("a", &["bc"]),
            key.derive("a", &["", "bc"]),
            InstallationKey::new([8; 32]).derive("a", &["b", "c"]),
        ];
        for (at, one) in all.iter().enumerate() {
            assert!(all.iter().skip(at + 1).all(|other| other != one), "{at}");
        }
        assert_eq!(key.derive("a", &["b", "c"]), InstallationKey::new([7; 32]).derive("a", &["b", "c"]));
        assert_eq!(format!("{key:?}"), "InstallationKey");
    }
}
