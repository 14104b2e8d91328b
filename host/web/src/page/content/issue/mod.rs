//! The pages of issues: the archive, and one issue as a publication with cover, sections and PDFs.

mod archive;
mod sections;

use std::{borrow::Cow, collections::HashSet};

use masthead_domain::{
    card::ArticleCard,
    link::LinkKind,
    publication::{Issue, Journal},
    route::Route,
};
use masthead_runtime::Call;
use masthead_store::{CardQuery, ListQuery};
use maud::{Markup, html};

pub use self::archive::page as all;
use crate::page::{
    content::{
        bidi,
        member_actions::{self, Alert},
        message,
        paging::{self, Paging},
    },
    context::{Context, Page, PageError},
    cover,
    head::Head,
};
use crate::sites::addresses::encoded_path;

/// Greatest number of articles on the page of an issue.
const MAX_ARTICLES: i64 = 1000;
/// Articles of an issue that are shown under its headings on one page. An issue of more is a list of pages.
const PAGE_SIZE: u32 = 100;

/// The query for the articles of an issue.
pub fn query(issue: &Issue) -> CardQuery {
    CardQuery::Issue { journal: issue.journal.clone(), year: issue.year, issue: issue.issue.clone() }
}

fn name(context: &Context<'_>, issue: &Issue) -> String {
    let year = issue.year.to_string();
    context.texts.format("issue_title", &[("year", &year), ("issue", &issue.issue)])
}

/// The name on the page, where year and number are isolated.
pub fn shown_name(context: &Context<'_>, issue: &Issue) -> Markup {
    let year = issue.year.to_string();
    bidi::message(context.texts.get("issue_title"), &[("year", year.as_str()), ("issue", issue.issue.as_str())])
}

/// The address of an issue. With several journals on a site, year and number are ambiguous and the journal's key is
/// added.
pub fn address(context: &Context<'_>, issue: &Issue, several: bool) -> String {
    let route = Route::Issue { journal: String::new(), which: Some((issue.year, issue.issue.clone())) };
    let path = context.addresses.route(&route);
    if several { format!("{path}?journal={}", encoded_path([issue.journal.as_str()])) } else { path }
}

/// An issue with its neighbours.
struct Found<'a> {
    journal: &'a Journal,
    /// Whether the site has other journals.
    several: bool,
    issue: Issue,
    older: Option<Issue>,
    newer: Option<Issue>,
}

/// The page of one issue; without year and number, of the latest.
pub async fn one(context: &Context<'_>, call: &mut Call, which: Option<&(i32, String)>) -> Result<Page, PageError> {
    let journals = context.journals().await?;
    let Some(found) = find(context, journals, which).await? else {
        return Ok(message(context, crate::failure::Failure::PageUnknown));
    };
    let queries = [ListQuery::OfIssue(found.issue.clone(), MAX_ARTICLES), ListQuery::Pdfs(found.issue.clone())];
    let lists = context.store.lists(&queries).await?;
    let mut cards = lists.first().map(|list| list.cards_of(&found.issue)).transpose()?.unwrap_or_default();
    cards.truncate(usize::try_from(MAX_ARTICLES).unwrap_or(usize::MAX));
    let cards = sections::in_sections(&found.issue, cards);
    let paging = Paging::requested(context, PAGE_SIZE).of(cards.len() as u64);
    let pdfs: HashSet<i64> = lists.get(1).map(|list| list.numbers().collect()).unwrap_or_default();
    let shown = paging.part(&cards);
    let hrefs = context.addresses.cards(call, LinkKind::ListArticle, shown).await;
    let articles = sections::Articles { cards: shown, hrefs: &hrefs, pdfs: &pdfs };
    Ok(publication(context, journals, &found, (&cards, &articles), &paging))
}

/// The issue that the address names, of the journal that it names, or else of the first journal that has it.
async fn find<'a>(
    context: &'a Context<'_>,
    journals: &'a [Journal],
    which: Option<&(i32, String)>,
) -> Result<Option<Found<'a>>, PageError> {
    let several = journals.len() > 1;
    let all: Cow<'_, [Issue]> = if several {
        Cow::Owned(context.store.archive().await?.into_iter().map(|(issue, _)| issue).collect())
    } else {
        Cow::Borrowed(context.issues().await?)
    };
    let requested = context.parameter("journal");
    for journal in journals.iter().filter(|journal| requested.is_empty() || journal.key == requested) {
        let own: Vec<&Issue> = all.iter().filter(|issue| issue.journal == journal.key).collect();
        let at = match which {
            None => (!own.is_empty()).then_some(0),
            Some((year, number)) => own.iter().position(|issue| issue.year == *year && issue.issue == *number),
        };
        let copy = |at: Option<usize>| at.and_then(|at| own.get(at)).map(|issue| (*issue).clone());
        if let Some((at, issue)) = at.zip(copy(at)) {
            let (older, newer) = (copy(at.checked_add(1)), copy(at.checked_sub(1)));
            return Ok(Some(Found { journal, several, issue, older, newer }));
        }
    }
    Ok(None)
}

/// `all` are the articles of the issue, `articles` those of this page of it.
fn publication(
    context: &Context<'_>,
    journals: &[Journal],
    found: &Found<'_>,
    (all, articles): (&[ArticleCard], &sections::Articles<'_>),
    paging: &Paging,
) -> Page {
    let (issue, journal, lang) = (&found.issue, found.journal, context.lang());
    let title = format!("{} {}", journal.title.get(lang), name(context, issue));
    let sections = sections::sections(issue, articles.cards);
    let paged = paging.pages() > 1;
    let main = html! {
        article.publication {
            div.publication-head {
                img.cover src=(cover::of_issue(context, journal, issue)) alt="" width="600" height="800";
                div.publication-text {
                    p.kicker { (bidi::local(&journal.title, lang)) }
                    h1 { (shown_name(context, issue)) }
                    @if !issue.title.is_empty() { p.page-lead { (bidi::local(&issue.title, lang)) } }
                    (data(context, issue, all, articles.pdfs))
                    p.publication-links {
                        a.block-more href=(context.addresses.route(&Route::Issues)) { (context.texts.get("all_issues")) }
                    }
                    @if !all.is_empty() { (member_actions::of_list(context, Some(Alert::Current))) }
                }
            }
            (neighbours(context, found))
            @if sections.len() > 1 && !paged { (sections::jump(context, &sections)) }
            (sections::contents(context, journals, &sections, articles, paged))
            @if paged { (paging::more(context, paging, |page| paging::at(&address(context, issue, found.several), page))) }
        }
    };
    let description = format!("{title}. {}", issue.title.get(lang));
    let page = Page::list("issue", title, main);
    Page { head: Head::page(description.trim()), cacheable: paging.exists(), ..page }
}

/// Volume, date and numbers of an issue.
fn data(context: &Context<'_>, issue: &Issue, all: &[ArticleCard], pdfs: &HashSet<i64>) -> Markup {
    let texts = &context.texts;
    let open = all.iter().filter(|card| card.open_access).count();
    let volume = bidi::message(texts.get("volume"), &[("volume", issue.volume.as_str())]);
    let mut parts: Vec<Markup> = Vec::new();
    parts.extend((!issue.volume.is_empty()).then_some(volume));
    parts.extend((!issue.date.is_empty()).then(|| bidi::date(&issue.date)));
    parts.push(html! { (texts.count("article_count", all.len())) });
    parts.extend((open > 0).then(|| html! { (texts.count("issue_open_access", open)) }));
    parts.extend((!pdfs.is_empty()).then(|| html! { (texts.count("issue_pdfs", pdfs.len())) }));
    html! { p.issue-facts { (bidi::joined(&parts, " · ")) } }
}

/// Links to the issues before and after.
fn neighbours(context: &Context<'_>, found: &Found<'_>) -> Markup {
    let texts = &context.texts;
    let link = |issue: &Issue, rel: &str, words: &str| {
        html! {
            a rel=(rel) href=(address(context, issue, found.several)) {
                span.issue-nav-words { (words) } " " span.issue-nav-name { (shown_name(context, issue)) }
            }
        }
    };
    html! {
        @if found.older.is_some() || found.newer.is_some() {
            nav.issue-nav aria-label=(texts.get("issue_neighbours")) {
                @if let Some(older) = &found.older { (link(older, "prev", texts.get("issue_previous"))) }
                @if let Some(newer) = &found.newer { (link(newer, "next", texts.get("issue_next"))) }
            }
        }
    }
}

/// The article's PDF as a link, in lists of articles.
fn pdf(context: &Context<'_>, card: &ArticleCard, title: &str) -> Markup {
    let address = context.addresses.route(&Route::Article(card.article_id()));
    html! {
        // `external` keeps the shell from showing the address as a page.
        p.card-files {
            a.card-pdf href={ (address) "?format=pdf" } type="application/pdf" rel="external nofollow" {
                "PDF" span.visually-hidden { ": " (bidi::isolated(title)) }
            }
        }
    }
}
