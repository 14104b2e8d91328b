//! The pages on the way to an identity provider and back, which work without scripts, and the page that signs out.

use std::sync::Arc;

use axum::{
    extract::{Path, Query, RawQuery, State},
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Redirect, Response},
};
use masthead_domain::{
    Lang,
    link::{Link, LinkKind},
    route::{AccountPage, Route},
};
use serde::Deserialize;

use crate::{
    app::{
        App,
        rate_limits::{Action, TooOften},
    },
    client::Client,
    external_identity::{Outcome, Refusal, SignInVisit},
    failure::Failure,
    http::security,
    page::pipeline::error_page::{self, Place},
    sites::{
        addresses::Addresses,
        scope::{Host, Scope},
    },
};

/// Query of the sign-in route.
#[derive(Deserialize)]
pub struct SignInQuery {
    /// The address to return to.
    #[serde(default)]
    url: String,
    /// The provider's name; "" stands for the first one of the site.
    #[serde(default)]
    provider: String,
}

/// Sends the reader to the identity provider.
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
        return too_often(&app, Place::at(&scope, &host), lang, refused);
    }
    let visit = SignInVisit { app: &app, scope: &scope, host: &host, lang, headers: &headers, agent: agent(&headers) };
    // A member who comes from a page of the site shortly after a sign-in binds the identity; others sign in.
    let member = match security::is_own_fetch(&headers) {
        Some(false) => None,
        _ => visit.recent_member().await,
    };
    match visit.begin(&query.provider, &query.url, member).await {
        Ok(away) => with_cookies(Redirect::to(&away.address).into_response(), [away.cookie]),
        Err(refusal) => refused(&app, Place::at(&scope, &host), lang, &refusal),
    }
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
    let visit = SignInVisit { app: &app, scope: &scope, host: &host, lang, headers: &headers, agent: agent(&headers) };
    let place = Place::at(&scope, &host);
    let Some(pending) = visit.pending(&query) else { return refused(&app, place, lang, &Refusal::State) };
    if let Err(refused) = app.limits.take(Action::SignInReturn, client, scope.entry.site.id) {
        return too_often(&app, place, lang, refused);
    }
    // Providers send all readers back in one language.
    let visit = SignInVisit { lang: pending.lang, ..visit };
    let (lang, to) = (pending.lang, pending.back.clone());
    let over = app.pending(&scope, &host).sign_in_cookie(None);
    let settled = match visit.identify(pending, query).await {
        Ok(back) => visit.settle(back).await,
        Err(refusal) => Err(refusal),
    };
    match settled {
        Ok(Outcome::SignedIn(begun)) => {
            with_cookies(Redirect::to(&to).into_response(), begun.cookies.into_iter().chain([over]))
        }
        Ok(Outcome::ToBind(cookie)) => {
            let page = binding_page(&scope, lang, &to);
            with_cookies(Redirect::to(&page).into_response(), [cookie, over])
        }
        Err(refusal) => with_cookies(refused(&app, place, lang, &refusal), [over]),
    }
}

/// The page on which an identity is bound to an account; it leads on to `back`.
fn binding_page(scope: &Scope, lang: Lang, back: &str) -> String {
    let path = Route::Account(AccountPage::AccountBinding).path();
    let query = vec![("url".to_owned(), back.to_owned())];
    Addresses { base: scope.base.clone(), lang }.link(&Link { kind: LinkKind::Other, path, query })
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
        Err(error) => error_page::page_failed(&app, Place::at(&scope, &host), lang, &error.into()),
    }
}

fn agent(headers: &HeaderMap) -> &str {
    headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

fn too_often(app: &App, place: Place<'_>, lang: Lang, refused: TooOften) -> Response {
    let failure = Failure::TooOften;
    let mut response = error_page::plain(app, place, lang, (failure.status(), app.messages.get(lang, failure.key())));
    response.headers_mut().insert(header::RETRY_AFTER, refused.retry_after.into());
    response
}

fn refused(app: &App, place: Place<'_>, lang: Lang, refusal: &Refusal) -> Response {
    let (status, message) = refusal.told(app, lang);
    error_page::plain(app, place, lang, (status, message.as_str()))
}

fn with_cookies(mut response: Response, cookies: impl IntoIterator<Item = String>) -> Response {
    for cookie in cookies.into_iter().filter_map(|cookie| HeaderValue::try_from(cookie).ok()) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
