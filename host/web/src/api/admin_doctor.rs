//! The administrators' call that checks configuration and content, as `masthead doctor` does.

use std::sync::Arc;

use axum::{Json, extract::Query, http::StatusCode};
use masthead_config::Diagnostic;
use masthead_domain::SiteId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    administrator::{Administrator, Authorised},
    envelope::{ApiError, ok},
    types::Envelope,
};
use crate::{
    app::App,
    examination::{self, Examination, Report},
    routing::routes,
};

/// Query with a site, or without one for the installation.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct OfDoctor {
    /// Id of the site; all sites without it, which needs the role of a platform administrator.
    site_id: Option<i64>,
}

/// One thing that is wrong.
#[derive(Serialize, ToSchema)]
pub struct DiagnosticView {
    /// `error`: something does not work. `warning`: readers miss something.
    level: &'static str,
    /// The check that found it.
    #[schema(example = "links")]
    check: &'static str,
    /// Short name of the site, or "" for the whole installation.
    site: String,
    /// The file below the folder of sites, `database` for stored content, or "".
    file: String,
    /// Line in the file, from 1.
    line: Option<usize>,
    /// Dotted key, or kind and key of stored content.
    key: String,
    /// What is wrong.
    message: String,
    /// What to do.
    fix: String,
}

/// The result of the checks.
#[derive(Serialize, ToSchema)]
pub struct DoctorView {
    /// Number of sites that were checked.
    sites: usize,
    /// Number of errors.
    errors: usize,
    /// Number of warnings.
    warnings: usize,
    /// What is wrong, ordered by site, file, line and key.
    diagnostics: Vec<DiagnosticView>,
}

/// Checks the configuration and the content of a site, or of all sites, and names the fix of everything that is wrong. It reads all content;
/// one check is made at a time.
#[utoipa::path(get, path = "/rc-pub/admin/doctor", tag = "admin", operation_id = "adminDoctor", params(OfDoctor),
    responses((status = 200, body = Envelope<DoctorView>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn doctor(by: Administrator, Query(query): Query<OfDoctor>) -> Result<Json<Envelope<DoctorView>>, ApiError> {
    let by = by.on_site_or_installation(query.site_id)?;
    let report = report(&by, query.site_id).await?;
    let view = |Diagnostic { level, check, site, file, line, key, message, fix }: Diagnostic| {
        let file = by.below_sites_folder(file);
        DiagnosticView { level: level.name(), check, site, file, line, key, message, fix }
    };
    Ok(ok(DoctorView {
        sites: report.sites,
        errors: report.errors,
        warnings: report.warnings,
        diagnostics: report.diagnostics.into_iter().map(view).collect(),
    }))
}

async fn report(by: &Authorised<()>, site: Option<i64>) -> Result<Report, ApiError> {
    let app = by.app();
    let _one_at_a_time = app.examining.lock().await;
    let configuration = app.configuration().await;
    let table = app.sites.load_full();
    // A site that has left the table since must not become all sites.
    let short_name = |site| table.by_id(SiteId(site)).map(|entry| entry.site.sld.clone());
    let only =
        site.map(|site| short_name(site).ok_or_else(|| by.fail(StatusCode::NOT_FOUND, "site_unknown"))).transpose()?;
    let examination = Examination {
        sites: app.sites_folder.clone(),
        data: app.data_folder.clone(),
        others: examination::of_secrets(&configuration, &app.secrets),
        configuration,
        table,
        modules: app.ui.load().module_slots(),
    };
    let report = examination.report(Some(app.store.clone()), only).await;
    let mut report = report.map_err(|error| by.internal_error(&*error))?;
    if site.is_some() {
        // The installation's own are a platform administrator's.
        report.keep_sites_only();
    }
    Ok(report)
}

/// The route of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(doctor))
}
