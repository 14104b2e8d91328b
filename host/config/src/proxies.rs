//! The reverse proxies in front of the host (`[proxies]` of `platform.toml`).

use std::net::IpAddr;

use masthead_domain::networks::Networks;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The reverse proxies whose forwarded headers are read. By default there are none, and the headers have no effect: anybody
/// can send them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Proxies {
    /// Networks of the proxies.
    #[serde(default)]
    pub trusted: Networks,
    /// The headers that the proxies write.
    #[serde(default)]
    pub headers: ForwardedHeaders,
}

impl Proxies {
    /// Whether this address belongs to a trusted proxy.
    #[must_use]
    pub fn trust(&self, address: IpAddr) -> bool {
        self.trusted.contain(address)
    }
}

/// The headers in which proxies report the address, scheme and host of a request. Only one kind is read: a proxy passes on
/// the kind that it does not write, as the client sent it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ForwardedHeaders {
    /// `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host`.
    #[default]
    XForwarded,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_proxy_is_trusted_by_its_network_or_address() {
        let proxies: Proxies = toml::from_str("trusted = [\"10.0.0.0/8\", \"2001:db8::/32\", \"127.0.0.1\"]").unwrap();
        for (address, expected) in [
            ("10.1.2.3", true),
            ("::ffff:10.1.2.3", true),
            ("2001:db8:7::1", true),
            ("127.0.0.1", true),
            ("127.0.0.2", false),
            ("192.168.0.1", false),
            ("::1", false),
        ] {
            assert_eq!(proxies.trust(address.parse().unwrap()), expected, "{address}");
        }
        assert!(!Proxies::default().trust("127.0.0.1".parse().unwrap()), "nobody is trusted by default");
    }

    #[test]
    fn what_is_no_network_is_rejected() {
        let error = toml::from_str::<Proxies>("trusted = [\"10.0.0.0/8\", \"proxy.example\"]").unwrap_err().to_string();
        assert!(error.contains("proxy.example"), "{error}");
        assert!(toml::from_str::<Proxies>("headers = \"x-real-ip\"").is_err());
        assert_eq!(toml::from_str::<Proxies>("headers = \"forwarded\"").unwrap().headers, ForwardedHeaders::Forwarded);
    }
}
