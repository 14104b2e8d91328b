//! What readers get while the database does not answer: pages that are cached are answered as always, and everything else is refused
//! within a second, instead of waiting for the database as long as a request may take.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use masthead_store::Store;
use tokio::time::Instant;

use crate::{
    api,
    app::{App, database_wait::DatabaseWait},
    failure::Failure,
    http::security,
    page::pipeline::error_page::{self, Place},
};

/// Time from its arrival that a request has for what needs no database, such as compressing a cached page or the plugins that decide about
/// access to it, on a machine that is busy.
const GRACE: Duration = Duration::from_millis(600);
/// Time that every request has when it becomes known that the database does not answer, so that one answer that came late refuses nothing.
const LEAST: Duration = Duration::from_millis(200);

/// Interval at which a request that needed no database is looked at again.
const AGAIN: Duration = Duration::from_millis(50);

/// Middleware that answers for handlers that wait for a database which does not answer. The probes of the operator say so themselves, and an
/// upload, which may take long, waits for the database when all of it is here.
pub async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if !app.store.is_remote() || matches!(path, "/healthz" | "/readyz") || security::is_upload(path) {
        return next.run(request).await;
    }
    let arrival = Instant::now();
    // The request is gone when the answer is needed, which is almost never: no more than its language and the way on are kept.
    let is_call = path.starts_with("/rc-pub/");
    let lang =
        if is_call { api::failure_language(&request) } else { error_page::failure_language(request.headers(), path) };
    let home = if is_call { None } else { Place::of(request.extensions()).way_on(&app, lang) };
    let wait = DatabaseWait::default();
    tokio::select! {
        biased;
        response = wait.observe(next.run(request)) => response,
        () = overdue(&app.store, &wait, arrival) => {
            metrics::counter!("masthead_database_refusals_total").increment(1);
            if is_call {
                api::refuse_in(&app, lang, Failure::Unavailable)
            } else {
                error_page::unavailable(&app, lang, home.as_deref())
            }
        }
    }
}

/// Resolves when the database does not answer, and a request that arrived at this moment, and may be waiting for it, has had its time.
async fn overdue(store: &Store, wait: &DatabaseWait, arrival: Instant) {
    loop {
        store.unavailable().await;
        tokio::time::sleep_until(refused_at(arrival, Instant::now())).await;
        while !store.is_available() {
            if wait.may_be() {
                return;
            }
            tokio::time::sleep(AGAIN).await;
        }
    }
}

/// When a request is refused that arrived at `arrival`, if it becomes known at `known` that the database does not answer. The time before
/// counts: a request that arrives as the database stops has waited for it since then.
fn refused_at(arrival: Instant, known: Instant) -> Instant {
    (arrival + GRACE).max(known + LEAST)
}

#[cfg(test)]
mod tests {
    use masthead_store::LONGEST_UNKNOWN;

    use super::*;

    #[test]
    fn every_request_is_refused_within_a_second_of_its_arrival() {
        let arrival = Instant::now();
        let waits = |known: Duration| refused_at(arrival, arrival + known) - arrival;
        for milliseconds in 0..=u64::try_from(LONGEST_UNKNOWN.as_millis()).unwrap_or(u64::MAX) {
            let wait = waits(Duration::from_millis(milliseconds));
            assert!(wait >= GRACE, "{milliseconds}: a cached page has its time");
            // What is left of the second is for the answer itself.
            assert!(wait <= Duration::from_millis(850), "{milliseconds}: {wait:?}");
        }
        assert_eq!(waits(Duration::from_secs(9)), Duration::from_secs(9) + LEAST, "a slow request has a moment, too");
    }
}
