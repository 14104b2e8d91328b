//! `/static/covers/`: the covers that are drawn for journals and issues without a picture.

use std::sync::Arc;

use axum::{
    extract::{Path, Query, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use masthead_domain::publication::{Issue, Journal};
use masthead_store::StoreError;
use serde::Deserialize;

use crate::{
    app::App,
    failure::Failure,
    page::{caching::Caching, cover::Cover},
    sites::scope::Scope,
};

/// The version that an address of a cover names.
#[derive(Deserialize)]
pub struct Version {
    #[serde(default)]
    v: String,
}

/// What is asked for, as far as readers see it.
type Found = Result<Option<(Journal, Option<Issue>)>, StoreError>;

/// Serves the cover of a journal.
pub async fn of_journal(
    State(app): State<Arc<App>>,
    scope: Option<Scope>,
    Path(journal): Path<String>,
    Query(version): Query<Version>,
) -> Response {
    let Some(scope) = open(scope) else { return StatusCode::NOT_FOUND.into_response() };
    let found = journal_of(&app, &scope, &journal).await.map(|journal| journal.map(|journal| (journal, None)));
    answer(&scope, found, &version.v)
}

/// Serves the cover of an issue.
pub async fn of_issue(
    State(app): State<Arc<App>>,
    scope: Option<Scope>,
    Path((journal, year, issue)): Path<(String, i32, String)>,
    Query(version): Query<Version>,
) -> Response {
    let Some(scope) = open(scope) else { return StatusCode::NOT_FOUND.into_response() };
    answer(&scope, issue_of(&app, &scope, &journal, (year, &issue)).await, &version.v)
}

fn open(scope: Option<Scope>) -> Option<Scope> {
    scope.filter(|scope| Failure::of_state(scope.entry.site.state).is_none())
}

async fn journal_of(app: &App, scope: &Scope, key: &str) -> Result<Option<Journal>, StoreError> {
    let journals = app.store.site(scope.entry.site.id).shown_journals().await?;
    Ok(journals.into_iter().find(|journal| journal.key == key))
}

async fn issue_of(app: &App, scope: &Scope, key: &str, (year, number): (i32, &str)) -> Found {
    let Some(journal) = journal_of(app, scope, key).await? else { return Ok(None) };
    let issues = app.store.site(scope.entry.site.id).shown_issues(key).await?;
    let issue = issues.into_iter().find(|issue| issue.year == year && issue.issue == number);
    Ok(issue.map(|issue| (journal, Some(issue))))
}

fn answer(scope: &Scope, found: Found, version: &str) -> Response {
    let (journal, issue) = match found {
        Ok(Some(found)) => found,
        Ok(None) => return StatusCode::NOT_FOUND.into_response(),
        Err(error) => {
            tracing::error!(%error, "reading the journal of a cover failed");
            return Failure::of_store(&error).status().into_response();
        }
    };
    let entry = &scope.entry;
    let cover = Cover::new(&journal, issue.as_ref(), &entry.theme, entry.site.default_lang());
    // An address without the version of this drawing, such as one of a page from before a change, gets it for a short time only.
    let caching = if cover.version() == version { Caching::SharedFile } else { Caching::Shared };
    ([(header::CONTENT_TYPE, "image/svg+xml")], caching, cover.svg()).into_response()
}
