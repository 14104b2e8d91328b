//! Calls about the navigation: the configured channels, the menu built from them, and the blocks of a channel's page.

use std::{collections::BTreeSet, sync::Arc};

use axum::{Json, extract::Query};
use masthead_domain::{
    Lang,
    resource::Composite,
    site::{Channel, Site},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    collections::{self, BlockView},
    envelope::{ApiError, Caller},
    types::Envelope,
};
use crate::page::types::MenuLink;
use crate::{
    app::App,
    failure::Failure,
    page::{channel_links::Targets, menu},
    routing::routes,
    schema::{self, FromDomain},
};

/// Greatest number of blocks on a channel's page; a block with a composite page costs queries of its own.
const MAX_BLOCKS: usize = 40;

/// A channel with its child channels.
#[derive(Serialize, ToSchema)]
pub struct ChannelNode {
    /// The channel.
    #[serde(flatten)]
    channel: schema::Channel,
    /// The child channels, in order.
    #[schema(no_recursion)]
    children: Vec<ChannelNode>,
}

/// An entry of the menu.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MenuItem {
    /// Id of the channel.
    id: i64,
    /// Code of the channel.
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
    /// Position on its level, from 0.
    value: usize,
    /// Position of the parent, from 0; equal to `value` on the first level.
    parent_index: usize,
    /// Id of the banner above the page, or 0.
    banner_id: i64,
    /// News tab that is initially selected, or "".
    news_data_type: String,
    /// Style id of the page, or 0.
    style_id: i32,
    /// Address, complete with prefix and language.
    href: String,
    /// Whether the link opens in a new tab.
    new_tab: bool,
    /// Entries of the second level.
    #[schema(no_recursion)]
    children: Vec<MenuItem>,
}

/// The configured channels, and the menu.
#[derive(Serialize, ToSchema)]
pub struct Channels {
    /// The channels as a tree.
    channels: Vec<ChannelNode>,
    /// The menu in the caller's language.
    menu: Vec<MenuItem>,
}

/// Query of the channel list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Filtered {
    /// `true` lists only channels that the menu shows in the caller's language: enabled, named, not of an excluded
    /// code, and not children of home or science.
    filter: Option<bool>,
}

fn tree(channels: &[&Channel]) -> Vec<ChannelNode> {
    let ids: BTreeSet<i64> = channels.iter().map(|channel| channel.id).collect();
    // A channel whose parent is not in the list is put on the first level. The tree has three levels.
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
            name: own.own_label(Lang::Zh).unwrap_or_default().to_owned(),
            en_name: own.own_label(Lang::En).unwrap_or_default().to_owned(),
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

/// Returns the channel list and the menu.
#[utoipa::path(get, path = "/rc-pub/front/site/getChannelList", tag = "site", params(Filtered),
    responses((status = 200, body = Envelope<Channels>)))]
pub async fn channels(caller: Caller, Query(query): Query<Filtered>) -> Result<Json<Envelope<Channels>>, ApiError> {
    let site = &caller.entry().site;
    let content = caller.app.menu_content(caller.entry()).await.map_err(caller.store_failed())?;
    let languages = &caller.entry().languages;
    let targets = Targets { issues: &content.issues, experts: &content.experts, languages, path: "" };
    let menu = items(site, menu::menu(site, &caller.addresses(), &targets, ""), None);
    let listed: Vec<&Channel> = if query.filter == Some(true) {
        menu::listed_channels(site, caller.lang).collect()
    } else {
        site.channels.iter().collect()
    };
    Ok(caller.ok(Channels { channels: tree(&listed), menu }))
}

/// A block of a channel's page: a child channel with its content.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModuleView {
    /// The channel that configures the block.
    #[serde(flatten)]
    channel: schema::Channel,
    /// Heading in the caller's language.
    label: String,
    /// Blocks of the composite page that the channel names.
    blocks: Vec<BlockView>,
}

/// Query with a channel's id.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct OfChannel {
    /// Id of the channel.
    channel_id: i64,
}

/// Returns the blocks of a channel's page: the channel itself if it names a composite page, then its enabled child
/// channels that have a name in the caller's language, in order.
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
    for channel in shown.take(MAX_BLOCKS) {
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

/// The routes of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(channels)).routes(routes!(modules))
}
