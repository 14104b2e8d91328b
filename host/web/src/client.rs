//! Where a request comes from: the client's address, scheme and host. This is the only place that reads the headers of
//! reverse proxies, and it reads those of trusted proxies only.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr, SocketAddr},
};

use axum::{
    extract::{ConnectInfo, FromRequestParts},
    http::{Extensions, HeaderMap, request::Parts},
};
use masthead_config::{ForwardedHeaders, Proxies};

/// Bits of an IPv6 address that identify a client. A subscriber has at least a /64 network, and chooses the addresses in it
/// freely.
const IPV6_PREFIX: u32 = 64;

/// The client that sent a request, as far as limits and usage counting distinguish clients: an IPv4 address or an IPv6
/// network. All requests without a known address are one client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Client(Option<IpAddr>);

impl From<IpAddr> for Client {
    fn from(address: IpAddr) -> Self {
        Self(Some(match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = address.to_bits() & (u128::MAX << (u128::BITS - IPV6_PREFIX));
                IpAddr::V6(Ipv6Addr::from_bits(network))
            }
            address @ IpAddr::V4(_) => address,
        }))
    }
}

impl Client {
    /// The address, of which IPv6 has the network alone; `None` when it is unknown.
    #[must_use]
    pub const fn address(self) -> Option<IpAddr> {
        self.0
    }
}

/// The address; "" when it is unknown.
impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |address| address.fmt(f))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Client {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Connection::of_request(&parts.extensions).client)
    }
}

/// The client's connection, as the host sees it or as trusted proxies report it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Connection {
    /// The client.
    pub client: Client,
    /// Whether a trusted proxy reports that the client uses https.
    pub https: bool,
    /// The host that a trusted proxy reports, unchecked.
    pub host: Option<String>,
    /// The id that a trusted proxy gave the request.
    pub request_id: Option<String>,
}

impl Connection {
    /// The connection that the middleware found for a request.
    #[must_use]
    pub fn of_request(extensions: &Extensions) -> Self {
        extensions.get::<Self>().cloned().unwrap_or_default()
    }

    /// Reads the connection of a request from its peer address and, if the peer is a trusted proxy, from its headers.
    #[must_use]
    pub fn read(headers: &HeaderMap, extensions: &Extensions, proxies: &Proxies) -> Self {
        let peer = extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        peer.map_or_else(Self::default, |peer| Self::behind(peer, headers, proxies))
    }

    fn behind(peer: IpAddr, headers: &HeaderMap, proxies: &Proxies) -> Self {
        if !proxies.trust(peer) {
            return Self { client: peer.into(), ..Self::default() };
        }
        match proxies.headers {
            ForwardedHeaders::XForwarded => {
                let hops = list(headers, "x-forwarded-for");
                let (address, _) = client_address(peer, hops.iter().map(|hop| address(hop)), proxies);
                let last = |name: &str| list(headers, name).pop().map(str::to_owned);
                Self {
                    client: address.into(),
                    https: last("x-forwarded-proto").is_some_and(|scheme| scheme.eq_ignore_ascii_case("https")),
                    host: last("x-forwarded-host").filter(|host| !host.is_empty()),
                    request_id: given_id(headers),
                }
            }
            ForwardedHeaders::Forwarded => {
                let elements = list(headers, "forwarded");
                let hops = elements.iter().map(|element| address(parameter(element, "for")?));
                let (address, element) = client_address(peer, hops, proxies);
                // The proxy that the client is connected to wrote this element.
                let report = |name: &str| parameter(elements.get(element?)?, name);
                Self {
                    client: address.into(),
                    https: report("proto").is_some_and(|scheme| scheme.eq_ignore_ascii_case("https")),
                    host: report("host").filter(|host| !host.is_empty()).map(str::to_owned),
                    request_id: given_id(headers),
                }
            }
        }
    }
}

/// Greatest length of a request's id that a proxy gives.
const MAX_ID: usize = 64;

/// The id that the last proxy gave a request, if it can stand in logs and headers.
fn given_id(headers: &HeaderMap) -> Option<String> {
    let plain = |id: &str| id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    let id = list(headers, "x-request-id").pop()?;
    (!id.is_empty() && id.len() <= MAX_ID && plain(id)).then(|| id.to_owned())
}

tokio::task_local! {
    static REQUEST_ID: String;
}

/// Runs the work on a request with this id.
pub async fn with_request_id<F: Future>(id: String, work: F) -> F::Output {
    REQUEST_ID.scope(id, work).await
}

/// The id of the request that the current task works on; `None` outside requests.
#[must_use]
pub fn request_id() -> Option<String> {
    REQUEST_ID.try_with(Clone::clone).ok()
}

/// The right-most address that is no trusted proxy, and the place of its hop. Each trusted proxy appends the address that
/// connected to it, so whatever is left of the first untrusted address was written by a client. If a hop cannot be read, the
/// proxy that wrote it stands for all clients behind it.
fn client_address(
    peer: IpAddr,
    hops: impl DoubleEndedIterator<Item = Option<IpAddr>> + ExactSizeIterator,
    proxies: &Proxies,
) -> (IpAddr, Option<usize>) {
    let (mut found, mut place) = (peer, None);
    for (at, hop) in hops.enumerate().rev() {
        let Some(address) = hop else { break };
        (found, place) = (address, Some(at));
        if !proxies.trust(address) {
            break;
        }
    }
    (found, place)
}

/// The parts of a header that holds a list, over all its lines. A line that is not ASCII is one unreadable part.
///
/// Lists are split at every comma, also within quotes: the last part is then always what the last proxy appended, whatever
/// quotes a client opened before it.
fn list<'a>(headers: &'a HeaderMap, name: &str) -> Vec<&'a str> {
    let lines = headers.get_all(name).iter().map(|value| value.to_str().unwrap_or_default());
    lines.flat_map(|line| line.split(',')).map(str::trim).collect()
}

/// A parameter of an element of `Forwarded`, without quotes.
fn parameter<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    element.split(';').find_map(|pair| {
        let (key, value) = pair.split_once('=')?;
        key.trim().eq_ignore_ascii_case(name).then(|| value.trim().trim_matches('"'))
    })
}

/// An address with or without port; IPv6 addresses may stand in brackets.
fn address(text: &str) -> Option<IpAddr> {
    let plain = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    plain.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use axum::http::HeaderName;

    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(HeaderName::from_static(name), value.parse().unwrap());
        }
        headers
    }

    fn proxies(kind: ForwardedHeaders) -> Proxies {
        let trusted = ["127.0.0.1", "10.0.0.0/8", "2001:db8:ff::/48"].map(str::to_owned).to_vec();
        Proxies { trusted: trusted.try_into().unwrap(), headers: kind }
    }

    fn connection(peer: &str, kind: ForwardedHeaders, pairs: &[(&'static str, &str)]) -> Connection {
        Connection::behind(peer.parse().unwrap(), &headers(pairs), &proxies(kind))
    }

    fn client(address: &str) -> Client {
        Client::from(address.parse::<IpAddr>().unwrap())
    }

    #[test]
    fn an_ipv6_client_is_its_network() {
        assert_eq!(client("2001:db8:1:2:3:4:5:6"), client("2001:db8:1:2:ffff::1"));
        assert_ne!(client("2001:db8:1:2::1"), client("2001:db8:1:3::1"));
        assert_eq!(client("::ffff:192.0.2.1"), client("192.0.2.1"));
        assert_ne!(client("192.0.2.1"), client("192.0.2.2"));
        assert_eq!(client("2001:db8:1:2::7").address(), "2001:db8:1:2::".parse().ok());
        assert_eq!(
            (client("2001:db8::7").to_string(), Client::default().to_string()),
            ("2001:db8::".to_owned(), String::new())
        );
    }

    #[test]
    fn forwarded_headers_of_others_than_trusted_proxies_have_no_effect() {
        let forged = [
            ("x-forwarded-for", "198.51.100.7"),
            ("x-forwarded-proto", "https"),
            ("x-forwarded-host", "other.example"),
            ("forwarded", "for=198.51.100.7;proto=https;host=other.example"),
        ];
        let direct = Connection { client: client("192.168.0.9"), ..Connection::default() };
        for kind in [ForwardedHeaders::XForwarded, ForwardedHeaders::Forwarded] {
            assert_eq!(connection("192.168.0.9", kind, &forged), direct, "a private address is no proxy by itself");
            let peer = "127.0.0.1".parse().unwrap();
            let untrusting =
                Connection::behind(peer, &headers(&forged), &Proxies { headers: kind, ..Proxies::default() });
            assert_eq!(untrusting, Connection { client: client("127.0.0.1"), ..Connection::default() });
        }
        let nobody = Connection::read(&headers(&forged), &Extensions::new(), &proxies(ForwardedHeaders::XForwarded));
        assert_eq!(nobody, Connection::default());
    }

    #[test]
    fn the_client_is_the_right_most_address_that_is_no_trusted_proxy() {
        let of =
            |value: &str| connection("127.0.0.1", ForwardedHeaders::XForwarded, &[("x-forwarded-for", value)]).client;
        for (value, expected) in [
            ("203.0.113.9", "203.0.113.9"),
            ("198.51.100.7, 203.0.113.9", "203.0.113.9"),
            ("198.51.100.7, 203.0.113.9, 10.0.0.3, 2001:db8:ff::3", "203.0.113.9"),
            ("203.0.113.9:4711, 10.0.0.3:80", "203.0.113.9"),
            ("[2001:db8::1]:4711", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"),
            ("10.0.0.4, 10.0.0.3", "10.0.0.4"),
            ("198.51.100.7, unknown, 10.0.0.3", "10.0.0.3"),
            ("198.51.100.7, me", "127.0.0.1"),
            ("", "127.0.0.1"),
        ] {
            assert_eq!(of(value), client(expected), "{value}");
        }
        let lines =
            [("x-forwarded-for", "198.51.100.7"), ("x-forwarded-for", "203.0.113.9"), ("forwarded", "for=192.0.2.1")];
        assert_eq!(connection("127.0.0.1", ForwardedHeaders::XForwarded, &lines).client, client("203.0.113.9"));
    }

    #[test]
    fn scheme_and_host_are_those_that_the_proxy_reports() {
        let of = |kind, pairs: &[(&'static str, &str)]| {
            let connection = connection("127.0.0.1", kind, pairs);
            (connection.https, connection.host)
        };
        let forwarded = |value: &str| of(ForwardedHeaders::Forwarded, &[("forwarded", value)]);
        let journal = Some("journal.example".to_owned());
        assert_eq!(forwarded("for=192.0.2.1;Proto=HTTPS;host=journal.example"), (true, journal.clone()));
        assert_eq!(
            forwarded("for=192.0.2.1;proto=https;host=\"journal.example\", for=10.0.0.3;proto=http;host=inner"),
            (true, journal.clone())
        );
        assert_eq!(
            forwarded("for=192.0.2.1;proto=https, for=192.0.2.2;proto=http"),
            (false, None),
            "the first is forged"
        );
        let x = [("x-forwarded-proto", "http, https"), ("x-forwarded-host", "journal.example")];
        assert_eq!(of(ForwardedHeaders::XForwarded, &x), (true, journal));
        assert_eq!(of(ForwardedHeaders::Forwarded, &x), (false, None), "only one kind of headers is read");
        assert_eq!(of(ForwardedHeaders::XForwarded, &[("x-forwarded-host", "")]), (false, None));
    }

    #[test]
    fn the_id_of_a_request_is_that_of_a_trusted_proxy_or_none() {
        let of = |peer: &str, ids: &[&str]| {
            let pairs: Vec<_> = ids.iter().map(|id| ("x-request-id", *id)).collect();
            connection(peer, ForwardedHeaders::XForwarded, &pairs).request_id
        };
        assert_eq!(of("127.0.0.1", &["a1-b_2.c"]), Some("a1-b_2.c".to_owned()));
        assert_eq!(of("127.0.0.1", &["forged", "of-the-proxy"]), Some("of-the-proxy".to_owned()));
        assert_eq!(of("192.168.0.9", &["forged"]), None, "nobody else gives ids");
        for odd in ["", "a b", "a\"b", "a;b", &"x".repeat(65)] {
            assert_eq!(of("127.0.0.1", &[odd]), None, "{odd:?}");
        }
    }

    #[test]
    fn an_open_quote_does_not_hide_what_a_proxy_appends() {
        let of = |value: &str| connection("127.0.0.1", ForwardedHeaders::Forwarded, &[("forwarded", value)]).client;
        assert_eq!(of("for=6.6.6.6;x=\", for=192.0.2.1"), client("192.0.2.1"));
        assert_eq!(of("for=6.6.6.6, for=\"[2001:db8::1]:80\""), client("2001:db8::1"));
        assert_eq!(of("for=192.0.2.1, for=_hidden"), client("127.0.0.1"));
        assert_eq!(of("for=unknown"), client("127.0.0.1"));
    }
}
