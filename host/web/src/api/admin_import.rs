//! Administrators' calls about imports: a file or package is uploaded, imported in the background, and reported on. Other uploads of
//! administrators are stored here too.

use std::{path::Path, sync::Arc};

use axum::{
    Json,
    body::Body,
    extract::{Path as Segment, Query},
    http::{HeaderMap, StatusCode},
};
use futures::StreamExt as _;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    administrator::Administrator,
    envelope::{ApiError, ok},
    types::Envelope,
};
use crate::{
    app::App,
    routing::routes,
    schema::{self, FromDomain},
};
use masthead_content::import::{
    Format, OldAddress,
    job::{self, Job},
};

/// Greatest size of an upload, in bytes.
pub(super) const MAX_UPLOAD: u64 = 4 << 30;
/// Greatest number of report lines in one response.
pub(super) const REPORT_LINES: usize = 100;

/// Parameters of an upload.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct Upload {
    /// Id of the site.
    site_id: i64,
    /// Name of the file; the extension determines the type of a package.
    name: String,
    /// Format of the file.
    #[serde(default)]
    #[param(value_type = schema::Format)]
    format: Format,
    /// Address that the journal had in OJS (`https://HOST/index.php/JOURNAL`), of several journals separated by commas: pages, articles and
    /// files below it are redirected to what is imported (format `ojs` only).
    #[serde(default)]
    old_address: String,
    /// Converts and reports without storing anything.
    #[serde(default)]
    dry_run: bool,
}

/// Accepts a file or package for import in the background. The returned job reports the progress.
#[utoipa::path(post, path = "/rc-pub/admin/import", tag = "admin", params(Upload),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 202, body = Envelope<schema::Job>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 413, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>), (status = 507, body = Envelope<serde_json::Value>)))]
pub async fn upload(
    by: Administrator,
    Query(query): Query<Upload>,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<Envelope<schema::Job>>), ApiError> {
    let by = by.on_site(query.site_id)?;
    let old_addresses = query.old_address.split(',').map(str::trim).filter(|address| !address.is_empty());
    let old_addresses: Vec<String> = old_addresses.map(str::to_owned).collect();
    if let Err(reason) = OldAddress::all(&old_addresses, query.format) {
        return Err(ApiError::new(StatusCode::BAD_REQUEST, &reason));
    }
    let id = job::new_id();
    let Some(folder) = job::folder(&by.app().data_folder, &id) else {
        return Err(by.fail(StatusCode::INTERNAL_SERVER_ERROR, "request_failed"));
    };
    let name = job::file_name(&query.name);
    let stored = store_body(body, &folder, &name, MAX_UPLOAD).await;
    let bytes = match stored {
        Ok(Some(bytes)) => bytes,
        Ok(None) | Err(_) => {
            let _ = tokio::fs::remove_dir_all(&folder).await;
            return Err(match stored {
                Err(error) => by.internal_error(&error),
                _ => by.fail(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large"),
            });
        }
    };
    let job = Job {
        id,
        site_id: query.site_id,
        name,
        bytes,
        format: query.format,
        old_addresses,
        dry_run: query.dry_run,
        sent: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string(),
        ..Job::default()
    };
    // Before the job, which begins as soon as it is written: nothing is imported without its line.
    if !job.dry_run {
        let sent = json!({ "name": job.name, "bytes": job.bytes });
        by.note(&headers, ("uploaded", format!("import/{}", job.id)), sent).await?;
    }
    job::save(&folder, &job).await.map_err(|error| by.internal_error(&error))?;
    by.app().uploads.notify_one();
    Ok((StatusCode::ACCEPTED, ok(FromDomain::from_domain(job))))
}

/// Writes a request body to disk as it arrives; returns its size in bytes, or `None` when it has more than `most`. The
/// file that describes the job is written afterwards: without it a job never starts, so that nothing of an interrupted
/// upload is imported.
pub(super) async fn store_body(body: Body, folder: &Path, name: &str, most: u64) -> std::io::Result<Option<u64>> {
    tokio::fs::create_dir_all(folder).await?;
    let mut file = tokio::fs::File::create(folder.join(name)).await?;
    let (mut body, mut bytes) = (body.into_data_stream(), 0);
    while let Some(part) = body.next().await {
        let part = part.map_err(std::io::Error::other)?;
        bytes += part.len() as u64;
        if bytes > most {
            return Ok(None);
        }
        file.write_all(&part).await?;
    }
    file.sync_all().await?;
    Ok(Some(bytes))
}

/// The most recent uploads to the sites of the token, newest first.
#[utoipa::path(get, path = "/rc-pub/admin/import", tag = "admin",
    responses((status = 200, body = Envelope<Vec<schema::Job>>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn jobs(by: Administrator) -> Result<Json<Envelope<Vec<schema::Job>>>, ApiError> {
    Ok(ok(FromDomain::from_domain(by.jobs().await?)))
}

/// Position in a report.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Lines {
    /// Number of lines to skip.
    #[serde(default)]
    skip: usize,
}

/// An upload with a part of its report.
#[derive(Serialize, ToSchema)]
pub struct JobReport {
    /// The upload.
    job: schema::Job,
    /// At most 100 report lines, one for each item.
    items: Vec<serde_json::Value>,
}

/// The progress and report of an upload.
#[utoipa::path(get, path = "/rc-pub/admin/import/{id}", tag = "admin", params(("id" = String, Path), Lines),
    responses((status = 200, body = Envelope<JobReport>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 403, body = Envelope<serde_json::Value>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn one(
    by: Administrator,
    Segment(id): Segment<String>,
    Query(query): Query<Lines>,
) -> Result<Json<Envelope<JobReport>>, ApiError> {
    let (by, folder, job) = by.job(&id).await?;
    let items = job::report(&folder, query.skip, REPORT_LINES).await.map_err(|error| by.internal_error(&error))?;
    Ok(ok(JobReport { job: FromDomain::from_domain(job), items }))
}

/// The routes of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(upload, jobs)).routes(routes!(one))
}
