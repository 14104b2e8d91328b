//! The visitor that made a request, as far as usage counting has to know them.

use axum::http::{Extensions, HeaderMap, header};

use crate::client::{Client, Connection};

/// The visitor that made a request. It is hashed with a secret of the day and never stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visitor {
    /// The client.
    pub client: Client,
    /// User agent.
    pub agent: String,
    /// Whether the browser prefetches the page, which the reader may never look at.
    pub prefetch: bool,
}

impl Visitor {
    /// The visitor of a request.
    #[must_use]
    pub fn of(headers: &HeaderMap, extensions: &Extensions) -> Self {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let purpose = [text("sec-purpose"), text("purpose"), text("x-moz")];
        Self {
            client: Connection::of_request(extensions).client,
            agent: text(header::USER_AGENT.as_str()).chars().take(1024).collect(),
            prefetch: purpose.iter().any(|purpose| purpose.to_ascii_lowercase().contains("prefetch")),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn prefetches_are_recognized() {
        let visitor = |name: &'static str, value: &str| {
            let headers = HeaderMap::from_iter([(header::HeaderName::from_static(name), value.parse().unwrap())]);
            Visitor::of(&headers, &Extensions::new())
        };
        assert!(visitor("sec-purpose", "prefetch;prerender").prefetch);
        assert!(!visitor("user-agent", "x").prefetch);
    }

    #[test]
    fn headers_do_not_change_the_client() {
        let mut extensions = Extensions::new();
        let client = Client::from(std::net::IpAddr::from([192, 0, 2, 1]));
        extensions.insert(Connection { client, ..Connection::default() });
        let headers = HeaderMap::from_iter([("x-forwarded-for".parse().unwrap(), "198.51.100.7".parse().unwrap())]);
        assert_eq!(Visitor::of(&headers, &extensions).client, client);
    }
}
