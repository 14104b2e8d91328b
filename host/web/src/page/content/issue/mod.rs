//! The pages of issues: the archive, and one issue as a publication with cover, sections and PDFs.

mod archive;
mod sections;

use std::{collections::HashSet, ops::Range};

use masthead_domain::{
    card::ArticleCard,
    link::LinkKind,
    publication::{Issue, Journal},
    route::{Route, TextPage},
};
use masthead_runtime::Call;
use masthead_store::ListQuery;
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

/// Articles of an issue that are read to put them section by section. An issue of more comes in page order, and each of its pages reads its own
/// articles only, unless an editor has set an order.
const MAX_IN_SECTIONS: u64 = 1000;
/// Articles of an issue that are shown under its headings on one page. An issue of more is a list of pages.
pub const PAGE_SIZE: u32 = 100;

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

/// The name of a journal, which leads to the page of the journal.
pub fn journal_link(context: &Context<'_>, journal: &Journal) -> Markup {
    let page = Route::Text(TextPage::Journal(journal.key.clone()));
    html! {
        @if !journal.title.is_empty() {
            a href=(context.addresses.route(&page)) { (bidi::local(&journal.title, context.lang())) }
        }
    }
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

/// The articles on a page of an issue.
struct Listed {
    cards: Vec<ArticleCard>,
    paging: Paging,
    /// Numbers of articles with a PDF: of all of the issue, or at least of those on the page.
    pdfs: HashSet<i64>,
    /// How many articles of the issue are open access, and how many have a PDF; `None` where only those of the page were read.
    counted: Option<(usize, usize)>,
}

/// The page of one issue; without year and number, of the latest.
pub async fn one(context: &Context<'_>, call: &mut Call, which: Option<&(i32, String)>) -> Result<Page, PageError> {
    let journals = context.journals().await?;
    let Some(found) = find(context, journals, which).await? else {
        return Ok(message(context, crate::failure::Failure::PageUnknown));
    };
    let listed = articles(context, &found.issue).await?;
    let hrefs = context.addresses.cards(call, LinkKind::ListArticle, &listed.cards).await;
    Ok(publication(context, journals, &found, &listed, &hrefs))
}

/// The articles on the page of an issue that the address asks for.
async fn articles(context: &Context<'_>, issue: &Issue) -> Result<Listed, PageError> {
    let (cards, pdfs, total) = part(context, issue, 0..MAX_IN_SECTIONS).await?;
    let paging = Paging::requested(context, PAGE_SIZE).of(total);
    if cards.len() as u64 >= total {
        let cards = sections::in_sections(context.sections(), issue, cards);
        let open = cards.iter().filter(|card| card.open_access).count();
        let counted = Some((open, pdfs.len()));
        return Ok(Listed { cards: paging.part(&cards).to_vec(), paging, pdfs, counted });
    }
    let start = paging.offset();
    let (cards, pdfs, _) = part(context, issue, start..start.saturating_add(PAGE_SIZE.into())).await?;
    Ok(Listed { cards, paging, pdfs, counted: None })
}

/// The articles of an issue at these places, the numbers of those with a PDF, and how many articles the issue has, by one statement.
async fn part(
    context: &Context<'_>,
    issue: &Issue,
    places: Range<u64>,
) -> Result<(Vec<ArticleCard>, HashSet<i64>, u64), PageError> {
    let queries = [
        ListQuery::OfIssue(issue.clone(), places.clone()),
        ListQuery::Pdfs(issue.clone(), places),
        ListQuery::SizeOfIssue(issue.clone()),
    ];
    let mut lists = context.store.lists(&queries).await?.into_iter();
    let mut next = || lists.next().unwrap_or_default();
    let (cards, pdfs, size) = (next(), next(), next());
    Ok((cards.cards_of(issue)?, pdfs.numbers().collect(), size.total()))
}

/// The issue that the address names, of the journal that it names, or else of the first journal that has it.
async fn find<'a>(
    context: &'a Context<'_>,
    journals: &'a [Journal],
    which: Option<&(i32, String)>,
) -> Result<Option<Found<'a>>, PageError> {
    let several = journals.len() > 1;
    let requested = context.parameter("journal");
    let asked = journals.iter().find(|journal| requested.is_empty() || journal.key == requested);
    let Some(first) = asked else { return Ok(None) };
    let own = context.issues_of(first).await?;
    let found = of_journal(first, several, &own, which);
    if found.is_some() || !several || !requested.is_empty() {
        return Ok(found);
    }
    // Other journals are asked only for an issue that the first one does not have.
    let keys = context.store.journals_with_issue(which.map(|(year, number)| (*year, number.as_str()))).await?;
    let Some(journal) = journals.iter().find(|journal| keys.contains(&journal.key)) else { return Ok(None) };
    Ok(of_journal(journal, several, &context.issues_of(journal).await?, which))
}

/// The issue with this year and number among those of a journal, newest first; without them, the latest.
fn of_journal<'a>(
    journal: &'a Journal,
    several: bool,
    own: &[Issue],
    which: Option<&(i32, String)>,
) -> Option<Found<'a>> {
    let at = match which {
        None => 0,
        Some((year, number)) => own.iter().position(|issue| issue.year == *year && issue.issue == *number)?,
    };
    let issue = own.get(at)?.clone();
    let neighbour = |at: Option<usize>| at.and_then(|at| own.get(at)).cloned();
    Some(Found { journal, several, issue, older: neighbour(at.checked_add(1)), newer: neighbour(at.checked_sub(1)) })
}

fn publication(
    context: &Context<'_>,
    journals: &[Journal],
    found: &Found<'_>,
    listed: &Listed,
    hrefs: &[String],
) -> Page {
    let (issue, journal, lang) = (&found.issue, found.journal, context.lang());
    let paging = &listed.paging;
    let articles = sections::Articles { cards: &listed.cards, hrefs, pdfs: &listed.pdfs };
    let title = format!("{} {}", journal.title.get(lang), name(context, issue));
    let sections = sections::sections(context.sections(), issue, articles.cards);
    let paged = paging.pages() > 1;
    let main = html! {
        article.publication {
            div.publication-head {
                img.cover src=(cover::of_issue(context, journal, issue)) alt="" width="600" height="800";
                div.publication-text {
                    p.kicker { (journal_link(context, journal)) }
                    h1 { (shown_name(context, issue)) }
                    @if !issue.title.is_empty() { p.page-lead { (bidi::local(&issue.title, lang)) } }
                    (data(context, issue, listed))
                    p.publication-links {
                        a.block-more href=(context.addresses.route(&Route::Issues)) { (context.texts.get("all_issues")) }
                    }
                    @if paging.total > 0 { (member_actions::of_list(context, Some(Alert::Current))) }
                }
            }
            (neighbours(context, found))
            @if sections.len() > 1 && !paged { (sections::jump(context, &sections)) }
            (sections::contents(context, journals, &sections, &articles, paged))
            @if paged { (paging::more(context, paging, |page| paging::at(&address(context, issue, found.several), page))) }
        }
    };
    let description = format!("{title}. {}", issue.title.get(lang));
    let page = Page::list("issue", title, main);
    Page { head: Head::page(description.trim()), cacheable: paging.exists(), ..page }
}

/// Volume, date and numbers of an issue.
fn data(context: &Context<'_>, issue: &Issue, listed: &Listed) -> Markup {
    let texts = &context.texts;
    let all = usize::try_from(listed.paging.total).unwrap_or(usize::MAX);
    let (open, pdfs) = listed.counted.unwrap_or_default();
    let volume = bidi::message(texts.get("volume"), &[("volume", issue.volume.as_str())]);
    let mut parts: Vec<Markup> = Vec::new();
    parts.extend((!issue.volume.is_empty()).then_some(volume));
    parts.extend((!issue.date.is_empty()).then(|| bidi::date(&issue.date)));
    parts.push(html! { (texts.count("article_count", all)) });
    parts.extend((open > 0).then(|| html! { (texts.count("issue_open_access", open)) }));
    parts.extend((pdfs > 0).then(|| html! { (texts.count("issue_pdfs", pdfs)) }));
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
