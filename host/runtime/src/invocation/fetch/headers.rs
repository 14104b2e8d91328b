//! The headers that a plugin may set and read.

use reqwest::header::{CONNECTION, HeaderMap, HeaderName, HeaderValue};

use super::error::FetchError;

/// Headers that frame or route the message or identify the sender. They are set by the host only, not by plugins or credentials.
const HOST_ONLY: [&str; 16] = [
    "accept-encoding",
    "connection",
    "content-length",
    "cookie",
    "expect",
    "forwarded",
    "host",
    "http2-settings",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "via",
    "x-real-ip",
];

/// Headers of the connection, and cookies. They are hidden from plugins, because the host keeps neither for them.
const HIDDEN: [&str; 8] =
    ["connection", "keep-alive", "set-cookie", "set-cookie2", "te", "trailer", "transfer-encoding", "upgrade"];

/// Checks the header name of a credential.
pub(super) fn credential_name(name: &str) -> Result<HeaderName, FetchError> {
    let parsed = HeaderName::from_bytes(name.as_bytes())
        .map_err(|_| FetchError::Invalid(format!("{name:?} is not a valid header name")))?;
    if is_host_only(parsed.as_str()) {
        return Err(FetchError::Invalid(format!("the header {parsed} is set by the host alone")));
    }
    Ok(parsed)
}

/// Checks the headers of a plugin's request.
pub(super) fn read(headers: &[(String, String)]) -> Result<HeaderMap, FetchError> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let name = credential_name(name)?;
        if name == "authorization" {
            let advice = "name a secret as a credential of the request, so that the host puts it in";
            return Err(FetchError::Invalid(format!("the header authorization may not be set by plugins: {advice}")));
        }
        let parsed = HeaderValue::from_str(value).ok().filter(|parsed| parsed.to_str().is_ok());
        let value = parsed.ok_or_else(|| {
            FetchError::Invalid(format!("the value of the header {name} may have visible ASCII characters only"))
        })?;
        map.append(name, value);
    }
    Ok(map)
}

/// The headers of a response that a plugin may read.
pub(super) fn shown(headers: &HeaderMap) -> Vec<(String, String)> {
    let named: Vec<String> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|name| name.trim().to_ascii_lowercase())
        .collect();
    headers
        .iter()
        .filter(|(name, _)| {
            let name = name.as_str();
            !HIDDEN.contains(&name) && !name.starts_with("proxy-") && !named.iter().any(|hop| hop == name)
        })
        .map(|(name, value)| (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
        .collect()
}

/// The size of headers for the limits: names, values, and four bytes of separators each.
pub(super) fn size(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum()
}

fn is_host_only(name: &str) -> bool {
    HOST_ONLY.contains(&name) || name.starts_with("proxy-") || name.starts_with("x-forwarded-")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn pair(name: &str, value: &str) -> Vec<(String, String)> {
        vec![(name.to_owned(), value.to_owned())]
    }

    #[test]
    fn headers_of_the_host_are_refused() {
        for name in [
            "Authorization",
            "Proxy-Authorization",
            "proxy-anything",
            "Cookie",
            "HOST",
            "Content-Length",
            "Transfer-Encoding",
            "connection",
            "Upgrade",
            "TE",
            "Trailer",
            "Forwarded",
            "X-Forwarded-For",
            "User-Agent",
            "Expect",
            "",
            "a b",
            "a:b",
            "a\r\nb",
        ] {
            assert!(matches!(read(&pair(name, "x")), Err(FetchError::Invalid(_))), "{name}");
        }
        for name in ["host", "content-length", "x-forwarded-for", "proxy-authorization"] {
            assert!(credential_name(name).is_err(), "{name}");
        }
        assert_eq!(credential_name("Authorization").unwrap(), "authorization");
    }

    #[test]
    fn control_characters_are_refused() {
        for value in ["a\r\nx: y", "a\nb", "a\0", "\u{7f}", "é"] {
            let error = read(&pair("x-a", value)).unwrap_err().to_string();
            assert!(error.contains("x-a"), "{error}");
        }
        assert_eq!(read(&pair("Accept", "application/json")).unwrap()["accept"], "application/json");
    }

    #[test]
    fn headers_of_the_connection_and_cookies_are_hidden() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("set-cookie", "a=b"),
            ("connection", "close, X-Hop"),
            ("x-hop", "1"),
            ("proxy-authenticate", "Basic"),
            ("transfer-encoding", "chunked"),
            ("etag", "\"1\""),
        ] {
            headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        assert_eq!(shown(&headers), pair("etag", "\"1\""));
    }
}
