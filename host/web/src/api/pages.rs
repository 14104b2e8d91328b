//! Calls that the shell makes: in-site navigation, and reports of failed modules.

use axum::{
    Json,
    body::Bytes,
    extract::Query,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::api::{
    envelope::{ApiError, Caller},
    types::Envelope,
};
use crate::app::database_wait;
use crate::page::types::{MovedPage, PageAnswer};
use crate::page::{
    caching,
    context::PageError,
    encoding::Encoding,
    moved, pipeline,
    reader::reader,
    request::{self, PageRequest},
};

/// Query of a page.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ByPath {
    /// Address after the site's prefix, with language and query: `/en/article/17`.
    path: String,
}

/// Returns a page with its bootstrap and the HTML of its content, for navigation without loading a document; or the address to which the
/// document redirects, if there is no page and a redirect is saved, the address has no language, or it is the code of a channel whose page has
/// another one.
#[utoipa::path(get, path = "/rc-pub/front/page", tag = "page", params(ByPath),
    responses((status = 200, body = Envelope<PageAnswer>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn page(caller: Caller, Query(query): Query<ByPath>) -> Result<Response, ApiError> {
    let address = query.path.split('#').next().unwrap_or_default();
    let (path, parameters) = match address.split_once('?') {
        Some((path, parameters)) => (path, Some(parameters)),
        None => (address, None),
    };
    let request = match PageRequest::read(&caller.scope, path, parameters) {
        Ok(request) => request,
        Err(rest) => return without_language(&caller, path, &rest, parameters).await,
    };
    let (app, scope, host, headers) = (&caller.app, &request.scope, &caller.host, &caller.headers);
    database_wait::only_where_said();
    let asker = (headers, caller.visitor.client);
    let reader = reader(app, scope, host, request.lang, request.route_name(), asker).await;
    if let Some(location) = pipeline::elsewhere(app, &request, host, &reader).await.map_err(caller.page_failed())? {
        return Ok(moved_to(&caller, location));
    }
    let page = pipeline::page(app, &request, host, &reader).await.map_err(caller.page_failed())?;
    if matches!(page.status, 404 | 410)
        && let Some(location) = database_wait::during(moved::target(app, scope, request.lang, (path, parameters)))
            .await
            .map_err(caller.page_failed())?
    {
        return Ok(moved_to(&caller, location));
    }
    let of_site = (caller.entry().site.id, request.lang);
    pipeline::count(app, of_site, &page.counted, (&caller.visitor, reader.user.as_ref()));
    // Not brotli: its blocks of an article's sections are of the HTML, not of HTML within JSON.
    let encoding = Encoding::preferred(headers, &[Encoding::Gzip]);
    let body = match encoding {
        Some(_) => page.navigation_gzip(),
        None => page.navigation().map(Bytes::from),
    };
    let body = body.map_err(|source| caller.page_failed()(PageError::Encoding { source }))?;
    let mut response =
        ([(header::CONTENT_TYPE, "application/json"), (header::VARY, "Accept-Encoding")], body).into_response();
    let caching = caching::of_page(&reader.rights, &request);
    response.headers_mut().insert(header::CACHE_CONTROL, caching);
    if let Some(encoding) = encoding {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
    }
    Ok(response)
}

/// The answer for an address without a language of the site: the target of a redirect, or else the page in the reader's language.
async fn without_language(
    caller: &Caller,
    path: &str,
    rest: &str,
    parameters: Option<&str>,
) -> Result<Response, ApiError> {
    // Browsers take the text after two slashes for a host.
    if !path.starts_with('/') || path.starts_with("//") {
        return Err(caller.fail(StatusCode::BAD_REQUEST, "bad_request"));
    }
    let (app, scope, lang) = (&caller.app, &caller.scope, caller.lang);
    let found = if request::is_of_a_page(rest, &scope.entry.site) {
        None
    } else {
        moved::target(app, scope, lang, (path, parameters)).await.map_err(caller.page_failed())?
    };
    let location = found.unwrap_or_else(|| moved::in_language(scope, lang, rest, parameters));
    Ok(moved_to(caller, location))
}

fn moved_to(caller: &Caller, location: String) -> Response {
    caller.ok(PageAnswer::Moved(MovedPage { location })).into_response()
}

/// Report of a module that failed in a browser.
#[derive(Deserialize, ToSchema)]
pub struct UiFailure {
    /// Slot.
    #[serde(default)]
    slot: String,
    /// Module id.
    #[serde(default)]
    module: String,
    /// Short description of the failure.
    #[serde(default)]
    reason: String,
}

/// The reasons that the shell gives (`reportFailure` in `ui-shell/src/slots/ModuleStore.ts`).
const REASONS: [&str; 6] = ["load", "refused", "timeout", "render", "surplus", "hydration"];

/// Reports a module that failed in a browser. The report is counted and logged.
#[utoipa::path(post, path = "/rc-pub/front/ui-failure", tag = "page", request_body = UiFailure,
    responses((status = 200, body = Envelope<bool>)))]
pub async fn ui_failure(caller: Caller, body: axum::body::Bytes) -> Result<Json<Envelope<bool>>, ApiError> {
    let failure: UiFailure = caller.json(&body)?;
    // Any client can send reports: only existing modules become metric labels, and texts are truncated before they are logged.
    let ui = caller.app.ui.load();
    let Some(module) = ui.module(&failure.module) else {
        return Err(caller.fail(StatusCode::BAD_REQUEST, "bad_request"));
    };
    let reason = REASONS.into_iter().find(|reason| *reason == failure.reason).unwrap_or("other");
    metrics::counter!("masthead_ui_failures_total", "module" => module.id.clone(), "reason" => reason).increment(1);
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
