//! `/healthz`, `/readyz`, `/metrics`, and the metrics of every request.
//!
//! The readers' listener tells only whether the host is alive and ready. Names of plugins, problems of the configuration and metrics
//! are for the operator: a listener of its own and the socket in the data folder have them for whoever can connect, the readers' listener
//! for administrators' tokens that reach the whole installation.

use std::{
    sync::{Arc, OnceLock},
    time::Instant,
};

use axum::{
    Json, Router,
    extract::{MatchedPath, Request, State},
    http::{HeaderValue, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use masthead_content::{granted_secrets, host_services::MAIL_PASSWORD};
use masthead_runtime::{Catalog, PluginStatus};
use masthead_store::StoreError;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use serde_json::{Value, json};

use crate::{
    api::administrator::{Administrator, has_token},
    app::{App, outbox_workers::mail_password_missing},
    http::page,
    routing::get,
    sites::scope::Host,
};

static RECORDER: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Installs the metrics recorder. Later calls do nothing.
pub fn install() {
    RECORDER.get_or_init(|| PrometheusBuilder::new().install_recorder().ok());
}

/// The routes of the operator.
pub fn operator_router(app: Arc<App>) -> Router {
    Router::new()
        .route("/healthz", get(alive))
        .route("/readyz", get(ready_in_detail))
        .route("/metrics", get(metrics))
        .with_state(app)
}

/// `/healthz`: the process is alive.
pub async fn alive() -> &'static str {
    "ok\n"
}

/// `/readyz` of the readers' listener: ready when at least one site is loaded and database and index are open. With an administrator's
/// token it is that of the operator.
pub async fn ready(State(app): State<Arc<App>>, parts: Parts) -> Response {
    if has_token(&parts.headers) {
        return match refusal(&parts, &app).await {
            Some(refused) => refused,
            None => not_kept(ready_in_detail(State(app)).await),
        };
    }
    let open = answered(&app, app.store.ping()).await.is_some() && app.search.position().await.is_ok();
    let ready = open && app.sites.load().iter().next().is_some();
    readiness(ready, &json!({ "ready": ready }))
}

/// `/metrics` of the readers' listener: the operator's with an administrator's token, and a page that does not exist without one.
pub async fn metrics_or_page(State(app): State<Arc<App>>, host: Host, request: Request) -> Response {
    if !has_token(request.headers()) {
        return page::serve(State(app), host, request).await;
    }
    let (parts, _) = request.into_parts();
    match refusal(&parts, &app).await {
        Some(refused) => refused,
        None => not_kept(metrics(State(app)).await),
    }
}

/// The answer to a token that does not reach the installation.
async fn refusal(parts: &Parts, app: &Arc<App>) -> Option<Response> {
    let by = Administrator::of_request(parts, app).await.and_then(Administrator::on_installation);
    by.err().map(IntoResponse::into_response)
}

/// An answer to one caller, which nobody keeps.
fn not_kept(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}

/// What the database answers; `None` if it answers with an error or not at all.
async fn answered<T>(app: &App, question: impl Future<Output = Result<T, StoreError>>) -> Option<T> {
    tokio::select! {
        answer = question => answer.ok(),
        () = app.store.unavailable() => None,
    }
}

fn readiness(ready: bool, body: &Value) -> Response {
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(body)).into_response()
}

/// `/readyz` of the operator: the same, with what is open and with the problems that do not prevent serving. It is not ready either while
/// something cannot be written: readers are served, but imports and counts are lost.
async fn ready_in_detail(State(app): State<Arc<App>>) -> Response {
    let latest = answered(&app, app.store.log_end()).await.map(|end| end.seq);
    let index = app.search.position().await.ok().map(|position| position.change);
    let unwritable = app.write_checks.unwritable(&app).await;
    let table = app.sites.load();
    let sites = table.iter().count();
    let rejected = app.rejected.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
    let plugins: Vec<_> = table
        .iter()
        .flat_map(|entry| {
            entry.chain.status().into_iter().map(|plugin| {
                let mut status = plugin_status(&plugin, table.catalog());
                status["site"] = json!(entry.site.sld);
                status
            })
        })
        .collect();
    // Their names only, and a warning: the plugins work without, or fail one call at a time.
    let missing_secrets: Vec<_> = table
        .iter()
        .flat_map(|entry| {
            let missing = granted_secrets::missing(&entry.site, &app.secrets);
            missing
                .into_iter()
                .map(|secret| json!({ "site": entry.site.sld, "plugin": secret.plugin, "secret": secret.name }))
        })
        .chain(mail_password_missing(&table.platform.mail, &app.secrets).then(|| json!({ "secret": MAIL_PASSWORD })))
        .collect();
    let behind = latest.zip(index).map(|(latest, index)| latest.saturating_sub(index).max(0));
    let ready = latest.is_some() && index.is_some() && sites > 0 && unwritable.is_empty();
    let body = json!({
        "ready": ready,
        "sites": sites,
        "store": if latest.is_some() { "open" } else { "unreachable" },
        "index": index,
        "indexBehind": behind,
        "indexState": app.progress.index_state().as_str(),
        "indexBehindSeconds": if behind == Some(0) { 0 } else { app.progress.index_age().as_secs() },
        "indexDamage": app.served_index.damage(),
        "unwritable": unwritable,
        "problems": table.problems,
        "refused": rejected,
        "missingSecrets": missing_secrets,
        "plugins": plugins,
    });
    readiness(ready, &body)
}

/// The status of a plugin in use, as JSON. `source` is the folder that serves it, or null if it is no longer installed there.
#[must_use]
pub fn plugin_status(plugin: &PluginStatus, catalog: &Catalog) -> Value {
    json!({
        "plugin": plugin.id,
        "version": plugin.version,
        "digest": plugin.digest,
        "source": catalog.source(&plugin.id, &plugin.version, &plugin.digest),
        "onFailure": plugin.on_failure,
        "hooks": plugin.hooks,
        "quarantinedForSeconds": plugin.open_for.map(|left| left.as_secs()),
    })
}

/// `/metrics` in the Prometheus text format: the host's metrics, how long ago the search index had all changes, the usage of hooks by plugin, the modules of folders that cannot be
/// used, and the numbers of event deliveries and messages that wait or are set aside.
async fn metrics(State(app): State<Arc<App>>) -> Response {
    match RECORDER.get().and_then(Option::as_ref) {
        Some(recorder) => {
            recorder.run_upkeep();
            let mut text = recorder.render();
            text.push_str(&masthead_runtime::prometheus(&app.runtime.hook_usage(), &app.runtime.memory_usage()));
            let age = app.progress.index_age().as_secs_f64();
            text.push_str(&format!("# TYPE masthead_index_age_seconds gauge\nmasthead_index_age_seconds {age}\n"));
            text.push_str("# TYPE masthead_module_refused gauge\n");
            for problem in app.ui.load().problems() {
                let (module, folder) = (label(&problem.module), label(&problem.path.to_string_lossy()));
                text.push_str(&format!("masthead_module_refused{{module=\"{module}\",folder=\"{folder}\"}} 1\n"));
            }
            if let Ok(counts) = crate::app::plugin_events::counts(&app).await {
                text.push_str("# TYPE masthead_plugin_deliveries gauge\n");
                for (site, plugin, waiting, aside) in counts {
                    for (state, count) in [("waiting", waiting), ("aside", aside)] {
                        text.push_str(&format!(
                            "masthead_plugin_deliveries{{site=\"{site}\",plugin=\"{plugin}\",state=\"{state}\"}} {count}\n"
                        ));
                    }
                }
            }
            if let Ok(counts) = app.store.outbox_counts().await {
                text.push_str("# TYPE masthead_outbox gauge\n");
                for (channel, waiting, aside) in counts {
                    for (state, count) in [("waiting", waiting), ("aside", aside)] {
                        text.push_str(&format!("masthead_outbox{{channel=\"{channel}\",state=\"{state}\"}} {count}\n"));
                    }
                }
            }
            ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// A text as the value of a label.
fn label(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// Middleware that counts and times every request, by route and status.
pub async fn measure(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let route = match request.uri().path() {
        path if path.starts_with("/assets/") => "assets",
        path if path.starts_with("/media/") => "media",
        path if path.contains("/rc-pub/") => "api",
        "/healthz" | "/readyz" => "health",
        _ => "page",
    };
    let route =
        request.extensions().get::<MatchedPath>().map_or_else(|| route.to_owned(), |path| path.as_str().to_owned());
    let response = next.run(request).await;
    let status = response.status().as_u16();
    let seconds = started.elapsed().as_secs_f64();
    metrics::counter!("masthead_http_requests_total", "route" => route.clone(), "status" => status.to_string())
        .increment(1);
    metrics::histogram!("masthead_http_seconds", "route" => route).record(seconds);
    response
}
