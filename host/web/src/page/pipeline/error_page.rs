//! Responses without a page: unknown site, unavailable site, internal failure. [`Failure`] determines status and
//! message; internal causes are only logged.

use std::sync::Arc;

use axum::{
    extract::{Query, State},
    http::{Extensions, HeaderMap, HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Response},
};
use masthead_domain::{
    Lang,
    access::Refusal,
    route::{Address, Route},
};
use masthead_store::StoreError;
use serde::Deserialize;

use crate::page::{caching, language::preferred};
use crate::{
    app::App,
    failure::Failure,
    i18n::Texts,
    page::{content, context::PageError},
    sites::{
        addresses::Addresses,
        scope::{Host, Scope},
    },
};

/// Where a request was sent, as far as it is known when an error page answers it.
#[derive(Clone, Copy, Default)]
pub struct Place<'a> {
    /// The site that the address names, if there is one.
    pub scope: Option<&'a Scope>,
    /// The host.
    pub host: Option<&'a Host>,
}

impl<'a> Place<'a> {
    /// A site at a host.
    #[must_use]
    pub const fn at(scope: &'a Scope, host: &'a Host) -> Self {
        Self { scope: Some(scope), host: Some(host) }
    }

    /// The place of a request, behind the layer that determines it.
    #[must_use]
    pub fn of(extensions: &'a Extensions) -> Self {
        Self { scope: extensions.get(), host: extensions.get() }
    }

    /// The address at which the reader can go on: the home page of the site, if readers may see it, else the list of sites where the host has
    /// one.
    #[must_use]
    pub fn way_on(self, app: &App, lang: Lang) -> Option<String> {
        match self.scope {
            Some(scope) if Failure::of_state(scope.entry.site.state).is_none() => {
                let lang = scope.entry.lang_or_default(Some(lang));
                Some(Addresses { base: scope.base.clone(), lang }.route(&Route::Home))
            }
            _ => {
                let lists_sites = self.host.is_some_and(|host| host.in_path) && app.sites.load().platform.directory;
                lists_sites.then(|| "/".to_owned())
            }
        }
    }
}

/// The response to a failed site lookup: a page without a site's frame, in the reader's preferred language.
pub fn lookup(app: &App, place: Place<'_>, headers: &HeaderMap, failure: Failure) -> Response {
    let lang = preferred(headers, &Lang::ALL).unwrap_or(Lang::Zh);
    let mut response = failed(app, lang, failure, place.way_on(app, lang).as_deref());
    caching::vary(response.headers_mut(), &[header::COOKIE, header::ACCEPT_LANGUAGE]);
    response
}

fn bare(app: &App, lang: Lang, failure: Failure, home: Option<&str>) -> Response {
    let texts = Texts::new(&app.messages, lang);
    let (status, message) = (failure.status(), app.messages.get(lang, failure.key()));
    html(status, content::lookup_failure(&texts, &app.ui.load().css, status.as_u16(), message, home).into_string())
}

/// A page without a site's frame, with a message that is already in the reader's language.
pub fn plain(app: &App, place: Place<'_>, lang: Lang, (status, message): (StatusCode, &str)) -> Response {
    let (texts, home) = (Texts::new(&app.messages, lang), place.way_on(app, lang));
    let page = content::lookup_failure(&texts, &app.ui.load().css, status.as_u16(), message, home.as_deref());
    html(status, page.into_string())
}

/// The page instead of a file that this reader may not have: the message, and the way to the sign-in for a reader who is not signed in. A
/// reader whose session could not be looked up is told to come back.
pub fn refused(app: &App, addresses: &Addresses, refusal: Refusal, (message, back): (&str, &str)) -> Response {
    if refusal == Refusal::Unknown {
        return unavailable(app, addresses.lang, Some(&addresses.route(&Route::Home)));
    }
    let texts = Texts::new(&app.messages, addresses.lang);
    let sign_in = (refusal == Refusal::SignIn).then(|| addresses.sign_in(back));
    let page = content::refused(&texts, &app.ui.load().css, message, sign_in.as_deref());
    html(StatusCode::FORBIDDEN, page.into_string())
}

/// A document without scripts, which is kept nowhere.
pub fn html(status: StatusCode, page: String) -> Response {
    let mut response = (status, Html(page)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'",
        ),
    );
    response
}

/// The response when no site is named: the list of sites on the platform's own host, else an error page.
pub fn no_site(app: &App, host: &Host, headers: &HeaderMap, path: &str) -> Response {
    let table = app.sites.load();
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let address = Address::split(&segments, false);
    if host.in_path && table.platform.directory && address.rest.is_empty() {
        let lang = address.lang.or_else(|| preferred(headers, &Lang::ALL)).unwrap_or(Lang::Zh);
        let texts = Texts::new(&app.messages, lang);
        return html(StatusCode::OK, content::directory(&texts, &app.ui.load().css, table.iter()).into_string());
    }
    lookup(app, Place { scope: None, host: Some(host) }, headers, Failure::SiteUnknown)
}

/// The response when a page could not be built, in the language of the page. The cause is only logged.
pub fn page_failed(app: &App, place: Place<'_>, lang: Lang, error: &PageError) -> Response {
    tracing::error!(%error, "building a page failed");
    metrics::counter!("masthead_page_failures_total").increment(1);
    failed(app, lang, error.failure(), place.way_on(app, lang).as_deref())
}

/// The response when a file or list of a site could not be made for an outage or another error of the store.
pub fn store_failed(app: &App, place: Place<'_>, headers: &HeaderMap, error: &StoreError) -> Response {
    lookup(app, place, headers, Failure::of_store(error))
}

/// The language of a failure for an address of which no page was made: the one that the path names, else the reader's preferred one.
pub fn failure_language(headers: &HeaderMap, path: &str) -> Lang {
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    Address::split(&segments, false).lang.or_else(|| preferred(headers, &Lang::ALL)).unwrap_or(Lang::Zh)
}

/// The response while the database does not answer, or the session of a reader cannot be looked up. `home` is where the reader can go on.
pub fn unavailable(app: &App, lang: Lang, home: Option<&str>) -> Response {
    failed(app, lang, Failure::Unavailable, home)
}

fn failed(app: &App, lang: Lang, failure: Failure, home: Option<&str>) -> Response {
    let mut response = bare(app, lang, failure, home);
    if let Some(seconds) = failure.retry_after() {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    response
}

/// Query of the error pages.
#[derive(Deserialize)]
pub struct Language {
    /// Language code of the page.
    #[serde(default)]
    lang: String,
}

/// `/errorPage?lang`: the address to which the specification redirects readers when the site lookup fails.
pub async fn error_page(
    State(app): State<Arc<App>>,
    scope: Option<Scope>,
    host: Host,
    Query(query): Query<Language>,
) -> Response {
    asked_for(&app, Place { scope: scope.as_ref(), host: Some(&host) }, &query, Failure::SiteUnknown)
}

/// `/forbiddenPage?lang`: site lookup status 10001.
pub async fn forbidden_page(
    State(app): State<Arc<App>>,
    scope: Option<Scope>,
    host: Host,
    Query(query): Query<Language>,
) -> Response {
    asked_for(&app, Place { scope: scope.as_ref(), host: Some(&host) }, &query, Failure::SiteForbidden)
}

/// An error page that has an address of its own.
fn asked_for(app: &App, place: Place<'_>, query: &Language, failure: Failure) -> Response {
    let lang = query.lang.parse().unwrap_or(Lang::Zh);
    bare(app, lang, failure, place.way_on(app, lang).as_deref())
}

/// `/favicon.ico`: browsers request it; sites have logos instead.
pub async fn favicon() -> StatusCode {
    StatusCode::NO_CONTENT
}
