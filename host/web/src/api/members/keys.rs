//! Keys with which browsers encrypt passwords.

use axum::Json;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Serialize;
use utoipa::ToSchema;

use super::open;
use crate::api::{
    envelope::{ApiError, Caller},
    signed_in::SignedIn,
    types::Envelope,
};
use crate::{app::rate_limits::Action, failure::Failure};

/// A public key. The browser makes a P-256 key pair for one message, derives an AES key from the shared secret by HKDF-SHA-256 (empty salt,
/// info `masthead/password/` + `id`), and encrypts by AES-256-GCM with `id` as additional data.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicKeyView {
    /// Names the key.
    id: String,
    /// `ECDH-P256`.
    algorithm: &'static str,
    /// The point, uncompressed, in base64: the format `raw` of WebCrypto.
    public_key: String,
    /// When it cannot be used any more, ISO 8601 in the time zone of the site.
    expires: String,
}

/// Returns a public key for encrypting a password in the browser.
#[utoipa::path(get, path = "/rc-pub/front/files/getPublicKey", tag = "member",
    responses((status = 200, body = Envelope<PublicKeyView>)))]
pub async fn public_key(caller: Caller) -> Result<Json<Envelope<PublicKeyView>>, ApiError> {
    open(&caller)?;
    caller.take(Action::Captcha)?;
    let key = caller.password_keys().public().ok_or_else(|| caller.failed(Failure::Inside))?;
    Ok(caller.ok(PublicKeyView {
        id: key.id,
        algorithm: "ECDH-P256",
        public_key: STANDARD.encode(key.point),
        expires: caller.instant(key.expires),
    }))
}

/// A key of a session.
#[derive(Serialize, ToSchema)]
pub struct SessionKeyView {
    /// Names the key, and is the additional data of what is encrypted with it.
    id: String,
    /// `AES-GCM`.
    algorithm: &'static str,
    /// 32 bytes in base64.
    key: String,
    /// When it cannot be used any more, ISO 8601 in the time zone of the site.
    expires: String,
}

/// Returns a key for encrypting a password in the browser, for this session only.
#[utoipa::path(get, path = "/rc-pub/front/files/getAesKey", tag = "member",
    responses((status = 200, body = Envelope<SessionKeyView>), (status = 401, body = Envelope<serde_json::Value>)))]
pub async fn session_key(signed_in: SignedIn) -> Json<Envelope<SessionKeyView>> {
    let key = signed_in.caller.password_keys().of_session(&signed_in.session().digest);
    signed_in.caller.ok(SessionKeyView {
        id: key.id,
        algorithm: "AES-GCM",
        key: STANDARD.encode(key.key),
        expires: signed_in.caller.instant(key.expires),
    })
}
