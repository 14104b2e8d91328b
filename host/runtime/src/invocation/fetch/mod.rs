//! HTTP on behalf of a plugin: to granted origins only, within limits, with secrets that the plugin never sees.
//!
//! A request passes the [`Gate`] (scheme, host, port), then its name is resolved at the moment of connecting and every
//! address found is judged: the connection goes to an address that was judged, not to one that a second question to
//! the resolver gave. Redirects are followed by hand, each through the same two checks.

mod address;
mod client;
mod credentials;
mod gate;
mod headers;
mod resolve;
#[cfg(test)]
mod tests;
mod tls;

use std::time::Duration;

pub use client::Fetcher;
pub use credentials::{Algorithm, Credential, Encoding, Form, Part, Place, Secrets};
pub use gate::Gate;
pub use resolve::{Resolver, SystemResolver};

/// What a plugin may use of the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpLimits {
    /// Requests of one plugin instance; redirects have a limit of their own.
    pub calls: u32,
    /// Bytes that one plugin instance may send and receive, summed over its requests.
    pub total_bytes: usize,
    /// Body of one request, with what credentials add to it.
    pub request_bytes: usize,
    /// Body of one response.
    pub response_bytes: usize,
    /// URL and headers of one request; headers of one response.
    pub header_bytes: usize,
    /// Redirects that one request follows.
    pub redirects: u32,
    /// For one request from the wait for its turn to the last byte of the body, redirects included.
    pub timeout: Duration,
    /// For one connection, from resolving the name to the end of the TLS handshake.
    pub connect_timeout: Duration,
    /// Requests that one plugin of one site has under way at the same time.
    pub concurrent_per_site: usize,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            calls: 5,
            total_bytes: 2 << 20,
            request_bytes: 256 << 10,
            response_bytes: 512 << 10,
            header_bytes: 16 << 10,
            redirects: 3,
            timeout: Duration::from_secs(10),
            connect_timeout: Duration::from_secs(3),
            concurrent_per_site: 8,
        }
    }
}

/// What a plugin instance has used of its limits so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meter {
    /// Requests, refused ones included.
    pub calls: u32,
    /// Bodies and headers in both directions.
    pub bytes: usize,
}

impl Meter {
    /// Counts bytes, and refuses those beyond the limit.
    fn add(&mut self, bytes: usize, limit: usize) -> Result<(), FetchError> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > limit {
            return Err(FetchError::TooLarge(format!(
                "all requests of the plugin together are more than {limit} bytes"
            )));
        }
        Ok(())
    }
}

/// The methods that a plugin can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// `GET`
    Get,
    /// `HEAD`
    Head,
    /// `POST`
    Post,
    /// `PUT`
    Put,
    /// `PATCH`
    Patch,
    /// `DELETE`
    Delete,
}

/// What a plugin asks for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// An absolute URL within the grants.
    pub url: String,
    /// Headers, apart from those that belong to the host (see `fetch/headers.rs`).
    pub headers: Vec<(String, String)>,
    /// The body; empty for `GET` and `HEAD`.
    pub body: Vec<u8>,
    /// Secrets that the host puts in, in this order.
    pub credentials: Vec<Credential>,
    /// Shorter than the limit, if the plugin wants to wait less.
    pub timeout: Option<Duration>,
}

/// What came back, after redirects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The status, whatever it is.
    pub status: u16,
    /// Headers, apart from cookies and those of the connection.
    pub headers: Vec<(String, String)>,
    /// The body as sent: the host asks for no compression and undoes none.
    pub body: Vec<u8>,
}

/// Why there is no response. The texts are for a plugin's author; none holds a secret or the query of a URL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The site does not let this plugin go there.
    #[error("not granted: {0}")]
    NotGranted(String),
    /// The name leads to an address that is not for plugins.
    #[error("address refused: {0}")]
    AddressRefused(String),
    /// The request makes no sense, or holds what only the host may set.
    #[error("invalid request: {0}")]
    Invalid(String),
    /// The site has no such secret.
    #[error("the site has no secret named {0:?}: its operator has to set it")]
    UnknownSecret(String),
    /// The site does not let this plugin use the secret.
    #[error("the secret {0:?} is not among what the site grants this plugin: add it to the grants of the plugin")]
    SecretNotGranted(String),
    /// More bytes than allowed.
    #[error("too large: {0}")]
    TooLarge(String),
    /// More requests than allowed.
    #[error("a plugin may make {0} HTTP requests while it serves one request")]
    TooManyCalls(u32),
    /// The redirects have no end, or a late one.
    #[error("more than {0} redirects")]
    TooManyRedirects(u32),
    /// It took too long.
    #[error("no complete answer within {0:?}")]
    Timeout(Duration),
    /// No connection, or a broken one.
    #[error("the connection failed: {0}")]
    Connect(String),
}
