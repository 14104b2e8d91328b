//! Steps 2 to 6 of a page view, without HTTP: route, permissions, content, bootstrap, document.

use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use masthead_domain::{
    Lang, SiteId,
    access::{AccessRequest, Permissions},
    route::{Address, Route},
};
use masthead_runtime::{Call, Hook, RequestContext, Vary, hook_types::HeadPage};

use crate::{
    api::types::{Bootstrap, PagePayload, PageView},
    cache::{CachedPage, Counted, PageKey},
    counting::{Act, Visitor},
    document::{Parts, document},
    failure::Failure,
    frame,
    i18n::Texts,
    library,
    links::Addresses,
    pages::{self, Context, Page, PageError},
    scope::{Host, Scope},
    state::App,
    visit,
};

/// What the plugins of a page may take together.
const PLUGIN_TIME: Duration = Duration::from_millis(200);

/// A request for a page, as far as its address says.
pub struct Wanted {
    /// The site.
    pub scope: Scope,
    /// The page's language.
    pub lang: Lang,
    /// `None` for an address that is no route.
    route: Option<Route>,
    /// Path after the language, with the query, as it stands in the address.
    path: String,
    query: Vec<(String, String)>,
}

/// Reads the address. `Err` holds the segments of one that names no language.
pub fn read(scope: &Scope, path: &str, query: Option<&str>) -> Result<Wanted, String> {
    let decoded: Vec<String> = path
        .trim_matches('/')
        .split('/')
        .map(|segment| percent_encoding::percent_decode_str(segment).decode_utf8_lossy().into_owned())
        .collect();
    let segments: Vec<&str> = decoded.iter().map(String::as_str).filter(|segment| !segment.is_empty()).collect();
    let address = Address::split(&segments, false);
    let lang = address.lang.filter(|lang| scope.entry.languages.contains(lang));
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

impl Wanted {
    /// The route, where it is an article's.
    #[must_use]
    pub fn article(&self) -> Option<&Route> {
        self.route.as_ref().filter(|route| matches!(route, Route::Article(_) | Route::ArticleByDoi(_)))
    }

    /// A query parameter, or "".
    #[must_use]
    pub fn parameter(&self, name: &str) -> &str {
        self.query.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.trim())
    }
}

/// Opens a site's plugins for one request, with the time that pages have.
#[must_use]
pub fn begin(scope: &Scope, host: &Host, lang: Lang, route: &str, variant: u32) -> Call {
    begin_for(scope, host, lang, route, variant, PLUGIN_TIME)
}

/// The same for work that waits for other servers.
#[must_use]
pub fn begin_for(scope: &Scope, host: &Host, lang: Lang, route: &str, variant: u32, time: Duration) -> Call {
    let address = format!("{}{}/{lang}", host.origin, scope.base);
    let deadline = Instant::now() + time;
    scope.entry.chain.begin(RequestContext {
        lang,
        route: route.to_owned(),
        address,
        deadline,
        variant,
        recording: None,
    })
}

/// The route's name for plugins and metrics.
#[must_use]
pub fn route_name(wanted: &Wanted) -> &'static str {
    wanted.route.as_ref().map_or("unknown", Route::name)
}

/// Who asks, as far as a page may depend on it.
#[derive(Clone, Debug)]
pub struct Reader {
    /// What the reader may do.
    pub permissions: Permissions,
    /// The signed-in user.
    pub user: Option<crate::session::User>,
    /// Which plugins answer with their canary.
    pub variant: u32,
    /// A cookie to set: how the visit began.
    pub cookie: Option<String>,
}

/// Who asks. Known before the cache is looked into: finished pages of readers who are alike are the same.
pub async fn reader(app: &App, scope: &Scope, host: &Host, lang: Lang, route: &str, headers: &HeaderMap) -> Reader {
    let (entry, variant) = (&scope.entry, scope.entry.chain.draw());
    let user = crate::session::user(headers, &app.key, entry.site.id.0);
    let (permissions, cookie) = decide(app, (scope, host, lang, route), headers, user.is_some(), variant).await;
    Reader { permissions, user, variant, cookie }
}

async fn decide(
    app: &App,
    (scope, host, lang, route): (&Scope, &Host, Lang, &str),
    headers: &HeaderMap,
    signed_in: bool,
    variant: u32,
) -> (Permissions, Option<String>) {
    let (entry, base) = (&scope.entry, scope.base.as_str());
    let own = entry.site.permissions;
    if !entry.chain.has_hook(Hook::Access) {
        return (own, None);
    }
    let (referrer, cookie) = match entry.chain.vary() {
        Vary::Nothing => (String::new(), None),
        _ => visit::referrer(headers, &app.key, entry.site.id.0, base),
    };
    let request = AccessRequest { referrer, signed_in, route: route.to_owned(), permissions: own };
    (begin(scope, host, lang, route, variant).decide_access(request).await, cookie)
}

/// What the reader of a call may do.
pub async fn permissions(app: &App, scope: &Scope, host: &Host, lang: Lang, headers: &HeaderMap) -> Permissions {
    reader(app, scope, host, lang, "api", headers).await.permissions
}

/// The page's key; `None` for what is never kept.
pub fn key(wanted: &Wanted, host: &Host, reader: &Reader) -> Option<PageKey> {
    let route = wanted.route.as_ref()?;
    let permissions = reader.permissions;
    // A signed-in reader's page holds a name; and where a plugin looks at who reads, no two pages are alike.
    let personal = reader.user.is_some() || wanted.scope.entry.chain.vary() == Vary::Reader;
    if matches!(route, Route::Search) || personal {
        return None;
    }
    // Parameters that no page looks at (campaign tags) do not make another page; those that one does are kept.
    // (An issue of a journal that the site does not have is a 404, which is not kept.)
    let asked = wanted.query.iter().find(|(name, _)| name == "journal" && matches!(route, Route::Issue { .. }));
    let journal = asked.map_or("", |(_, value)| value);
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
        variant: reader.variant,
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

async fn content(app: &App, wanted: &Wanted, host: &Host, reader: &Reader) -> Result<Made, PageError> {
    let entry = &wanted.scope.entry;
    let context = Context {
        app,
        entry,
        store: app.store.site(entry.site.id),
        addresses: Addresses { base: wanted.scope.base.clone(), lang: wanted.lang },
        texts: Texts::new(&app.messages, wanted.lang),
        permissions: reader.permissions,
        user: reader.user.clone(),
        origin: host.origin.clone(),
        query: wanted.query.clone(),
    };
    let mut call = begin(&wanted.scope, host, wanted.lang, route_name(wanted), reader.variant);
    let mut page = match &wanted.route {
        Some(route) => pages::page(&context, &mut call, route).await?,
        None => pages::message(&context.texts, Failure::PageUnknown, Some(context.addresses.route(&Route::Home))),
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
    let view = std::mem::replace(&mut page.view, PageView::Home {});
    let title = page.title.clone();
    contribute_head(&context, &mut call, &mut page, &title, &path).await;
    if page.status == 200 {
        page.head.links = library::head_links(&context, wanted.route.as_ref());
    }
    let bootstrap = frame::bootstrap(&context, &mut call, view, &path).await?;
    Ok(Made { page, bootstrap, path, complete: call.outcome().is_complete() })
}

/// What plugins add to the head of the document.
async fn contribute_head(context: &Context<'_>, call: &mut Call, page: &mut Page, title: &str, path: &str) {
    if !context.entry.chain.has_hook(Hook::Head) {
        return;
    }
    let canonical =
        if page.head.canonical.is_empty() { context.addresses.path(path) } else { page.head.canonical.clone() };
    let about = HeadPage {
        title: title.to_owned(),
        canonical: format!("{}{canonical}", context.origin),
        article: page.article.take(),
    };
    page.head.contributed = call.contribute_head(about).await;
}

fn full_title(made: &Made) -> String {
    let site = &made.bootstrap.site.name;
    if made.page.title.is_empty() { site.clone() } else { format!("{} - {site}", made.page.title) }
}

/// Makes the finished document, and says whether it may be kept.
///
/// # Errors
/// [`PageError`].
pub async fn make(app: &App, wanted: &Wanted, host: &Host, reader: &Reader) -> Result<(CachedPage, bool), PageError> {
    let made = content(app, wanted, host, reader).await?;
    let texts = Texts::new(&app.messages, wanted.lang);
    let address = Addresses { base: wanted.scope.base.clone(), lang: wanted.lang }.path(&made.path);
    let (opening, rest) = document(&Parts {
        bootstrap: &made.bootstrap,
        title: &full_title(&made),
        head: &made.page.head,
        main: &made.page.main,
        theme: &wanted.scope.entry.theme,
        sheet: frame::sheet(&wanted.scope).as_deref(),
        origin: &host.origin,
        path: &address,
        texts: &texts,
        ui: &app.ui,
        default_lang: wanted.scope.entry.site.default_lang(),
    });
    // A page from which a failing plugin was left out is served, not kept.
    let keep = made.page.cacheable && made.complete && made.page.status == 200;
    let counted = counted(&made.bootstrap.page);
    let mut page = CachedPage::new(made.page.status, &opening, rest).with_links(made.page.head.signposts);
    page.counted = counted;
    Ok((page, keep))
}

/// What is counted when this page is served.
#[must_use]
pub fn counted(page: &PageView) -> Counted {
    match page {
        PageView::Article { id, .. } => Counted::Article(id.0),
        PageView::Search { q, total } if *total > 0 => Counted::Search(q.clone()),
        _ => Counted::Nothing,
    }
}

/// Counts that a page was served.
pub fn count(app: &App, site: SiteId, counted: &Counted, visitor: &Visitor) {
    match counted {
        Counted::Nothing => {}
        Counted::Article(id) => _ = app.counting.act(site, "article", *id, Act::Visit, visitor),
        Counted::Search(words) => _ = app.counting.search(site, words, visitor),
    }
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
    let reader = reader(app, &wanted.scope, host, wanted.lang, route_name(&wanted), headers).await;
    let made = content(app, &wanted, host, &reader).await?;
    Ok(Some(PagePayload {
        title: full_title(&made),
        tag: wanted.lang.tag().to_owned(),
        dir: wanted.lang.dir().to_owned(),
        status: made.page.status,
        html: made.page.main.into_string(),
        bootstrap: made.bootstrap,
    }))
}
