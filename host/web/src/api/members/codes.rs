//! Verification codes that are sent to a phone or mailbox.

use axum::{Json, body::Bytes, http::StatusCode};
use masthead_accounts::{
    captcha::CaptchaAnswer,
    codes::{Code, CodeError, LIFETIME, RESEND_AFTER},
};
use masthead_domain::member::{Channel, CodePurpose, MemberName, NameKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    captcha,
    fields::CaptchaField,
    open,
    refusals::{after, refused},
};
use crate::api::{
    envelope::{ApiError, Caller},
    types::Envelope,
};
use crate::app::rate_limits::Action;

/// Request of a verification code.
#[derive(Deserialize, ToSchema)]
pub struct CodeRequest {
    /// Mobile number (with its country code, or of 11 digits within China) or e-mail address.
    #[serde(alias = "mobile")]
    target: String,
    /// What the code is for: login, register, reset, mobile, email, subscribe, bind or erase. It is of use for nothing else.
    #[schema(value_type = String)]
    purpose: CodePurpose,
    /// The answer of a captcha.
    #[serde(default)]
    #[schema(value_type = Option<CaptchaField>)]
    captcha: Option<CaptchaAnswer>,
}

/// Confirmation that a code is being sent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeSent {
    /// Seconds after which another code can be requested.
    resend_after: i64,
    /// Seconds for which the code can be used.
    expires: i64,
}

/// Sends a verification code to a phone or mailbox. The answer is the same whether somebody has an account with it or not.
#[utoipa::path(post, path = "/rc-pub/api/sendReceiverMessage", tag = "member", request_body = CodeRequest,
    responses((status = 200, body = Envelope<CodeSent>), (status = 428, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn send(caller: Caller, body: Bytes) -> Result<Json<Envelope<CodeSent>>, ApiError> {
    let body: CodeRequest = caller.json(&body)?;
    open(&caller)?;
    let target = MemberName::target(&body.target).map_err(|error| refused(&caller)(error.into()))?;
    let channel = if target.kind() == NameKind::Mobile { Channel::Sms } else { Channel::Mail };
    if !caller.app.sends(caller.entry(), channel) {
        return Err(caller.fail(StatusCode::NOT_FOUND, "message_unavailable"));
    }
    // A client without the answer of a captcha uses up no part of the site's limit.
    caller.take(Action::Captcha)?;
    captcha::needed(&caller, body.captcha.as_ref()).await?;
    caller.take(Action::Code)?;
    // Last, so that a request that is refused for another reason uses up none of the few codes of the target's owner.
    let limited = caller.app.limits.take_code(caller.visitor.client, target.key());
    limited.map_err(|refused| caller.too_often(refused, "message_too_often"))?;
    let store = caller.store();
    match caller.codes(&store).send(body.purpose, &target, caller.lang, &Code::of(rand::random())).await {
        Ok(()) => Ok(caller.ok(CodeSent { resend_after: RESEND_AFTER / 1000, expires: LIFETIME / 1000 })),
        Err(CodeError::TooSoon(left)) => Err(caller.too_often(after(left), "message_too_often")),
        Err(CodeError::Recipient(error)) => {
            tracing::warn!(%error, "a code cannot be sent");
            Err(caller.fail(StatusCode::BAD_REQUEST, "message_not_sent"))
        }
        Err(CodeError::Store(error)) => Err(caller.store_failed()(error)),
    }
}
