//! A request for a page: the site, the language, the route, and exactly the query parameters that the route reads.

use masthead_domain::{
    Lang,
    route::{Address, Route},
};

use crate::sites::scope::Scope;

/// A request for a page, parsed from its address.
pub struct PageRequest {
    /// The site.
    pub scope: Scope,
    /// The page's language.
    pub lang: Lang,
    /// The route; `None` for an address that matches no route.
    pub route: Option<Route>,
    /// Path after the language segment as it stands in the address, without the query.
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
        let decoded: Vec<String> = path
            .trim_matches('/')
            .split('/')
            .map(|segment| percent_encoding::percent_decode_str(segment).decode_utf8_lossy().into_owned())
            .collect();
        let segments: Vec<&str> = decoded.iter().map(String::as_str).filter(|segment| !segment.is_empty()).collect();
        let address = Address::split(&segments, false);
        let after_language = || path.trim_start_matches('/').split_once('/').map_or("", |(_, rest)| rest);
        let Some(lang) = address.lang.filter(|lang| scope.entry.languages.contains(lang)) else {
            let rest = if address.lang.is_some() { after_language() } else { path };
            return Err(rest.trim_matches('/').to_owned());
        };
        let route = if address.rest.is_empty() {
            Some(Route::Home)
        } else {
            Route::parse(&address.rest, &scope.entry.site.aliases)
        };
        let given: Vec<(String, String)> =
            url::form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned().collect();
        let value = |name: &str| given.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.trim());
        let declared = route.as_ref().map_or(&[][..], Route::parameters);
        let parameters = declared.iter().map(|name| (*name, value(name).to_owned()));
        let parameters = parameters.filter(|(_, value)| !value.is_empty()).collect();
        let path = after_language().trim_end_matches('/').to_owned();
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

    /// Path after the language segment, with the declared parameters: the page's own address within the site.
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
