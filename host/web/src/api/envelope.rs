//! The caller of an API call, and the envelope of responses and failures.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use axum::{
    Json,
    body::Bytes,
    extract::{FromRequestParts, Request, State},
    http::{HeaderMap, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use masthead_accounts::{captcha::Captchas, codes::Codes, keys::Keys, service::AccountService};
use masthead_domain::{
    Lang, SiteId,
    access::{Refusal, Rights},
    member::{ItemRef, Use},
};
use masthead_runtime::Call;
use masthead_store::{SiteStore, StoreError};
use serde::de::DeserializeOwned;
use tokio::sync::OnceCell;

use crate::api::types::Envelope;
use crate::{
    app::{
        App,
        rate_limits::{Action, TooOften},
    },
    auth::{cookies, session::User},
    failure::Failure,
    page::{
        caching,
        context::PageError,
        pipeline::error_page::{self, Place},
        reader,
    },
    sites::{
        SiteEntry,
        addresses::Addresses,
        scope::{Host, Scope},
    },
    usage::{Visitor, dates},
};

/// A call on behalf of a reader of one site.
pub struct Caller {
    /// The application.
    pub app: Arc<App>,
    /// The site, and how the request named it.
    pub scope: Scope,
    /// Scheme and host.
    pub host: Host,
    /// The reader's language: from the header, else the cookie, else the site's default.
    pub lang: Lang,
    /// The request's headers.
    pub headers: HeaderMap,
    /// The visitor, for usage counting.
    pub visitor: Visitor,
    /// The client's network, as far as failed sign-ins are counted by it; "" if it is not known.
    network: OnceLock<String>,
    rights: OnceCell<Rights>,
}

impl Caller {
    /// The site.
    #[must_use]
    pub fn entry(&self) -> &Arc<SiteEntry> {
        &self.scope.entry
    }

    /// The same reader at another open site, without a session there: sessions belong to one site. Its addresses begin as those of the
    /// reader's site, with the other site's host or short name.
    #[must_use]
    pub fn at(&self, entry: &Arc<SiteEntry>) -> Self {
        let domain = &self.app.sites.load().platform.domain;
        let base = self.host.base_of(&entry.site, domain, &self.scope.base);
        Self {
            app: Arc::clone(&self.app),
            lang: entry.lang_or_default(Some(self.lang)),
            scope: Scope { entry: Arc::clone(entry), base },
            host: self.host.clone(),
            headers: HeaderMap::new(),
            visitor: self.visitor.clone(),
            network: OnceLock::new(),
            rights: OnceCell::new(),
        }
    }

    /// The store of the site's content.
    #[must_use]
    pub fn store(&self) -> SiteStore {
        self.app.store.site(self.scope.entry.site.id)
    }

    /// Decides about the accounts of the site. `store` is [`Self::store`], which it borrows.
    #[must_use]
    pub fn accounts<'a>(&'a self, store: &'a SiteStore) -> AccountService<'a> {
        AccountService {
            store,
            key: &self.app.installation,
            passwords: &self.app.passwords,
            rules: &self.entry().site.accounts,
            network: self.network(),
            lang: self.lang,
            now: self.app.counting.now(),
        }
    }

    /// The keys with which browsers encrypt passwords for the site.
    #[must_use]
    pub fn password_keys(&self) -> Keys<'_> {
        Keys::new(&self.app.installation, self.entry().site.id, self.app.counting.now())
    }

    /// The captchas of the site.
    #[must_use]
    pub fn captchas(&self) -> Captchas<'_> {
        Captchas::new(&self.app.installation, self.entry().site.id, self.app.counting.now())
    }

    fn network(&self) -> &str {
        self.network.get_or_init(|| self.visitor.client.to_string())
    }

    /// The verification codes of the site. `store` is [`Self::store`].
    #[must_use]
    pub fn codes<'a>(&'a self, store: &'a SiteStore) -> Codes<'a> {
        Codes::new(&self.app.installation, store, self.network(), self.app.counting.now())
    }

    /// Builder of addresses in the reader's language.
    #[must_use]
    pub fn addresses(&self) -> Addresses {
        Addresses { base: self.scope.base.clone(), lang: self.lang }
    }

    /// The current day in the time zone of the site, in days since 1970.
    #[must_use]
    pub fn today(&self) -> i64 {
        self.app.counting.today_of(self.entry().site.id)
    }

    /// An instant, given in milliseconds since 1970, as ISO 8601 in the time zone of the site.
    #[must_use]
    pub fn instant(&self, ms: i64) -> String {
        dates::instant(ms, &self.entry().zone)
    }

    /// Begins the plugin call of this request, with the time limit of pages.
    #[must_use]
    pub fn plugin_call(&self, route: &str) -> Call {
        reader::plugin_call(&self.scope, &self.host, self.lang, route, self.entry().chain.draw())
    }

    /// Begins a plugin call with another time limit, for calls that wait for other servers.
    #[must_use]
    pub fn plugin_call_within(&self, route: &str, time: Duration) -> Call {
        reader::plugin_call_within(&self.scope, &self.host, self.lang, route, 0, time)
    }

    /// The rights of the reader; decided once per call.
    pub async fn rights(&self) -> Rights {
        let asker = (&self.headers, self.visitor.client);
        let decide = || reader::rights(&self.app, &self.scope, &self.host, self.lang, asker);
        *self.rights.get_or_init(decide).await
    }

    /// A success with its payload.
    pub fn ok<T>(&self, data: T) -> Json<Envelope<T>> {
        ok(data)
    }

    /// A failure in the reader's language.
    #[must_use]
    pub fn failed(&self, failure: Failure) -> ApiError {
        ApiError::of(&self.app, self.lang, failure)
    }

    /// Parses a JSON body. Bodies that do not match `T` are rejected; those of another content type have been rejected before.
    ///
    /// # Errors
    /// [`ApiError`], without the parser's message.
    pub fn json<T: DeserializeOwned>(&self, body: &Bytes) -> Result<T, ApiError> {
        // serde would also accept a JSON array, as the values of a struct's fields in order.
        let object = body.trim_ascii_start().starts_with(b"{");
        let read = object.then(|| serde_json::from_slice(body).ok()).flatten();
        read.ok_or_else(|| self.failed(Failure::NotUnderstood))
    }

    /// The signed-in member. Calls that only members may make take a `SignedIn` instead.
    ///
    /// # Errors
    /// [`Failure::Unavailable`] or [`Failure::Inside`], if the session of the call could not be looked up.
    pub async fn user(&self) -> Result<Option<User>, ApiError> {
        let user = self.app.sessions(&self.scope, &self.host).user(&self.headers).await;
        user.map_err(self.store_failed())
    }

    /// The refusal of something that this reader may not read or download; `key` is that of the message. A reader whose session could not be
    /// looked up is told to come back.
    pub fn denied(&self, rights: &Rights, key: &str) -> ApiError {
        match rights.refusal() {
            Refusal::Unknown => self.failed(Failure::Unavailable),
            Refusal::SignIn | Refusal::Account => self.fail(StatusCode::FORBIDDEN, key),
        }
    }

    /// Notes that the reader viewed or downloaded an item, if it is a signed-in member.
    pub async fn note(&self, act: Use, item: ItemRef) {
        // The history of a member may lack what was read while the session could not be looked up; the failure is in the log.
        let user = self.user().await.unwrap_or_default();
        self.app.note_use(self.entry().site.id, user.as_ref(), act, item, self.lang, &self.visitor);
    }

    /// Records a use of a limited action by this client on this site.
    ///
    /// # Errors
    /// [`ApiError`] with the time after which the action is allowed again.
    pub fn take(&self, action: Action) -> Result<(), ApiError> {
        let taken = self.app.limits.take(action, self.visitor.client, self.entry().site.id);
        taken.map_err(|refused| self.too_often(refused, Failure::TooOften.key()))
    }

    /// A failure because of a limit, with its message in the reader's language.
    #[must_use]
    pub fn too_often(&self, refused: TooOften, key: &str) -> ApiError {
        ApiError::too_often(&self.app, self.lang, refused, key)
    }

    /// A failure that is specific to one call, in the reader's language. Failures that several calls share are
    /// [`Failure`]s.
    #[must_use]
    pub fn fail(&self, status: StatusCode, key: &str) -> ApiError {
        ApiError::new(status, self.app.messages.get(self.lang, key))
    }

    /// An internal failure: the cause is logged and not returned to the caller.
    pub fn internal_error(&self, error: &dyn std::error::Error) -> ApiError {
        tracing::error!(%error, "an API call failed");
        self.failed(Failure::Inside)
    }

    /// Converts a store error, for `map_err`.
    pub fn store_failed(&self) -> impl Fn(StoreError) -> ApiError + '_ {
        self.page_failed::<StoreError>()
    }

    /// Converts a page error, for `map_err`.
    pub fn page_failed<E: Into<PageError>>(&self) -> impl Fn(E) -> ApiError + '_ {
        |error| {
            let error: PageError = error.into();
            tracing::error!(%error, "an API call failed");
            self.failed(error.failure())
        }
    }
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let requested = language(&parts.headers);
        let scope = parts.extensions.get::<Scope>().cloned();
        let host = parts.extensions.get::<Host>().cloned();
        match (scope, host) {
            (Some(scope), Some(host)) => {
                let visitor = Visitor::of(&parts.headers, &parts.extensions);
                let lang = scope.entry.lang_or_default(requested);
                if let Some(failure) = Failure::of_state(scope.entry.site.state) {
                    return Err(ApiError::of(app, lang, failure));
                }
                // The host determines the site; an address that names another site is unknown here.
                if site_in_path(parts.uri.path()).is_some_and(|id| id != Some(scope.entry.site.id)) {
                    return Err(ApiError::of(app, lang, Failure::SiteUnknown));
                }
                let (app, headers) = (Arc::clone(app), parts.headers.clone());
                Ok(Self { app, scope, host, lang, headers, visitor, network: OnceLock::new(), rights: OnceCell::new() })
            }
            _ => Err(ApiError::of(app, requested.unwrap_or(Lang::Zh), Failure::SiteUnknown)),
        }
    }
}

/// A success with its payload, where the caller is no reader.
pub fn ok<T>(data: T) -> Json<Envelope<T>> {
    Json(Envelope { status: 0, data: Some(data), message: String::new() })
}

/// The text if it can be used in a query: PostgreSQL rejects the character U+0000 with an error.
pub fn storable(text: &str) -> Option<&str> {
    (!text.contains('\0')).then_some(text)
}

/// A failure in the envelope.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    code: i32,
    message: String,
    /// Seconds after which the request can be repeated.
    retry_after: Option<u64>,
}

impl ApiError {
    /// A failure whose envelope status is the HTTP status.
    #[must_use]
    pub fn new(status: StatusCode, message: &str) -> Self {
        Self { status, code: i32::from(status.as_u16()), message: message.to_owned(), retry_after: None }
    }

    /// A failure because of a limit (429 with `Retry-After`), with its message in the given language.
    #[must_use]
    pub fn too_often(app: &App, lang: Lang, refused: TooOften, key: &str) -> Self {
        let error = Self::new(Failure::TooOften.status(), app.messages.get(lang, key));
        Self { retry_after: Some(refused.retry_after), ..error }
    }

    /// A failure with its message in the given language.
    #[must_use]
    pub fn of(app: &App, lang: Lang, failure: Failure) -> Self {
        Self {
            status: failure.status(),
            code: failure.code(),
            message: app.messages.get(lang, failure.key()).to_owned(),
            retry_after: failure.retry_after(),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = Envelope::<()> { status: self.code, data: None, message: self.message };
        let mut response = (self.status, Json(body)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

/// The site that the address of a call names (`/rc-pub/front/site/{siteId}/...`): `None` if the address names none,
/// `Some(None)` if the segment is not a number.
pub fn site_in_path(path: &str) -> Option<Option<SiteId>> {
    let (id, _) = path.strip_prefix("/rc-pub/front/site/")?.split_once('/')?;
    Some(id.parse().ok().map(SiteId))
}

/// The requested language: from the header, else from the cookie; unknown codes are ignored.
pub(super) fn language(headers: &HeaderMap) -> Option<Lang> {
    let header =
        headers.get("language").and_then(|value| value.to_str().ok()).and_then(|code| code.trim().parse().ok());
    header.or_else(|| cookies::value(headers, "language").and_then(|code| code.parse().ok()))
}

/// The language of a failure that is raised before a handler runs.
pub fn failure_language(request: &Request) -> Lang {
    let requested = language(request.headers());
    let scope = request.extensions().get::<Scope>();
    scope.map_or_else(|| requested.unwrap_or(Lang::Zh), |scope| scope.entry.lang_or_default(requested))
}

/// The response to an unknown call.
pub async fn unknown(State(app): State<Arc<App>>, request: Request) -> ApiError {
    ApiError::of(&app, failure_language(&request), Failure::PageUnknown)
}

/// The response to a request that is rejected before a handler reads it.
pub fn refuse(app: &App, request: &Request, failure: Failure) -> Response {
    refuse_in(app, failure_language(request), failure)
}

/// The same in a language that is known already.
pub fn refuse_in(app: &App, lang: Lang, failure: Failure) -> Response {
    let mut response = ApiError::of(app, lang, failure).into_response();
    caching::complete(response.status(), response.headers_mut());
    response
}

/// Middleware that wraps failures raised before a handler (invalid parameters, another method) in the envelope, without
/// the parser's message, and completes the headers for caches.
pub async fn wrap(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let lang = failure_language(&request);
    let stamped = caching::is_stamped(request.uri().query());
    let mut response = in_envelope(&app, lang, next.run(request).await);
    if stamped {
        caching::keep_nowhere(response.headers_mut());
    }
    caching::complete(response.status(), response.headers_mut());
    response
}

/// Greatest length of the address of a request, path and query together, in bytes.
const MAX_ADDRESS: usize = 8 << 10;

/// The same as [`wrap`] around the whole service, for failures outside the calls: limits of size and time, panics. Also limits the
/// length of all addresses.
pub async fn wrap_all(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let inner = path.split_once('/').and_then(|(_, rest)| rest.split_once('/')).map_or("", |(_, rest)| rest);
    let is_call =
        [path.trim_start_matches('/'), inner].iter().any(|path| *path == "rc-pub" || path.starts_with("rc-pub/"));
    if request.uri().path_and_query().is_some_and(|address| address.as_str().len() > MAX_ADDRESS) {
        return if is_call {
            refuse(&app, &request, Failure::AddressTooLong)
        } else {
            // The site is not determined yet.
            error_page::lookup(&app, Place::default(), request.headers(), Failure::AddressTooLong)
        };
    }
    if !is_call {
        return next.run(request).await;
    }
    let lang = failure_language(&request);
    in_envelope(&app, lang, next.run(request).await)
}

/// Wraps an error response that is neither JSON nor a page in the envelope and keeps its `Allow` header; other responses are
/// returned unchanged.
fn in_envelope(app: &App, lang: Lang, response: Response) -> Response {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let complete = kind.starts_with("application/json") || kind.starts_with("text/html");
    if complete || !(status.is_client_error() || status.is_server_error()) {
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
