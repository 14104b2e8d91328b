//! Requests to the application without a connection, for commands that look at a site as its readers see it.

use std::sync::Arc;

use anyhow::Context as _;
use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Request, header},
};
use tower::ServiceExt as _;

use crate::{app::App, http::router, sites::SiteEntry};

/// A robot by its name, so that its views are not counted.
const USER_AGENT: &str = concat!("masthead-bot/", env!("CARGO_PKG_VERSION"));

/// The application, asked for the pages of one site.
pub struct InProcess {
    router: Router,
    host: String,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UncompressedAnswer {
    /// The status.
    pub status: u16,
    /// The body, not compressed.
    pub body: Vec<u8>,
}

impl InProcess {
    /// The application for a site, under the name of its canonical host.
    #[must_use]
    pub fn new(app: &Arc<App>, site: &SiteEntry) -> Self {
        let address = app.address(site, site.site.default_lang());
        let host = address.split_once("://").map_or(address.as_str(), |(_, rest)| rest);
        let host = host.split('/').next().unwrap_or_default().to_owned();
        Self { router: router(Arc::clone(app)), host }
    }

    /// The name of the host, with a port if it has one.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Gets a path, with a query if it has one.
    ///
    /// # Errors
    /// A message, if the path is no path of a request.
    pub async fn get(&self, path: &str) -> anyhow::Result<UncompressedAnswer> {
        let request = Request::get(path)
            .header(header::HOST, &self.host)
            .header(header::USER_AGENT, USER_AGENT)
            .body(Body::empty())
            .with_context(|| format!("asking for {path}"))?;
        let Ok(response) = self.router.clone().oneshot(request).await;
        let status = response.status().as_u16();
        let body = to_bytes(response.into_body(), usize::MAX).await.with_context(|| format!("reading {path}"))?;
        Ok(UncompressedAnswer { status, body: body.to_vec() })
    }
}
