//! The sitemaps of a site, and `robots.txt`.

mod paths;
mod xml;

use std::sync::Arc;

use crate::discovery::sitemap::xml::{IndexedSitemap, SitemapPage};
use axum::{
    extract::{Path, Request, State},
    response::{IntoResponse, Response},
};
use masthead_domain::{route::Route, site::SiteState};

use crate::discovery::{Open, validated};
use crate::{
    app::App,
    failure::Failure,
    page::pipeline::error_page::{self, Place},
    sites::scope::{Host, Scope},
};

const XML: &str = "application/xml; charset=utf-8";
/// Width of the range of numbers of articles or resources that one sitemap covers: in nine languages it stays well below the limits of
/// 50,000 addresses and 50 MB.
const RANGE: i64 = 2000;

/// `/sitemap.xml`: the index of the site's sitemaps.
pub async fn index(open: Open) -> Response {
    if let Err(response) = open.offers(|library| library.sitemap) {
        return response;
    }
    let store = open.store();
    let changed = match open.changed().await {
        Ok(changed) => changed,
        Err(error) => return open.broken(&error),
    };
    let (ranges, resources) =
        match (store.article_ranges(RANGE).await, store.resource_ranges(&paths::listed_kinds(), RANGE).await) {
            (Ok(ranges), Ok(resources)) => (ranges, resources),
            (Err(error), _) | (_, Err(error)) => return open.broken(&error),
        };
    let mut parts = vec![IndexedSitemap { address: format!("{}/sitemap-pages.xml", open.base()), changed_ms: changed }];
    parts.extend(ranges.iter().map(|(range, changed)| IndexedSitemap {
        address: format!("{}/sitemap-articles-{}.xml", open.base(), range + 1),
        changed_ms: Some(*changed),
    }));
    parts.extend(resources.iter().map(|range| IndexedSitemap {
        address: format!("{}/sitemap-resources-{}.xml", open.base(), range + 1),
        changed_ms: None,
    }));
    // What changes the date of no article changes the index too: its digest tells.
    validated(&open.headers, XML, xml::index(&parts), changed.filter(|_| resources.is_empty()))
}

/// The number before the first one of the part of a sitemap that a path names: `3.xml`.
fn before(part: &str) -> Option<i64> {
    let part = part.strip_suffix(".xml")?.parse::<i64>().ok().filter(|part| *part > 0)?;
    // No part reaches beyond the greatest number.
    (part - 1).checked_mul(RANGE).filter(|before| before.checked_add(RANGE).is_some())
}

/// `/sitemap-resources-<n>.xml`: the resources with a page of their own whose numbers lie in the n-th range.
pub async fn resources(open: Open, Path(part): Path<String>) -> Response {
    if let Err(response) = open.offers(|library| library.sitemap) {
        return response;
    }
    let Some(before) = before(&part) else { return open.missing() };
    let listed = match open.store().resource_numbers(&paths::listed_kinds(), before, before + RANGE).await {
        Ok(listed) => listed,
        Err(error) => return open.broken(&error),
    };
    let site = &open.scope.entry.site;
    let routes = listed.into_iter().filter_map(|(kind, id)| paths::of_resource(site, kind, id));
    let pages: Vec<SitemapPage> = routes.map(|route| page(&open, &route.path(), None)).collect();
    if pages.is_empty() {
        return open.missing();
    }
    validated(&open.headers, XML, xml::pages(&pages), None)
}

/// `/sitemap-articles-<n>.xml`: the articles whose ids lie in the n-th range.
pub async fn articles(open: Open, Path(part): Path<String>) -> Response {
    if let Err(response) = open.offers(|library| library.sitemap) {
        return response;
    }
    let Some(behind) = before(&part) else { return open.missing() };
    let (changed, listed) = match (open.changed().await, open.store().article_listing(behind, RANGE).await) {
        (Ok(changed), Ok(listed)) => (changed, listed),
        (Err(error), _) | (_, Err(error)) => return open.broken(&error),
    };
    let pages: Vec<SitemapPage> = listed
        .iter()
        .filter(|article| article.id.0 - behind <= RANGE)
        .map(|article| page(&open, &Route::Article(article.id).path(), Some(article.changed_ms)))
        .collect();
    if pages.is_empty() {
        return open.missing();
    }
    validated(&open.headers, XML, xml::pages(&pages), changed)
}

/// `/sitemap-pages.xml`: all pages except articles and resources.
pub async fn pages(open: Open) -> Response {
    if let Err(response) = open.offers(|library| library.sitemap) {
        return response;
    }
    match paths::of_pages(&open.store(), &open.scope.entry.site).await {
        Ok(mut paths) => {
            paths.truncate(xml::MAX_ADDRESSES / open.scope.entry.languages.len().max(1));
            let pages: Vec<SitemapPage> = paths.iter().map(|path| page(&open, path, None)).collect();
            validated(&open.headers, XML, xml::pages(&pages), None)
        }
        Err(error) => open.broken(&error),
    }
}

/// A page in every language. The site's default language comes first and serves as `x-default`.
fn page(open: &Open, path: &str, changed_ms: Option<i64>) -> SitemapPage {
    let entry = &open.scope.entry;
    let first = entry.site.default_lang();
    let others = entry.languages.iter().copied().filter(|lang| *lang != first);
    let versions = std::iter::once(first).chain(others);
    let versions = versions.map(|lang| (lang.tag().to_owned(), open.addresses(lang).path(path))).collect();
    SitemapPage { versions, changed_ms }
}

/// `/robots.txt`: allows pages, disallows API calls and searches, and names the sitemap. On a host where the path names
/// the site, the file at the root covers all sites of the directory.
pub async fn robots(State(app): State<Arc<App>>, host: Host, request: Request) -> Response {
    let Some(scope) = request.extensions().get::<Scope>() else {
        return platform_robots(&app, &host).into_response();
    };
    let site = &scope.entry.site;
    if let Some(failure) = Failure::of_state(site.state) {
        return error_page::lookup(&app, Place::of(request.extensions()), request.headers(), failure);
    }
    let mut text = rules(&scope.base);
    if site.library.sitemap {
        text.push_str(&format!("\nSitemap: {}{}/sitemap.xml\n", host.origin, scope.base));
    }
    text.into_response()
}

fn rules(base: &str) -> String {
    format!("User-agent: *\nDisallow: {base}/rc-pub/\nDisallow: {base}/*/search\n")
}

fn platform_robots(app: &App, host: &Host) -> String {
    let mut text = rules("");
    if !host.in_path {
        return text;
    }
    text.push_str("Disallow: /*/rc-pub/\n");
    let table = app.sites.load();
    let open = table.iter().filter(|entry| entry.site.state == SiteState::Active && entry.site.library.sitemap);
    for entry in open.filter(|_| table.platform.directory) {
        text.push_str(&format!("\nSitemap: {}/{}/sitemap.xml", host.origin, entry.site.sld));
    }
    text.push('\n');
    text
}
