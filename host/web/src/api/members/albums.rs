//! Personal albums: lists of items that a member names and gives a cover.

use std::sync::Arc;

use axum::{
    Json,
    body::Bytes,
    extract::{Query, RawQuery},
    http::StatusCode,
};
use masthead_accounts::{pictures::Purpose, profile};
use masthead_store::{Album, AlbumEntry, AlbumText, Saving};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::{
    favourites::{self, ItemSelection, ItemsOf},
    items::{self, ItemView, MemberListEntry, NamedItem},
    personal::{MemberPage, PageOf, done, keyword, split, with_message},
    uploads,
};
use crate::{
    api::{envelope::ApiError, signed_in::SignedIn, types::Envelope},
    app::{App, rate_limits::Action},
    routing::routes,
};

/// Greatest number of albums of a member.
const MOST: i64 = 100;
/// Greatest number of items in an album.
const MOST_ITEMS: i64 = 1_000;

type Answer<T> = Result<Json<Envelope<T>>, ApiError>;

/// What a member writes of an album.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlbumDraft {
    /// Number of the album that changes; without it, for a new one.
    #[serde(default)]
    id: Option<i64>,
    /// Name.
    name: String,
    /// English name, or "".
    #[serde(default)]
    en_name: String,
    /// Id of the uploaded cover, or "".
    #[serde(default)]
    cover: String,
}

/// An album.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberAlbum {
    /// Its number.
    id: i64,
    /// Name.
    name: String,
    /// English name, or "".
    en_name: String,
    /// Id of the cover, or "".
    cover: String,
    /// Address of the cover, or "".
    cover_url: String,
    /// When it was made, ISO 8601 in the time zone of the site.
    created: String,
    /// When it or its items changed, ISO 8601 in the time zone of the site.
    changed: String,
}

impl MemberAlbum {
    fn of(by: &SignedIn, Album { id, text, created, changed }: Album) -> Self {
        let date = |at| by.caller.instant(at);
        let cover_url = uploads::address(by, &text.cover);
        let AlbumText { name, en_name, cover } = text;
        Self { id, name, en_name, cover, cover_url, created: date(created), changed: date(changed) }
    }
}

/// An album in a list.
#[derive(Serialize, ToSchema)]
pub struct ListedAlbum {
    /// The album.
    #[serde(flatten)]
    album: MemberAlbum,
    /// Number of its items.
    items: i64,
}

/// The number of an album.
#[derive(Serialize, ToSchema)]
pub struct AlbumId {
    /// The number.
    id: i64,
}

/// Query of a page of albums.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ByKeyword {
    /// Word in one of the names.
    #[serde(default)]
    keyword: String,
}

/// Returns the member's albums, latest change first.
#[utoipa::path(get, path = "/rc-pub/front/personalAlbum/search", tag = "member", operation_id = "personalAlbums",
    params(ByKeyword, PageOf),
    responses((status = 200, body = Envelope<MemberPage<ListedAlbum>>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>)))]
pub async fn search(
    by: SignedIn,
    Query(query): Query<ByKeyword>,
    Query(page): Query<PageOf>,
) -> Answer<MemberPage<ListedAlbum>> {
    let keyword = keyword(&by.caller, &query.keyword)?;
    let (entries, total) = split(by.store().albums(keyword, page.window()).await.map_err(by.failed())?);
    let listed = |AlbumEntry { album, items }| ListedAlbum { album: MemberAlbum::of(&by, album), items };
    Ok(by.caller.ok(page.of(entries.into_iter().map(listed).collect(), total)))
}

/// Makes an album.
#[utoipa::path(post, path = "/rc-pub/front/personalAlbum/saveAlbum", tag = "member", operation_id = "saveAlbum",
    request_body = AlbumDraft,
    responses((status = 200, body = Envelope<AlbumId>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn save(by: SignedIn, body: Bytes) -> Answer<AlbumId> {
    by.caller.take(Action::PersonalChange)?;
    let draft: AlbumDraft = by.caller.json(&body)?;
    let text = checked(&by, &draft, "").await?;
    match by.store().add_album(&text, MOST, by.now()).await.map_err(by.failed())? {
        Saving::Saved(id) => Ok(with_message(&by, AlbumId { id }, "submit_success")),
        Saving::Full | Saving::Missing => Err(by.caller.fail(StatusCode::BAD_REQUEST, "albums_full")),
    }
}

/// Changes an album.
#[utoipa::path(put, path = "/rc-pub/front/personalAlbum/editAlbum", tag = "member", operation_id = "editAlbum",
    request_body = AlbumDraft,
    responses((status = 200, body = Envelope<bool>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn edit(by: SignedIn, body: Bytes) -> Answer<bool> {
    by.caller.take(Action::PersonalChange)?;
    let draft: AlbumDraft = by.caller.json(&body)?;
    let before = own(&by, draft.id.unwrap_or_default()).await?;
    let text = checked(&by, &draft, &before.text.cover).await?;
    if !by.store().set_album(before.id, &text, by.now()).await.map_err(by.failed())? {
        return Err(by.caller.fail(StatusCode::NOT_FOUND, "album_needed"));
    }
    Ok(done(&by, "submit_success"))
}

/// Deletes albums with their entries; the items themselves stay. Albums that are gone are no failure.
#[utoipa::path(delete, path = "/rc-pub/front/personalAlbum/delete", tag = "member", operation_id = "deleteAlbums",
    params(("id" = i64, Query, description = "Number of an album; may be repeated")),
    responses((status = 200, body = Envelope<bool>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn delete(by: SignedIn, RawQuery(query): RawQuery) -> Answer<bool> {
    by.caller.take(Action::PersonalChange)?;
    let ids = items::numbers(&by.caller, query.as_deref())?;
    by.store().remove_albums(&ids).await.map_err(by.failed())?;
    uploads::remove_unused(&by).await?;
    Ok(done(&by, "delete_success"))
}

/// Query with an album.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ById {
    /// Number of the album.
    id: i64,
}

/// Returns an album.
#[utoipa::path(get, path = "/rc-pub/front/personalAlbum/info", tag = "member", operation_id = "personalAlbum", params(ById),
    responses((status = 200, body = Envelope<MemberAlbum>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn info(by: SignedIn, Query(query): Query<ById>) -> Answer<MemberAlbum> {
    let album = own(&by, query.id).await?;
    Ok(by.caller.ok(MemberAlbum::of(&by, album)))
}

/// Items to put into an album.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlbumSelection {
    /// Number of the album.
    album_id: i64,
    /// One to five items.
    items: Vec<NamedItem>,
}

/// Puts items into an album: all or none. Those that are there already stay.
#[utoipa::path(post, path = "/rc-pub/front/personalAlbum/res/addList", tag = "member", operation_id = "addToAlbum",
    request_body = AlbumSelection,
    responses((status = 200, body = Envelope<bool>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn add(by: SignedIn, body: Bytes) -> Answer<bool> {
    by.caller.take(Action::PersonalChange)?;
    let AlbumSelection { album_id, items } = by.caller.json(&body)?;
    let items = favourites::existing(&by, &ItemSelection { items }).await?;
    match by.store().add_to_album(album_id, &items, MOST_ITEMS, by.now()).await.map_err(by.failed())? {
        Saving::Saved(()) => Ok(done(&by, "submit_success")),
        Saving::Full => Err(by.caller.fail(StatusCode::BAD_REQUEST, "album_full")),
        Saving::Missing => Err(by.caller.fail(StatusCode::NOT_FOUND, "album_needed")),
    }
}

/// Query with an album and a type.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct OfAlbum {
    /// Number of the album.
    album_id: i64,
}

/// Takes items out of an album. Those that are not in it are no failure.
#[utoipa::path(delete, path = "/rc-pub/front/personalAlbum/res/delete", tag = "member", operation_id = "removeFromAlbum",
    params(OfAlbum, ("type" = String, Query, description = "Type of the items; or one for each id, in the same order"),
        ("id" = String, Query, description = "An item; may be repeated")),
    responses((status = 200, body = Envelope<bool>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn remove(by: SignedIn, Query(album): Query<OfAlbum>, RawQuery(query): RawQuery) -> Answer<bool> {
    by.caller.take(Action::PersonalChange)?;
    let items = items::of_query(&by.caller, query.as_deref())?;
    let album = own(&by, album.album_id).await?;
    by.store().remove_from_album(album.id, &items, by.now()).await.map_err(by.failed())?;
    Ok(done(&by, "delete_success"))
}

/// Returns the items of an album, latest first.
#[utoipa::path(get, path = "/rc-pub/front/personalAlbum/res/search", tag = "member", operation_id = "itemsOfAlbum",
    params(OfAlbum, ItemsOf, PageOf),
    responses((status = 200, body = Envelope<MemberPage<ItemView>>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn list(
    by: SignedIn,
    Query(album): Query<OfAlbum>,
    Query(query): Query<ItemsOf>,
    Query(page): Query<PageOf>,
) -> Answer<MemberPage<ItemView>> {
    let album = own(&by, album.album_id).await?;
    let listed = by.store().album_items(album.id, query.filter(&by)?, page.window()).await;
    let (entries, total) = split(listed.map_err(by.failed())?);
    let entries =
        entries.into_iter().map(|one| MemberListEntry { record: None, listed: one.item, at: one.added }).collect();
    Ok(by.caller.ok(page.of(items::shown(&by.caller, entries).await?, total)))
}

/// The member's album with this number; 404 if there is none, or if it belongs to another member.
async fn own(by: &SignedIn, id: i64) -> Result<Album, ApiError> {
    let found = by.store().album(id).await.map_err(by.failed())?;
    found.ok_or_else(|| by.caller.fail(StatusCode::NOT_FOUND, "album_needed"))
}

/// The album that is stored for a draft. Its cover is a picture that this member has uploaded as one, or the one that the album has.
async fn checked(by: &SignedIn, draft: &AlbumDraft, cover_before: &str) -> Result<AlbumText, ApiError> {
    let refused = |key| by.caller.fail(StatusCode::BAD_REQUEST, key);
    let text = |text| profile::text(text).map(str::to_owned).map_err(|error| refused(error.key()));
    let (name, en_name) = (text(&draft.name)?, text(&draft.en_name)?);
    if name.is_empty() {
        return Err(refused("album_name_needed"));
    }
    if draft.cover != cover_before && !uploads::is_own(by, &draft.cover, Purpose::AlbumCover).await? {
        return Err(refused(Purpose::AlbumCover.rule()));
    }
    Ok(AlbumText { name, en_name, cover: draft.cover.clone() })
}

/// The routes of this file.
pub(super) fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(search))
        .routes(routes!(save))
        .routes(routes!(edit))
        .routes(routes!(delete))
        .routes(routes!(info))
        .routes(routes!(add))
        .routes(routes!(remove))
        .routes(routes!(list))
}
