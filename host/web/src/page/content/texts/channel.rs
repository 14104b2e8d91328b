//! Pages of channels: about, contact, information, and what any other channel has.

use masthead_domain::{
    link::is_own_or_web,
    resource::{Information, ResourceKind, Stored},
    route::{Address, Route, TextPage},
    site::{Channel, Site},
};
use masthead_runtime::Call;
use masthead_store::ListPart;
use maud::{Markup, html};

use super::{
    composite, news,
    side::{self, Others, SideEntry, Texts},
    text, texts_in_order,
};
use crate::page::{
    channel_links::ChannelLink,
    content::{
        bidi, issue, journals,
        message::absent,
        paging::{self, Paging},
    },
    context::{Context, Page, PageError},
};

/// Codes of channels whose page says what is known of the journals.
const ABOUT_CODES: [&str; 4] = ["aboutus", "periodIntroduce", "introduce", "subaboutus"];
/// Codes of channels whose page says how to reach the editors.
const CONTACT_CODES: [&str; 2] = ["contact", "subcontact"];
/// Codes of channels whose page has the address `info/:id`.
const INFORMATION_CODES: [&str; 2] = ["item", "newItem"];

/// `about/:id?`: the texts of the channel, then the data of the journals.
pub async fn about(context: &Context<'_>, id: i64) -> Result<Page, PageError> {
    let site = &context.entry.site;
    let is_about = |channel: &&Channel| ABOUT_CODES.contains(&channel.code.as_str());
    let channel = side::by_id(site, id).filter(is_about).or_else(|| side::asked(context, &ABOUT_CODES));
    let Texts { own, others } = side::texts(context, channel).await?;
    let journals = context.journals().await?;
    let lang = context.lang();
    let title = heading(context, channel, "about");
    let content = html! {
        (texts_in_order(context, &title, &own))
        @if own.is_empty() && journals.is_empty() { p.empty { (context.texts.get("no_data")) } }
        @for journal in journals {
            section.block {
                h2.block-title { (issue::journal_link(context, journal)) }
                p.page-lead { (bidi::local(&journal.introduction, lang)) }
                (journals::facts(context, journal))
            }
        }
    };
    let entries = around(context, channel, &others, (&title, TextPage::About(0))).await?;
    let main = html! { (head(context, channel, &title)) (side::beside(context, &entries, &content)) };
    Ok(Page::list("about", title, main))
}

/// `contact`: the texts of the channel, or those that are filed under its codes.
pub async fn contact(context: &Context<'_>) -> Result<Page, PageError> {
    let named = side::asked(context, &CONTACT_CODES);
    let fallback = Channel { code: CONTACT_CODES[0].to_owned(), ..Channel::default() };
    let Texts { own, others } = side::texts(context, Some(named.unwrap_or(&fallback))).await?;
    let title = heading(context, named, "contact");
    let content = html! {
        @if own.is_empty() { p.empty { (context.texts.get("no_data")) } }
        (texts_in_order(context, &title, &own))
    };
    let entries = around(context, named, &others, (&title, TextPage::Contact)).await?;
    let main = html! { (head(context, named, &title)) (side::beside(context, &entries, &content)) };
    Ok(Page::list("contact", title, main))
}

/// `info`: the titles of all texts.
pub async fn all(context: &Context<'_>) -> Result<Page, PageError> {
    let asked = Paging::requested(context, paging::CARDS);
    let part = ListPart { offset: asked.offset(), limit: paging::CARDS, ..ListPart::default() };
    let page = context.store.resource_page(&[ResourceKind::Information], "", part).await?;
    let (texts, paging) = (news::read::<Information>(&page)?, asked.of(page.total));
    let title = context.texts.get("text_pages").to_owned();
    let address = context.addresses.route(&Route::Text(TextPage::Texts));
    let titled = texts.iter().filter(|stored| !stored.value.title.is_empty());
    let main = html! {
        div.page-head { h1 { (title) } }
        @if texts.is_empty() { p.empty { (context.texts.get("no_data")) } }
        ul.link-cards data-list {
            @for stored in titled {
                li { a href=(context.addresses.route(&side::address(context, stored))) { (bidi::local(&stored.value.title, context.lang())) } }
            }
        }
        (paging::more(context, &paging, |page| paging::at(&address, page)))
    };
    Ok(Page { cacheable: paging.exists(), ..Page::list("info", title, main) })
}

/// The channel with this number whose page is `info/:id`.
pub fn of_number(site: &Site, id: i64) -> Option<&Channel> {
    side::by_id(site, id).filter(|channel| INFORMATION_CODES.contains(&channel.code.as_str()))
}

/// `info/:id` with a number.
pub async fn information(context: &Context<'_>, call: &mut Call, id: i64) -> Result<Page, PageError> {
    if let Some(channel) = of_number(&context.entry.site, id) {
        return of(context, call, channel, "info").await;
    }
    let Texts { others, .. } = side::texts(context, None).await?;
    match others.texts.iter().find(|stored| stored.id == id) {
        Some(found) => Ok(one(context, found, &others)),
        None => {
            let found = context.store.resource::<Information>(id).await?;
            Ok(found.map_or_else(|| absent(context), |found| one(context, &found, &others)))
        }
    }
}

/// `info/:id` with a key.
pub async fn by_key(context: &Context<'_>, key: &str) -> Result<Page, PageError> {
    let Some(found) = context.store.resource_by_key::<Information>(key).await? else { return Ok(absent(context)) };
    let Texts { others, .. } = side::texts(context, None).await?;
    Ok(one(context, &found, &others))
}

fn one(context: &Context<'_>, stored: &Stored<Information>, others: &Others) -> Page {
    let (lang, information) = (context.lang(), &stored.value);
    let title = information.title.get(lang).to_owned();
    let content = text(&information.content, lang, &information.attachments);
    let main = html! {
        div.page-head { h1 { (bidi::local(&information.title, lang)) } }
        (side::beside(context, &side::of_texts(context, others, stored.id), &content))
    };
    Page::list("info", title, main)
}

/// `:code`: the page of a channel with any other code.
pub async fn of_code(context: &Context<'_>, call: &mut Call, code: &str) -> Result<Page, PageError> {
    match with_code(context, code) {
        Some(channel) => of(context, call, channel, "channel").await,
        None => Ok(absent(context)),
    }
}

/// The channel of `:code`: the one that the query names, else the first one with the code.
fn with_code<'a>(context: &'a Context<'_>, code: &str) -> Option<&'a Channel> {
    let site = &context.entry.site;
    // The number of a channel with another code says nothing about this page, unless it is one below it.
    let own = |channel: &&Channel| {
        channel.code == code || side::by_id(site, channel.parent_id).is_some_and(|above| above.code == code)
    };
    let first = || site.channels.iter().find(|one| one.enable == "1" && one.code == code);
    side::asked(context, &[code]).filter(own).or_else(first)
}

/// The address to which the menu leads for the channel of `:code`, if it is that of another page of the site; `None` for a channel whose page
/// has the address `:code`.
///
/// # Errors
/// The store's error, when the issues or experts to which the menu leads cannot be read.
pub async fn elsewhere(context: &Context<'_>, code: &str) -> Result<Option<String>, PageError> {
    let Some(channel) = with_code(context, code) else { return Ok(None) };
    let ChannelLink { href, new_tab } = side::menu_link(context, channel).await?;
    let path = href.strip_prefix(context.addresses.base.as_str()).unwrap_or(&href);
    let is_elsewhere = !new_tab && is_of_other_page(&context.entry.site, code, path);
    Ok(is_elsewhere.then_some(href))
}

/// Whether an address below the site's prefix is that of a page other than `:code`.
fn is_of_other_page(site: &Site, code: &str, address: &str) -> bool {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    match Route::of_site(&Address::split(&segments, false).rest, site) {
        // Operators choose the route of an item: it may be the code of another item, whose route is the code of the first one. A code therefore
        // leads to another code only from an item to a channel that is no item.
        Some(Route::Text(TextPage::Channel(other))) => {
            INFORMATION_CODES.contains(&code) && !INFORMATION_CODES.contains(&other.as_str())
        }
        found => found.is_some(),
    }
}

/// The page of a channel, of what the channel has: texts, a composite page or news, and the channels below it.
async fn of(context: &Context<'_>, call: &mut Call, channel: &Channel, route: &str) -> Result<Page, PageError> {
    let key = composite::key(context, channel);
    let (Texts { own, .. }, composite) = side::texts_and_composite(context, Some(channel), key).await?;
    let title = heading(context, Some(channel), "text_pages");
    let blocks = match composite {
        Some(composite) => Some(composite::beginning(context, call, key, &composite.blocks).await?),
        None => None,
    };
    let listed = if blocks.is_none() { news::of_type(context, channel).await? } else { None };
    let (listed, exists) = listed.map_or((None, true), |(list, exists)| (Some(list), exists));
    let below = side::children(context, channel).await?;
    // The menu leads to this address, and not to the page.
    let linked = Some(channel.link_value.trim()).filter(|link| channel.code == "jump" && is_own_or_web(link));
    let is_empty = own.is_empty() && blocks.is_none() && listed.is_none() && below.is_empty() && linked.is_none();
    let content = html! {
        (texts_in_order(context, &title, &own))
        @if let Some(blocks) = &blocks { (blocks) }
        @if let Some(listed) = &listed { (listed) }
        @if let Some(link) = linked {
            p { a.button href=(link) target="_blank" rel="noopener" { (context.texts.get("website")) } }
        }
        @if !below.is_empty() { (cards(context, &below)) }
        @if is_empty { p.empty { (context.texts.get("no_data")) } }
    };
    let entries = if channel.parent_id == 0 { Vec::new() } else { side::channels(context, channel).await? };
    let main = html! { (head(context, Some(channel), &title)) (side::beside(context, &entries, &content)) };
    // Without a list, there is no end of pages behind the first one.
    let cacheable = exists && (listed.is_some() || context.parameter("page").is_empty());
    Ok(Page { cacheable, ..Page::list(route, title, main) })
}

fn cards(context: &Context<'_>, below: &[SideEntry]) -> Markup {
    html! {
        h2.visually-hidden { (context.texts.get("in_this_section")) }
        ul.link-cards {
            @for entry in below {
                li {
                    a href=(entry.href) target=[entry.new_tab.then_some("_blank")] rel=[entry.new_tab.then_some("noopener")] { (entry.label) }
                }
            }
        }
    }
}

/// The navigation beside a page: channels where there are some, then texts that no channel leads to.
async fn around(
    context: &Context<'_>,
    channel: Option<&Channel>,
    others: &Others,
    (title, page): (&str, TextPage),
) -> Result<Vec<SideEntry>, PageError> {
    let mut entries = match channel {
        Some(channel) => side::channels(context, channel).await?,
        None => Vec::new(),
    };
    let texts = side::of_texts(context, others, 0);
    if entries.is_empty() && !texts.is_empty() {
        let label = html! { (title) };
        let href = context.addresses.route(&Route::Text(page));
        entries.push(SideEntry { label, href, new_tab: false, current: true });
    }
    entries.extend(texts);
    Ok(entries)
}

/// The name of a channel in the page's language, or a message.
pub fn heading(context: &Context<'_>, channel: Option<&Channel>, message: &'static str) -> String {
    let name = channel.map(side::name).filter(|name| !name.is_empty());
    name.map_or_else(|| context.texts.get(message).to_owned(), |name| name.get(context.lang()).to_owned())
}

/// The head of a page of a channel.
pub fn head(context: &Context<'_>, channel: Option<&Channel>, title: &str) -> Markup {
    let name = channel.map(side::name).filter(|name| !name.is_empty());
    html! {
        div.page-head {
            h1 { @match &name { Some(name) => { (bidi::local(name, context.lang())) } None => { (title) } } }
        }
    }
}
