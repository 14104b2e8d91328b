//! Signing in by password and by code, and signing out.

use axum::{
    Json,
    body::Bytes,
    http::StatusCode,
    response::{IntoResponse as _, Response},
};
use masthead_accounts::{captcha::CaptchaAnswer, keys::SecretText, sessions::method, sign_in::PasswordSignIn};
use masthead_domain::member::MemberId;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    captcha,
    fields::{CaptchaField, PasswordField},
    open,
    refusals::{opened, refused},
};
use crate::api::{
    envelope::{ApiError, Caller},
    signed_in::{self, MemberSession, SessionAnswer},
    types::Envelope,
};
use crate::app::rate_limits::Action;

/// A sign-in by password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginRequest {
    /// Account name, mobile number or e-mail address.
    pub(super) user_name: String,
    /// The password: a text, or `{"encrypted": {"keyId", "publicKey", "iv", "data"}}` with a key of `getPublicKey`.
    #[schema(value_type = PasswordField)]
    pub(super) password: SecretText,
    /// The answer of a captcha; needed after some failures (status 428).
    #[serde(default)]
    #[schema(value_type = Option<CaptchaField>)]
    pub(super) captcha: Option<CaptchaAnswer>,
}

/// Signs in with a password.
#[utoipa::path(post, path = "/rc-pub/api/login", tag = "member", request_body = LoginRequest,
    responses((status = 200, body = Envelope<MemberSession>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 428, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn login(caller: Caller, body: Bytes) -> Result<SessionAnswer, ApiError> {
    open(&caller)?;
    let body: LoginRequest = caller.json(&body)?;
    let member = by_password(&caller, body).await?;
    signed_in::begin(&caller, member, method::PASSWORD, "login_success").await
}

/// The member who signs in by a password.
pub(super) async fn by_password(caller: &Caller, body: LoginRequest) -> Result<MemberId, ApiError> {
    caller.take(Action::Password)?;
    let password = opened(caller, body.password, None)?;
    if password.is_empty() {
        return Err(caller.fail(StatusCode::BAD_REQUEST, "password_needed"));
    }
    let captcha = match &body.captcha {
        Some(answer) => captcha::solved(caller, answer).await?,
        None => false,
    };
    let who = PasswordSignIn { name: &body.user_name, password: &password, captcha };
    let store = caller.store();
    caller.accounts(&store).sign_in(who).await.map_err(refused(caller))
}

/// A sign-in by a code.
#[derive(Deserialize, ToSchema)]
pub struct CodeLogin {
    /// Mobile number or e-mail address to which the code was sent.
    mobile: String,
    /// The code.
    code: String,
}

/// Signs in with a verification code that was sent to a phone or mailbox.
#[utoipa::path(post, path = "/rc-pub/api/loginByMessage", tag = "member", request_body = CodeLogin,
    responses((status = 200, body = Envelope<MemberSession>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn login_by_message(caller: Caller, body: Bytes) -> Result<SessionAnswer, ApiError> {
    open(&caller)?;
    let body: CodeLogin = caller.json(&body)?;
    caller.take(Action::CodeCheck)?;
    if body.code.trim().is_empty() {
        return Err(caller.fail(StatusCode::BAD_REQUEST, "code_needed"));
    }
    let store = caller.store();
    let member = caller.accounts(&store).sign_in_by_code(&body.mobile, &body.code).await.map_err(refused(&caller))?;
    signed_in::begin(&caller, member, method::CODE, "login_success").await
}

/// Signs out: the session ends, and the cookies are removed. Succeeds without a session, too.
#[utoipa::path(delete, path = "/rc-pub/api/logout", tag = "member", responses((status = 200, body = Envelope<bool>)))]
pub async fn logout(caller: Caller) -> Result<Response, ApiError> {
    let sessions = caller.app.sessions(&caller.scope, &caller.host);
    let cookies = sessions.end(&caller.headers).await.map_err(caller.store_failed())?;
    let message = caller.app.messages.get(caller.lang, "logout_success").to_owned();
    let body = Json(Envelope { status: 0, data: Some(true), message });
    Ok(signed_in::with_cookies(body.into_response(), cookies))
}
