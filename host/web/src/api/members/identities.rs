//! Calls for signing in at identity providers, and for binding their identities to accounts.

use std::collections::BTreeMap;

use axum::{
    Json,
    body::Bytes,
    extract::Query,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use masthead_accounts::{
    captcha::CaptchaAnswer,
    identities::{self, Removal},
    keys::SecretText,
    messages::AccountChange,
};
use masthead_domain::member::MemberId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    confirmation::{Confirmation, notices},
    fields::{CaptchaField, PasswordField},
    open,
    refusals::{in_session, refused as account_refused},
    registration::{self, NewAccount},
    sign_in::{self, LoginRequest},
};
use crate::{
    api::{
        envelope::{ApiError, Caller},
        signed_in::{MemberSession, SessionAnswer, SignedIn, with_cookies},
        types::Envelope,
    },
    app::rate_limits::Action,
    external_identity::{self, Outcome, Refusal, SignInVisit},
    failure::Failure,
};

/// Parameters of a sign-in at an identity provider.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SignInAt {
    /// The provider's name; without one, the first of the site.
    #[serde(default)]
    provider: String,
    /// The address of this site to return to.
    #[serde(default)]
    url: String,
}

/// Where to send the reader.
#[derive(Serialize, ToSchema)]
pub struct SignInAddress {
    /// The address at the identity provider.
    address: String,
}

/// What an identity provider sent the reader back with.
#[derive(Deserialize, ToSchema)]
pub struct Returned {
    /// The provider's name; it may be left out.
    #[serde(default)]
    provider: String,
    /// The parameters of the address: `code`, `state` and whatever else there is.
    query: BTreeMap<String, String>,
}

/// The account to which an identity is bound: one of these, or nothing for a signed-in member.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BindRequest {
    /// Account name, mobile number or e-mail address of an account, with its password.
    user_name: Option<String>,
    /// The password: a text, or encrypted.
    #[schema(value_type = Option<PasswordField>)]
    password: Option<SecretText>,
    /// The answer of a captcha, where one is asked for.
    #[schema(value_type = Option<CaptchaField>)]
    captcha: Option<CaptchaAnswer>,
    /// Mobile number or e-mail address of an account, with a code that was sent to it for the purpose `bind`.
    mobile: Option<String>,
    /// The code.
    code: Option<String>,
    /// A new account, as for `register`.
    register: Option<NewAccount>,
}

/// An identity that is bound to the member.
#[derive(Serialize, ToSchema)]
pub struct IdentityView {
    /// The provider's name in addresses.
    provider: String,
    /// What readers know the provider by.
    title: String,
    /// The name that the provider gave, or what identifies the member there.
    name: String,
    /// What identifies the member there, such as the ORCID iD.
    subject: String,
    /// When it was bound, ISO 8601 in the time zone of the site; null while it is not bound.
    since: Option<String>,
}

/// Parameter of the removal of an identity.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OfProvider {
    /// The provider's name.
    provider: String,
}

fn visit(caller: &Caller) -> SignInVisit<'_> {
    SignInVisit {
        app: &caller.app,
        scope: &caller.scope,
        host: &caller.host,
        lang: caller.lang,
        headers: &caller.headers,
        agent: &caller.visitor.agent,
    }
}

fn refused(caller: &Caller, refusal: &Refusal) -> ApiError {
    let (status, message) = refusal.told(&caller.app, caller.lang);
    ApiError::new(status, &message)
}

/// Returns the address at an identity provider to which the reader is sent to sign in, and sets the cookie that waits for the return. A signed-in
/// member binds the identity to the account, and signs in again first if the sign-in was some time ago (401).
#[utoipa::path(get, path = "/rc-pub/api/getUmtLoginUrl", tag = "member", params(SignInAt),
    responses((status = 200, body = Envelope<SignInAddress>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>), (status = "5XX", body = Envelope<serde_json::Value>)))]
pub async fn address(caller: Caller, Query(at): Query<SignInAt>) -> Result<Response, ApiError> {
    open(&caller)?;
    caller.take(Action::SignIn)?;
    let current = caller.app.sessions(&caller.scope, &caller.host).current(&caller.headers).await;
    let member = match current.map_err(caller.store_failed())? {
        Some(current) => {
            let store = caller.store();
            let confirmed = caller.accounts(&store).confirm(&current, "").await;
            in_session(&caller, confirmed).await?;
            Some(current.of.member)
        }
        None => None,
    };
    let away = visit(&caller).begin(&at.provider, &at.url, member).await;
    let away = away.map_err(|refusal| refused(&caller, &refusal))?;
    let body = caller.ok(SignInAddress { address: away.address });
    Ok(with_cookies(body.into_response(), [away.cookie]))
}

/// Signs in with what an identity provider sent back. Somebody whom the site does not know gets 404 and a cookie with the identity, which
/// `thirdBind` binds to an account.
#[utoipa::path(post, path = "/rc-pub/api/loginByThirdLoginUrl", tag = "member", request_body = Returned,
    responses((status = 200, body = Envelope<MemberSession>),
        (status = 400, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 409, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>), (status = "5XX", body = Envelope<serde_json::Value>)))]
pub async fn sign_in(caller: Caller, body: Bytes) -> Result<Response, ApiError> {
    open(&caller)?;
    caller.take(Action::SignInReturn)?;
    let Returned { provider, query } = caller.json(&body)?;
    let query: Vec<_> = query.into_iter().collect();
    let visit = visit(&caller);
    let pending = visit.pending(&query).filter(|pending| provider.is_empty() || pending.provider == provider);
    let pending = pending.ok_or_else(|| refused(&caller, &Refusal::State))?;
    let over = caller.app.pending(&caller.scope, &caller.host).sign_in_cookie(None);
    let settled = match visit.identify(pending, query).await {
        Ok(back) => visit.settle(back).await,
        Err(refusal) => Err(refusal),
    };
    Ok(match settled {
        Ok(Outcome::SignedIn(begun)) => {
            SessionAnswer::new(&caller, begun, "login_success").with([over]).into_response()
        }
        Ok(Outcome::ToBind(cookie)) => {
            with_cookies(caller.fail(StatusCode::NOT_FOUND, "bind_first").into_response(), [cookie, over])
        }
        Err(refusal) => with_cookies(refused(&caller, &refusal).into_response(), [over]),
    })
}

/// Binds the identity that a sign-in brought (`loginByThirdLoginUrl`, or the page that readers come back to) to an account, and signs in to it.
#[utoipa::path(post, path = "/rc-pub/api/thirdBind", tag = "member", request_body = BindRequest,
    responses((status = 200, body = Envelope<MemberSession>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 409, body = Envelope<serde_json::Value>), (status = 428, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn bind(caller: Caller, body: Bytes) -> Result<SessionAnswer, ApiError> {
    open(&caller)?;
    let pending = caller.app.pending(&caller.scope, &caller.host);
    let waiting = pending.binding(&caller.headers);
    let waiting = waiting.ok_or_else(|| caller.fail(StatusCode::BAD_REQUEST, "identity_expired"))?;
    let request: BindRequest = caller.json(&body)?;
    let member = owner(&caller, request).await?;
    let begun = visit(&caller).bind(member, &waiting.identity).await;
    let begun = begun.map_err(|refusal| refused(&caller, &refusal))?;
    Ok(SessionAnswer::new(&caller, begun, "identity_bound").with([pending.binding_cookie(None)]))
}

/// The account that the reader proves to own.
async fn owner(caller: &Caller, request: BindRequest) -> Result<MemberId, ApiError> {
    let BindRequest { user_name, password, captcha, mobile, code, register } = request;
    if let Some(new) = register {
        return registration::create(caller, new).await;
    }
    if let (Some(user_name), Some(password)) = (user_name, password) {
        return sign_in::by_password(caller, LoginRequest { user_name, password, captcha }).await;
    }
    let store = caller.store();
    if let (Some(target), Some(code)) = (mobile, code) {
        caller.take(Action::CodeCheck)?;
        return caller.accounts(&store).member_to_bind(&target, &code).await.map_err(account_refused(caller));
    }
    let current = caller.app.sessions(&caller.scope, &caller.host).current(&caller.headers).await;
    let current = current.map_err(caller.store_failed())?.ok_or_else(|| caller.failed(Failure::SignInNeeded))?;
    let confirmed = caller.accounts(&store).confirm(&current, "").await;
    in_session(caller, confirmed).await?;
    Ok(current.of.member)
}

/// Returns the providers of the site, with the identities of the member.
#[utoipa::path(get, operation_id = "memberIdentities", path = "/rc-pub/api/identities", tag = "member",
    responses((status = 200, body = Envelope<Vec<IdentityView>>), (status = 401, body = Envelope<serde_json::Value>)))]
pub async fn list(signed_in: SignedIn) -> Result<Json<Envelope<Vec<IdentityView>>>, ApiError> {
    let caller = &signed_in.caller;
    let bound = signed_in.store().identities().await.map_err(caller.store_failed())?;
    let title = |name: &str| external_identity::title(&caller.app, caller.entry(), name, caller.lang);
    let mut all: Vec<IdentityView> = bound
        .into_iter()
        .map(|bound| IdentityView {
            title: title(&bound.identity.provider),
            provider: bound.identity.provider,
            name: bound.identity.name,
            subject: bound.identity.subject,
            since: Some(caller.instant(bound.since)),
        })
        .collect();
    for (provider, _) in external_identity::providers(caller.entry()) {
        if !all.iter().any(|known| known.provider == provider) {
            let (provider, title) = (provider.to_owned(), title(provider));
            all.push(IdentityView { provider, title, name: String::new(), subject: String::new(), since: None });
        }
    }
    Ok(caller.ok(all))
}

/// Removes an identity of the member, unless it is the only way in. A member who signed in some time ago signs in again first (401).
#[utoipa::path(delete, operation_id = "removeIdentity", path = "/rc-pub/api/identities", tag = "member", params(OfProvider),
    responses((status = 200, body = Envelope<bool>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 409, body = Envelope<serde_json::Value>)))]
pub async fn remove(signed_in: SignedIn, Query(of): Query<OfProvider>) -> Result<Json<Envelope<bool>>, ApiError> {
    let caller = &signed_in.caller;
    Confirmation::default().check(&signed_in).await?;
    let notices = notices(&signed_in, AccountChange::IdentityRemoved);
    let removed = identities::unbind(&signed_in.store(), &of.provider, &notices, caller.app.counting.now()).await;
    match removed.map_err(caller.store_failed())? {
        Removal::Removed => {
            let message = caller.app.messages.get(caller.lang, "identity_removed").to_owned();
            Ok(Json(Envelope { status: 0, data: Some(true), message }))
        }
        Removal::NotFound => Err(caller.failed(Failure::PageUnknown)),
        Removal::LastWay => Err(caller.fail(StatusCode::CONFLICT, "last_way_in")),
    }
}
