//! The navigation beside a page of text: the channels next to its own, and the site's other texts.

use masthead_domain::{
    Lang, LocalText,
    link::is_web,
    resource::{Composite, Information, ResourceKind, Stored},
    route::{Route, TextPage},
    site::{Channel, Site},
};
use masthead_store::{List, ListQuery};
use maud::{Markup, html};

use super::{MAX_TEXTS, READ_TEXTS};
use crate::page::{
    channel_links::{self, ChannelLink, Targets},
    content::bidi,
    context::{Context, PageError},
    menu,
};

/// Codes of channels that menus do not list and pages of text lead to.
const TEXT_CODES: [&str; 5] = ["introduce", "subaboutus", "contact", "subcontact", "reader"];

/// The texts of a page and the navigation beside it.
pub struct Texts {
    /// The texts of the page itself.
    pub own: Vec<Stored<Information>>,
    /// The others of the site.
    pub others: Others,
}

/// The texts of the site that are not those of the page.
pub struct Others {
    /// The first ones.
    pub texts: Vec<Stored<Information>>,
    /// Whether there are further ones.
    pub more: bool,
}

/// The site's texts, those of a channel apart.
pub async fn texts(context: &Context<'_>, channel: Option<&Channel>) -> Result<Texts, PageError> {
    Ok(texts_and_composite(context, channel, "").await?.0)
}

/// The site's texts, those of a channel apart, and the composite page with this key, if there is one; in one query.
pub async fn texts_and_composite(
    context: &Context<'_>,
    channel: Option<&Channel>,
    composite: &str,
) -> Result<(Texts, Option<Composite>), PageError> {
    // Where a site has very many texts, those of a channel may not be among the first: they are asked for by each of its names.
    let names = channel.map(names).unwrap_or_default();
    let sections = std::iter::once(String::new()).chain(names);
    let mut queries: Vec<ListQuery> =
        sections.map(|name| ListQuery::Resources(ResourceKind::Information, name, READ_TEXTS)).collect();
    let composite = Some(composite).filter(|key| !key.is_empty());
    queries.extend(composite.map(|key| ListQuery::Named(ResourceKind::Composite, key.to_owned())));
    let mut lists = context.store.lists(&queries).await?;
    let composite = match composite.and_then(|_| lists.pop()) {
        Some(list) => list.resources::<Composite>()?.pop().map(|stored| stored.value),
        None => None,
    };
    let mut lists = lists.iter();
    let mut others = lists.next().map(List::resources::<Information>).transpose()?.unwrap_or_default();
    let mut own = Vec::new();
    while own.is_empty()
        && let Some(list) = lists.next()
    {
        own = list.resources::<Information>()?;
    }
    let more = others.len() > MAX_TEXTS;
    others.truncate(MAX_TEXTS);
    others.retain(|stored| !own.iter().any(|one: &Stored<Information>| one.id == stored.id));
    Ok((Texts { own, others: Others { texts: others, more } }, composite))
}

/// The codes by which texts name a channel, the most exact first: what it is linked to, its number, its own code.
fn names(channel: &Channel) -> Vec<String> {
    let linked = channel.link_value.trim();
    let linked = Some(linked).filter(|link| !is_web(link));
    let names = linked.into_iter().map(str::to_owned).chain([channel.id.to_string(), channel.code.clone()]);
    names.filter(|name| !name.is_empty()).collect()
}

/// The channel with this number.
pub fn by_id(site: &Site, id: i64) -> Option<&Channel> {
    site.channels.iter().find(|channel| channel.id == id && channel.enable == "1")
}

/// The channel that the query names (`columnId`, or its child `childId`), else the first one with one of these codes.
pub fn asked<'a>(context: &'a Context<'_>, codes: &[&str]) -> Option<&'a Channel> {
    let site = &context.entry.site;
    let given = |name: &str| by_id(site, context.parameter(name).parse().ok()?);
    let column = given("columnId");
    let child = given("childId").filter(|child| column.is_none_or(|column| child.parent_id == column.id));
    child.or(column).or_else(|| {
        let has_code = |code: &&str| site.channels.iter().find(|one| one.enable == "1" && one.code == **code);
        codes.iter().find_map(has_code)
    })
}

/// The name of a channel in every language that it has.
pub fn name(channel: &Channel) -> LocalText {
    let mut name = channel.names.clone();
    for (lang, single) in [(Lang::Zh, &channel.name), (Lang::En, &channel.en_name)] {
        if name.exact(lang).is_none() && !single.trim().is_empty() {
            name.0.insert(lang, single.trim().to_owned());
        }
    }
    name
}

/// An entry of the navigation.
pub struct SideEntry {
    /// What it is called.
    pub label: Markup,
    /// Where it leads.
    pub href: String,
    /// Whether it opens in a new tab.
    pub new_tab: bool,
    /// Whether it is the page itself.
    pub current: bool,
}

/// The channels under one parent that have a name.
fn below<'a>(context: &'a Context<'_>, parent: i64) -> impl Iterator<Item = &'a Channel> {
    let site = &context.entry.site;
    let is_text = |channel: &Channel| channel.enable == "1" && TEXT_CODES.contains(&channel.code.as_str());
    let listed: Vec<i64> = menu::listed_channels(site, context.lang()).map(|channel| channel.id).collect();
    site.channels.iter().filter(move |channel| {
        channel.parent_id == parent && channel.id != parent && (listed.contains(&channel.id) || is_text(channel))
    })
}

/// The entries of channels; `current` is the number of the page's own.
async fn entries(context: &Context<'_>, channels: &[&Channel], current: i64) -> Result<Vec<SideEntry>, PageError> {
    if channels.is_empty() {
        return Ok(Vec::new());
    }
    let targets = targets(context).await?;
    let entry = |channel: &&Channel| {
        let ChannelLink { href, new_tab } = link(context, channel, &targets);
        let label = bidi::local(&name(channel), context.lang());
        SideEntry { label, href, new_tab, current: channel.id == current }
    };
    Ok(channels.iter().map(entry).collect())
}

/// What the links of channels depend on. The path of the page is left out, so that a channel that switches the language leads to the home page.
async fn targets<'a>(context: &'a Context<'_>) -> Result<Targets<'a>, PageError> {
    let experts = context.first_experts().await?;
    let issues = context.issues().await?;
    Ok(Targets { issues, experts, languages: &context.entry.languages, path: "" })
}

fn link(context: &Context<'_>, channel: &Channel, targets: &Targets<'_>) -> ChannelLink {
    let site = &context.entry.site;
    let place = menu::place(site, channel, context.lang());
    channel_links::link(site, channel, place, &context.addresses, targets)
}

/// The link of a channel, as the menu has it.
pub async fn menu_link(context: &Context<'_>, channel: &Channel) -> Result<ChannelLink, PageError> {
    Ok(link(context, channel, &targets(context).await?))
}

/// The channels beside a channel, or below one of the first level.
pub async fn channels(context: &Context<'_>, channel: &Channel) -> Result<Vec<SideEntry>, PageError> {
    let is_first_level = channel.parent_id == 0;
    let parent = if is_first_level { channel.id } else { channel.parent_id };
    let mut shown: Vec<&Channel> = below(context, parent).collect();
    if is_first_level && !shown.is_empty() {
        shown.insert(0, channel);
    }
    entries(context, &shown, channel.id).await
}

/// The channels below a channel.
pub async fn children(context: &Context<'_>, channel: &Channel) -> Result<Vec<SideEntry>, PageError> {
    let below: Vec<&Channel> = below(context, channel.id).collect();
    entries(context, &below, 0).await
}

/// The entries of texts that no channel leads to, and one of the list of all texts if there are more.
pub fn of_texts(context: &Context<'_>, others: &Others, current: i64) -> Vec<SideEntry> {
    let channels = &context.entry.site.channels;
    let leads = |text: &Information| {
        let names = |channel: &Channel| names(channel).contains(&text.code);
        channels.iter().any(|channel| channel.enable == "1" && !text.code.is_empty() && names(channel))
    };
    let free = others.texts.iter().filter(|stored| stored.id == current || !leads(&stored.value));
    let entry = |stored: &Stored<Information>| SideEntry {
        label: bidi::local(&stored.value.title, context.lang()),
        href: context.addresses.route(&address(context, stored)),
        new_tab: false,
        current: stored.id == current,
    };
    let all = || SideEntry {
        label: html! { (context.texts.get("view_all")) },
        href: context.addresses.route(&Route::Text(TextPage::Texts)),
        new_tab: false,
        current: false,
    };
    let titled = free.filter(|stored| !stored.value.title.is_empty());
    titled.map(entry).chain(others.more.then(all)).collect()
}

/// The route of a text: by its number, or by its key where the number is that of a channel with a page of its own.
pub fn address(context: &Context<'_>, stored: &Stored<Information>) -> Route {
    if super::channel::of_number(&context.entry.site, stored.id).is_some() {
        return Route::Text(TextPage::Text(stored.value.key.clone()));
    }
    Route::Information(stored.id)
}

/// A page with the navigation beside its content; without entries to go to, the content alone.
pub fn beside(context: &Context<'_>, entries: &[SideEntry], content: &Markup) -> Markup {
    if entries.iter().all(|entry| entry.current) {
        return html! { (content) };
    }
    html! {
        div.with-side {
            nav.side-nav aria-label=(context.texts.get("in_this_section")) {
                ul {
                    @for entry in entries {
                        li {
                            a href=(entry.href) aria-current=[entry.current.then_some("page")]
                                target=[entry.new_tab.then_some("_blank")] rel=[entry.new_tab.then_some("noopener")] { (entry.label) }
                        }
                    }
                }
            }
            div.side-content { (content) }
        }
    }
}
