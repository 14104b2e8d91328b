//! Calls of the shell.

use axum::{Json, extract::Query, http::StatusCode};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::{
    envelope::{ApiError, Caller},
    types::{Envelope, PagePayload},
};

/// Which page.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ByPath {
    /// Address after the site's prefix, with language and query: `/en/article/17`.
    path: String,
}

/// A page with its bootstrap and the HTML of its content, for a link that is followed without loading a document.
#[utoipa::path(get, path = "/rc-pub/front/page", tag = "page", params(ByPath),
    responses((status = 200, body = Envelope<PagePayload>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn page(caller: Caller, Query(query): Query<ByPath>) -> Result<Json<Envelope<PagePayload>>, ApiError> {
    let made = crate::view::payload(&caller.app, &caller.scope, &caller.host, &caller.headers, &query.path).await;
    match made.map_err(caller.page_failed())? {
        Some(page) => {
            let counted = crate::view::counted(&page.bootstrap.page);
            crate::view::count(&caller.app, caller.entry().site.id, &counted, &caller.visitor);
            Ok(caller.ok(page))
        }
        None => Err(caller.fail(StatusCode::BAD_REQUEST, "bad_request")),
    }
}

/// A module that failed in a browser.
#[derive(Deserialize, ToSchema)]
pub struct UiFailure {
    /// Slot.
    #[serde(default)]
    slot: String,
    /// Module id.
    #[serde(default)]
    module: String,
    /// What went wrong, in short.
    #[serde(default)]
    reason: String,
}

/// Reports a module that failed in a browser; it is counted and logged.
#[utoipa::path(post, path = "/rc-pub/front/ui-failure", tag = "page", request_body = UiFailure,
    responses((status = 200, body = Envelope<bool>)))]
pub async fn ui_failure(caller: Caller, body: axum::body::Bytes) -> Result<Json<Envelope<bool>>, ApiError> {
    let failure: UiFailure = caller.json(&body)?;
    // Anybody can send this: only modules that exist become a label, and texts are cut before they are logged.
    let Some(module) = caller.app.ui.module(&failure.module) else {
        return Err(caller.fail(StatusCode::BAD_REQUEST, "bad_request"));
    };
    metrics::counter!("masthead_ui_failures_total", "module" => module.id.clone()).increment(1);
    let cut = |text: &str| text.chars().filter(|c| !c.is_control()).take(200).collect::<String>();
    tracing::warn!(
        site = caller.entry().site.sld,
        module = module.id,
        slot = cut(&failure.slot),
        reason = cut(&failure.reason),
        "a module failed in a browser"
    );
    Ok(caller.ok(true))
}
