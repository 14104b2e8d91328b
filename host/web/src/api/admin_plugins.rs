//! Administrators' calls about the plugins of a site: which versions the running host uses, and what keeps plugins, newer versions or canaries
//! from being used; enabling one, changing its settings, disabling it, with the refusals of `masthead plugin enable` and `settings`. A change is
//! a saved setting, the whole list `plugins`; `PUT /rc-pub/admin/setting` saves the same, and `DELETE` goes back to the configuration files.

use std::sync::Arc;

use axum::{
    Json,
    body::Body,
    extract::Query,
    http::{HeaderMap, StatusCode},
};
use masthead_content::{
    plugin_entries::{self, EntryChange, EntryChanged, EntryError, NewEntry, PluginChange},
    saved_settings::SettingError,
};
use masthead_domain::SiteId;
use masthead_runtime::PluginStatus;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    administrator::{Administrator, Authorised, Installation},
    envelope::{ApiError, ok},
    types::Envelope,
};
use crate::app::App;
use crate::routing::routes;

/// Query with a site.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct OfPlugins {
    /// Id of the site.
    site_id: i64,
}

/// A plugin in use.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PluginInUse {
    /// Its id.
    plugin: String,
    /// Its version.
    version: String,
    /// `sha256:...` of its component.
    digest: String,
    /// The hooks that are called.
    hooks: Vec<&'static str>,
    /// What readers may do while it fails: `allow` what they may do without it, or `deny`; null if it does not decide on access.
    on_failure: Option<&'static str>,
    /// Seconds for which it is not called because it failed (0: the next call is a trial); null if it is called.
    quarantined_for_seconds: Option<u64>,
}

impl From<PluginStatus> for PluginInUse {
    fn from(status: PluginStatus) -> Self {
        let PluginStatus { id, version, digest, hooks, on_failure, open_for } = status;
        let (on_failure, quarantined_for_seconds) =
            (on_failure.map(|rule| rule.as_str()), open_for.map(|left| left.as_secs()));
        Self { plugin: id, version, digest, hooks, on_failure, quarantined_for_seconds }
    }
}

/// The plugins of a site.
#[derive(Serialize, ToSchema)]
pub struct PluginsInUse {
    /// Those in use, in the order in which they are called; the canary of a plugin follows it, with the same id.
    plugins: Vec<PluginInUse>,
    /// What keeps plugins that the site lists, newer versions or canaries from being used.
    problems: Vec<String>,
}

/// Returns the plugins that the host uses for a site, and what keeps others from being used.
#[utoipa::path(get, path = "/rc-pub/admin/plugins", tag = "admin", operation_id = "adminPlugins", params(OfPlugins),
    responses((status = 200, body = Envelope<PluginsInUse>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn list(by: Administrator, Query(query): Query<OfPlugins>) -> Result<Json<Envelope<PluginsInUse>>, ApiError> {
    let by = by.on_site(query.site_id)?;
    let entry = by.app().sites.load().by_id(by.site()).cloned();
    let entry = entry.ok_or_else(|| by.fail(StatusCode::NOT_FOUND, "site_unknown"))?;
    Ok(ok(PluginsInUse {
        plugins: entry.chain.status().into_iter().map(PluginInUse::from).collect(),
        problems: entry.chain.problems().iter().map(ToString::to_string).collect(),
    }))
}

/// Greatest size of a body, in bytes.
const MAX_BODY: usize = 1 << 20;

/// Query with a plugin of a site.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct PluginOfSite {
    /// Id of the site.
    site_id: i64,
    /// Id of the plugin.
    #[serde(default)]
    plugin: String,
    /// Checks a change and stores nothing.
    #[serde(default)]
    dry_run: bool,
}

/// A plugin that is to be enabled.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PluginToEnable {
    /// Version requirement (`0.1`) or digest; any version without it.
    version: Option<String>,
    /// Settings; checked against the plugin's schema.
    #[serde(default)]
    #[schema(value_type = Object)]
    settings: Map<String, Value>,
    /// What the site gives the plugin, as in its configuration file: `{ "kv": true, "http": ["api.example.org"] }`.
    #[serde(default)]
    #[schema(value_type = Object)]
    grants: Map<String, Value>,
}

/// A change of the settings of a plugin.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PluginSettings {
    /// New values by their paths (`label`, `title.en`, `links.0.address`, `links.+`); null takes one away, so that its default applies again.
    #[schema(value_type = Object)]
    settings: Map<String, Value>,
}

/// What a change did, or would do.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PluginChanged {
    /// The entry of the plugin before; null if it was not enabled.
    before: Value,
    /// The entry after; null if it is not enabled.
    after: Value,
    /// Whether nothing was stored.
    dry_run: bool,
}

/// Enables a plugin on a site. What the host would not accept is refused: unknown plugins and versions, settings that are not those of the schema,
/// grants that the plugin does not ask for. The site is served with it a moment later.
#[utoipa::path(put, path = "/rc-pub/admin/plugin", tag = "admin", operation_id = "enablePlugin",
    params(PluginOfSite, ("editor" = Option<String>, Header, description = "Name for the audit trail")),
    request_body(content = PluginToEnable, content_type = "application/json"),
    responses((status = 200, body = Envelope<PluginChanged>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 409, body = Envelope<serde_json::Value>),
        (status = 413, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn enable(
    by: Administrator,
    Query(query): Query<PluginOfSite>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Envelope<PluginChanged>>, ApiError> {
    let by = by.on_installation()?;
    let new: PluginToEnable = by.json(body, MAX_BODY, "the entry of a plugin").await?;
    let PluginToEnable { version, settings, grants } = new;
    make(&by, &query, &headers, PluginChange::Enable(NewEntry { version, settings, grants })).await
}

/// Changes settings of a plugin on a site. The site is served with them a moment later.
#[utoipa::path(patch, path = "/rc-pub/admin/plugin", tag = "admin", operation_id = "changePluginSettings",
    params(PluginOfSite, ("editor" = Option<String>, Header, description = "Name for the audit trail")),
    request_body(content = PluginSettings, content_type = "application/json"),
    responses((status = 200, body = Envelope<PluginChanged>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>),
        (status = 413, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn change_settings(
    by: Administrator,
    Query(query): Query<PluginOfSite>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Envelope<PluginChanged>>, ApiError> {
    let by = by.on_installation()?;
    let PluginSettings { settings } = by.json(body, MAX_BODY, "settings of a plugin").await?;
    make(&by, &query, &headers, PluginChange::Settings(settings)).await
}

/// Disables a plugin on a site: its entry is removed, with settings and grants.
#[utoipa::path(delete, path = "/rc-pub/admin/plugin", tag = "admin", operation_id = "disablePlugin",
    params(PluginOfSite, ("editor" = Option<String>, Header, description = "Name for the audit trail")),
    responses((status = 200, body = Envelope<PluginChanged>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn disable(
    by: Administrator,
    Query(query): Query<PluginOfSite>,
    headers: HeaderMap,
) -> Result<Json<Envelope<PluginChanged>>, ApiError> {
    let by = by.on_installation()?;
    make(&by, &query, &headers, PluginChange::Disable).await
}

async fn make(
    by: &Authorised<Installation>,
    query: &PluginOfSite,
    headers: &HeaderMap,
    change: PluginChange,
) -> Result<Json<Envelope<PluginChanged>>, ApiError> {
    let app = by.app();
    // The plugins that the host has loaded are those that it can use.
    let table = app.sites.load_full();
    let entry = table.by_id(SiteId(query.site_id)).ok_or_else(|| by.fail(StatusCode::NOT_FOUND, "site_unknown"))?;
    if !is_storable(&change) {
        return Err(by.fail(StatusCode::BAD_REQUEST, "bad_request"));
    }
    let (who, dry_run) = (by.who(headers), query.dry_run);
    let wanted = EntryChange { plugin: &query.plugin, change, who: &who, dry_run };
    let place = (app.sites_folder.as_path(), &*entry.site);
    let changed = plugin_entries::change(&app.store, place, table.catalog(), wanted).await;
    let EntryChanged { before, after } = changed.map_err(|error| failed(by, &error))?;
    Ok(ok(PluginChanged { before, after, dry_run }))
}

/// Whether PostgreSQL stores the texts of a change: it rejects the character U+0000.
fn is_storable(change: &PluginChange) -> bool {
    let plain = |map: &Map<String, Value>| map.iter().all(|(key, value)| !json_has_nul(key, value));
    match change {
        PluginChange::Enable(NewEntry { version, settings, grants }) => {
            version.as_ref().is_none_or(|version| !version.contains('\0')) && plain(settings) && plain(grants)
        }
        PluginChange::Settings(settings) => plain(settings),
        PluginChange::Disable => true,
    }
}

fn json_has_nul(key: &str, value: &Value) -> bool {
    key.contains('\0') || value.to_string().contains("\\u0000")
}

/// A failure for the administrator. The causes of failures of the host are logged and not returned.
fn failed(by: &Authorised<Installation>, error: &EntryError) -> ApiError {
    let status = match error {
        EntryError::Unusable(_) | EntryError::Faults(_) => StatusCode::BAD_REQUEST,
        EntryError::Enabled { .. } => StatusCode::CONFLICT,
        EntryError::NotEnabled { .. } => StatusCode::NOT_FOUND,
        EntryError::Setting(SettingError::Refused { .. }) => StatusCode::BAD_REQUEST,
        EntryError::Setting(error) => return by.internal_error(error),
    };
    ApiError::new(status, &error.to_string())
}

/// The routes of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(enable, change_settings, disable))
}
