//! News: the list under its tabs, a channel's news, and one item.

use masthead_domain::{
    link::{is_own, is_own_or_web},
    resource::{News, NewsType, ResourceKind, Stored},
    route::{Route, TextPage},
    site::Channel,
    text::without_tags,
};
use masthead_store::{ListPart, ResourcePage, StoreError, StoredResource};
use maud::{Markup, html};

use super::{
    channel::{head, heading},
    side, text, with_query,
};
use crate::{
    i18n,
    page::{
        content::{
            bidi, member_actions,
            message::absent,
            news_destination::NewsDestination,
            paging::{self, Paging},
        },
        context::{Context, Page, PageError},
        head::Head,
    },
};

/// Items on a page of a list.
const PAGE_SIZE: u32 = 20;
/// Items beside one that is open.
const BESIDE: i64 = 12;

/// A part of a list of news.
struct NewsPart {
    items: Vec<Stored<News>>,
    paging: Paging,
}

/// The resources of a page of a list of one kind.
pub fn read<T: StoredResource>(page: &ResourcePage) -> Result<Vec<Stored<T>>, StoreError> {
    page.rows.iter().map(|row| Ok(Stored { id: row.id, value: row.value()? })).collect()
}

impl NewsPart {
    /// The part that the parameter `page` asks for; `kind` "" for news of all types.
    async fn read(context: &Context<'_>, kind: &str) -> Result<Self, PageError> {
        let asked = Paging::requested(context, PAGE_SIZE);
        let part = ListPart { offset: asked.offset(), limit: PAGE_SIZE, ..ListPart::default() };
        let page = context.store.resource_page(&[ResourceKind::News], kind, part).await?;
        let (items, paging) = (read(&page)?, asked.of(page.total));
        Ok(Self { items, paging })
    }

    /// The list with its paging; `address` is that of its first page.
    fn shown(&self, context: &Context<'_>, address: &str) -> Markup {
        html! {
            (items(context, &self.items))
            (paging::more(context, &self.paging, |page| paging::at(address, page)))
        }
    }
}

/// `news/:id?`: the news under the tabs of their types.
pub async fn list(context: &Context<'_>, id: i64) -> Result<Page, PageError> {
    let site = &context.entry.site;
    if id > 0 && side::by_id(site, id).is_none() {
        return Ok(absent(context));
    }
    let channel = side::by_id(site, id).or_else(|| side::asked(context, &[]));
    let preset = channel.map_or("", |channel| channel.news_data_type.as_str());
    let kind = Some(context.parameter("newsDataType")).filter(|asked| !asked.is_empty()).unwrap_or(preset);
    let counts = context.store.section_counts(ResourceKind::News).await?;
    let part = NewsPart::read(context, kind).await?;
    let title = heading(context, channel, "news");
    let address = |id: i64| context.addresses.route(&Route::Text(TextPage::News(id)));
    let column = channel.filter(|_| id == 0).map(|channel| channel.id.to_string()).unwrap_or_default();
    let at = |kind: &str| {
        // The channel's own address opens with its type: all news are at the address without a channel.
        if kind.is_empty() && !preset.is_empty() {
            return address(0);
        }
        with_query(&address(id), [("columnId", column.as_str()), ("newsDataType", kind)])
    };
    let main = html! {
        (head(context, channel, &title))
        (tabs(context, kind, &counts, at))
        (part.shown(context, &at(kind)))
    };
    Ok(Page { cacheable: part.paging.exists(), ..Page::list("news", title, main) })
}

/// The tabs, in the order of the specification; one without news is left out unless it is open.
fn tabs(context: &Context<'_>, open: &str, counts: &[(String, i64)], at: impl Fn(&str) -> String) -> Markup {
    let count = |kind: NewsType| counts.iter().find(|(name, _)| name == kind.as_str()).map_or(0, |(_, count)| *count);
    let shown: Vec<NewsType> =
        NewsType::ALL.into_iter().filter(|kind| count(*kind) > 0 || kind.as_str() == open).collect();
    let current = |kind: &str| (kind == open).then_some("page");
    html! {
        @if shown.len() > 1 {
            nav.tabs aria-label=(context.texts.get("news")) {
                ul {
                    li { a href=(at("")) aria-current=[current("")] { (context.texts.get("all")) } }
                    @for kind in shown {
                        li {
                            a href=(at(kind.as_str())) aria-current=[current(kind.as_str())] {
                                (context.texts.get(i18n::news_type(kind))) " " span.count dir="ltr" { (count(kind)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn items(context: &Context<'_>, items: &[Stored<News>]) -> Markup {
    let lang = context.lang();
    html! {
        @if items.is_empty() {
            p.empty { (context.texts.get("no_data")) }
        } @else {
            h2.visually-hidden { (context.texts.get("news")) }
            ol.news-list data-list {
                @for stored in items {
                    @let news = &stored.value;
                    @let NewsDestination { href, leaves, jump } = NewsDestination::of(context, stored.id, &news.link_value);
                    li.news-item {
                        @if is_own(&news.cover) {
                            img.news-cover src=(news.cover) alt="" width="320" height="200" loading="lazy";
                        }
                        div {
                            p.card-kicker {
                                span { (context.texts.get(i18n::news_type(news.kind))) }
                                @if !news.date.is_empty() { " · " (bidi::day(&news.date)) }
                            }
                            h3.card-title {
                                a href=(href) target=[leaves.then_some("_blank")] rel=[leaves.then_some("noopener")] data-jump=[jump] { (bidi::local(&news.title, lang)) }
                            }
                            @if !news.summary.is_empty() { p.news-summary { (bidi::local(&news.summary, lang)) } }
                        }
                    }
                }
            }
        }
    }
}

/// The news of a channel's type as a part of its page, and whether the list has the page that was asked for; `None` for a channel without news.
pub async fn of_type(context: &Context<'_>, channel: &Channel) -> Result<Option<(Markup, bool)>, PageError> {
    let kind = match context.parameter("newsDataType") {
        "" => channel.news_data_type.as_str(),
        asked => asked,
    };
    if kind.is_empty() {
        return Ok(None);
    }
    let part = NewsPart::read(context, kind).await?;
    let path = context.addresses.route(&Route::Text(TextPage::Channel(channel.code.clone())));
    let id = channel.id.to_string();
    let address = with_query(&path, [("columnId", id.as_str()), ("newsDataType", kind)]);
    Ok(Some((part.shown(context, &address), part.paging.exists())))
}

/// `newsInfo/:id?/:activeId?`: the news of a channel; with an item open, the item and the others beside it.
pub async fn of_channel(context: &Context<'_>, id: i64, active: i64) -> Result<Page, PageError> {
    let channel = side::by_id(&context.entry.site, id).or_else(|| side::asked(context, &["newNews", "news"]));
    if id > 0 && side::by_id(&context.entry.site, id).is_none() {
        return Ok(absent(context));
    }
    let kind = channel.map_or("", |channel| channel.news_data_type.as_str());
    let title = heading(context, channel, "news");
    if active == 0 {
        let part = NewsPart::read(context, kind).await?;
        let address = context.addresses.route(&Route::Text(TextPage::NewsInfo(id, 0)));
        let main = html! { (head(context, channel, &title)) (part.shown(context, &address)) };
        return Ok(Page { cacheable: part.paging.exists(), ..Page::list("newsInfo", title, main) });
    }
    let latest = context.store.resources::<News>(kind, None, BESIDE).await?;
    let open = match latest.iter().find(|stored| stored.id == active) {
        Some(found) => Some(found.clone()),
        None => context.store.resource::<News>(active).await?,
    };
    let Some(open) = open else { return Ok(absent(context)) };
    let list = Route::Text(TextPage::NewsInfo(id, 0));
    let first = side::SideEntry {
        label: html! { (title) },
        href: context.addresses.route(&list),
        new_tab: false,
        current: false,
    };
    let entries: Vec<side::SideEntry> =
        std::iter::once(first).chain(latest.iter().map(|stored| beside(context, id, stored, active))).collect();
    let content = html! {
        article {
            div.page-head { (item_head(context, &open.value)) }
            (item_text(context, &open.value))
        }
    };
    let page = item_page(context, "newsInfo", &open.value, side::beside(context, &entries, &content));
    // An item is not a list with pages.
    Ok(Page { cacheable: context.parameter("page").is_empty(), ..page })
}

fn beside(context: &Context<'_>, channel: i64, stored: &Stored<News>, active: i64) -> side::SideEntry {
    side::SideEntry {
        label: bidi::local(&stored.value.title, context.lang()),
        href: context.addresses.route(&Route::Text(TextPage::NewsInfo(channel, stored.id))),
        new_tab: false,
        current: stored.id == active,
    }
}

/// `newsDetails/:id`.
pub async fn details(context: &Context<'_>, id: i64) -> Result<Page, PageError> {
    let Some(news) = context.store.resource::<News>(id).await?.map(|stored| stored.value) else {
        return Ok(absent(context));
    };
    let list = context.addresses.route(&Route::Text(TextPage::News(0)));
    let tab = with_query(&list, [("newsDataType", news.kind.as_str())]);
    let here = context.addresses.route(&Route::NewsDetails(id));
    let main = html! {
        article {
            div.page-head {
                p.kicker { a href=(tab) { (context.texts.get(i18n::news_type(news.kind))) } }
                (item_head(context, &news))
                (member_actions::of_resource(context, ResourceKind::News, id, &here))
            }
            (item_text(context, &news))
        }
        p.back-link { a href=(list) { (context.texts.get("all_news")) } }
    };
    Ok(item_page(context, "newsDetails", &news, main))
}

/// The heading of an item, and where it is from.
fn item_head(context: &Context<'_>, news: &News) -> Markup {
    let date = html! { @if !news.date.is_empty() { (bidi::day(&news.date)) } };
    let from = [&news.source, &news.author].map(|text| html! { @if !text.is_empty() { (bidi::isolated(text)) } });
    let from: Vec<Markup> = std::iter::once(date).chain(from).filter(|part| !part.0.is_empty()).collect();
    html! {
        h1 { (bidi::local(&news.title, context.lang())) }
        @if !from.is_empty() { p.issue-facts { (bidi::joined(&from, " · ")) } }
    }
}

fn item_text(context: &Context<'_>, news: &News) -> Markup {
    let link = news.link_value.trim();
    html! {
        @if is_own(&news.cover) { img.news-picture src=(news.cover) alt="" width="960" height="600"; }
        (text(&news.content, context.lang(), &news.attachments))
        @if is_own_or_web(link) { p { a.button href=(link) rel="noopener" { (context.texts.get("website")) } } }
    }
}

fn item_page(context: &Context<'_>, route: &str, news: &News, main: Markup) -> Page {
    let title = news.title.get(context.lang()).to_owned();
    let summary = without_tags(news.summary.get(context.lang()));
    let head = Head::page(if summary.is_empty() { &title } else { &summary });
    Page { head, ..Page::list(route, title, main) }
}
