//! The token that an external assistant verifies.

use masthead_plugin::{
    AssistantRequest, Context, base64_url, clock, random, secrets,
    serde_json::{self, json},
};

use super::Settings;

/// Creates the token `base64url(claims).hmac`: the HMAC-SHA256 is computed over the encoded first part and written in hexadecimal.
pub fn sign(settings: &Settings, context: &Context, request: &AssistantRequest) -> Result<String, String> {
    let nonce: String = random::bytes(16).iter().map(|byte| format!("{byte:02x}")).collect();
    let mut claims = json!({
        "code": settings.app_code,
        "s": 2,
        "host": request.host,
        "siteId": context.site_id,
        "lang": context.lang,
        "iat": clock::now() / 1_000,
        "nonce": nonce,
    });
    for (name, value) in [("query", &request.query), ("content", &request.content)] {
        if !value.is_empty() {
            claims[name] = json!(value);
        }
    }
    let claims = base64_url(&serde_json::to_vec(&claims).map_err(|error| format!("encoding the token: {error}"))?);
    Ok(format!("{claims}.{}", secrets::sign(&settings.secret, &claims)?))
}
