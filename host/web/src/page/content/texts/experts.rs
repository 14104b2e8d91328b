//! The list of experts, and the page of one with the articles that name him or her.

use masthead_domain::{
    link::LinkKind,
    resource::{Expert, ResourceKind, Topic},
    route::{Route, TextPage},
    text::without_tags,
};
use masthead_runtime::Call;
use masthead_store::{BrowseBy, ListPart};
use maud::{Markup, html};

use super::{news, people, with_query};
use crate::page::{
    content::{
        bidi, list,
        message::absent,
        paging::{self, Paging},
        search,
    },
    context::{Context, Page, PageError},
    head::Head,
};

/// Experts on a page.
const PAGE_SIZE: u32 = 20;
/// Topics by which the list is filtered.
const MAX_TOPICS: i64 = 50;

/// `scholarList`: all experts, or those of a topic, under a form that searches them.
pub async fn list(context: &Context<'_>) -> Result<Page, PageError> {
    let topic = context.parameter("topicId");
    let counts = context.store.section_counts(ResourceKind::Expert).await?;
    let asked = Paging::requested(context, PAGE_SIZE);
    let part = ListPart { offset: asked.offset(), limit: PAGE_SIZE, ..ListPart::default() };
    let page = context.store.resource_page(&[ResourceKind::Expert], topic, part).await?;
    let (experts, paging) = (news::read::<Expert>(&page)?, asked.of(page.total));
    let topics = topics(context, topic, &counts).await?;
    let title = context.texts.get("tab_experts").to_owned();
    let path = context.addresses.route(&Route::Text(TextPage::Experts));
    let address = with_query(&path, [("topicId", topic)]);
    let main = html! {
        div.page-head { h1 { (title) } }
        // A site without experts has nothing to search.
        @if !counts.is_empty() { (search::form_of_kind(context, ResourceKind::Expert, "tab_experts")) }
        (topics)
        @if experts.is_empty() {
            p.empty { (context.texts.get("no_data")) }
        } @else {
            ul.people data-list {
                @for stored in &experts {
                    @let href = context.addresses.route(&Route::Text(TextPage::Expert(stored.id)));
                    (people::card(context.lang(), &stored.value, &href, false))
                }
            }
        }
        (paging::more(context, &paging, |page| paging::at(&address, page)))
    };
    // A topic that nobody is listed under may be any word.
    let cacheable = paging.exists() && (topic.is_empty() || page.total > 0);
    Ok(Page { cacheable, ..Page::list("scholarList", title, main) })
}

/// The topics under which experts are listed.
async fn topics(context: &Context<'_>, open: &str, counts: &[(String, i64)]) -> Result<Markup, PageError> {
    if counts.iter().all(|(name, _)| name.is_empty()) {
        return Ok(html! {});
    }
    let topics = context.store.resources::<Topic>("", None, MAX_TOPICS).await?;
    let used: Vec<_> =
        topics.into_iter().filter(|topic| counts.iter().any(|(name, _)| *name == topic.value.key)).collect();
    let path = context.addresses.route(&Route::Text(TextPage::Experts));
    let current = |key: &str| (key == open).then_some("page");
    Ok(html! {
        @if !used.is_empty() {
            nav.tabs aria-label=(context.texts.get("subjects")) {
                ul {
                    li { a href=(path) aria-current=[current("")] { (context.texts.get("all")) } }
                    @for topic in &used {
                        li {
                            a href=(with_query(&path, [("topicId", topic.value.key.as_str())])) aria-current=[current(&topic.value.key)] {
                                (bidi::local(&topic.value.title, context.lang()))
                            }
                        }
                    }
                }
            }
        }
    })
}

/// `scholar/:id`.
pub async fn one(context: &Context<'_>, call: &mut Call, id: i64) -> Result<Page, PageError> {
    let Some(stored) = context.store.resource::<Expert>(id).await? else { return Ok(absent(context)) };
    let (lang, expert) = (context.lang(), &stored.value);
    let asked = Paging::requested(context, PAGE_SIZE);
    // The site's articles that name the expert as an author, newest first.
    let found = context.store.browse_page(BrowseBy::Author, &names(expert), asked.offset(), PAGE_SIZE).await?;
    let (cards, paging) = (found.cards, asked.of(found.total));
    let hrefs = context.addresses.cards(call, LinkKind::ListArticle, &cards).await;
    let journals = context.journals().await?;
    let title = expert.name.get(lang).to_owned();
    let address = context.addresses.route(&Route::Text(TextPage::Expert(id)));
    let main = html! {
        div.page-head {
            p.kicker { a href=(context.addresses.route(&Route::Text(TextPage::Experts))) { (context.texts.get("tab_experts")) } }
            h1 { (bidi::local(&expert.name, lang)) }
        }
        (people::details(context, expert))
        section.block {
            h2.block-title { (context.texts.get("articles")) }
            (list::paged_articles(context, journals, &cards, &hrefs))
            (paging::more(context, &paging, |page| paging::at(&address, page)))
        }
    };
    let bio = without_tags(expert.bio.get(lang));
    let head =
        Head { json_ld: people::json_ld(lang, &stored), ..Head::page(if bio.is_empty() { &title } else { &bio }) };
    Ok(Page { head, cacheable: paging.exists(), ..Page::list("scholar", title, main) })
}

/// What articles may name an expert by: the ORCID iD, and the forms of the name.
fn names(expert: &Expert) -> Vec<&str> {
    let forms = expert.name.0.values().map(String::as_str);
    std::iter::once(expert.orcid.as_str()).chain(forms).filter(|name| !name.trim().is_empty()).collect()
}
