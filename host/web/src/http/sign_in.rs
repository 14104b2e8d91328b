//! Sign-in at an external identity provider (hooks `identity.begin` and `identity.complete`), and sign-out.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Path, Query, RawQuery, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use masthead_domain::Lang;
use masthead_runtime::{
    FirstAnswer,
    hook_types::{ExternalUser, SignInReturn, SignInStart},
};
use serde::Deserialize;

use crate::page::error_page;
use crate::{
    app::{
        App,
        rate_limits::{Action, TooOften},
    },
    auth::session::{PendingSignIn, User},
    client::Client,
    failure::Failure,
    http::security,
    page::reader,
    sites::{
        addresses::Addresses,
        scope::{Host, Scope},
    },
};

/// Time limit of the plugin's requests to the identity provider.
const PROVIDER_TIMEOUT: Duration = Duration::from_secs(6);

/// Query of the sign-in route.
#[derive(Deserialize)]
pub struct SignInQuery {
    #[serde(default)]
    url: String,
}

/// Redirects the reader to the identity provider.
pub async fn start(
    State(app): State<Arc<App>>,
    host: Host,
    scope: Option<Scope>,
    client: Client,
    Path(lang): Path<Lang>,
    Query(query): Query<SignInQuery>,
    headers: HeaderMap,
) -> Response {
    let Some(scope) = scope else { return error_page::no_site(&app, &host, &headers, "") };
    if let Err(refused) = app.limits.take(Action::SignIn, client, scope.entry.site.id) {
        return too_often(&app, lang, refused);
    }
    let state = URL_SAFE_NO_PAD.encode(rand::random::<[u8; 24]>());
    let start = SignInStart { callback: callback(&host, &scope, lang), state: state.clone() };
    let mut call = reader::plugin_call_within(&scope, &host, lang, "login", 0, PROVIDER_TIMEOUT);
    let address = match call.begin_identity(start).await {
        FirstAnswer::Answered(address) => address,
        FirstAnswer::NoPlugin => return refuse(&app, lang, StatusCode::NOT_FOUND, "sign_in_unavailable", ""),
        FirstAnswer::Refused(reason) => return refuse(&app, lang, StatusCode::BAD_GATEWAY, "sign_in_failed", &reason),
        FirstAnswer::Failed => return refuse(&app, lang, StatusCode::BAD_GATEWAY, "plugin_failed", ""),
    };
    let pending = PendingSignIn { state, back: Addresses { base: scope.base.clone(), lang }.return_path(&query.url) };
    let cookie = app.sessions(&scope, &host).sign_in_cookie(Some(&pending));
    with_cookies(Redirect::to(&address).into_response(), [cookie])
}

/// Completes the sign-in when the identity provider sends the reader back.
pub async fn complete(
    State(app): State<Arc<App>>,
    host: Host,
    scope: Option<Scope>,
    client: Client,
    Path(lang): Path<Lang>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let Some(scope) = scope else { return error_page::no_site(&app, &host, &headers, "") };
    let query: Vec<(String, String)> =
        url::form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned().collect();
    let returned_state = query.iter().find(|(name, _)| name == "state").map(|(_, value)| value.as_str());
    // The state must be the one that this browser was sent away with: otherwise an attacker could sign a reader in to
    // the attacker's account.
    let sessions = app.sessions(&scope, &host);
    let Some(pending) =
        sessions.pending_sign_in(&headers).filter(|pending| Some(pending.state.as_str()) == returned_state)
    else {
        return refuse(&app, lang, StatusCode::BAD_REQUEST, "sign_in_failed", "state");
    };
    if let Err(refused) = app.limits.take(Action::SignInReturn, client, scope.entry.site.id) {
        return too_often(&app, lang, refused);
    }
    let answer = SignInReturn { callback: callback(&host, &scope, lang), query };
    let mut call = reader::plugin_call_within(&scope, &host, lang, "login", 0, PROVIDER_TIMEOUT);
    let user = match call.complete_identity(answer).await {
        FirstAnswer::Answered(ExternalUser { subject, name }) => User { subject, name },
        FirstAnswer::NoPlugin => return refuse(&app, lang, StatusCode::NOT_FOUND, "sign_in_unavailable", ""),
        FirstAnswer::Refused(reason) => return refuse(&app, lang, StatusCode::FORBIDDEN, "sign_in_failed", &reason),
        FirstAnswer::Failed => return refuse(&app, lang, StatusCode::BAD_GATEWAY, "plugin_failed", ""),
    };
    match sessions.begin(&user, &headers).await {
        Ok(mut cookies) => {
            cookies.push(sessions.sign_in_cookie(None));
            with_cookies(Redirect::to(&pending.back).into_response(), cookies)
        }
        Err(error) => error_page::page_failed(&app, lang, &error.into()),
    }
}

/// Ends the session. Requests from pages of other sites are ignored (header `Sec-Fetch-Site`), so that another site
/// cannot sign a reader out.
pub async fn leave(
    State(app): State<Arc<App>>,
    host: Host,
    scope: Option<Scope>,
    Path(lang): Path<Lang>,
    headers: HeaderMap,
) -> Response {
    let Some(scope) = scope else { return error_page::no_site(&app, &host, &headers, "") };
    let home = Redirect::to(&format!("{}/{lang}/home/", scope.base)).into_response();
    if security::is_own_fetch(&headers) == Some(false) {
        return home;
    }
    match app.sessions(&scope, &host).end(&headers).await {
        Ok(cookies) => with_cookies(home, cookies),
        // The cookies stay: the reader sees that the session has not ended, and can try again.
        Err(error) => error_page::page_failed(&app, lang, &error.into()),
    }
}

fn callback(host: &Host, scope: &Scope, lang: Lang) -> String {
    format!("{}{}/{lang}/login/callback", host.origin, scope.base)
}

fn too_often(app: &App, lang: Lang, refused: TooOften) -> Response {
    let mut response = refuse(app, lang, Failure::TooOften.status(), Failure::TooOften.key(), "");
    response.headers_mut().insert(header::RETRY_AFTER, refused.retry_after.into());
    response
}

fn refuse(app: &App, lang: Lang, status: StatusCode, key: &str, reason: &str) -> Response {
    let message = app.messages.format(lang, key, &[("reason", reason)]);
    error_page::plain(app, lang, status, &message)
}

fn with_cookies(mut response: Response, cookies: impl IntoIterator<Item = String>) -> Response {
    for cookie in cookies.into_iter().filter_map(|cookie| HeaderValue::try_from(cookie).ok()) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
