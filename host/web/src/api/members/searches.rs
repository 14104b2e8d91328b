//! Searches that members save, with alerts by mail if they want.

use std::sync::Arc;

use axum::{Json, body::Bytes, extract::RawQuery, http::StatusCode};
use masthead_domain::route::Route;
use masthead_store::{SavedSearch, Saving, SearchText};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::{
    items,
    personal::{done, with_message},
};
use crate::{
    api::{
        envelope::{ApiError, storable},
        signed_in::SignedIn,
        types::Envelope,
    },
    app::{App, rate_limits::Action},
    page::request::PageRequest,
    routing::routes,
    search_service::SearchScope,
};

/// Greatest number of saved searches of a member.
const MOST: i64 = 100;
/// Greatest length of a name, in characters.
const MAX_NAME: usize = 100;
/// Greatest length of an address, in bytes.
const MAX_ADDRESS: usize = 2_000;

/// A search to save.
#[derive(Deserialize, ToSchema)]
pub struct SavedSearchDraft {
    /// Number of the saved search that changes; without it, for a new one.
    #[serde(default)]
    id: Option<i64>,
    /// Its name.
    name: String,
    /// Address of its results on this site.
    #[schema(example = "/en/search?q=sea+level")]
    address: String,
    /// Whether new results are mailed.
    #[serde(default)]
    alert: bool,
}

/// A saved search.
#[derive(Serialize, ToSchema)]
pub struct SavedSearchView {
    /// Its number.
    id: i64,
    /// Its name.
    name: String,
    /// Address of its results, in the reader's language.
    address: String,
    /// Whether new results are mailed.
    alert: bool,
    /// When it was saved, ISO 8601 in the time zone of the site.
    since: String,
}

/// The number of a saved search.
#[derive(Serialize, ToSchema)]
pub struct SavedSearchId {
    /// The number.
    id: i64,
}

/// Returns the saved searches, oldest first.
#[utoipa::path(get, path = "/rc-pub/front/frontMembers/searches", tag = "member", operation_id = "savedSearches",
    responses((status = 200, body = Envelope<Vec<SavedSearchView>>), (status = 401, body = Envelope<serde_json::Value>)))]
pub async fn list(by: SignedIn) -> Result<Json<Envelope<Vec<SavedSearchView>>>, ApiError> {
    let saved = by.store().searches().await.map_err(by.failed())?;
    let view = |SavedSearch { id, text, since }| SavedSearchView {
        id,
        name: text.name,
        address: items::below(&by.caller, &text.address),
        alert: text.alert,
        since: by.caller.instant(since),
    };
    Ok(by.caller.ok(saved.into_iter().map(view).collect()))
}

/// Saves a search.
#[utoipa::path(post, path = "/rc-pub/front/frontMembers/searches", tag = "member", operation_id = "saveSearch",
    request_body = SavedSearchDraft,
    responses((status = 200, body = Envelope<SavedSearchId>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn add(by: SignedIn, body: Bytes) -> Result<Json<Envelope<SavedSearchId>>, ApiError> {
    by.caller.take(Action::PersonalChange)?;
    let draft: SavedSearchDraft = by.caller.json(&body)?;
    let text = checked(&by, &draft)?;
    match by.store().add_search(&text, MOST, by.now()).await.map_err(by.failed())? {
        Saving::Saved(id) => Ok(with_message(&by, SavedSearchId { id }, "submit_success")),
        Saving::Full | Saving::Missing => Err(by.caller.fail(StatusCode::BAD_REQUEST, "searches_full")),
    }
}

/// Changes a saved search.
#[utoipa::path(put, path = "/rc-pub/front/frontMembers/searches", tag = "member", operation_id = "changeSearch",
    request_body = SavedSearchDraft,
    responses((status = 200, body = Envelope<bool>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn change(by: SignedIn, body: Bytes) -> Result<Json<Envelope<bool>>, ApiError> {
    by.caller.take(Action::PersonalChange)?;
    let draft: SavedSearchDraft = by.caller.json(&body)?;
    let id = draft.id.ok_or_else(|| by.caller.fail(StatusCode::BAD_REQUEST, "nothing_selected"))?;
    let text = checked(&by, &draft)?;
    if !by.store().set_search(id, &text).await.map_err(by.failed())? {
        return Err(by.caller.fail(StatusCode::NOT_FOUND, "no_data"));
    }
    Ok(done(&by, "submit_success"))
}

/// Removes saved searches. Those that are gone are no failure.
#[utoipa::path(delete, path = "/rc-pub/front/frontMembers/searches", tag = "member", operation_id = "removeSearches",
    params(("id" = i64, Query, description = "Number of a saved search; may be repeated")),
    responses((status = 200, body = Envelope<bool>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn remove(by: SignedIn, RawQuery(query): RawQuery) -> Result<Json<Envelope<bool>>, ApiError> {
    by.caller.take(Action::PersonalChange)?;
    for id in items::numbers(&by.caller, query.as_deref())? {
        by.store().remove_search(id).await.map_err(by.failed())?;
    }
    Ok(done(&by, "delete_success"))
}

/// The saved search that is stored for a draft: its address is that of a page of results of this site, without language, without the place in
/// the list, and without a site that cannot be chosen there.
fn checked(by: &SignedIn, draft: &SavedSearchDraft) -> Result<SearchText, ApiError> {
    let refused = |key| by.caller.fail(StatusCode::BAD_REQUEST, key);
    let name = draft.name.trim();
    if name.is_empty() {
        return Err(refused("search_name_needed"));
    }
    if name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
        return Err(refused("profile_text_format"));
    }
    let address = address(by, &draft.address).ok_or_else(|| refused("search_address_invalid"))?;
    Ok(SearchText { name: name.to_owned(), address, alert: draft.alert })
}

fn address(by: &SignedIn, given: &str) -> Option<String> {
    let given = storable(given).filter(|given| given.len() <= MAX_ADDRESS)?;
    let path = given.split('#').next()?.strip_prefix(by.caller.scope.base.as_str())?;
    let (path, query) = path.split_once('?')?;
    if !path.starts_with('/') || path.starts_with("//") {
        return None;
    }
    let asked = PageRequest::read(&by.caller.scope, path, Some(query)).ok()?;
    let results = asked.route.as_ref().is_some_and(Route::is_search);
    let is_kept = |(name, value): &&(&str, String)| match *name {
        "page" | "after" => false,
        "site" => SearchScope::choice(&by.caller.app, by.caller.entry(), value).is_some(),
        _ => true,
    };
    let kept: Vec<_> = asked.parameters().iter().filter(is_kept).collect();
    if !results || kept.is_empty() {
        return None;
    }
    let path = asked.path();
    let path = path.split('?').next()?;
    let pairs = kept.into_iter().map(|(name, value)| (*name, value.as_str()));
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    Some(format!("/{path}?{query}"))
}

/// The routes of this file.
pub(super) fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(list, add, change, remove))
}
