//! Administrators' calls about the secrets of plugins and of the installation, as `masthead secrets` has them. Names are listed, and values are
//! never returned: a value is set, replaced or removed.

use std::sync::Arc;

use axum::{
    Json,
    body::Body,
    extract::Query,
    http::{HeaderMap, StatusCode},
};
use masthead_content::secrets_file::{self, ListedSecret, MAX_SECRET, SecretError, SecretOwner};
use masthead_domain::SiteId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    administrator::{Administrator, Authorised, Installation},
    envelope::{ApiError, ok},
    types::Envelope,
};
use crate::app::App;
use crate::routing::routes;

/// Query with a site, or without one for the installation.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct OfSecrets {
    /// Id of the site; all sites and the installation without it, which needs the role of a platform administrator.
    site_id: Option<i64>,
}

/// Query with the name of a secret.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct SecretName {
    /// Id of the site; without it, the secret is the installation's.
    site_id: Option<i64>,
    /// Name, as in the grants of the site; of the installation: mail-password.
    #[serde(default)]
    name: String,
}

/// A secret that is granted to a plugin, or set.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecretView {
    /// Id of the site; null for a secret of the installation.
    site_id: Option<i64>,
    /// Short name of the site; null for the installation, and if no site has this id.
    site: Option<String>,
    /// Its name.
    name: String,
    /// The plugins that may use it, and other users within the site.
    plugins: Vec<String>,
    /// `set`, `missing` (granted, and not set) or `unused` (set, and granted to nobody).
    state: &'static str,
}

impl From<ListedSecret> for SecretView {
    fn from(secret: ListedSecret) -> Self {
        let ListedSecret { site_id, site, name, plugins, state } = secret;
        let site_id = (site_id != SecretOwner::of_installation().id).then_some(site_id.0);
        Self { site_id, site, name, plugins, state: state.as_str() }
    }
}

/// What a change did.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecretChanged {
    /// Whether the secret was set before.
    before: bool,
    /// Whether it is set after.
    after: bool,
}

/// Returns the names of the secrets of a site or of all sites, who may use them, and whether they are set; never a value.
#[utoipa::path(get, path = "/rc-pub/admin/secrets", tag = "admin", operation_id = "adminSecrets", params(OfSecrets),
    responses((status = 200, body = Envelope<Vec<SecretView>>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn list(
    by: Administrator,
    Query(query): Query<OfSecrets>,
) -> Result<Json<Envelope<Vec<SecretView>>>, ApiError> {
    let by = by.on_site_or_installation(query.site_id)?;
    let configuration = by.app().configuration().await;
    let mut found = secrets_file::listed(&configuration, &by.app().secrets);
    found.retain(|secret| query.site_id.is_none_or(|site| secret.site_id == SiteId(site)));
    Ok(ok(found.into_iter().map(SecretView::from).collect()))
}

/// Sets a secret, or replaces it; the body is the value, as a JSON string. Plugins use it at their next call.
#[utoipa::path(put, path = "/rc-pub/admin/secret", tag = "admin", operation_id = "saveSecret",
    params(SecretName, ("editor" = Option<String>, Header, description = "Name for the audit trail")),
    request_body(content = String, content_type = "application/json"),
    responses((status = 200, body = Envelope<SecretChanged>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>),
        (status = 413, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn save(
    by: Administrator,
    Query(query): Query<SecretName>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Envelope<SecretChanged>>, ApiError> {
    let by = by.on_installation()?;
    // A value that is read as a string at once would be in the message about another one. Escapes take six bytes for one.
    let value = by.json::<Value>(body, MAX_SECRET * 6 + 2, "the value of a secret").await?;
    let value = value.as_str().filter(|value| (1..=MAX_SECRET).contains(&value.len())).map(str::to_owned);
    let value = value.ok_or_else(|| {
        let message = format!("the body is not the value of a secret: a JSON string of 1 to {MAX_SECRET} bytes");
        ApiError::new(StatusCode::BAD_REQUEST, &message)
    })?;
    change(&by, query, &headers, Some(value)).await
}

/// Removes a secret. Plugins are without it at their next call.
#[utoipa::path(delete, path = "/rc-pub/admin/secret", tag = "admin", operation_id = "removeSecret",
    params(SecretName, ("editor" = Option<String>, Header, description = "Name for the audit trail")),
    responses((status = 200, body = Envelope<SecretChanged>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn remove(
    by: Administrator,
    Query(query): Query<SecretName>,
    headers: HeaderMap,
) -> Result<Json<Envelope<SecretChanged>>, ApiError> {
    let by = by.on_installation()?;
    change(&by, query, &headers, None).await
}

async fn change(
    by: &Authorised<Installation>,
    SecretName { site_id, name }: SecretName,
    headers: &HeaderMap,
    value: Option<String>,
) -> Result<Json<Envelope<SecretChanged>>, ApiError> {
    let app = by.app();
    let table = app.sites.load_full();
    let of_site = |site| table.by_id(SiteId(site)).map(|entry| SecretOwner::of_site(&entry.site));
    let owner = match site_id {
        Some(site) => of_site(site).ok_or_else(|| by.fail(StatusCode::NOT_FOUND, "site_unknown"))?,
        None => SecretOwner::of_installation(),
    };
    let (after, who) = (value.is_some(), by.who(headers));
    // A task of its own: a caller who goes away does not leave the file changed, and the secrets in use as they were.
    let changed = tokio::spawn(write_and_use(Arc::clone(app), owner, name, value, who));
    let changed = changed.await.map_err(|error| by.internal_error(&error))?;
    let before = changed.map_err(|error| match error {
        SecretError::File(_) => by.internal_error(&error),
        SecretError::Unknown { .. } => ApiError::new(StatusCode::NOT_FOUND, &error.to_string()),
        _ => ApiError::new(StatusCode::BAD_REQUEST, &error.to_string()),
    })?;
    Ok(ok(SecretChanged { before, after }))
}

/// Writes the file, lets the plugins use it, and writes the line of the audit trail. Returns whether the secret was set before. A change that
/// is made is not undone because the line cannot be written, as for commands.
async fn write_and_use(
    app: Arc<App>,
    owner: SecretOwner,
    name: String,
    value: Option<String>,
    who: String,
) -> Result<bool, SecretError> {
    let (id, is_set) = (owner.id, value.is_some());
    let (secrets, data, of_file) = (Arc::clone(&app.secrets), app.data_folder.clone(), name.clone());
    let written = tokio::task::spawn_blocking(move || {
        let was_set = match value {
            Some(value) => owner.set(&data, &of_file, &value)?,
            None => owner.remove(&data, &of_file).map(|()| true)?,
        };
        secrets.read(&data).map_err(SecretError::unreadable)?;
        Ok(was_set)
    });
    let was_set = written.await.map_err(SecretError::unreadable)??;
    let entry = secrets_file::audit_entry(who, &name, was_set, is_set);
    if let Err(error) = app.store.site(id).note_audit(&entry).await {
        tracing::error!(%error, subject = entry.subject, "a secret is changed, but has no line in the audit trail");
    }
    Ok(was_set)
}

/// The routes of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(save, remove))
}
