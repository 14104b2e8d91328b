//! HTTP on behalf of the host itself, to one server that an administrator named: the same address checks and limits as for
//! plugins, without grants and secrets.

use std::{sync::Arc, time::Duration};

use url::Url;

use super::{
    allowed_origins::{AllowedOrigins, Origin},
    client::Fetcher,
    credentials::Secrets,
    error::FetchError,
    granted_secrets::GrantedSecrets,
    request::{FetchUsage, Method, Request, Response},
    resolve::{Resolver, SystemResolver},
};
use crate::contract::limits::HttpLimits;

/// Redirects that one request follows.
const REDIRECTS: u32 = 3;
/// Bytes of URL and headers. Tokens in the URL of a list may be long.
const HEADER_BYTES: usize = 64 << 10;

/// Sends GET requests to one server.
///
/// Redirects are followed on the same server only, and from http to https of the same host. Addresses of the operator's own
/// network are refused unless the caller allows them; metadata services of clouds and link-local addresses always are.
pub struct HostClient {
    base: Url,
    private: bool,
    fetcher: Fetcher,
}

/// Limits of a request of the host.
#[derive(Clone, Copy, Debug)]
pub struct HostLimits {
    /// Bytes of the body of a response.
    pub response_bytes: usize,
    /// Time for one request, to the last byte of the body.
    pub timeout: Duration,
    /// Time for one connection.
    pub connect_timeout: Duration,
}

/// A response to the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostResponse {
    /// The status.
    pub status: u16,
    /// The value of `Retry-After`, or "".
    pub retry_after: String,
    /// The body as sent.
    pub body: Vec<u8>,
}

/// Why the host has no response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostFetchError {
    /// The address of the server cannot be used.
    #[error("{0}")]
    Address(String),
    /// The server is in the operator's own network, which the caller does not allow.
    #[error("{0} has an address in a private network")]
    Private(String),
    /// The server has an address that no request may go to.
    #[error("{0} has an address that is never contacted: link-local, reserved, or a metadata service of a cloud")]
    Forbidden(String),
    /// The server redirects to another server.
    #[error("{0} redirects to another server, which is not followed; give the address of that server")]
    Redirect(String),
    /// There is no complete response.
    #[error("{0}")]
    Failed(String),
}

struct NoSecrets;

impl Secrets for NoSecrets {
    fn get(&self, _: &str) -> Option<String> {
        None
    }
}

impl HostClient {
    /// A client for the server of this address, which may have a path and a query.
    ///
    /// # Errors
    /// [`HostFetchError`], if the address is not one of http or https, or its host is an IP address that is not allowed.
    pub fn new(base: &str, private: bool, limits: HostLimits) -> Result<Self, HostFetchError> {
        Self::with_resolver(base, private, limits, Arc::new(SystemResolver))
    }

    pub(super) fn with_resolver(
        base: &str,
        private: bool,
        limits: HostLimits,
        resolver: Arc<dyn Resolver>,
    ) -> Result<Self, HostFetchError> {
        let wrong = |why: &str| HostFetchError::Address(format!("the address {base:?} cannot be used: {why}"));
        let base = Url::parse(base).map_err(|error| wrong(&error.to_string()))?;
        let origin = Origin::of(&base).map_err(wrong)?;
        let mut origins = vec![origin.to_string()];
        if origin.is_clear_text() && base.port().is_none() {
            origins.push(format!("https://{}", origin.host()));
        }
        let (public, own) = if private { (Vec::new(), origins) } else { (origins, Vec::new()) };
        let allowed = AllowedOrigins::parse(&public, &own).map_err(|_| refused(&origin.to_string(), private))?;
        let limits = HttpLimits {
            calls: 1,
            // The only sum over requests is that of one request with its redirects.
            total_bytes: limits.response_bytes.saturating_add(HEADER_BYTES * 2 * (REDIRECTS as usize + 1)),
            request_bytes: 0,
            response_bytes: limits.response_bytes,
            header_bytes: HEADER_BYTES,
            redirects: REDIRECTS,
            timeout: limits.timeout,
            connect_timeout: limits.connect_timeout,
            concurrent_per_site: 1,
        };
        Ok(Self { base, private, fetcher: Fetcher::new(allowed, GrantedSecrets::default(), limits, resolver) })
    }

    /// Gets the server's address with these parameters added to its query.
    ///
    /// # Errors
    /// [`HostFetchError`] if there is no complete response. A status of 400 and above is not an error.
    pub async fn get(&self, parameters: &[(&str, &str)]) -> Result<HostResponse, HostFetchError> {
        let mut url = self.base.clone();
        if !parameters.is_empty() {
            url.query_pairs_mut().extend_pairs(parameters);
        }
        let request = Request {
            method: Method::Get,
            url: url.to_string(),
            headers: Vec::new(),
            body: Vec::new(),
            credentials: Vec::new(),
            timeout: None,
        };
        let response = self.fetcher.fetch(request, &NoSecrets, &mut FetchUsage::default()).await;
        let Response { status, headers, body } = response.map_err(|error| self.failure(error))?;
        let retry_after = headers.into_iter().find(|(name, _)| name == "retry-after");
        Ok(HostResponse { status, retry_after: retry_after.map(|(_, value)| value).unwrap_or_default(), body })
    }

    /// The error in the words of the host: those of [`FetchError`] are for the author of a plugin.
    fn failure(&self, error: FetchError) -> HostFetchError {
        let server = self.base.host_str().unwrap_or_default().to_owned();
        match error {
            FetchError::AddressRefused(_) => refused(&server, self.private),
            FetchError::NotGranted(_) => HostFetchError::Redirect(server),
            other => HostFetchError::Failed(other.to_string()),
        }
    }
}

fn refused(server: &str, private: bool) -> HostFetchError {
    if private { HostFetchError::Forbidden(server.to_owned()) } else { HostFetchError::Private(server.to_owned()) }
}
