//! Calls for passkeys: their registration by a member, and sign-in with one.

use axum::{Json, body::Bytes, extract::Query, http::StatusCode};
use masthead_accounts::{
    messages::AccountChange,
    passkeys::{self, PasskeyError, Passkeys},
    sessions::{describe, method},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::{
    confirmation::{Confirmation, notices},
    open,
};
use crate::{
    api::{
        envelope::{ApiError, Caller},
        signed_in::{self, SessionAnswer, SignedIn},
        types::Envelope,
    },
    app::rate_limits::Action,
    failure::Failure,
};

/// A passkey of the member.
#[derive(Serialize, ToSchema)]
pub struct PasskeyView {
    /// Its number.
    id: i64,
    /// What the member calls it.
    name: String,
    /// When it was registered, ISO 8601 in the time zone of the site.
    created: String,
    /// When somebody signed in with it for the last time, ISO 8601 in the time zone of the site; null if nobody did.
    used: Option<String>,
}

/// Parameter of the removal of a passkey.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OfPasskey {
    /// Its number.
    id: i64,
}

/// The fields beside the answer of the browser.
#[derive(Default, Deserialize)]
struct Beside {
    #[serde(default)]
    name: String,
}

/// The passkeys of the site under the host name of the request.
fn here(caller: &Caller) -> Result<Passkeys, ApiError> {
    let name = caller.entry().site.name.get(caller.lang).to_owned();
    let party = Passkeys::new(caller.store(), &caller.host.origin, &name, caller.app.counting.now());
    party.map_err(|error| failed(caller, &error, StatusCode::BAD_REQUEST))
}

/// The failure of a ceremony. `refused` is the status of an answer that is not accepted; readers get the same message, whatever is wrong
/// with it.
fn failed(caller: &Caller, error: &PasskeyError, refused: StatusCode) -> ApiError {
    match error {
        PasskeyError::NoHostName => caller.fail(StatusCode::BAD_REQUEST, "passkey_no_host_name"),
        PasskeyError::Unreadable(why) => {
            tracing::debug!(why, "the answer of an authenticator");
            caller.failed(Failure::NotUnderstood)
        }
        PasskeyError::Refused(why) => {
            tracing::info!(why, "a passkey is refused");
            caller.fail(refused, "passkey_refused")
        }
        PasskeyError::NotAdded => caller.fail(StatusCode::CONFLICT, "passkey_not_added"),
        PasskeyError::LastWay => caller.fail(StatusCode::CONFLICT, "last_way_in"),
        PasskeyError::Store(error) => {
            tracing::error!(%error, "a call about passkeys failed");
            caller.failed(Failure::of_store(error))
        }
    }
}

/// Begins the registration of a passkey: returns what `navigator.credentials.create` is called with, with binary values in base64url. A member
/// who signed in some time ago confirms it with the password, or gets 401.
#[utoipa::path(post, path = "/rc-pub/api/passkeys/register/begin", tag = "member", request_body = Option<Confirmation>,
    responses((status = 200, body = Envelope<Value>), (status = 400, body = Envelope<Value>),
        (status = 401, body = Envelope<Value>), (status = 409, body = Envelope<Value>),
        (status = 429, body = Envelope<Value>)))]
pub async fn begin_registration(signed_in: SignedIn, body: Bytes) -> Result<Json<Envelope<Value>>, ApiError> {
    let caller = &signed_in.caller;
    caller.take(Action::SignIn)?;
    Confirmation::read(&signed_in, &body)?.check(&signed_in).await?;
    let party = here(caller)?;
    let member = signed_in.store().member().await.map_err(caller.store_failed())?;
    let member = member.ok_or_else(|| caller.failed(Failure::SignInNeeded))?;
    let options = party.begin_registration(&member).await;
    Ok(caller.ok(options.map_err(|error| failed(caller, &error, StatusCode::BAD_REQUEST))?))
}

/// Completes the registration of a passkey. The body is the credential of the browser as JSON (`PublicKeyCredential.toJSON()`), with a `name`
/// for the passkey.
#[utoipa::path(post, path = "/rc-pub/api/passkeys/register/finish", tag = "member", request_body = Value,
    responses((status = 200, body = Envelope<bool>), (status = 400, body = Envelope<Value>),
        (status = 401, body = Envelope<Value>), (status = 409, body = Envelope<Value>),
        (status = 429, body = Envelope<Value>)))]
pub async fn finish_registration(signed_in: SignedIn, body: Bytes) -> Result<Json<Envelope<bool>>, ApiError> {
    let caller = &signed_in.caller;
    caller.take(Action::SignInReturn)?;
    let Beside { name } = caller.json(&body)?;
    let name = if name.trim().is_empty() { describe(&caller.visitor.agent) } else { name };
    let notices = notices(&signed_in, AccountChange::PasskeyAdded);
    let finished = here(caller)?.finish_registration(&signed_in.store(), &body, &name, &notices).await;
    finished.map_err(|error| failed(caller, &error, StatusCode::BAD_REQUEST))?;
    Ok(done(caller, "passkey_added"))
}

/// Begins a sign-in: returns what `navigator.credentials.get` is called with. It is the same for everybody.
#[utoipa::path(post, path = "/rc-pub/api/passkeys/login/begin", tag = "member",
    responses((status = 200, body = Envelope<Value>), (status = 400, body = Envelope<Value>),
        (status = 429, body = Envelope<Value>)))]
pub async fn begin_sign_in(caller: Caller) -> Result<Json<Envelope<Value>>, ApiError> {
    open(&caller)?;
    caller.take(Action::SignIn)?;
    let options = here(&caller)?.begin_sign_in().await;
    Ok(caller.ok(options.map_err(|error| failed(&caller, &error, StatusCode::BAD_REQUEST))?))
}

/// Completes a sign-in with a passkey. The body is the credential of the browser as JSON (`PublicKeyCredential.toJSON()`).
#[utoipa::path(post, path = "/rc-pub/api/passkeys/login/finish", tag = "member", request_body = Value,
    responses((status = 200, body = Envelope<signed_in::MemberSession>), (status = 400, body = Envelope<Value>),
        (status = 401, body = Envelope<Value>), (status = 429, body = Envelope<Value>)))]
pub async fn finish_sign_in(caller: Caller, body: Bytes) -> Result<SessionAnswer, ApiError> {
    open(&caller)?;
    caller.take(Action::SignInReturn)?;
    let member = here(&caller)?.finish_sign_in(&body).await;
    let member = member.map_err(|error| failed(&caller, &error, StatusCode::UNAUTHORIZED))?;
    signed_in::begin(&caller, member, method::PASSKEY, "login_success").await
}

/// Returns the passkeys of the member.
#[utoipa::path(get, operation_id = "memberPasskeys", path = "/rc-pub/api/passkeys", tag = "member",
    responses((status = 200, body = Envelope<Vec<PasskeyView>>), (status = 401, body = Envelope<Value>)))]
pub async fn list(signed_in: SignedIn) -> Result<Json<Envelope<Vec<PasskeyView>>>, ApiError> {
    let caller = &signed_in.caller;
    let passkeys = signed_in.store().passkeys().await.map_err(caller.store_failed())?;
    let date = |at| caller.instant(at);
    let view = |passkey: masthead_store::Passkey| PasskeyView {
        id: passkey.id,
        name: passkey.name,
        created: date(passkey.created),
        used: (passkey.used > 0).then(|| date(passkey.used)),
    };
    Ok(caller.ok(passkeys.into_iter().map(view).collect()))
}

/// Removes a passkey of the member, unless it is the only way in. A member who signed in some time ago signs in again first (401).
#[utoipa::path(delete, operation_id = "removePasskey", path = "/rc-pub/api/passkeys", tag = "member", params(OfPasskey),
    responses((status = 200, body = Envelope<bool>), (status = 401, body = Envelope<Value>),
        (status = 404, body = Envelope<Value>), (status = 409, body = Envelope<Value>)))]
pub async fn remove(signed_in: SignedIn, Query(of): Query<OfPasskey>) -> Result<Json<Envelope<bool>>, ApiError> {
    let caller = &signed_in.caller;
    Confirmation::default().check(&signed_in).await?;
    let notices = notices(&signed_in, AccountChange::PasskeyRemoved);
    let removed = passkeys::remove(&signed_in.store(), of.id, &notices, caller.app.counting.now()).await;
    if removed.map_err(|error| failed(caller, &error, StatusCode::BAD_REQUEST))? {
        return Ok(done(caller, "passkey_removed"));
    }
    Err(caller.failed(Failure::PageUnknown))
}

fn done(caller: &Caller, message: &str) -> Json<Envelope<bool>> {
    let message = caller.app.messages.get(caller.lang, message).to_owned();
    Json(Envelope { status: 0, data: Some(true), message })
}
