//! Administrators' calls about records: journals, issues, articles and resources are listed, read, changed and removed; the audit trail.
//!
//! A record has a version (`ETag`). A change names the version that it was made from (`If-Match`) and is refused with 412 if the record has
//! changed since; a new record needs `If-None-Match: *`. `If-Match: *` changes whatever is there, and the answer says who else has changed
//! that lately.

use std::sync::Arc;

use axum::{
    Json,
    body::Body,
    extract::Query,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use masthead_content::{
    import::{self, job},
    records::{
        Done, FieldChange, LastEditor, ListQuery, Listing, Record, RecordEdit, RecordError, RecordType, fields_of,
    },
    scratch::{self, Scratch},
};
use masthead_domain::{SiteId, member::Role};
use masthead_formats::images::svg::SvgError;
use masthead_store::{AuditLine, AuditQuery, subjects};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    admin_import::store_body,
    administrator::{Administrator, Authorised, OnSite},
    envelope::{ApiError, ok, storable},
    types::Envelope,
};
use crate::app::App;
use crate::routing::routes;

/// Greatest size of a change, in bytes.
const MAX_CHANGE: usize = 4 << 20;
/// Greatest size of a file, in bytes.
const MAX_FILE: u64 = 64 << 20;

/// Query of a list of records.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct OfType {
    /// Id of the site.
    site_id: i64,
    /// `journal`, `issue`, `article`, or a kind of resources (`news`, `expert`, ...).
    #[serde(rename = "type")]
    record_type: String,
    /// Key of a journal, name of an issue (`tides/2026/3`), or section of a list of resources.
    #[serde(default)]
    within: String,
    /// Lists the withdrawn articles.
    #[serde(default)]
    withdrawn: bool,
    /// Starts after this position: the value of `next` of the previous page.
    #[serde(default)]
    after: String,
    /// Records on a page: 50 by default, at most 200.
    size: Option<i64>,
}

/// Query with the name of a record.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct Named {
    /// Id of the site.
    site_id: i64,
    /// `journal`, `issue`, `article`, or a kind of resources.
    #[serde(rename = "type")]
    record_type: String,
    /// Key of a journal or resource; `JOURNAL/YEAR/ISSUE`; number, DOI or source key of an article.
    name: String,
    /// Checks a change and stores nothing.
    #[serde(default)]
    dry_run: bool,
}

/// A page of records.
#[derive(Serialize, ToSchema)]
pub struct RecordsPage {
    /// The records.
    records: Vec<RecordLine>,
    /// Value of `after` for the next page; null on the last page.
    next: Option<String>,
}

/// A record in a list.
#[derive(Serialize, ToSchema)]
pub struct RecordLine {
    /// Its name.
    name: String,
    /// Its title in English, else in another language.
    title: String,
    /// Its date, and the state of an article.
    note: String,
}

impl From<Listing> for RecordsPage {
    fn from(listing: Listing) -> Self {
        let line = |one: masthead_content::records::ListedRecord| RecordLine {
            name: one.name,
            title: one.title,
            note: one.note,
        };
        Self { records: listing.records.into_iter().map(line).collect(), next: listing.next }
    }
}

/// A record.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordView {
    /// Its type.
    #[serde(rename = "type")]
    record_type: String,
    /// Its name.
    name: String,
    /// Its version, which the header `ETag` has too.
    version: String,
    /// The fields that were edited by hand, and that imports keep.
    kept: Vec<String>,
    /// Its fields.
    value: Value,
}

impl From<Record> for RecordView {
    fn from(record: Record) -> Self {
        let Record { record_type, name, version, kept, value } = record;
        Self { record_type: record_type.to_owned(), name, version, kept, value }
    }
}

/// A change of a record.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordUpdate {
    /// New values of fields, as an object of the record or by paths (`title.en`); null takes a field away.
    #[serde(default)]
    #[schema(value_type = Object)]
    set: Map<String, Value>,
    /// Fields that imports set again from now on.
    #[serde(default)]
    release: Vec<String>,
}

/// What a change did, or would do.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordChanged {
    /// Type of the record.
    #[serde(rename = "type")]
    record_type: String,
    /// Name of the record.
    name: String,
    /// `created`, `changed`, `unchanged`, `removed`, `withdrawn` or `reinstated`.
    action: String,
    /// Whether nothing was stored.
    dry_run: bool,
    /// The version of the record now.
    version: Option<String>,
    /// The fields with their values before and after; of a removed record, those that had a value.
    changes: Vec<RecordField>,
    /// Who else changed the record within the 24 hours before, if the change named no version.
    last_editor: Option<RecordEditor>,
}

/// Who changed a record last, and when.
#[derive(Serialize, ToSchema)]
pub struct RecordEditor {
    /// The name in the audit trail.
    who: String,
    /// When, ISO 8601 in UTC.
    time: String,
}

/// A field with its values before and after; null stands for none.
#[derive(Serialize, ToSchema)]
pub struct RecordField {
    /// Path of the field.
    key: String,
    /// Its value before.
    before: Value,
    /// Its value after.
    after: Value,
}

impl From<Done> for RecordChanged {
    fn from(done: Done) -> Self {
        let field = |FieldChange { key, before, after }| RecordField { key, before, after };
        Self {
            record_type: done.record_type.to_owned(),
            name: done.name,
            action: done.action.to_owned(),
            dry_run: done.dry_run,
            version: done.version,
            changes: done.changes.into_iter().map(field).collect(),
            last_editor: done.last_editor.map(|LastEditor { who, time }| RecordEditor { who, time }),
        }
    }
}

/// Lists the records of a type.
#[utoipa::path(get, path = "/rc-pub/admin/records", tag = "admin", operation_id = "adminRecords", params(OfType),
    responses((status = 200, body = Envelope<RecordsPage>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn list(by: Administrator, Query(query): Query<OfType>) -> Result<Json<Envelope<RecordsPage>>, ApiError> {
    let by = by.on_site(query.site_id)?;
    let of = RecordType::parse(&query.record_type).map_err(|error| failed(&by, &error))?;
    let texts = [&query.within, &query.after];
    if texts.iter().any(|text| storable(text).is_none()) {
        return Err(by.fail(StatusCode::BAD_REQUEST, "bad_request"));
    }
    let limit = query.size.unwrap_or(50).clamp(1, 200);
    let (within, withdrawn, after) = (query.within, query.withdrawn, query.after);
    let found = by.records().list(of, &ListQuery { within, withdrawn, after, limit }).await;
    Ok(ok(found.map_err(|error| failed(&by, &error))?.into()))
}

/// Returns a record with its version.
#[utoipa::path(get, path = "/rc-pub/admin/record", tag = "admin", operation_id = "adminRecord", params(Named),
    responses((status = 200, body = Envelope<RecordView>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn show(by: Administrator, Query(query): Query<Named>) -> Result<Response, ApiError> {
    let by = by.on_site(query.site_id)?;
    let of = named(&by, &query)?;
    let record = by.records().show(of, &query.name).await.map_err(|error| failed(&by, &error))?;
    let version = Some(record.version.clone());
    Ok(versioned(version.as_deref(), ok(RecordView::from(record)).into_response()))
}

/// Changes a record, or adds one (`If-None-Match: *`). The fields that are changed are kept over later imports.
#[utoipa::path(patch, path = "/rc-pub/admin/record", tag = "admin", operation_id = "changeRecord",
    params(Named, ("If-Match" = Option<String>, Header, description = "The version that the change was made from; `*` for any"),
        ("If-None-Match" = Option<String>, Header, description = "`*` for a new record"),
        ("editor" = Option<String>, Header, description = "Name for the audit trail")),
    request_body(content = RecordUpdate, content_type = "application/json"),
    responses((status = 200, body = Envelope<RecordChanged>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 409, body = Envelope<serde_json::Value>),
        (status = 412, body = Envelope<serde_json::Value>), (status = 413, body = Envelope<serde_json::Value>),
        (status = 428, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn set(
    by: Administrator,
    Query(query): Query<Named>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let by = by.on_site(query.site_id)?;
    let of = named(&by, &query)?;
    let update: RecordUpdate = by.json(body, MAX_CHANGE, "a change of a record").await?;
    let fields = fields_of(of, &Value::Object(update.set)).map_err(|error| failed(&by, &error))?;
    let change = RecordEdit { fields, release: update.release, ..change(&by, &headers, query.dry_run)? };
    let done = by.records().set(of, &query.name, &change).await.map_err(|error| failed(&by, &error))?;
    let version = done.version.clone();
    Ok(versioned(version.as_deref(), ok(RecordChanged::from(done)).into_response()))
}

/// Removes a record. A journal and an issue must have no articles.
#[utoipa::path(delete, path = "/rc-pub/admin/record", tag = "admin", operation_id = "removeRecord",
    params(Named, ("If-Match" = Option<String>, Header, description = "The version that is to be removed; `*` for any"),
        ("editor" = Option<String>, Header, description = "Name for the audit trail")),
    responses((status = 200, body = Envelope<RecordChanged>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 409, body = Envelope<serde_json::Value>),
        (status = 412, body = Envelope<serde_json::Value>), (status = 428, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn remove(
    by: Administrator,
    Query(query): Query<Named>,
    headers: HeaderMap,
) -> Result<Json<Envelope<RecordChanged>>, ApiError> {
    let by = by.on_site(query.site_id)?;
    let of = named(&by, &query)?;
    let change = change(&by, &headers, query.dry_run)?;
    if change.create {
        return Err(by.fail(StatusCode::BAD_REQUEST, "bad_request"));
    }
    let done = by.records().remove(of, &query.name, &change).await.map_err(|error| failed(&by, &error))?;
    Ok(ok(done.into()))
}

/// Query of an upload of a file.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct FileOf {
    /// Id of the site.
    site_id: i64,
    /// Name of the file, with its extension.
    name: String,
}

/// A stored file.
#[derive(Serialize, ToSchema)]
pub struct StoredFileView {
    /// Its address, for a field such as `cover`. Readers can have the file as soon as a record names it.
    address: String,
}

/// Stores a picture or another file for a record.
#[utoipa::path(post, path = "/rc-pub/admin/media", tag = "admin", operation_id = "storeFile", params(FileOf),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = Envelope<StoredFileView>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 413, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>), (status = 507, body = Envelope<serde_json::Value>)))]
pub async fn store_file(
    by: Administrator,
    Query(query): Query<FileOf>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Envelope<StoredFileView>>, ApiError> {
    let by = by.on_site(query.site_id)?;
    let data = &by.app().data_folder;
    let root = scratch::root(data);
    let made = tokio::task::spawn_blocking(move || Scratch::new(&root, "file-")).await;
    let folder = made.map_err(std::io::Error::from).flatten().map_err(|error| by.internal_error(&error))?;
    let name = job::file_name(&query.name);
    let stored = match store_body(body, folder.path(), &name, MAX_FILE).await {
        Ok(Some(_)) => Ok(import::keep(&by.store(), by.site(), data, &folder.path().join(&name)).await),
        Ok(None) => Err(by.fail(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large")),
        Err(error) => Err(by.internal_error(&error)),
    };
    let address = stored?.map_err(|error| match error.downcast_ref::<SvgError>() {
        Some(_) => ApiError::new(StatusCode::BAD_REQUEST, &format!("{error:#}")),
        None => failed(&by, &RecordError::Other(error)),
    })?;
    by.note(&headers, ("stored", format!("media/{name}")), serde_json::json!({ "address": address })).await?;
    Ok(ok(StoredFileView { address }))
}

/// Query of the audit trail.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct OfAudit {
    /// Id of the site; all sites without it, which needs a token for all of them.
    site_id: Option<i64>,
    /// A record (`issue/tides/2026/3`, `article/12`), or what is above it (`issue/tides`, `news`).
    #[serde(default)]
    subject: String,
    /// Starts after this line: the `id` of the last line of the previous page.
    after: Option<i64>,
    /// Lines on a page: 50 by default, at most 500.
    size: Option<i64>,
}

/// A line of the audit trail.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditView {
    /// Number of the line.
    id: i64,
    /// Id of the site.
    site_id: i64,
    /// When the change was made, ISO 8601 in UTC.
    time: String,
    /// Who made it.
    who: String,
    /// What was done.
    action: String,
    /// The record.
    subject: String,
    /// The changed fields before, or the whole record that was removed.
    before: Value,
    /// The changed fields after.
    after: Value,
}

impl From<AuditLine> for AuditView {
    fn from(line: AuditLine) -> Self {
        let time = jiff::Timestamp::from_millisecond(line.at_ms).map(|time| time.to_string()).unwrap_or_default();
        let entry = line.entry;
        Self {
            id: line.id,
            site_id: line.site.0,
            time,
            who: entry.who,
            action: entry.action,
            subject: entry.subject,
            before: entry.before,
            after: entry.after,
        }
    }
}

/// Returns what was changed by hand, newest first. Editors get the lines about records, redirects and files.
#[utoipa::path(get, path = "/rc-pub/admin/audit", tag = "admin", operation_id = "adminAudit", params(OfAudit),
    responses((status = 200, body = Envelope<Vec<AuditView>>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn audit(
    by: Administrator,
    Query(query): Query<OfAudit>,
) -> Result<Json<Envelope<Vec<AuditView>>>, ApiError> {
    match query.site_id {
        Some(site) => {
            let by = by.on_site(site)?;
            // Members, institutions, tokens, settings and the names of secrets are the matter of the site's administrators.
            let all = by.by().role_on(by.site()) >= Some(Role::SiteAdministrator);
            lines(&by, query, if all { Vec::new() } else { subjects::kinds_of_records() }).await
        }
        None => lines(&by.on_installation()?, query, Vec::new()).await,
    }
}

/// The lines about subjects of these kinds, or of all if there are none.
async fn lines<S>(
    by: &Authorised<S>,
    query: OfAudit,
    kinds: Vec<&'static str>,
) -> Result<Json<Envelope<Vec<AuditView>>>, ApiError> {
    if storable(&query.subject).is_none() {
        return Err(by.fail(StatusCode::BAD_REQUEST, "bad_request"));
    }
    let lines = AuditQuery {
        site: query.site_id.map(SiteId),
        subject: query.subject,
        kinds,
        older_than: query.after,
        limit: query.size.unwrap_or(50).clamp(1, 500),
    };
    let found = by.app().store.audit(&lines).await.map_err(|error| failed(by, &RecordError::Store(error)))?;
    Ok(ok(found.into_iter().map(AuditView::from).collect()))
}

/// The type of a record that a query names.
fn named(by: &OnSite, query: &Named) -> Result<RecordType, ApiError> {
    if storable(&query.name).is_none() {
        return Err(by.fail(StatusCode::BAD_REQUEST, "bad_request"));
    }
    RecordType::parse(&query.record_type).map_err(|error| failed(by, &error))
}

/// The text of a header.
fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_owned())
}

/// A change without fields: its version, and who makes it, from the headers.
fn change(by: &OnSite, headers: &HeaderMap, dry_run: bool) -> Result<RecordEdit, ApiError> {
    let create = text(headers, &header::IF_NONE_MATCH).is_some_and(|tag| tag == "*");
    let tag = text(headers, &header::IF_MATCH).map(|tag| tag.trim_start_matches("W/").trim_matches('"').to_owned());
    if !create && !dry_run && tag.is_none() {
        let message =
            "a change needs the header If-Match with the version of the record, and a new record If-None-Match: *";
        return Err(ApiError::new(StatusCode::PRECONDITION_REQUIRED, message));
    }
    let (version, at_ms) = (tag.filter(|tag| tag != "*"), Some(by.app().counting.now()));
    Ok(RecordEdit { create, version, dry_run, who: by.who(headers), at_ms, ..RecordEdit::default() })
}

/// Adds the version of a record to a response.
fn versioned(version: Option<&str>, mut response: Response) -> Response {
    if let Some(Ok(tag)) = version.map(|version| HeaderValue::try_from(format!("\"{version}\""))) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// A failure for the administrator. The causes of failures of the host are logged and not returned.
pub(super) fn failed<S>(by: &Authorised<S>, error: &RecordError) -> ApiError {
    let status = match error {
        RecordError::Missing(_) => StatusCode::NOT_FOUND,
        RecordError::Invalid(_) => StatusCode::BAD_REQUEST,
        RecordError::Conflict(_) => StatusCode::PRECONDITION_FAILED,
        RecordError::Exists(_) | RecordError::InUse(_) => StatusCode::CONFLICT,
        RecordError::Store(error) => return by.internal_error(error),
        RecordError::Other(error) => return by.internal_error(&**error),
        other => return by.internal_error(other),
    };
    ApiError::new(status, &error.to_string())
}

/// The routes of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(show, set, remove))
        .routes(routes!(store_file))
        .routes(routes!(audit))
}
