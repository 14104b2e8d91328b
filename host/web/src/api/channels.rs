//! Calls about the navigation: channels, the menu made of them, and the blocks of a channel's page.

use std::{collections::BTreeSet, sync::Arc};

use axum::{Json, extract::Query};
use masthead_domain::{
    resource::Composite,
    site::{Channel, Site},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::api::{
    collections::{self, BlockView},
    envelope::{ApiError, Caller},
    types::Envelope,
};
use crate::page::types::MenuLink;
use crate::{
    app::App,
    failure::Failure,
    page::menu,
    schema::{self, FromDomain},
};

/// Modules of a page that are shown; one that shows a composite page costs queries of its own.
const MODULES: usize = 40;

/// A channel with those below it.
#[derive(Serialize, ToSchema)]
pub struct ChannelNode {
    /// The channel.
    #[serde(flatten)]
    channel: schema::Channel,
    /// The channels that name it as their parent, in order.
    #[schema(no_recursion)]
    children: Vec<ChannelNode>,
}

/// An entry of the menu.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MenuItem {
    /// Channel's number.
    id: i64,
    /// Channel's code.
    code: String,
    /// Chinese name.
    name: String,
    /// English name.
    en_name: String,
    /// Name in the caller's language.
    label: String,
    /// Route of an `item` channel, or "".
    route: String,
    /// Configured link of a `jump` channel, or "".
    link_value: String,
    /// Place on its level, from 0.
    value: usize,
    /// Place of its parent, from 0; the same as `value` on the first level.
    parent_index: usize,
    /// Number of the banner above the page, or 0.
    banner_id: i64,
    /// Tab of the news that it opens with, or "".
    news_data_type: String,
    /// Style id of the page, or 0.
    style_id: i32,
    /// Address, complete with prefix and language.
    href: String,
    /// Opens in a new tab.
    new_tab: bool,
    /// Second level.
    #[schema(no_recursion)]
    children: Vec<MenuItem>,
}

/// Channels as configured, and as the menu shows them.
#[derive(Serialize, ToSchema)]
pub struct Channels {
    /// The channels, each with those below it.
    channels: Vec<ChannelNode>,
    /// What the menu shows in the caller's language.
    menu: Vec<MenuItem>,
}

/// Whether to filter.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Filtered {
    /// `true`: only what the menu shows in the caller's language (enabled, named, of no excluded code, below neither home nor science).
    filter: Option<bool>,
}

fn tree(channels: &[&Channel]) -> Vec<ChannelNode> {
    let ids: BTreeSet<i64> = channels.iter().map(|channel| channel.id).collect();
    // A channel whose parent is not in the list stands on the first level; levels end where the menu ends.
    let is_top = |channel: &Channel| channel.parent_id == 0 || !ids.contains(&channel.parent_id);
    let node =
        |channel: &Channel| ChannelNode { channel: FromDomain::from_domain(channel.clone()), children: Vec::new() };
    let below = |id: i64| channels.iter().filter(move |channel| channel.parent_id == id && channel.id != id);
    let top = channels.iter().filter(|channel| is_top(channel));
    top.map(|channel| ChannelNode {
        children: below(channel.id)
            .map(|child| ChannelNode { children: below(child.id).map(|leaf| node(leaf)).collect(), ..node(child) })
            .collect(),
        ..node(channel)
    })
    .collect()
}

fn items(site: &Site, links: Vec<MenuLink>, parent: Option<usize>) -> Vec<MenuItem> {
    let all = links.into_iter().enumerate().map(|(value, link)| {
        let own = site.channels.iter().find(|channel| channel.id == link.id).cloned().unwrap_or_default();
        let parent_index = parent.unwrap_or(value);
        MenuItem {
            id: link.id,
            code: link.code,
            name: own.name,
            en_name: own.en_name,
            label: link.label,
            route: own.route,
            link_value: own.link_value,
            value,
            parent_index,
            banner_id: own.banner_id,
            news_data_type: own.news_data_type,
            style_id: own.style_id,
            href: link.href,
            new_tab: link.new_tab,
            children: items(site, link.children, Some(value)),
        }
    });
    all.collect()
}

/// The channel list, and the menu that is made of it.
#[utoipa::path(get, path = "/rc-pub/front/site/getChannelList", tag = "site", params(Filtered),
    responses((status = 200, body = Envelope<Channels>)))]
pub async fn channels(caller: Caller, Query(query): Query<Filtered>) -> Result<Json<Envelope<Channels>>, ApiError> {
    let store = caller.store();
    let issues = match store.journals().await.map_err(caller.store_failed())?.first() {
        Some(journal) => store.issues(&journal.key).await.map_err(caller.store_failed())?,
        None => Vec::new(),
    };
    let site = &caller.entry().site;
    let menu = items(site, menu::menu(site, &caller.addresses(), &issues, ""), None);
    let listed: Vec<&Channel> = if query.filter == Some(true) {
        menu::shown(site, caller.lang).collect()
    } else {
        site.channels.iter().collect()
    };
    Ok(caller.ok(Channels { channels: tree(&listed), menu }))
}

/// A block of a channel's page: a channel below it that stands in no menu, with what it shows.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModuleView {
    /// The channel that the block is configured as.
    #[serde(flatten)]
    channel: schema::Channel,
    /// Heading in the caller's language.
    label: String,
    /// Blocks of the composite page that it names.
    blocks: Vec<BlockView>,
}

/// Which page.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct OfChannel {
    /// The channel's number.
    channel_id: i64,
}

/// The blocks of a channel's page: the channel itself where it names a composite page, then the enabled channels below it
/// that have a name in the caller's language, in order.
#[utoipa::path(get, path = "/rc-pub/front/site/getModuleList", tag = "site", operation_id = "moduleList",
    params(OfChannel), responses((status = 200, body = Envelope<Vec<ModuleView>>)))]
pub async fn modules(
    caller: Caller,
    Query(query): Query<OfChannel>,
) -> Result<Json<Envelope<Vec<ModuleView>>>, ApiError> {
    let channels = &caller.entry().site.channels;
    let own = channels.iter().find(|channel| channel.id == query.channel_id && channel.enable == "1");
    let own = own.ok_or_else(|| caller.failed(Failure::NoData))?;
    let below = channels.iter().filter(|channel| channel.parent_id == own.id && channel.enable == "1");
    let shown = Some(own).filter(|own| !own.new_composite_id.is_empty()).into_iter().chain(below);
    let mut modules = Vec::new();
    for channel in shown.take(MODULES) {
        let Some(label) = channel.label(caller.lang) else { continue };
        modules.push(ModuleView {
            label: label.to_owned(),
            blocks: blocks(&caller, &channel.new_composite_id).await?,
            channel: FromDomain::from_domain(channel.clone()),
        });
    }
    Ok(caller.ok(modules))
}

async fn blocks(caller: &Caller, key: &str) -> Result<Vec<BlockView>, ApiError> {
    if key.is_empty() {
        return Ok(Vec::new());
    }
    let composite = caller.store().resource_by_key::<Composite>(key).await.map_err(caller.store_failed())?;
    match composite {
        Some(composite) => collections::blocks(caller, &composite.value).await,
        None => Ok(Vec::new()),
    }
}

/// The calls of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(channels)).routes(routes!(modules))
}
