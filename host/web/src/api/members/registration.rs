//! Registration.

use axum::{Json, body::Bytes, extract::Query, http::StatusCode};
use masthead_accounts::{keys::SecretText, registration::Registration, sessions::method};
use masthead_domain::member::{CodePurpose, MemberId, MemberName};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    fields::PasswordField,
    open,
    refusals::{opened, refused},
};
use crate::api::{
    envelope::{ApiError, Caller},
    signed_in::{self, MemberSession, SessionAnswer},
    types::Envelope,
};
use crate::{app::rate_limits::Action, failure::Failure};

/// A registration.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewAccount {
    /// Account name: 2 to 40 letters, digits, `.`, `_` or `-`, beginning with a letter.
    user_name: String,
    /// Mobile number; this or the e-mail address.
    #[serde(default)]
    mobile: String,
    /// E-mail address.
    #[serde(default)]
    email: String,
    /// The code that was sent to it for the purpose `register`.
    code: String,
    /// The password: a text, or encrypted.
    #[schema(value_type = PasswordField)]
    password: SecretText,
    /// Whether the reader accepts the user agreement.
    #[serde(default)]
    agreement: bool,
}

/// Creates an account and signs in to it.
#[utoipa::path(post, path = "/rc-pub/api/register", tag = "member", request_body = NewAccount,
    responses((status = 200, body = Envelope<MemberSession>), (status = 409, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn register(caller: Caller, body: Bytes) -> Result<SessionAnswer, ApiError> {
    open(&caller)?;
    let body: NewAccount = caller.json(&body)?;
    let member = create(&caller, body).await?;
    signed_in::begin(&caller, member, method::REGISTRATION, "register_success").await
}

/// Creates an account.
pub(super) async fn create(caller: &Caller, body: NewAccount) -> Result<MemberId, ApiError> {
    caller.take(Action::Registration)?;
    if body.code.trim().is_empty() {
        return Err(caller.fail(StatusCode::BAD_REQUEST, "code_needed"));
    }
    let password = opened(caller, body.password, None)?;
    let target = if body.mobile.is_empty() { &body.email } else { &body.mobile };
    let new = Registration {
        name: &body.user_name,
        target,
        code: &body.code,
        password: &password,
        agreement: body.agreement,
    };
    let store = caller.store();
    caller.accounts(&store).register(new).await.map_err(refused(caller))
}

/// A question whether a reader is registered.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct RegisteredQuery {
    /// An account name.
    user_name: Option<String>,
    /// A mobile number or e-mail address.
    target: Option<String>,
    /// The code that was sent to it.
    code: Option<String>,
    /// The purpose of the code: `register` by default.
    purpose: Option<String>,
}

/// Whether somebody is registered.
#[derive(Serialize, ToSchema)]
pub struct Registered {
    /// Whether an account has the number or address; null unless the code shows that it is the reader's, and for account names.
    registered: Option<bool>,
    /// Whether the text can be an account name, a number or an address.
    acceptable: bool,
}

/// Whether an account has a number or address, for its owner; whether a text can be an account name.
#[utoipa::path(get, path = "/rc-pub/api/isRegistered", tag = "member", params(RegisteredQuery),
    responses((status = 200, body = Envelope<Registered>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn is_registered(
    caller: Caller,
    Query(query): Query<RegisteredQuery>,
) -> Result<Json<Envelope<Registered>>, ApiError> {
    open(&caller)?;
    if let Some(name) = &query.user_name {
        return Ok(caller.ok(Registered { registered: None, acceptable: MemberName::account(name).is_ok() }));
    }
    let target = query.target.as_deref().ok_or_else(|| caller.failed(Failure::NotUnderstood))?;
    let acceptable = MemberName::target(target).is_ok();
    let Some(code) = query.code.as_deref().filter(|_| acceptable) else {
        return Ok(caller.ok(Registered { registered: None, acceptable }));
    };
    let purpose = match query.purpose.as_deref() {
        None => CodePurpose::Register,
        Some(name) => CodePurpose::parse(name).ok_or_else(|| caller.failed(Failure::NotUnderstood))?,
    };
    caller.take(Action::CodeCheck)?;
    let store = caller.store();
    let registered = caller.accounts(&store).is_registered(purpose, target, code).await.map_err(refused(&caller))?;
    Ok(caller.ok(Registered { registered, acceptable }))
}
