//! The site that a request concerns. Content is read through a [`Scope`] only.

use std::sync::Arc;

use axum::{
    extract::{FromRequestParts, OptionalFromRequestParts},
    http::{StatusCode, request::Parts},
    response::{IntoResponse, Response},
};
use masthead_domain::site::Site;

use crate::sites::SiteEntry;

/// The site that a request concerns and how the request named it. Handlers that read content take a `Scope`: there is
/// no other way to a site's store.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The site.
    pub entry: Arc<SiteEntry>,
    /// Prefix of the site's addresses: "" or `/<sld>`.
    pub base: String,
}

impl Scope {
    /// A site on a host that several sites share: its short name is the prefix of its addresses.
    #[must_use]
    pub fn on_shared_host(entry: &Arc<SiteEntry>) -> Self {
        Self { entry: Arc::clone(entry), base: format!("/{}", entry.site.sld) }
    }

    /// Absolute address of the site at its canonical host, without trailing slash; as the request names it if the site has none.
    #[must_use]
    pub fn canonical(&self, host: &Host) -> String {
        match self.entry.site.canonical.host.as_str() {
            "" => format!("{}{}", host.origin, self.base),
            name => host.of_name(&name.to_lowercase()),
        }
    }
}

/// Scheme and host of a request, as absolute addresses contain them.
#[derive(Clone, Debug)]
pub struct Host {
    /// `http://name:port` in lower case, without trailing slash; the port only if it is known and not the scheme's own.
    pub origin: String,
    /// Whether the first path segment has to name the site.
    pub in_path: bool,
}

impl Host {
    /// Whether the reader uses https: cookies are then `Secure`.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.origin.starts_with("https://")
    }

    /// The host's name, without port.
    #[must_use]
    pub fn name(&self) -> &str {
        self.parts().1
    }

    /// The same scheme and port with another host name.
    #[must_use]
    pub fn of_name(&self, name: &str) -> String {
        let (scheme, _, port) = self.parts();
        format!("{scheme}://{name}{port}")
    }

    /// The scheme and port of this host with the name of a host of a site: its canonical one, else its first domain unless this host is one
    /// of the platform (`domain`), else the one that the platform gives it.
    #[must_use]
    pub fn of_site(&self, site: &Site, domain: &str) -> String {
        let own = format!("{}.{domain}", site.sld);
        let below_platform = format!(".{}", domain.to_lowercase());
        let name = match (site.canonical.host.as_str(), site.domains.first()) {
            ("", Some(first)) if !self.name().ends_with(&below_platform) => first.as_str(),
            ("", _) => own.as_str(),
            (canonical, _) => canonical,
        };
        self.of_name(&name.to_lowercase())
    }

    /// What the addresses of another site begin with, for a reader at a site whose addresses begin with `base`: its short name on a host that
    /// sites share, else a host of that site. `domain` is the platform's.
    #[must_use]
    pub fn base_of(&self, site: &Site, domain: &str, base: &str) -> String {
        if base.is_empty() { self.of_site(site, domain) } else { format!("/{}", site.sld) }
    }

    /// Scheme, name, and port with its colon.
    fn parts(&self) -> (&str, &str, &str) {
        let (scheme, own) = self.origin.split_once("://").unwrap_or(("http", ""));
        // The colons within the brackets of an IPv6 address are none before a port.
        let after_address = own.rfind(']').map_or(0, |end| end + 1);
        let at = own[after_address..].rfind(':').map_or(own.len(), |at| after_address + at);
        (scheme, &own[..at], &own[at..])
    }
}

impl<S: Send + Sync> OptionalFromRequestParts<S> for Scope {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Option<Self>, Self::Rejection> {
        Ok(parts.extensions.get::<Self>().cloned())
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Host {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        parts.extensions.get::<Self>().cloned().ok_or_else(|| StatusCode::INTERNAL_SERVER_ERROR.into_response())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{Host, Site};

    #[test]
    fn a_site_is_at_its_own_host_with_the_scheme_and_port_of_the_request() {
        let site = |extra: serde_json::Value| -> Site {
            let mut value = serde_json::json!({
                "id": 1, "sld": "creek", "name": { "en": "C" }, "colorId": 1, "languages": ["en"], "header": {},
            });
            value.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
            serde_json::from_value(value).unwrap()
        };
        let plain = site(serde_json::json!({}));
        let named = site(serde_json::json!({ "domains": ["Creek.Example.org"] }));
        for (origin, site, expected) in [
            ("http://bay.localhost:8448", &plain, "http://creek.localhost:8448"),
            ("https://bay.example.org", &named, "https://creek.example.org"),
            ("http://bay.localhost", &named, "http://creek.localhost"),
            ("http://[::1]", &plain, "http://creek.localhost"),
        ] {
            let host = Host { origin: origin.to_owned(), in_path: false };
            assert_eq!(host.of_site(site, "localhost"), expected, "{origin}");
        }
    }

    #[test]
    fn another_name_has_the_scheme_and_the_port_of_the_request() {
        for (origin, expected) in [
            ("http://127.0.0.1:8448", "http://a.example:8448"),
            ("https://b.example", "https://a.example"),
            ("http://[::1]:8448", "http://a.example:8448"),
            ("http://[::1]", "http://a.example"),
        ] {
            let host = Host { origin: origin.to_owned(), in_path: false };
            assert_eq!(host.of_name("a.example"), expected, "{origin}");
            assert!(["127.0.0.1", "b.example", "[::1]"].contains(&host.name()), "{origin}");
        }
    }
}
