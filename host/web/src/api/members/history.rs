//! The history of a member's views and downloads.

use std::sync::Arc;

use axum::{Json, extract::Query, http::StatusCode};
use masthead_domain::member::Use;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;

use super::{
    items::{self, ItemView, MemberListEntry},
    personal::{MemberPage, PageOf, done, split},
};
use crate::{
    api::{envelope::ApiError, signed_in::SignedIn, types::Envelope},
    app::{App, rate_limits::Action},
    routing::routes,
};

type Answer<T> = Result<Json<Envelope<T>>, ApiError>;

/// Returns the member's downloads, latest first.
#[utoipa::path(get, path = "/rc-pub/front/frontMembers/downloads", tag = "member", operation_id = "memberDownloads", params(PageOf),
    responses((status = 200, body = Envelope<MemberPage<ItemView>>), (status = 401, body = Envelope<serde_json::Value>)))]
pub async fn downloads(by: SignedIn, Query(page): Query<PageOf>) -> Answer<MemberPage<ItemView>> {
    list(&by, Use::Download, &page).await
}

/// Returns what the member viewed, latest first.
#[utoipa::path(get, path = "/rc-pub/front/frontMembers/historys", tag = "member", operation_id = "memberHistory", params(PageOf),
    responses((status = 200, body = Envelope<MemberPage<ItemView>>), (status = 401, body = Envelope<serde_json::Value>)))]
pub async fn history(by: SignedIn, Query(page): Query<PageOf>) -> Answer<MemberPage<ItemView>> {
    list(&by, Use::View, &page).await
}

async fn list(by: &SignedIn, act: Use, page: &PageOf) -> Answer<MemberPage<ItemView>> {
    // The list has the latest uses of the member too.
    by.caller.app.member_uses.flush(&by.caller.app.store).await.map_err(by.failed())?;
    let (entries, total) = split(by.store().uses(act, page.window()).await.map_err(by.failed())?);
    let entry =
        |one: masthead_store::UsedItem| MemberListEntry { record: Some(one.id), listed: one.item, at: one.latest };
    let entries = entries.into_iter().map(entry).collect();
    Ok(by.caller.ok(page.of(items::shown(&by.caller, entries).await?, total)))
}

/// Query of a removal.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OneOrAll {
    /// Number of the entry (`record`); all without it.
    id: Option<i64>,
}

/// Removes an entry of the member's downloads, or all.
#[utoipa::path(delete, path = "/rc-pub/front/frontMembers/downloads", tag = "member", operation_id = "removeMemberDownloads",
    params(OneOrAll),
    responses((status = 200, body = Envelope<bool>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn remove_downloads(by: SignedIn, Query(query): Query<OneOrAll>) -> Answer<bool> {
    remove(&by, Use::Download, &query).await
}

/// Removes an entry of what the member viewed, or all.
#[utoipa::path(delete, path = "/rc-pub/front/frontMembers/historys", tag = "member", operation_id = "removeMemberHistory",
    params(OneOrAll),
    responses((status = 200, body = Envelope<bool>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn remove_history(by: SignedIn, Query(query): Query<OneOrAll>) -> Answer<bool> {
    remove(&by, Use::View, &query).await
}

async fn remove(by: &SignedIn, act: Use, query: &OneOrAll) -> Answer<bool> {
    by.caller.take(Action::PersonalChange)?;
    // The store takes 0 for all.
    if query.id.is_some_and(|id| id <= 0) {
        return Err(by.caller.fail(StatusCode::BAD_REQUEST, "bad_request"));
    }
    // Uses that are not written yet would come back.
    by.caller.app.member_uses.flush(&by.caller.app.store).await.map_err(by.failed())?;
    by.store().remove_uses(act, query.id).await.map_err(by.failed())?;
    Ok(done(by, "delete_success"))
}

/// The routes of this file.
pub(super) fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(downloads, remove_downloads)).routes(routes!(history, remove_history))
}
