//! Calls for signing in at identity providers, and for binding what they say to accounts.

use std::collections::BTreeMap;

use axum::{
    Json,
    body::Bytes,
    extract::Query,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use masthead_accounts::identities::{self, Removal};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    api::{
        envelope::{ApiError, Caller},
        signed_in::{SessionAnswer, SignedIn, with_cookies},
        types::Envelope,
    },
    app::rate_limits::Action,
    external_identity::{self, Outcome, Refusal, Visit},
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
    /// When it was bound: ISO 8601; null while it is not bound.
    since: Option<String>,
}

/// Parameter of the removal of an identity.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OfProvider {
    /// The provider's name.
    provider: String,
}

fn visit(caller: &Caller) -> Visit<'_> {
    Visit {
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
/// member binds the identity to the account.
#[utoipa::path(get, path = "/rc-pub/api/getUmtLoginUrl", tag = "member", params(SignInAt),
    responses((status = 200, body = Envelope<SignInAddress>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>), (status = 502, body = Envelope<serde_json::Value>)))]
pub async fn address(caller: Caller, Query(at): Query<SignInAt>) -> Result<Response, ApiError> {
    caller.take(Action::SignIn)?;
    let member = caller.user().await.map(|user| user.member);
    let away = visit(&caller).begin(&at.provider, &at.url, member).await;
    let away = away.map_err(|refusal| refused(&caller, &refusal))?;
    let body = caller.ok(SignInAddress { address: away.address });
    Ok(with_cookies(body.into_response(), [away.cookie]))
}

/// Signs in with what an identity provider sent back. Somebody whom the site does not know gets 404 and a cookie with the identity, which
/// `thirdBind` binds to an account.
#[utoipa::path(post, path = "/rc-pub/api/loginByThirdLoginUrl", tag = "member", request_body = Returned,
    responses((status = 200, body = Envelope<crate::api::signed_in::SessionView>),
        (status = 400, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 409, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>), (status = 502, body = Envelope<serde_json::Value>)))]
pub async fn sign_in(caller: Caller, body: Bytes) -> Result<Response, ApiError> {
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

/// Returns the providers of the site, with the identities of the member.
#[utoipa::path(get, path = "/rc-pub/api/identities", tag = "member",
    responses((status = 200, body = Envelope<Vec<IdentityView>>), (status = 401, body = Envelope<serde_json::Value>)))]
pub async fn list(signed_in: SignedIn) -> Result<Json<Envelope<Vec<IdentityView>>>, ApiError> {
    let caller = &signed_in.caller;
    let bound = signed_in.store().identities().await.map_err(caller.store_failed())?;
    let title = |name: &str| external_identity::title(caller.entry(), name, caller.lang);
    let mut all: Vec<IdentityView> = bound
        .into_iter()
        .map(|bound| IdentityView {
            title: title(&bound.identity.provider),
            provider: bound.identity.provider,
            name: bound.identity.name,
            subject: bound.identity.subject,
            since: Some(masthead_xml::moment(bound.since)),
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

/// Removes an identity of the member, unless it is the only way in.
#[utoipa::path(delete, path = "/rc-pub/api/identities", tag = "member", params(OfProvider),
    responses((status = 200, body = Envelope<bool>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 409, body = Envelope<serde_json::Value>)))]
pub async fn remove(signed_in: SignedIn, Query(of): Query<OfProvider>) -> Result<Json<Envelope<bool>>, ApiError> {
    let caller = &signed_in.caller;
    let removed = identities::unbind(&signed_in.store(), &of.provider, &[], caller.app.counting.now()).await;
    match removed.map_err(caller.store_failed())? {
        Removal::Removed => {
            let message = caller.app.messages.get(caller.lang, "identity_removed").to_owned();
            Ok(Json(Envelope { status: 0, data: Some(true), message }))
        }
        Removal::NotFound => Err(caller.failed(Failure::PageUnknown)),
        Removal::LastWay => Err(caller.fail(StatusCode::CONFLICT, "last_way_in")),
    }
}
