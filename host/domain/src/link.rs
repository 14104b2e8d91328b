//! Links within a site, before they are resolved to addresses; and the decision which addresses from configuration and content a page
//! may link to.

use serde::{Deserialize, Serialize};
use url::Url;

/// Where a link stands; plugins rewrite by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkKind {
    /// An article in a list (home, issue, just accepted).
    ListArticle,
    /// An article among search results, or what else a search found: a journal, the page of a resource, the article of a figure.
    ResultArticle,
    /// A menu entry.
    Menu,
    /// Anything else.
    Other,
}

/// A link to a page of the same site. Neither the site's prefix nor the language is part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// Where it stands.
    pub kind: LinkKind,
    /// Path without language and leading slash: `article/17`.
    pub path: String,
    /// Query parameters in order, not yet percent-encoded.
    pub query: Vec<(String, String)>,
}

/// What an absolute address opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// A page or file of a server: `http` or `https`.
    Web,
    /// A message to a mailbox: `mailto`.
    Mail,
}

/// What a browser opens for an absolute address; `None` for an address that no page may link to.
///
/// This is the one decision about addresses in the configuration, in imported content and in results of plugins. The address is read as
/// browsers read it (WHATWG URL), which ignores white space around it and ignores the case of the scheme. All schemes but three are
/// refused: `javascript:` and `data:` would run code, and the rest is of no use in a page. Addresses without a scheme, control
/// characters, and web addresses without a host are refused too.
#[must_use]
pub fn destination(address: &str) -> Option<Destination> {
    if address.trim().chars().any(char::is_control) {
        return None;
    }
    let url = Url::parse(address).ok()?;
    match url.scheme() {
        "http" | "https" if url.has_host() => Some(Destination::Web),
        "mailto" if !url.path().is_empty() => Some(Destination::Mail),
        _ => None,
    }
}

/// Whether an address leads to a page or file of a server.
#[must_use]
pub fn is_web(address: &str) -> bool {
    destination(address) == Some(Destination::Web)
}

/// Whether an address is one of this host, which begins with a single slash. Pages show pictures and play recordings of this host only
/// (`Content-Security-Policy`).
#[must_use]
pub fn is_own(address: &str) -> bool {
    address.starts_with('/') && !address.starts_with("//") && !address.contains(|c: char| c == '\\' || c.is_control())
}

/// Whether content may link to an address: one of this host, or one of another server.
#[must_use]
pub fn is_own_or_web(address: &str) -> bool {
    is_own(address) || is_web(address)
}

/// The scheme of an address as browsers read it, in lower case; `None` for a relative address. Browsers ignore line breaks and tabs in
/// the scheme, and spaces and control characters before it.
#[must_use]
pub fn scheme(address: &str) -> Option<String> {
    let (name, _) = address.trim_start_matches(|c: char| c == ' ' || c.is_control()).split_once(':')?;
    let name: String = name.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).collect();
    let plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    plain.then(|| name.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_servers_and_mailboxes_are_allowed() {
        for web in [
            "https://a.example/",
            "http://a.example",
            "HTTPS://a.example/b c",
            " https://a.example/ ",
            "https://期刊.example/甲",
        ] {
            assert_eq!(destination(web), Some(Destination::Web), "{web}");
        }
        for mail in ["mailto:a@b.example", "MailTo:a@b.example?subject=x"] {
            assert_eq!(destination(mail), Some(Destination::Mail), "{mail}");
        }
        assert!(!is_web("mailto:a@b.example"));
    }

    #[test]
    fn all_other_addresses_are_refused() {
        for bad in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            " javascript:alert(1)",
            "java\nscript:alert(1)",
            "\u{1}javascript:alert(1)",
            "javascript://a.example/%0aalert(1)",
            "data:text/html,<script>alert(1)</script>",
            "vbscript:x",
            "blob:https://a.example/1",
            "file:///etc/passwd",
            "ftp://a.example/",
            "view-source:https://a.example/",
            "https:",
            "https://",
            "https://a.example/\u{0}",
            "https://a.exa\nmple/",
            "mailto:",
            "//a.example/",
            "/a",
            "a.example",
            "",
        ] {
            assert_eq!(destination(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn own_addresses_begin_with_one_slash() {
        for good in ["/media/1/ab.pdf", "/assets/sites/a.png", "https://a.example/", "https://files.example.org/a.pdf"]
        {
            assert!(is_own_or_web(good), "{good}");
            assert_eq!(is_own(good), good.starts_with('/'), "{good}");
        }
        for bad in [
            "//evil.example/",
            "/\\evil.example/",
            "/a\nb",
            "a.pdf",
            "javascript:alert(1)",
            "data:text/html,x",
            "mailto:a@b.example",
            "",
        ] {
            assert!(!is_own_or_web(bad) && !is_own(bad), "{bad:?}");
        }
    }

    #[test]
    fn a_scheme_is_read_as_browsers_read_it() {
        for (address, expected) in [
            ("javascript:1", Some("javascript")),
            (" \u{1}Java\tScr\nipt:1", Some("javascript")),
            ("See also: page 4", None),
            ("svn+ssh://x", Some("svn+ssh")),
            ("figures/a:b.png", None),
            ("1a:b", None),
            ("a.png", None),
            ("", None),
        ] {
            assert_eq!(scheme(address).as_deref(), expected, "{address:?}");
        }
    }
}
