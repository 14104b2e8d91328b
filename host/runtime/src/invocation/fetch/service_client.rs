//! HTTP on behalf of the host itself, to the servers of one outside service, such as an identity provider: its own address is named by an
//! administrator, and it names further servers itself (the token endpoint, its keys). The same address checks as for plugins.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use masthead_domain::plugin_use::SecretGrant;
use url::Url;

use super::{
    allowed_origins::{AllowedOrigins, Origin},
    client::Fetcher,
    credentials::{Credential, CredentialPlace, Form, Secrets},
    error::FetchError,
    granted_secrets::GrantedSecrets,
    host_client::{HostFetchError, HostLimits},
    request::{FetchUsage, Method, Request, Response},
    resolve::{Resolver, SystemResolver},
};
use crate::contract::limits::HttpLimits;

/// Servers of one service. A service that names more, each time another one, would otherwise fill the memory with clients.
const SERVERS: usize = 8;
/// Bytes of URL and headers; tokens in a header may be long.
const HEADER_BYTES: usize = 32 << 10;
/// Bytes of the body of a request.
const REQUEST_BYTES: usize = 64 << 10;
/// Requests to one server at the same time; further ones wait for their turn, which counts in their time.
const CONCURRENT: usize = 16;
/// The name under which the header `authorization` passes the checks of secrets.
const AUTHORIZATION: &str = "authorization";

/// Sends requests to the servers of one service.
///
/// Every request goes over https; clear text is for IP addresses of this machine only. Redirects are not followed: what a request carries
/// is meant for the server that it names. Addresses of the operator's own network are contacted only for the origin of the service's own
/// address, and only if the caller allows it: what the service names itself has to be public.
pub struct ServiceClient {
    /// The origin that may be in the operator's own network.
    own: Option<Origin>,
    limits: HostLimits,
    resolver: Arc<dyn Resolver>,
    fetchers: Mutex<BTreeMap<Origin, Arc<Fetcher>>>,
}

/// A request to a service. Without `Debug`, so that no log can show what it carries.
pub struct ServiceRequest {
    /// The absolute address.
    pub url: String,
    /// Headers, except `authorization` and those that only the host sets.
    pub headers: Vec<(String, String)>,
    /// The value of the header `authorization`, or "".
    pub authorization: String,
    /// The body of a POST request; without one, the request is a GET.
    pub body: Option<Vec<u8>>,
}

/// The response of a service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceResponse {
    /// The status.
    pub status: u16,
    /// Headers, except cookies and those of the connection.
    pub headers: Vec<(String, String)>,
    /// The body as sent.
    pub body: Vec<u8>,
}

/// The header `authorization` of one request.
struct Given<'a>(&'a str);

impl Secrets for Given<'_> {
    fn get(&self, name: &str) -> Option<String> {
        (name == AUTHORIZATION).then(|| self.0.to_owned())
    }
}

impl ServiceClient {
    /// A client for the servers of the service with this address; `private` allows that this address is in the operator's own network.
    ///
    /// # Errors
    /// [`HostFetchError`], if the address cannot be used.
    pub fn new(base: &str, private: bool, limits: HostLimits) -> Result<Self, HostFetchError> {
        Self::with_resolver(base, private, limits, Arc::new(SystemResolver))
    }

    pub(super) fn with_resolver(
        base: &str,
        private: bool,
        limits: HostLimits,
        resolver: Arc<dyn Resolver>,
    ) -> Result<Self, HostFetchError> {
        let origin = origin(base)?;
        let client = Self { own: private.then(|| origin.clone()), limits, resolver, fetchers: Mutex::default() };
        client.fetcher(&origin)?;
        Ok(client)
    }

    /// Sends a request and reads the response to its end.
    ///
    /// # Errors
    /// [`HostFetchError`] if there is no complete response. A status of 400 and above is not an error.
    pub async fn send(&self, request: ServiceRequest) -> Result<ServiceResponse, HostFetchError> {
        let origin = origin(&request.url)?;
        let fetcher = self.fetcher(&origin)?;
        let secret = AUTHORIZATION.to_owned();
        let form = Form::Plain { prefix: String::new() };
        let credential = Credential { secret: secret.clone(), place: CredentialPlace::Header(secret), form };
        let outgoing = Request {
            method: if request.body.is_some() { Method::Post } else { Method::Get },
            url: request.url,
            headers: request.headers,
            body: request.body.unwrap_or_default(),
            credentials: if request.authorization.is_empty() { Vec::new() } else { vec![credential] },
            timeout: None,
        };
        let sent = fetcher.fetch(outgoing, &Given(&request.authorization), &mut FetchUsage::default()).await;
        let Response { status, headers, body } = sent.map_err(|error| self.failure(&origin, error))?;
        Ok(ServiceResponse { status, headers, body })
    }

    /// The client of a server.
    fn fetcher(&self, origin: &Origin) -> Result<Arc<Fetcher>, HostFetchError> {
        // Nothing panics while the lock is held, and a map of clients has no state in between.
        let mut fetchers = self.fetchers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(fetcher) = fetchers.get(origin) {
            return Ok(Arc::clone(fetcher));
        }
        if fetchers.len() >= SERVERS {
            return Err(HostFetchError::Failed(format!(
                "{origin} is not contacted: the service has named {SERVERS} other servers already"
            )));
        }
        let fetcher = Arc::new(self.open(origin)?);
        fetchers.insert(origin.clone(), Arc::clone(&fetcher));
        Ok(fetcher)
    }

    fn open(&self, origin: &Origin) -> Result<Fetcher, HostFetchError> {
        if !origin.keeps_secrets() {
            let why = "it has no encryption; use https";
            return Err(HostFetchError::Address(format!("the address {origin} cannot be used: {why}")));
        }
        let (own, named) = (self.is_own(origin), vec![origin.to_string()]);
        let (public, private) = if own { (Vec::new(), named.clone()) } else { (named.clone(), Vec::new()) };
        let allowed = AllowedOrigins::parse(&public, &private).map_err(|_| refused(origin, own))?;
        let grant = SecretGrant::Bound { name: AUTHORIZATION.to_owned(), origins: named };
        let secrets = GrantedSecrets::bind(&[grant], &allowed).map_err(HostFetchError::Address)?;
        let response_bytes = self.limits.response_bytes;
        let limits = HttpLimits {
            calls: 1,
            total_bytes: response_bytes.saturating_add(HEADER_BYTES * 2 + REQUEST_BYTES),
            request_bytes: REQUEST_BYTES,
            response_bytes,
            header_bytes: HEADER_BYTES,
            redirects: 0,
            timeout: self.limits.timeout,
            connect_timeout: self.limits.connect_timeout,
            concurrent_per_site: CONCURRENT,
        };
        Ok(Fetcher::new(allowed, secrets, limits, Arc::clone(&self.resolver)))
    }

    fn is_own(&self, origin: &Origin) -> bool {
        self.own.as_ref() == Some(origin)
    }

    /// The error in the words of the host: those of [`FetchError`] are for the author of a plugin.
    fn failure(&self, origin: &Origin, error: FetchError) -> HostFetchError {
        match error {
            FetchError::AddressRefused(_) => refused(origin, self.is_own(origin)),
            FetchError::TooManyRedirects(_) => HostFetchError::Failed(format!(
                "{origin} redirects, which is not followed; name the address it leads to"
            )),
            other => HostFetchError::Failed(other.to_string()),
        }
    }
}

fn origin(address: &str) -> Result<Origin, HostFetchError> {
    let wrong = |why: &str| HostFetchError::Address(format!("the address {address:?} cannot be used: {why}"));
    let url = Url::parse(address).map_err(|error| wrong(&error.to_string()))?;
    Origin::of(&url).map_err(wrong)
}

fn refused(origin: &Origin, own: bool) -> HostFetchError {
    if own { HostFetchError::Forbidden(origin.to_string()) } else { HostFetchError::Private(origin.to_string()) }
}
