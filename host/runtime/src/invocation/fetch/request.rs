//! A request and its response.

use std::time::Duration;

use super::{credentials::Credential, error::FetchError};

/// Usage of a plugin instance that counts towards its limits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FetchUsage {
    /// Number of requests, refused ones included.
    pub calls: u32,
    /// Bytes of bodies and headers in both directions.
    pub bytes: usize,
}

impl FetchUsage {
    /// Adds bytes; an error if the limit is exceeded.
    pub(super) fn add(&mut self, bytes: usize, limit: usize) -> Result<(), FetchError> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > limit {
            return Err(FetchError::TooLarge(format!(
                "all requests of the plugin together are more than {limit} bytes"
            )));
        }
        Ok(())
    }
}

/// The methods of requests.
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

/// The request of a plugin.
#[derive(Clone, Debug)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// An absolute URL within the grants.
    pub url: String,
    /// Headers, except those that only the host sets (see `fetch/headers.rs`).
    pub headers: Vec<(String, String)>,
    /// The body; empty for `GET` and `HEAD`.
    pub body: Vec<u8>,
    /// Secrets that the host adds, in this order.
    pub credentials: Vec<Credential>,
    /// Time for the whole request, if shorter than the limit.
    pub timeout: Option<Duration>,
}

/// The response, after redirects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// Headers, except cookies and those of the connection.
    pub headers: Vec<(String, String)>,
    /// The body as sent: the host neither requests nor decodes compression.
    pub body: Vec<u8>,
}
