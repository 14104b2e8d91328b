//! The ID token of OpenID Connect.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use masthead_plugin::serde_json::{self, Value};

use super::Settings;

/// Checks that an ID token is of the configured issuer, for this client and this sign-in; returns its subject.
///
/// Its signature is not checked: the token came directly from the token endpoint, over the same connection that the access token did
/// (OpenID Connect Core 1.0, 3.1.3.7).
pub fn subject(token: &str, settings: &Settings, nonce: &str) -> Result<String, String> {
    let content = token.split('.').nth(1).and_then(|part| URL_SAFE_NO_PAD.decode(part.trim_end_matches('=')).ok());
    let claims: Option<Value> = content.and_then(|content| serde_json::from_slice(&content).ok());
    let claims = claims.ok_or("the identity service sent an ID token that cannot be read")?;
    let audience = match &claims["aud"] {
        Value::Array(all) => all.iter().any(|one| *one == settings.client_id),
        one => *one == settings.client_id,
    };
    for (fits, claim) in [
        (settings.issuer.is_empty() || claims["iss"] == settings.issuer, "iss"),
        (audience, "aud"),
        (claims["nonce"] == nonce, "nonce"),
    ] {
        if !fits {
            return Err(format!(
                "the ID token of the identity service is not for this sign-in: {claim} does not match"
            ));
        }
    }
    claims["sub"].as_str().map(str::to_owned).ok_or_else(|| "the ID token has no subject".to_owned())
}
