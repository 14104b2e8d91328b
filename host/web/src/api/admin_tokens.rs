//! Administrators' calls about the tokens of programs, as `masthead token` has them. A token is in one answer, that to its creation; it is neither
//! stored nor logged.

use std::sync::Arc;

use axum::{
    Json,
    body::Body,
    extract::Query,
    http::{HeaderMap, StatusCode},
};
use masthead_domain::SiteId;
use masthead_store::AuditEntry;
use serde::{Deserialize, Serialize};
use tokio::task::JoinError;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    administrator::{Administrator, Authorised, Installation},
    envelope::{ApiError, ok},
    types::Envelope,
};
use crate::{
    app::App,
    auth::{
        admin_tokens::{self, AdminToken, NewToken, Role, Sites, TokenError, TokenView},
        principal::roles_of_token,
    },
    routing::routes,
};

/// Greatest size of a body, in bytes: the numbers of some thousand sites.
const MAX_BODY: usize = 64 << 10;

/// A token that is to be created.
#[derive(Deserialize, ToSchema)]
// A misspelt restriction must not make a token without it.
#[serde(deny_unknown_fields)]
pub struct TokenRequest {
    /// Its name: letters, digits and - _ . @ +
    name: String,
    /// `editor`: records, redirects, imports and comments. `admin`: everything of its sites, and without `sites` of the installation.
    #[schema(value_type = String)]
    role: Role,
    /// Ids of its sites; all sites without it.
    sites: Option<Vec<i64>>,
    /// Its last day in UTC (2027-03-31), or a number of days from now (90d); no end without it.
    expires: Option<String>,
}

/// A token that was created.
#[derive(Serialize, ToSchema)]
pub struct CreatedToken {
    /// The token, this once.
    token: String,
    /// What is stored of it.
    stored: TokenView,
}

/// Query with the name of a token.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TokenName {
    /// Name of the token.
    #[serde(default)]
    name: String,
}

/// Returns the tokens: names, roles, sites, ends. The tokens themselves are not stored.
#[utoipa::path(get, path = "/rc-pub/admin/tokens", tag = "admin", operation_id = "adminTokens",
    responses((status = 200, body = Envelope<Vec<TokenView>>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 403, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn list(by: Administrator) -> Result<Json<Envelope<Vec<TokenView>>>, ApiError> {
    let by = by.on_installation()?;
    let (data, now) = (by.app().data_folder.clone(), by.app().counting.now());
    let read = tokio::task::spawn_blocking(move || admin_tokens::all(&data)).await;
    let tokens = read.map_err(|error| by.internal_error(&error))?.map_err(|error| failed(&by, &error))?;
    Ok(ok(tokens.iter().map(|token| token.described(now)).collect()))
}

/// Creates a token and returns it, this once. It invalidates no other. A token creates none that outlives it.
#[utoipa::path(post, path = "/rc-pub/admin/tokens", tag = "admin", operation_id = "createToken",
    params(("editor" = Option<String>, Header, description = "Name for the audit trail")), request_body = TokenRequest,
    responses((status = 200, body = Envelope<CreatedToken>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 409, body = Envelope<serde_json::Value>), (status = 413, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>), (status = 507, body = Envelope<serde_json::Value>)))]
pub async fn create(
    by: Administrator,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Envelope<CreatedToken>>, ApiError> {
    let by = by.on_installation()?;
    let TokenRequest { name, role, sites, expires } = by.json(body, MAX_BODY, "a token that is to be created").await?;
    let now = by.app().counting.now();
    let expires = expires.map(|text| admin_tokens::end(&text, now)).transpose().map_err(|error| failed(&by, &error))?;
    let sites = known_sites(&by, sites)?;
    // Whoever may make this call has every role: the comparison keeps it so if the rule of the call changes.
    for (scope, role) in roles_of_token(role, &sites) {
        by.may_give(scope, role)?;
    }
    if !by.by().may_last_until(expires) {
        let message = format!("{} creates no token that outlives it; give an earlier end", by.by().name);
        return Err(ApiError::new(StatusCode::FORBIDDEN, &message));
    }
    let (new, who) = (NewToken { name, role, sites, expires }, by.who(&headers));
    // A task of its own: a caller who goes away does not leave a token without its line.
    let made = tokio::spawn(create_and_note(Arc::clone(by.app()), new, who, now)).await.flatten();
    let made = made.map_err(|error| by.internal_error(&error))?;
    let (token, created) = made.map_err(|error| failed(&by, &error))?;
    Ok(ok(CreatedToken { token, stored: created.described(now) }))
}

/// Revokes a token. It is refused from the next call on.
#[utoipa::path(delete, path = "/rc-pub/admin/tokens", tag = "admin", operation_id = "revokeToken",
    params(TokenName, ("editor" = Option<String>, Header, description = "Name for the audit trail")),
    responses((status = 200, body = Envelope<bool>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>),
        (status = 507, body = Envelope<serde_json::Value>)))]
pub async fn revoke(
    by: Administrator,
    Query(query): Query<TokenName>,
    headers: HeaderMap,
) -> Result<Json<Envelope<bool>>, ApiError> {
    let by = by.on_installation()?;
    let (who, now) = (by.who(&headers), by.app().counting.now());
    let revoked = tokio::spawn(revoke_and_note(Arc::clone(by.app()), query.name, who, now)).await.flatten();
    let revoked = revoked.map_err(|error| by.internal_error(&error))?;
    revoked.map_err(|error| failed(&by, &error))?;
    Ok(ok(true))
}

/// The sites of a new token, all of which have to be there.
fn known_sites(by: &Authorised<Installation>, given: Option<Vec<i64>>) -> Result<Sites, ApiError> {
    let Some(given) = given else { return Ok(Sites::All) };
    let refused = |message: &str| ApiError::new(StatusCode::BAD_REQUEST, message);
    if given.is_empty() {
        return Err(refused("a token is for at least one site; without `sites` it is for all of them"));
    }
    let table = by.app().sites.load();
    let unknown = given.iter().copied().find(|site| table.by_id(SiteId(*site)).is_none());
    match unknown {
        Some(unknown) => Err(refused(&format!("there is no site {unknown}"))),
        None => Ok(Sites::Only(given.into_iter().map(SiteId).collect())),
    }
}

async fn create_and_note(
    app: Arc<App>,
    new: NewToken,
    who: String,
    now: i64,
) -> Result<Result<(String, AdminToken), TokenError>, JoinError> {
    let data = app.data_folder.clone();
    let made = tokio::task::spawn_blocking(move || admin_tokens::create(&data, new, now)).await?;
    if let Ok((_, created)) = &made {
        note(&app, created, &created.created_by(who, now)).await;
    }
    Ok(made)
}

async fn revoke_and_note(
    app: Arc<App>,
    name: String,
    who: String,
    now: i64,
) -> Result<Result<AdminToken, TokenError>, JoinError> {
    let data = app.data_folder.clone();
    let revoked = tokio::task::spawn_blocking(move || admin_tokens::revoke(&data, &name)).await?;
    if let Ok(token) = &revoked {
        note(&app, token, &token.revoked_by(who, now)).await;
    }
    Ok(revoked)
}

/// Writes the line of a change into the audit trail. A change that is made is not undone because the line cannot be written, as for commands.
async fn note(app: &App, token: &AdminToken, entry: &AuditEntry) {
    for site in token.audited_sites() {
        if let Err(error) = app.store.site(site).note_audit(entry).await {
            tracing::error!(%error, subject = entry.subject, "tokens are changed, but there is no line in the audit trail");
        }
    }
}

/// A failure for the administrator. The causes of failures of the host are logged and not returned.
fn failed(by: &Authorised<Installation>, error: &TokenError) -> ApiError {
    let status = match error {
        TokenError::NameInUse(_) => StatusCode::CONFLICT,
        TokenError::Unknown(_) => StatusCode::NOT_FOUND,
        TokenError::Name(_) | TokenError::End(_) | TokenError::Past(_) => StatusCode::BAD_REQUEST,
        TokenError::File { error: cause, .. } => {
            tracing::error!(%error, "the tokens of administrators cannot be read or changed");
            return by.internal_error(cause);
        }
    };
    ApiError::new(status, &error.to_string())
}

/// The routes of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(list, create, revoke))
}
