//! Keys with which browsers encrypt passwords (calls `getPublicKey` and `getAesKey`), in addition to the encryption of the connection: a
//! proxy or a log in between sees no password in a body.
//!
//! With a public key: the browser makes a P-256 key pair of its own for the one message (ECDH), and derives the AES key from the shared secret by
//! HKDF-SHA-256 with an empty salt and the info `masthead/password/` + the id of the host's key. It encrypts the UTF-8 bytes by AES-256-GCM
//! with a random initialization vector of 12 bytes, the id of the host's key as additional data, and the tag of 16 bytes at the end.
//! With the key of a session: the same encryption, with that key.
//!
//! The host's keys are derived from the installation's key for each site and hour: nothing is stored, and every host of an installation
//! decrypts passwords for a key that another one gave out.

mod opening;
#[cfg(test)]
mod tests;

use crate::installation_key::InstallationKey;
use aes_gcm::{
    Aes256Gcm,
    aead::{Aead as _, KeyInit as _, Payload},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use masthead_domain::SiteId;
use p256::SecretKey;

pub use opening::{Encrypted, SecretText};

/// Milliseconds for which a key is given out. It decrypts passwords for as long again.
const PERIOD: i64 = 3_600_000;
/// Greatest length of an encrypted text, in bytes: a password and its tag have fewer.
const MAX_SEALED: usize = 1024;

/// Why an encrypted text was not opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The key has expired: the browser asks for another one.
    #[error("the key of an encrypted password has expired or is unknown; ask for another one")]
    Expired,
    /// It was not encrypted with the key that it names, or was changed.
    #[error("an encrypted password cannot be opened with the key that it names")]
    Damaged,
}

/// The public key of a site, for some time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    /// Names the key.
    pub id: String,
    /// The point, uncompressed: 65 bytes.
    pub point: Vec<u8>,
    /// When it opens nothing any more, in milliseconds since 1970.
    pub expires: i64,
}

/// The key of a session, for some time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionKey {
    /// Names the key.
    pub id: String,
    /// AES-256.
    pub key: [u8; 32],
    /// When it opens nothing any more, in milliseconds since 1970.
    pub expires: i64,
}

/// The keys of one site at one time.
#[derive(Clone, Debug)]
pub struct Keys<'a> {
    key: &'a InstallationKey,
    site: SiteId,
    now: i64,
}

impl<'a> Keys<'a> {
    /// The keys of a site.
    #[must_use]
    pub const fn new(key: &'a InstallationKey, site: SiteId, now: i64) -> Self {
        Self { key, site, now }
    }

    /// The public key of the current period; `None` only if no number derived from the key is a key of the curve, which has no chance of
    /// happening.
    #[must_use]
    pub fn public(&self) -> Option<PublicKey> {
        let period = self.now.div_euclid(PERIOD);
        let secret = self.secret(period)?;
        let point = secret.public_key().to_sec1_bytes().into_vec();
        Some(PublicKey { id: format!("p{period}"), point, expires: (period + 2) * PERIOD })
    }

    /// The key of a session, by the digest of its token.
    #[must_use]
    pub fn of_session(&self, session: &str) -> SessionKey {
        let period = self.now.div_euclid(PERIOD);
        SessionKey { id: format!("s{period}"), key: self.session_key(session, period), expires: (period + 2) * PERIOD }
    }

    /// Opens an encrypted text. `session` is the digest of the token of the request's session.
    ///
    /// # Errors
    /// [`KeyError`].
    pub fn open(&self, sealed: &Encrypted, session: Option<&str>) -> Result<String, KeyError> {
        let decoded = |text: &str| STANDARD.decode(text).map_err(|_| KeyError::Damaged);
        let key = if sealed.public_key.is_empty() {
            let period = self.period(&sealed.key_id, 's')?;
            self.session_key(session.ok_or(KeyError::Expired)?, period)
        } else {
            let period = self.period(&sealed.key_id, 'p')?;
            let secret = self.secret(period).ok_or(KeyError::Expired)?;
            let point =
                p256::PublicKey::from_sec1_bytes(&decoded(&sealed.public_key)?).map_err(|_| KeyError::Damaged)?;
            agreed(&secret, &point, &sealed.key_id)?
        };
        let (iv, data) = (decoded(&sealed.iv)?, decoded(&sealed.data)?);
        if data.len() > MAX_SEALED {
            return Err(KeyError::Damaged);
        }
        let opened = open(&key, &iv, &data, sealed.key_id.as_bytes())?;
        String::from_utf8(opened).map_err(|_| KeyError::Damaged)
    }

    /// The period that a key's id names, if it is the current one or the one before.
    fn period(&self, id: &str, kind: char) -> Result<i64, KeyError> {
        let period: i64 = id.strip_prefix(kind).and_then(|number| number.parse().ok()).ok_or(KeyError::Expired)?;
        let current = self.now.div_euclid(PERIOD);
        if period == current || period == current - 1 { Ok(period) } else { Err(KeyError::Expired) }
    }

    fn secret(&self, period: i64) -> Option<SecretKey> {
        // About one of 2^32 numbers is no key of the curve; the next one is taken then.
        let numbers = (0..8_u8).map(|attempt| {
            let parts = [self.site.to_string(), period.to_string(), attempt.to_string()];
            self.key.derive("password-key", &parts.each_ref().map(String::as_str))
        });
        numbers.into_iter().find_map(|number| SecretKey::from_slice(&number).ok())
    }

    fn session_key(&self, session: &str, period: i64) -> [u8; 32] {
        self.key.derive("session-key", &[&self.site.to_string(), session, &period.to_string()])
    }
}

/// The AES key that both sides derive from their secret and the other's point.
fn agreed(secret: &SecretKey, point: &p256::PublicKey, id: &str) -> Result<[u8; 32], KeyError> {
    let shared = p256::ecdh::diffie_hellman(secret.to_nonzero_scalar(), point.as_affine());
    let mut key = [0; 32];
    let info = format!("masthead/password/{id}");
    let derived =
        hkdf::Hkdf::<sha2::Sha256>::new(None, shared.raw_secret_bytes().as_slice()).expand(info.as_bytes(), &mut key);
    derived.map_err(|_| KeyError::Damaged)?;
    Ok(key)
}

fn open(key: &[u8; 32], iv: &[u8], data: &[u8], id: &[u8]) -> Result<Vec<u8>, KeyError> {
    let cipher = Aes256Gcm::new_from_slice(key).map_err(|_| KeyError::Damaged)?;
    let iv = <[u8; 12]>::try_from(iv).map_err(|_| KeyError::Damaged)?;
    cipher.decrypt(&iv.into(), Payload { msg: data, aad: id }).map_err(|_| KeyError::Damaged)
}
