//! The HTTP service: site resolution, routes, and the layers around them.

pub mod admin_socket;
mod assets;
mod health;
mod media;
mod page;
mod plugins;
mod resolve;
mod security;
mod sign_in;
mod theme;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    Router, middleware,
    routing::{any, get},
};
use tokio::net::TcpListener;
use tower_http::{
    catch_panic::CatchPanicLayer,
    compression::{
        CompressionLayer,
        predicate::{NotForContentType, Predicate as _, SizeAbove},
    },
    limit::RequestBodyLimitLayer,
    timeout::TimeoutLayer,
};

pub use self::health::{install as install_metrics, plugin_status};
use crate::app::App;
use crate::page::error_page;

/// Greatest size of a request body outside the administrators' calls, in bytes.
const MAX_BODY: usize = 1 << 20;
/// Time limit of a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);

/// The application as one HTTP service.
pub fn router(app: Arc<App>) -> Router {
    let api = crate::api::router(&app);
    let inner = Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(health::metrics))
        .route("/assets/{*path}", get(assets::serve))
        .route("/media/{site}/{file}", get(media::serve))
        .route("/static/mobile/{file}", get(theme::serve))
        .route("/errorPage", get(error_page::error_page))
        .route("/forbiddenPage", get(error_page::forbidden_page))
        .route("/favicon.ico", get(error_page::favicon))
        .route("/{lang}/plugins/{plugin}/{*path}", any(plugins::answer))
        .route("/{lang}/login/external", get(sign_in::start))
        .route("/{lang}/login/callback", get(sign_in::complete))
        .route("/{lang}/logout", get(sign_in::leave))
        .merge(crate::discovery::router())
        .merge(api)
        .fallback(page::serve)
        .with_state(Arc::clone(&app));
    // The administrators' calls stay outside the limits on size and time: uploads are large and slow.
    crate::api::admin::router(&app)
        .layer(middleware::from_fn(security::headers))
        .layer(middleware::from_fn(health::measure))
        .layer(CatchPanicLayer::new())
        .fallback_service(stack(Arc::clone(&app), inner))
        .layer(middleware::from_fn_with_state(app, resolve::connection))
}

/// Wraps routes in the common layers: site resolution, compression, limits, metrics.
pub fn stack(app: Arc<App>, inner: Router) -> Router {
    let inner = inner.layer(middleware::from_fn(security::headers));
    // The site is resolved before routing, because resolution may remove the first segment of the path.
    let predicate = SizeAbove::new(512).and(NotForContentType::IMAGES);
    Router::new()
        .fallback_service(inner)
        .layer(middleware::from_fn_with_state(Arc::clone(&app), resolve::site))
        .layer(
            CompressionLayer::new()
                .gzip(true)
                .br(true)
                .quality(tower_http::CompressionLevel::Fastest)
                .compress_when(predicate),
        )
        .layer(RequestBodyLimitLayer::new(MAX_BODY))
        .layer(TimeoutLayer::with_status_code(axum::http::StatusCode::GATEWAY_TIMEOUT, REQUEST_TIMEOUT))
        .layer(middleware::from_fn(health::measure))
        .layer(CatchPanicLayer::new())
        .layer(middleware::from_fn_with_state(app, crate::api::wrap_all))
}

/// Serves requests on a listener until `stop` is ready and the pending requests are answered.
///
/// # Errors
/// The listener's error.
pub async fn serve(
    app: Arc<App>,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let service = router(app).into_make_service_with_connect_info::<SocketAddr>();
    axum::serve(listener, service).with_graceful_shutdown(stop).await
}
