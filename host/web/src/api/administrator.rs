//! The one check of administrators. [`Administrator`] is a caller with a valid token or session, without access to anything: the data that
//! a call works with is in the [`Authorised`] caller, for which the caller's roles are compared with the rule of the call
//! ([`admin_permissions`]).

use std::{
    error::Error,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use axum::{
    body::{Body, to_bytes},
    extract::FromRequestParts,
    http::{HeaderMap, StatusCode, request::Parts},
};
use masthead_content::{
    import::{
        job::{self, Job},
        outage_of,
    },
    records::Records,
};
use masthead_domain::{
    Lang, SiteId,
    member::{Role, RoleScope},
};
use masthead_store::{AuditEntry, Outage, SiteStore};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::api::{
    admin_permissions::{self, CallObject, Rule},
    envelope::{ApiError, language},
};
use crate::{
    app::App,
    auth::{administrator_sessions::Console, principal::Principal},
    client::Connection,
    failure::Failure,
};

/// The header with a token.
const TOKEN: &str = "token";
/// The header with the name of the editor for whom an administrator's tool makes a call.
const EDITOR: &str = "editor";
/// Greatest number of characters of an editor's name.
const MAX_NAME: usize = 100;

/// Whether a request has a token, of whatever kind.
#[must_use]
pub fn has_token(headers: &HeaderMap) -> bool {
    headers.get(TOKEN).is_some_and(|token| !token.is_empty())
}

/// A caller with a token or a session that is known and has not ended.
pub struct Administrator(Bearer);

/// A caller whose roles reach `S`.
pub struct Authorised<S> {
    bearer: Bearer,
    reached: S,
}

/// A caller whose roles reach a site.
pub type OnSite = Authorised<SiteId>;

/// The whole installation.
pub struct Installation;

struct Bearer {
    app: Arc<App>,
    lang: Lang,
    by: Principal,
    rule: &'static Rule,
}

impl Bearer {
    /// Fails unless the table of calls says that this one is about what its handler asks for: the table and the handlers cannot differ.
    fn is_about(&self, reaches: &[CallObject]) -> Result<(), ApiError> {
        if reaches.contains(&self.rule.reach) {
            return Ok(());
        }
        tracing::error!(rule = ?self.rule, "a call of administrators is not about what its rule says; nobody may make it");
        Err(self.fail(StatusCode::INTERNAL_SERVER_ERROR, "request_failed"))
    }

    fn fail(&self, status: StatusCode, key: &str) -> ApiError {
        ApiError::new(status, self.app.messages.get(self.lang, key))
    }

    /// A refusal because of the caller's roles. `own` is the one that the caller has here.
    fn forbidden(&self, key: &str, (site, own): (&str, &str)) -> ApiError {
        let values = [("name", self.by.name.as_str()), ("site", site), ("role", self.rule.role.as_str()), ("own", own)];
        ApiError::new(StatusCode::FORBIDDEN, &self.app.messages.format(self.lang, key, &values))
    }
}

impl FromRequestParts<Arc<App>> for Administrator {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        Self::of_request(parts, app).await
    }
}

impl Administrator {
    /// The caller of a request: the bearer of the token in the header, or else of the session in the cookie.
    ///
    /// # Errors
    /// [`ApiError`] for a missing, unknown, revoked or expired token or session (401), and after too many of them (429).
    pub async fn of_request(parts: &Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let lang = language(&parts.headers).unwrap_or(Lang::Zh);
        let failed = |error: &dyn Error, what: &'static str| {
            tracing::error!(%error, "{what}");
            ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, app.messages.get(lang, "request_failed"))
        };
        let Some(rule) = admin_permissions::of_request(parts) else {
            let error = io::Error::other(format!("{} {} has no rule", parts.method, parts.uri.path()));
            return Err(failed(&error, "nobody may make a call of administrators"));
        };
        let refusal = match principal(parts, app).await {
            Ok(Some(by)) => return Ok(Self(Bearer { app: Arc::clone(app), lang, by, rule })),
            Ok(None) => ApiError::new(StatusCode::UNAUTHORIZED, app.messages.get(lang, "admin_token")),
            Err(error) => failed(&error, "no administrator is let in, because they cannot be looked up"),
        };
        let client = Connection::of_request(&parts.extensions).client;
        match app.limits.take_wrong_token(client) {
            Ok(()) => Err(refusal),
            Err(refused) => Err(ApiError::too_often(app, lang, refused, Failure::TooOften.key())),
        }
    }

    /// The caller, whose roles nothing is compared with: for calls about the caller alone.
    pub(super) fn into_caller(self) -> Result<Authorised<()>, ApiError> {
        self.0.is_about(&[CallObject::Caller])?;
        Ok(Authorised { bearer: self.0, reached: () })
    }

    /// The caller, if the role that the call needs holds on a site.
    ///
    /// # Errors
    /// [`ApiError`] for another role (403), and for a site that is not configured (404).
    pub fn on_site(self, site: i64) -> Result<OnSite, ApiError> {
        let by = self.reaching(SiteId(site))?;
        let known = by.app().sites.load().by_id(by.site()).is_some();
        if known { Ok(by) } else { Err(by.fail(StatusCode::NOT_FOUND, "site_unknown")) }
    }

    /// The caller, if the role of a platform administrator is held.
    ///
    /// # Errors
    /// [`ApiError`] for another role (403).
    pub fn on_installation(self) -> Result<Authorised<Installation>, ApiError> {
        let Self(bearer) = self;
        bearer.is_about(&[CallObject::Installation, CallObject::SiteOrInstallation])?;
        if bearer.by.role_on_installation() == Some(Role::PlatformAdministrator) {
            return Ok(Authorised { bearer, reached: Installation });
        }
        Err(bearer.forbidden("role_installation", ("", "")))
    }

    /// The caller, if the role that the call needs holds on a site, or without one on the installation.
    ///
    /// # Errors
    /// Those of [`Self::on_site`] and [`Self::on_installation`].
    pub(super) fn on_site_or_installation(self, site: Option<i64>) -> Result<Authorised<()>, ApiError> {
        Ok(match site {
            Some(site) => self.on_site(site)?.anywhere(),
            None => self.on_installation()?.anywhere(),
        })
    }

    /// The uploads to the sites on which the caller has the role, the latest first.
    pub(super) async fn jobs(&self) -> Result<Vec<Job>, ApiError> {
        let Self(bearer) = self;
        bearer.is_about(&[CallObject::OwnSites])?;
        let mut jobs = job::all(&bearer.app.data_folder).await;
        jobs.retain(|job| bearer.by.role_on(SiteId(job.site_id)) >= Some(bearer.rule.role));
        Ok(jobs)
    }

    /// An upload with its folder, if the caller has the role on its site, which may be configured no more.
    pub(super) async fn job(self, id: &str) -> Result<(OnSite, PathBuf, Job), ApiError> {
        let found = job::find(&self.0.app.data_folder, id).await;
        let (job, folder) = found.ok_or_else(|| self.0.fail(StatusCode::NOT_FOUND, "no_data"))?;
        let by = self.reaching(SiteId(job.site_id))?;
        Ok((by, folder, job))
    }

    fn reaching(self, site: SiteId) -> Result<OnSite, ApiError> {
        let Self(bearer) = self;
        bearer.is_about(&[CallObject::Site, CallObject::SiteOrInstallation])?;
        match bearer.by.role_on(site) {
            None => Err(bearer.forbidden("role_site", (&site.to_string(), ""))),
            Some(own) if own < bearer.rule.role => {
                Err(bearer.forbidden("role_needed", (&site.to_string(), own.as_str())))
            }
            Some(_) => Ok(Authorised { bearer, reached: site }),
        }
    }
}

/// The principal that a request is from; `None` if there is none.
async fn principal(parts: &Parts, app: &Arc<App>) -> io::Result<Option<Principal>> {
    let now = app.counting.now();
    if has_token(&parts.headers) {
        let token = parts.headers.get(TOKEN).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        let known = Arc::clone(app);
        let found = tokio::task::spawn_blocking(move || known.admin_tokens.find(&token, now)).await;
        let found = found.map_err(io::Error::other)?.map_err(io::Error::other)?;
        return Ok(found.map(|token| Principal::of_token(&token)));
    }
    // At any other host, a session has no effect.
    let Some(console) = parts.extensions.get::<Console>() else { return Ok(None) };
    console.principal(&app.store, &parts.headers, now).await.map_err(io::Error::other)
}

impl<S> Authorised<S> {
    /// The same caller, where the reach of the roles no longer matters.
    pub(super) fn anywhere(self) -> Authorised<()> {
        Authorised { bearer: self.bearer, reached: () }
    }

    pub(super) const fn app(&self) -> &Arc<App> {
        &self.bearer.app
    }

    /// The path of a configuration file below the folder of sites; other texts as they are.
    pub(super) fn below_sites_folder(&self, path: String) -> String {
        let below = Path::new(&path).strip_prefix(&self.app().sites_folder).map(|below| below.display().to_string());
        below.unwrap_or(path)
    }

    pub(super) fn fail(&self, status: StatusCode, key: &str) -> ApiError {
        self.bearer.fail(status, key)
    }

    /// Reads a JSON body of at most `most` bytes. The refusal of another body says `what` it has to be, with the parser's message.
    pub(super) async fn json<T: DeserializeOwned>(&self, body: Body, most: usize, what: &str) -> Result<T, ApiError> {
        let bytes = to_bytes(body, most).await;
        let bytes = bytes.map_err(|_| self.fail(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large"))?;
        serde_json::from_slice(&bytes)
            .map_err(|error| ApiError::new(StatusCode::BAD_REQUEST, &format!("the body is not {what}: {error}")))
    }

    /// A failure of the host: the cause is logged and not returned. A full disk, and a database that is away, are reported.
    pub(super) fn internal_error(&self, error: &(dyn Error + 'static)) -> ApiError {
        tracing::error!(error, "a call of an administrator failed");
        match outage_of(error) {
            Some(Outage::Full) => self.fail(StatusCode::INSUFFICIENT_STORAGE, "disk_full"),
            Some(Outage::Away) => ApiError::of(&self.bearer.app, self.bearer.lang, Failure::Unavailable),
            None => self.fail(StatusCode::INTERNAL_SERVER_ERROR, "request_failed"),
        }
    }

    /// A failure of the host for a platform administrator, who may have to mend it: with its causes. A full disk, and a database that is away,
    /// are reported as by [`Self::internal_error`].
    pub(super) fn operators_error(&self, error: &anyhow::Error) -> ApiError {
        if outage_of(&**error).is_some() {
            return self.internal_error(&**error);
        }
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, &format!("{error:#}"))
    }

    /// The principal that makes the call.
    pub(super) const fn by(&self) -> &Principal {
        &self.bearer.by
    }

    pub(super) const fn lang(&self) -> Lang {
        self.bearer.lang
    }

    /// The caller, if a role can be given by this one.
    ///
    /// # Errors
    /// [`ApiError`] (403).
    pub(super) fn may_give(&self, scope: RoleScope, role: Role) -> Result<(), ApiError> {
        if self.bearer.by.may_give(scope, role) {
            return Ok(());
        }
        Err(self.bearer.forbidden("role_not_given", ("", role.as_str())))
    }

    /// The caller's name in the audit trail: the administrator's address, or the name of the token, after that of the editor whom the
    /// request names. Only the tool behind a token acts for editors.
    pub(super) fn who(&self, headers: &HeaderMap) -> String {
        if self.bearer.by.administrator.is_some() {
            return self.bearer.by.name.clone();
        }
        let editor = headers.get(EDITOR).map(|name| String::from_utf8_lossy(name.as_bytes()).into_owned());
        let editor = editor.unwrap_or_default();
        let editor: String = editor.trim().chars().filter(|c| !c.is_control()).take(MAX_NAME).collect();
        let token = &self.bearer.by.name;
        if editor.is_empty() { token.clone() } else { format!("{editor} ({token})") }
    }
}

impl OnSite {
    pub(super) const fn site(&self) -> SiteId {
        self.reached
    }

    /// The content of the site.
    pub(super) fn store(&self) -> SiteStore {
        self.app().store.site(self.site())
    }

    /// Writes the line of the audit trail for a change that is not a transaction of the database: files that were sent.
    pub(super) async fn note(
        &self,
        headers: &HeaderMap,
        (action, subject): (&str, String),
        after: Value,
    ) -> Result<(), ApiError> {
        let (who, action) = (self.who(headers), action.to_owned());
        let entry = AuditEntry { who, action, subject, before: Value::Null, after };
        self.store().note_audit(&entry).await.map_err(|error| self.internal_error(&error))
    }

    /// The records of the site.
    pub(super) fn records(&self) -> Records {
        Records::new(&self.app().store, self.site(), &self.app().data_folder)
    }
}
