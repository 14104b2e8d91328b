//! `/assets/`: built files with content hashes in their names, and the sites' own pictures.

use std::{path::Path as FsPath, sync::Arc};

use axum::{
    body::Bytes,
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use crate::{app::App, ui::COMBINED};
use masthead_content::files;

/// Greatest size of a site's picture, in bytes.
const MAX_PICTURE: u64 = 8 << 20;

/// Serves a file of the shell, of a module, or of `sites/assets/`.
pub async fn serve(State(app): State<Arc<App>>, Path(path): Path<String>, headers: HeaderMap) -> Response {
    if let Some(file) = path.strip_prefix("sites/") {
        return site_picture(&app, file).await;
    }
    let ui = app.ui.load_full();
    let asset = if path.starts_with(COMBINED) {
        // The first request for a combination compresses it.
        tokio::task::spawn_blocking(move || ui.asset(&path)).await.ok().flatten()
    } else {
        ui.asset(&path)
    };
    let Some(asset) = asset else { return StatusCode::NOT_FOUND.into_response() };
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let accepts = |coding: &str| accepted.split(',').any(|part| part.trim().split(';').next() == Some(coding));
    let (bytes, coding) = match (&asset.br, &asset.gz) {
        (Some(bytes), _) if accepts("br") => (bytes, Some("br")),
        (_, Some(bytes)) if accepts("gzip") => (bytes, Some("gzip")),
        _ => (&asset.plain, None),
    };
    // These files never change: the build puts a hash of the content into their names.
    let mut response = file(bytes.clone(), asset.mime, "public, max-age=31536000, immutable");
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if let Some(coding) = coding {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    response
}

async fn site_picture(app: &App, name: &str) -> Response {
    let plain = name.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && !part.contains('\\'));
    let picture = FsPath::new(name)
        .extension()
        .and_then(|ending| ending.to_str())
        .is_some_and(|ending| matches!(ending, "svg" | "png" | "jpg" | "jpeg" | "webp" | "ico"));
    if !plain || !picture {
        return StatusCode::NOT_FOUND.into_response();
    }
    let path = app.sites_folder.join("assets").join(name);
    match tokio::fs::metadata(&path).await {
        Ok(data) if data.is_file() && data.len() <= MAX_PICTURE => {}
        _ => return StatusCode::NOT_FOUND.into_response(),
    }
    match tokio::fs::read(&path).await {
        Ok(bytes) => file(bytes.into(), files::media_type(name), "public, max-age=3600"),
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}

fn file(bytes: Bytes, mime: &'static str, caching: &'static str) -> Response {
    let mut response = bytes.into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(mime));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    response
}
