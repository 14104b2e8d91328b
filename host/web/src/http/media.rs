//! `/media/<site>/<digest>.<extension>`: figures, covers, audio, video and the other files that came with articles, whole or in ranges.

use std::{error::Error, sync::Arc};

use axum::{
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use masthead_content::{files, import::outage_of, readable_article, readable_article::FileDecision};
use masthead_domain::{
    SiteId,
    access::{Refusal, Rights},
};

use crate::{
    app::App,
    client::Client,
    discovery::stored_file,
    failure::{Failure, download_denied_of_file, read_denied},
    page::{
        caching::{self, Caching},
        language::preferred,
        pipeline::error_page,
        reader,
    },
    sites::{
        addresses::Addresses,
        scope::{Host, Scope},
    },
};

/// Serves a file of a site to the readers who may have it. On a host that names a site, only the files of that site are available.
pub async fn serve(
    State(app): State<Arc<App>>,
    Path((site, file)): Path<(i64, String)>,
    host: Host,
    client: Client,
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
    let rights = reader::rights(&app, &scope, &host, lang, (&headers, client)).await;
    let permit = match readable_article::file(&store, &used, &rights).await {
        Ok(FileDecision::Granted(permit)) => permit,
        Ok(FileDecision::Denied) => {
            return denied(&app, &scope, (&headers, &file), (&rights, &used.media.mime));
        }
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
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            tracing::error!(%error, digest, "a file that is recorded in the database is not there");
            refused(StatusCode::NOT_FOUND)
        }
        Err(error) => failed(&error, digest),
    }
}

/// The answer to a reader who may not have a file: a page with the way to the sign-in where a browser shows what it gets, nothing where a
/// page shows the file as a part of itself.
fn denied(
    app: &App,
    scope: &Scope,
    (headers, file): (&HeaderMap, &str),
    (rights, media_type): (&Rights, &str),
) -> Response {
    if !shows_pages(headers) {
        let is_unknown = rights.refusal() == Refusal::Unknown;
        return refused(if is_unknown { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::FORBIDDEN });
    }
    let entry = &scope.entry;
    let lang = preferred(headers, &entry.languages).unwrap_or_else(|| entry.site.default_lang());
    let addresses = Addresses { base: scope.base.clone(), lang };
    let key =
        if readable_article::is_shown(media_type) { read_denied(rights) } else { download_denied_of_file(rights) };
    let back = format!("{}/media/{}/{file}", scope.base, entry.site.id);
    let mut response = error_page::refused(app, &addresses, rights.refusal(), (app.messages.get(lang, key), &back));
    Caching::Reader.apply(response.headers_mut());
    caching::vary(response.headers_mut(), &[header::ACCEPT, header::ACCEPT_LANGUAGE, header::COOKIE]);
    response
}

/// Whether the client shows what it gets as a page: browsers ask for HTML when a reader follows a link, and for pictures in a page they do
/// not.
fn shows_pages(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|kind| kind.trim().starts_with("text/html"))
}

/// A refusal, which nobody may keep: another reader may have the file.
fn refused(status: StatusCode) -> Response {
    (status, Caching::Reader, ()).into_response()
}

fn failed(error: &(dyn Error + 'static), digest: &str) -> Response {
    tracing::error!(error, digest, "a file could not be sent");
    let failure = if outage_of(error).is_some() { Failure::Unavailable } else { Failure::Inside };
    let mut response = refused(failure.status());
    if let Some(seconds) = failure.retry_after() {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    response
}
