//! Captchas: a picture, or a proof of work for readers who cannot read pictures.

use axum::{
    extract::Query,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use masthead_accounts::captcha::CaptchaAnswer;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::open;
use crate::api::{
    envelope::{ApiError, Caller},
    types::Envelope,
};
use crate::{app::rate_limits::Action, failure::Failure};

/// Header of a picture that names its captcha.
const ID: &str = "captcha";

/// A captcha. It is answered once, with `{"id", "text"}` or `{"id", "number"}`.
#[derive(Serialize, ToSchema)]
pub struct CaptchaView {
    /// Names it.
    id: String,
    /// The picture with letters, as a `data:` address.
    image: String,
    /// The proof of work.
    challenge: ChallengeView,
    /// When it can be answered no more, ISO 8601 in the time zone of the site.
    expires: String,
}

/// A proof of work: the number, from 0 to `max`, with this digest of the salt followed by the number in decimal digits.
#[derive(Serialize, ToSchema)]
pub struct ChallengeView {
    /// `SHA-256`.
    algorithm: &'static str,
    /// Text before the number.
    salt: String,
    /// Digest in hexadecimal digits.
    digest: String,
    /// The greatest possible number.
    max: u32,
}

/// Returns a captcha: a picture with letters, and a number to be found for readers who cannot read pictures.
#[utoipa::path(get, path = "/rc-pub/api/captcha", tag = "member", responses((status = 200, body = Envelope<CaptchaView>)))]
pub async fn captcha(caller: Caller) -> Result<Response, ApiError> {
    open(&caller)?;
    caller.take(Action::Captcha)?;
    let captchas = caller.captchas();
    let captcha = captchas.issue().ok_or_else(|| caller.failed(Failure::Inside))?;
    let picture = captchas.picture(&captcha.id).ok_or_else(|| caller.failed(Failure::Inside))?;
    let challenge = captcha.challenge;
    let view = CaptchaView {
        image: format!("data:image/png;base64,{}", STANDARD.encode(picture)),
        challenge: ChallengeView {
            algorithm: "SHA-256",
            salt: challenge.salt,
            digest: challenge.digest,
            max: challenge.max,
        },
        expires: caller.instant(captcha.expires),
        id: captcha.id,
    };
    Ok(kept_nowhere(caller.ok(view).into_response()))
}

/// Query of the picture of a captcha.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OfCaptcha {
    /// The id of the captcha; without it the picture is that of a new one, whose id is in the header `captcha` of the response.
    id: Option<String>,
}

/// Returns the picture of a captcha.
#[utoipa::path(get, operation_id = "captchaPicture", path = "/rc-pub/index/login/captcha.do", tag = "member", params(OfCaptcha),
    responses((status = 200, description = "The picture", content_type = "image/png", body = Vec<u8>)))]
pub async fn picture(caller: Caller, Query(query): Query<OfCaptcha>) -> Result<Response, ApiError> {
    open(&caller)?;
    caller.take(Action::Captcha)?;
    let captchas = caller.captchas();
    let id = match query.id {
        Some(id) => id,
        None => captchas.issue().ok_or_else(|| caller.failed(Failure::Inside))?.id,
    };
    let picture = captchas.picture(&id).ok_or_else(|| caller.failed(Failure::NoData))?;
    let mut response = ([(header::CONTENT_TYPE, "image/png")], picture).into_response();
    if let Ok(id) = HeaderValue::try_from(id) {
        response.headers_mut().insert(ID, id);
    }
    Ok(kept_nowhere(response))
}

fn kept_nowhere(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Whether a captcha was answered.
///
/// # Errors
/// 400 for a wrong answer: the reader gets another captcha.
pub async fn solved(caller: &Caller, answer: &CaptchaAnswer) -> Result<bool, ApiError> {
    let right = caller.captchas().check(&caller.store(), answer).await.map_err(caller.store_failed())?;
    if right { Ok(true) } else { Err(caller.fail(StatusCode::BAD_REQUEST, "captcha_wrong")) }
}

/// Refuses a call without a right answer.
///
/// # Errors
/// 428 without an answer, 400 for a wrong one.
pub async fn needed(caller: &Caller, answer: Option<&CaptchaAnswer>) -> Result<(), ApiError> {
    match answer {
        Some(answer) => solved(caller, answer).await.map(drop),
        None => Err(caller.fail(StatusCode::PRECONDITION_REQUIRED, "captcha_needed")),
    }
}
