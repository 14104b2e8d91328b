//! The client and the site of a request: the `Host` header or the first path segment names the site.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, Uri, header, uri::PathAndQuery},
    middleware::Next,
    response::Response,
};
use masthead_config::{PublicAddress, Scheme};
use masthead_domain::SiteId;

use crate::{
    app::App,
    auth::administrator_sessions::Console,
    client::Connection,
    http::{access::OfSite, connections::ListenPort},
    sites::scope::{Host, Scope},
};

/// Middleware that determines the connection of a request: client, scheme and host.
pub async fn connection(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let connection = {
        let table = app.sites.load();
        Connection::read(request.headers(), request.extensions(), &table.platform.proxies)
    };
    request.extensions_mut().insert(connection);
    next.run(request).await
}

/// Middleware that determines the site of a request, and removes the site's name from the path if the path names it.
pub async fn site(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let host = host(&request).to_ascii_lowercase();
    let table = app.sites.load_full();
    let name = without_port(&host);
    let mut in_path = false;
    let scope = match table.by_host(name) {
        Some(entry) => Some(Scope { entry: Arc::clone(entry), base: String::new() }),
        None if table.is_path_host(name) => {
            in_path = true;
            let named = first_segment(request.uri().path()).and_then(|sld| table.by_sld(sld));
            match named.map(Scope::on_shared_host) {
                Some(scope) => {
                    if let Some(uri) = without_prefix(request.uri(), &scope.base) {
                        *request.uri_mut() = uri;
                    }
                    Some(scope)
                }
                None => by_parameter(&table, request.headers(), request.uri()),
            }
        }
        None => None,
    };
    let forwarded = if Connection::of_request(request.extensions()).https { Scheme::Https } else { Scheme::Http };
    let listening = request.extensions().get::<ListenPort>().map(|port| port.0);
    let origin = origin(&table.platform.public, forwarded, &host, listening);
    request.extensions_mut().insert(Host { origin, in_path });
    let named = scope.as_ref().map(|scope| OfSite(scope.entry.site.sld.clone()));
    if let Some(scope) = scope {
        request.extensions_mut().insert(scope);
    }
    let mut response = next.run(request).await;
    if let Some(named) = named {
        response.extensions_mut().insert(named);
    }
    response
}

/// Middleware of the administrators' calls that marks the requests to the host at which administrators sign in. At any other one, their
/// sessions have no effect.
pub async fn console(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let platform = &app.sites.load_full().platform;
    if without_port(&host(&request).to_ascii_lowercase()) == platform.console_host() {
        let forwarded = Connection::of_request(request.extensions()).https;
        let https = platform.public.scheme.map_or(forwarded, |scheme| scheme == Scheme::Https);
        request.extensions_mut().insert(Console { https });
    }
    next.run(request).await
}

/// The site of an API call on the platform's host: named in the address of the call, else by the header or parameter
/// `siteId`.
fn by_parameter(table: &crate::sites::SiteTable, headers: &HeaderMap, uri: &Uri) -> Option<Scope> {
    if !uri.path().starts_with("/rc-pub/") {
        return None;
    }
    let header = headers.get("siteId").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let parameter = url::form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes())
        .find(|(name, _)| name == "siteId")
        .map(|(_, value)| value.into_owned());
    let id = match crate::api::site_in_path(uri.path()) {
        Some(id) => id?,
        None => SiteId(header.or(parameter)?.trim().parse().ok()?),
    };
    table.by_id(id).map(Scope::on_shared_host)
}

/// The host of the request: the one that a trusted proxy reports, else that of the request itself. Anything that is not a
/// host name becomes "", which names no site.
pub(super) fn host(request: &Request) -> String {
    let connection = Connection::of_request(request.extensions());
    host_of(connection.host.as_deref(), request.headers(), request.uri())
}

fn host_of(reported: Option<&str>, headers: &HeaderMap, uri: &Uri) -> String {
    let given = reported
        .or_else(|| headers.get(header::HOST).and_then(|value| value.to_str().ok()))
        .or_else(|| uri.authority().map(axum::http::uri::Authority::as_str))
        .unwrap_or_default();
    let fits = given.len() <= 255 && given.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.:[]_".contains(&b));
    if fits { given.to_owned() } else { String::new() }
}

fn without_port(host: &str) -> &str {
    match host.rfind(']') {
        Some(end) => &host[..=end],
        None => host.split(':').next().unwrap_or_default(),
    }
}

/// Scheme, name and port of absolute addresses. Pages contain them and are cached by them: the name is one that was looked up, and
/// the port of the request is kept only if it is the one on which the host listens or is configured, so that a client cannot invent
/// origins. Behind a proxy, requests usually name no port, and neither do addresses.
fn origin(public: &PublicAddress, forwarded: Scheme, host: &str, listening: Option<u16>) -> String {
    let scheme = public.scheme.unwrap_or(forwarded);
    let name = without_port(host);
    let port = host[name.len()..].strip_prefix(':').and_then(|port| port.parse::<u16>().ok());
    let known = |port: &u16| listening == Some(*port) || public.ports.contains(port);
    match port.filter(|port| *port != scheme.default_port()).filter(known) {
        Some(port) => format!("{}://{name}:{port}", scheme.name()),
        None => format!("{}://{name}", scheme.name()),
    }
}

fn first_segment(path: &str) -> Option<&str> {
    path.strip_prefix('/')?.split('/').next().filter(|segment| !segment.is_empty())
}

fn without_prefix(uri: &Uri, base: &str) -> Option<Uri> {
    let rest = uri.path().strip_prefix(base)?;
    let path = if rest.is_empty() { "/" } else { rest };
    let path = match uri.query() {
        Some(query) => format!("{path}?{query}"),
        None => path.to_owned(),
    };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(path).ok()?);
    Uri::from_parts(parts).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_port_is_removed_from_hosts() {
        assert_eq!(without_port("ocean.localhost:8448"), "ocean.localhost");
        assert_eq!(without_port("[::1]:8448"), "[::1]");
        assert_eq!(without_port("ocean"), "ocean");
    }

    #[test]
    fn an_origin_has_a_known_port_or_none() {
        let plain = PublicAddress::default();
        let of = |public: &PublicAddress, host: &str| origin(public, Scheme::Http, host, Some(8448));
        for (host, expected) in [
            ("ocean.localhost", "http://ocean.localhost"),
            ("ocean.localhost:8448", "http://ocean.localhost:8448"),
            ("ocean.localhost:08448", "http://ocean.localhost:8448"),
            ("ocean.localhost:9000", "http://ocean.localhost"),
            ("ocean.localhost:80", "http://ocean.localhost"),
            ("ocean.localhost:", "http://ocean.localhost"),
            ("ocean.localhost:x:8448", "http://ocean.localhost"),
            ("ocean.localhost:99999", "http://ocean.localhost"),
            ("[::1]:8448", "http://[::1]:8448"),
            ("[::1]:1", "http://[::1]"),
            ("", "http://"),
        ] {
            assert_eq!(of(&plain, host), expected, "{host:?}");
        }
        assert_eq!(origin(&plain, Scheme::Https, "ocean", None), "https://ocean", "as the proxy says");
        assert_eq!(origin(&plain, Scheme::Https, "ocean:8448", None), "https://ocean", "the listener is not known");
        let secure = PublicAddress { scheme: Some(Scheme::Https), ports: vec![443, 9443] };
        assert_eq!(of(&secure, "ocean:9443"), "https://ocean:9443", "the configuration overrides the proxy");
        assert_eq!(of(&secure, "ocean:443"), "https://ocean");
    }

    #[test]
    fn an_invalid_host_names_no_site() {
        for text in ["a b", "a/b", "a\"b", "<script>"] {
            let headers = HeaderMap::from_iter([(header::HOST, text.parse().unwrap())]);
            assert_eq!(host_of(None, &headers, &Uri::from_static("/")), "", "{text}");
            assert_eq!(host_of(Some(text), &HeaderMap::new(), &Uri::from_static("/")), "", "{text}");
        }
    }

    #[test]
    fn the_host_that_a_proxy_reports_replaces_the_host_of_the_request() {
        let headers = HeaderMap::from_iter([(header::HOST, "inner:8448".parse().unwrap())]);
        let uri = Uri::from_static("/");
        assert_eq!(host_of(Some("journal.example"), &headers, &uri), "journal.example");
        assert_eq!(host_of(None, &headers, &uri), "inner:8448");
    }

    #[test]
    fn the_prefix_is_removed_and_the_query_is_kept() {
        let uri = Uri::from_static("/ocean/en/search?q=a");
        assert_eq!(without_prefix(&uri, "/ocean").unwrap(), Uri::from_static("/en/search?q=a"));
        assert_eq!(without_prefix(&Uri::from_static("/ocean"), "/ocean").unwrap(), Uri::from_static("/"));
    }
}
