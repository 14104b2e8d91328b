//! Content encodings that a client accepts.

use axum::http::{HeaderMap, header};

/// Whether a client accepts gzip (RFC 9110, section 12.5.3).
#[must_use]
pub fn accepts_gzip(headers: &HeaderMap) -> bool {
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
    fn gzip_is_used_when_the_client_accepts_it() {
        for (value, takes) in [("gzip, br", true), ("br", false), ("gzip;q=0", false), ("*", true), ("GZIP", false)] {
            assert_eq!(accepts_gzip(&headers(header::ACCEPT_ENCODING, value)), takes, "{value}");
        }
    }
}
