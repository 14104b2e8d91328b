//! Requests to the identity service.

use masthead_plugin::http::{self, Credential, Place};
use masthead_plugin::serde_json::Value;
use serde::Deserialize;

use super::Settings;

/// The response of the token endpoint.
#[derive(Deserialize)]
pub struct Tokens {
    pub access_token: String,
    #[serde(default)]
    pub id_token: Option<String>,
}

/// Exchanges an authorization code with its verifier for tokens. The host adds the client secret.
pub fn tokens(settings: &Settings, code: &str, verifier: &str, callback: &str) -> Result<Tokens, String> {
    let Settings { token_address, client_id, secret, .. } = settings;
    let mut form = vec![
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", callback),
        ("code_verifier", verifier),
    ];
    let credential = if settings.client_secret_in == "form" {
        form.push(("client_id", client_id));
        Credential::plain(secret, Place::Form("client_secret".to_owned()), "")
    } else {
        Credential::basic(client_id, secret)
    };
    let request = http::post_form(token_address, &form).header("accept", "application/json").credential(credential);
    request.send()?.success()?.json()
}

/// Requests the data of the user that an access token belongs to. The token is sent as a form field or query parameter, which RFC 6750
/// allows, because the host reserves the header `authorization`.
pub fn user(settings: &Settings, token: &str) -> Result<Value, String> {
    let request = match settings.access_token_in.as_str() {
        "query" => http::get(&settings.user_address).query("access_token", token),
        _ => http::post_form(&settings.user_address, &[("access_token", token)]),
    };
    request.header("accept", "application/json").send()?.success()?.json()
}
