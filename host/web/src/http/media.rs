//! `/media/<site>/<digest>.<extension>`: figures and covers.

use std::sync::Arc;

use axum::{
    extract::{OptionalFromRequestParts as _, Path, Request, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use masthead_domain::SiteId;

use crate::{
    app::App,
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
    match files::open(&app.data_folder, &media.digest).await {
        Ok(bytes) => {
            let mut response = bytes.into_response();
            let headers = response.headers_mut();
            if let Ok(mime) = HeaderValue::from_str(&media.mime) {
                headers.insert(header::CONTENT_TYPE, mime);
            }
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
            response
        }
        Err(error) => {
            tracing::error!(%error, digest, "a file that is recorded in the database cannot be read");
            StatusCode::NOT_FOUND.into_response()
        }
    }
}
