//! Administrators' calls about readers' comments: the comments of a site by state, approval and refusal.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path as Segment, Query},
    http::{HeaderMap, StatusCode},
};
use masthead_content::records::{RecordEdit, RecordType};
use masthead_domain::resource::{Comment, CommentState, Resource as _, Stored};
use masthead_store::{ResourceCursor, StoreError};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    admin_records,
    administrator::{Administrator, OnSite},
    envelope::{ApiError, ok, storable},
    listing::cut,
    types::Envelope,
};
use crate::app::App;
use crate::routing::routes;

/// Query of the comments of a site.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct OfSite {
    /// Id of the site.
    site_id: i64,
    /// `waiting` (default), `shown` or `refused`.
    #[serde(default)]
    #[param(value_type = Option<String>)]
    state: CommentState,
    /// Starts after this position: the value of `next` of the previous page.
    after: Option<String>,
    /// Comments on a page: 20 by default, at most 100.
    size: Option<i64>,
}

/// A page of comments, newest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentsOfSite {
    /// Number of all comments in this state.
    total_elements: i64,
    /// The comments.
    content: Vec<CommentOfSite>,
    /// Value of `after` for the next page; null on the last page.
    next: Option<String>,
}

/// A comment with its state.
#[derive(Serialize, ToSchema)]
pub struct CommentOfSite {
    /// Id of the comment.
    id: i64,
    /// Id of the article.
    article: i64,
    /// Displayed name of the author.
    author: String,
    /// Plain text.
    text: String,
    /// Time of writing, ISO 8601 in UTC.
    date: String,
    /// `waiting`, `shown` or `refused`. Readers see comments in the state `shown` only.
    state: String,
}

impl From<Stored<Comment>> for CommentOfSite {
    fn from(stored: Stored<Comment>) -> Self {
        let Comment { article, author, text, date, state, .. } = stored.value;
        Self { id: stored.id, article, author, text, date, state: state.as_str().to_owned() }
    }
}

/// Returns the comments of a site in one state, by default those that wait for approval.
#[utoipa::path(get, path = "/rc-pub/admin/comments", tag = "admin", operation_id = "adminComments", params(OfSite),
    responses((status = 200, body = Envelope<CommentsOfSite>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn list(by: Administrator, Query(query): Query<OfSite>) -> Result<Json<Envelope<CommentsOfSite>>, ApiError> {
    let by = by.on_site(query.site_id)?;
    let (store, failed) = (by.store(), store_failed(&by));
    let after = query.after.as_deref().map(|text| storable(text).and_then(ResourceCursor::parse));
    if after == Some(None) {
        return Err(by.fail(StatusCode::BAD_REQUEST, "bad_request"));
    }
    let size = query.size.unwrap_or(20).clamp(1, 100);
    let state = query.state.as_str();
    let total_elements = store.resource_count(Comment::KIND, state).await.map_err(&failed)?;
    let found = store.resources::<Comment>(state, after.flatten().as_ref(), size + 1).await;
    let mut found = found.map_err(&failed)?;
    let next = cut(&mut found, size).map(|last| ResourceCursor::behind(last).to_string());
    let content = found.into_iter().map(CommentOfSite::from).collect();
    Ok(ok(CommentsOfSite { total_elements, content, next }))
}

/// Query with the site of a comment.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct BySite {
    /// Id of the site.
    site_id: i64,
}

/// Approves a comment: readers see it and it is counted. A refused comment can be approved later.
#[utoipa::path(post, path = "/rc-pub/admin/comments/{id}/approve", tag = "admin", operation_id = "approveComment",
    params(("id" = i64, Path, description = "Id of the comment"), BySite),
    responses((status = 200, body = Envelope<CommentOfSite>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 403, body = Envelope<serde_json::Value>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn approve(
    by: Administrator,
    Segment(id): Segment<i64>,
    Query(query): Query<BySite>,
    headers: HeaderMap,
) -> Result<Json<Envelope<CommentOfSite>>, ApiError> {
    decide(&by.on_site(query.site_id)?, id, CommentState::Shown, &headers).await
}

/// Refuses a comment: readers do not see it. A comment that was approved before is withdrawn.
#[utoipa::path(post, path = "/rc-pub/admin/comments/{id}/refuse", tag = "admin", operation_id = "refuseComment",
    params(("id" = i64, Path, description = "Id of the comment"), BySite),
    responses((status = 200, body = Envelope<CommentOfSite>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 403, body = Envelope<serde_json::Value>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn refuse(
    by: Administrator,
    Segment(id): Segment<i64>,
    Query(query): Query<BySite>,
    headers: HeaderMap,
) -> Result<Json<Envelope<CommentOfSite>>, ApiError> {
    decide(&by.on_site(query.site_id)?, id, CommentState::Refused, &headers).await
}

async fn decide(
    by: &OnSite,
    id: i64,
    state: CommentState,
    headers: &HeaderMap,
) -> Result<Json<Envelope<CommentOfSite>>, ApiError> {
    let (store, failed) = (by.store(), store_failed(by));
    let found = store.resource::<Comment>(id).await.map_err(&failed)?;
    let found = found.ok_or_else(|| by.fail(StatusCode::NOT_FOUND, "no_data"))?;
    let comment = Comment { state, ..found.value };
    let fields = vec![("state".to_owned(), state.as_str().into())];
    let change = RecordEdit { fields, who: by.who(headers), ..RecordEdit::default() };
    let changed = by.records().set(RecordType::Resource(Comment::KIND), &comment.key, &change).await;
    changed.map_err(|error| admin_records::failed(by, &error))?;
    Ok(ok(CommentOfSite::from(Stored { id, value: comment })))
}

/// Converts a store error, for `map_err`: the cause is logged and not returned to the caller.
fn store_failed(by: &OnSite) -> impl Fn(StoreError) -> ApiError + '_ {
    move |error| by.internal_error(&error)
}

/// The routes of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(approve)).routes(routes!(refuse))
}
