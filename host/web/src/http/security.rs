//! Security headers of every response, and the check of every request that may change something.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};
use http_body::Body as _;
use masthead_config::Scheme;

use crate::{api, app::App, failure::Failure, http::resolve};

/// The content security policy of a document: scripts run by nonce only, and nothing is loaded from another origin
/// except the frames that the site grants its plugins (`frames`: origins, each with a leading space).
#[must_use]
pub fn document_policy(nonce: &str, frames: &str) -> Option<HeaderValue> {
    HeaderValue::from_str(&format!(
        "default-src 'none'; script-src 'nonce-{nonce}' 'strict-dynamic'; style-src 'self' 'nonce-{nonce}'; \
         img-src 'self' data:; font-src 'self'; media-src 'self'; connect-src 'self'; manifest-src 'self'; \
         form-action 'self'; frame-src 'self'{frames}; frame-ancestors 'self'; base-uri 'none'; require-trusted-types-for 'script'; \
         trusted-types masthead default"
    ))
    .ok()
}

/// The content security policy of every response that is not a document: nothing runs, nothing is loaded.
const DENY_ALL: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/// Value of `Strict-Transport-Security`: two years. Names below a site's own domain are not included, because they may belong to
/// other hosts.
const HTTPS_ONLY: &str = "max-age=63072000";

/// Middleware that adds the security headers that a response does not set itself.
pub async fn headers(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if app.sites.load().platform.public.scheme == Some(Scheme::Https) {
        response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HTTPS_ONLY));
    }
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=(), browsing-topics=()"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::CONTENT_SECURITY_POLICY, DENY_ALL),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Middleware that checks requests with a method that may change something, before a handler reads them:
///
/// - With a cookie, the request must come from a page of the same origin (`Sec-Fetch-Site`, or `Origin` from a browser that does not
///   send it). Sites of several publishers share a domain, so that the same site is not enough. Clients other than browsers send
///   neither header.
/// - A body must be of the type that the call accepts. A form of another site cannot send such a type.
///
/// The routes of plugins are exempt: plugins receive no cookies, their own pages are sandboxed and therefore of no origin, and they
/// receive the content type. OAI-PMH reads no cookies and checks its content type itself.
pub async fn check_unsafe_request(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if request.method().is_safe() || !(path == "/rc-pub" || path.starts_with("/rc-pub/")) {
        return next.run(request).await;
    }
    let headers = request.headers();
    if headers.contains_key(header::COOKIE) && !is_same_origin(headers, &resolve::host(&request)) {
        return api::refuse(&app, &request, Failure::OtherOrigin);
    }
    if !request.body().is_end_stream() && !accepted(path).contains(&media_type(headers).as_str()) {
        return api::refuse(&app, &request, Failure::WrongType);
    }
    next.run(request).await
}

/// Calls whose body is a file.
const UPLOADS: [&str; 3] = ["/rc-pub/admin/import", "/rc-pub/admin/media", "/rc-pub/admin/bundle"];

/// The call to which members send pictures, as browsers send the files of a form. A page of another site can send this type too: the check
/// of the origin is what keeps it out.
pub(super) const PICTURES: &str = "/rc-pub/front/files/fileUpload";

/// Whether the body of a call is a file.
pub(super) fn is_upload(path: &str) -> bool {
    UPLOADS.contains(&path)
}

/// The page whose button mail programs press themselves, with the type of a form (RFC 8058). Its address has a signed token and its handler
/// reads no cookie, so that another site's form achieves nothing that the link alone does not.
const UNSUBSCRIBE: &str = "/rc-pub/front/frontMembers/unsubscribe";

/// The types of the bodies that a call accepts.
fn accepted(path: &str) -> &'static [&'static str] {
    match path {
        UNSUBSCRIBE => &["application/x-www-form-urlencoded", "multipart/form-data"],
        PICTURES => &["multipart/form-data"],
        _ if is_upload(path) => &["application/octet-stream"],
        _ => &["application/json"],
    }
}

/// The type of a request's body without its parameters, in lower case; "" if it is not given.
fn media_type(headers: &HeaderMap) -> String {
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Whether a page of the same origin sent the request, or no page did, as browsers say (`Sec-Fetch-Site`); `None` if the client does
/// not say it.
pub(super) fn is_own_fetch(headers: &HeaderMap) -> Option<bool> {
    headers.get("sec-fetch-site").map(|site| site == "same-origin" || site == "none")
}

/// Whether a page of the same origin sent the request to this host, or no page did.
fn is_same_origin(headers: &HeaderMap, host: &str) -> bool {
    if let Some(own) = is_own_fetch(headers) {
        return own;
    }
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    // The scheme of the request is known to the proxy only. A page of the other scheme has the same host, and its own cookies.
    let named = origin.to_str().ok().and_then(|origin| origin.split_once("://")).map(|(_, name)| name);
    !host.is_empty() && named.is_some_and(|name| name.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_policy_forbids_unsafe_inline_scripts() {
        let policy =
            document_policy("abc", "").and_then(|value| value.to_str().map(str::to_owned).ok()).unwrap_or_default();
        assert!(policy.contains("'nonce-abc' 'strict-dynamic'"));
        assert!(!policy.contains("unsafe"));
    }

    #[test]
    fn only_pages_of_the_same_origin_and_other_clients_are_of_the_same_origin() {
        let is = |pairs: &[(&'static str, &str)]| {
            let headers: HeaderMap =
                pairs.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap())).collect();
            is_same_origin(&headers, "Ocean.localhost:8448")
        };
        for own in [
            &[][..],
            &[("sec-fetch-site", "same-origin")],
            &[("sec-fetch-site", "none")],
            &[("origin", "http://ocean.localhost:8448")],
            &[("sec-fetch-site", "same-origin"), ("origin", "http://behind-a-proxy.example")],
        ] {
            assert!(is(own), "{own:?}");
        }
        for other in [
            &[("sec-fetch-site", "same-site")][..],
            &[("sec-fetch-site", "cross-site")],
            &[("sec-fetch-site", "odd")],
            &[("origin", "null")],
            &[("origin", "http://ocean.localhost")],
            &[("origin", "http://ocean.localhost:84480")],
            &[("origin", "http://evil.example")],
            &[("sec-fetch-site", "cross-site"), ("origin", "http://ocean.localhost:8448")],
        ] {
            assert!(!is(other), "{other:?}");
        }
        let nowhere = HeaderMap::from_iter([(header::ORIGIN, "http://".parse().unwrap())]);
        assert!(!is_same_origin(&nowhere, ""), "no host is no origin");
    }

    #[test]
    fn bodies_are_of_the_types_in_the_description_of_the_api() {
        let document = serde_json::to_value(api::openapi()).unwrap();
        let mut bodies = 0;
        for (path, item) in document["paths"].as_object().unwrap() {
            for body in item.as_object().unwrap().values().filter_map(|call| call.get("requestBody")) {
                let types: Vec<&str> = body["content"].as_object().unwrap().keys().map(String::as_str).collect();
                assert_eq!(types, accepted(path), "{path}");
                bodies += 1;
            }
        }
        assert!(bodies > 5, "{bodies}");
    }
}
