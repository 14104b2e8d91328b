//! Routes that plugins serve: `plugins/<id>/...` below a site's language.

use std::{sync::Arc, time::Duration};

use axum::{
    body::Body,
    extract::{Path, Request, State},
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use masthead_domain::Lang;
use masthead_runtime::{
    FirstAnswer,
    hook_types::{RouteRequest, RouteResponse},
};

use crate::page::language::preferred;
use crate::{
    api::ApiError,
    app::App,
    client::Client,
    failure::Failure,
    page::{
        pipeline::error_page::{self, Place},
        reader,
    },
    sites::scope::{Host, Scope},
};

/// Greatest size of a request body that is passed to a plugin, in bytes.
const MAX_BODY: usize = 64 << 10;
/// Time limit of the plugin's response.
const ROUTE_TIMEOUT: Duration = Duration::from_secs(3);
/// Request headers that are passed to a plugin.
const FORWARDED_HEADERS: [HeaderName; 3] = [header::ACCEPT, header::ACCEPT_LANGUAGE, header::CONTENT_TYPE];
/// Content security policy of a plugin's response. It is served under the site's own host name; the sandbox gives it an
/// origin of its own, so that it reads neither cookies nor pages of the site, runs no script and loads nothing. Forms
/// and links work.
const POLICY: &str = "sandbox allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads \
    allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
    form-action 'self'; frame-ancestors 'self'; base-uri 'none'";

/// Serves a route of a plugin: `/{lang}/plugins/{plugin}/{path}`.
pub async fn answer(
    State(app): State<Arc<App>>,
    host: Host,
    scope: Option<Scope>,
    client: Client,
    Path((lang, plugin, path)): Path<(String, String, String)>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let (method, headers) = (parts.method, parts.headers);
    let Some(scope) = scope else { return error_page::no_site(&app, &host, &headers, "") };
    if let Some(failure) = Failure::of_state(scope.entry.site.state) {
        return error_page::lookup(&app, Place::at(&scope, &host), &headers, failure);
    }
    let own = scope.entry.lang_or_default(preferred(&headers, &scope.entry.languages));
    let lang = lang.parse::<Lang>().ok().filter(|lang| scope.entry.languages.contains(lang)).unwrap_or(own);
    let fail = |status: StatusCode, key: &str| ApiError::new(status, app.messages.get(lang, key)).into_response();
    if !matches!(method, Method::GET | Method::HEAD | Method::POST) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let Ok(body) = axum::body::to_bytes(body, MAX_BODY).await else {
        return fail(StatusCode::PAYLOAD_TOO_LARGE, "bad_request");
    };
    if let Err(refused) = app.limits.take_plugin_route(client, scope.entry.site.id, &plugin) {
        return ApiError::too_often(&app, lang, refused, Failure::TooOften.key()).into_response();
    }
    let forwarded = FORWARDED_HEADERS
        .iter()
        .filter_map(|name| Some((name.to_string(), headers.get(name)?.to_str().ok()?.to_owned())));
    let request = RouteRequest {
        method: method.to_string(),
        path,
        query: url::form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes()).into_owned().collect(),
        headers: forwarded.collect(),
        body: body.to_vec(),
    };
    let variant = scope.entry.chain.draw();
    let mut call = reader::plugin_call_within(&scope, &host, lang, "plugin", variant, ROUTE_TIMEOUT);
    match call.handle_route(&plugin, request).await {
        FirstAnswer::Answered(response) => respond(&scope, lang, response, &method),
        FirstAnswer::NoPlugin => fail(StatusCode::NOT_FOUND, "page_not_found"),
        FirstAnswer::Refused(_) | FirstAnswer::Failed => fail(StatusCode::BAD_GATEWAY, "plugin_failed"),
    }
}

fn respond(scope: &Scope, lang: Lang, given: RouteResponse, method: &Method) -> Response {
    let body = if *method == Method::HEAD { Body::empty() } else { Body::from(given.body) };
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(given.status).unwrap_or(StatusCode::BAD_GATEWAY);
    let out = response.headers_mut();
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    for (name, value) in given.headers {
        let value = if name == "location" { format!("{}/{lang}/{value}", scope.base) } else { value };
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            out.insert(name, value);
        }
    }
    out.entry(header::CONTENT_TYPE).or_insert(HeaderValue::from_static("application/octet-stream"));
    out.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}
