//! The origins that a site grants, each listed in full, on the public internet or in the operator's own network.

use std::{collections::BTreeMap, fmt};

use url::{Host, Url};

use super::{
    address::{self, AddressScope, Class},
    error::FetchError,
};

/// The origins to which a plugin of one site may send requests. By default there are none; patterns are not supported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedOrigins {
    origins: BTreeMap<Origin, AddressScope>,
}

/// Scheme, host and port.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Origin {
    scheme: String,
    host: String,
    port: u16,
}

impl Origin {
    /// The origin of a URL; the error names the part that is not allowed.
    pub(super) fn of(url: &Url) -> Result<Self, &'static str> {
        let standard = match url.scheme() {
            "https" => 443,
            "http" => 80,
            _ => return Err("only https and http are supported"),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err("a user name or password does not belong in a URL");
        }
        let host = url.host_str().unwrap_or_default();
        // A trailing dot denotes the same host; two dots are invalid.
        let host = host.strip_suffix('.').unwrap_or(host);
        if host.is_empty() || host.starts_with('.') || host.ends_with('.') || host.contains("..") {
            return Err("it has no host");
        }
        match url.port().unwrap_or(standard) {
            0 => Err("port 0 is not valid"),
            port => Ok(Self { scheme: url.scheme().to_owned(), host: host.to_owned(), port }),
        }
    }

    pub(super) fn is_clear_text(&self) -> bool {
        self.scheme == "http"
    }

    pub(super) fn host(&self) -> &str {
        &self.host
    }

    /// Whether a secret may be sent to it: over https, or over the loopback interface, named by an IP address.
    pub(super) fn keeps_secrets(&self) -> bool {
        let address = self.host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
        !self.is_clear_text() || address.is_ok_and(|address| address.is_loopback())
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.host)?;
        match (self.scheme.as_str(), self.port) {
            ("https", 443) | ("http", 80) => Ok(()),
            (_, port) => write!(f, ":{port}"),
        }
    }
}

impl AllowedOrigins {
    /// Parses a site's grants.
    ///
    /// An entry is `host` or `host:port`, both for HTTPS, or an origin with its scheme; clear text must be explicit, as
    /// `http://host`. The hosts of `public` must be on the public internet; those of `private` may also be in the operator's own
    /// network (private, loopback, unique-local and carrier-shared addresses), except metadata services of clouds and link-local
    /// addresses.
    ///
    /// # Errors
    ///
    /// The faulty entry and the reason.
    pub fn parse(public: &[String], private: &[String]) -> Result<Self, String> {
        let mut origins = BTreeMap::new();
        for (entries, reach) in [(public, AddressScope::Public), (private, AddressScope::Private)] {
            for entry in entries {
                let origin = parse_entry(entry, reach).map_err(|why| format!("the HTTP grant {entry:?}: {why}"))?;
                origins.insert(origin, reach);
            }
        }
        Ok(Self { origins })
    }

    /// Whether nothing is granted.
    pub fn is_empty(&self) -> bool {
        self.origins.is_empty()
    }

    /// The granted origin that an entry denotes.
    pub(super) fn named(&self, entry: &str) -> Result<Origin, String> {
        // Whether an address is private was decided where the origin was granted.
        let origin = parse_entry(entry, AddressScope::Private)?;
        if self.origins.contains_key(&origin) {
            return Ok(origin);
        }
        Err(format!("{origin} is not among the servers that the site grants ({})", self.listed()))
    }

    /// All granted origins.
    pub(super) fn all(&self) -> impl ExactSizeIterator<Item = &Origin> {
        self.origins.keys()
    }

    /// The granted origins in canonical form.
    pub fn describe(&self) -> Vec<String> {
        self.origins.keys().map(Origin::to_string).collect()
    }

    /// The granted origins, for messages.
    pub(super) fn listed(&self) -> String {
        if self.is_empty() { "nothing".to_owned() } else { self.describe().join(", ") }
    }

    /// The origin of an allowed request and the addresses that it may resolve to. A host name is resolved when the client
    /// connects; an IP address is checked here, because nothing resolves it.
    pub(super) fn check(&self, url: &Url) -> Result<(Origin, AddressScope), FetchError> {
        let origin = Origin::of(url)
            .map_err(|why| FetchError::Invalid(format!("the URL with scheme {}: {why}", url.scheme())))?;
        let class = literal(url).map(address::classify);
        if let Some(Class::Never(what)) = class {
            return Err(FetchError::AddressRefused(format!("{origin} is {what}, which cannot be granted")));
        }
        let Some(&reach) = self.origins.get(&origin) else {
            return Err(FetchError::NotGranted(format!(
                "{origin} is not among what the site grants this plugin ({}); add it there",
                self.listed()
            )));
        };
        if let (Some(Class::Private(what)), AddressScope::Public) = (class, reach) {
            return Err(FetchError::AddressRefused(format!("{origin} is {what}; the site has to grant it as private")));
        }
        Ok((origin, reach))
    }
}

/// The IP address of a URL, in any notation: `Url` parses 2130706433 and 0x7f.1 as well.
fn literal(url: &Url) -> Option<std::net::IpAddr> {
    match url.host()? {
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(address.into()),
        Host::Domain(_) => None,
    }
}

fn parse_entry(entry: &str, reach: AddressScope) -> Result<Origin, String> {
    let (scheme, authority) = entry.split_once("://").unwrap_or(("https", entry));
    if authority.contains('*') {
        return Err("wildcards are not granted; write each host out".to_owned());
    }
    if authority.contains('@') {
        return Err("a user name or password does not belong in a grant; name a secret instead".to_owned());
    }
    if authority.contains(['/', '\\', '?', '#']) {
        return Err("a grant is for a whole host: leave out path, query and the slash".to_owned());
    }
    if authority.contains(|c: char| c.is_whitespace() || c.is_control() || c == '%' || c == ',') {
        return Err("one host per entry, without spaces and escapes".to_owned());
    }
    let url = Url::parse(&format!("{scheme}://{authority}"))
        .map_err(|error| format!("{error}; write \"api.example.org\", or \"http://api.example.org:8080\""))?;
    let origin = Origin::of(&url)?;
    match literal(&url).map(address::classify) {
        Some(Class::Never(what)) => Err(format!("it is {what}, which is never granted")),
        Some(Class::Private(what)) if reach == AddressScope::Public => {
            Err(format!("it is {what}; grant it among the private hosts if that is meant"))
        }
        _ => Ok(origin),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::invocation::fetch::tests::{allowed, strings};

    fn check(allowed_origins: &AllowedOrigins, url: &str) -> Result<String, FetchError> {
        allowed_origins.check(&Url::parse(url).unwrap()).map(|(origin, _)| origin.to_string())
    }

    #[test]
    fn all_notations_of_an_entry_become_one_origin() {
        let allowed = allowed(
            &[
                "API.example.org.",
                "https://api.example.org:443",
                "h.example:8443",
                "http://clear.example",
                "bücher.example",
            ],
            &["http://127.0.0.1:8080", "[::1]:9000"],
        );
        let expected = [
            "http://127.0.0.1:8080",
            "http://clear.example",
            "https://[::1]:9000",
            "https://api.example.org",
            "https://h.example:8443",
            "https://xn--bcher-kva.example",
        ];
        assert_eq!(allowed.describe(), expected);
        assert!(!allowed.is_empty());
        assert!(AllowedOrigins::parse(&[], &[]).unwrap().is_empty());
    }

    #[test]
    fn a_host_in_both_lists_is_private() {
        let allowed = allowed(&["h.example"], &["h.example"]);
        assert_eq!(allowed.check(&Url::parse("https://h.example/").unwrap()).unwrap().1, AddressScope::Private);
    }

    #[test]
    fn entries_that_grant_more_than_a_host_are_refused() {
        for (entry, why) in [
            ("*.example.org", "wildcards"),
            ("*", "wildcards"),
            ("api.example.org/v1", "path"),
            ("https://api.example.org/", "path"),
            ("user@api.example.org", "user name"),
            ("http://u:p@api.example.org", "user name"),
            ("ftp://api.example.org", "https and http"),
            ("file:///etc/passwd", "path"),
            ("api.example.org:0", "port 0"),
            ("api.example.org:99999", "port"),
            ("a.example, b.example", "one host"),
            ("a%2eexample", "one host"),
            ("", "host"),
            (".", "host"),
            ("a..example", "host"),
            ("127.0.0.1", "loopback"),
            ("http://2130706433", "loopback"),
            ("10.0.0.1:8080", "private address"),
        ] {
            let error = AllowedOrigins::parse(&strings(&[entry]), &[]).unwrap_err();
            assert!(error.contains(why) && error.contains(&format!("{entry:?}")), "{entry}: {error}");
        }
    }

    #[test]
    fn metadata_services_cannot_be_granted() {
        for entry in ["http://169.254.169.254", "http://[fd00:ec2::254]", "100.100.100.200", "[::ffff:169.254.169.254]"]
        {
            let error = AllowedOrigins::parse(&[], &strings(&[entry])).unwrap_err();
            assert!(error.contains("never granted"), "{entry}: {error}");
        }
    }

    #[test]
    fn scheme_host_and_port_must_match() {
        let allowed = allowed(&["api.example.org", "http://clear.example:8080"], &[]);
        assert_eq!(check(&allowed, "https://API.example.org./v1?q=1").unwrap(), "https://api.example.org");
        for url in [
            "http://api.example.org/",
            "https://api.example.org:8443/",
            "https://www.api.example.org/",
            "https://example.org/",
            "https://clear.example:8080/",
            "http://clear.example/",
            "https://api.example.org.evil.example/",
        ] {
            assert!(matches!(check(&allowed, url), Err(FetchError::NotGranted(_))), "{url}");
        }
        let error = check(&allowed, "https://evil.example/?token=1").unwrap_err().to_string();
        assert!(error.contains("https://evil.example") && error.contains("http://clear.example:8080"), "{error}");
        assert!(!error.contains("token"), "{error}");
    }

    #[test]
    fn malformed_urls_are_refused() {
        let allowed = allowed(&["api.example.org"], &[]);
        for url in ["https://user@api.example.org/", "https://:p@api.example.org/", "https://api.example.org:0/"] {
            assert!(matches!(check(&allowed, url), Err(FetchError::Invalid(_))), "{url}");
        }
        for url in ["ftp://api.example.org/", "file:///etc/passwd", "data:,x", "https://api.example.org../"] {
            assert!(matches!(check(&allowed, url), Err(FetchError::Invalid(_))), "{url}");
        }
    }

    #[test]
    fn addresses_are_classified_in_every_notation() {
        let allowed = allowed(&["api.example.org"], &["http://127.0.0.1"]);
        for url in
            ["http://2130706433/", "http://0x7f.1/", "http://0177.0.0.1/", "http://127.0.0.1./", "http://①27.0.0.1/"]
        {
            assert_eq!(check(&allowed, url).unwrap(), "http://127.0.0.1", "{url}");
        }
        for url in ["http://169.254.169.254/", "http://2852039166/", "http://[::ffff:169.254.169.254]/", "http://0/"] {
            assert!(matches!(check(&allowed, url), Err(FetchError::AddressRefused(_))), "{url}");
        }
        // Another notation of the same machine is another origin.
        assert!(matches!(check(&allowed, "http://[::ffff:127.0.0.1]/"), Err(FetchError::NotGranted(_))));
    }
}
