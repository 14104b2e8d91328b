//! The archive: the issues of every journal by year, each with its cover; and those of one year. Of very many issues, a page has some years, and
//! the next page follows as in other lists.

use std::ops::Range;

use masthead_documents::html::ids::element_id;
use masthead_domain::{
    publication::{Issue, Journal},
    route::{Route, TextPage},
    site::PublicationConfig,
};
use masthead_store::YearOfJournal;
use maud::{Markup, html};

use super::{address, shown_name};
use crate::{
    failure::Failure,
    page::{
        content::{
            bidi, message,
            paging::{self, Paging, Progress},
        },
        context::{Context, Page, PageError},
        cover,
    },
};

/// Issues on a page. A page has whole years; a year with more issues than this is divided between its journals, and those of one journal in one
/// year are never divided.
const MOST: u32 = 200;

/// An issue with the number of its articles.
type Counted = (Issue, i64);
/// Issues of a journal with their year, if the site groups them by year.
type Group<'a> = (Option<i32>, Vec<&'a Counted>);

/// The issues of a page.
struct Part {
    issues: Vec<Counted>,
    progress: Progress,
}

impl Part {
    /// The part that the parameter `page` asks for: of all years, which come in the order of the site, or of one of them.
    async fn read(context: &Context<'_>, years: &[YearOfJournal], year: Option<i32>) -> Result<Self, PageError> {
        let is_other = |one: &&YearOfJournal| year.is_some_and(|year| year != one.year);
        let (before, from) = years.split_at(years.iter().take_while(is_other).count());
        let listed = &from[..from.iter().take_while(|one| !is_other(one)).count()];
        let (start, total, pages) = (count(before), count(listed), pages(listed));
        let page = Paging::requested(context, MOST).page;
        let at = pages.get(page as usize - 1).cloned().unwrap_or(total..total);
        let progress = Progress { page, pages: u32::try_from(pages.len()).unwrap_or(u32::MAX), reached: at.end, total };
        if at.is_empty() {
            return Ok(Self { issues: Vec::new(), progress });
        }
        let oldest_first = context.entry.site.publication.period_asc;
        let issues = context.store.archive_part(oldest_first, start + at.start..start + at.end).await?;
        Ok(Self { issues, progress })
    }

    /// Whether there are other pages.
    const fn is_one_of_several(&self) -> bool {
        self.progress.pages > 1
    }
}

fn count(years: &[YearOfJournal]) -> u64 {
    years.iter().map(|one| one.issues).sum()
}

/// The issues of each page by their places among all, of years in the order of the site.
fn pages(years: &[YearOfJournal]) -> Vec<Range<u64>> {
    let most = u64::from(MOST);
    let (mut pages, mut end) = (Vec::<Range<u64>>::new(), 0);
    for year in years.chunk_by(|one, next| one.year == next.year) {
        let together = if count(year) > most { 1 } else { year.len() };
        for some in year.chunks(together) {
            let start = end;
            end += count(some);
            match pages.last_mut() {
                Some(page) if end - page.start <= most => page.end = end,
                _ => pages.push(start..end),
            }
        }
    }
    pages
}

/// The page of all issues of every journal, by year, or of those of one year, which the site must have.
pub async fn page(context: &Context<'_>, year: Option<i32>) -> Result<Page, PageError> {
    let journals = context.journals().await?;
    let mut years = context.store.archive_years().await?;
    if context.entry.site.publication.period_asc {
        // The journals of a year keep their order.
        years.sort_by_key(|one| one.year);
    }
    if year.is_some_and(|year| years.iter().all(|one| one.year != year)) {
        return Ok(message(context, Failure::PageUnknown));
    }
    let part = Part::read(context, &years, year).await?;
    let mut known: Vec<i32> = years.iter().map(|one| one.year).collect();
    known.dedup();
    let (title, content) = match year {
        None => (context.texts.get("all_issues").to_owned(), all(context, journals, &part, &known)),
        Some(year) => {
            let title = context.texts.format("issues_of_year", &[("year", &year.to_string())]);
            (title, of_year(context, journals, &part, year, &known))
        }
    };
    let address = context.addresses.route(&year.map_or(Route::Issues, Route::IssuesOf));
    let main = html! {
        (head(context, &title, part.progress.total))
        (content)
        (paging::more_of(context, &part.progress, |page| Some(paging::at(&address, page))))
    };
    Ok(Page { cacheable: part.progress.exists(), ..Page::list("issues", title, main) })
}

fn head(context: &Context<'_>, title: &str, issues: u64) -> Markup {
    let issues = usize::try_from(issues).unwrap_or(usize::MAX);
    html! {
        div.page-head {
            h1 { (title) }
            @if issues > 0 { p.issue-facts { (context.texts.count("issue_total", issues)) } }
        }
    }
}

fn all(context: &Context<'_>, journals: &[Journal], part: &Part, known: &[i32]) -> Markup {
    if part.is_one_of_several() {
        return one_of_several(context, journals, part, known);
    }
    html! {
        @if journals.is_empty() { p.empty { (context.texts.get("no_data")) } }
        @for (number, journal) in (1..).zip(journals) {
            (years(context, journal, (journals.len() > 1).then_some(number), &part.issues))
        }
    }
}

/// A page of all issues where there are several. Its links lead to the pages of years and journals, because the page does not have them all.
fn one_of_several(context: &Context<'_>, journals: &[Journal], part: &Part, known: &[i32]) -> Markup {
    let several = journals.len() > 1;
    let groups = |journal: &Journal| by_year(&context.entry.site.publication, journal, &part.issues);
    html! {
        @if known.len() > 1 { (other_years(context, None, known)) }
        @if several { (alone(context, journals)) }
        @if part.issues.is_empty() { p.empty { (context.texts.get("no_data")) } } @else {
            div data-list {
                @for (number, journal) in (1..).zip(journals) {
                    @let groups = groups(journal);
                    @if !several {
                        (sections(context, journal, None, &groups))
                    } @else if !groups.is_empty() {
                        section {
                            h2.block-title { (bidi::local(&journal.title, context.lang())) }
                            (sections(context, journal, Some(number), &groups))
                        }
                    }
                }
            }
        }
    }
}

/// Links to the issues of each journal alone. Earlier addresses of a journal lead to its entry, as they lead to its heading where all issues are on
/// one page (`page/moved.rs`).
fn alone(context: &Context<'_>, journals: &[Journal]) -> Markup {
    let page = |journal: &Journal| context.addresses.route(&Route::Text(TextPage::Journal(journal.key.clone())));
    html! {
        nav.year-jump aria-label=(context.texts.get("journals")) {
            ul.facets {
                @for journal in journals.iter().filter(|journal| !journal.title.is_empty()) {
                    li id=(element_id(&journal.key)) {
                        a href={ (page(journal)) "?tab=issues" } { (bidi::local(&journal.title, context.lang())) }
                    }
                }
            }
        }
    }
}

/// The issues of one year, under the names of their journals where there are several.
fn of_year(context: &Context<'_>, journals: &[Journal], part: &Part, year: i32, known: &[i32]) -> Markup {
    let several = journals.len() > 1;
    let own: Vec<Markup> = journals
        .iter()
        .map(|journal| (journal, of_journal(&context.entry.site.publication, journal, &part.issues)))
        .filter(|(_, own)| !own.is_empty())
        .map(|(journal, own)| {
            html! {
                @if several { h2.block-title { (bidi::local(&journal.title, context.lang())) } }
                (grid(context, journal, &own, several, true))
            }
        })
        .collect();
    html! {
        @if known.len() > 1 { (other_years(context, Some(year), known)) }
        p.publication-links {
            a.block-more href=(context.addresses.route(&Route::Issues)) { (context.texts.get("all_issues")) }
        }
        @if own.is_empty() {
            p.empty { (context.texts.get("no_data")) }
        } @else if part.is_one_of_several() {
            div data-list { @for issues in &own { section { (issues) } } }
        } @else {
            @for issues in &own { (issues) }
        }
    }
}

/// Links to the pages of all years, in the order of the site.
fn other_years(context: &Context<'_>, current: Option<i32>, known: &[i32]) -> Markup {
    html! {
        nav.year-jump aria-label=(context.texts.get("issue_years")) {
            ul.facets {
                @for &one in known {
                    li {
                        a href=(context.addresses.route(&Route::IssuesOf(one))) aria-current=[(Some(one) == current).then_some("page")] { (one) }
                    }
                }
            }
        }
    }
}

/// The issues of a journal, in the order of the site.
fn of_journal<'a>(config: &PublicationConfig, journal: &Journal, issues: &'a [Counted]) -> Vec<&'a Counted> {
    let mut own: Vec<&Counted> = issues.iter().filter(|(issue, _)| issue.journal == journal.key).collect();
    if config.period_asc {
        own.reverse();
    }
    own
}

/// Issues by year, in the order of the site. A site that does not group its issues by year has one list without a heading.
fn by_year<'a>(config: &PublicationConfig, journal: &Journal, issues: &'a [Counted]) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for one in of_journal(config, journal, issues) {
        let year = config.group_by_year.then_some(one.0.year);
        match groups.last_mut() {
            Some((known, list)) if *known == year => list.push(one),
            _ => groups.push((year, vec![one])),
        }
    }
    groups
}

/// Number of covers at the beginning of a page that a phone shows without scrolling.
const FIRST_ROW: usize = 2;

/// The id of a year of a journal. On a site with several, `number` is that of the journal.
fn year_id(year: i32, number: Option<usize>) -> String {
    number.map_or_else(|| format!("year-{year}"), |number| format!("year-{year}-{number}"))
}

/// The issues of a journal, all of them on the page. On a site with several, `number` is that of the journal.
fn years(context: &Context<'_>, journal: &Journal, number: Option<usize>, issues: &[Counted]) -> Markup {
    let groups = by_year(&context.entry.site.publication, journal, issues);
    let named = number.is_some();
    html! {
        @if named { h2.block-title id=(element_id(&journal.key)) { (bidi::local(&journal.title, context.lang())) } }
        @if groups.is_empty() { p.empty { (context.texts.get("no_data")) } }
        @if groups.len() > 1 {
            (jump(context, journal, named, groups.iter().filter_map(|(year, _)| *year), &|year| year_id(year, number)))
        }
        (sections(context, journal, number, &groups))
    }
}

/// The issues of a journal by year.
fn sections(context: &Context<'_>, journal: &Journal, number: Option<usize>, groups: &[Group<'_>]) -> Markup {
    let named = number.is_some();
    html! {
        @for (index, (year, issues)) in groups.iter().enumerate() {
            section.issue-year {
                @if let Some(year) = *year {
                    @let id = year_id(year, number);
                    @if named { h3 id=(id) tabindex="-1" { (year) } } @else { h2 id=(id) tabindex="-1" { (year) } }
                }
                (grid(context, journal, issues, named, index == 0))
            }
        }
    }
}

/// Links to the years of a journal.
fn jump(
    context: &Context<'_>,
    journal: &Journal,
    named: bool,
    years: impl Iterator<Item = i32>,
    id: &dyn Fn(i32) -> String,
) -> Markup {
    let words = context.texts.get("issue_years");
    let label = if named { format!("{words}: {}", journal.title.get(context.lang())) } else { words.to_owned() };
    html! {
        nav.year-jump aria-label=(label) {
            ul.facets { @for year in years { li { a href={ "#" (id(year)) } { (year) } } } }
        }
    }
}

/// The issues of a journal; `first` if the page begins with them.
fn grid(context: &Context<'_>, journal: &Journal, issues: &[&Counted], named: bool, first: bool) -> Markup {
    html! {
        ul.issue-grid {
            @for (place, issue) in issues.iter().enumerate() {
                (card(context, journal, issue, named, first && place < FIRST_ROW))
            }
        }
    }
}

/// An issue with its cover. The browser fetches the cover of one `in_view` as early as the page's style sheets.
fn card(context: &Context<'_>, journal: &Journal, (issue, articles): &Counted, named: bool, in_view: bool) -> Markup {
    let (loading, priority) = ((!in_view).then_some("lazy"), in_view.then_some("high"));
    html! {
        li.issue-card {
            a href=(address(context, issue, named)) {
                img.cover src=(cover::of_issue(context, journal, issue)) alt="" width="600" height="800"
                    loading=[loading] fetchpriority=[priority];
                span.issue-name { (shown_name(context, issue)) }
                @if !issue.title.is_empty() { span.issue-theme { (bidi::local(&issue.title, context.lang())) } }
                span.issue-count { (context.texts.count("article_count", usize::try_from(*articles).unwrap_or(0))) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_divides_no_year_of_a_journal() {
        let of = |years: &[(i32, u64)]| -> Vec<(u64, u64)> {
            let years = years.iter().map(|(year, issues)| YearOfJournal { year: *year, issues: *issues });
            pages(&years.collect::<Vec<_>>()).into_iter().map(|page| (page.start, page.end)).collect()
        };
        assert!(of(&[]).is_empty());
        assert_eq!(of(&[(2026, 150), (2025, 50)]), [(0, 200)]);
        assert_eq!(of(&[(2026, 90), (2025, 60), (2025, 60), (2024, 80)]), [(0, 90), (90, 290)]);
        assert_eq!(of(&[(2026, 150), (2026, 90), (2025, 20)]), [(0, 150), (150, 260)], "a year of two pages");
        assert_eq!(of(&[(2026, 366), (2025, 365)]), [(0, 366), (366, 731)], "of a daily paper");
    }

    #[test]
    fn issues_are_grouped_in_the_order_of_the_site() {
        let issue = |journal: &str, year: i32, number: &str| {
            (Issue { journal: journal.into(), year, issue: number.into(), ..Issue::default() }, 1)
        };
        let issues = [issue("a", 2026, "2"), issue("a", 2026, "1"), issue("a", 2025, "1"), issue("b", 2026, "7")];
        let journal = Journal { key: "a".into(), ..Journal::default() };
        let groups = |config: &PublicationConfig| -> Vec<(Option<i32>, String)> {
            let groups = by_year(config, &journal, &issues);
            let numbers = |list: Vec<&Counted>| list.iter().map(|(issue, _)| issue.issue.as_str()).collect();
            groups.into_iter().map(|(year, list)| (year, numbers(list))).collect()
        };
        let newest_first = PublicationConfig::default();
        assert_eq!(groups(&newest_first), [(Some(2026), "21".to_owned()), (Some(2025), "1".to_owned())]);
        let one_list = PublicationConfig { group_by_year: false, period_asc: true, ..newest_first };
        assert_eq!(groups(&one_list), [(None, "112".to_owned())]);
    }
}
