//! Captchas: a picture with letters, or a number to be found by trying (proof of work), which needs no eyes and no ears. Nothing is stored when a
//! captcha is given out: its id has its content, encrypted. When it is answered, right or wrong, its id is marked as used.

mod glyphs;
mod picture;
#[cfg(test)]
mod tests;

use aes_gcm::{
    Aes256Gcm,
    aead::{Aead as _, KeyInit as _, Payload},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use masthead_domain::{SiteId, text::hex};
use masthead_store::{SiteStore, StoreError};
use rand::RngExt as _;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::installation_key::{InstallationKey, token_digest};

/// Letters of a picture.
const LETTERS: usize = 5;
/// The greatest number that a proof of work may ask for: a browser tries about half of these, in one or two seconds.
pub const MAX_NUMBER: u32 = 100_000;
/// Milliseconds for which a captcha can be answered.
const LIFETIME: i64 = 10 * 60_000;
/// Bytes of the initialization vector, which the id begins with.
const IV: usize = 12;
/// Greatest length of an id.
const MAX_ID: usize = 256;
/// The purpose under which the marks of used captchas are stored.
const PURPOSE: &str = "captcha";

/// A captcha that is given out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captcha {
    /// The id.
    pub id: String,
    /// The proof of work.
    pub challenge: Challenge,
    /// When it can be answered no more, in milliseconds since 1970.
    pub expires: i64,
}

/// A proof of work: find the number, at most `max`, with this SHA-256 of the salt followed by the number in decimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// Text before the number.
    pub salt: String,
    /// Digest in hexadecimal digits.
    pub digest: String,
    /// The greatest possible number.
    pub max: u32,
}

/// An answer: the letters that the reader typed, or the number that the browser found.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CaptchaAnswer {
    /// The id of the captcha.
    pub id: String,
    /// The letters of the picture.
    #[serde(default)]
    pub text: Option<String>,
    /// The number of the proof of work.
    #[serde(default)]
    pub number: Option<u32>,
}

/// The encrypted content of an id.
#[derive(Serialize, Deserialize)]
struct Content {
    text: String,
    number: u32,
    expires: i64,
}

/// The captchas of one site at one time.
#[derive(Clone, Debug)]
pub struct Captchas<'a> {
    key: &'a InstallationKey,
    site: SiteId,
    now: i64,
}

impl<'a> Captchas<'a> {
    /// The captchas of a site.
    #[must_use]
    pub const fn new(key: &'a InstallationKey, site: SiteId, now: i64) -> Self {
        Self { key, site, now }
    }

    /// A new captcha; `None` only if it cannot be encrypted, which has no reason to happen.
    #[must_use]
    pub fn issue(&self) -> Option<Captcha> {
        let mut rng = rand::rng();
        let text = (0..LETTERS).map(|_| glyphs::LETTERS[rng.random_range(0..glyphs::LETTERS.len())]).collect();
        let number = rng.random_range(0..=MAX_NUMBER);
        let expires = self.now + LIFETIME;
        let id = self.seal(&Content { text, number, expires }, rand::random())?;
        let salt = salt(&id);
        let digest = proof(&salt, number);
        Some(Captcha { id, challenge: Challenge { salt, digest, max: MAX_NUMBER }, expires })
    }

    /// The picture of a captcha as PNG, always the same one; `None` for an id that is not one of this site, or has expired.
    #[must_use]
    pub fn picture(&self, id: &str) -> Option<Vec<u8>> {
        let content = self.open(id)?;
        picture::draw(&content.text, self.key.derive("captcha-picture", &[id]))
    }

    /// Whether an answer is right. A captcha can be answered once, so that no program can try all answers.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn check(&self, store: &SiteStore, answer: &CaptchaAnswer) -> Result<bool, StoreError> {
        let Some(content) = self.open(&answer.id) else { return Ok(false) };
        if !store.mark_used(PURPOSE, &token_digest(&answer.id), content.expires).await? {
            return Ok(false);
        }
        let typed = answer.text.as_deref().map(read).unwrap_or_default();
        Ok(answer.number == Some(content.number) || (!typed.is_empty() && typed == content.text))
    }

    fn cipher(&self) -> Option<Aes256Gcm> {
        Aes256Gcm::new_from_slice(&self.key.derive("captcha", &[&self.site.to_string()])).ok()
    }

    fn seal(&self, content: &Content, iv: [u8; IV]) -> Option<String> {
        let content = serde_json::to_vec(content).ok()?;
        let sealed = self.cipher()?.encrypt(&iv.into(), Payload { msg: &content, aad: &[] }).ok()?;
        Some(URL_SAFE_NO_PAD.encode([&iv[..], &sealed].concat()))
    }

    fn open(&self, id: &str) -> Option<Content> {
        let bytes = (id.len() <= MAX_ID).then(|| URL_SAFE_NO_PAD.decode(id).ok()).flatten()?;
        let (iv, sealed) = bytes.split_first_chunk::<IV>()?;
        let content = self.cipher()?.decrypt(&(*iv).into(), Payload { msg: sealed, aad: &[] }).ok()?;
        let content: Content = serde_json::from_slice(&content).ok()?;
        (content.expires > self.now).then_some(content)
    }
}

/// The salt of a captcha, which follows from its id.
fn salt(id: &str) -> String {
    hex(&Sha256::digest(id)[..12])
}

fn proof(salt: &str, number: u32) -> String {
    hex(&Sha256::digest(format!("{salt}{number}")))
}

/// The typed answer in the letters of pictures: case, white space and full-width forms do not matter.
fn read(typed: &str) -> String {
    let narrow = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        other => other,
    };
    let letters = typed.chars().filter(|c| !c.is_whitespace()).map(narrow);
    letters.map(|c| c.to_ascii_uppercase()).take(LETTERS + 1).collect()
}
