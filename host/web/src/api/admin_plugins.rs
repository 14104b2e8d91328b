//! The administrators' call about the plugins of a site: which versions the running host uses, and what keeps plugins, newer versions or canaries from
//! being used.

use std::sync::Arc;

use axum::{Json, extract::Query, http::StatusCode};
use masthead_runtime::PluginStatus;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::api::{
    administrator::Administrator,
    envelope::{ApiError, ok},
    types::Envelope,
};
use crate::app::App;

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

/// The route of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(list))
}
