//! The reader of a request: rights by the site's rules and the `access` hook, the session, the share of canaries. Rules that tell readers
//! apart look at the session and at the network that the request comes from. Every door that shows something of an article asks the rights
//! of its reader. Also opens the plugin call of a request.

use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use masthead_domain::{
    Lang,
    access::{AccessRequest, Permissions, ReaderStatus, Rights},
};
use masthead_runtime::{Call, RequestContext, Vary};

use crate::{
    app::{App, database_wait},
    auth::{cookies::CookiePlace, referrer, session::User},
    client::Client,
    page::reader_status,
    sites::scope::{Host, Scope},
};

/// Total time for all plugins of one page, on a machine without a factor of its own (`plugins.timeFactor`).
const PLUGIN_TIME: Duration = Duration::from_millis(200);

/// Begins the plugin call of one page request, with the time limit of pages.
#[must_use]
pub fn plugin_call(scope: &Scope, host: &Host, lang: Lang, route: &str, variant: u32) -> Call {
    let time = PLUGIN_TIME.mul_f64(scope.entry.chain.time_factor());
    plugin_call_within(scope, host, lang, route, variant, time)
}

/// Begins a plugin call with another time limit, for calls that wait for other servers.
#[must_use]
pub fn plugin_call_within(scope: &Scope, host: &Host, lang: Lang, route: &str, variant: u32, time: Duration) -> Call {
    // What the addresses of another site begin with may have a host of its own.
    let origin = if scope.base.contains("://") { "" } else { host.origin.as_str() };
    let address = format!("{origin}{}/{lang}", scope.base);
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

/// The reader, as far as a page may depend on them.
#[derive(Clone, Debug)]
pub struct Reader {
    /// What the reader's permissions, with the rules of the site, let the reader read.
    pub rights: Rights,
    /// The signed-in user.
    pub user: Option<User>,
    /// Bit set of the plugins that answer with their canary version.
    pub variant: u32,
    /// `Set-Cookie` values that store the referrer of the visit, or none.
    pub cookies: Vec<String>,
    /// The client that sent the request.
    pub client: Client,
}

/// Determines the reader of a request. This comes before the look-up in the page cache, because permissions and
/// canaries are part of the cache key.
pub async fn reader(
    app: &App,
    scope: &Scope,
    host: &Host,
    lang: Lang,
    route: &str,
    (headers, client): (&HeaderMap, Client),
) -> Reader {
    let entry = &scope.entry;
    let variant = entry.chain.draw();
    let (user, is_unknown) = user(app, scope, host, headers).await;
    let status = database_wait::during(reader_status::of(app, entry, client, user.as_ref())).await;
    let own = entry.site.access.permissions(entry.site.permissions, status);
    let request = Request { scope, host, lang, route, headers };
    let (permissions, cookies) = decide(app, &request, (own, user.is_some()), variant).await;
    let rights = entry.reading_rules().of(permissions).signed_in(user.is_some());
    let rights = if is_unknown { rights.of_unknown_session() } else { rights };
    Reader { rights, user, variant, cookies, client }
}

/// The signed-in member, and whether the session of the request could not be looked up. Pages that are open to everyone are then shown as to
/// a reader who is not signed in, and what is refused is refused for the time being. Cached pages wait for nothing.
async fn user(app: &App, scope: &Scope, host: &Host, headers: &HeaderMap) -> (Option<User>, bool) {
    let sessions = app.sessions(scope, host);
    if !app.store.is_available() {
        return (None, sessions.is_named(headers));
    }
    match database_wait::during(sessions.user(headers)).await {
        Ok(user) => (user, false),
        Err(error) => {
            tracing::error!(%error, "the session of a reader cannot be looked up");
            (None, true)
        }
    }
}

/// What the `access` hook may look at of a request.
struct Request<'a> {
    scope: &'a Scope,
    host: &'a Host,
    lang: Lang,
    route: &'a str,
    headers: &'a HeaderMap,
}

/// The permissions of a reader to whom the configuration gives `own`, and the `Set-Cookie` values that store the referrer of the visit.
async fn decide(
    app: &App,
    request: &Request<'_>,
    (own, signed_in): (Permissions, bool),
    variant: u32,
) -> (Permissions, Vec<String>) {
    let Request { scope, host, lang, route, headers } = *request;
    let chain = &scope.entry.chain;
    if !chain.decides_access() {
        return (own, Vec::new());
    }
    let (referrer, cookies) = match chain.vary() {
        Vary::Nothing => (String::new(), Vec::new()),
        _ => referrer::referrer(headers, &app.cookie_key, CookiePlace::of(scope, host)),
    };
    let request = AccessRequest { referrer, signed_in, route: route.to_owned(), permissions: own };
    (plugin_call(scope, host, lang, route, variant).decide_access(request).await, cookies)
}

/// The rights of the reader who makes an API call, or asks for a file. The session is read only where it can change the answer: not for a
/// reader who may do everything already.
pub async fn rights(
    app: &App,
    scope: &Scope,
    host: &Host,
    lang: Lang,
    (headers, client): (&HeaderMap, Client),
) -> Rights {
    let entry = &scope.entry;
    if !entry.chain.decides_access() {
        let known =
            ReaderStatus { member: false, of_institution: reader_status::is_in_network(app, entry, client).await };
        let least = entry.site.access.permissions(entry.site.permissions, known);
        if least == Permissions::default() {
            return entry.reading_rules().of(least);
        }
    }
    reader(app, scope, host, lang, "api", (headers, client)).await.rights
}
