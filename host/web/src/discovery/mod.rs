//! Interfaces for libraries and search engines: OAI-PMH, sitemaps, feeds, typed links, further formats of an article.
//!
//! A site answers for its own content only, and not at all while it is closed; [`Open`] enforces both.

// The error of these functions is a complete response, which is sent at once.
#![allow(clippy::result_large_err)]

pub mod article;
pub mod attachment;
mod dublin_core;
mod feeds;
mod negotiate;
mod oai;
mod sitemap;
pub mod stored_file;

use std::sync::Arc;

use axum::{
    Router,
    extract::FromRequestParts,
    http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use jiff::{civil::Date, fmt::rfc2822, tz::TimeZone};
use masthead_domain::{ArticleId, Lang, site::Library, text::hex};
use masthead_store::{SiteStore, StoreError};
use sha2::{Digest as _, Sha256};

use crate::{
    app::App,
    client::{Client, Connection},
    failure::Failure,
    page::pipeline::error_page::{self, Place},
    routing::{erased, get},
    sites::{
        SiteEntry,
        addresses::Addresses,
        scope::{Host, Scope},
    },
};

/// The routes of the discovery interfaces.
pub fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/oai", get(oai::get).post(erased(oai::post)))
        .route("/robots.txt", get(sitemap::robots))
        .route("/sitemap.xml", get(sitemap::index))
        .route("/sitemap-pages.xml", get(sitemap::pages))
        .route("/sitemap-articles-{part}", get(sitemap::articles))
        .route("/sitemap-resources-{part}", get(sitemap::resources))
        .route("/{lang}/feed.rss", get(feeds::rss))
        .route("/{lang}/feed.atom", get(feeds::atom))
        .route("/{lang}/opensearch.xml", get(feeds::search_description))
        .route("/{lang}/article/{id}/linkset", get(article::linkset))
}

/// A request to a site that is open: the site exists and is neither closed nor in maintenance.
pub struct Open {
    app: Arc<App>,
    scope: Scope,
    host: Host,
    headers: HeaderMap,
    client: Client,
}

impl FromRequestParts<Arc<App>> for Open {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Response> {
        let host = <Host as FromRequestParts<Arc<App>>>::from_request_parts(parts, app).await?;
        let headers = parts.headers.clone();
        let Some(scope) = parts.extensions.get::<Scope>().cloned() else {
            return Err(error_page::no_site(app, &host, &headers, parts.uri.path()));
        };
        if let Some(failure) = Failure::of_state(scope.entry.site.state) {
            return Err(error_page::lookup(app, Place::at(&scope, &host), &headers, failure));
        }
        let client = Connection::of_request(&parts.extensions).client;
        Ok(Self { app: Arc::clone(app), scope, host, headers, client })
    }
}

impl Open {
    /// Returns the error response 404 when the site's `[library]` configuration switches the interface off.
    fn offers(&self, offered: impl FnOnce(&Library) -> bool) -> Result<(), Response> {
        if offered(&self.scope.entry.site.library) { Ok(()) } else { Err(self.missing()) }
    }

    fn place(&self) -> Place<'_> {
        Place::at(&self.scope, &self.host)
    }

    fn missing(&self) -> Response {
        error_page::lookup(&self.app, self.place(), &self.headers, Failure::PageUnknown)
    }

    fn store(&self) -> SiteStore {
        self.app.store.site(self.scope.entry.site.id)
    }

    /// Absolute address of the site, without trailing slash.
    fn base(&self) -> String {
        format!("{}{}", self.host.origin, self.scope.base)
    }

    /// Parses the code of a language of the site; otherwise returns the error response 404.
    fn lang(&self, code: &str) -> Result<Lang, Response> {
        code.parse().ok().filter(|lang| self.scope.entry.languages.contains(lang)).ok_or_else(|| self.missing())
    }

    fn addresses(&self, lang: Lang) -> Addresses {
        Addresses { base: self.base(), lang }
    }

    /// When an article of the site last came, changed or went, milliseconds since 1970. It is the moment of a list of articles, because those
    /// in the list do not tell when another one was taken out of it. It is read before the list: the list may be newer, and never older.
    async fn changed(&self) -> Result<Option<i64>, StoreError> {
        self.store().latest_article_change().await
    }

    fn broken(&self, error: &StoreError) -> Response {
        tracing::error!(%error, site = self.scope.entry.site.sld, "answering a discovery request failed");
        error_page::store_failed(&self.app, self.place(), &self.headers, error)
    }
}

/// The part of OAI identifiers that names the site.
fn repository(app: &App, entry: &SiteEntry) -> String {
    entry.site.oai_namespace(&app.sites.load().platform.domain)
}

/// The site's first domain, or its name below the platform's.
fn domain(app: &App, entry: &SiteEntry) -> String {
    entry.site.first_domain(&app.sites.load().platform.domain)
}

/// The permanent identifier of an article.
fn identifier(repository: &str, id: ArticleId) -> String {
    format!("oai:{repository}:article/{id}")
}

/// Parses an ISO date of year, month or day precision to milliseconds since 1970, at the beginning of the period in a time zone.
fn date_ms(text: &str, zone: &TimeZone) -> Option<i64> {
    let mut parts = text.get(..10).unwrap_or(text).splitn(3, '-');
    let year = parts.next()?.parse().ok()?;
    let month = parts.next().map_or(Some(1), |part| part.parse().ok())?;
    let day = parts.next().map_or(Some(1), |part| part.parse().ok())?;
    let date = Date::new(year, month, day).ok()?;
    Some(date.to_zoned(zone.clone()).ok()?.timestamp().as_millisecond())
}

/// A text with the validators `ETag` and `Last-Modified`, or the response 304 (Not Modified) when the client's copy is
/// current. Clients have to revalidate every time, because the text changes whenever somebody publishes.
fn validated(request_headers: &HeaderMap, mime: &'static str, text: String, changed_ms: Option<i64>) -> Response {
    let digest = Sha256::digest(text.as_bytes());
    let tag = format!("W/\"{}\"", hex(digest.get(..12).unwrap_or_default()));
    let modified = changed_ms.and_then(|ms| jiff::Timestamp::from_second(ms.div_euclid(1000)).ok());
    let mut response = if is_current(request_headers, &tag, modified) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, HeaderValue::from_static(mime))], text).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, no-cache"));
    headers.extend(HeaderValue::try_from(tag).map(|tag| (header::ETAG, tag)));
    if let Some(modified) = modified {
        let text = modified.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
        headers.extend(HeaderValue::try_from(text).map(|text| (header::LAST_MODIFIED, text)));
    }
    response
}

/// Whether the client's copy is current (RFC 9110, section 13.2.2: `If-None-Match` takes precedence over
/// `If-Modified-Since`).
fn is_current(request_headers: &HeaderMap, tag: &str, modified: Option<jiff::Timestamp>) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let mut given = request_headers.get_all(header::IF_NONE_MATCH).iter().peekable();
    if given.peek().is_some() {
        let mut tags = given.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
        return tags.any(|one| one.trim() == "*" || opaque(one) == opaque(tag));
    }
    let since = request_headers.get(header::IF_MODIFIED_SINCE).and_then(|value| value.to_str().ok());
    let since = since.and_then(|text| rfc2822::DateTimeParser::new().parse_timestamp(text).ok());
    since.zip(modified).is_some_and(|(since, modified)| modified <= since)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn dates_are_converted_to_the_beginning_of_their_period() {
        assert_eq!(date_ms("1970", &TimeZone::UTC), Some(0));
        assert_eq!(date_ms("1970-02", &TimeZone::UTC), Some(31 * 86_400_000));
        assert_eq!(date_ms("1970-01-02", &TimeZone::UTC), Some(86_400_000));
        assert_eq!(date_ms("1970-01-02T10:00:00Z", &TimeZone::UTC), Some(86_400_000));
        for text in ["", "x", "2026-13", "2026-02-30", "2026-1x"] {
            assert_eq!(date_ms(text, &TimeZone::UTC), None, "{text}");
        }
    }

    #[test]
    fn the_entity_tag_takes_precedence_over_the_date() {
        let ask = |name: header::HeaderName, value: &str| HeaderMap::from_iter([(name, value.parse().unwrap())]);
        let modified = jiff::Timestamp::from_second(1_779_006_600).ok();
        let current = |request_headers: &HeaderMap| is_current(request_headers, "W/\"a\"", modified);
        assert!(current(&ask(header::IF_NONE_MATCH, "\"b\", W/\"a\"")));
        assert!(current(&ask(header::IF_NONE_MATCH, "*")));
        assert!(!current(&ask(header::IF_NONE_MATCH, "\"b\"")));
        assert!(current(&ask(header::IF_MODIFIED_SINCE, "Sun, 17 May 2026 08:30:00 GMT")));
        assert!(!current(&ask(header::IF_MODIFIED_SINCE, "Sun, 17 May 2026 08:29:59 GMT")));
        assert!(!current(&ask(header::IF_MODIFIED_SINCE, "yesterday")));
        assert!(!current(&HeaderMap::new()));
    }
}
