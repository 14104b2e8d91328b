//! Lists of articles, and the pages that consist of one list.

use std::collections::HashMap;

use masthead_domain::{
    card::{ArticleCard, CardText},
    link::LinkKind,
    notice::NoticeMark,
    publication::Journal,
};
use masthead_runtime::{Call, hook_types::Badge};
use masthead_store::CardQuery;
use maud::{Markup, PreEscaped, html};

use crate::page::{
    content::{plugin_contributions, tag},
    context::{Context, Page, PageError},
};

/// Greatest number of articles on a list page.
pub const PAGE_SIZE: i64 = 50;

/// Which list a list page shows.
#[derive(Clone, Copy)]
pub enum ArticleList {
    /// Latest accepted.
    JustAccepted,
    /// Online first.
    OnlineFirst,
}

/// A page that consists of one list of articles.
pub async fn page(context: &Context<'_>, call: &mut Call, list: ArticleList) -> Result<Page, PageError> {
    let (query, key, route) = match list {
        ArticleList::JustAccepted => (CardQuery::JustAccepted, "just_accepted", "justAccepted"),
        ArticleList::OnlineFirst => (CardQuery::OnlineFirst, "online_first", "onlineFirst"),
    };
    let cards = context.store.cards(&query, None, PAGE_SIZE).await?;
    let journals = context.journals().await?;
    let hrefs = context.addresses.cards(call, LinkKind::ListArticle, &cards).await;
    let title = context.texts.get(key).to_owned();
    let main = html! {
        div.page-head { h1 { (title) } }
        h2.visually-hidden { (context.texts.get("articles")) }
        (articles(context, journals, &cards, &hrefs, &HashMap::new()))
    };
    Ok(Page::list(route, title, main))
}

/// A list of articles, or a message that there are none.
pub fn articles(
    context: &Context<'_>,
    journals: &[Journal],
    cards: &[ArticleCard],
    hrefs: &[String],
    badges: &HashMap<i64, Vec<Badge>>,
) -> Markup {
    html! {
        @if cards.is_empty() {
            p.empty { (context.texts.get("no_data")) }
        } @else {
            ol.article-list {
                @for (card, href) in cards.iter().zip(hrefs) { (article(context, journals, card, href, badges.get(&card.id).map_or(&[], Vec::as_slice))) }
            }
        }
    }
}

fn article(context: &Context<'_>, journals: &[Journal], card: &ArticleCard, href: &str, badges: &[Badge]) -> Markup {
    let lang = context.lang();
    let title = card.title(lang.tag());
    let summary = card.summary(lang.tag());
    let mark = mark(card.notice);
    html! {
        li.article-card data-article=(card.id) {
            @if !card.subject.is_empty() || card.open_access || mark.is_some() {
                p.card-kicker {
                    @if let Some(key) = mark {
                        span.badge data-notice=(card.notice.as_str()) { (context.texts.get(key)) } " "
                    }
                    @if !card.subject.is_empty() { span.card-subject { (card.subject) } " " }
                    @if card.open_access { span.badge { (context.texts.get("open_access")) } }
                }
            }
            h3.card-title lang=[title.and_then(|title| tag(&title.lang))] { a href=(href) { (rich(title)) } }
            @if !card.authors.is_empty() { p.card-authors { (names(context, card)) } }
            p.card-meta {
                span { (place(context, journals, card)) }
                @if let Some(doi) = &card.doi { " " a.card-doi href=(doi.url()) rel="noopener" { (doi) } }
            }
            @if let Some(summary) = summary {
                p.card-summary lang=[tag(&summary.lang)] { (summary.plain) }
            }
            (plugin_contributions::badges(context, badges))
            div data-slot="result.badges" data-props=(badge_props(card)) {}
        }
    }
}

/// The key of the word by which a list marks an article that notices are about.
const fn mark(notice: NoticeMark) -> Option<&'static str> {
    match notice {
        NoticeMark::None => None,
        NoticeMark::Corrected => Some("mark_corrected"),
        NoticeMark::Concern => Some("mark_concern"),
        NoticeMark::Retracted => Some("mark_retracted"),
    }
}

fn badge_props(card: &ArticleCard) -> String {
    serde_json::json!({ "id": card.id, "doi": card.doi, "articleType": card.article_type }).to_string()
}

/// A card's text with its formatting, which was sanitized when the article was rendered.
pub fn rich(text: Option<&CardText>) -> Markup {
    match text {
        Some(text) if !text.html.is_empty() => PreEscaped(text.html.clone()),
        Some(text) => html! { (text.plain) },
        None => html! { "—" },
    }
}

fn names(context: &Context<'_>, card: &ArticleCard) -> String {
    let glue = if context.lang() == masthead_domain::Lang::Zh { "，" } else { ", " };
    let mut names = card.authors.join(glue);
    if card.author_count > card.authors.len() {
        names.push('…');
    }
    names
}

/// Journal, year, issue and pages, as far as they are known.
pub fn place(context: &Context<'_>, journals: &[Journal], card: &ArticleCard) -> String {
    let journal = journals.iter().find(|journal| journal.key == card.journal);
    let mut parts: Vec<String> = Vec::new();
    parts.extend(journal.map(|journal| journal.title.get(context.lang()).to_owned()));
    if !card.issue.is_empty() && card.year > 0 {
        let year = card.year.to_string();
        parts.push(context.texts.format("issue_title", &[("year", &year), ("issue", &card.issue)]));
    } else if !card.published.is_empty() {
        parts.push(card.published.clone());
    }
    if !card.pages.is_empty() {
        parts.push(context.texts.format("pages", &[("pages", &card.pages)]));
    }
    parts.join(" · ")
}
