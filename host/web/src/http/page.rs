//! A page over HTTP: the address is read, the finished page found or made, and sent with a nonce of its own.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};

use crate::{
    app::App,
    auth::cookies,
    cache::{Answer, CachedPage},
    discovery::article,
    failure::Failure,
    page::{
        article_format::Format, encoding::accepts_gzip, language::preferred, pipeline, reader::reader,
        request::PageRequest,
    },
    sites::scope::{Host, Scope},
    usage::Visitor,
};
use crate::{http::security, page::error_page};

/// Any address that is no file and no call: a page of a site.
pub async fn serve(State(app): State<Arc<App>>, host: Host, request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let headers = request.headers();
    let Some(scope) = request.extensions().get::<Scope>().cloned() else {
        return error_page::no_site(&app, &host, headers, request.uri().path());
    };
    if let Some(failure) = Failure::of_state(scope.entry.site.state) {
        return error_page::lookup(&app, headers, failure);
    }
    let asked = match PageRequest::read(&scope, request.uri().path(), request.uri().query()) {
        Ok(asked) => asked,
        Err(rest) => return redirect(&scope, headers, &rest, request.uri().query()),
    };
    let reader = reader(&app, &asked.scope, &host, asked.lang, asked.route_name(), headers).await;
    let visitor = (*request.method() == Method::GET).then(|| Visitor::of(headers, request.extensions()));
    if asked.article().is_some() {
        match article::wanted(headers, asked.format()) {
            Some((Format::Html, _)) => {}
            Some(form) => match article::serve(&app, &asked, &host, &reader, form, visitor.as_ref()).await {
                Ok(Some(response)) => return response,
                // The page says that there is no such article.
                Ok(None) => {}
                Err(error) => return error_page::page_failed(&app, headers, &error),
            },
            None => return article::refusal(),
        }
    }
    let page = match pipeline::page(&app, &asked, &host, &reader).await {
        Ok(page) => page,
        Err(error) => return error_page::page_failed(&app, headers, &error),
    };
    if let Some(visitor) = &visitor {
        pipeline::count(&app, scope.entry.site.id, &page.counted, visitor);
    }
    let mut response = respond(&page, headers, reader.cookie, &scope.entry.frames);
    if asked.article().is_some() {
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept, Accept-Encoding"));
    }
    response
}

/// To the same page in the reader's language: the cookie's, else the browser's, else the site's.
fn redirect(scope: &Scope, headers: &HeaderMap, rest: &str, query: Option<&str>) -> Response {
    let lang = scope.entry.lang_or_default(preferred(headers, &scope.entry.languages));
    let rest = if rest.is_empty() { "home/" } else { rest };
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    let mut response = Redirect::temporary(&format!("{}/{lang}/{rest}{query}", scope.base)).into_response();
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("Cookie, Accept-Language"));
    response
}

fn respond(page: &CachedPage, headers: &HeaderMap, cookie: Option<String>, frames: &str) -> Response {
    let nonce = STANDARD_NO_PAD.encode(rand::random::<[u8; 16]>());
    let scheme = match cookies::value(headers, "theme").as_deref() {
        Some("dark") => " data-theme=\"dark\"",
        Some("light") => " data-theme=\"light\"",
        _ => "",
    };
    let answer = Answer { nonce: &nonce, scheme };
    let zipped = accepts_gzip(headers).then(|| page.gzip(answer)).flatten();
    let encoded = zipped.is_some();
    let mut response = Response::new(Body::new(zipped.unwrap_or_else(|| page.plain(answer))));
    *response.status_mut() = StatusCode::from_u16(page.status).unwrap_or(StatusCode::OK);
    let out = response.headers_mut();
    out.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    // The nonce is good for one answer: a stored copy must not be shown again without asking.
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    out.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if let Some(links) = HeaderValue::from_str(&page.links).ok().filter(|links| !links.is_empty()) {
        out.insert(header::LINK, links);
    }
    if encoded {
        out.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    if let Some(policy) = security::document_policy(&nonce, frames) {
        out.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    if let Some(cookie) = cookie.and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
        out.append(header::SET_COOKIE, cookie);
    }
    response
}
