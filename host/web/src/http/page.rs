//! Pages over HTTP: parses the address, gets the finished page from the pipeline, and sends it with a nonce of its own.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    response::{IntoResponse, Redirect, Response},
};
use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};

use crate::{
    app::{App, database_wait},
    cache::{CachedPage, NonceAndScheme},
    client::Connection,
    discovery::article,
    failure::Failure,
    page::{
        article_format::Format,
        caching,
        context::PageError,
        encoding::Encoding,
        language::preferred,
        moved, pipeline,
        reader::reader,
        request::{self, PageRequest},
        scheme,
    },
    sites::scope::{Host, Scope},
    usage::Visitor,
};
use crate::{
    http::security,
    page::pipeline::error_page::{self, Place},
};

/// Serves any address that is neither a file nor a call: a page of a site.
pub async fn serve(State(app): State<Arc<App>>, host: Host, request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let headers = request.headers();
    let Some(scope) = request.extensions().get::<Scope>().cloned() else {
        return error_page::no_site(&app, &host, headers, request.uri().path());
    };
    if let Some(failure) = Failure::of_state(scope.entry.site.state) {
        return error_page::lookup(&app, Place::at(&scope, &host), headers, failure);
    }
    if let Some(location) = at_canonical_host(&scope, &host, request.uri()) {
        return moved::permanently(&location);
    }
    let requested = match PageRequest::read(&scope, request.uri().path(), request.uri().query()) {
        Ok(requested) => requested,
        Err(rest) => {
            let address = (request.uri().path(), request.uri().query());
            return without_language(&app, (&scope, &host), headers, &rest, address).await;
        }
    };
    let failed = |error: &PageError| error_page::page_failed(&app, Place::at(&scope, &host), requested.lang, error);
    database_wait::only_where_said();
    let asker = (headers, Connection::of_request(request.extensions()).client);
    let reader = reader(&app, &requested.scope, &host, requested.lang, requested.route_name(), asker).await;
    match pipeline::elsewhere(&app, &requested, &host, &reader).await {
        Ok(Some(location)) => return Redirect::temporary(&location).into_response(),
        Ok(None) => {}
        Err(error) => return failed(&error),
    }
    let visitor = (*request.method() == Method::GET).then(|| Visitor::of(headers, request.extensions()));
    if requested.article().is_some() {
        match article::requested_format(headers, requested.format()) {
            Some((Format::Html, _)) => {}
            Some(form) => {
                let serve = article::serve(&app, &requested, &host, (&reader, headers), form, visitor.as_ref());
                match database_wait::during(serve).await {
                    Ok(Some(response)) => return response,
                    // The pipeline builds the page that reports the unknown article.
                    Ok(None) => {}
                    Err(error) => return failed(&error),
                }
            }
            None => return article::not_acceptable(),
        }
    }
    let page = match pipeline::page(&app, &requested, &host, &reader).await {
        Ok(page) => page,
        Err(error) => return failed(&error),
    };
    // An article that was removed may have moved, too.
    if matches!(page.status, 404 | 410) {
        let address = (request.uri().path(), request.uri().query());
        match database_wait::during(moved::target(&app, &scope, requested.lang, address)).await {
            Ok(Some(location)) => return moved::permanently(&location),
            Ok(None) => {}
            Err(error) => return failed(&error.into()),
        }
    }
    if let Some(visitor) = &visitor {
        let of_site = (scope.entry.site.id, requested.lang);
        pipeline::count(&app, of_site, &page.counted, (visitor, reader.user.as_ref()));
    }
    let mut response = respond(&page, headers, reader.cookies, &scope.entry.frames);
    let is_article = requested.article().is_some();
    let out = response.headers_mut();
    out.insert(header::CACHE_CONTROL, caching::of_page(&reader.rights, &requested));
    // The document depends on the cookies for the colours, the session and the visit, and at the beginning of a visit on its referrer.
    let mut varies = vec![header::COOKIE];
    varies.extend(is_article.then_some(header::ACCEPT));
    varies.extend(scope.entry.reading_rules().by_reader.then_some(header::REFERER));
    caching::vary(out, &varies);
    response
}

/// The address of the same page at the site's canonical host, where the site redirects to it and the request names another one.
fn at_canonical_host(scope: &Scope, host: &Host, uri: &Uri) -> Option<String> {
    let canonical = scope.entry.site.canonical.redirect.then(|| scope.canonical(host))?;
    let address = uri.path_and_query().map_or("/", |address| address.as_str());
    (canonical != format!("{}{}", host.origin, scope.base)).then(|| format!("{canonical}{address}"))
}

/// The response to an address without a language of the site: the page in the reader's language, or what a redirect names if there is no
/// such page. The language is from the cookie, else from the browser's preference, else the site's default. `rest` is the path without its
/// language segment. The parameter `lang` precedes the others: addresses of the specification such as `/login?lang=en&url=` have it.
async fn without_language(
    app: &App,
    (scope, host): (&Scope, &Host),
    headers: &HeaderMap,
    rest: &str,
    (path, query): (&str, Option<&str>),
) -> Response {
    let named = query.and_then(|query| request::named_language(query, &scope.entry.languages));
    let lang = scope.entry.lang_or_default(named.or_else(|| preferred(headers, &scope.entry.languages)));
    if !request::is_of_a_page(rest, &scope.entry.site) {
        match moved::target(app, scope, lang, (path, query)).await {
            Ok(Some(location)) => {
                let mut response = moved::permanently(&location);
                caching::vary(response.headers_mut(), &[header::COOKIE, header::ACCEPT_LANGUAGE]);
                return response;
            }
            Ok(None) => {}
            Err(error) => return error_page::page_failed(app, Place::at(scope, host), lang, &error.into()),
        }
    }
    let mut response = Redirect::temporary(&moved::in_language(scope, lang, rest, query)).into_response();
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("Cookie, Accept-Language"));
    response
}

fn respond(page: &CachedPage, headers: &HeaderMap, set_cookies: Vec<String>, frames: &str) -> Response {
    let nonce = STANDARD_NO_PAD.encode(rand::random::<[u8; 16]>());
    let scheme = scheme::of_headers(headers).map(|chosen| format!(" data-theme=\"{chosen}\"")).unwrap_or_default();
    let answer = NonceAndScheme { nonce: &nonce, scheme: &scheme };
    let compressed = Encoding::preferred(headers, &[Encoding::Brotli, Encoding::Gzip]).and_then(|encoding| {
        let pieces = match encoding {
            Encoding::Brotli => page.brotli(answer),
            Encoding::Gzip => page.gzip(answer),
        };
        Some((encoding, pieces?))
    });
    let (encoding, pieces) = match compressed {
        Some((encoding, pieces)) => (Some(encoding), pieces),
        None => (None, page.plain(answer)),
    };
    let mut response = Response::new(Body::new(pieces));
    *response.status_mut() = StatusCode::from_u16(page.status).unwrap_or(StatusCode::OK);
    let out = response.headers_mut();
    out.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    out.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if let Some(links) = HeaderValue::from_str(&page.links).ok().filter(|links| !links.is_empty()) {
        out.insert(header::LINK, links);
    }
    if let Some(encoding) = encoding {
        out.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
    }
    if let Some(policy) = security::document_policy(&nonce, frames) {
        out.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    for cookie in set_cookies.into_iter().filter_map(|cookie| HeaderValue::try_from(cookie).ok()) {
        out.append(header::SET_COOKIE, cookie);
    }
    response
}
