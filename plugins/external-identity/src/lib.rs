//! Sign-in through an identity service with the OAuth 2.0 authorization code grant.

use std::collections::BTreeMap;

use masthead_plugin::{
    Context, Contribution, Identity, IdentityAnswer, IdentityStart, Layout, User, register,
    serde_json::{Value, json},
    settings, with_query,
};
use serde::Deserialize;

mod id_token;
mod proof;
mod service;

use proof::Proof;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Settings {
    sign_in_address: String,
    token_address: String,
    user_address: String,
    client_id: String,
    secret: String,
    scope: String,
    issuer: String,
    client_secret_in: String,
    access_token_in: String,
    subject_field: String,
    name_field: String,
    label: BTreeMap<String, String>,
}

struct ExternalIdentity;

impl Layout for ExternalIdentity {
    fn contribute(_: &Context) -> Result<Vec<Contribution>, String> {
        let label = settings::<Settings>()?.label;
        Ok(vec![Contribution::new("header.account", "account-link", &json!({ "label": label }))?])
    }
}

impl Identity for ExternalIdentity {
    fn begin(_: &Context, start: IdentityStart) -> Result<String, String> {
        let Settings { sign_in_address, client_id, secret, scope, .. } = settings()?;
        let proof = Proof::of(&secret, &start.state)?;
        let challenge = proof.challenge();
        let mut query = vec![("response_type", "code"), ("client_id", &client_id), ("redirect_uri", &start.callback)];
        query.extend((!scope.is_empty()).then_some(("scope", scope.as_str())));
        query.extend([
            ("state", start.state.as_str()),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ]);
        // A service without OpenID Connect may refuse a parameter that it does not know.
        query.extend(is_openid(&scope).then_some(("nonce", proof.nonce.as_str())));
        Ok(with_query(&sign_in_address, query))
    }

    fn complete(_: &Context, answer: IdentityAnswer) -> Result<User, String> {
        let settings: Settings = settings()?;
        // RFC 9207: a response that another service sent, of which this reader was also a user.
        if !settings.issuer.is_empty() && answer.param("iss").is_some_and(|issuer| issuer != settings.issuer) {
            return Err("the response is of another identity service: iss does not match".to_owned());
        }
        if let Some(error) = answer.param("error") {
            return Err(answer.param("error_description").unwrap_or(error).to_owned());
        }
        let code = answer.param("code").ok_or("the identity service sent no code")?;
        let proof = Proof::of(&settings.secret, answer.param("state").ok_or("the identity service sent no state")?)?;
        let tokens = service::tokens(&settings, code, &proof.verifier, &answer.callback)?;
        let known = match &tokens.id_token {
            Some(token) if is_openid(&settings.scope) => Some(id_token::subject(token, &settings, &proof.nonce)?),
            _ if !settings.issuer.is_empty() => return Err("the identity service sent no ID token".to_owned()),
            _ => None,
        };
        let user = service::user(&settings, &tokens.access_token)?;
        if known.is_some_and(|subject| !user["sub"].is_null() && user["sub"] != subject) {
            return Err("the identity service sent the data of another user than that of the ID token".to_owned());
        }
        let field = |name: &str| match &user[name] {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let subject = field(&settings.subject_field).filter(|subject| !subject.trim().is_empty());
        let subject = subject.ok_or_else(|| {
            format!("the identity service sent no user identifier: the field {:?} is missing", settings.subject_field)
        })?;
        let name = field(&settings.name_field).unwrap_or_else(|| subject.clone());
        Ok(User { subject, name })
    }
}

/// Whether the scope requests OpenID Connect.
fn is_openid(scope: &str) -> bool {
    scope.split_whitespace().any(|word| word == "openid")
}

register!(ExternalIdentity: Layout, Identity);

#[cfg(test)]
mod tests;
