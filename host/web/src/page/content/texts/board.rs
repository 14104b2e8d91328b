//! Editorial boards: members by role, and the details of one of them.

use std::collections::HashMap;

use masthead_domain::{
    resource::{Board, Expert, ResourceKind, Role, Stored},
    route::{Route, TextPage},
};
use masthead_store::ListPart;
use maud::{Markup, html};

use super::{
    channel::{head, heading},
    news, people, side,
};
use crate::{
    i18n,
    page::{
        content::{
            bidi,
            message::absent,
            paging::{self, Paging},
        },
        context::{Context, Page, PageError},
    },
};

/// Boards that can be chosen from: the present one and earlier ones of the site's journals.
const MAX_BOARDS: i64 = 50;
/// Experts on a page of a site without a board. The members of a board are shown whole, because they are in groups by role.
const PAGE_SIZE: u32 = 20;

/// Experts by key.
pub type Experts = HashMap<String, Stored<Expert>>;

/// The experts of a site without a board, as far as a page shows them.
struct Listed {
    experts: Vec<Stored<Expert>>,
    paging: Paging,
}

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
    let (seated, listed) = match board {
        Some(board) => (members(context, &board.value).await?, None),
        None => (Experts::new(), Some(listed(context, id).await?)),
    };
    let mut shown = seated.values().chain(listed.iter().flat_map(|listed| &listed.experts));
    let found = shown.find(|stored| stored.id == expert).cloned();
    let open = match found {
        Some(found) => Some(found),
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
        @if let Some(open) = &open { (detail(context, open)) }
        @if let Some(board) = board {
            @if seated.is_empty() { p.empty { (context.texts.get("no_data")) } }
            (roles(context, &board.value, &seated, expert, "h2", at))
        }
        @if let Some(listed) = &listed { (part(context, listed, expert, at)) }
    };
    let title = open.map_or(title.clone(), |open| format!("{} · {title}", open.value.name.get(context.lang())));
    // A board that the site does not have may be any word, and a board has no pages.
    let is_known = asked.is_empty() || board.is_some_and(|board| board.id.to_string() == asked);
    let exists = listed.map_or(context.parameter("page").is_empty(), |listed| listed.paging.exists());
    Ok(Page { cacheable: is_known && exists, ..Page::list("editorial-board", title, main) })
}

/// The members of a board by key.
pub async fn members(context: &Context<'_>, board: &Board) -> Result<Experts, PageError> {
    let mut keys: Vec<&str> = board.seats.iter().map(|seat| seat.expert.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    Ok(context.store.resources_by_keys(&keys).await?)
}

/// The experts of a site that has no board, in the order of the list of experts: those under the channel's number as a topic, or else all.
async fn listed(context: &Context<'_>, channel: i64) -> Result<Listed, PageError> {
    let asked = Paging::requested(context, PAGE_SIZE);
    let part = ListPart { offset: asked.offset(), limit: PAGE_SIZE, ..ListPart::default() };
    let topic = if channel > 0 { channel.to_string() } else { String::new() };
    let mut page = context.store.resource_page(&[ResourceKind::Expert], &topic, part).await?;
    if page.total == 0 && !topic.is_empty() {
        page = context.store.resource_page(&[ResourceKind::Expert], "", part).await?;
    }
    Ok(Listed { experts: news::read(&page)?, paging: asked.of(page.total) })
}

/// A page of the experts of a site without a board. `at` is the address at which an expert of the first page is open.
fn part(context: &Context<'_>, listed: &Listed, open: i64, at: impl Fn(i64) -> String) -> Markup {
    let Listed { experts, paging } = listed;
    let lang = context.lang();
    html! {
        @if experts.is_empty() {
            p.empty { (context.texts.get("no_data")) }
        } @else {
            ul.people data-list {
                @for stored in experts {
                    (people::card(lang, &stored.value, &paging::at(&at(stored.id), paging.page), stored.id == open))
                }
            }
        }
        (paging::more(context, paging, |page| paging::at(&at(open), page)))
    }
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

fn cards(context: &Context<'_>, experts: &[&Stored<Expert>], open: i64, at: &impl Fn(i64) -> String) -> Markup {
    html! {
        ul.people {
            @for stored in experts { (people::card(context.lang(), &stored.value, &at(stored.id), stored.id == open)) }
        }
    }
}
