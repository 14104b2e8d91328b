//! The HTTP service: site resolution, routes, and the layers around them.

pub mod access;
pub mod admin_socket;
mod assets;
mod connections;
mod cover;
mod health;
mod in_process;
mod lingering_close;
mod media;
mod outage;
mod page;
mod plugins;
mod resolve;
mod security;
mod sign_in;
mod theme;

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{Extensions, HeaderMap, Method, StatusCode, Version, header},
    middleware::{self, Next},
    response::{IntoResponse as _, Response},
};
use masthead_config::Connections;
use tokio::net::TcpListener;
use tower::ServiceExt as _;
use tower_http::{
    catch_panic::CatchPanicLayer,
    compression::{
        CompressionLayer,
        predicate::{NotForContentType, Predicate as _, SizeAbove},
    },
    limit::RequestBodyLimit,
};

pub use self::health::{install as install_metrics, plugin_status};
pub use self::in_process::{InProcess, UncompressedAnswer};
use crate::{
    app::App,
    routing::{any, erased, get},
};
use crate::{discovery::stored_file, page::pipeline::error_page};

/// Greatest size of a request body outside the administrators' calls and of what members upload, in bytes.
const MAX_BODY: usize = 1 << 20;
/// Greatest size of a form with a picture that a member uploads, in bytes: the picture and what surrounds it.
const MAX_PICTURE_FORM: usize = masthead_accounts::pictures::MAX_BYTES + (64 << 10);
/// Time limit of a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);
/// The same while a member uploads a picture: five megabytes over a slow line.
const PICTURE_TIMEOUT: Duration = Duration::from_secs(120);

/// The application as one HTTP service.
pub fn router(app: Arc<App>) -> Router {
    let api = crate::api::router(&app);
    let inner = Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(health::metrics_or_page))
        .route("/assets/{*path}", get(assets::serve))
        .route("/media/{site}/{file}", get(media::serve))
        .route("/static/mobile/{file}", get(theme::serve))
        .route("/static/covers/{journal}", get(cover::of_journal))
        .route("/static/covers/{journal}/{year}/{issue}", get(cover::of_issue))
        .route("/errorPage", get(error_page::error_page))
        .route("/forbiddenPage", get(error_page::forbidden_page))
        .route("/favicon.ico", get(error_page::favicon))
        .route("/{lang}/plugins/{plugin}/{*path}", any(plugins::answer))
        .route("/{lang}/login/external", get(sign_in::start))
        .route("/{lang}/login/callback", get(sign_in::complete))
        .route("/{lang}/logout", get(sign_in::leave))
        .merge(crate::discovery::router())
        .merge(api)
        .fallback(erased(page::serve))
        .with_state(Arc::clone(&app));
    // The administrators' calls stay outside the limits on size and time: uploads are large and slow.
    let admin = crate::api::admin::router(&app)
        .layer(middleware::from_fn_with_state(Arc::clone(&app), outage::guard))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), security::check_unsafe_request))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), resolve::console))
        .layer(middleware::from_fn(health::measure))
        .layer(CatchPanicLayer::new());
    around(&app, admin.fallback_service(inside(&app, inner)))
        .layer(middleware::from_fn(access::log))
        .layer(middleware::from_fn_with_state(app, resolve::connection))
}

/// Wraps routes in the layers of all routes: security headers, site resolution, compression, limits, metrics.
pub fn stack(app: Arc<App>, inner: Router) -> Router {
    around(&app, inside(&app, inner))
}

/// The layers that every response passes, also those that other layers make.
fn around(app: &Arc<App>, inner: Router) -> Router {
    inner.layer(middleware::from_fn_with_state(Arc::clone(app), security::headers))
}

/// The layers of all routes except the administrators'.
fn inside(app: &Arc<App>, inner: Router) -> Router {
    let inner = inner.layer(middleware::from_fn_with_state(Arc::clone(app), security::check_unsafe_request));
    let inner = inner.layer(middleware::from_fn(ranges_of_get_only));
    let inner = inner.layer(middleware::from_fn_with_state(Arc::clone(app), outage::guard));
    // The site is resolved before routing, because resolution may remove the first segment of the path.
    let of_plain_bytes =
        |_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions| stored_file::may_be_compressed(headers);
    let predicate = SizeAbove::new(512).and(NotForContentType::IMAGES).and(of_plain_bytes);
    Router::new()
        .fallback_service(inner)
        .layer(middleware::from_fn_with_state(Arc::clone(app), resolve::site))
        .layer(
            CompressionLayer::new()
                .gzip(true)
                .br(true)
                .quality(tower_http::CompressionLevel::Fastest)
                .compress_when(predicate),
        )
        .layer(middleware::from_fn(limit_body))
        .layer(middleware::from_fn(limit_time))
        .layer(middleware::from_fn(health::measure))
        .layer(CatchPanicLayer::new())
        .layer(middleware::from_fn_with_state(Arc::clone(app), crate::api::wrap_all))
}

/// Whether a member uploads a picture. The path may still begin with the short name of the site.
fn brings_picture(request: &Request) -> bool {
    request.uri().path().ends_with(security::PICTURES)
}

/// Limits the time of a request.
async fn limit_time(request: Request, next: Next) -> Response {
    let most = if brings_picture(&request) { PICTURE_TIMEOUT } else { REQUEST_TIMEOUT };
    let done = tokio::time::timeout(most, next.run(request)).await;
    done.unwrap_or_else(|_| StatusCode::GATEWAY_TIMEOUT.into_response())
}

/// Limits the size of the body.
async fn limit_body(request: Request, next: Next) -> Response {
    let most = if brings_picture(&request) { MAX_PICTURE_FORM } else { MAX_BODY };
    let next = next.map_request(|request: axum::http::Request<_>| request.map(Body::new));
    match RequestBodyLimit::new(next, most).oneshot(request).await {
        Ok(response) => response.map(Body::new),
        Err(never) => match never {},
    }
}

/// A range has a meaning in a GET request only (RFC 9110, section 14.2).
async fn ranges_of_get_only(mut request: Request, next: Next) -> Response {
    if request.method() != Method::GET {
        request.headers_mut().remove(header::RANGE);
    }
    next.run(request).await
}

/// Serves readers on a listener until `stop` is ready and the pending requests are answered, or the time for this is over
/// ([`Connections`]). When it returns, no request is being handled any more, so that nothing is counted after it.
///
/// # Errors
/// The listener's error.
pub async fn serve(
    app: Arc<App>,
    listener: TcpListener,
    limits: Connections,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    app.outbox_workers.listens_on(listener.local_addr()?.port());
    connections::serve(router(app), listener, limits, stop).await
}

/// Serves the operator on a listener until the process ends: `/metrics`, `/readyz` with details, `/healthz`. Whoever can connect to
/// it can read them.
pub async fn serve_operator(app: Arc<App>, listener: TcpListener) {
    if let Err(error) = axum::serve(listener, health::operator_router(app)).await {
        tracing::error!(%error, "serving the operator's listener failed");
    }
}
