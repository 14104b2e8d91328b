//! The HTTP client: one [`Fetcher`] for each plugin of each site, so that no two share a connection.

use std::{error::Error, sync::Arc, time::Duration};

use reqwest::{
    Client, StatusCode,
    header::{CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_TYPE, HeaderMap, LOCATION},
    redirect::Policy,
};
use tokio::sync::{OnceCell, Semaphore};
use url::Url;

use super::{
    address::AddressScope,
    allowed_origins::{AllowedOrigins, Origin},
    credentials::{self, CredentialSecret, Outgoing, Secrets},
    error::FetchError,
    granted_secrets::GrantedSecrets,
    headers,
    request::{FetchUsage, Method, Request, Response},
    resolve::{Checked, Refused, Resolver},
    tls,
};
use crate::contract::limits::HttpLimits;

const USER_AGENT: &str = concat!("Masthead/", env!("CARGO_PKG_VERSION"));

/// Time after which idle connections are closed; short, because there may be a pool for each plugin of each site.
const IDLE: Duration = Duration::from_secs(30);

/// Sends the requests of one plugin of one site. It is cheap to create: nothing is opened or read before the first request.
pub struct Fetcher {
    allowed_origins: AllowedOrigins,
    secrets: GrantedSecrets,
    limits: HttpLimits,
    resolver: Arc<dyn Resolver>,
    concurrent: Semaphore,
    /// Clients for public and private hosts, each with and without TLS: they differ in the addresses that they may connect to.
    clients: [OnceCell<Client>; 4],
    #[cfg(test)]
    pub(super) trusted: Option<rustls::ClientConfig>,
}

impl Fetcher {
    /// Creates a client for these granted origins and secrets.
    pub fn new(
        allowed_origins: AllowedOrigins,
        granted_secrets: GrantedSecrets,
        limits: HttpLimits,
        resolver: Arc<dyn Resolver>,
    ) -> Self {
        Self {
            allowed_origins,
            secrets: granted_secrets,
            concurrent: Semaphore::new(limits.concurrent_per_site.min(Semaphore::MAX_PERMITS)),
            limits,
            resolver,
            clients: Default::default(),
            #[cfg(test)]
            trusted: None,
        }
    }

    /// Sends a request, follows its redirects, and reads the response to its end. Dropping the future cancels everything.
    ///
    /// # Errors
    ///
    /// [`FetchError`] if there is no complete response. A status of 400 and above is not an error.
    pub async fn fetch(
        &self,
        request: Request,
        secrets: &dyn Secrets,
        usage: &mut FetchUsage,
    ) -> Result<Response, FetchError> {
        if usage.calls >= self.limits.calls {
            return Err(FetchError::TooManyCalls(self.limits.calls));
        }
        usage.calls += 1;
        let timeout = request.timeout.map_or(self.limits.timeout, |requested| requested.min(self.limits.timeout));
        let answer = tokio::time::timeout(timeout, self.run(&request, secrets, usage)).await;
        answer.unwrap_or(Err(FetchError::Timeout(timeout)))
    }

    async fn run(
        &self,
        request: &Request,
        secrets: &dyn Secrets,
        usage: &mut FetchUsage,
    ) -> Result<Response, FetchError> {
        let mut hop = Hop::first(request)?;
        let (mut origin, mut scope) = self.allowed_origins.check(&hop.url)?;
        let mut keyed = credentials::look_up(&request.credentials, &self.secrets, &origin, secrets)?;
        let _permit = self.concurrent.acquire().await.map_err(|error| FetchError::Connect(error.to_string()))?;
        let mut followed = 0;
        loop {
            hop.url = without_dot(hop.url, &origin);
            let outgoing = hop.with(&keyed)?;
            let added = outgoing.added.clone();
            let response = self.send(hop.method, outgoing, &origin, scope, usage).await?;
            let Some(mut next) = target(&response, &hop.url, &origin)? else {
                return self.read(response, &origin, usage).await;
            };
            if followed >= self.limits.redirects {
                return Err(FetchError::TooManyRedirects(self.limits.redirects));
            }
            followed += 1;
            credentials::take_out(&mut next, &added);
            let (to, to_scope) = self.allowed_origins.check(&next).map_err(|error| after(&origin, error))?;
            if to.is_clear_text() && !origin.is_clear_text() {
                let why = format!("{to} has no encryption, which a redirect from https must keep");
                return Err(after(&origin, FetchError::NotGranted(why)));
            }
            // Removed for the rest of the chain, because the plugin named credentials for the first origin only.
            if to != origin {
                keyed.clear();
            }
            if hop.turn(response.status(), next) {
                keyed.retain(|keyed| !keyed.is_in_body());
            }
            (origin, scope) = (to, to_scope);
        }
    }

    async fn send(
        &self,
        method: Method,
        outgoing: Outgoing,
        origin: &Origin,
        scope: AddressScope,
        usage: &mut FetchUsage,
    ) -> Result<reqwest::Response, FetchError> {
        let limits = &self.limits;
        let head = outgoing.url.as_str().len() + headers::size(&outgoing.headers);
        if head > limits.header_bytes {
            let limit = limits.header_bytes;
            return Err(FetchError::TooLarge(format!("URL and headers of the request are more than {limit} bytes")));
        }
        if outgoing.body.len() > limits.request_bytes {
            let limit = limits.request_bytes;
            return Err(FetchError::TooLarge(format!("the body of the request has more than {limit} bytes")));
        }
        usage.add(head + outgoing.body.len(), limits.total_bytes)?;
        let mut request = reqwest::Request::new(method.into(), outgoing.url);
        *request.headers_mut() = outgoing.headers;
        // No content-length without a body, except for methods for which servers expect `content-length: 0`.
        if !outgoing.body.is_empty() || matches!(method, Method::Post | Method::Put | Method::Patch) {
            *request.body_mut() = Some(outgoing.body.into());
        }
        let client = self.client(origin, scope).await?;
        let response = client.execute(request).await.map_err(|error| self.failure(error, origin))?;
        let size = headers::size(response.headers());
        if size > limits.header_bytes {
            let limit = limits.header_bytes;
            return Err(FetchError::TooLarge(format!("{origin} answers with more than {limit} bytes of headers")));
        }
        usage.add(size, limits.total_bytes)?;
        Ok(response)
    }

    async fn read(
        &self,
        mut response: reqwest::Response,
        origin: &Origin,
        usage: &mut FetchUsage,
    ) -> Result<Response, FetchError> {
        let limit = self.limits.response_bytes;
        let too_large = || FetchError::TooLarge(format!("{origin} answers with more than {limit} bytes"));
        if response.content_length().is_some_and(|length| length > limit as u64) {
            return Err(too_large());
        }
        let (status, headers) = (response.status().as_u16(), headers::shown(response.headers()));
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.failure(error, origin))? {
            usage.add(chunk.len(), self.limits.total_bytes)?;
            if body.len() + chunk.len() > limit {
                return Err(too_large());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Response { status, headers, body })
    }

    async fn client(&self, origin: &Origin, scope: AddressScope) -> Result<&Client, FetchError> {
        let clear = origin.is_clear_text();
        let index = usize::from(scope == AddressScope::Private) * 2 + usize::from(clear);
        let made = self.clients[index].get_or_try_init(|| async {
            let tls = if clear { tls::nobody() } else { self.tls().await }?;
            Client::builder()
                .tls_backend_preconfigured(tls)
                .https_only(!clear)
                .http1_only()
                .dns_resolver(Checked { resolver: Arc::clone(&self.resolver), scope })
                .redirect(Policy::none())
                .retry(reqwest::retry::never())
                .no_proxy()
                .referer(false)
                .user_agent(USER_AGENT)
                .connect_timeout(self.limits.connect_timeout)
                .pool_idle_timeout(IDLE)
                .pool_max_idle_per_host(self.limits.concurrent_per_site)
                .build()
                .map_err(|error| innermost(&error))
        });
        made.await.map_err(|why: String| FetchError::Connect(format!("{origin}: the host has no HTTP client: {why}")))
    }

    async fn tls(&self) -> Result<rustls::ClientConfig, String> {
        #[cfg(test)]
        if let Some(trusted) = &self.trusted {
            return Ok(trusted.clone());
        }
        tls::machine().await
    }

    /// The client's error without the URL, which may contain credentials.
    fn failure(&self, error: reqwest::Error, origin: &Origin) -> FetchError {
        let error = error.without_url();
        let mut source = error.source();
        while let Some(inner) = source {
            if let Some(refused) = inner.downcast_ref::<Refused>() {
                return FetchError::AddressRefused(refused.to_string());
            }
            source = inner.source();
        }
        if error.is_connect() && error.is_timeout() {
            return FetchError::Timeout(self.limits.connect_timeout);
        }
        FetchError::Connect(format!("{origin}: {}", innermost(&error)))
    }
}

/// The next request, before credentials are added.
struct Hop<'a> {
    method: Method,
    url: Url,
    headers: HeaderMap,
    body: &'a [u8],
}

impl<'a> Hop<'a> {
    fn first(request: &'a Request) -> Result<Self, FetchError> {
        let mut url = Url::parse(&request.url)
            .map_err(|error| FetchError::Invalid(format!("the URL cannot be read ({error}); it has to be absolute")))?;
        url.set_fragment(None);
        let bodiless = matches!(request.method, Method::Get | Method::Head);
        if bodiless && (!request.body.is_empty() || credentials::any_in_body(&request.credentials)) {
            return Err(FetchError::Invalid("GET and HEAD have no body; use POST".to_owned()));
        }
        Ok(Self { method: request.method, url, headers: headers::read(&request.headers)?, body: &request.body })
    }

    fn with(&self, keyed: &[CredentialSecret<'_>]) -> Result<Outgoing, FetchError> {
        let (url, headers) = (self.url.clone(), self.headers.clone());
        let mut outgoing = Outgoing { url, headers, body: self.body.to_vec(), added: Vec::new() };
        credentials::apply(keyed, &mut outgoing)?;
        Ok(outgoing)
    }

    /// Follows a redirect; returns whether the request loses its body.
    fn turn(&mut self, status: StatusCode, next: Url) -> bool {
        self.url = next;
        let becomes_get = match status {
            StatusCode::SEE_OTHER => !matches!(self.method, Method::Get | Method::Head),
            StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND => self.method == Method::Post,
            _ => false,
        };
        if becomes_get {
            self.method = Method::Get;
            self.body = &[];
            for name in [CONTENT_TYPE, CONTENT_ENCODING, CONTENT_LANGUAGE] {
                self.headers.remove(name);
            }
        }
        becomes_get
    }
}

/// The target of a redirect, relative to the URL without credentials.
fn target(response: &reqwest::Response, from: &Url, origin: &Origin) -> Result<Option<Url>, FetchError> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(location) = response.headers().get(LOCATION) else { return Ok(None) };
    let next = location.to_str().ok().and_then(|location| from.join(location).ok());
    let mut next = next.ok_or_else(|| FetchError::Connect(format!("{origin} redirects to an invalid URL")))?;
    next.set_fragment(None);
    Ok(Some(next))
}

/// Removes the trailing dot of a host name: with it, `Host` and the certificate would name another host.
fn without_dot(mut url: Url, origin: &Origin) -> Url {
    if url.host_str().is_some_and(|host| host.ends_with('.')) && url.set_host(Some(origin.host())).is_err() {
        tracing::debug!(%origin, "a trailing dot could not be removed");
    }
    url
}

fn after(origin: &Origin, error: FetchError) -> FetchError {
    let text = |text| format!("{origin} redirects there: {text}");
    match error {
        FetchError::NotGranted(why) => FetchError::NotGranted(text(why)),
        FetchError::AddressRefused(why) => FetchError::AddressRefused(text(why)),
        FetchError::Invalid(why) => FetchError::Invalid(text(why)),
        other => other,
    }
}

/// The innermost cause: "Connection refused", "invalid peer certificate".
fn innermost(error: &dyn Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}

impl From<Method> for reqwest::Method {
    fn from(method: Method) -> Self {
        match method {
            Method::Get => Self::GET,
            Method::Head => Self::HEAD,
            Method::Post => Self::POST,
            Method::Put => Self::PUT,
            Method::Patch => Self::PATCH,
            Method::Delete => Self::DELETE,
        }
    }
}
