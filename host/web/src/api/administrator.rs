//! The one check of administrators' tokens. [`Administrator`] is a caller with a valid token, who gets nothing yet: what a call works with is
//! in the [`Authorised`] caller, which the sites and the role of the token are compared for.

use std::{error::Error, io, path::PathBuf, sync::Arc};

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
use masthead_domain::{Lang, SiteId};
use masthead_store::{Outage, SiteStore};
use serde::de::DeserializeOwned;

use crate::api::envelope::{ApiError, language};
use crate::{
    app::App,
    auth::admin_tokens::{AdminToken, Role},
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

/// A caller with a token that is known and has not ended.
pub struct Administrator(Bearer);

/// A caller whose token reaches `S`.
pub struct Authorised<S> {
    bearer: Bearer,
    reached: S,
}

/// A caller whose token reaches a site.
pub type OnSite = Authorised<SiteId>;

/// The whole installation.
pub struct Installation;

struct Bearer {
    app: Arc<App>,
    lang: Lang,
    token: AdminToken,
}

impl Bearer {
    fn fail(&self, status: StatusCode, key: &str) -> ApiError {
        ApiError::new(status, self.app.messages.get(self.lang, key))
    }

    /// A refusal because of what the token is for.
    fn forbidden(&self, key: &str, site: &str) -> ApiError {
        let values = [("name", self.token.name.as_str()), ("site", site)];
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
    /// The caller of a request.
    ///
    /// # Errors
    /// [`ApiError`] for a missing, unknown, revoked or expired token (401), and after too many of them (429).
    pub async fn of_request(parts: &Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let lang = language(&parts.headers).unwrap_or(Lang::Zh);
        let token = parts.headers.get(TOKEN).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        let (known, now) = (Arc::clone(app), app.counting.now());
        let found = tokio::task::spawn_blocking(move || known.admin_tokens.find(&token, now)).await;
        let refusal = match found.map_err(io::Error::other).and_then(|found| found.map_err(io::Error::other)) {
            Ok(Some(token)) => return Ok(Self(Bearer { app: Arc::clone(app), lang, token })),
            Ok(None) => ApiError::new(StatusCode::UNAUTHORIZED, app.messages.get(lang, "admin_token")),
            Err(error) => {
                tracing::error!(%error, "no administrator is let in, because their tokens cannot be read");
                ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, app.messages.get(lang, "request_failed"))
            }
        };
        let client = Connection::of_request(&parts.extensions).client;
        match app.limits.take_wrong_token(client) {
            Ok(()) => Err(refusal),
            Err(refused) => Err(ApiError::too_often(app, lang, refused, Failure::TooOften.key())),
        }
    }

    /// The caller, if the token is for a site, with this role or a higher one.
    ///
    /// # Errors
    /// [`ApiError`] for another token (403), and for a site that is not configured (404).
    pub fn on_site(self, site: i64, role: Role) -> Result<OnSite, ApiError> {
        let by = self.reaching(SiteId(site), role)?;
        let known = by.app().sites.load().by_id(by.site()).is_some();
        if known { Ok(by) } else { Err(by.fail(StatusCode::NOT_FOUND, "site_unknown")) }
    }

    /// The caller, if the token is for the whole installation.
    ///
    /// # Errors
    /// [`ApiError`] for another token (403).
    pub fn on_installation(self) -> Result<Authorised<Installation>, ApiError> {
        let Self(bearer) = self;
        if bearer.token.reaches_installation() {
            return Ok(Authorised { bearer, reached: Installation });
        }
        Err(bearer.forbidden("token_installation", ""))
    }

    /// The uploads to the sites of the token, the latest first.
    pub(super) fn jobs(&self) -> Vec<Job> {
        let Self(bearer) = self;
        let mut jobs = job::all(&bearer.app.data_folder);
        jobs.retain(|job| bearer.token.reaches(SiteId(job.site_id)));
        jobs
    }

    /// An upload with its folder, if the token is for its site, which may be configured no more.
    pub(super) fn job(self, id: &str) -> Result<(OnSite, PathBuf, Job), ApiError> {
        let folder = job::folder(&self.0.app.data_folder, id);
        let found = folder.and_then(|folder| Some((job::read(&folder).ok()?, folder)));
        let (job, folder) = found.ok_or_else(|| self.0.fail(StatusCode::NOT_FOUND, "no_data"))?;
        let by = self.reaching(SiteId(job.site_id), Role::Editor)?;
        Ok((by, folder, job))
    }

    fn reaching(self, site: SiteId, role: Role) -> Result<OnSite, ApiError> {
        let Self(bearer) = self;
        if !bearer.token.reaches(site) {
            return Err(bearer.forbidden("token_sites", &site.to_string()));
        }
        if bearer.token.role < role {
            return Err(bearer.forbidden("token_role", ""));
        }
        Ok(Authorised { bearer, reached: site })
    }
}

impl<S> Authorised<S> {
    pub(super) const fn app(&self) -> &Arc<App> {
        &self.bearer.app
    }

    pub(super) fn fail(&self, status: StatusCode, key: &str) -> ApiError {
        self.bearer.fail(status, key)
    }

    /// Reads a JSON body of at most `most` bytes. `what` it has to be is told, with the parser's message, to who sends another one.
    pub(super) async fn json<T: DeserializeOwned>(&self, body: Body, most: usize, what: &str) -> Result<T, ApiError> {
        let bytes = to_bytes(body, most).await;
        let bytes = bytes.map_err(|_| self.fail(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large"))?;
        serde_json::from_slice(&bytes)
            .map_err(|error| ApiError::new(StatusCode::BAD_REQUEST, &format!("the body is not {what}: {error}")))
    }

    /// A failure of the host: the cause is logged and not returned. A full disk, and a database that is away, are said.
    pub(super) fn internal_error(&self, error: &(dyn Error + 'static)) -> ApiError {
        tracing::error!(error, "a call of an administrator failed");
        match outage_of(error) {
            Some(Outage::Full) => self.fail(StatusCode::INSUFFICIENT_STORAGE, "disk_full"),
            Some(Outage::Away) => ApiError::of(&self.bearer.app, self.bearer.lang, Failure::Unavailable),
            None => self.fail(StatusCode::INTERNAL_SERVER_ERROR, "request_failed"),
        }
    }

    /// Who makes the call, for the audit trail: the name of the token, after that of the editor whom the request names.
    pub(super) fn who(&self, headers: &HeaderMap) -> String {
        let editor = headers.get(EDITOR).map(|name| String::from_utf8_lossy(name.as_bytes()).into_owned());
        let editor = editor.unwrap_or_default();
        let editor: String = editor.trim().chars().filter(|c| !c.is_control()).take(MAX_NAME).collect();
        let token = &self.bearer.token.name;
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

    /// The records of the site.
    pub(super) fn records(&self) -> Records {
        Records::new(&self.app().store, self.site(), &self.app().data_folder)
    }
}
