//! Favourites of members.

use std::sync::Arc;

use axum::{
    Json,
    body::Bytes,
    extract::{Query, RawQuery},
    http::StatusCode,
};
use masthead_domain::member::ListedItem;
use masthead_store::{ItemFilter, Saving};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::{
    items::{self, ItemView, MemberListEntry, NamedItem},
    personal::{MemberPage, PageOf, done, keyword, split, type_of},
};
use crate::{
    api::{envelope::ApiError, signed_in::SignedIn, types::Envelope},
    app::{App, rate_limits::Action},
    routing::routes,
};

/// Greatest number of favourites of a member.
const MOST: i64 = 5_000;

/// Items that a member selected.
#[derive(Deserialize, ToSchema)]
pub struct ItemSelection {
    /// One to five items.
    pub(super) items: Vec<NamedItem>,
}

/// The selected items as lists keep them; all of them are the site's.
///
/// # Errors
/// 400 for a selection that is none, 404 if the site does not have one of the items.
pub(super) async fn existing(by: &SignedIn, selection: &ItemSelection) -> Result<Vec<ListedItem>, ApiError> {
    let asked = items::selected(&by.caller, &selection.items)?;
    let mut known = items::known(&by.caller, &asked).await?;
    let listed = asked.into_iter().map(|item| Some(known.remove(&item)?.listed(item)));
    listed.collect::<Option<Vec<_>>>().ok_or_else(|| by.caller.fail(StatusCode::NOT_FOUND, "no_data"))
}

/// Adds items to the favourites: all or none. Those that are there already stay.
#[utoipa::path(post, path = "/rc-pub/front/frontMembers/collect", tag = "member", operation_id = "collect",
    request_body = ItemSelection,
    responses((status = 200, body = Envelope<bool>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn collect(by: SignedIn, body: Bytes) -> Result<Json<Envelope<bool>>, ApiError> {
    by.caller.take(Action::PersonalChange)?;
    let selection: ItemSelection = by.caller.json(&body)?;
    let items = existing(&by, &selection).await?;
    match by.store().collect(&items, MOST, by.now()).await.map_err(by.failed())? {
        Saving::Saved(()) => Ok(done(&by, "collect_success")),
        Saving::Full | Saving::Missing => Err(by.caller.fail(StatusCode::BAD_REQUEST, "favourites_full")),
    }
}

/// Query of a page of items.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ItemsOf {
    /// Type of the items; all without it.
    #[serde(default, rename = "type")]
    kind: String,
    /// Word in the title.
    #[serde(default)]
    keyword: String,
}

impl ItemsOf {
    /// The entries to read from a list.
    pub(super) fn filter<'a>(&'a self, by: &SignedIn) -> Result<ItemFilter<'a>, ApiError> {
        Ok(ItemFilter { kind: type_of(&by.caller, &self.kind)?, keyword: keyword(&by.caller, &self.keyword)? })
    }
}

/// Returns the favourites, latest first.
#[utoipa::path(get, path = "/rc-pub/front/frontMembers/collects", tag = "member", operation_id = "collects",
    params(ItemsOf, PageOf),
    responses((status = 200, body = Envelope<MemberPage<ItemView>>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>)))]
pub async fn collects(
    by: SignedIn,
    Query(query): Query<ItemsOf>,
    Query(page): Query<PageOf>,
) -> Result<Json<Envelope<MemberPage<ItemView>>>, ApiError> {
    let listed = by.store().favourites(query.filter(&by)?, page.window()).await.map_err(by.failed())?;
    let (entries, total) = split(listed);
    let entries =
        entries.into_iter().map(|one| MemberListEntry { record: None, listed: one.item, at: one.added }).collect();
    Ok(by.caller.ok(page.of(items::shown(&by.caller, entries).await?, total)))
}

/// Query with an item.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OfItem {
    /// Type of the item.
    #[serde(rename = "type")]
    kind: String,
    /// Its number; of a journal, its key.
    id: String,
}

/// Whether an item is among the favourites.
#[utoipa::path(get, path = "/rc-pub/front/frontMembers/isCollect", tag = "member", operation_id = "isCollect", params(OfItem),
    responses((status = 200, body = Envelope<bool>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>)))]
pub async fn is_collected(by: SignedIn, Query(query): Query<OfItem>) -> Result<Json<Envelope<bool>>, ApiError> {
    let item = items::item(&query.kind, &query.id);
    let item = item.ok_or_else(|| by.caller.fail(StatusCode::BAD_REQUEST, "bad_request"))?;
    Ok(by.caller.ok(by.store().is_favourite(&item).await.map_err(by.failed())?))
}

/// Removes favourites. Those that are none are no failure.
#[utoipa::path(delete, path = "/rc-pub/front/frontMembers/unCollectByIdAndType", tag = "member", operation_id = "unCollect",
    params(("type" = String, Query, description = "Type of the items; or one for each id, in the same order"),
        ("id" = String, Query, description = "An item; may be repeated")),
    responses((status = 200, body = Envelope<bool>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn remove(by: SignedIn, RawQuery(query): RawQuery) -> Result<Json<Envelope<bool>>, ApiError> {
    by.caller.take(Action::PersonalChange)?;
    let items = items::of_query(&by.caller, query.as_deref())?;
    by.store().remove_favourites(&items).await.map_err(by.failed())?;
    Ok(done(&by, "uncollect_success"))
}

/// The routes of this file.
pub(super) fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(collect))
        .routes(routes!(collects))
        .routes(routes!(is_collected))
        .routes(routes!(remove))
}
