//! Security headers of every response.

use axum::{
    extract::Request,
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};

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

/// Middleware that adds the security headers that a response does not set itself.
pub async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=(), browsing-topics=()"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::CONTENT_SECURITY_POLICY, DENY_ALL),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_forbids_unsafe_inline_scripts() {
        let policy =
            document_policy("abc", "").and_then(|value| value.to_str().map(str::to_owned).ok()).unwrap_or_default();
        assert!(policy.contains("'nonce-abc' 'strict-dynamic'"));
        assert!(!policy.contains("unsafe"));
    }
}
