//! Pictures of members: the photo of the profile, and covers of albums. A picture is private: only its owner gets it back.

use std::sync::Arc;

use axum::{
    Json,
    body::{Body, to_bytes},
    extract::Query,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use masthead_accounts::pictures::{self, PictureError, Purpose};
use masthead_store::{NewFile, Saving};
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::form_data;
use crate::{
    api::{
        envelope::{ApiError, storable},
        signed_in::SignedIn,
        types::Envelope,
    },
    app::{App, rate_limits::Action},
    routing::routes,
};

/// Greatest size of a form: the picture and what surrounds it.
const MAX_FORM: usize = pictures::MAX_BYTES + (64 << 10);
/// Turns for decoding pictures: each takes a processor, and up to 256 MB of memory.
static DECODERS: Semaphore = Semaphore::const_new(2);

/// Greatest size of all pictures of a member together: a photo, and a cover for each album.
const MOST_BYTES: i64 = 40 << 20;
/// Milliseconds after which a picture is deleted that neither the profile nor an album names.
const UNUSED_MS: i64 = 86_400_000;
/// Greatest length of an id.
const MAX_ID: usize = 64;

/// A form with a picture.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it describes the form, which is read by its parts")]
pub struct PictureForm {
    /// The picture: JPG, PNG or BMP under 5M as a portrait, JPG or PNG of at most 3M as the cover of an album.
    #[schema(format = Binary, content_media_type = "application/octet-stream")]
    file: String,
    /// `portrait` (default) or `albumCover`.
    purpose: Option<String>,
}

/// A stored picture.
#[derive(Serialize, ToSchema)]
pub struct StoredPicture {
    /// Its id, as the profile and albums name it.
    id: String,
    /// Its address, for the member alone.
    url: String,
}

/// Stores a picture, decoded and written anew. One that neither the profile nor an album names is deleted after a day.
#[utoipa::path(post, path = "/rc-pub/front/files/fileUpload", tag = "member", operation_id = "uploadPicture",
    request_body(content = PictureForm, content_type = "multipart/form-data"),
    responses((status = 200, body = Envelope<StoredPicture>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 413, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>), (status = 507, body = Envelope<serde_json::Value>)))]
pub async fn upload(by: SignedIn, headers: HeaderMap, body: Body) -> Result<Json<Envelope<StoredPicture>>, ApiError> {
    by.caller.take(Action::Upload)?;
    let body = to_bytes(body, MAX_FORM).await;
    let body = body.map_err(|_| by.caller.fail(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large"))?;
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let bad = || by.caller.fail(StatusCode::BAD_REQUEST, "bad_request");
    let turn = DECODERS.acquire().await.map_err(|error| by.caller.internal_error(&error))?;
    let read = tokio::task::spawn_blocking(move || {
        // Held here, because the work goes on if the member disconnects.
        let _turn = turn;
        let parts = form_data::parts(&kind, &body)?;
        let content = |name: &str| parts.iter().find(|part| part.name == name).map(|part| part.content);
        let purpose = content("purpose").map_or(Some("portrait"), |name| std::str::from_utf8(name).ok())?;
        let purpose = Purpose::parse(purpose)?;
        Some((purpose, pictures::accept(content("file").unwrap_or_default(), purpose)))
    });
    let read = read.await.map_err(|error| by.caller.internal_error(&error))?;
    let (purpose, picture) = read.ok_or_else(bad)?;
    let picture = picture.map_err(|error| refused(&by, &error))?;
    let id = URL_SAFE_NO_PAD.encode(rand::random::<[u8; 16]>());
    let new = NewFile { id: &id, purpose: purpose.name(), media_type: picture.mime, bytes: &picture.bytes };
    let (store, now) = (by.store(), by.now());
    // Pictures that nothing uses take no room from those that are used.
    remove_unused(&by).await?;
    match store.add_file(&new, MOST_BYTES, now).await.map_err(by.failed())? {
        Saving::Saved(()) => {
            let url = address(&by, &id);
            Ok(by.caller.ok(StoredPicture { id, url }))
        }
        Saving::Full | Saving::Missing => Err(by.caller.fail(StatusCode::INSUFFICIENT_STORAGE, "pictures_full")),
    }
}

/// The address of a picture; "" of none.
pub(super) fn address(by: &SignedIn, id: &str) -> String {
    if id.is_empty() { String::new() } else { format!("{}/rc-pub/front/files/picture?id={id}", by.caller.scope.base) }
}

/// Whether an id is that of a picture that the member uploaded for this purpose; "", which stands for none, is the member's too.
pub(super) async fn is_own(by: &SignedIn, id: &str, purpose: Purpose) -> Result<bool, ApiError> {
    let Some(id) = storable(id).filter(|id| id.len() <= MAX_ID) else { return Ok(false) };
    Ok(id.is_empty() || by.store().has_file(id, purpose.name()).await.map_err(by.failed())?)
}

/// Deletes the member's pictures that nothing names any more. New ones may still get their album.
pub(super) async fn remove_unused(by: &SignedIn) -> Result<(), ApiError> {
    by.store().remove_unused_files(by.now() - UNUSED_MS).await.map_err(by.failed())?;
    Ok(())
}

fn refused(by: &SignedIn, error: &PictureError) -> ApiError {
    match error.key() {
        Some(key) => by.caller.fail(StatusCode::BAD_REQUEST, key),
        None => by.caller.internal_error(error),
    }
}

/// Query of a picture.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ById {
    /// Its id.
    id: String,
}

/// Returns a picture to the member who uploaded it.
#[utoipa::path(get, path = "/rc-pub/front/files/picture", tag = "member", operation_id = "memberPicture", params(ById),
    responses((status = 200, content_type = "image/*", body = Vec<u8>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn picture(by: SignedIn, Query(query): Query<ById>) -> Result<Response, ApiError> {
    let missing = || by.caller.fail(StatusCode::NOT_FOUND, "no_data");
    let id = storable(&query.id).filter(|id| (1..=MAX_ID).contains(&id.len())).ok_or_else(missing)?;
    let file = by.caller.store().member_file(id).await.map_err(by.failed())?.ok_or_else(missing)?;
    // Only the owner may use it; knowing its id is not enough.
    if !by.store().has_file(id, &file.purpose).await.map_err(by.failed())? {
        return Err(missing());
    }
    // The bytes of an id never change.
    let headers = [
        (header::CONTENT_TYPE, file.media_type),
        (header::CACHE_CONTROL, "private, max-age=86400, immutable".to_owned()),
    ];
    Ok((headers, file.bytes).into_response())
}

/// The routes of this file.
pub(super) fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(upload)).routes(routes!(picture))
}
