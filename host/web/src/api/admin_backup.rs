//! Administrators' calls about backups, as `masthead backup` makes, lists and verifies them: in the one folder that the operator names at the
//! start of the host, never in one that a request names. Old backups are removed, and restored, by command only.

use std::{path::PathBuf, sync::Arc};

use anyhow::Context as _;
use axum::{
    Json,
    extract::Query,
    http::{HeaderMap, StatusCode},
};
use masthead_content::{
    backup::{self, BackupFolder, BackupSummary, Checked, Manifest, Options, Source},
    host_services::INSTALLATION,
    import::outage_of,
};
use masthead_store::AuditEntry;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    administrator::{Administrator, Authorised, Installation},
    envelope::{ApiError, ok},
    types::Envelope,
};
use crate::app::{App, long_work::Work, operator_work::BackupDone};
use crate::routing::routes;

/// How far a backup lets readers go first, as `masthead backup` does.
const NICE: u8 = 10;
const SAVE: &str = "backup";
const VERIFY: &str = "verify";
const NO_FOLDER: &str = "this host has no folder for backups: the operator names one with `masthead serve --backups DIR` or MASTHEAD_BACKUPS";

/// How a backup is written.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct NewBackup {
    /// Includes the installation's key, the digests of the administrators' tokens, and secrets.toml.
    #[serde(default)]
    secrets: bool,
    /// Reads every row, and compares every chunk and file that is stored already with its digest.
    #[serde(default)]
    full: bool,
}

/// Which backups are verified.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct BackupToVerify {
    /// Name of a backup; all are verified without it.
    name: Option<String>,
}

/// What a backup has.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BackupContents {
    /// The version of Masthead that wrote it.
    masthead: String,
    /// The database program.
    engine: String,
    /// Number of articles.
    articles: u64,
    /// Number of rows of all tables.
    rows: u64,
    /// Number of the latest change that is in it.
    position: i64,
    /// Whether it has the installation's key and the secrets.
    secrets: bool,
    /// Number of files that the database names and the backup does not have.
    missing_files: usize,
    /// Bytes that were written for it and not for an earlier one.
    written_bytes: u64,
}

impl From<BackupSummary> for BackupContents {
    fn from(backup: BackupSummary) -> Self {
        let BackupSummary { masthead, engine, articles, rows, position, secrets, missing_files, added, .. } = backup;
        let written_bytes = added.chunk_bytes + added.file_bytes;
        Self { masthead, engine, articles, rows, position, secrets, missing_files, written_bytes }
    }
}

/// A backup in the folder.
#[derive(Serialize, ToSchema)]
pub struct BackupView {
    /// Its name: when it was begun, in UTC.
    #[schema(example = "2026-03-01T03-15-00Z")]
    name: String,
    /// Why it cannot be used; null if its manifest is complete.
    damaged: Option<String>,
    /// What it has; null if it cannot be used.
    contents: Option<BackupContents>,
}

/// A backup by its name, and its manifest if that can be read.
type Listed = (String, anyhow::Result<Manifest>);

impl From<Listed> for BackupView {
    fn from((name, read): Listed) -> Self {
        match read {
            Ok(manifest) => {
                let contents = Some(BackupContents::from(BackupSummary::from(&manifest)));
                Self { name, damaged: None, contents }
            }
            Err(error) => Self { name, damaged: Some(format!("{error:#}")), contents: None },
        }
    }
}

/// A backup whose bytes were compared with their digests.
#[derive(Serialize, ToSchema)]
pub struct VerifiedBackup {
    /// Its name.
    name: String,
    /// Chunks and lists that it has and none of the backups before it.
    chunks: usize,
    /// Files that it has and none of the backups before it.
    files: usize,
    /// The faults, a sentence each, at most 100; a backup without faults can be restored.
    problems: Vec<String>,
}

impl From<&Checked> for VerifiedBackup {
    fn from(checked: &Checked) -> Self {
        let Checked { name, chunks, files, problems } = checked.clone();
        Self { name, chunks, files, problems }
    }
}

/// What is done with the folder, or was done last.
#[derive(Serialize, ToSchema)]
pub struct BackupWorkView {
    /// `backup` or `verify`.
    what: String,
    /// Who began it.
    who: String,
    /// When it was begun, ISO 8601 in UTC.
    began: String,
    /// When it ended; null while it is being done.
    ended: Option<String>,
    /// Why it was not done; null otherwise.
    error: Option<String>,
    /// Name of the backup that was written.
    backup: Option<String>,
    /// Files that it lacks although it should have them, a sentence each.
    problems: Vec<String>,
    /// The backups that were verified.
    verified: Vec<VerifiedBackup>,
}

impl BackupWorkView {
    fn of(work: &Work<BackupDone>) -> Self {
        let ended = work.ended();
        let done = ended.as_ref().and_then(|ended| ended.result.as_ref().ok());
        Self {
            what: work.what.clone(),
            who: work.who.clone(),
            began: work.began_at(),
            ended: work.ended_at(),
            error: work.failure(),
            backup: done.and_then(|done| done.backup.as_ref()).map(|backup| backup.name.clone()),
            problems: done.map(|done| done.problems.clone()).unwrap_or_default(),
            verified: done.into_iter().flat_map(|done| &done.verified).map(VerifiedBackup::from).collect(),
        }
    }
}

/// The backups of the folder.
#[derive(Serialize, ToSchema)]
pub struct BackupsView {
    /// The backups in the order in which they were written, then those that cannot be used.
    backups: Vec<BackupView>,
    /// What is being done with the folder by a call, or was done last since the start of the host; null if nothing was.
    work: Option<BackupWorkView>,
}

/// Lists the backups in the folder that the operator has named, and what is being done with it.
#[utoipa::path(get, path = "/rc-pub/admin/backups", tag = "admin", operation_id = "adminBackups",
    responses((status = 200, body = Envelope<BackupsView>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 403, body = Envelope<serde_json::Value>), (status = 409, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn list(by: Administrator) -> Result<Json<Envelope<BackupsView>>, ApiError> {
    let by = by.on_installation()?;
    let backups = listed(&by, folder(&by)?).await?;
    let work = by.app().operator_work.backup.latest();
    Ok(ok(BackupsView {
        backups: backups.into_iter().map(BackupView::from).collect(),
        work: work.as_ref().map(BackupWorkView::of),
    }))
}

/// Writes a backup of the whole installation into the folder that the operator has named. If this takes long, the answer is 202, and the list
/// of backups says what came out.
#[utoipa::path(post, path = "/rc-pub/admin/backups", tag = "admin", operation_id = "createBackup",
    params(NewBackup, ("editor" = Option<String>, Header, description = "Name for the audit trail")),
    responses((status = 200, body = Envelope<BackupWorkView>), (status = 202, body = Envelope<BackupWorkView>),
        (status = 400, body = Envelope<serde_json::Value>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 403, body = Envelope<serde_json::Value>), (status = 409, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>), (status = 507, body = Envelope<serde_json::Value>)))]
pub async fn create(
    by: Administrator,
    Query(query): Query<NewBackup>,
    headers: HeaderMap,
) -> Result<(StatusCode, Json<Envelope<BackupWorkView>>), ApiError> {
    let by = by.on_installation()?;
    let (root, app, who) = (folder(&by)?, Arc::clone(by.app()), by.who(&headers));
    let noted = who.clone();
    let begun = by.app().operator_work.backup.begin((SAVE, &who), move || save(app, root, query, noted));
    answer(&by, &begun.ok_or_else(busy)?).await
}

/// Compares every byte of the backups with its digest. If this takes long, the answer is 202, and the list of backups says what came out.
#[utoipa::path(post, path = "/rc-pub/admin/backups/verify", tag = "admin", operation_id = "verifyBackups", params(BackupToVerify),
    responses((status = 200, body = Envelope<BackupWorkView>), (status = 202, body = Envelope<BackupWorkView>),
        (status = 400, body = Envelope<serde_json::Value>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 403, body = Envelope<serde_json::Value>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 409, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn verify(
    by: Administrator,
    Query(query): Query<BackupToVerify>,
    headers: HeaderMap,
) -> Result<(StatusCode, Json<Envelope<BackupWorkView>>), ApiError> {
    let by = by.on_installation()?;
    let root = folder(&by)?;
    let known = listed(&by, root.clone()).await?;
    let missing = match &query.name {
        Some(name) => !known.iter().any(|(known, _)| known == name),
        None => known.is_empty(),
    };
    if missing {
        return Err(ApiError::new(
            StatusCode::NOT_FOUND,
            "there is no such backup; GET /rc-pub/admin/backups has the names",
        ));
    }
    let who = by.who(&headers);
    let begun = by.app().operator_work.backup.begin((VERIFY, &who), move || check(root, query.name));
    answer(&by, &begun.ok_or_else(busy)?).await
}

/// The folder that the operator has named.
fn folder(by: &Authorised<Installation>) -> Result<PathBuf, ApiError> {
    by.app().operator_work.backup_folder().ok_or_else(|| ApiError::new(StatusCode::CONFLICT, NO_FOLDER))
}

fn busy() -> ApiError {
    ApiError::new(StatusCode::CONFLICT, "a backup is being written or verified; ask again when it is done")
}

async fn listed(by: &Authorised<Installation>, root: PathBuf) -> Result<Vec<Listed>, ApiError> {
    let read = tokio::task::spawn_blocking(move || BackupFolder::listed(&root)).await;
    read.map_err(anyhow::Error::from).flatten().map_err(|error| by.operators_error(&error))
}

/// Why the folder cannot be used, as it is now.
#[derive(Debug, thiserror::Error)]
#[error("the folder for backups that `masthead serve --backups` names cannot be used: {0}")]
struct FolderUnusable(String);

fn unusable(error: anyhow::Error) -> anyhow::Error {
    if outage_of(&*error).is_some() { error } else { FolderUnusable(format!("{error:#}")).into() }
}

/// Writes a backup, and the line of the audit trail. A backup that is made is not undone because the line cannot be written.
async fn save(app: Arc<App>, root: PathBuf, how: NewBackup, who: String) -> anyhow::Result<BackupDone> {
    backup::give_way(NICE);
    let (data, sites) = (app.data_folder.as_path(), app.sites_folder.as_path());
    let mut folder = BackupFolder::open_to_write(&root, &[data, sites]).map_err(unusable)?;
    let options = Options { name: backup::new_name(), secrets: how.secrets, full: how.full };
    let source = Source { store: &app.store, data, sites };
    let saved = backup::save_unadvised(&source, &mut folder, &options).await;
    let saved = saved.context("no backup was made, and those before it are as they were")?;
    let backup = BackupSummary::from(&saved.manifest);
    let entry = AuditEntry {
        who,
        action: "made".to_owned(),
        subject: format!("backup/{}", backup.name),
        after: json!({ "articles": backup.articles, "rows": backup.rows, "secrets": backup.secrets }),
        ..AuditEntry::default()
    };
    if let Err(error) = app.store.site(INSTALLATION).note_audit(&entry).await {
        tracing::error!(%error, subject = entry.subject, "a backup is made, but has no line in the audit trail");
    }
    Ok(BackupDone { backup: Some(backup), problems: saved.problems, ..BackupDone::default() })
}

async fn check(root: PathBuf, name: Option<String>) -> anyhow::Result<BackupDone> {
    backup::give_way(NICE);
    let folder = BackupFolder::open_to_read(&root).map_err(unusable)?;
    Ok(BackupDone { verified: backup::verify(&folder, name.as_deref())?, ..BackupDone::default() })
}

async fn answer(
    by: &Authorised<Installation>,
    work: &Work<BackupDone>,
) -> Result<(StatusCode, Json<Envelope<BackupWorkView>>), ApiError> {
    let Some(ended) = work.ended_soon().await else {
        return Ok((StatusCode::ACCEPTED, ok(BackupWorkView::of(work))));
    };
    match &ended.result {
        Ok(_) => Ok((StatusCode::OK, ok(BackupWorkView::of(work)))),
        Err(error) if error.is::<FolderUnusable>() => Err(ApiError::new(StatusCode::CONFLICT, &error.to_string())),
        Err(error) => Err(by.operators_error(error)),
    }
}

/// The routes of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(list, create)).routes(routes!(verify))
}
