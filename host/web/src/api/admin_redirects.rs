//! Administrators' calls about redirects of earlier addresses, as `masthead redirect` has them.

use std::sync::Arc;

use axum::{
    Json,
    body::Body,
    extract::Query,
    http::{HeaderMap, StatusCode},
};
use masthead_content::redirects::{self, Changed, GivenTarget, ListedRedirect, RedirectError};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    administrator::{Administrator, OnSite},
    envelope::{ApiError, ok, storable},
    listing::cut,
    types::Envelope,
};
use crate::app::App;
use crate::routing::routes;

/// Greatest size of a target, in bytes.
const MAX_TARGET: usize = 16 << 10;

/// Query of a list of redirects.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct OfRedirects {
    /// Id of the site.
    site_id: i64,
    /// Starts behind this path: the value of `next` of the previous page.
    #[serde(default)]
    after: String,
    /// Redirects on a page: 50 by default, at most 500.
    size: Option<i64>,
}

/// Query with the path of a redirect.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct FromPath {
    /// Id of the site.
    site_id: i64,
    /// The earlier path below the root of the site, without query: `/index.php/rivers/article/view/12`.
    from: String,
    /// Checks a change and stores nothing.
    #[serde(default)]
    dry_run: bool,
}

/// Where a redirect leads: exactly one of these.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RedirectTo {
    /// The number of an article.
    article: Option<i64>,
    /// The DOI of an article.
    doi: Option<String>,
    /// The key of a journal.
    journal: Option<String>,
    /// An issue, `JOURNAL/YEAR/ISSUE`.
    #[schema(example = "rivers/2026/3")]
    issue: Option<String>,
    /// Another path of the site.
    #[schema(example = "/about")]
    path: Option<String>,
}

impl From<RedirectTo> for GivenTarget {
    fn from(RedirectTo { article, doi, journal, issue, path }: RedirectTo) -> Self {
        Self { article, doi, journal, issue, path }
    }
}

/// A redirect.
#[derive(Serialize, ToSchema)]
pub struct RedirectView {
    /// The earlier path.
    from: String,
    /// `article`, `journal`, `issue` or `path`.
    kind: String,
    /// The number of the article, the key of the journal, `JOURNAL/YEAR/ISSUE`, or the path.
    target: String,
}

impl From<ListedRedirect> for RedirectView {
    fn from(ListedRedirect { from, kind, target }: ListedRedirect) -> Self {
        Self { from, kind: kind.to_owned(), target }
    }
}

/// A page of redirects.
#[derive(Serialize, ToSchema)]
pub struct RedirectsPage {
    /// The redirects, by path.
    redirects: Vec<RedirectView>,
    /// Value of `after` for the next page; null on the last page.
    next: Option<String>,
}

/// What a change did, or would do.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RedirectChanged {
    /// The redirect of the path before; null if there was none.
    before: Option<RedirectView>,
    /// The redirect after; null if it was removed.
    after: Option<RedirectView>,
    /// Whether nothing was stored.
    dry_run: bool,
}

impl RedirectChanged {
    fn of(Changed { before, after }: Changed, dry_run: bool) -> Self {
        Self { before: before.map(RedirectView::from), after: after.map(RedirectView::from), dry_run }
    }
}

/// Lists the redirects of a site.
#[utoipa::path(get, path = "/rc-pub/admin/redirects", tag = "admin", operation_id = "adminRedirects", params(OfRedirects),
    responses((status = 200, body = Envelope<RedirectsPage>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn list(
    by: Administrator,
    Query(query): Query<OfRedirects>,
) -> Result<Json<Envelope<RedirectsPage>>, ApiError> {
    let by = by.on_site(query.site_id)?;
    if storable(&query.after).is_none() {
        return Err(by.fail(StatusCode::BAD_REQUEST, "bad_request"));
    }
    let size = query.size.unwrap_or(50).clamp(1, 500);
    let found = redirects::list_after(&by.app().store, by.site(), &query.after, size + 1).await;
    let mut found = found.map_err(|error| failed(&by, &error))?;
    let next = cut(&mut found, size).map(|last| last.from.clone());
    Ok(ok(RedirectsPage { redirects: found.into_iter().map(RedirectView::from).collect(), next }))
}

/// Adds a redirect, or replaces the one of the same path.
#[utoipa::path(put, path = "/rc-pub/admin/redirect", tag = "admin", operation_id = "saveRedirect",
    params(FromPath, ("editor" = Option<String>, Header, description = "Name for the audit trail")),
    request_body(content = RedirectTo, content_type = "application/json"),
    responses((status = 200, body = Envelope<RedirectChanged>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>),
        (status = 413, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn add(
    by: Administrator,
    Query(query): Query<FromPath>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Envelope<RedirectChanged>>, ApiError> {
    let by = by.on_site(query.site_id)?;
    let to: RedirectTo = by.json(body, MAX_TARGET, "the target of a redirect").await?;
    let texts = [&to.journal, &to.issue, &to.path];
    if texts.into_iter().flatten().any(|text| storable(text).is_none()) {
        return Err(by.fail(StatusCode::BAD_REQUEST, "bad_request"));
    }
    let store = &by.app().store;
    let to = GivenTarget::from(to).read(store, by.site()).await.map_err(|error| failed(&by, &error))?;
    let changed = redirects::add(store, by.site(), &query.from, to, &by.who(&headers), query.dry_run).await;
    Ok(ok(RedirectChanged::of(changed.map_err(|error| failed(&by, &error))?, query.dry_run)))
}

/// Removes a redirect.
#[utoipa::path(delete, path = "/rc-pub/admin/redirect", tag = "admin", operation_id = "removeRedirect",
    params(FromPath, ("editor" = Option<String>, Header, description = "Name for the audit trail")),
    responses((status = 200, body = Envelope<RedirectChanged>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn remove(
    by: Administrator,
    Query(query): Query<FromPath>,
    headers: HeaderMap,
) -> Result<Json<Envelope<RedirectChanged>>, ApiError> {
    let by = by.on_site(query.site_id)?;
    let changed = redirects::remove(&by.app().store, by.site(), &query.from, &by.who(&headers), query.dry_run).await;
    Ok(ok(RedirectChanged::of(changed.map_err(|error| failed(&by, &error))?, query.dry_run)))
}

/// A failure for the administrator. The causes of failures of the host are logged and not returned.
fn failed(by: &OnSite, error: &RedirectError) -> ApiError {
    let status = match error {
        RedirectError::Missing(_) => StatusCode::NOT_FOUND,
        RedirectError::Invalid(_) => StatusCode::BAD_REQUEST,
        _ => {
            return by.internal_error(error);
        }
    };
    ApiError::new(status, &error.to_string())
}

/// The routes of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(add, remove))
}
