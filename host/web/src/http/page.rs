//! A page over HTTP: the address is read, the finished page found or made, and sent with a nonce of its own.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};
use masthead_domain::Lang;

use super::{errors, security};
use crate::{
    cache::{Answer, CachedPage},
    counting::Visitor,
    failure::Failure,
    library::article::{self, Format},
    scope::{Host, Scope},
    state::App,
    view, visit,
};

/// Any address that is no file and no call: a page of a site.
pub async fn serve(State(app): State<Arc<App>>, host: Host, request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let headers = request.headers();
    let Some(scope) = request.extensions().get::<Scope>().cloned() else {
        return errors::no_site(&app, &host, headers, request.uri().path());
    };
    if let Some(failure) = Failure::of_state(scope.entry.site.state) {
        return errors::lookup(&app, headers, failure);
    }
    let wanted = match view::read(&scope, request.uri().path(), request.uri().query()) {
        Ok(wanted) => wanted,
        Err(rest) => return redirect(&scope, headers, &rest, request.uri().query()),
    };
    let reader = view::reader(&app, &wanted.scope, &host, wanted.lang, view::route_name(&wanted), headers).await;
    if wanted.article().is_some() {
        let visitor = (*request.method() == Method::GET).then(|| Visitor::of(headers, request.extensions()));
        match article::wanted(headers, wanted.parameter("format")) {
            Some((Format::Html, _)) => {}
            Some(form) => match article::serve(&app, &wanted, &host, &reader, form, visitor.as_ref()).await {
                Ok(Some(response)) => return response,
                // The page says that there is no such article.
                Ok(None) => {}
                Err(error) => return errors::page_failed(&app, headers, &error),
            },
            None => return article::refusal(),
        }
    }
    let key = view::key(&wanted, &host, &reader);
    let cached = key.as_ref().and_then(|key| app.pages.get(key));
    metrics::counter!("masthead_page_cache_total", "outcome" => if cached.is_some() { "hit" } else { "miss" })
        .increment(1);
    let page = match cached {
        Some(page) => page,
        None => match view::make(&app, &wanted, &host, &reader).await {
            Ok((page, keep)) => {
                let page = Arc::new(page);
                if let Some(key) = key.filter(|_| keep) {
                    app.pages.put(key, Arc::clone(&page));
                }
                page
            }
            Err(error) => return errors::page_failed(&app, headers, &error),
        },
    };
    if *request.method() == Method::GET {
        view::count(&app, scope.entry.site.id, &page.counted, &Visitor::of(headers, request.extensions()));
    }
    let mut response = respond(&page, headers, reader.cookie, &scope.entry.frames);
    if wanted.article().is_some() {
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

/// The reader's language among those offered.
pub(super) fn preferred(headers: &HeaderMap, offered: &[Lang]) -> Option<Lang> {
    let cookie = visit::cookie(headers, "language").and_then(|code| code.parse().ok());
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut weighed: Vec<(f32, Lang)> = accepted
        .split(',')
        .filter_map(|part| {
            let (tag, weight) = part.split_once(";q=").unwrap_or((part, "1"));
            Some((weight.trim().parse().ok()?, Lang::from_tag(tag.trim())?))
        })
        .collect();
    weighed.sort_by(|left, right| right.0.total_cmp(&left.0));
    cookie.into_iter().chain(weighed.into_iter().map(|(_, lang)| lang)).find(|lang| offered.contains(lang))
}

fn respond(page: &CachedPage, headers: &HeaderMap, cookie: Option<String>, frames: &str) -> Response {
    let nonce = STANDARD_NO_PAD.encode(rand::random::<[u8; 16]>());
    let scheme = match visit::cookie(headers, "theme").as_deref() {
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

fn accepts_gzip(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|coding| {
            let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
            matches!(name.trim(), "gzip" | "*") && !matches!(weight.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000")
        })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn headers(name: header::HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, value.parse().unwrap())])
    }

    #[test]
    fn the_cookie_then_the_browser_choose_the_language() {
        let offered = [Lang::Zh, Lang::En];
        assert_eq!(preferred(&headers(header::ACCEPT_LANGUAGE, "fr, en-GB;q=0.8, zh;q=0.9"), &offered), Some(Lang::Zh));
        assert_eq!(preferred(&headers(header::COOKIE, "a=1; language=en"), &offered), Some(Lang::En));
        assert_eq!(preferred(&headers(header::COOKIE, "language=ru"), &offered), None);
    }

    #[test]
    fn gzip_is_sent_to_who_takes_it() {
        for (value, takes) in [("gzip, br", true), ("br", false), ("gzip;q=0", false), ("*", true), ("GZIP", false)] {
            assert_eq!(accepts_gzip(&headers(header::ACCEPT_ENCODING, value)), takes, "{value}");
        }
    }
}
