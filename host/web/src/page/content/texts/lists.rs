//! Conferences and articles before their publication, the links of a channel, and the site in its languages.

use masthead_domain::{
    LocalText,
    link::{LinkKind, is_own, is_web},
    resource::{Conference, FriendLink, ResourceKind, Stored},
    route::{Route, TextPage},
    site::Channel,
    text::without_tags,
};
use masthead_runtime::Call;
use masthead_store::{CardPage, CardQuery, ListPart};
use maud::{Markup, html};

use super::{
    channel::{head, heading},
    news,
    side::{self, Texts},
    texts_in_order, with_query,
};
use crate::{
    page::{
        content::{
            bidi, list,
            paging::{self, Paging},
            resources::period,
        },
        context::{Context, Page, PageError},
    },
    sites::addresses::Addresses,
};

/// Conferences or articles on a page.
const PAGE_SIZE: u32 = 20;
/// Articles of a page that lists something else first.
const LATEST: i64 = 10;
/// The style of `newLeaguage` that the specification's links name.
const CARDS: i32 = 4;
/// Characters of the text of a conference in the list.
const MAX_SUMMARY: usize = 400;

/// `newArticle`: by the code of the channel, conferences or articles before their publication.
pub async fn events_or_articles(context: &Context<'_>, call: &mut Call) -> Result<Page, PageError> {
    let channel = side::asked(context, &[]);
    let code = channel.map_or_else(|| context.parameter("code"), |channel| channel.code.as_str());
    let asked = Paging::requested(context, PAGE_SIZE);
    let is_conference = code == "conference";
    let title = heading(context, channel, if is_conference { "conferences" } else { "pre_publication" });
    let (list, paging) = if is_conference {
        conferences(context, asked).await?
    } else {
        articles(context, call, channel, asked).await?
    };
    let path = context.addresses.route(&Route::Text(TextPage::Articles));
    let address = match channel {
        Some(channel) => with_query(&path, [("columnId", channel.id.to_string().as_str())]),
        None => with_query(&path, [("code", code)]),
    };
    let main = html! {
        (head(context, channel, &title))
        (list)
        (paging::more(context, &paging, |page| paging::at(&address, page)))
    };
    Ok(Page { cacheable: paging.exists(), ..Page::list("newArticle", title, main) })
}

/// Articles before their publication. Their pages mark the channel, if the list is that of a channel.
async fn articles(
    context: &Context<'_>,
    call: &mut Call,
    channel: Option<&Channel>,
    asked: Paging,
) -> Result<(Markup, Paging), PageError> {
    let CardPage { total, cards } = context.store.card_page(&CardQuery::OnlineFirst, asked.offset(), PAGE_SIZE).await?;
    let from: Vec<(String, String)> =
        channel.iter().map(|channel| ("columnId".to_owned(), channel.id.to_string())).collect();
    let hrefs = context.addresses.cards_from(call, LinkKind::ListArticle, &cards, &from).await;
    let journals = context.journals().await?;
    let list = html! {
        h2.visually-hidden { (context.texts.get("articles")) }
        (list::paged_articles(context, journals, &cards, &hrefs))
    };
    Ok((list, asked.of(total)))
}

async fn conferences(context: &Context<'_>, asked: Paging) -> Result<(Markup, Paging), PageError> {
    let part = ListPart { offset: asked.offset(), limit: PAGE_SIZE, ..ListPart::default() };
    let page = context.store.resource_page(&[ResourceKind::Conference], "", part).await?;
    let (found, paging) = (news::read::<Conference>(&page)?, asked.of(page.total));
    let list = html! {
        @if found.is_empty() {
            p.empty { (context.texts.get("no_data")) }
        } @else {
            h2.visually-hidden { (context.texts.get("conferences")) }
            ol.news-list data-list { @for stored in &found { (conference(context, stored)) } }
        }
    };
    Ok((list, paging))
}

fn conference(context: &Context<'_>, stored: &Stored<Conference>) -> Markup {
    let (lang, one) = (context.lang(), &stored.value);
    let href = context.addresses.route(&Route::Resource(ResourceKind::Conference, stored.id));
    let summary: String = without_tags(one.content.get(lang)).chars().take(MAX_SUMMARY).collect();
    let fact = |key: &'static str, text: &LocalText| {
        html! { @if !text.is_empty() { div { dt { (context.texts.get(key)) } dd { (bidi::local(text, lang)) } } } }
    };
    html! {
        li.news-item {
            @if is_own(&one.cover) { img.news-cover src=(one.cover) alt="" width="320" height="200" loading="lazy"; }
            div {
                p.card-kicker { (period(&one.start, &one.end)) }
                h3.card-title { a href=(href) { (bidi::local(&one.title, lang)) } }
                dl.facts {
                    (fact("venue", &one.place))
                    (fact("organizer", &one.organizer))
                    @if !one.deadline.is_empty() { div { dt { (context.texts.get("deadline")) } dd { (bidi::date(&one.deadline)) } } }
                }
                @if !summary.is_empty() { p.news-summary dir="auto" { (summary) } }
            }
        }
    }
}

/// `newLink1`: the text of a channel, its configured link, and the site's partners.
pub async fn links(context: &Context<'_>) -> Result<Page, PageError> {
    let channel = side::asked(context, &["newLink"]);
    let Texts { own, .. } = side::texts(context, channel).await?;
    let asked = Paging::requested(context, paging::CARDS);
    let part = ListPart { offset: asked.offset(), limit: paging::CARDS, ..ListPart::default() };
    let page = context.store.resource_page(&[ResourceKind::Link], "", part).await?;
    let (links, paging) = (news::read::<FriendLink>(&page)?, asked.of(page.total));
    let configured = channel.map(|channel| channel.link_value.trim()).filter(|link| is_web(link));
    let title = heading(context, channel, "links");
    let shown = links.iter().map(|stored| &stored.value).filter(|link| is_web(&link.link_value));
    let shown: Vec<&FriendLink> = shown.collect();
    // The shell appends the next page to a list without a link to show, too.
    let has_list = !shown.is_empty() || (!links.is_empty() && paging.pages() > 1);
    let path = context.addresses.route(&Route::Text(TextPage::Links));
    let address = with_query(&path, ["columnId", "childId"].map(|name| (name, context.parameter(name))));
    let main = html! {
        (head(context, channel, &title))
        (texts_in_order(context, &title, &own))
        @if let Some(link) = configured {
            p { a.button href=(link) target="_blank" rel="noopener" { (context.texts.get("website")) } }
        }
        @if own.is_empty() && configured.is_none() && !has_list { p.empty { (context.texts.get("no_data")) } }
        @if has_list {
            section.block {
                @if !own.is_empty() || configured.is_some() { h2.block-title { (context.texts.get("links")) } }
                ul.item-cards data-list { @for link in shown { (partner(context, link)) } }
            }
        }
        (paging::more(context, &paging, |page| paging::at(&address, page)))
    };
    Ok(Page { cacheable: paging.exists(), ..Page::list("newLink1", title, main) })
}

fn partner(context: &Context<'_>, link: &FriendLink) -> Markup {
    html! {
        li {
            @if is_own(&link.logo) { img.item-picture src=(link.logo) alt="" width="96" height="96" loading="lazy"; }
            div { a href=(link.link_value) rel="noopener" { (bidi::local(&link.title, context.lang())) } }
        }
    }
}

/// `newLeaguage`: the text of a channel, the site in each of its languages, and the latest articles. Style 4 shows the languages as cards, others
/// as a list.
pub async fn languages(context: &Context<'_>, call: &mut Call) -> Result<Page, PageError> {
    let channel = side::asked(context, &["newLeaguage"]);
    let Texts { own, .. } = side::texts(context, channel).await?;
    let cards = context.store.cards(&CardQuery::Latest, None, LATEST).await?;
    let hrefs = context.addresses.cards(call, LinkKind::ListArticle, &cards).await;
    let journals = context.journals().await?;
    let title = heading(context, channel, "languages");
    let style = match context.parameter("styleId") {
        "" => channel.map_or(0, |channel| channel.style_id),
        asked => asked.parse().unwrap_or_default(),
    };
    let class = if style == CARDS { "link-cards" } else { "link-list" };
    let home = |lang| Addresses { lang, ..context.addresses.clone() }.route(&Route::Home);
    let main = html! {
        (head(context, channel, &title))
        (texts_in_order(context, &title, &own))
        section.block {
            h2.visually-hidden { (context.texts.get("languages")) }
            ul class=(class) {
                @for &lang in &context.entry.languages {
                    li {
                        a href=(home(lang)) hreflang=(lang.tag()) lang=(lang.tag()) dir=(lang.dir())
                            aria-current=[(lang == context.lang()).then_some("true")] {
                            (lang.name()) " · " (context.entry.site.name.get(lang))
                        }
                    }
                }
            }
        }
        section.block {
            h2.block-title { (context.texts.get("latest_articles")) }
            (list::articles(context, journals, &cards, &hrefs))
        }
    };
    Ok(Page::list("newLeaguage", title, main))
}
