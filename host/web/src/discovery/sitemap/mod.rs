//! The sitemaps of a site, and `robots.txt`.

mod xml;

use std::sync::Arc;

use crate::discovery::sitemap::xml::{Page, Part};
use axum::{
    extract::{Path, Request, State},
    response::{IntoResponse, Response},
};
use masthead_domain::{
    publication::Issue,
    route::{Route, TextPage},
    site::SiteState,
};
use masthead_store::StoreError;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::discovery::{Open, validated};
use crate::{
    app::App,
    failure::Failure,
    page::error_page,
    sites::scope::{Host, Scope},
};

const XML: &str = "application/xml; charset=utf-8";
/// Width of the range of article ids that one sitemap covers: in nine languages it stays well below the limits of
/// 50,000 addresses and 50 MB.
const RANGE: i64 = 2000;

/// `/sitemap.xml`: the index of the site's sitemaps.
pub async fn index(open: Open) -> Response {
    if let Err(response) = open.offers(|library| library.sitemap) {
        return response;
    }
    let (changed, ranges) = match (open.changed().await, open.store().article_ranges(RANGE).await) {
        (Ok(changed), Ok(ranges)) => (changed, ranges),
        (Err(error), _) | (_, Err(error)) => return open.broken(&error),
    };
    let mut parts = vec![Part { address: format!("{}/sitemap-pages.xml", open.base()), changed_ms: changed }];
    parts.extend(ranges.iter().map(|(range, changed)| Part {
        address: format!("{}/sitemap-articles-{}.xml", open.base(), range + 1),
        changed_ms: Some(*changed),
    }));
    validated(&open.headers, XML, xml::index(&parts), changed)
}

/// `/sitemap-articles-<n>.xml`: the articles whose ids lie in the n-th range.
pub async fn articles(open: Open, Path(part): Path<String>) -> Response {
    if let Err(response) = open.offers(|library| library.sitemap) {
        return response;
    }
    let part = part.strip_suffix(".xml").and_then(|part| part.parse::<i64>().ok()).filter(|part| *part > 0);
    let Some(behind) = part.and_then(|part| (part - 1).checked_mul(RANGE)) else { return open.missing() };
    let (changed, listed) = match (open.changed().await, open.store().article_listing(behind, RANGE).await) {
        (Ok(changed), Ok(listed)) => (changed, listed),
        (Err(error), _) | (_, Err(error)) => return open.broken(&error),
    };
    let pages: Vec<Page> = listed
        .iter()
        .filter(|article| article.id.0 - behind <= RANGE)
        .map(|article| page(&open, &Route::Article(article.id).path(), Some(article.changed_ms)))
        .collect();
    if pages.is_empty() {
        return open.missing();
    }
    validated(&open.headers, XML, xml::pages(&pages), changed)
}

/// `/sitemap-pages.xml`: all pages except articles.
pub async fn pages(open: Open) -> Response {
    if let Err(response) = open.offers(|library| library.sitemap) {
        return response;
    }
    match page_paths(&open).await {
        Ok(paths) => {
            let pages: Vec<Page> = paths.iter().map(|path| page(&open, path, None)).collect();
            validated(&open.headers, XML, xml::pages(&pages), None)
        }
        Err(error) => open.broken(&error),
    }
}

/// Paths of the site's pages other than articles, truncated to the capacity of one sitemap.
async fn page_paths(open: &Open) -> Result<Vec<String>, StoreError> {
    let routes = [Route::Home, Route::Issues, Route::JustAccepted, Route::OnlineFirst, Route::Text(TextPage::About(0))];
    let mut paths: Vec<String> = routes.iter().map(Route::path).collect();
    let journals = open.store().shown_journals().await?;
    for journal in &journals {
        let issues = open.store().shown_issues(&journal.key).await?;
        paths.extend(issues.iter().map(|issue| issue_path(issue, journals.len() > 1)));
    }
    paths.truncate(xml::MAX_ADDRESSES / open.scope.entry.languages.len().max(1));
    Ok(paths)
}

/// The path of an issue. With several journals on a site, year and number are ambiguous and the journal's key is added.
fn issue_path(issue: &Issue, several: bool) -> String {
    let path = Route::Issue { journal: String::new(), which: Some((issue.year, issue.issue.clone())) }.path();
    let journal = utf8_percent_encode(&issue.journal, NON_ALPHANUMERIC);
    if several { format!("{path}?journal={journal}") } else { path }
}

/// A page in every language. The site's default language comes first and serves as `x-default`.
fn page(open: &Open, path: &str, changed_ms: Option<i64>) -> Page {
    let entry = &open.scope.entry;
    let first = entry.site.default_lang();
    let others = entry.languages.iter().copied().filter(|lang| *lang != first);
    let versions = std::iter::once(first).chain(others);
    let versions = versions.map(|lang| (lang.tag().to_owned(), open.addresses(lang).path(path))).collect();
    Page { versions, changed_ms }
}

/// `/robots.txt`: allows pages, disallows API calls and searches, and names the sitemap. On a host where the path names
/// the site, the file at the root covers all sites of the directory.
pub async fn robots(State(app): State<Arc<App>>, host: Host, request: Request) -> Response {
    let Some(scope) = request.extensions().get::<Scope>() else {
        return platform_robots(&app, &host).into_response();
    };
    let site = &scope.entry.site;
    if let Some(failure) = Failure::of_state(site.state) {
        return error_page::lookup(&app, request.headers(), failure);
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
