//! The operator's interface of a running host: HTTP over a Unix socket in the data folder, which only the host's user
//! may open. It has metrics and readiness, too: `curl --unix-socket data/admin.sock http://host/readyz`.

use std::{
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::Arc,
};

use axum::{
    Json, Router,
    extract::{Path as Segment, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use masthead_domain::SiteId;
use masthead_runtime::{CanaryStatus, HookUsage, system_clock};
use serde_json::{Value, json};
use tokio::net::{UnixListener, UnixStream};

use crate::{
    app::App,
    routing::{get, post},
};

/// Name of the socket in the data folder.
pub const SOCKET: &str = "admin.sock";

/// Opens the socket. A stale socket of a killed process is replaced; a socket on which another host answers is an
/// error.
///
/// # Errors
/// A message for the operator: another host is running, or the socket cannot be opened.
pub async fn open(data: &Path) -> anyhow::Result<UnixListener> {
    let path = data.join(SOCKET);
    if UnixStream::connect(&path).await.is_ok() {
        anyhow::bail!("another host serves from {}: stop it, or use another data folder", data.display());
    }
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            anyhow::bail!("removing the old socket {}: {error}", path.display());
        }
        _ => {}
    }
    let listener =
        UnixListener::bind(&path).map_err(|error| anyhow::anyhow!("opening the socket {}: {error}", path.display()))?;
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600))?;
    Ok(listener)
}

/// Serves requests on the socket until the process ends.
pub async fn serve(app: Arc<App>, listener: UnixListener) {
    let router = Router::new()
        .route("/costs", get(costs))
        .route("/canaries", get(canaries))
        .route("/plugins", get(plugins))
        .route("/plugin-folders", get(plugin_folders))
        .route("/reload", post(reload))
        .route("/deliveries/{site}", get(deliveries))
        .route("/deliveries/{site}/{id}/requeue", post(requeue))
        .with_state(Arc::clone(&app))
        .merge(crate::http::health::operator_router(app));
    if let Err(error) = axum::serve(listener, router).await {
        tracing::error!(%error, "serving the operator's socket failed");
    }
}

async fn costs(State(app): State<Arc<App>>) -> Json<Vec<HookUsage>> {
    Json(app.runtime.hook_usage())
}

async fn canaries(State(app): State<Arc<App>>) -> Json<Vec<CanaryStatus>> {
    Json(app.sites.load().iter().flat_map(|entry| entry.chain.canaries()).collect())
}

async fn plugins(State(app): State<Arc<App>>) -> Json<Value> {
    let table = app.sites.load();
    let sites = table.iter().map(|entry| {
        let status = entry.chain.status();
        let plugins: Vec<_> =
            status.iter().map(|plugin| crate::http::health::plugin_status(plugin, table.catalog())).collect();
        let problems: Vec<_> = entry.chain.problems().iter().map(ToString::to_string).collect();
        (entry.site.sld.clone(), json!({ "plugins": plugins, "problems": problems }))
    });
    Json(Value::Object(sites.collect()))
}

/// The folders with additional plugins, for commands that run in another folder than the host.
async fn plugin_folders(State(app): State<Arc<App>>) -> Json<Vec<PathBuf>> {
    let folders = app.plugin_folders.iter();
    Json(folders.map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.clone())).collect())
}

/// Reads configuration, plugins and secrets again: files in the data folder are not watched.
async fn reload(State(app): State<Arc<App>>) -> Json<Value> {
    app.reload().await;
    let refused = app.rejected.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
    Json(json!({ "refused": refused, "problems": app.sites.load().problems }))
}

async fn deliveries(State(app): State<Arc<App>>, Segment(site): Segment<i64>) -> Response {
    match app.store.site(SiteId(site)).deliveries(500).await {
        Ok(all) => {
            let shown = all.iter().map(|one| {
                json!({
                    "id": one.id, "plugin": one.plugin, "event": one.event, "state": format!("{:?}", one.state).to_lowercase(),
                    "attempts": one.attempts, "nextAtMs": one.next_at_ms, "error": one.error,
                })
            });
            Json(Value::Array(shown.collect())).into_response()
        }
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

async fn requeue(State(app): State<Arc<App>>, Segment((site, id)): Segment<(i64, i64)>) -> Response {
    let now = i64::try_from(system_clock()).unwrap_or(i64::MAX);
    match app.store.site(SiteId(site)).requeue_delivery(id, now).await {
        Ok(done) => Json(json!({ "requeued": done })).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}
