//! Calls that change the credentials of a member.

use axum::{Json, body::Bytes, http::StatusCode};
use masthead_accounts::{
    credentials::{NameChange, PasswordChange},
    keys::SecretText,
};
use masthead_domain::member::MemberName;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    fields::PasswordField,
    open,
    refusals::{in_session, opened, opened_or_none, refused},
};
use crate::api::{
    envelope::{ApiError, Caller},
    signed_in::{MemberSession, SessionAnswer, SignedIn},
    types::Envelope,
};
use crate::{app::rate_limits::Action, failure::Failure};

/// A new password for somebody who does not know the old one.
#[derive(Deserialize, ToSchema)]
pub struct PasswordReset {
    /// Mobile number or e-mail address of the account.
    #[serde(alias = "mobile")]
    target: String,
    /// The code that was sent to it for the purpose `reset`.
    code: String,
    /// The new password: a text, or encrypted.
    #[schema(value_type = PasswordField)]
    password: SecretText,
}

/// Sets a new password with a verification code, and ends all sessions of the account.
#[utoipa::path(put, path = "/rc-pub/api/setNewPwd", tag = "member", request_body = PasswordReset,
    responses((status = 200, body = Envelope<bool>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn reset(caller: Caller, body: Bytes) -> Result<Json<Envelope<bool>>, ApiError> {
    open(&caller)?;
    let body: PasswordReset = caller.json(&body)?;
    caller.take(Action::CodeCheck)?;
    if body.code.trim().is_empty() {
        return Err(caller.fail(StatusCode::BAD_REQUEST, "code_needed"));
    }
    let password = opened(&caller, body.password, None)?;
    let store = caller.store();
    let done = caller.accounts(&store).reset_password(&body.target, &body.code, &password).await;
    done.map_err(refused(&caller))?;
    Ok(done_with(&caller, "reset_success"))
}

/// A new password of a signed-in member.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewPassword {
    /// The present password, as text or encrypted; may be missing shortly after a sign-in to an account without one.
    #[serde(default)]
    #[schema(value_type = Option<PasswordField>)]
    old_password: Option<SecretText>,
    /// The new password: a text, or encrypted.
    #[schema(value_type = PasswordField)]
    password: SecretText,
}

/// Changes the password. The session gets another token, and all other sessions end.
#[utoipa::path(put, path = "/rc-pub/api/changePwd", tag = "member", request_body = NewPassword,
    responses((status = 200, body = Envelope<MemberSession>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn change(signed_in: SignedIn, body: Bytes) -> Result<SessionAnswer, ApiError> {
    let caller = &signed_in.caller;
    let body: NewPassword = caller.json(&body)?;
    caller.take(Action::Password)?;
    let digest = Some(signed_in.session().digest.as_str());
    let (old, new) = (opened_or_none(caller, body.old_password, digest)?, opened(caller, body.password, digest)?);
    let store = caller.store();
    let sessions = caller.app.sessions(&caller.scope, &caller.host);
    let change = PasswordChange { old: &old, new: &new };
    let changed = caller.accounts(&store).change_password(sessions.stored(), signed_in.session(), change).await;
    let token = in_session(caller, changed).await?;
    Ok(SessionAnswer::new(caller, sessions.renewed(signed_in.session(), token), "submit_success"))
}

/// A new mobile number or e-mail address.
#[derive(Deserialize, ToSchema)]
pub struct NewContact {
    /// Mobile number; this or the e-mail address.
    #[serde(default)]
    mobile: String,
    /// E-mail address.
    #[serde(default)]
    email: String,
    /// The code that was sent to it for the purpose `mobile` or `email`.
    code: String,
    /// The password, as text or encrypted; may be missing shortly after a sign-in to an account without one.
    #[serde(default)]
    #[schema(value_type = Option<PasswordField>)]
    password: Option<SecretText>,
}

/// Changes the mobile number or the e-mail address, and ends all other sessions.
#[utoipa::path(put, path = "/rc-pub/api/changeMobile", tag = "member", request_body = NewContact,
    responses((status = 200, body = Envelope<bool>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 409, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn change_mobile(signed_in: SignedIn, body: Bytes) -> Result<Json<Envelope<bool>>, ApiError> {
    let caller = &signed_in.caller;
    let body: NewContact = caller.json(&body)?;
    caller.take(Action::Password)?;
    let name = match (body.mobile.as_str(), body.email.as_str()) {
        ("", "") => return Err(caller.failed(Failure::NotUnderstood)),
        ("", email) => MemberName::email(email),
        (mobile, _) => MemberName::mobile(mobile),
    };
    let name = name.map_err(|error| refused(caller)(error.into()))?;
    if body.code.trim().is_empty() {
        return Err(caller.fail(StatusCode::BAD_REQUEST, "code_needed"));
    }
    let password = opened_or_none(caller, body.password, Some(&signed_in.session().digest))?;
    let store = caller.store();
    let change = NameChange { name: &name, code: &body.code, password: &password };
    in_session(caller, caller.accounts(&store).change_name(signed_in.session(), change).await).await?;
    Ok(done_with(caller, "submit_success"))
}

fn done_with(caller: &Caller, message: &str) -> Json<Envelope<bool>> {
    let message = caller.app.messages.get(caller.lang, message).to_owned();
    Json(Envelope { status: 0, data: Some(true), message })
}
