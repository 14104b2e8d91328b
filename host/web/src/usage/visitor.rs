//! The visitor that made a request, as far as usage counting has to know them.

use std::net::{IpAddr, SocketAddr};

use axum::{
    extract::ConnectInfo,
    http::{Extensions, HeaderMap, header},
};

/// The visitor that made a request. It is hashed with a secret of the day and never stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visitor {
    /// IP address, or "" when it is unknown.
    pub address: String,
    /// User agent.
    pub agent: String,
    /// Whether the browser prefetches the page, which the reader may never look at.
    pub prefetch: bool,
}

impl Visitor {
    /// The visitor of a request.
    #[must_use]
    pub fn of(headers: &HeaderMap, extensions: &Extensions) -> Self {
        let peer = extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        Self::from_parts(headers, peer)
    }

    /// The visitor behind a connection from `peer`. The header `X-Forwarded-For` is trusted only when the peer can be a
    /// reverse proxy of this installation: on this machine or in a private network.
    #[must_use]
    pub fn from_parts(headers: &HeaderMap, peer: Option<IpAddr>) -> Self {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let forwarded = text("x-forwarded-for").rsplit(',').next().and_then(|last| last.trim().parse::<IpAddr>().ok());
        let address = match (peer, forwarded) {
            (Some(peer), Some(forwarded)) if is_local(peer) => Some(forwarded),
            (None, forwarded) => forwarded,
            (peer, _) => peer,
        };
        let purpose = [text("sec-purpose"), text("purpose"), text("x-moz")];
        Self {
            address: address.map(|address| address.to_string()).unwrap_or_default(),
            agent: text(header::USER_AGENT.as_str()).chars().take(1024).collect(),
            prefetch: purpose.iter().any(|purpose| purpose.to_ascii_lowercase().contains("prefetch")),
        }
    }
}

fn is_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback() || address.is_private() || address.is_link_local(),
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(mapped) => is_local(IpAddr::V4(mapped)),
            None => address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local(),
        },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (header::HeaderName::from_static(name), value.parse().unwrap())).collect()
    }

    #[test]
    fn forwarded_addresses_are_trusted_from_local_proxies_only() {
        let forwarded = headers(&[("x-forwarded-for", "198.51.100.7, 203.0.113.9")]);
        let address = |peer: &str| Visitor::from_parts(&forwarded, Some(peer.parse().unwrap())).address;
        assert_eq!(address("127.0.0.1"), "203.0.113.9");
        assert_eq!(address("::ffff:10.0.0.3"), "203.0.113.9");
        assert_eq!(address("192.0.2.4"), "192.0.2.4");
        let odd = headers(&[("x-forwarded-for", "me")]);
        assert_eq!(Visitor::from_parts(&odd, Some("127.0.0.1".parse().unwrap())).address, "127.0.0.1");
        assert_eq!(Visitor::from_parts(&HeaderMap::new(), None), Visitor::default());
    }

    #[test]
    fn prefetches_are_recognized() {
        assert!(Visitor::from_parts(&headers(&[("sec-purpose", "prefetch;prerender")]), None).prefetch);
        assert!(!Visitor::from_parts(&headers(&[("user-agent", "x")]), None).prefetch);
    }
}
