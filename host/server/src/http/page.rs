//! Steps 2 to 6 of a page view: route, cache, permissions, content, document.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};
use masthead_domain::{
    Lang,
    access::{AccessRequest, Permissions},
    route::{Address, Route},
};
use masthead_runtime::{Call, Hook, RequestContext, Vary};

use super::{
    errors,
    resolve::{Host, Scope},
    security,
};
use crate::{
    api::types::{Bootstrap, PagePayload},
    cache::{Answer, CachedPage, PageKey},
    document::{Parts, document},
    frame,
    i18n::Texts,
    links::Addresses,
    pages::{self, Context, Page, PageError},
    sites::SiteEntry,
    state::App,
    visit,
};

/// What the plugins of a page may take together.
const PLUGIN_TIME: Duration = Duration::from_millis(200);

/// A request for a page, as far as its address says.
struct Wanted {
    scope: Scope,
    lang: Lang,
    /// `None` for an address that is no route.
    route: Option<Route>,
    /// Path after the language, with the query, as it stands in the address.
    path: String,
    query: Vec<(String, String)>,
}

/// Any address that is no file and no call: a page of a site.
pub async fn serve(State(app): State<Arc<App>>, host: Host, request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let headers = request.headers();
    let Some(scope) = request.extensions().get::<Scope>().cloned() else {
        return errors::no_site(&app, &host, headers, request.uri().path());
    };
    if let Some((status, key)) = pages::state_failure(scope.entry.site.state) {
        return errors::lookup(&app, headers, status, key);
    }
    let wanted = match read(&scope, request.uri().path(), request.uri().query()) {
        Ok(wanted) => wanted,
        Err(rest) => return redirect(&scope, headers, &rest, request.uri().query()),
    };
    let (permissions, cookie) = decide(&app, &wanted.scope.entry, wanted.lang, route_name(&wanted), headers).await;
    let key = key(&wanted, &host, permissions);
    let cached = key.as_ref().and_then(|key| app.pages.get(key));
    metrics::counter!("masthead_page_cache_total", "outcome" => if cached.is_some() { "hit" } else { "miss" })
        .increment(1);
    let page = match cached {
        Some(page) => page,
        None => match make(&app, &wanted, &host, permissions).await {
            Ok((page, keep)) => {
                let page = Arc::new(page);
                if let Some(key) = key.filter(|_| keep) {
                    app.pages.put(key, Arc::clone(&page));
                }
                page
            }
            Err(error) => return errors::page_failed(&app, headers, &error),
        },
    };
    respond(&page, headers, cookie)
}

/// Reads the address. `Err` holds the segments of one that names no language.
fn read(scope: &Scope, path: &str, query: Option<&str>) -> Result<Wanted, String> {
    let decoded: Vec<String> = path
        .trim_matches('/')
        .split('/')
        .map(|segment| percent_encoding::percent_decode_str(segment).decode_utf8_lossy().into_owned())
        .collect();
    let segments: Vec<&str> = decoded.iter().map(String::as_str).filter(|segment| !segment.is_empty()).collect();
    let address = Address::split(&segments, false);
    let lang = address.lang.filter(|lang| scope.entry.site.languages.contains(lang));
    let Some(lang) = lang else {
        // A language that the site does not have is taken off; the site's own is put there.
        let rest = if address.lang.is_some() {
            path.trim_start_matches('/').split_once('/').map_or("", |(_, rest)| rest)
        } else {
            path
        };
        return Err(rest.trim_matches('/').to_owned());
    };
    let route = if address.rest.is_empty() {
        Some(Route::Home)
    } else {
        Route::parse(&address.rest, &scope.entry.site.aliases)
    };
    let after = path.trim_start_matches('/').split_once('/').map_or("", |(_, rest)| rest).trim_end_matches('/');
    let path = match query {
        Some(query) => format!("{after}?{query}"),
        None => after.to_owned(),
    };
    let query = url::form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned().collect();
    Ok(Wanted { scope: scope.clone(), lang, route, path, query })
}

/// To the same page in the reader's language: the cookie's, else the browser's, else the site's.
fn redirect(scope: &Scope, headers: &HeaderMap, rest: &str, query: Option<&str>) -> Response {
    let lang = scope.entry.lang_or_default(preferred(headers, &scope.entry.site.languages));
    let rest = if rest.is_empty() { "home/" } else { rest };
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    let mut response = Redirect::temporary(&format!("{}/{lang}/{rest}{query}", scope.base)).into_response();
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("Cookie, Accept-Language"));
    response
}

/// The reader's language among those offered.
pub(super) fn preferred(headers: &HeaderMap, offered: &[Lang]) -> Option<Lang> {
    let cookie = visit::cookie(headers, "language").and_then(|code| code.parse().ok());
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut weighed: Vec<(f32, Lang)> = accepted
        .split(',')
        .filter_map(|part| {
            let (tag, weight) = part.split_once(";q=").unwrap_or((part, "1"));
            Some((weight.trim().parse().ok()?, Lang::from_tag(tag.trim())?))
        })
        .collect();
    weighed.sort_by(|left, right| right.0.total_cmp(&left.0));
    cookie.into_iter().chain(weighed.into_iter().map(|(_, lang)| lang)).find(|lang| offered.contains(lang))
}

/// Opens a site's plugins for one request.
#[must_use]
pub fn begin(entry: &SiteEntry, lang: Lang, route: &str) -> Call {
    entry.chain.begin(RequestContext { lang, route: route.to_owned(), deadline: Instant::now() + PLUGIN_TIME })
}

fn route_name(wanted: &Wanted) -> &'static str {
    wanted.route.as_ref().map_or("unknown", Route::name)
}

/// What the reader may do, and the cookie that remembers how the visit began. Asked before the cache: finished pages
/// of readers with the same permissions are the same.
async fn decide(
    app: &App,
    entry: &SiteEntry,
    lang: Lang,
    route: &str,
    headers: &HeaderMap,
) -> (Permissions, Option<String>) {
    let own = entry.site.permissions;
    if !entry.chain.has_hook(Hook::Access) {
        return (own, None);
    }
    let (referrer, cookie) = match entry.chain.vary() {
        Vary::Nothing => (String::new(), None),
        _ => visit::referrer(headers, &app.key, entry.site.id.0),
    };
    let request = AccessRequest { referrer, signed_in: false, route: route.to_owned(), permissions: own };
    (begin(entry, lang, route).decide_access(request).await, cookie)
}

/// What the reader of a call may do.
pub async fn permissions(app: &App, scope: &Scope, lang: Lang, headers: &HeaderMap) -> Permissions {
    decide(app, &scope.entry, lang, "api", headers).await.0
}

/// The page's key; `None` for what is never kept.
fn key(wanted: &Wanted, host: &Host, permissions: Permissions) -> Option<PageKey> {
    let route = wanted.route.as_ref()?;
    if matches!(route, Route::Search) {
        return None;
    }
    // Parameters that no page looks at (campaign tags) do not make another page; those that one does are kept.
    let journal = wanted.query.iter().find(|(name, _)| name == "journal").map_or("", |(_, value)| value);
    let path = wanted.path.split('?').next().unwrap_or_default();
    let entry = &wanted.scope.entry;
    Some(PageKey {
        site: entry.site.id,
        config: entry.config_generation,
        content: entry.content(),
        lang: wanted.lang,
        origin: format!("{}{}", host.origin, wanted.scope.base),
        path: format!("{path}?{journal}"),
        permissions: (permissions.visit_power, permissions.download_power),
    })
}

/// A page with its bootstrap.
struct Made {
    page: Page,
    bootstrap: Bootstrap,
    /// The page's path without what no page looks at: it stands in `canonical` and in the links to other languages.
    path: String,
    complete: bool,
}

async fn content(app: &App, wanted: &Wanted, host: &Host, permissions: Permissions) -> Result<Made, PageError> {
    let entry = &wanted.scope.entry;
    let context = Context {
        app,
        entry,
        store: app.store.site(entry.site.id),
        addresses: Addresses { base: wanted.scope.base.clone(), lang: wanted.lang },
        texts: Texts::new(&app.messages, wanted.lang),
        permissions,
        origin: host.origin.clone(),
        query: wanted.query.clone(),
    };
    let mut call = begin(entry, wanted.lang, route_name(wanted));
    let mut page = match &wanted.route {
        Some(route) => pages::page(&context, &mut call, route).await?,
        None => pages::message(&context.texts, 404, "page_not_found", Some(context.addresses.route(&Route::Home))),
    };
    let kept: Vec<_> =
        ["journal", "q", "page"].into_iter().filter(|name| !context.parameter(name).is_empty()).collect();
    let mut path = wanted.path.split('?').next().unwrap_or_default().to_owned();
    if !kept.is_empty() {
        let query: String = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(kept.into_iter().map(|name| (name, context.parameter(name))))
            .finish();
        path = format!("{path}?{query}");
    }
    let view = std::mem::replace(&mut page.view, crate::api::types::PageView::Home {});
    let bootstrap = frame::bootstrap(&context, &mut call, view, &path).await?;
    Ok(Made { page, bootstrap, path, complete: call.outcome().is_complete() })
}

fn full_title(made: &Made) -> String {
    let site = &made.bootstrap.site.name;
    if made.page.title.is_empty() { site.clone() } else { format!("{} - {site}", made.page.title) }
}

async fn make(
    app: &App,
    wanted: &Wanted,
    host: &Host,
    permissions: Permissions,
) -> Result<(CachedPage, bool), PageError> {
    let made = content(app, wanted, host, permissions).await?;
    let texts = Texts::new(&app.messages, wanted.lang);
    let address = Addresses { base: wanted.scope.base.clone(), lang: wanted.lang }.path(&made.path);
    let (opening, rest) = document(&Parts {
        bootstrap: &made.bootstrap,
        title: &full_title(&made),
        head: &made.page.head,
        main: &made.page.main,
        theme: &wanted.scope.entry.theme,
        origin: &host.origin,
        path: &address,
        texts: &texts,
        ui: &app.ui,
    });
    // A page from which a failing plugin was left out is served, not kept.
    let keep = made.page.cacheable && made.complete && made.page.status == 200;
    Ok((CachedPage::new(made.page.status, &opening, rest), keep))
}

fn respond(page: &CachedPage, headers: &HeaderMap, cookie: Option<String>) -> Response {
    let nonce = STANDARD_NO_PAD.encode(rand::random::<[u8; 16]>());
    let scheme = match visit::cookie(headers, "theme").as_deref() {
        Some("dark") => " data-theme=\"dark\"",
        Some("light") => " data-theme=\"light\"",
        _ => "",
    };
    let answer = Answer { nonce: &nonce, scheme };
    let zipped = accepts_gzip(headers).then(|| page.gzip(answer)).flatten();
    let encoded = zipped.is_some();
    let mut response = Response::new(Body::from(zipped.unwrap_or_else(|| page.plain(answer))));
    *response.status_mut() = StatusCode::from_u16(page.status).unwrap_or(StatusCode::OK);
    let out = response.headers_mut();
    out.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    // The nonce is good for one answer: a stored copy must not be shown again without asking.
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    out.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if encoded {
        out.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    if let Some(policy) = security::document_policy(&nonce) {
        out.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    if let Some(cookie) = cookie.and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
        out.append(header::SET_COOKIE, cookie);
    }
    response
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|coding| {
            let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
            matches!(name.trim(), "gzip" | "*") && !matches!(weight.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000")
        })
}

/// A page for the shell, which follows a link inside the site without loading a document.
///
/// `path` is the address after the site's prefix, with language and query. `None` when it names no language.
///
/// # Errors
/// [`PageError`].
pub async fn payload(
    app: &App,
    scope: &Scope,
    host: &Host,
    headers: &HeaderMap,
    path: &str,
) -> Result<Option<PagePayload>, PageError> {
    let (path, query) = match path.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (path, None),
    };
    let Ok(wanted) = read(scope, path.split('#').next().unwrap_or_default(), query) else { return Ok(None) };
    let (permissions, _) = decide(app, &wanted.scope.entry, wanted.lang, route_name(&wanted), headers).await;
    let made = content(app, &wanted, host, permissions).await?;
    Ok(Some(PagePayload {
        title: full_title(&made),
        tag: wanted.lang.tag().to_owned(),
        dir: wanted.lang.dir().to_owned(),
        status: made.page.status,
        html: made.page.main.into_string(),
        bootstrap: made.bootstrap,
    }))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn headers(name: header::HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, value.parse().unwrap())])
    }

    #[test]
    fn the_cookie_then_the_browser_choose_the_language() {
        let offered = [Lang::Zh, Lang::En];
        assert_eq!(preferred(&headers(header::ACCEPT_LANGUAGE, "fr, en-GB;q=0.8, zh;q=0.9"), &offered), Some(Lang::Zh));
        assert_eq!(preferred(&headers(header::COOKIE, "a=1; language=en"), &offered), Some(Lang::En));
        assert_eq!(preferred(&headers(header::COOKIE, "language=ru"), &offered), None);
    }

    #[test]
    fn gzip_is_sent_to_who_takes_it() {
        for (value, takes) in [("gzip, br", true), ("br", false), ("gzip;q=0", false), ("*", true), ("GZIP", false)] {
            assert_eq!(accepts_gzip(&headers(header::ACCEPT_ENCODING, value)), takes, "{value}");
        }
    }
}
