//! Who reads a page: permissions by the `access` hook, the session, the share of canaries. And the plugins' call of a request.

use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use masthead_domain::{
    Lang,
    access::{AccessRequest, Permissions},
};
use masthead_runtime::{Call, Hook, RequestContext, Vary};

use crate::{
    app::App,
    auth::{
        referrer,
        session::{self, User},
    },
    sites::scope::{Host, Scope},
};

/// What the plugins of a page may take together.
const PLUGIN_TIME: Duration = Duration::from_millis(200);

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

/// Who asks, as far as a page may depend on it.
#[derive(Clone, Debug)]
pub struct Reader {
    /// What the reader may do.
    pub permissions: Permissions,
    /// The signed-in user.
    pub user: Option<User>,
    /// Which plugins answer with their canary.
    pub variant: u32,
    /// A cookie to set: how the visit began.
    pub cookie: Option<String>,
}

/// Who asks. Known before the cache is looked into: finished pages of readers who are alike are the same.
pub async fn reader(app: &App, scope: &Scope, host: &Host, lang: Lang, route: &str, headers: &HeaderMap) -> Reader {
    let (entry, variant) = (&scope.entry, scope.entry.chain.draw());
    let user = session::user(headers, &app.cookie_key, entry.site.id.0);
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
        _ => referrer::referrer(headers, &app.cookie_key, entry.site.id.0, base),
    };
    let request = AccessRequest { referrer, signed_in, route: route.to_owned(), permissions: own };
    (begin(scope, host, lang, route, variant).decide_access(request).await, cookie)
}

/// What the reader of a call may do.
pub async fn permissions(app: &App, scope: &Scope, host: &Host, lang: Lang, headers: &HeaderMap) -> Permissions {
    reader(app, scope, host, lang, "api", headers).await.permissions
}
