//! What readers get while the database does not answer: pages that are cached are answered as always, and everything else is refused
//! within a second, instead of waiting for the database as long as a request may take.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use masthead_store::Store;

use crate::{api, app::App, failure::Failure, http::security, page::error_page};

/// Time for what needs no database, such as compressing a cached page or the plugins that decide about access to it, on a machine that is
/// busy. The answer still comes within a second.
const GRACE: Duration = Duration::from_millis(600);

/// Middleware that answers for handlers that wait for a database which does not answer. The probes of the operator say so themselves, and an
/// upload, which may take long, waits for the database when all of it is here.
pub async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if !app.store.is_remote() || matches!(path, "/healthz" | "/readyz") || security::is_upload(path) {
        return next.run(request).await;
    }
    // The request is gone when the answer is needed, which is almost never: no more than its language is kept.
    let is_call = path.starts_with("/rc-pub/");
    let lang =
        if is_call { api::failure_language(&request) } else { error_page::failure_language(request.headers(), path) };
    tokio::select! {
        biased;
        response = next.run(request) => response,
        () = overdue(&app.store) => {
            metrics::counter!("masthead_database_refusals_total").increment(1);
            if is_call { api::refuse_in(&app, lang, Failure::Unavailable) } else { error_page::unavailable(&app, lang) }
        }
    }
}

/// Resolves when the database has not answered for the time that is left to a request.
async fn overdue(store: &Store) {
    loop {
        store.unavailable().await;
        tokio::time::sleep(GRACE).await;
        if !store.is_available() {
            return;
        }
    }
}
