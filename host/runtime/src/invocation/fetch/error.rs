//! Errors of requests without a response.

use std::time::Duration;

/// Why there is no response. The texts are for a plugin's author; none contains a secret or the query of a URL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The site does not grant this origin.
    #[error("not granted: {0}")]
    NotGranted(String),
    /// The host name resolves to an address that plugins may not reach.
    #[error("address refused: {0}")]
    AddressRefused(String),
    /// The request is malformed, or sets a header that only the host may set.
    #[error("invalid request: {0}")]
    Invalid(String),
    /// The site has no such secret.
    #[error("the site has no secret named {0:?}: its operator has to set it")]
    UnknownSecret(String),
    /// The site does not grant this secret.
    #[error("the secret {0:?} is not among what the site grants this plugin: add it to the grants of the plugin")]
    SecretNotGranted(String),
    /// The site does not let this secret be sent to this origin.
    #[error(
        "the secret {secret:?} may not be sent to {origin}: name the origin with the secret in the grants of the plugin"
    )]
    SecretNotBound {
        /// The name of the secret.
        secret: String,
        /// The origin of the request.
        origin: String,
    },
    /// More bytes than the limit.
    #[error("too large: {0}")]
    TooLarge(String),
    /// More requests than the limit.
    #[error("a plugin may make {0} HTTP requests while it serves one request")]
    TooManyCalls(u32),
    /// More redirects than the limit.
    #[error("more than {0} redirects")]
    TooManyRedirects(u32),
    /// No complete response in time.
    #[error("no complete answer within {0:?}")]
    Timeout(Duration),
    /// The connection failed or was interrupted.
    #[error("the connection failed: {0}")]
    Connect(String),
}
