//! Editorial boards: members by role, and the details of one of them.

use std::collections::HashMap;

use masthead_domain::{
    resource::{Board, Expert, ResourceKind, Role, Stored},
    route::{Route, TextPage},
};
use masthead_store::ListQuery;
use maud::{Markup, html};

use super::{
    channel::{head, heading},
    people, side, with_query,
};
use crate::{
    i18n,
    page::{
        content::{bidi, message::absent},
        context::{Context, Page, PageError},
    },
};

/// Boards that can be chosen from: the present one and earlier ones of the site's journals.
const MAX_BOARDS: i64 = 50;
/// Members of a site without a board that its page shows. The list of experts has more of them.
const MAX_EXPERTS: usize = 200;

/// Experts by key.
pub type Experts = HashMap<String, Stored<Expert>>;

/// `editorial-board/:id?/:editorialId?`.
pub async fn page(context: &Context<'_>, id: i64, expert: i64) -> Result<Page, PageError> {
    let site = &context.entry.site;
    let channel = side::by_id(site, id);
    if id > 0 && channel.is_none() {
        return Ok(absent(context));
    }
    let boards = context.store.resources::<Board>("", None, MAX_BOARDS).await?;
    let asked = context.parameter("board");
    let board = boards.iter().find(|stored| stored.id.to_string() == asked).or_else(|| boards.first());
    let (experts, all) = match board {
        Some(board) => (members(context, &board.value).await?, None),
        None => listed(context, id).await?,
    };
    let open = match experts.values().find(|stored| stored.id == expert) {
        Some(found) => Some(found.clone()),
        None if expert > 0 => match context.store.resource::<Expert>(expert).await? {
            Some(found) => Some(found),
            None => return Ok(absent(context)),
        },
        None => None,
    };
    let title = heading(context, channel, "editorial_board");
    let chosen = board.filter(|_| !asked.is_empty()).map(|board| board.id);
    let at = |expert: i64| {
        let path = context.addresses.route(&Route::Text(TextPage::Board(id, expert)));
        chosen.map_or_else(|| path.clone(), |board| format!("{path}?board={board}"))
    };
    let main = html! {
        (head(context, channel, &title))
        (choice(context, &boards, board.map(|board| board.id), id))
        @if experts.is_empty() { p.empty { (context.texts.get("no_data")) } }
        @if let Some(open) = &open { (detail(context, open)) }
        @match board {
            Some(board) => (roles(context, &board.value, &experts, expert, "h2", at)),
            None => (in_order(context, &experts, expert, at)),
        }
        @if let Some(all) = &all {
            p.publication-links { a.block-more href=(all) { (context.texts.get("view_all")) } }
        }
    };
    let title = open.map_or(title.clone(), |open| format!("{} · {title}", open.value.name.get(context.lang())));
    // A board that the site does not have may be any word.
    let cacheable = asked.is_empty() || board.is_some_and(|board| board.id.to_string() == asked);
    Ok(Page { cacheable, ..Page::list("editorial-board", title, main) })
}

/// The members of a board by key.
pub async fn members(context: &Context<'_>, board: &Board) -> Result<Experts, PageError> {
    let mut keys: Vec<&str> = board.seats.iter().map(|seat| seat.expert.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    Ok(context.store.resources_by_keys(&keys).await?)
}

/// The experts of a site that has no board: those under the channel's number as a topic, or else all. Where the page does not show all of them,
/// the address of the list that does is returned too.
async fn listed(context: &Context<'_>, channel: i64) -> Result<(Experts, Option<String>), PageError> {
    let topic = (channel > 0).then(|| channel.to_string());
    let topics: Vec<String> = topic.into_iter().chain([String::new()]).collect();
    // One more than are shown tells whether there are more.
    let limit = i64::try_from(MAX_EXPERTS + 1).unwrap_or(i64::MAX);
    let query = |topic: &String| ListQuery::Resources(ResourceKind::Expert, topic.clone(), limit);
    let lists = context.store.lists(&topics.iter().map(query).collect::<Vec<_>>()).await?;
    let mut found = topics.iter().zip(&lists).filter(|(_, list)| list.numbers().next().is_some());
    let Some((topic, list)) = found.next() else { return Ok((Experts::new(), None)) };
    let mut experts: Vec<Stored<Expert>> = list.resources()?;
    let path = context.addresses.route(&Route::Text(TextPage::Experts));
    let all = (experts.len() > MAX_EXPERTS).then(|| with_query(&path, [("topicId", topic.as_str())]));
    experts.truncate(MAX_EXPERTS);
    Ok((experts.into_iter().map(|stored| (stored.value.key.clone(), stored)).collect(), all))
}

/// The boards of the site, where there are several.
fn choice(context: &Context<'_>, boards: &[Stored<Board>], open: Option<i64>, channel: i64) -> Markup {
    let path = context.addresses.route(&Route::Text(TextPage::Board(channel, 0)));
    html! {
        @if boards.len() > 1 {
            nav.tabs aria-label=(context.texts.get("editorial_board")) {
                ul {
                    @for board in boards {
                        li {
                            a href={ (path) "?board=" (board.id) } aria-current=[(open == Some(board.id)).then_some("page")] {
                                (bidi::local(&board.value.title, context.lang()))
                            }
                        }
                    }
                }
            }
        } @else if let Some(board) = boards.first() {
            @if !board.value.title.is_empty() { p.page-lead { (bidi::local(&board.value.title, context.lang())) } }
        }
    }
}

fn detail(context: &Context<'_>, open: &Stored<Expert>) -> Markup {
    html! {
        section.block.person-open aria-labelledby="expert-name" {
            h2.block-title id="expert-name" {
                span { (bidi::local(&open.value.name, context.lang())) }
                a.block-more href=(context.addresses.route(&Route::Text(TextPage::Expert(open.id)))) { (context.texts.get("expert_profile")) }
            }
            (people::details(context, &open.value))
        }
    }
}

/// The members of a board by role, the editor-in-chief first, each group under a heading of this level.
pub fn roles(
    context: &Context<'_>,
    board: &Board,
    experts: &Experts,
    open: i64,
    level: &str,
    at: impl Fn(i64) -> String,
) -> Markup {
    let group = |role: Role| -> Vec<&Stored<Expert>> {
        let seats = board.seats.iter().filter(|seat| seat.role == role);
        seats.filter_map(|seat| experts.get(&seat.expert)).collect()
    };
    let groups = Role::ALL.into_iter().map(|role| (role, group(role))).filter(|(_, group)| !group.is_empty());
    html! {
        @for (role, group) in groups {
            section.block {
                @let name = context.texts.get(i18n::role(role));
                @if level == "h2" { h2.block-title { (name) } } @else { h3.block-title { (name) } }
                (cards(context, &group, open, &at))
            }
        }
    }
}

fn in_order(context: &Context<'_>, experts: &Experts, open: i64, at: impl Fn(i64) -> String) -> Markup {
    let mut all: Vec<&Stored<Expert>> = experts.values().collect();
    all.sort_by_key(|stored| (stored.value.position, stored.id));
    cards(context, &all, open, &at)
}

fn cards(context: &Context<'_>, experts: &[&Stored<Expert>], open: i64, at: &impl Fn(i64) -> String) -> Markup {
    html! {
        ul.people {
            @for stored in experts { (people::card(context.lang(), &stored.value, &at(stored.id), stored.id == open)) }
        }
    }
}
