//! `/media/<site>/<digest>.<extension>`: figures, covers, audio, video and the other files that came with articles, whole or in ranges.

use std::{error::Error, sync::Arc};

use axum::{
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use masthead_content::{files, import::outage_of, reading, reading::FileDecision};
use masthead_domain::SiteId;

use crate::{
    app::App,
    discovery::stored_file,
    failure::Failure,
    page::{caching::Caching, reader},
    sites::scope::{Host, Scope},
};

/// Serves a file of a site to the readers who may have it. On a host that names a site, only the files of that site are available.
pub async fn serve(
    State(app): State<Arc<App>>,
    Path((site, file)): Path<(i64, String)>,
    host: Host,
    scope: Option<Scope>,
    headers: HeaderMap,
) -> Response {
    let scope = match scope {
        // The address of a file names its site by number.
        None if host.in_path => app.sites.load().by_id(SiteId(site)).map(Scope::on_shared_host),
        named => named,
    };
    let Some(scope) = scope.filter(|scope| scope.entry.site.id.0 == site) else {
        return refused(StatusCode::NOT_FOUND);
    };
    if let Some(failure) = Failure::of_state(scope.entry.site.state) {
        return refused(failure.status());
    }
    let digest = file.split('.').next().unwrap_or_default();
    let store = app.store.site(scope.entry.site.id);
    let used = match store.used_media(digest).await {
        Ok(Some(used)) => used,
        Ok(None) => return refused(StatusCode::NOT_FOUND),
        Err(error) => return failed(&error, digest),
    };
    let lang = scope.entry.site.default_lang();
    let rights = reader::rights(&app, &scope, &host, lang, &headers).await;
    let permit = match reading::file(&store, &used, &rights).await {
        Ok(FileDecision::Granted(permit)) => permit,
        Ok(FileDecision::Denied) => return refused(StatusCode::FORBIDDEN),
        Ok(FileDecision::Removed) => return refused(StatusCode::GONE),
        Err(error) => return failed(&*error, digest),
    };
    let sent = match files::open(&app.data_folder, &permit).await {
        Ok(opened) => stored_file::stored(opened, permit.digest(), &used.media.mime, &headers).await,
        Err(error) => Err(error),
    };
    match sent {
        Ok(mut response) => {
            Caching::of_file(&permit).apply(response.headers_mut());
            response
        }
        Err(error) => {
            tracing::error!(%error, digest, "a file that is recorded in the database cannot be read");
            refused(StatusCode::NOT_FOUND)
        }
    }
}

/// A refusal, which nobody may keep: another reader may have the file.
fn refused(status: StatusCode) -> Response {
    (status, Caching::Reader, ()).into_response()
}

fn failed(error: &(dyn Error + 'static), digest: &str) -> Response {
    tracing::error!(error, digest, "deciding about a file failed");
    let failure = if outage_of(error).is_some() { Failure::Unavailable } else { Failure::Inside };
    let mut response = refused(failure.status());
    if let Some(seconds) = failure.retry_after() {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    response
}
