//! HTTP on behalf of a plugin: to granted origins only, within limits, with secrets that the plugin never sees and that only the
//! origins which the site names for them receive; and, with the same checks of addresses, on behalf of the host ([`HostClient`],
//! [`ServiceClient`]).
//!
//! A request first passes the [`AllowedOrigins`] (scheme, host, port). Its host name is resolved when the client connects, and
//! every resolved address is checked: the connection goes to a checked address, not to the result of a second lookup. Redirects
//! are followed by this module, not by the HTTP client, each through the same two checks.

mod address;
mod allowed_origins;
mod client;
mod credentials;

mod error;
mod granted_secrets;
mod headers;
mod host_client;
mod request;
mod resolve;
mod service_client;
#[cfg(test)]
mod tests;
mod tls;

pub use allowed_origins::AllowedOrigins;
pub use client::Fetcher;
pub use credentials::{Algorithm, Credential, CredentialPlace, DigestPart, Encoding, Form, Secrets};
pub use error::FetchError;
pub use granted_secrets::GrantedSecrets;
pub use host_client::{HostClient, HostFetchError, HostLimits, HostResponse};
pub use request::{FetchUsage, Method, Request, Response};
pub use resolve::{Resolver, SystemResolver};
pub use service_client::{ServiceClient, ServiceRequest, ServiceResponse};
