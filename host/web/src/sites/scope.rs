//! The site that a request concerns. Content is read through a [`Scope`] only.

use std::sync::Arc;

use axum::{
    extract::{FromRequestParts, OptionalFromRequestParts},
    http::{StatusCode, request::Parts},
    response::{IntoResponse, Response},
};

use crate::sites::SiteEntry;

/// The site that a request concerns and how the request named it. Handlers that read content take a `Scope`: there is
/// no other way to a site's store.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The site.
    pub entry: Arc<SiteEntry>,
    /// Prefix of the site's addresses: "" or `/<sld>`.
    pub base: String,
}

impl Scope {
    /// A site on a host that several sites share: its short name is the prefix of its addresses.
    #[must_use]
    pub fn on_shared_host(entry: &Arc<SiteEntry>) -> Self {
        Self { entry: Arc::clone(entry), base: format!("/{}", entry.site.sld) }
    }
}

/// Scheme and host of a request, as absolute addresses contain them.
#[derive(Clone, Debug)]
pub struct Host {
    /// `http://name:port` in lower case, without trailing slash; the port only if it is known and not the scheme's own.
    pub origin: String,
    /// Whether the first path segment has to name the site.
    pub in_path: bool,
}

impl Host {
    /// Whether the reader uses https: cookies are then `Secure`.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.origin.starts_with("https://")
    }
}

impl<S: Send + Sync> OptionalFromRequestParts<S> for Scope {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Option<Self>, Self::Rejection> {
        Ok(parts.extensions.get::<Self>().cloned())
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Host {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        parts.extensions.get::<Self>().cloned().ok_or_else(|| StatusCode::INTERNAL_SERVER_ERROR.into_response())
    }
}
