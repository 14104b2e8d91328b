//! `/media/<site>/<digest>.<extension>`: figures, covers, audio and video, whole or in ranges.

use std::sync::Arc;

use axum::{
    extract::{OptionalFromRequestParts as _, Path, Request, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use masthead_domain::SiteId;

use crate::{
    app::App,
    discovery::stored_file,
    sites::scope::{Host, Scope},
};

use masthead_content::files;

/// Serves a file of a site. On a host that names a site, only the files of that site are available.
pub async fn serve(
    State(app): State<Arc<App>>,
    Path((site, file)): Path<(i64, String)>,
    host: Host,
    request: Request,
) -> Response {
    let (mut parts, _) = request.into_parts();
    let Ok(scope) = Scope::from_request_parts(&mut parts, &()).await;
    let named = scope.map(|scope| scope.entry.site.id);
    if named.is_some_and(|named| named.0 != site) || (named.is_none() && !host.in_path) {
        return StatusCode::NOT_FOUND.into_response();
    }
    let digest = file.split('.').next().unwrap_or_default();
    let Ok(Some(media)) = app.store.site(SiteId(site)).media(digest).await else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let sent = match files::open(&app.data_folder, &media.digest).await {
        Ok(opened) => stored_file::stored(opened, &media.digest, &media.mime, &parts.headers).await,
        Err(error) => Err(error),
    };
    match sent {
        Ok(mut response) => {
            let immutable = HeaderValue::from_static("public, max-age=31536000, immutable");
            response.headers_mut().insert(header::CACHE_CONTROL, immutable);
            response
        }
        Err(error) => {
            tracing::error!(%error, digest, "a file that is recorded in the database cannot be read");
            StatusCode::NOT_FOUND.into_response()
        }
    }
}
