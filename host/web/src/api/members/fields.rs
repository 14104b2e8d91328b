//! How the description of the API shows the fields that `masthead_accounts` reads.
#![allow(dead_code, reason = "they describe types of a crate that knows no HTTP")]

use serde::Deserialize;
use utoipa::ToSchema;

/// A password: as it is, or encrypted in the browser.
#[derive(Deserialize, ToSchema)]
#[schema(as = Password)]
#[serde(untagged)]
pub enum PasswordField {
    /// As it is.
    Plain(String),
    /// Encrypted.
    Sealed {
        /// The encrypted text.
        encrypted: EncryptedField,
    },
}

/// A text that was encrypted with a key of `getPublicKey` or `getAesKey`. All but the id is base64.
#[derive(Deserialize, ToSchema)]
#[schema(as = Encrypted)]
#[serde(rename_all = "camelCase")]
pub struct EncryptedField {
    /// Names the key of the host.
    key_id: String,
    /// The browser's point, uncompressed; left out with the key of a session.
    public_key: Option<String>,
    /// Initialization vector, 12 bytes.
    iv: String,
    /// Encrypted text with its tag.
    data: String,
}

/// The answer of a captcha: the letters of its picture, or the number of its proof of work.
#[derive(Deserialize, ToSchema)]
#[schema(as = CaptchaAnswer)]
pub struct CaptchaField {
    /// The id of the captcha.
    id: String,
    /// The letters.
    text: Option<String>,
    /// The number.
    number: Option<u32>,
}
