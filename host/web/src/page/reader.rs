//! The reader of a page: permissions by the `access` hook, the session, the share of canaries. Also opens the plugin
//! call of a request.

use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use masthead_domain::{
    Lang,
    access::{AccessRequest, Permissions},
};
use masthead_runtime::{Call, RequestContext, Vary};

use crate::{
    app::App,
    auth::{cookies::CookiePlace, referrer, session::User},
    sites::scope::{Host, Scope},
};

/// Total time for all plugins of one page.
const PLUGIN_TIME: Duration = Duration::from_millis(200);

/// Begins the plugin call of one page request, with the time limit of pages.
#[must_use]
pub fn plugin_call(scope: &Scope, host: &Host, lang: Lang, route: &str, variant: u32) -> Call {
    plugin_call_within(scope, host, lang, route, variant, PLUGIN_TIME)
}

/// Begins a plugin call with another time limit, for calls that wait for other servers.
#[must_use]
pub fn plugin_call_within(scope: &Scope, host: &Host, lang: Lang, route: &str, variant: u32, time: Duration) -> Call {
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

/// The reader, as far as a page may depend on them.
#[derive(Clone, Debug)]
pub struct Reader {
    /// The reader's permissions.
    pub permissions: Permissions,
    /// The signed-in user.
    pub user: Option<User>,
    /// Bit set of the plugins that answer with their canary version.
    pub variant: u32,
    /// `Set-Cookie` value that stores the referrer of the visit, or `None`.
    pub cookie: Option<String>,
}

/// Determines the reader of a request. This comes before the look-up in the page cache, because permissions and
/// canaries are part of the cache key.
pub async fn reader(app: &App, scope: &Scope, host: &Host, lang: Lang, route: &str, headers: &HeaderMap) -> Reader {
    let variant = scope.entry.chain.draw();
    let user = app.sessions(scope, host).user(headers).await;
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
    let entry = &scope.entry;
    let own = entry.site.permissions;
    if !entry.chain.decides_access() {
        return (own, None);
    }
    let (referrer, cookie) = match entry.chain.vary() {
        Vary::Nothing => (String::new(), None),
        _ => referrer::referrer(headers, &app.cookie_key, CookiePlace::of(scope, host)),
    };
    let request = AccessRequest { referrer, signed_in, route: route.to_owned(), permissions: own };
    (plugin_call(scope, host, lang, route, variant).decide_access(request).await, cookie)
}

/// The permissions of the reader who makes an API call.
pub async fn permissions(app: &App, scope: &Scope, host: &Host, lang: Lang, headers: &HeaderMap) -> Permissions {
    reader(app, scope, host, lang, "api", headers).await.permissions
}
