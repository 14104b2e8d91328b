//! Who calls, and how answers and failures are wrapped.

use std::{sync::Arc, time::Duration};

use axum::{
    Json,
    extract::{FromRequestParts, Request, State},
    http::{HeaderMap, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use masthead_domain::{Lang, site::SiteState};
use masthead_runtime::Call;
use masthead_store::{SiteStore, StoreError};

use super::types::Envelope;
use crate::{
    links::Addresses,
    pages::PageError,
    scope::{Host, Scope},
    sites::SiteEntry,
    state::App,
    visit,
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
        crate::view::begin(&self.scope, &self.host, self.lang, route, self.entry().chain.draw())
    }

    /// The same for work that waits for other servers.
    #[must_use]
    pub fn begin_for(&self, route: &str, time: Duration) -> Call {
        crate::view::begin_for(&self.scope, &self.host, self.lang, route, 0, time)
    }

    /// A success.
    pub fn ok<T>(&self, data: T) -> Json<Envelope<T>> {
        Json(Envelope { status: 0, data: Some(data), message: String::new() })
    }

    /// A failure in the reader's language.
    #[must_use]
    pub fn fail(&self, status: StatusCode, key: &str) -> ApiError {
        ApiError { status, code: i32::from(status.as_u16()), message: self.app.messages.get(self.lang, key).to_owned() }
    }

    /// A failure inside: logged, and told without its cause.
    pub fn broken(&self, error: &dyn std::error::Error) -> ApiError {
        tracing::error!(%error, "a call failed");
        self.fail(StatusCode::INTERNAL_SERVER_ERROR, "request_failed")
    }

    /// For `map_err` behind the store.
    pub fn store_failed(&self) -> impl Fn(StoreError) -> ApiError + '_ {
        |error| self.broken(&error)
    }

    /// For `map_err` behind a page.
    pub fn page_failed(&self) -> impl Fn(PageError) -> ApiError + '_ {
        |error| self.broken(&error)
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
                let lang = scope.entry.lang_or_default(wanted);
                if let Some((status, key)) = crate::pages::state_failure(scope.entry.site.state) {
                    return Err(ApiError::of_state(scope.entry.site.state, status, app.messages.get(lang, key)));
                }
                Ok(Self { app: Arc::clone(app), scope, host, lang, headers: parts.headers.clone() })
            }
            _ => {
                Err(ApiError::new(StatusCode::NOT_FOUND, app.messages.get(wanted.unwrap_or(Lang::Zh), "site_unknown")))
            }
        }
    }
}

/// A failure in the envelope.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    code: i32,
    message: String,
}

/// The specification's status of a site that may not be looked at.
const FORBIDDEN: i32 = 10001;

impl ApiError {
    /// A failure with the HTTP status as its status.
    #[must_use]
    pub fn new(status: StatusCode, message: &str) -> Self {
        Self { status, code: i32::from(status.as_u16()), message: message.to_owned() }
    }

    fn of_state(state: SiteState, status: u16, message: &str) -> Self {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        // An expired site is no forbidden one: its readers are told whom to ask.
        let code = if state == SiteState::Forbidden { FORBIDDEN } else { i32::from(status.as_u16()) };
        Self { status, code, message: message.to_owned() }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = Envelope::<()> { status: self.code, data: None, message: self.message };
        (self.status, Json(body)).into_response()
    }
}

/// The caller's language: header, else cookie.
pub(super) fn language(headers: &HeaderMap) -> Option<Lang> {
    let header = headers.get("language").and_then(|value| value.to_str().ok()).map(str::to_owned);
    header.or_else(|| visit::cookie(headers, "language")).and_then(|code| code.parse().ok())
}

/// A call that there is none of.
pub async fn unknown(State(app): State<Arc<App>>, headers: HeaderMap) -> ApiError {
    let lang = language(&headers).unwrap_or(Lang::Zh);
    ApiError::new(StatusCode::NOT_FOUND, app.messages.get(lang, "page_not_found"))
}

/// Puts refusals that come from before a handler (parameters that do not fit, another method) into the envelope, without
/// the parser's words.
pub async fn wrap(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let lang = language(request.headers()).unwrap_or(Lang::Zh);
    let response = next.run(request).await;
    let status = response.status();
    let enveloped = response.headers().get(header::CONTENT_TYPE).is_some_and(|value| value == "application/json");
    if enveloped || !status.is_client_error() {
        return response;
    }
    ApiError::new(status, app.messages.get(lang, "bad_request")).into_response()
}
