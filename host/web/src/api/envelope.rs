//! Who calls, and how answers and failures are wrapped.

use std::{sync::Arc, time::Duration};

use axum::{
    Json,
    body::Bytes,
    extract::{FromRequestParts, Request, State},
    http::{HeaderMap, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use masthead_domain::{Lang, SiteId};
use masthead_runtime::Call;
use masthead_store::{SiteStore, StoreError};
use serde::de::DeserializeOwned;

use crate::api::types::Envelope;
use crate::{
    app::App,
    auth::cookies,
    failure::Failure,
    page::context::PageError,
    sites::{
        SiteEntry,
        addresses::Addresses,
        scope::{Host, Scope},
    },
    usage::Visitor,
};

/// A call on behalf of a reader of one site.
pub struct Caller {
    /// The application.
    pub app: Arc<App>,
    /// The site, and how it was named.
    pub scope: Scope,
    /// Scheme and host.
    pub host: Host,
    /// The reader's language: header, else cookie, else the site's.
    pub lang: Lang,
    /// The request's headers.
    pub headers: HeaderMap,
    /// Who calls, as far as counting has to know.
    pub visitor: Visitor,
}

impl Caller {
    /// The site.
    #[must_use]
    pub fn entry(&self) -> &Arc<SiteEntry> {
        &self.scope.entry
    }

    /// The site's content.
    #[must_use]
    pub fn store(&self) -> SiteStore {
        self.app.store.site(self.scope.entry.site.id)
    }

    /// Addresses in the reader's language.
    #[must_use]
    pub fn addresses(&self) -> Addresses {
        Addresses { base: self.scope.base.clone(), lang: self.lang }
    }

    /// Opens the site's plugins for this call, with the time that pages have.
    #[must_use]
    pub fn begin(&self, route: &str) -> Call {
        crate::page::reader::begin(&self.scope, &self.host, self.lang, route, self.entry().chain.draw())
    }

    /// The same for work that waits for other servers.
    #[must_use]
    pub fn begin_for(&self, route: &str, time: Duration) -> Call {
        crate::page::reader::begin_for(&self.scope, &self.host, self.lang, route, 0, time)
    }

    /// A success.
    pub fn ok<T>(&self, data: T) -> Json<Envelope<T>> {
        Json(Envelope { status: 0, data: Some(data), message: String::new() })
    }

    /// A failure in the reader's language.
    #[must_use]
    pub fn failed(&self, failure: Failure) -> ApiError {
        ApiError::of(&self.app, self.lang, failure)
    }

    /// A body of JSON; refused when it says that it is something else, or does not fit.
    ///
    /// # Errors
    /// [`ApiError`], without the parser's words.
    pub fn json<T: DeserializeOwned>(&self, body: &Bytes) -> Result<T, ApiError> {
        // Beacons of the shell come as text.
        let kind = self.headers.get(header::CONTENT_TYPE).map(|value| value.to_str().unwrap_or_default());
        let kind = kind.map(|kind| kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase());
        if kind.is_some_and(|kind| !matches!(kind.as_str(), "application/json" | "text/plain")) {
            return Err(self.failed(Failure::WrongType));
        }
        // A list is no object, though its values could be taken for an object's fields in order.
        let object = body.trim_ascii_start().starts_with(b"{");
        let read = object.then(|| serde_json::from_slice(body).ok()).flatten();
        read.ok_or_else(|| self.failed(Failure::NotUnderstood))
    }

    /// The session of the `token` header: `Err` for one that is none of this site's, or over.
    ///
    /// # Errors
    /// [`Failure::SignInNeeded`].
    pub fn token(&self) -> Result<Option<crate::auth::session::User>, ApiError> {
        let Some(token) = self.headers.get("token").filter(|token| !token.is_empty()) else { return Ok(None) };
        let user = token
            .to_str()
            .ok()
            .and_then(|token| crate::auth::session::of_token(token, &self.app.cookie_key, self.entry().site.id.0));
        user.map(Some).ok_or_else(|| self.failed(Failure::SignInNeeded))
    }

    /// A failure of one call's own, in the reader's language; what several calls have in common is a [`Failure`].
    #[must_use]
    pub fn fail(&self, status: StatusCode, key: &str) -> ApiError {
        ApiError { status, code: i32::from(status.as_u16()), message: self.app.messages.get(self.lang, key).to_owned() }
    }

    /// A failure inside: logged, and told without its cause.
    pub fn broken(&self, error: &dyn std::error::Error) -> ApiError {
        tracing::error!(%error, "a call failed");
        self.failed(Failure::Inside)
    }

    /// For `map_err` behind the store.
    pub fn store_failed(&self) -> impl Fn(StoreError) -> ApiError + '_ {
        |error| self.broken(&error)
    }

    /// For `map_err` behind a page.
    pub fn page_failed<E: Into<PageError>>(&self) -> impl Fn(E) -> ApiError + '_ {
        |error| self.broken(&error.into())
    }
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let wanted = language(&parts.headers);
        let scope = parts.extensions.get::<Scope>().cloned();
        let host = parts.extensions.get::<Host>().cloned();
        match (scope, host) {
            (Some(scope), Some(host)) => {
                let visitor = Visitor::of(&parts.headers, &parts.extensions);
                let lang = scope.entry.lang_or_default(wanted);
                if let Some(failure) = Failure::of_state(scope.entry.site.state) {
                    return Err(ApiError::of(app, lang, failure));
                }
                // The host says which site is meant; an address that names another one names nothing here.
                if named(parts.uri.path()).is_some_and(|id| id != Some(scope.entry.site.id)) {
                    return Err(ApiError::of(app, lang, Failure::SiteUnknown));
                }
                Ok(Self { app: Arc::clone(app), scope, host, lang, headers: parts.headers.clone(), visitor })
            }
            _ => Err(ApiError::of(app, wanted.unwrap_or(Lang::Zh), Failure::SiteUnknown)),
        }
    }
}

/// A text that a database can be asked with: PostgreSQL refuses the character 0 with an error.
pub fn storable(text: &str) -> Option<&str> {
    (!text.contains('\0')).then_some(text)
}

/// A failure in the envelope.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    code: i32,
    message: String,
}

impl ApiError {
    /// A failure with the HTTP status as its status.
    #[must_use]
    pub fn new(status: StatusCode, message: &str) -> Self {
        Self { status, code: i32::from(status.as_u16()), message: message.to_owned() }
    }

    /// A failure in a language.
    #[must_use]
    pub fn of(app: &App, lang: Lang, failure: Failure) -> Self {
        Self {
            status: failure.status(),
            code: failure.code(),
            message: app.messages.get(lang, failure.key()).to_owned(),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = Envelope::<()> { status: self.code, data: None, message: self.message };
        (self.status, Json(body)).into_response()
    }
}

/// The site that stands in the address of a call (`/rc-pub/front/site/{siteId}/...`): `None` where none stands there,
/// `Some(None)` for what is no number.
pub fn named(path: &str) -> Option<Option<SiteId>> {
    let (id, _) = path.strip_prefix("/rc-pub/front/site/")?.split_once('/')?;
    Some(id.parse().ok().map(SiteId))
}

/// The caller's language: header, else cookie; what is no language counts as not said.
pub(super) fn language(headers: &HeaderMap) -> Option<Lang> {
    let header =
        headers.get("language").and_then(|value| value.to_str().ok()).and_then(|code| code.trim().parse().ok());
    header.or_else(|| cookies::value(headers, "language").and_then(|code| code.parse().ok()))
}

/// The language in which a request is refused before anybody looked at it.
fn refusal_language(request: &Request) -> Lang {
    let wanted = language(request.headers());
    let scope = request.extensions().get::<Scope>();
    scope.map_or_else(|| wanted.unwrap_or(Lang::Zh), |scope| scope.entry.lang_or_default(wanted))
}

/// A call that there is none of.
pub async fn unknown(State(app): State<Arc<App>>, request: Request) -> ApiError {
    ApiError::of(&app, refusal_language(&request), Failure::PageUnknown)
}

/// Puts refusals that come from before a handler (parameters that do not fit, another method) into the envelope, without
/// the parser's words.
pub async fn wrap(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let lang = refusal_language(&request);
    enveloped(&app, lang, next.run(request).await)
}

/// Longest address of a call.
const ADDRESS: usize = 8 << 10;

/// The same around everything, for what refuses or fails outside of the calls: limits of length and time, panics.
pub async fn wrap_all(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let inner = path.split_once('/').and_then(|(_, rest)| rest.split_once('/')).map_or("", |(_, rest)| rest);
    let is_call =
        [path.trim_start_matches('/'), inner].iter().any(|path| *path == "rc-pub" || path.starts_with("rc-pub/"));
    if !is_call {
        return next.run(request).await;
    }
    let lang = refusal_language(&request);
    if request.uri().path_and_query().is_some_and(|address| address.as_str().len() > ADDRESS) {
        return ApiError::of(&app, lang, Failure::AddressTooLong).into_response();
    }
    enveloped(&app, lang, next.run(request).await)
}

/// The answer, if it is one; a refusal that is no JSON gets an envelope, and keeps what else it says (`Allow`).
fn enveloped(app: &App, lang: Lang, response: Response) -> Response {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if kind.starts_with("application/json") || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let error = ApiError { status, ..ApiError::of(app, lang, Failure::of_refusal(status)) };
    let error = ApiError { code: i32::from(status.as_u16()), ..error };
    let mut wrapped = error.into_response();
    if let Some(allow) = response.headers().get(header::ALLOW) {
        wrapped.headers_mut().insert(header::ALLOW, allow.clone());
    }
    wrapped
}
