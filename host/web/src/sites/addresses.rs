//! Addresses inside a site: plain ones, and batches of article links that the `links` hook may rewrite.

use masthead_config::{Platform, Scheme};
use masthead_domain::{
    ArticleId, Lang,
    card::ArticleCard,
    link::{Link, LinkKind},
    route::{AccountPage, Route},
    site::Site,
};
use masthead_runtime::Call;
use masthead_search::QUOTES;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Characters besides letters and digits that RFC 3986 leaves unencoded in a path segment (the unreserved characters).
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A path of decoded segments, percent-encoded in the one form that addresses of pages have.
#[must_use]
pub fn encoded_path<'a>(segments: impl IntoIterator<Item = &'a str>) -> String {
    let segments: Vec<_> = segments.into_iter().map(|part| utf8_percent_encode(part, SEGMENT).to_string()).collect();
    segments.join("/")
}

/// Absolute address of a site's pages in a language, for use outside a request (a request names its own host).
#[must_use]
pub fn public_address(platform: &Platform, site: &Site, lang: Lang) -> String {
    let own = format!("{}.{}", site.sld, platform.domain);
    let canonical = Some(&site.canonical.host).filter(|host| !host.is_empty());
    let host = canonical.or(site.domains.first()).unwrap_or(&own);
    // Where the operator does not say it, a domain is taken to have a certificate, and a name below the platform's to have none.
    let unknown = if host.eq_ignore_ascii_case(&own) { Scheme::Http } else { Scheme::Https };
    format!("{}://{host}/{lang}", platform.public.scheme.unwrap_or(unknown).name())
}

/// Builds addresses of one site in one language.
#[derive(Clone, Debug)]
pub struct Addresses {
    /// "", `/<sld>`, or the scheme and host of another site.
    pub base: String,
    /// The language segment.
    pub lang: Lang,
}

impl Addresses {
    /// The address of a route.
    #[must_use]
    pub fn route(&self, route: &Route) -> String {
        format!("{}/{}/{}", self.base, self.lang, route.path())
    }

    /// The address of a file of the site, whose path begins with `/`; others are left as they are. A site that stands on a host of its own
    /// serves its files there only.
    #[must_use]
    pub fn file(&self, address: String) -> String {
        let is_path = address.starts_with('/') && !address.starts_with("//");
        if self.are_on_other_host() && is_path { self.base.clone() + &address } else { address }
    }

    /// Whether these are addresses of a site on another host than that of the page.
    #[must_use]
    pub fn are_on_other_host(&self) -> bool {
        self.base.contains("://")
    }

    /// The address of a path after the language, such as `home/`.
    #[must_use]
    pub fn path(&self, path: &str) -> String {
        format!("{}/{}/{path}", self.base, self.lang)
    }

    /// The address of a link.
    #[must_use]
    pub fn link(&self, link: &Link) -> String {
        with_query(self.path(&encoded_path(link.path.split('/'))), &link.query)
    }

    /// The address of a search for these words side by side.
    #[must_use]
    pub fn phrase(&self, words: &str) -> String {
        let words: String = words.chars().map(|c| if QUOTES.contains(&c) { ' ' } else { c }).collect();
        self.words(&format!("\"{}\"", words.trim()))
    }

    /// The address of a search for words.
    #[must_use]
    pub fn words(&self, words: &str) -> String {
        self.search("q", words)
    }

    /// The address of a search for the articles of a column (subject heading).
    #[must_use]
    pub fn column(&self, name: &str) -> String {
        self.search("column", name)
    }

    /// The address of the page on which a reader signs in, who is to come back to `back`.
    #[must_use]
    pub fn sign_in(&self, back: &str) -> String {
        let path = Route::Account(AccountPage::Login).path();
        self.link(&Link { kind: LinkKind::Other, path, query: vec![("url".to_owned(), back.to_owned())] })
    }

    /// The address to return to if it belongs to this site, else the site's home page, so that no sign-in leads to another site.
    #[must_use]
    pub fn return_path(&self, requested: &str) -> String {
        let prefix = format!("{}/", self.base);
        let path = requested.split(['?', '#']).next().unwrap_or_default();
        // Browsers resolve such segments: behind the prefix of this site they lead to another one on the same host.
        let climbs =
            path.split('/').any(|part| [".", ".."].contains(&part.to_lowercase().replace("%2e", ".").as_str()));
        let invalid = climbs
            || requested.contains(['\\', '\r', '\n', '\t'])
            || requested.starts_with("//")
            || requested.len() > 1024;
        if requested.starts_with(&prefix) && !invalid { requested.to_owned() } else { self.path("home/") }
    }

    fn search(&self, parameter: &str, value: &str) -> String {
        self.link(&Link {
            kind: LinkKind::Other,
            path: Route::Search.path(),
            query: vec![(parameter.to_owned(), value.to_owned())],
        })
    }

    /// The addresses of the articles of a list, rewritten in one call of the `links` hook.
    pub async fn cards(&self, call: &mut Call, kind: LinkKind, cards: &[ArticleCard]) -> Vec<String> {
        self.cards_from(call, kind, cards, &[]).await
    }

    /// The same with parameters that say where the reader comes from (specification section 2, "Query parameters seen on article pages").
    pub async fn cards_from(
        &self,
        call: &mut Call,
        kind: LinkKind,
        cards: &[ArticleCard],
        from: &[(String, String)],
    ) -> Vec<String> {
        let link = |card: &ArticleCard| {
            let path = Route::Article(card.article_id()).path();
            Link { kind, path, query: from.to_vec() }
        };
        call.rewrite_links(cards.iter().map(link).collect()).await.iter().map(|link| self.link(link)).collect()
    }

    /// The addresses of articles by their numbers, rewritten in one call of the `links` hook.
    pub async fn articles(&self, call: &mut Call, kind: LinkKind, ids: &[ArticleId]) -> Vec<String> {
        let routes: Vec<Route> = ids.iter().map(|id| Route::Article(*id)).collect();
        self.routes(call, kind, &routes).await
    }

    /// The addresses of routes, rewritten in one call of the `links` hook.
    pub async fn routes(&self, call: &mut Call, kind: LinkKind, routes: &[Route]) -> Vec<String> {
        let decoded = |route: &Route| percent_decode_str(&route.path()).decode_utf8_lossy().into_owned();
        let link = |route: &Route| Link { kind, path: decoded(route), query: Vec::new() };
        let links: Vec<Link> = routes.iter().map(link).collect();
        let rewritten = call.rewrite_links(links.clone()).await;
        let address = |((route, before), after): ((&Route, &Link), &Link)| {
            // A key in a path may have a slash in it, which only the route writes as it is read.
            if before.path == after.path { with_query(self.route(route), &after.query) } else { self.link(after) }
        };
        routes.iter().zip(&links).zip(&rewritten).map(address).collect()
    }
}

/// An address with a query.
fn with_query(mut address: String, query: &[(String, String)]) -> String {
    for (index, (name, value)) in query.iter().enumerate() {
        address.push(if index == 0 { '?' } else { '&' });
        address.extend(utf8_percent_encode(name, SEGMENT));
        address.push('=');
        address.extend(utf8_percent_encode(value, SEGMENT));
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_encoded_once() {
        let addresses = Addresses { base: "/ocean".into(), lang: Lang::En };
        let link = Link {
            kind: LinkKind::Other,
            path: "issue/2026/S 1".into(),
            query: vec![("q".into(), "a&b=c".into()), ("from".into(), "海".into())],
        };
        assert_eq!(addresses.link(&link), "/ocean/en/issue/2026/S%201?q=a%26b%3Dc&from=%E6%B5%B7");
        assert_eq!(addresses.route(&Route::Home), "/ocean/en/home");
        assert_eq!(addresses.sign_in("/ocean/en/article/1"), "/ocean/en/login?url=%2Focean%2Fen%2Farticle%2F1");
    }

    #[test]
    fn the_return_path_stays_on_the_site() {
        let return_path =
            |requested: &str, base: &str| Addresses { base: base.into(), lang: Lang::En }.return_path(requested);
        assert_eq!(return_path("/s/en/article/17?a=b", "/s"), "/s/en/article/17?a=b");
        assert_eq!(return_path("/en/article/17", ""), "/en/article/17");
        assert_eq!(return_path("/s/en/search?q=../a", "/s"), "/s/en/search?q=../a");
        for bad in [
            "//evil.example/",
            "https://evil.example/",
            "/other/en/",
            "/s/../other/en/",
            "/s/en/%2E%2e/../other/en/",
            "/s/.%2E/other/en/",
            "/s/\\evil",
            "javascript:1",
            "",
            "/s/a\nb",
        ] {
            assert_eq!(return_path(bad, "/s"), "/s/en/home/", "{bad}");
        }
        assert_eq!(return_path("//evil.example/", ""), "/en/home/");
    }

    #[test]
    fn a_phrase_has_its_own_quotes_only() {
        let addresses = Addresses { base: String::new(), lang: Lang::En };
        assert_eq!(addresses.phrase("wave \"height\""), "/en/search?q=%22wave%20%20height%22");
        assert_eq!(addresses.column("R&D"), "/en/search?column=R%26D");
    }
}
