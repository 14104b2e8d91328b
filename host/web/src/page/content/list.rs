//! Lists of articles, and the pages that consist of one list.

use std::collections::HashMap;

use masthead_domain::{
    Lang,
    card::{ArticleCard, CardText},
    link::LinkKind,
    notice::NoticeMark,
    publication::Journal,
    route::Route,
};
use masthead_runtime::{Call, hook_types::Badge};
use masthead_store::{CardPage, CardQuery};
use maud::{Markup, PreEscaped, html};

use crate::{
    i18n::{Texts, first_status_key, notice_mark_key},
    page::{
        content::{
            bidi::{self, tag},
            member_actions::{self, Alert},
            paging::{self, Paging},
            plugin_contributions,
        },
        context::{Context, Page, PageError},
    },
};

/// Articles on a page of a list.
const PAGE_SIZE: u32 = 20;

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
        ArticleList::JustAccepted => (CardQuery::JustAccepted, "just_accepted", Route::JustAccepted),
        ArticleList::OnlineFirst => (CardQuery::OnlineFirst, "online_first", Route::OnlineFirst),
    };
    let asked = Paging::requested(context, PAGE_SIZE);
    let CardPage { total, cards } = context.store.card_page(&query, asked.offset(), PAGE_SIZE).await?;
    let paging = asked.of(total);
    let journals = context.journals().await?;
    let hrefs = context.addresses.cards(call, LinkKind::ListArticle, &cards).await;
    let address = context.addresses.route(&route);
    let title = context.texts.get(key).to_owned();
    let alert = Some(Alert::OnlineFirst).filter(|_| matches!(list, ArticleList::OnlineFirst));
    let main = html! {
        div.page-head { h1 { (title) } }
        @if !cards.is_empty() { (member_actions::of_list(context, alert)) }
        h2.visually-hidden { (context.texts.get("articles")) }
        (paged_articles(context, journals, &cards, &hrefs))
        (paging::more(context, &paging, |page| paging::at(&address, page)))
    };
    Ok(Page { cacheable: paging.exists(), ..Page::list(route.name(), title, main) })
}

/// The list of articles of which a page shows a part: the shell appends the articles of the next page to it.
pub fn paged_articles(context: &Context<'_>, journals: &[Journal], cards: &[ArticleCard], hrefs: &[String]) -> Markup {
    articles_with(context, journals, (cards, hrefs), &HashMap::new(), true, &Parts::default())
}

/// A list of articles, or a message that there are none.
pub fn articles(context: &Context<'_>, journals: &[Journal], cards: &[ArticleCard], hrefs: &[String]) -> Markup {
    articles_with(context, journals, (cards, hrefs), &HashMap::new(), false, &Parts::default())
}

/// What a list shows in its own way.
pub struct Parts<'a> {
    /// What stands at the end of each entry.
    pub more: &'a dyn Fn(&ArticleCard) -> Markup,
    /// The name of an author.
    pub name: &'a dyn Fn(&str) -> Markup,
    /// The name of the site, in a list of several sites.
    pub site: Markup,
}

impl Default for Parts<'_> {
    fn default() -> Self {
        Self { more: &|_| html! {}, name: &bidi::isolated, site: html! {} }
    }
}

/// A list of articles, whole or a part of it (`paged`), with the badges of plugins by article.
pub fn articles_with(
    context: &Context<'_>,
    journals: &[Journal],
    (cards, hrefs): (&[ArticleCard], &[String]),
    badges: &HashMap<i64, Vec<Badge>>,
    paged: bool,
    parts: &Parts<'_>,
) -> Markup {
    html! {
        @if cards.is_empty() {
            p.empty { (context.texts.get("no_data")) }
        } @else {
            ol.article-list data-list[paged] {
                @for (card, href) in cards.iter().zip(hrefs) {
                    (entry(context, journals, (card, href), badges.get(&card.id).map_or(&[], Vec::as_slice), parts))
                }
            }
        }
    }
}

/// An entry of a list of articles. One of another site has no number by which the shell or modules of this site know it.
pub fn entry(
    context: &Context<'_>,
    journals: &[Journal],
    (card, href): (&ArticleCard, &str),
    badges: &[Badge],
    parts: &Parts<'_>,
) -> Markup {
    let lang = context.lang();
    let title = card.title(lang.tag());
    let summary = card.summary(lang.tag());
    html! {
        li.article-card data-article=[(!context.is_of_other_site()).then_some(card.id)] {
            @if !parts.site.0.is_empty() { p.card-kicker { (parts.site) } }
            @if !card.subject.is_empty() || card.open_access || card.notice != NoticeMark::None || card.first_status != 0 {
                p.card-kicker {
                    (mark(context, card.notice))
                    @if !card.subject.is_empty() { (column(context, &card.subject, "card-subject")) " " }
                    @if card.open_access { span.badge { (context.texts.get("open_access")) } }
                    (status(context, card.first_status))
                }
            }
            h3.card-title lang=[title.and_then(|title| tag(&title.lang))] dir=[title.map(|title| bidi::dir(&title.lang))] {
                a href=(href) { (rich(title)) }
            }
            @if !card.authors.is_empty() { p.card-authors { (names(context, card, parts.name)) } }
            p.card-meta {
                span { (place(context, journals, card)) }
                @if let Some(doi) = &card.doi { " " a.card-doi href=(doi.url()) rel="noopener" dir="ltr" { (doi) } }
            }
            @if let Some(summary) = summary {
                p.card-summary lang=[tag(&summary.lang)] dir=(bidi::dir(&summary.lang)) { (rich(Some(summary))) }
            }
            (plugin_contributions::badges(context, badges))
            ((parts.more)(card))
            @if !context.is_of_other_site() { div data-slot="result.badges" data-props=(badge_props(card)) {} }
        }
    }
}

/// The proofing state of an article that is accepted or online before its issue; nothing for others.
pub(super) fn status(context: &Context<'_>, first_status: i32) -> Markup {
    html! {
        @if let Some(key) = first_status_key(first_status) { " " span.badge data-status=(first_status) { (context.texts.get(key)) } }
    }
}

/// The word by which a list marks an article that notices are about.
pub(super) fn mark(context: &Context<'_>, notice: NoticeMark) -> Markup {
    html! {
        @if let Some(key) = notice_mark_key(notice) { " " span.badge data-notice=(notice.as_str()) { (context.texts.get(key)) } " " }
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

/// A column (subject heading) as a link to the articles under it.
pub fn column(context: &Context<'_>, name: &str, class: &str) -> Markup {
    html! { a class=(class) href=(context.addresses.column(name)) rel="nofollow" { (section_name(context, name)) } }
}

/// The name of a section for readers of the page's language.
pub fn section_name(context: &Context<'_>, name: &str) -> Markup {
    context.sections().of(name).map_or_else(|| bidi::isolated(name), |names| bidi::local(names, context.lang()))
}

/// The first authors, each as a link to the articles that name them.
fn names(context: &Context<'_>, card: &ArticleCard, shown: &dyn Fn(&str) -> Markup) -> Markup {
    let link = |(name, of_source): (&String, &String)| {
        html! { a href=(context.addresses.phrase(of_source)) rel="nofollow" { (shown(name)) } }
    };
    let names = card.authors_for(context.lang().tag()).iter();
    let names: Vec<Markup> = names.zip(&card.authors).map(link).collect();
    html! {
        (bidi::joined(&names, comma(context.lang())))
        @if card.author_count > card.authors.len() { "…" }
    }
}

/// What stands between the names of a list in a language.
pub(super) const fn comma(lang: Lang) -> &'static str {
    match lang {
        Lang::Zh => "，",
        Lang::Ara => "، ",
        _ => ", ",
    }
}

/// `pp. 10–19`; of one page, or of an article number, `p. 10`.
pub(super) fn pages(texts: &Texts<'_>, pages: &str) -> Markup {
    let one = !pages.contains(['–', ',']);
    bidi::message(texts.get(if one { "page" } else { "pages" }), &[("pages", pages)])
}

/// Journal, year, issue and pages, as far as they are known.
fn place(context: &Context<'_>, journals: &[Journal], card: &ArticleCard) -> Markup {
    let texts = &context.texts;
    let journal = journals.iter().find(|journal| journal.key == card.journal);
    let mut parts: Vec<Markup> = Vec::new();
    parts.extend(journal.map(|journal| bidi::local(&journal.title, context.lang())));
    if !card.issue.is_empty() && card.year > 0 {
        let year = card.year.to_string();
        parts.push(bidi::message(texts.get("issue_title"), &[("year", year.as_str()), ("issue", card.issue.as_str())]));
    } else if !card.published.is_empty() {
        parts.push(bidi::date(&card.published));
    }
    if !card.pages.is_empty() {
        parts.push(pages(texts, &card.pages));
    }
    bidi::joined(&parts, " · ")
}
