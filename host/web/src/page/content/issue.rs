//! The list of all issues, and the page of one issue with its articles.

use std::collections::HashMap;

use masthead_documents::html::ids::element_id;
use masthead_domain::{
    card::ArticleCard,
    link::LinkKind,
    publication::{Issue, Journal},
    route::Route,
};
use masthead_runtime::Call;
use masthead_store::CardQuery;
use maud::{Markup, html};

use crate::page::{
    content::{
        bidi, list, message,
        paging::{self, Paging},
    },
    context::{Context, Page, PageError},
};

/// Greatest number of articles on the page of an issue.
const MAX_ARTICLES: i64 = 1000;
/// Articles of an issue that are shown under its headings on one page. An issue of more is a list of pages.
const PAGE_SIZE: u32 = 100;

/// The query for the articles of an issue.
pub fn query(issue: &Issue) -> CardQuery {
    CardQuery::Issue { journal: issue.journal.clone(), year: issue.year, issue: issue.issue.clone() }
}

/// The page of all issues of every journal, by year.
pub async fn all(context: &Context<'_>) -> Result<Page, PageError> {
    let journals = context.journals().await?;
    let mut blocks = Vec::new();
    for journal in journals {
        let issues = context.issues_of(journal).await?;
        let sizes = context.store.issue_sizes(&journal.key).await?;
        blocks.push(years(context, journal, journals.len() > 1, &issues, &sizes));
    }
    let title = context.texts.get("all_issues").to_owned();
    let main = html! {
        div.page-head { h1 { (title) } }
        @if blocks.is_empty() { p.empty { (context.texts.get("no_data")) } }
        @for block in blocks { (block) }
    };
    Ok(Page::list("issues", title, main))
}

fn years(
    context: &Context<'_>,
    journal: &Journal,
    named: bool,
    issues: &[Issue],
    sizes: &[(i64, String, i64)],
) -> Markup {
    let configured = &context.entry.site.publication;
    let mut issues: Vec<&Issue> = issues.iter().collect();
    if configured.period_asc {
        issues.reverse();
    }
    // A site that does not group its issues by year has one list without a heading.
    let mut by_year: Vec<(Option<i32>, Vec<&Issue>)> = Vec::new();
    for issue in issues {
        let group = configured.group_by_year.then_some(issue.year);
        match by_year.last_mut() {
            Some((year, list)) if *year == group => list.push(issue),
            _ => by_year.push((group, vec![issue])),
        }
    }
    let size = |issue: &Issue| {
        sizes
            .iter()
            .find(|(year, name, _)| *year == i64::from(issue.year) && *name == issue.issue)
            .map_or(0, |row| row.2)
    };
    html! {
        @if named { h2.block-title id=(element_id(&journal.key)) { (bidi::local(&journal.title, context.lang())) } }
        @for (year, issues) in by_year {
            section.issue-year {
                @if let Some(year) = year { @if named { h3 { (year) } } @else { h2 { (year) } } }
                ul.issue-grid {
                    @for issue in issues {
                        @let cover = if issue.cover.is_empty() { &journal.cover } else { &issue.cover };
                        li.issue-card {
                            a href=(address(context, issue, named)) {
                                @if !cover.is_empty() { img.cover src=(cover) alt="" width="600" height="800" loading="lazy"; }
                                span.issue-name { (shown_name(context, issue)) }
                                @if !issue.title.is_empty() { span.issue-theme { (bidi::local(&issue.title, context.lang())) } }
                                span.issue-count { (context.texts.count("article_count", usize::try_from(size(issue)).unwrap_or(0))) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn name(context: &Context<'_>, issue: &Issue) -> String {
    let year = issue.year.to_string();
    context.texts.format("issue_title", &[("year", &year), ("issue", &issue.issue)])
}

/// The name on the page, where year and number are isolated.
fn shown_name(context: &Context<'_>, issue: &Issue) -> Markup {
    let year = issue.year.to_string();
    bidi::message(context.texts.get("issue_title"), &[("year", year.as_str()), ("issue", issue.issue.as_str())])
}

/// The address of an issue. With several journals on a site, year and number are ambiguous and the journal's key is
/// added.
fn address(context: &Context<'_>, issue: &Issue, several: bool) -> String {
    let route = Route::Issue { journal: String::new(), which: Some((issue.year, issue.issue.clone())) };
    let path = context.addresses.route(&route);
    if several { format!("{path}?journal={}", issue.journal) } else { path }
}

/// The page of one issue; without year and number, of the latest.
pub async fn one(context: &Context<'_>, call: &mut Call, which: Option<&(i32, String)>) -> Result<Page, PageError> {
    let journals = context.journals().await?;
    let requested = context.parameter("journal");
    let candidates: Vec<&Journal> =
        journals.iter().filter(|journal| requested.is_empty() || journal.key == requested).collect();
    for journal in candidates {
        let issues = context.issues_of(journal).await?;
        let at = match which {
            None => (!issues.is_empty()).then_some(0),
            Some((year, number)) => issues.iter().position(|issue| issue.year == *year && issue.issue == *number),
        };
        if let Some(at) = at {
            let all = context.store.cards(&query(&issues[at]), None, MAX_ARTICLES).await?;
            let paging = Paging::requested(context, PAGE_SIZE).of(all.len() as u64);
            let cards = paging.part(&all);
            let hrefs = context.addresses.cards(call, LinkKind::ListArticle, cards).await;
            return Ok(contents(context, journals, journal, &issues, at, (cards, &hrefs), &paging));
        }
    }
    Ok(message(&context.texts, crate::failure::Failure::PageUnknown, Some(context.addresses.route(&Route::Issues))))
}

fn contents(
    context: &Context<'_>,
    journals: &[Journal],
    journal: &Journal,
    issues: &[Issue],
    at: usize,
    (cards, hrefs): (&[ArticleCard], &[String]),
    paging: &Paging,
) -> Page {
    let issue = &issues[at];
    let several = journals.len() > 1;
    let title = format!("{} {}", journal.title.get(context.lang()), name(context, issue));
    let neighbour = |index: Option<usize>| index.and_then(|index| issues.get(index));
    let older = neighbour(at.checked_add(1));
    let newer = neighbour(at.checked_sub(1));
    let main = html! {
        div.page-head {
            p.kicker { (bidi::local(&journal.title, context.lang())) }
            h1 { (shown_name(context, issue)) }
            @if !issue.title.is_empty() { p.page-lead { (bidi::local(&issue.title, context.lang())) } }
            p.issue-facts {
                @if !issue.volume.is_empty() { span { (bidi::message(context.texts.get("volume"), &[("volume", issue.volume.as_str())])) } }
                @if !issue.date.is_empty() { " · " (bidi::date(&issue.date)) }
            }
        }
        nav.issue-nav aria-label=(context.texts.get("all_issues")) {
            @if let Some(older) = older { a rel="prev" href=(address(context, older, several)) { (shown_name(context, older)) } }
            @if let Some(newer) = newer { a rel="next" href=(address(context, newer, several)) { (shown_name(context, newer)) } }
        }
        @if paging.pages() > 1 {
            h2.visually-hidden { (context.texts.get("articles")) }
            (list::paged_articles(context, journals, cards, hrefs, &HashMap::new()))
            (paging::more(context, paging, |page| paging::at(&address(context, issue, several), page)))
        } @else {
            (by_subject(context, journals, cards, hrefs))
        }
    };
    Page { cacheable: paging.exists(), ..Page::list("issue", title, main) }
}

/// The articles of an issue under the journal's own subject headings, in page order.
fn by_subject(context: &Context<'_>, journals: &[Journal], cards: &[ArticleCard], hrefs: &[String]) -> Markup {
    let mut subjects: Vec<&str> = Vec::new();
    for card in cards {
        if !subjects.contains(&card.subject.as_str()) {
            subjects.push(&card.subject);
        }
    }
    if subjects.len() < 2 {
        return html! {
            h2.visually-hidden { (context.texts.get("articles")) }
            (list::articles(context, journals, cards, hrefs, &HashMap::new()))
        };
    }
    html! {
        @for subject in subjects {
            @let part: Vec<usize> = (0..cards.len()).filter(|index| cards[*index].subject == subject).collect();
            @let own: Vec<ArticleCard> = part.iter().map(|index| ArticleCard { subject: String::new(), ..cards[*index].clone() }).collect();
            @let addresses: Vec<String> = part.iter().map(|index| hrefs[*index].clone()).collect();
            section.block {
                @if !subject.is_empty() { h2.toc-section { (list::column(context, subject, "toc-column")) } }
                (list::articles(context, journals, &own, &addresses, &HashMap::new()))
            }
        }
    }
}
