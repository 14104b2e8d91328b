//! Administrators' calls about bundles of sites, as `masthead site export` and `masthead site load` have them. Both may take longer than a
//! request: the work goes on when the caller is gone, and one bundle is written and one is loaded at a time.

use std::{fs::File, sync::Arc, time::Duration};

use axum::{
    Json,
    body::Body,
    extract::Query,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use masthead_content::{
    import::{Item, Outcome, job},
    records::FieldChange,
    scratch::{self, Scratch},
    site_bundle::{
        self, ChangedRecord, FieldChanges, FileAction, FileChange, LoadFailure, LoadOptions, LoadReport, LoadState,
        RowsSummary, TableSummary,
    },
};
use masthead_domain::SiteId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    admin_import::{MAX_UPLOAD, REPORT_LINES, store_body},
    administrator::{Administrator, Authorised, Installation},
    envelope::{ApiError, ok},
    types::Envelope,
};
use crate::{
    app::{App, long_work::Work, operator_work::ExportedBundle},
    discovery::stored_file,
    routing::routes,
    sites::SiteEntry,
};

/// Name of a bundle that was sent without one.
const UNNAMED: &str = "bundle.tar.gz";
/// How long a bundle that was written waits for its caller.
const KEPT: Duration = Duration::from_secs(600);
/// Seconds after which a caller asks again for a bundle that is being written.
const AGAIN: &str = "5";

/// Query with a site.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct OfBundle {
    /// Id of the site.
    site_id: i64,
}

/// Returns the bundle of a site: one file with its configuration, content and files, with numbers, tombstones, dates, counts and saved settings,
/// which another installation can load. While the bundle of a large site is being written, the answer is 503 with `Retry-After`; ask again.
#[utoipa::path(get, path = "/rc-pub/admin/bundle", tag = "admin", operation_id = "exportSite", params(OfBundle),
    responses((status = 200, content_type = "application/gzip", body = Vec<u8>),
        (status = 400, body = Envelope<serde_json::Value>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 403, body = Envelope<serde_json::Value>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 409, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>),
        (status = 503, body = Envelope<serde_json::Value>), (status = 507, body = Envelope<serde_json::Value>)))]
pub async fn export(by: Administrator, Query(query): Query<OfBundle>) -> Result<Response, ApiError> {
    let by = by.on_installation()?;
    let entry = by.app().sites.load().by_id(SiteId(query.site_id)).cloned();
    let entry = entry.ok_or_else(|| by.fail(StatusCode::NOT_FOUND, "site_unknown"))?;
    let work = being_written(&by, &entry)?;
    let Some(ended) = work.ended_soon().await.filter(|ended| ended.tell()) else { return Ok(not_written_yet()) };
    let bundle = ended.result.as_ref().map_err(|error| by.operators_error(error))?;
    let Some(file) = bundle.take() else { return Ok(not_written_yet()) };
    let content = stored_file::streamed(tokio::fs::File::from_std(file), bundle.length);
    let file = format!("attachment; filename=\"{}.tar.gz\"", entry.site.sld);
    let headers = [(header::CONTENT_TYPE, "application/gzip".to_owned()), (header::CONTENT_DISPOSITION, file)];
    Ok((headers, content).into_response())
}

/// The writing of a site's bundle: the one for which nobody has come yet, or another one that begins now.
fn being_written(by: &Authorised<Installation>, entry: &Arc<SiteEntry>) -> Result<Work<ExportedBundle>, ApiError> {
    let (app, sld) = (by.app(), entry.site.sld.as_str());
    let exports = &app.operator_work.export;
    let is_waiting =
        |work: &Work<ExportedBundle>| work.what == sld && work.ended().is_none_or(|ended| !ended.is_told());
    if let Some(work) = exports.latest().filter(is_waiting) {
        return Ok(work);
    }
    let (host, of) = (Arc::clone(app), Arc::clone(entry));
    let begun = exports.begin((sld, &by.by().name), move || write(host, of)).ok_or_else(|| {
        ApiError::new(StatusCode::CONFLICT, "the bundle of another site is being written; ask again when it is done")
    })?;
    tokio::spawn(let_go(begun.clone()));
    Ok(begun)
}

/// Writes the bundle of a site to a file without a name, which is gone when it is closed.
async fn write(app: Arc<App>, entry: Arc<SiteEntry>) -> anyhow::Result<ExportedBundle> {
    site_bundle::finish_loading(&app.store, &app.sites_folder).await?;
    let folder = Scratch::new(&scratch::root(&app.data_folder), "export-")?;
    let target = folder.path().join(UNNAMED);
    site_bundle::save(&app.store, &app.data_folder, &app.sites_folder, &entry.site, &target).await?;
    Ok(ExportedBundle::new(File::open(&target)?)?)
}

/// Gives up a bundle for which nobody has come: it takes room on the disk.
async fn let_go(work: Work<ExportedBundle>) {
    let Some(ended) = work.end().await else { return };
    tokio::time::sleep(KEPT).await;
    if ended.tell()
        && let Ok(bundle) = &ended.result
    {
        drop(bundle.take());
    }
}

/// The answer while the bundle is being written. It is no success: a program that takes the body for the bundle has to see it.
fn not_written_yet() -> Response {
    let message = "the bundle is being written; ask again".to_owned();
    let status = StatusCode::SERVICE_UNAVAILABLE;
    let body = Envelope::<()> { status: i32::from(status.as_u16()), data: None, message };
    (status, [(header::RETRY_AFTER, AGAIN)], Json(body)).into_response()
}

/// How a bundle is loaded.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct BundleToLoad {
    /// Name of the file, for the audit trail.
    #[serde(default)]
    name: String,
    /// Loads the bundle. Without it, the differences are returned, and nothing is changed.
    #[serde(default)]
    apply: bool,
    /// With `apply`: the `digest` of the differences that the call without it has returned. It is needed if the installation has content of the
    /// site, which is replaced only if the differences are still those.
    confirm: Option<String>,
    /// Leaves the configuration files of a site that the installation has as they are.
    #[serde(default)]
    keep_configuration: bool,
}

/// Some rows of a table.
#[derive(Serialize, ToSchema)]
pub struct BundleRows {
    /// How many there are.
    count: usize,
    /// Some of them, in words.
    examples: Vec<String>,
}

impl From<&RowsSummary> for BundleRows {
    fn from(rows: &RowsSummary) -> Self {
        Self { count: rows.count, examples: rows.examples.clone() }
    }
}

/// A field or key that differs. In place of a value of more than 80 characters stands a text with the part in which it differs; null stands for
/// none.
#[derive(Serialize, ToSchema)]
pub struct BundleField {
    /// Path of the field.
    key: String,
    /// Its value in the installation.
    before: Value,
    /// Its value in the bundle.
    after: Value,
}

/// The fields that differ.
fn fields_of(changes: &FieldChanges) -> Vec<BundleField> {
    let field = |FieldChange { key, before, after }| BundleField { key, before, after };
    changes.fields.iter().cloned().map(field).collect()
}

/// A record that is replaced.
#[derive(Serialize, ToSchema)]
pub struct BundleRecord {
    /// The record in words, as among the examples of its table.
    name: String,
    /// Some of the fields that differ.
    fields: Vec<BundleField>,
    /// Number of the others.
    more: usize,
}

impl From<&ChangedRecord> for BundleRecord {
    fn from(record: &ChangedRecord) -> Self {
        Self { name: record.name.clone(), fields: fields_of(&record.changes), more: record.changes.more }
    }
}

/// The differences in one table.
#[derive(Serialize, ToSchema)]
pub struct BundleTable {
    /// Name of the table.
    #[schema(example = "articles")]
    table: &'static str,
    /// Rows that only the bundle has.
    new: BundleRows,
    /// Rows in which both differ.
    replaced: BundleRows,
    /// Rows that only the installation has.
    removed: BundleRows,
    /// What differs in the examples of `replaced`, of at most 20 fields in all. It is empty where the rows are no records, and of a bundle that
    /// was loaded.
    changed: Vec<BundleRecord>,
}

impl From<&TableSummary> for BundleTable {
    fn from(table: &TableSummary) -> Self {
        Self {
            table: table.table,
            new: BundleRows::from(&table.new),
            replaced: BundleRows::from(&table.replaced),
            removed: BundleRows::from(&table.removed),
            changed: table.changed.iter().map(BundleRecord::from).collect(),
        }
    }
}

/// A configuration file that differs.
#[derive(Serialize, ToSchema)]
pub struct BundleFile {
    /// Path below the folder of sites.
    path: String,
    /// `new`, `replaced`, or `kept`: the one of the installation stays.
    action: &'static str,
    /// Some of the keys that differ in a TOML file that is replaced. Texts that may be secrets are not shown.
    fields: Vec<BundleField>,
    /// Number of the others.
    more: usize,
}

impl From<&FileChange> for BundleFile {
    fn from(file: &FileChange) -> Self {
        let action = match file.action {
            FileAction::New => "new",
            FileAction::Replaced => "replaced",
            FileAction::Kept => "kept",
        };
        Self { path: file.path.clone(), action, fields: fields_of(&file.changes), more: file.changes.more }
    }
}

/// Something of a bundle that is left out.
#[derive(Serialize, ToSchema)]
pub struct BundleItem {
    /// The file in the bundle.
    path: String,
    /// Why.
    error: String,
}

impl From<&Item> for BundleItem {
    fn from(item: &Item) -> Self {
        Self { path: item.path.clone(), error: item.error.clone().unwrap_or_default() }
    }
}

/// What became of a bundle.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BundleLoaded {
    /// Short name of the site.
    site: String,
    /// `dry-run`: nothing was changed, as asked. `needs-replace`: nothing was changed, because `confirm` is missing or is the digest of other
    /// differences. `loaded`: the site is that of the bundle now. `unchanged`: the site was equal to the bundle already.
    state: &'static str,
    /// Number of articles in the bundle.
    articles: u64,
    /// Number of its resources other than figures and tables.
    resources: u64,
    /// Digest of the differences: the value of `confirm`.
    digest: String,
    /// The tables that differ.
    tables: Vec<BundleTable>,
    /// The configuration files that differ.
    configuration: Vec<BundleFile>,
    /// What is left out, at most 100 items.
    failed: Vec<BundleItem>,
    /// Number of all items that are left out.
    failures: usize,
}

impl From<&LoadReport> for BundleLoaded {
    fn from(report: &LoadReport) -> Self {
        let state = match report.state {
            LoadState::DryRun => "dry-run",
            LoadState::NeedsReplace => "needs-replace",
            LoadState::Loaded => "loaded",
            LoadState::Unchanged => "unchanged",
        };
        Self {
            site: report.site.clone(),
            state,
            articles: report.articles,
            resources: report.resources,
            digest: report.digest.clone(),
            tables: report.tables.iter().map(BundleTable::from).collect(),
            configuration: report.configuration.iter().map(BundleFile::from).collect(),
            failed: report.failed.iter().take(REPORT_LINES).map(BundleItem::from).collect(),
            failures: report.failed.len(),
        }
    }
}

/// Compares a bundle with what the installation has of its site and returns the differences; with `apply`, makes the site that of the bundle.
/// Loading the same bundle again changes nothing. If this takes long, the answer is 202, and `GET /rc-pub/admin/bundle/loaded` has the result.
#[utoipa::path(post, path = "/rc-pub/admin/bundle", tag = "admin", operation_id = "loadSite",
    params(BundleToLoad, ("editor" = Option<String>, Header, description = "Name for the audit trail")),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = Envelope<BundleLoaded>), (status = 202, body = Envelope<BundleLoaded>),
        (status = 400, body = Envelope<serde_json::Value>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 403, body = Envelope<serde_json::Value>), (status = 409, body = Envelope<BundleLoaded>),
        (status = 413, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>),
        (status = 507, body = Envelope<serde_json::Value>)))]
pub async fn load(
    by: Administrator,
    Query(query): Query<BundleToLoad>,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<Envelope<BundleLoaded>>), ApiError> {
    let by = by.on_installation()?;
    let loads = &by.app().operator_work.load;
    let busy = || ApiError::new(StatusCode::CONFLICT, "another bundle is being loaded; send this one when it is done");
    // Before gigabytes are sent.
    if loads.is_busy() {
        return Err(busy());
    }
    let root = scratch::root(&by.app().data_folder);
    let made = tokio::task::spawn_blocking(move || Scratch::new(&root, "sent-")).await;
    let folder = made.map_err(std::io::Error::from).flatten().map_err(|error| by.internal_error(&error))?;
    let name = if query.name.is_empty() { UNNAMED.to_owned() } else { job::file_name(&query.name) };
    match store_body(body, folder.path(), &name, MAX_UPLOAD).await {
        Ok(Some(_)) => {}
        Ok(None) => return Err(by.fail(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large")),
        Err(error) => return Err(by.internal_error(&error)),
    }
    let (app, who) = (Arc::clone(by.app()), by.who(&headers));
    let sent = SentBundle { folder, name: name.clone(), query, who: who.clone() };
    let work = loads.begin((&name, &who), move || read(app, sent)).ok_or_else(busy)?;
    answer(&by, &work).await
}

/// Returns what became of the bundle that was sent last, or 202 while it is being compared or loaded.
#[utoipa::path(get, path = "/rc-pub/admin/bundle/loaded", tag = "admin", operation_id = "loadedSite",
    responses((status = 200, body = Envelope<BundleLoaded>), (status = 202, body = Envelope<BundleLoaded>),
        (status = 400, body = Envelope<serde_json::Value>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 403, body = Envelope<serde_json::Value>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 409, body = Envelope<BundleLoaded>), (status = 429, body = Envelope<serde_json::Value>),
        (status = 507, body = Envelope<serde_json::Value>)))]
pub async fn loaded(by: Administrator) -> Result<(StatusCode, Json<Envelope<BundleLoaded>>), ApiError> {
    let by = by.on_installation()?;
    let work = by.app().operator_work.load.latest();
    answer(&by, &work.ok_or_else(|| by.fail(StatusCode::NOT_FOUND, "no_data"))?).await
}

/// A bundle that was sent.
struct SentBundle {
    folder: Scratch,
    /// Name of the file in the folder.
    name: String,
    query: BundleToLoad,
    who: String,
}

/// Why a bundle is refused.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct BundleRefused(String);

/// Loads a bundle, or compares it. What the host has in memory of the site is read again, for which it would wait otherwise.
async fn read(app: Arc<App>, sent: SentBundle) -> anyhow::Result<LoadReport> {
    let SentBundle { folder, name, query, who } = &sent;
    let mut failed = Vec::new();
    let mut on_item = |item: Item| {
        if item.outcome == Outcome::Failed {
            failed.push(item);
        }
    };
    let options = LoadOptions {
        replace: false,
        confirmed: query.confirm.as_deref(),
        keep_configuration: query.keep_configuration,
        dry_run: !query.apply,
        who,
    };
    let (data, sites, bundle) = (&app.data_folder, &app.sites_folder, folder.path().join(name));
    let loaded = site_bundle::load_sent(&app.store, data, sites, &bundle, options, &mut on_item).await;
    let loaded = loaded.map_err(|failure| match failure {
        // The caller knows the bundle by its name.
        LoadFailure::Refused(error) => {
            let prefix = format!("{}/", folder.path().display());
            anyhow::Error::from(BundleRefused(format!("{error:#}").replace(&prefix, "")))
        }
        LoadFailure::Host(error) => error,
    })?;
    let report = LoadReport::of(loaded, failed);
    if report.state == LoadState::Loaded {
        if report.configuration.iter().any(|file| file.action != FileAction::Kept) {
            app.reload().await;
        }
        if let Some(entry) = app.sites.load().by_sld(&report.site) {
            app.institutions.forget(entry.site.id);
        }
    }
    Ok(report)
}

async fn answer(
    by: &Authorised<Installation>,
    work: &Work<LoadReport>,
) -> Result<(StatusCode, Json<Envelope<BundleLoaded>>), ApiError> {
    let Some(ended) = work.ended_soon().await else {
        let message =
            "the bundle is being compared or loaded; GET /rc-pub/admin/bundle/loaded has the result".to_owned();
        return Ok((StatusCode::ACCEPTED, Json(Envelope { status: 0, data: None, message })));
    };
    let report = ended.result.as_ref().map_err(|error| match error.downcast_ref::<BundleRefused>() {
        Some(BundleRefused(message)) => ApiError::new(StatusCode::BAD_REQUEST, message),
        None => by.operators_error(error),
    })?;
    if report.state != LoadState::NeedsReplace {
        return Ok((StatusCode::OK, ok(BundleLoaded::from(report))));
    }
    let message = format!(
        "this installation has the site {}, and nothing is changed. To make it the site of the bundle, send it again with apply=true and \
         confirm={}, which replaces it only if the differences are still these",
        report.site, report.digest
    );
    let status = StatusCode::CONFLICT;
    let data = Some(BundleLoaded::from(report));
    Ok((status, Json(Envelope { status: i32::from(status.as_u16()), data, message })))
}

/// The routes of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(export, load)).routes(routes!(loaded))
}
