//! Administrators' calls about the search index, which is built again as `masthead search reindex` and a host with a damaged index build it: beside
//! the one that is searched.

use std::{io, sync::Arc, time::Instant};

use anyhow::Context as _;
use axum::{
    Json,
    http::{HeaderMap, StatusCode},
};
use masthead_content::{change_log_follower, host_services::INSTALLATION};
use masthead_store::AuditEntry;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    administrator::{Administrator, Authorised, Installation},
    envelope::{ApiError, ok},
    types::Envelope,
};
use crate::app::{App, long_work::Work, operator_work::Reindexed};
use crate::routing::routes;

/// What is built, for the log and the audit trail.
const INDEX: &str = "search index";
const BUSY: &str = "the search index is being built again; wait for its end";

/// A search index that is being built, or was built last since the start of the host.
#[derive(Serialize, ToSchema)]
pub struct ReindexView {
    /// Who began it.
    who: String,
    /// When it was begun, ISO 8601 in UTC.
    began: String,
    /// When it ended; null while it is being built.
    ended: Option<String>,
    /// Why it was not built; null otherwise. The search goes on with the former index then.
    error: Option<String>,
    /// Number of the index; null before its first part is written.
    index: Option<u64>,
    /// Number of the latest change that it has.
    changes: i64,
    /// Number of the latest change in the log.
    of: i64,
    /// Seconds that it took; null until it is built.
    seconds: Option<f64>,
}

impl ReindexView {
    fn of(app: &App, work: &Work<Reindexed>) -> Self {
        let ended = work.ended();
        let done = ended.as_ref().and_then(|ended| ended.result.as_ref().ok());
        let at = done.map(|done| done.built).or_else(|| app.operator_work.index_at());
        Self {
            who: work.who.clone(),
            began: work.began_at(),
            ended: work.ended_at(),
            error: work.failure(),
            index: at.map(|at| at.index),
            changes: at.map_or(0, |at| at.changes),
            of: at.map_or(0, |at| at.of),
            seconds: done.map(|done| done.seconds),
        }
    }
}

/// Says how far the search index is that is being built, or how the last one was built; null if none was by a call since the start of the host.
#[utoipa::path(get, path = "/rc-pub/admin/reindex", tag = "admin", operation_id = "adminReindex",
    responses((status = 200, body = Envelope<ReindexView>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 403, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn progress(by: Administrator) -> Result<Json<Envelope<ReindexView>>, ApiError> {
    let by = by.on_installation()?;
    let work = by.app().operator_work.reindex.latest();
    let data = work.map(|work| ReindexView::of(by.app(), &work));
    Ok(Json(Envelope { status: 0, data, message: String::new() }))
}

/// Builds the search index again from the database, beside the one that is searched, and puts it in its place. If this takes long, the answer is
/// 202, and `GET` says how far it is. One that is interrupted changes nothing, and the next one continues its work.
#[utoipa::path(post, path = "/rc-pub/admin/reindex", tag = "admin", operation_id = "buildSearchIndex",
    params(("editor" = Option<String>, Header, description = "Name for the audit trail")),
    responses((status = 200, body = Envelope<ReindexView>), (status = 202, body = Envelope<ReindexView>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 409, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>),
        (status = 507, body = Envelope<serde_json::Value>)))]
pub async fn reindex(
    by: Administrator,
    headers: HeaderMap,
) -> Result<(StatusCode, Json<Envelope<ReindexView>>), ApiError> {
    let by = by.on_installation()?;
    let (app, who) = (Arc::clone(by.app()), by.who(&headers));
    let noted = who.clone();
    let begun = by.app().operator_work.reindex.begin((INDEX, &who), move || build(app, noted));
    let work = begun.ok_or_else(|| ApiError::new(StatusCode::CONFLICT, BUSY))?;
    let Some(ended) = work.ended_soon().await else {
        return Ok((StatusCode::ACCEPTED, ok(ReindexView::of(by.app(), &work))));
    };
    match &ended.result {
        Ok(_) => Ok((StatusCode::OK, ok(ReindexView::of(by.app(), &work)))),
        Err(error) => Err(failed(&by, error)),
    }
}

/// Builds an index, searches with it, and writes the line of the audit trail. An index that is built is not given up because the line cannot be
/// written.
async fn build(app: Arc<App>, who: String) -> anyhow::Result<Reindexed> {
    let started = Instant::now();
    let work = &app.operator_work;
    work.index_is_at(None);
    let report = |built| work.index_is_at(Some(built));
    let built = change_log_follower::reindex(&app.store, app.served_index.folder(), report).await?;
    // The follower of the change log does the same within a moment.
    app.served_index.adopt().context("opening the search index that was built")?;
    let entry = AuditEntry {
        who,
        action: "built".to_owned(),
        subject: INDEX.to_owned(),
        after: json!({ "index": built.index, "changes": built.changes }),
        ..AuditEntry::default()
    };
    if let Err(error) = app.store.site(INSTALLATION).note_audit(&entry).await {
        tracing::error!(%error, "the search index is built, but there is no line in the audit trail");
    }
    Ok(Reindexed { built, seconds: started.elapsed().as_secs_f64() })
}

/// A failure for the administrator. A command, or the host itself, may be building an index.
fn failed(by: &Authorised<Installation>, error: &anyhow::Error) -> ApiError {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    if causes.any(|cause| cause.kind() == io::ErrorKind::WouldBlock) {
        return ApiError::new(StatusCode::CONFLICT, BUSY);
    }
    by.operators_error(error)
}

/// The routes of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(progress, reindex))
}
