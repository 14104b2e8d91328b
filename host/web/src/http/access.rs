//! The id of each request, and its line in the access log.
//!
//! The line has the path without the query, because queries hold search texts, and codes of sign-ins. A plugin's route is named without
//! what follows it, because services put secrets there.

use std::{
    pin::Pin,
    task::{self, Poll},
    time::Instant,
};

use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::{HeaderName, HeaderValue, Method},
    middleware::Next,
    response::Response,
};
use masthead_domain::text::hex;
use tracing::Instrument as _;

use crate::{
    client::{self, Connection},
    page::scheme,
};

/// The target of access lines, by which a filter of the log leaves them out: `access=off`.
pub const TARGET: &str = "access";
/// Greatest length of a path in a line, in characters.
const MAX_PATH: usize = 300;
/// Status in the line of a request whose client left before it was answered.
const CLIENT_LEFT: u16 = 499;
const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The short name of the site that a response is of. The middleware that resolves sites adds it.
#[derive(Clone, Debug)]
pub struct OfSite(pub String);

/// Middleware that gives each request an id, which responses, error pages and log lines have, and writes the access log. A trusted proxy
/// may have given the request its id.
pub async fn log(request: Request, next: Next) -> Response {
    let id = Connection::of_request(request.extensions()).request_id;
    let id = id.unwrap_or_else(|| hex(&rand::random::<[u8; 16]>()));
    let wanted = tracing::enabled!(target: TARGET, tracing::Level::INFO);
    let line = wanted.then(|| Line::new(&request, id.clone()));
    // Of the level of errors, so that their lines have the id whatever the filter of the log leaves out.
    let span = tracing::error_span!("request", id);
    // Pages without a frame, of which any part of the host may be the author, have the colours that the reader has chosen.
    let work = scheme::during(scheme::of_headers(request.headers()), next.run(request));
    let mut response = client::with_request_id(id.clone(), work).instrument(span).await;
    response.headers_mut().extend(HeaderValue::try_from(id).map(|id| (X_REQUEST_ID, id)));
    let Some(mut line) = line else { return response };
    line.status = response.status().as_u16();
    line.site = response.extensions().get::<OfSite>().map(|site| site.0.clone()).unwrap_or_default();
    response.map(|body| Body::new(Logged { body, line }))
}

/// A line of the access log. It is written when it is dropped: after the last byte, or when the client leaves.
struct Line {
    method: Method,
    path: String,
    id: String,
    started: Instant,
    status: u16,
    site: String,
    bytes: u64,
}

impl Line {
    fn new(request: &Request, id: String) -> Self {
        Self {
            method: request.method().clone(),
            path: shown(request.uri().path()),
            id,
            started: Instant::now(),
            status: CLIENT_LEFT,
            site: String::new(),
            bytes: 0,
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let Self { method, path, id, status, site, bytes, .. } = self;
        tracing::info!(target: TARGET, %method, path, status, bytes, ms, site, id, "request");
    }
}

/// A path as it is written into the log.
fn shown(path: &str) -> String {
    let of_plugin = path.find("/plugins/").map(|at| at + "/plugins/".len());
    let end = of_plugin.and_then(|at| Some(at + path.get(at..)?.find('/')?));
    let kept: String = path[..end.unwrap_or(path.len())].chars().take(MAX_PATH).collect();
    if kept.len() < path.len() { format!("{kept}/…") } else { kept }
}

/// The body of a response, whose bytes are counted.
struct Logged {
    body: Body,
    line: Line,
}

impl http_body::Body for Logged {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut task::Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &polled {
            self.line.bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_no_more_of_a_path_than_it_may() {
        for (path, expected) in [
            ("/en/article/17", "/en/article/17"),
            ("/en/plugins/hook/secret-token/x", "/en/plugins/hook/…"),
            ("/ocean/en/plugins/hook/secret", "/ocean/en/plugins/hook/…"),
            ("/en/plugins/hook", "/en/plugins/hook"),
        ] {
            assert_eq!(shown(path), expected, "{path}");
        }
        assert!(shown(&"/é".repeat(1000)).chars().count() < 310);
    }
}
