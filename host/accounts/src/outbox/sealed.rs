//! Messages at rest. They contain codes and names, so that the outbox has them encrypted with a key of the installation: a copy of the
//! database alone does not reveal them.

use aes_gcm::{
    Aes256Gcm,
    aead::{Aead as _, KeyInit as _, Payload},
};
use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};
use masthead_domain::{Lang, SiteId};
use serde::{Deserialize, Serialize};

use crate::{installation_key::InstallationKey, messages::Message};

/// Bytes of an initialization vector.
const IV: usize = 12;

/// A message and the language of its reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// The language.
    pub lang: Lang,
    /// The content.
    #[serde(flatten)]
    pub message: Message,
}

/// Why a stored message cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// It was written with another key of the installation, for another recipient, or is damaged.
    #[error("a stored message cannot be opened with the key of the installation (cookie.key in the data folder)")]
    Closed,
    /// Another version of Masthead wrote it.
    #[error("a stored message has a form that this version does not know")]
    Unknown,
}

/// Encrypts the content of a message to a recipient; it cannot be decrypted as a message to another one.
///
/// # Errors
/// [`SealError`] if there is no way to encrypt it, which no input leads to.
pub fn seal(
    key: &InstallationKey,
    iv: [u8; IV],
    site: SiteId,
    recipient: &str,
    content: &Content,
) -> Result<String, SealError> {
    let text = serde_json::to_vec(content).map_err(|_| SealError::Unknown)?;
    let payload = Payload { msg: &text, aad: recipient.as_bytes() };
    let data = cipher(key, site)?.encrypt(&iv.into(), payload).map_err(|_| SealError::Closed)?;
    Ok(STANDARD_NO_PAD.encode([iv.as_slice(), &data].concat()))
}

/// Decrypts the result of [`seal`].
///
/// # Errors
/// [`SealError`].
pub fn open(key: &InstallationKey, site: SiteId, recipient: &str, sealed: &str) -> Result<Content, SealError> {
    let bytes = STANDARD_NO_PAD.decode(sealed).map_err(|_| SealError::Closed)?;
    let (iv, data) = bytes.split_first_chunk::<IV>().ok_or(SealError::Closed)?;
    let payload = Payload { msg: data, aad: recipient.as_bytes() };
    let text = cipher(key, site)?.decrypt(&(*iv).into(), payload).map_err(|_| SealError::Closed)?;
    serde_json::from_slice(&text).map_err(|_| SealError::Unknown)
}

fn cipher(key: &InstallationKey, site: SiteId) -> Result<Aes256Gcm, SealError> {
    let key = key.derive("outbox", &[&site.to_string()]);
    Aes256Gcm::new_from_slice(&key).map_err(|_| SealError::Closed)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::member::CodePurpose;

    use super::*;

    #[test]
    fn a_message_opens_for_its_recipient_site_and_installation_only() {
        let (key, other) = (InstallationKey::new([1; 32]), InstallationKey::new([2; 32]));
        let message = Message::Code { purpose: CodePurpose::Login, code: "042137".to_owned(), minutes: 10 };
        let content = Content { lang: Lang::Ara, message };
        let sealed = seal(&key, [9; 12], SiteId(448), "a@example.org", &content).unwrap();
        assert!(!sealed.contains("042137") && !sealed.contains("code"), "{sealed}");
        assert_eq!(open(&key, SiteId(448), "a@example.org", &sealed).unwrap(), content);
        for (key, site, to) in
            [(&other, 448, "a@example.org"), (&key, 905, "a@example.org"), (&key, 448, "b@example.org")]
        {
            assert_eq!(open(key, SiteId(site), to, &sealed), Err(SealError::Closed));
        }
        let mut changed = sealed.into_bytes();
        changed[30] = if changed[30] == b'A' { b'B' } else { b'A' };
        assert_eq!(
            open(&key, SiteId(448), "a@example.org", &String::from_utf8(changed).unwrap()),
            Err(SealError::Closed)
        );
        for broken in ["", "AAAA", "not base64!"] {
            assert_eq!(open(&key, SiteId(448), "a@example.org", broken), Err(SealError::Closed), "{broken}");
        }
    }
}
