//! Administrators' calls about the administrators: signing in and out, accepting an invitation, who has which role, inviting, taking roles away.

use std::sync::Arc;

use axum::{
    Extension, Json,
    body::Body,
    extract::{Query, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use masthead_accounts::administrators::{self, AdministratorError, Invitation};
use masthead_domain::{
    SiteId,
    member::{AdministratorId, MemberName, Role, RoleScope},
};
use masthead_store::{Administrator as Account, AuditEntry, Revoked};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    administrator::Administrator,
    envelope::{ApiError, language, ok, storable},
    types::Envelope,
};
use crate::{
    app::{App, rate_limits::TooOften},
    auth::administrator_sessions::Console,
    client::Client,
    failure::Failure,
    routing::routes,
};
use masthead_domain::Lang;

/// Greatest size of a body, in bytes.
const MAX_BODY: usize = 16 << 10;
/// Days for which an invitation waits, where the call does not say it.
const INVITE_DAYS: u32 = 7;

/// A role, and where it holds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoleView {
    /// Id of the site; null for the installation.
    site_id: Option<i64>,
    /// `reader`, `editor`, `site-administrator` or `platform-administrator`.
    role: String,
}

impl RoleView {
    fn of(scope: RoleScope, role: Role) -> Self {
        let site_id = match scope {
            RoleScope::Installation => None,
            RoleScope::Site(site) => Some(site.0),
        };
        Self { site_id, role: role.as_str().to_owned() }
    }
}

/// Whoever makes the calls.
#[derive(Serialize, ToSchema)]
pub struct Me {
    /// The e-mail address of the administrator, or the name of the token.
    name: String,
    /// The roles.
    roles: Vec<RoleView>,
}

/// A call before the sign-in.
struct Caller {
    app: Arc<App>,
    lang: Lang,
    headers: HeaderMap,
    console: Console,
    client: Client,
}

impl Caller {
    /// The caller, if the request is for the administrators' host.
    fn new(
        app: Arc<App>,
        (console, client): (Option<Extension<Console>>, Client),
        headers: HeaderMap,
    ) -> Result<Self, ApiError> {
        let lang = language(&headers).unwrap_or(Lang::Zh);
        let Some(Extension(console)) = console else {
            let host = app.sites.load().platform.console_host();
            let message = app.messages.format(lang, "console_host", &[("host", &host)]);
            return Err(ApiError::new(StatusCode::FORBIDDEN, &message));
        };
        Ok(Self { app, lang, headers, console, client })
    }

    /// Records that a password is sent.
    fn take(&self) -> Result<(), ApiError> {
        let taken = self.app.limits.take_admin_sign_in(self.client);
        taken.map_err(|refused| ApiError::too_often(&self.app, self.lang, refused, Failure::TooOften.key()))
    }

    async fn json<T: DeserializeOwned>(&self, body: Body) -> Result<T, ApiError> {
        let bytes = axum::body::to_bytes(body, MAX_BODY).await.ok();
        let read = bytes.filter(|bytes| bytes.trim_ascii_start().starts_with(b"{"));
        let read = read.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        read.ok_or_else(|| ApiError::of(&self.app, self.lang, Failure::NotUnderstood))
    }

    fn refused(&self, status: StatusCode, key: &str) -> ApiError {
        ApiError::new(status, self.app.messages.get(self.lang, key))
    }

    fn failed(&self, error: &AdministratorError) -> ApiError {
        match error {
            AdministratorError::NoInvitation => self.refused(StatusCode::NOT_FOUND, "invitation_void"),
            AdministratorError::Wrong => self.refused(StatusCode::BAD_REQUEST, "administrator_unknown"),
            AdministratorError::NotTheOwner => self.refused(StatusCode::BAD_REQUEST, "invitation_own_password"),
            AdministratorError::Name => self.refused(StatusCode::BAD_REQUEST, "administrator_name"),
            AdministratorError::Password => self.refused(StatusCode::BAD_REQUEST, "administrator_password"),
            AdministratorError::Wait(left) => {
                let retry_after = u64::try_from(left.div_euclid(1000) + 1).unwrap_or(1);
                ApiError::too_often(&self.app, self.lang, TooOften { retry_after }, Failure::TooOften.key())
            }
            AdministratorError::Passwords(_) | AdministratorError::Store(_) => {
                tracing::error!(%error, "a call of an administrator failed");
                ApiError::of(&self.app, self.lang, failure_of(error))
            }
            other => ApiError::new(StatusCode::BAD_REQUEST, &other.to_string()),
        }
    }
}

/// The failure for a cause inside the host.
fn failure_of(error: &AdministratorError) -> Failure {
    match error {
        AdministratorError::Store(error) => Failure::of_store(error),
        // Too many wait for a digest already.
        AdministratorError::Passwords(_) => Failure::Unavailable,
        _ => Failure::Inside,
    }
}

/// E-mail address and password of an administrator.
#[derive(Deserialize, ToSchema)]
pub struct AdministratorSignIn {
    /// The e-mail address.
    email: String,
    /// The password.
    password: String,
}

/// Signs an administrator in, at the administrators' host alone. The session is in a cookie that scripts cannot read.
#[utoipa::path(post, path = "/rc-pub/admin/sign-in", tag = "admin", operation_id = "adminSignIn", request_body = AdministratorSignIn,
    responses((status = 200, body = Envelope<Me>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn sign_in(
    State(app): State<Arc<App>>,
    console: Option<Extension<Console>>,
    client: Client,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let caller = Caller::new(app, (console, client), headers)?;
    caller.take()?;
    let AdministratorSignIn { email, password } = caller.json(body).await?;
    let (store, now) = (&caller.app.store, caller.app.counting.now());
    let who = administrators::SigningIn { email: &email, password: &password, network: &client.to_string() };
    let verified = administrators::verify(store, (&caller.app.passwords, &caller.app.installation), who, now).await;
    let unknown = || caller.refused(StatusCode::UNAUTHORIZED, "administrator_unknown");
    let id = verified.map_err(|error| caller.failed(&error))?.ok_or_else(unknown)?;
    let agent = caller.headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    let before = caller.console.token(&caller.headers);
    let begun = administrators::begin(store, id, (agent, before.as_deref()), now).await;
    let token = begun.map_err(|error| caller.failed(&error.into()))?.ok_or_else(unknown)?;
    let found = administrators::find(store, &token.text, now).await.map_err(|error| caller.failed(&error.into()))?;
    let session = found.ok_or_else(unknown)?;
    let entry = AuditEntry {
        who: session.email.clone(),
        action: "signed in".to_owned(),
        subject: format!("administrator/{id}"),
        ..AuditEntry::default()
    };
    store.site(SiteId(0)).note_audit(&entry).await.map_err(|error| caller.failed(&error.into()))?;
    let roles = session.grants.iter().map(|grant| RoleView::of(grant.scope, grant.role)).collect();
    Ok(with_cookie(ok(Me { name: session.email, roles }).into_response(), &caller.console.cookie(Some(&token))))
}

/// Signs an administrator out. Without a session it does nothing.
#[utoipa::path(delete, path = "/rc-pub/admin/sign-in", tag = "admin", operation_id = "adminSignOut",
    responses((status = 200, body = Envelope<bool>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn sign_out(
    State(app): State<Arc<App>>,
    console: Option<Extension<Console>>,
    client: Client,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let caller = Caller::new(app, (console, client), headers)?;
    if let Some(token) = caller.console.token(&caller.headers) {
        let ended = administrators::end(&caller.app.store, &token).await;
        ended.map_err(|error| caller.failed(&error.into()))?;
    }
    Ok(with_cookie(ok(true).into_response(), &caller.console.cookie(None)))
}

fn with_cookie(mut response: Response, cookie: &str) -> Response {
    response.headers_mut().extend(HeaderValue::try_from(cookie).ok().map(|cookie| (header::SET_COOKIE, cookie)));
    response
}

/// What somebody who was invited sends.
#[derive(Deserialize, ToSchema)]
pub struct Accepting {
    /// The token of the invitation's link.
    token: String,
    /// The name of the person.
    name: String,
    /// The password: 12 to 128 characters.
    password: String,
}

/// Accepts an invitation, once, and signs nobody in. Whoever is an administrator already sends the own password and keeps it.
#[utoipa::path(post, path = "/rc-pub/admin/invitation", tag = "admin", operation_id = "acceptInvitation",
    request_body = Accepting,
    responses((status = 200, body = Envelope<bool>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 403, body = Envelope<serde_json::Value>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn accept(
    State(app): State<Arc<App>>,
    console: Option<Extension<Console>>,
    client: Client,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Envelope<bool>>, ApiError> {
    let caller = Caller::new(app, (console, client), headers)?;
    caller.take()?;
    let Accepting { token, name, password } = caller.json(body).await?;
    let (app, now) = (&caller.app, caller.app.counting.now());
    if storable(&name).is_none() {
        return Err(caller.failed(&AdministratorError::Name));
    }
    let network = client.to_string();
    let who = administrators::Accepting { token: &token, name: &name, password: &password, network: &network };
    let accepted = administrators::accept(&app.store, (&app.passwords, &app.installation), who, now).await;
    accepted.map_err(|error| caller.failed(&error))?;
    Ok(ok(true))
}

/// Returns the caller, with their roles.
#[utoipa::path(get, path = "/rc-pub/admin/me", tag = "admin", operation_id = "adminMe",
    responses((status = 200, body = Envelope<Me>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn me(by: Administrator) -> Result<Json<Envelope<Me>>, ApiError> {
    let by = by.into_caller()?;
    let roles = by.by().roles().iter().map(|(scope, role)| RoleView::of(*scope, *role)).collect();
    Ok(ok(Me { name: by.by().name.clone(), roles }))
}

/// A new password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdministratorPassword {
    /// The present password.
    old_password: String,
    /// The new one: 12 to 128 characters.
    password: String,
}

/// Changes the password of the administrator who is signed in. All other sessions of the administrator end.
#[utoipa::path(put, path = "/rc-pub/admin/password", tag = "admin", operation_id = "changeAdminPassword",
    request_body = AdministratorPassword,
    responses((status = 200, body = Envelope<bool>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn change_password(
    by: Administrator,
    console: Option<Extension<Console>>,
    client: Client,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let by = by.into_caller()?;
    let caller = Caller::new(Arc::clone(by.app()), (console, client), headers)?;
    caller.take()?;
    let AdministratorPassword { old_password, password } = caller.json(body).await?;
    let (app, now) = (&caller.app, caller.app.counting.now());
    // A token of a program is no session.
    let session = caller.console.token(&caller.headers).filter(|_| by.by().administrator.is_some()).unwrap_or_default();
    let (network, keys) = (client.to_string(), (&app.passwords, &app.installation));
    let asker = (session.as_str(), network.as_str());
    let changed = administrators::change_password(&app.store, keys, asker, (&old_password, &password), now).await;
    let changed = changed.map_err(|error| caller.failed(&error))?;
    let token = changed.ok_or_else(|| caller.refused(StatusCode::UNAUTHORIZED, "admin_token"))?;
    Ok(with_cookie(ok(true).into_response(), &caller.console.cookie(Some(&token))))
}

/// Query with a site, or without one for the installation.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct ScopeQuery {
    /// Id of the site; without it the installation.
    site_id: Option<i64>,
}

impl ScopeQuery {
    fn scope(&self) -> RoleScope {
        self.site_id.map_or(RoleScope::Installation, |site| RoleScope::Site(SiteId(site)))
    }
}

/// An administrator.
#[derive(Serialize, ToSchema)]
pub struct AdministratorView {
    /// Number.
    id: i64,
    /// E-mail address.
    email: String,
    /// Name of the person.
    name: String,
    /// `active` or `closed`.
    state: String,
    /// The roles: of a site, its own and those of the installation, which hold on it, too.
    roles: Vec<RoleView>,
    /// When the administrator signed in for the last time, ISO 8601 in UTC; "" for never.
    seen: String,
}

impl AdministratorView {
    fn of(account: Account, place: RoleScope) -> Self {
        let Account { id, email, name, state, seen, grants, .. } = account;
        let here =
            |scope: RoleScope| place == RoleScope::Installation || scope == place || scope == RoleScope::Installation;
        let roles = grants.iter().filter(|grant| here(grant.scope)).map(|grant| RoleView::of(grant.scope, grant.role));
        let seen = jiff::Timestamp::from_millisecond(seen).ok().filter(|_| seen > 0);
        Self {
            id: id.0,
            email,
            name,
            state: state.as_str().to_owned(),
            roles: roles.collect(),
            seen: seen.map(|time| time.to_string()).unwrap_or_default(),
        }
    }
}

/// Returns the administrators of a site, or without one all of them.
#[utoipa::path(get, path = "/rc-pub/admin/people", tag = "admin", operation_id = "adminPeople", params(ScopeQuery),
    responses((status = 200, body = Envelope<Vec<AdministratorView>>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 403, body = Envelope<serde_json::Value>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn people(
    by: Administrator,
    Query(place): Query<ScopeQuery>,
) -> Result<Json<Envelope<Vec<AdministratorView>>>, ApiError> {
    let by = by.on_site_or_installation(place.site_id)?;
    let all = by.app().store.administrators().await.map_err(|error| by.internal_error(&error))?;
    let scope = place.scope();
    let views = all.into_iter().map(|account| AdministratorView::of(account, scope));
    Ok(ok(views.filter(|view| place.site_id.is_none() || !view.roles.is_empty()).collect()))
}

/// Somebody who is to get a role.
#[derive(Deserialize, ToSchema)]
pub struct Invited {
    /// The e-mail address.
    email: String,
    /// `reader`, `editor`, `site-administrator` or `platform-administrator`.
    #[schema(value_type = String)]
    role: Role,
    /// Days for which the invitation waits: 7 by default, at most 30.
    days: Option<u32>,
}

/// An invitation that was made.
#[derive(Serialize, ToSchema)]
pub struct InvitationView {
    /// The token, this once. Whoever has it can accept the invitation.
    token: String,
    /// Until when the invitation waits, ISO 8601 in UTC.
    expires: String,
}

/// Invites somebody to a role. The invitation replaces an earlier one of the same person for the same site.
#[utoipa::path(post, path = "/rc-pub/admin/people", tag = "admin", operation_id = "inviteAdministrator", params(ScopeQuery),
    request_body = Invited,
    responses((status = 200, body = Envelope<InvitationView>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn invite(
    by: Administrator,
    Query(place): Query<ScopeQuery>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Envelope<InvitationView>>, ApiError> {
    let by = by.on_site_or_installation(place.site_id)?;
    let Invited { email, role, days } = by.json(body, MAX_BODY, "an invitation").await?;
    let scope = place.scope();
    by.may_give(scope, role)?;
    let email =
        MemberName::email(&email).map_err(|error| ApiError::new(StatusCode::BAD_REQUEST, &error.to_string()))?;
    let invitation = Invitation { email: &email, scope, role, days: days.unwrap_or(INVITE_DAYS) };
    let (store, now) = (&by.app().store, by.app().counting.now());
    let made = administrators::invite(store, &invitation, &by.who(&headers), now).await;
    let made = made.map_err(|error| match error {
        AdministratorError::Store(error) => by.internal_error(&error),
        other => ApiError::new(StatusCode::BAD_REQUEST, &other.to_string()),
    })?;
    let expires = jiff::Timestamp::from_millisecond(made.expires).map(|time| time.to_string()).unwrap_or_default();
    Ok(ok(InvitationView { token: made.text, expires }))
}

/// Query with an administrator, and where a role is taken away.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct AdministratorQuery {
    /// Number of the administrator.
    #[serde(default)]
    id: i64,
    /// Id of the site; without it the account is closed, with all its roles.
    site_id: Option<i64>,
}

/// Takes the role on a site away from an administrator, or without a site closes the account. The sessions of the administrator end.
#[utoipa::path(delete, path = "/rc-pub/admin/people", tag = "admin", operation_id = "revokeAdministrator", params(AdministratorQuery),
    responses((status = 200, body = Envelope<bool>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 403, body = Envelope<serde_json::Value>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 409, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn revoke(
    by: Administrator,
    Query(query): Query<AdministratorQuery>,
    headers: HeaderMap,
) -> Result<Json<Envelope<bool>>, ApiError> {
    let place = ScopeQuery { site_id: query.site_id };
    let by = by.on_site_or_installation(place.site_id)?;
    let (store, now, id) = (&by.app().store, by.app().counting.now(), AdministratorId(query.id));
    let missing = || by.fail(StatusCode::NOT_FOUND, "no_data");
    let revoked = match place.scope() {
        RoleScope::Installation => store.close_administrator(id, &by.who(&headers), now).await,
        scope => {
            let grants = store.grants(id).await.map_err(|error| by.internal_error(&error))?;
            let grant = grants.iter().find(|grant| grant.scope == scope).ok_or_else(missing)?;
            by.may_give(scope, grant.role)?;
            store.revoke_role(id, scope, &by.who(&headers), now).await
        }
    };
    match revoked.map_err(|error| by.internal_error(&error))? {
        Revoked::Done => Ok(ok(true)),
        Revoked::Missing => Err(missing()),
        Revoked::LastOne => Err(by.fail(StatusCode::CONFLICT, "last_administrator")),
    }
}

/// The routes of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(sign_in, sign_out))
        .routes(routes!(accept))
        .routes(routes!(me))
        .routes(routes!(change_password))
        .routes(routes!(people, invite, revoke))
}
