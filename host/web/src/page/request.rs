//! A request for a page: the site, the language, the route, and exactly the query parameters that the route reads.

use masthead_domain::{
    Doi, Lang,
    route::{Address, Route, TextPage},
    site::Site,
};

use crate::sites::{addresses::encoded_path, scope::Scope};

/// A request for a page, parsed from its address.
pub struct PageRequest {
    /// The site.
    pub scope: Scope,
    /// The page's language.
    pub lang: Lang,
    /// The route; `None` for an address that matches no route.
    pub route: Option<Route>,
    /// Path after the language segment in its one form, without the query.
    path: String,
    /// The query parameters that the route declares, in the order of the declaration, trimmed; empty ones are omitted.
    parameters: Vec<(&'static str, String)>,
    /// Value of the parameter `format`: the requested format of an article. It is handled before a page is built.
    format: String,
}

impl PageRequest {
    /// Parses a path (below the site's prefix) and a query. Parameters that the route does not declare are dropped
    /// here, so that they reach neither the page nor the cache key.
    ///
    /// # Errors
    /// The path without its language segment, when the path names no language of the site; the caller redirects.
    pub fn read(scope: &Scope, path: &str, query: Option<&str>) -> Result<Self, String> {
        let decoded = decoded(path);
        let segments: Vec<&str> = decoded.iter().map(String::as_str).collect();
        let address = Address::split(&segments, false);
        let after_language = || path.trim_start_matches('/').split_once('/').map_or("", |(_, rest)| rest);
        let Some(lang) = address.lang.filter(|lang| scope.entry.languages.contains(lang)) else {
            let rest = if address.lang.is_some() { after_language() } else { path };
            return Err(rest.trim_matches('/').to_owned());
        };
        let route =
            if address.rest.is_empty() { Some(Route::Home) } else { Route::of_site(&address.rest, &scope.entry.site) };
        let given: Vec<(String, String)> =
            url::form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned().collect();
        let route =
            route.map(|route| route.searched(address.rest.len(), |name| given.iter().any(|(key, _)| key == name)));
        // No stored text has a zero byte, and PostgreSQL refuses to look for one.
        let value = |name: &str| {
            let value = given.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.trim());
            if value.contains('\0') { "" } else { value }
        };
        let route = route.map(|route| route.with_words(value("q"), value("type")));
        let declared = route.as_ref().map_or(&[][..], Route::parameters);
        let parameters = declared.iter().map(|name| (*name, value(name).to_owned()));
        let is_read =
            |name: &str, value: &str| route.as_ref().is_some_and(|route| route.reads(name, value, &scope.entry.site));
        let parameters = parameters.filter(|(name, value)| !value.is_empty() && is_read(name, value)).collect();
        let path = own_path(route.as_ref(), &address.rest, &scope.entry.site);
        Ok(Self { scope: scope.clone(), lang, route, path, parameters, format: value("format").to_owned() })
    }

    /// The route, if it is the route of an article.
    #[must_use]
    pub fn article(&self) -> Option<&Route> {
        self.route.as_ref().filter(|route| matches!(route, Route::Article(_) | Route::ArticleByDoi(_)))
    }

    /// The requested format of an article, or "".
    #[must_use]
    pub fn format(&self) -> &str {
        &self.format
    }

    /// The query parameters that the route declares, without empty ones.
    #[must_use]
    pub fn parameters(&self) -> &[(&'static str, String)] {
        &self.parameters
    }

    /// Path after the language segment, with the declared parameters: the page's own address within the site. Requests for the
    /// same page have the same path.
    #[must_use]
    pub fn path(&self) -> String {
        if self.parameters.is_empty() {
            return self.path.clone();
        }
        let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(self.parameters.iter()).finish();
        format!("{}?{query}", self.path)
    }

    /// The route's name in hook requests and metrics.
    #[must_use]
    pub fn route_name(&self) -> &'static str {
        self.route.as_ref().map_or("unknown", Route::name)
    }
}

/// The segments of a path without percent-encoding, and without empty ones.
fn decoded(path: &str) -> Vec<String> {
    path.split('/')
        .map(|segment| percent_encoding::percent_decode_str(segment).decode_utf8_lossy().into_owned())
        .filter(|segment| !segment.is_empty())
        .collect()
}

/// The language that the parameter `lang` of a query names, if the site has it.
#[must_use]
pub fn named_language(query: &str, offered: &[Lang]) -> Option<Lang> {
    let (_, code) = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "lang")?;
    code.parse().ok().filter(|lang| offered.contains(lang))
}

/// Whether a path without a language is one that a page has behind its language.
#[must_use]
pub fn is_of_a_page(path: &str, site: &Site) -> bool {
    let decoded = decoded(path);
    let segments: Vec<&str> = decoded.iter().map(String::as_str).collect();
    segments.is_empty() || Route::of_site(&segments, site).is_some()
}

/// The path of a page in the one form that its address has. Percent-encoding, empty segments, zeros before a number and the case of a
/// DOI differ between requests for the same page; they must neither be reflected in it nor take room in the page cache. What remains
/// of the request's own words is in the site's configuration: the first segment, which may be an alias, and the channel of a home page
/// or of a page on the journal, by which the menu marks the current entry.
fn own_path(route: Option<&Route>, segments: &[&str], site: &Site) -> String {
    // A message that there is no such page is not cached, and its links keep the address that the reader asked for.
    let Some(route) = route.filter(|route| **route != Route::ArticleMissing) else {
        return encoded_path(segments.iter().copied());
    };
    let path = match route {
        Route::ArticleByDoi(doi) => match Doi::parse(&doi.key()) {
            Ok(lower) => Route::ArticleByDoi(lower).path(),
            Err(_) => route.path(),
        },
        other => other.path(),
    };
    let (name, rest) = path.split_once('/').unwrap_or((path.as_str(), ""));
    let name = encoded_path([segments.first().copied().unwrap_or(name)]);
    let is_channel = |segment: &str| site.channels.iter().any(|channel| channel.id.to_string() == segment);
    let rest = match (route, segments.get(1)) {
        (Route::Home | Route::HomeOf(_) | Route::Text(TextPage::About(_)), Some(&segment)) if is_channel(segment) => {
            segment
        }
        (Route::Home | Route::HomeOf(_) | Route::Text(TextPage::About(_)), _) => "",
        _ => rest,
    };
    if rest.is_empty() { name } else { format!("{name}/{rest}") }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::site::Channel;

    use super::*;

    fn site() -> Site {
        let value = serde_json::json!({
            "id": 1, "sld": "s", "name": { "en": "S" }, "colorId": 1, "languages": ["en"], "header": {},
            "aliases": { "hssArticle": "article" },
        });
        let channels = vec![Channel { id: 9, code: "aboutus".into(), enable: "1".into(), ..Channel::default() }];
        Site { channels, ..serde_json::from_value(value).unwrap() }
    }

    fn path(segments: &[&str]) -> String {
        let site = site();
        let route = if segments.is_empty() { Some(Route::Home) } else { Route::of_site(segments, &site) };
        own_path(route.as_ref(), segments, &site)
    }

    #[test]
    fn requests_for_the_same_page_have_the_same_path() {
        for (segments, expected) in [
            (&[][..], "home"),
            (&["home"], "home"),
            (&["home", "made-up"], "home"),
            (&["home", "9"], "home/9"),
            (&["home", "09"], "home"),
            (&["home", "10"], "home"),
            (&["aboutus", "9"], "aboutus/9"),
            (&["aboutus", "10"], "aboutus"),
            (&["newsInfo", "9"], "newsInfo/9/0"),
            (&["news", "0"], "news"),
            (&["article", "0017"], "article/17"),
            (&["article", "+17"], "article/17"),
            (&["hssArticle", "17"], "hssArticle/17"),
            (&["article", "doi", "10.5555", "A.b"], "article/doi/10.5555/a.b"),
            (&["article", "doi", "doi:10.5555/a.B"], "article/doi/10.5555/a.b"),
            (&["issue", "02026", "S 1"], "issue/2026/S%201"),
            (&["issue"], "issue"),
            (&["issue", "02026"], "issue/2026"),
        ] {
            assert_eq!(path(segments), expected, "{segments:?}");
        }
    }

    #[test]
    fn an_address_without_a_page_keeps_its_words() {
        assert_eq!(path(&["no where", "<b>"]), "no%20where/%3Cb%3E");
        assert_eq!(path(&["article", "x"]), "article/x");
    }
}
