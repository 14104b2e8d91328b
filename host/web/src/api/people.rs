//! Calls about experts and editorial boards.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use axum::{
    Json,
    extract::{Path, Query},
};
use masthead_domain::resource::{Board, Expert, Role, Stored};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    envelope::{ApiError, Caller},
    listing::{self, Entry, Filter, Page, Paging},
    types::Envelope,
};
use crate::{
    app::App,
    i18n,
    routing::routes,
    schema::{self, FromDomain},
};

/// Default number of experts on a page (specification section 9).
const EXPERTS: u32 = 10;
/// Default number of boards on a page.
const BOARDS: u32 = 5;
/// Greatest number of boards on a page: each board is returned with all its members.
const MAX_BOARDS: u32 = 20;

/// Returns experts: a list that holds one page of them, in the editors' manual order.
///
/// `sort` is accepted but ignored: the manual order is the only one.
#[utoipa::path(get, path = "/rc-pub/front/front-expert/list", tag = "resource", operation_id = "expertList",
    params(Paging, ("topicId" = Option<String>, Query, description = "Key of the topic that they are listed under"),
        ("sort" = Option<String>, Query, description = "Accepted; the order by hand is the only one")),
    responses((status = 200, body = Envelope<Vec<Page<Entry<schema::Expert>>>>)))]
pub async fn experts(
    caller: Caller,
    Query(mut paging): Query<Paging>,
    Query(query): Query<BTreeMap<String, String>>,
) -> Result<Json<Envelope<Vec<Page<Entry<schema::Expert>>>>>, ApiError> {
    paging.size = paging.size.or(Some(EXPERTS));
    let filter = Filter { name: "topicId", values: &[] };
    let mut page = listing::page::<Expert>(&caller, &paging, &filter, &query).await?;
    let content = std::mem::take(&mut page.content);
    let content = content.into_iter().map(|stored| Entry::short(&caller, stored)).collect();
    // The specification's client reads `data[0].content[0].id`.
    Ok(caller.ok(vec![page.map(content)]))
}

/// Returns an expert.
#[utoipa::path(get, path = "/rc-pub/front/front-expert/{id}", tag = "resource", operation_id = "expertOne",
    params(("id" = String, Path, description = "Number or key")),
    responses((status = 200, body = Envelope<Entry<schema::Expert>>)))]
pub async fn expert(caller: Caller, Path(id): Path<String>) -> Result<Json<Envelope<Entry<schema::Expert>>>, ApiError> {
    let stored = listing::stored::<Expert>(&caller, &id).await?;
    Ok(caller.ok(Entry::of(&caller, stored)))
}

/// The members of a board with the same role.
#[derive(Serialize, ToSchema)]
pub struct RoleGroup {
    /// The role.
    role: schema::Role,
    /// Name of the role in the reader's language.
    label: String,
    /// The members with this role, in order.
    experts: Vec<Entry<schema::Expert>>,
}

/// An editorial board by roles.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardView {
    /// Id of the board.
    id: i64,
    /// Key.
    key: String,
    /// Name in the reader's language.
    res_name: String,
    /// Key of the journal, or "".
    journal: String,
    /// First day of its term, ISO 8601, or "".
    date: String,
    /// The members by role, the editor-in-chief first.
    roles: Vec<RoleGroup>,
}

type ExpertsByKey = HashMap<String, Stored<Expert>>;

async fn members(caller: &Caller, boards: &[Stored<Board>]) -> Result<ExpertsByKey, ApiError> {
    let mut keys: Vec<&str> =
        boards.iter().flat_map(|board| &board.value.seats).map(|seat| seat.expert.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    caller.store().resources_by_keys(&keys).await.map_err(caller.store_failed())
}

fn view(caller: &Caller, board: Stored<Board>, experts: &ExpertsByKey) -> BoardView {
    let group = |role: Role| {
        let seats = board.value.seats.iter().filter(|seat| seat.role == role);
        let experts: Vec<_> = seats
            .filter_map(|seat| experts.get(&seat.expert))
            .map(|expert| Entry::short(caller, expert.clone()))
            .collect();
        let label = caller.app.messages.get(caller.lang, i18n::role(role)).to_owned();
        RoleGroup { role: FromDomain::from_domain(role), label, experts }
    };
    let roles = Role::ALL.into_iter().map(group).filter(|group| !group.experts.is_empty()).collect();
    let Stored { id, value: Board { key, title, journal, date, .. } } = board;
    BoardView { id, key, res_name: title.get(caller.lang).to_owned(), journal, date, roles }
}

/// Returns editorial boards with their members; at most 20 on a page.
#[utoipa::path(get, path = "/rc-pub/front/front-expert/boards", tag = "resource", operation_id = "boardList",
    params(Paging, ("journal" = Option<String>, Query, description = "Key of the journal")),
    responses((status = 200, body = Envelope<Page<BoardView>>)))]
pub async fn boards(
    caller: Caller,
    Query(mut paging): Query<Paging>,
    Query(query): Query<BTreeMap<String, String>>,
) -> Result<Json<Envelope<Page<BoardView>>>, ApiError> {
    paging.size = Some(paging.size.unwrap_or(BOARDS).min(MAX_BOARDS));
    let filter = Filter { name: "journal", values: &[] };
    let mut page = listing::page::<Board>(&caller, &paging, &filter, &query).await?;
    let content = std::mem::take(&mut page.content);
    let experts = members(&caller, &content).await?;
    let content = content.into_iter().map(|board| view(&caller, board, &experts)).collect();
    Ok(caller.ok(page.map(content)))
}

/// Returns an editorial board with its members by role.
#[utoipa::path(get, path = "/rc-pub/front/front-expert/boards/{id}", tag = "resource", operation_id = "boardOne",
    params(("id" = String, Path, description = "Id or key")),
    responses((status = 200, body = Envelope<BoardView>)))]
pub async fn board(caller: Caller, Path(id): Path<String>) -> Result<Json<Envelope<BoardView>>, ApiError> {
    let stored = listing::stored::<Board>(&caller, &id).await?;
    let experts = members(&caller, std::slice::from_ref(&stored)).await?;
    Ok(caller.ok(view(&caller, stored, &experts)))
}

/// The routes of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(experts)).routes(routes!(expert)).routes(routes!(boards)).routes(routes!(board))
}
