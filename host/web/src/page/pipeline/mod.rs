//! The page pipeline: a finished page is taken from the page cache, or built and stored there. A document and the
//! shell's in-site navigation are two encodings of the same page.

pub mod error_page;

use std::sync::Arc;

use masthead_domain::{
    Lang, SiteId,
    access::{Permissions, Refusal},
    member::{ItemRef, ItemType, Use},
    resource::ResourceKind,
    route::{Route, TextPage},
};
use masthead_runtime::{Call, Hook, Vary, hook_types::HeadPage};

use crate::{
    app::{App, database_wait},
    auth::session::User,
    cache::{CachedPage, Counted, Finished, PageKey},
    failure::Failure,
    page::{
        bootstrap, content,
        context::{Context, Page, PageError},
        document::{Parts, at_canonical_host, document},
        feed_links,
        frame::frame,
        moved,
        reader::{Reader, plugin_call},
        request::PageRequest,
        types::{Bootstrap, PageView},
    },
    sites::{SiteEntry, addresses::Addresses, scope::Host},
    usage::{UsageAction, Visitor},
};

/// How long a page is kept that shows usage or other sites, in milliseconds.
const PERIOD_MS: i64 = 600_000;
/// Greatest number of characters of a page's title in the title of the document.
const MAX_TITLE: usize = 500;

/// The address to which a request for the code of a channel is redirected, because the page of the channel has another address.
///
/// # Errors
/// [`PageError`], when the issues or experts to which the menu leads cannot be read.
pub async fn elsewhere(
    app: &App,
    request: &PageRequest,
    host: &Host,
    reader: &Reader,
) -> Result<Option<String>, PageError> {
    let Some(Route::Text(TextPage::Channel(code))) = &request.route else { return Ok(None) };
    let context = Context::new(app, request, host, reader);
    let found = database_wait::during(content::elsewhere(&context, code)).await?;
    Ok(found.map(|address| moved::in_header(&address)))
}

/// The page of a request, from the page cache if it is there.
///
/// # Errors
/// [`PageError`], when the page cannot be built, or refuses its content to a reader whose session could not be looked up.
pub async fn page(
    app: &App,
    request: &PageRequest,
    host: &Host,
    reader: &Reader,
) -> Result<Arc<CachedPage>, PageError> {
    let page = cached_or_built(app, request, host, reader).await?;
    let is_unknown = reader.rights.refusal() == Refusal::Unknown;
    if page.refused && is_unknown { Err(PageError::SessionUnknown) } else { Ok(page) }
}

async fn cached_or_built(
    app: &App,
    request: &PageRequest,
    host: &Host,
    reader: &Reader,
) -> Result<Arc<CachedPage>, PageError> {
    let key = key(app, request, host, reader);
    let cached = key.as_ref().and_then(|key| app.pages.get(key));
    metrics::counter!("masthead_page_cache_total", "outcome" => if cached.is_some() { "hit" } else { "miss" })
        .increment(1);
    if let Some(page) = cached {
        return Ok(page);
    }
    let (page, cacheable) = database_wait::during(build(app, request, host, reader)).await?;
    let page = Arc::new(page);
    // While the session is unknown, the page differs from that of a signed-out reader and must not share its cache key.
    let is_known = reader.rights.refusal() != Refusal::Unknown;
    if let Some(key) = key.filter(|_| cacheable && is_known) {
        app.pages.put(key, Arc::clone(&page));
    }
    Ok(page)
}

/// The page's cache key; `None` for a page that must not be cached.
fn key(app: &App, request: &PageRequest, host: &Host, reader: &Reader) -> Option<PageKey> {
    let entry = &request.scope.entry;
    // The page cache is bypassed for signed-in readers, because their pages hold their name; and where a plugin's
    // answer depends on the individual reader, because no two pages are alike.
    let personal = reader.user.is_some() || entry.chain.vary() == Vary::Reader;
    let route = request.route.as_ref()?;
    // Words to search and addresses to return to are unbounded in number.
    if personal || route.is_search() || matches!(route, Route::Account(_)) {
        return None;
    }
    let Permissions { visit_power, download_power } = reader.rights.permissions();
    Some(PageKey {
        site: entry.site.id,
        config: configuration(app, entry),
        content: entry.content(),
        lang: request.lang,
        origin: format!("{}{}", host.origin, request.scope.base),
        path: request.path(),
        permissions: (visit_power, download_power),
        variant: reader.variant,
        period: period(app, request),
    })
}

/// The number of the time span in which a page is kept that shows what changes without a change of the site's content; 0 for others.
fn period(app: &App, request: &PageRequest) -> i64 {
    let is_dated = match &request.route {
        Some(Route::Home | Route::HomeOf(_)) => request.scope.entry.site.home.is_dated(),
        Some(Route::Resources(_)) => {
            request.parameters().iter().any(|(name, value)| *name == "sort" && value == "visits")
        }
        _ => false,
    };
    if is_dated { app.counting.now().div_euclid(PERIOD_MS) } else { 0 }
}

/// The generation of all configuration that a page shows: that of the site, and that of the sites of a group that its header leads to.
fn configuration(app: &App, entry: &SiteEntry) -> u64 {
    let table = app.sites.load();
    let others = table.others_of_group(&entry.site).chain(table.entrance(&entry.site));
    // A sum: in an exclusive or, a site that is both would leave no trace.
    others.fold(entry.config_generation, |all, other| all.wrapping_add(other.config_generation))
}

/// Builds the page. Returns it with whether it may be cached.
async fn build(
    app: &App,
    request: &PageRequest,
    host: &Host,
    reader: &Reader,
) -> Result<(CachedPage, bool), PageError> {
    let entry = &request.scope.entry;
    let context = Context::new(app, request, host, reader);
    let mut call = plugin_call(&request.scope, host, request.lang, request.route_name(), reader.variant);
    let mut page = match &request.route {
        Some(route) => content::page(&context, &mut call, route).await?,
        None => content::message(&context, Failure::PageUnknown),
    };
    let path = request.path();
    let view = std::mem::replace(&mut page.view, PageView::Home {});
    let site = request.scope.canonical(host);
    contribute_head(&context, &mut call, &mut page, &path, &site).await;
    if page.status == 200 {
        page.head.links = feed_links::links(&context, request.route.as_ref());
    }
    let bootstrap = bootstrap::bootstrap(&context, &mut call, view, &path).await?;
    let title = full_title(&page, &bootstrap);
    let ui = app.ui.load_full();
    let address = Addresses { base: request.scope.base.clone(), lang: request.lang }.path(&path);
    let frame = frame(&app.frames, &ui, &bootstrap, &address).await;
    let document = document(Parts {
        bootstrap: &bootstrap,
        title: &title,
        head: &page.head,
        main: &page.main,
        compressed: std::mem::take(&mut page.compressed),
        theme: &entry.theme,
        sheet: bootstrap::sheet(&request.scope).as_deref(),
        site: &site,
        path: &address,
        frame: &frame,
        texts: &context.texts,
        ui: &ui,
        default_lang: entry.site.default_lang(),
    });
    // A page that lacks the contribution of a failed plugin or module is served but not cached, so that the next request tries
    // again.
    let cacheable = page.cacheable && call.outcome().is_complete() && page.status == 200 && frame.lasting;
    let counted = counted(&bootstrap.page, request.route.as_ref().filter(|_| page.status == 200));
    let finished = Finished {
        status: page.status,
        title,
        lang: request.lang,
        links: std::mem::take(&mut page.head.signposts),
        counted,
        refused: page.refused,
        document,
    };
    Ok((CachedPage::new(finished), cacheable))
}

/// Adds the tags that plugins contribute to the head of the document (hook `head.contribute`).
async fn contribute_head(context: &Context<'_>, call: &mut Call, page: &mut Page, path: &str, site: &str) {
    if !context.entry.chain.has_hook(Hook::Head) {
        return;
    }
    let canonical =
        if page.head.canonical.is_empty() { context.addresses.path(path) } else { page.head.canonical.clone() };
    let about = HeadPage {
        title: page.title.clone(),
        canonical: at_canonical_host(site, &context.addresses.base, &canonical),
        article: page.article.take(),
    };
    page.head.contributed = call.contribute_head(about).await;
}

/// The title of the document: the page's title, then the site's name. Windows, histories and bookmarks show a line of it: a title of a megabyte
/// is cut off there, and stands whole in the heading.
fn full_title(page: &Page, bootstrap: &Bootstrap) -> String {
    let site = &bootstrap.site.name;
    if page.title.is_empty() {
        return site.clone();
    }
    match page.title.char_indices().nth(MAX_TITLE) {
        Some((end, _)) => format!("{}… - {site}", page.title[..end].trim_end()),
        None => format!("{} - {site}", page.title),
    }
}

/// The usage event that is counted whenever this page is served. `route` is that of a page that is there.
fn counted(page: &PageView, route: Option<&Route>) -> Counted {
    match page {
        PageView::Article { id, .. } => Counted::Article(id.0),
        PageView::Search { q, total, .. } if *total > 0 && !q.is_empty() => Counted::Search(q.clone()),
        _ => match route {
            Some(Route::Resource(kind, id)) => Counted::Resource(*kind, *id),
            Some(Route::NewsDetails(id)) => Counted::Resource(ResourceKind::News, *id),
            _ => Counted::Nothing,
        },
    }
}

/// Records that a page in a language was served to a visitor, who may be a signed-in member.
pub fn count(app: &App, (site, lang): (SiteId, Lang), counted: &Counted, (visitor, user): (&Visitor, Option<&User>)) {
    let viewed = match counted {
        Counted::Article(id) => Some(ItemRef::new(ItemType::Article, id)),
        Counted::Resource(kind, id) => Some(ItemRef::new(ItemType::Resource(*kind), id)),
        Counted::Search(_) | Counted::Nothing => None,
    };
    if let Some(item) = viewed {
        app.note_use(site, user, Use::View, item, lang, visitor);
    }
    match counted {
        Counted::Nothing => {}
        Counted::Article(id) => _ = app.counting.record(site, "article", *id, UsageAction::Visit, visitor),
        Counted::Resource(kind, id) => _ = app.counting.record(site, kind.as_str(), *id, UsageAction::Visit, visitor),
        Counted::Search(words) => _ = app.counting.record_search(site, words, visitor),
    }
}
