//! Administrators' calls about the settings of a site, as `masthead config` has them. Reading them is a site administrator's; saving them can
//! grant a plugin what it may do on the host, and is a platform administrator's.

use std::sync::Arc;

use axum::{
    Json,
    body::Body,
    extract::Query,
    http::{HeaderMap, StatusCode},
};
use masthead_config::{Explanation, explain};
use masthead_content::{
    plugin_entries::{self, PLUGINS},
    saved_settings::{self, Changed, SettingChange, SettingError},
};
use masthead_domain::SiteId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    administrator::{Administrator, Authorised, Installation, OnSite},
    envelope::{ApiError, ok, storable},
    types::Envelope,
};
use crate::app::App;
use crate::routing::routes;

/// Greatest size of a value, in bytes: a whole menu.
const MAX_VALUE: usize = 1 << 20;
/// Greatest length of a dotted key, in bytes.
const MAX_KEY: usize = 500;

/// Query of the settings of a site.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct OfSettings {
    /// Id of the site.
    site_id: i64,
    /// Dotted key, such as `header.navStyle`, or of a table; all settings without it.
    #[serde(default)]
    key: String,
}

/// Query with the key of a setting.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct SettingKey {
    /// Id of the site.
    site_id: i64,
    /// Dotted key.
    #[serde(default)]
    key: String,
    /// Checks a change and stores nothing.
    #[serde(default)]
    dry_run: bool,
}

/// A value of a configuration layer.
#[derive(Serialize, ToSchema)]
pub struct LayerValue {
    /// The layer: `platform`, `group` with its name, `site`, `saved`, or `default` if no layer sets the key.
    layer: String,
    /// The file below the folder of sites, or "".
    file: String,
    /// The value.
    value: Value,
}

/// A setting with its origin.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingView {
    /// Dotted key.
    key: String,
    /// The value in use, with the layer that sets it.
    from: LayerValue,
    /// The value where no layer sets the key; null for keys that have to be set.
    default: Option<Value>,
    /// The values of lower layers, the lowest first.
    overridden: Vec<LayerValue>,
    /// The layer that locks the key.
    locked_by: Option<String>,
    /// Messages about values that are ignored because of the lock.
    ignored: Vec<String>,
}

impl SettingView {
    fn of(explanation: Explanation, by: &OnSite) -> Self {
        let file = |path: String| by.below_sites_folder(path);
        let Explanation { key, value, from: (layer, path), default, overridden, locked_by, ignored, .. } = explanation;
        let lower = overridden.into_iter().map(|(layer, path, value)| LayerValue { layer, file: file(path), value });
        Self {
            overridden: lower.collect(),
            from: LayerValue { layer, file: file(path), value },
            key,
            default,
            locked_by,
            ignored,
        }
    }
}

/// What a change did, or would do.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingChanged {
    /// The saved value before; null if there was none.
    before: Option<Value>,
    /// The saved value after; null if there is none.
    after: Option<Value>,
    /// Whether nothing was stored.
    dry_run: bool,
}

/// Returns the settings of a site with the layers that set them.
#[utoipa::path(get, path = "/rc-pub/admin/settings", tag = "admin", operation_id = "adminSettings", params(OfSettings),
    responses((status = 200, body = Envelope<Vec<SettingView>>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn list(
    by: Administrator,
    Query(query): Query<OfSettings>,
) -> Result<Json<Envelope<Vec<SettingView>>>, ApiError> {
    let by = by.on_site(query.site_id)?;
    let configuration = by.app().configuration().await;
    let entry = by.app().sites.load().by_id(by.site()).cloned();
    let layers = entry.and_then(|entry| configuration.layers.get(&entry.site.sld).cloned());
    let layers = layers.ok_or_else(|| by.fail(StatusCode::NOT_FOUND, "site_unknown"))?;
    let found = explain(&layers, &query.key);
    if found.is_empty() {
        return Err(by.fail(StatusCode::NOT_FOUND, "no_data"));
    }
    Ok(ok(found.into_iter().map(|explanation| SettingView::of(explanation, &by)).collect()))
}

/// Saves a value that overrides the configuration files; the body is the value. The sites are served with it a moment later. Of the list `plugins`,
/// the entries that are not in use are checked as `PUT /rc-pub/admin/plugin` checks them.
#[utoipa::path(put, path = "/rc-pub/admin/setting", tag = "admin", operation_id = "saveSetting",
    params(SettingKey, ("editor" = Option<String>, Header, description = "Name for the audit trail")),
    request_body(content = serde_json::Value, content_type = "application/json"),
    responses((status = 200, body = Envelope<SettingChanged>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>),
        (status = 413, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn save(
    by: Administrator,
    Query(query): Query<SettingKey>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Envelope<SettingChanged>>, ApiError> {
    let by = by.on_installation()?;
    let value: Value = by.json(body, MAX_VALUE, "the value of a setting").await?;
    change(&by, &query, &headers, Some(value)).await
}

/// Deletes a saved value, so that the configuration files apply again.
#[utoipa::path(delete, path = "/rc-pub/admin/setting", tag = "admin", operation_id = "removeSetting",
    params(SettingKey, ("editor" = Option<String>, Header, description = "Name for the audit trail")),
    responses((status = 200, body = Envelope<SettingChanged>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn remove(
    by: Administrator,
    Query(query): Query<SettingKey>,
    headers: HeaderMap,
) -> Result<Json<Envelope<SettingChanged>>, ApiError> {
    let by = by.on_installation()?;
    change(&by, &query, &headers, None).await
}

async fn change(
    by: &Authorised<Installation>,
    query: &SettingKey,
    headers: &HeaderMap,
    value: Option<Value>,
) -> Result<Json<Envelope<SettingChanged>>, ApiError> {
    let entry = by.app().sites.load().by_id(SiteId(query.site_id)).cloned();
    let entry = entry.ok_or_else(|| by.fail(StatusCode::NOT_FOUND, "site_unknown"))?;
    let key = query.key.as_str();
    let stored = value.as_ref().map_or(String::new(), Value::to_string);
    if key.is_empty() || key.len() > MAX_KEY || storable(key).is_none() || stored.contains("\\u0000") {
        return Err(by.fail(StatusCode::BAD_REQUEST, "bad_request"));
    }
    if let Some(list) = value.as_ref().filter(|_| key == PLUGINS) {
        let table = by.app().sites.load_full();
        let faults = plugin_entries::list_faults(table.catalog(), &entry.site.plugins, list);
        if !faults.is_empty() {
            return Err(ApiError::new(StatusCode::BAD_REQUEST, &format!("{key} is not saved: {}", faults.join("; "))));
        }
    }
    let who = by.who(headers);
    let wanted = SettingChange { key, value, who: &who, dry_run: query.dry_run };
    let changed = saved_settings::change(&by.app().store, &by.app().sites_folder, &entry.site, wanted).await;
    let Changed { before, after } = changed.map_err(|error| match error {
        SettingError::Refused { .. } => ApiError::new(StatusCode::BAD_REQUEST, &error.to_string()),
        _ => by.internal_error(&error),
    })?;
    Ok(ok(SettingChanged { before, after, dry_run: query.dry_run }))
}

/// The routes of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(save, remove))
}
