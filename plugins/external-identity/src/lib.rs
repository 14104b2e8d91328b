//! Sign-in through an identity service with the OAuth 2.0 authorization code grant.

use std::collections::BTreeMap;

use masthead_plugin::{
    Context, Contribution, Identity, IdentityAnswer, IdentityStart, Layout, User, register,
    serde_json::{Value, json},
    settings, with_query,
};
use serde::Deserialize;

mod service;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Settings {
    sign_in_address: String,
    token_address: String,
    user_address: String,
    client_id: String,
    secret: String,
    scope: String,
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
        let Settings { sign_in_address, client_id, scope, .. } = settings()?;
        let mut query = vec![("response_type", "code"), ("client_id", &client_id), ("redirect_uri", &start.callback)];
        query.extend((!scope.is_empty()).then_some(("scope", scope.as_str())));
        query.push(("state", &start.state));
        Ok(with_query(&sign_in_address, query))
    }

    fn complete(_: &Context, answer: IdentityAnswer) -> Result<User, String> {
        let settings: Settings = settings()?;
        if let Some(error) = answer.param("error") {
            return Err(answer.param("error_description").unwrap_or(error).to_owned());
        }
        let code = answer.param("code").ok_or("the identity service sent no code")?;
        let token = service::access_token(&settings, code, &answer.callback)?;
        let user = service::user(&settings, &token)?;
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

register!(ExternalIdentity: Layout, Identity);

#[cfg(test)]
mod tests;
