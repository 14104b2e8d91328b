//! The archive: the issues of every journal by year, each with its cover; and those of one year.

use std::collections::BTreeSet;

use masthead_documents::html::ids::element_id;
use masthead_domain::{
    publication::{Issue, Journal},
    route::Route,
    site::PublicationConfig,
};
use maud::{Markup, html};

use super::{address, shown_name};
use crate::{
    failure::Failure,
    page::{
        content::{bidi, message},
        context::{Context, Page, PageError},
        cover,
    },
};

/// An issue with the number of its articles.
type Counted = (Issue, i64);

/// The page of all issues of every journal, by year, or of those of one year, which the site must have.
pub async fn page(context: &Context<'_>, year: Option<i32>) -> Result<Page, PageError> {
    let journals = context.journals().await?;
    let all = context.store.archive().await?;
    let Some(year) = year else {
        let title = context.texts.get("all_issues").to_owned();
        let main = html! {
            (head(context, &title, all.len()))
            @if journals.is_empty() { p.empty { (context.texts.get("no_data")) } }
            @for (number, journal) in (1..).zip(journals) {
                (years(context, journal, (journals.len() > 1).then_some(number), &all))
            }
        };
        return Ok(Page::list("issues", title, main));
    };
    let known: BTreeSet<i32> = all.iter().map(|(issue, _)| issue.year).collect();
    let issues: Vec<Counted> = all.into_iter().filter(|(issue, _)| issue.year == year).collect();
    if issues.is_empty() {
        return Ok(message(context, Failure::PageUnknown));
    }
    let title = context.texts.format("issues_of_year", &[("year", &year.to_string())]);
    let main = html! {
        (head(context, &title, issues.len()))
        @if known.len() > 1 { (other_years(context, year, &known)) }
        p.publication-links {
            a.block-more href=(context.addresses.route(&Route::Issues)) { (context.texts.get("all_issues")) }
        }
        @for journal in journals {
            @let own = of_journal(&context.entry.site.publication, journal, &issues);
            @if !own.is_empty() {
                @if journals.len() > 1 { h2.block-title { (bidi::local(&journal.title, context.lang())) } }
                (grid(context, journal, &own, journals.len() > 1, true))
            }
        }
    };
    Ok(Page::list("issues", title, main))
}

fn head(context: &Context<'_>, title: &str, issues: usize) -> Markup {
    html! {
        div.page-head {
            h1 { (title) }
            @if issues > 0 { p.issue-facts { (context.texts.count("issue_total", issues)) } }
        }
    }
}

/// Links to the pages of all years, in the order of the site.
fn other_years(context: &Context<'_>, year: i32, known: &BTreeSet<i32>) -> Markup {
    let mut years: Vec<i32> = known.iter().copied().collect();
    if !context.entry.site.publication.period_asc {
        years.reverse();
    }
    html! {
        nav.year-jump aria-label=(context.texts.get("issue_years")) {
            ul.facets {
                @for one in years {
                    li {
                        a href=(context.addresses.route(&Route::IssuesOf(one))) aria-current=[(one == year).then_some("page")] { (one) }
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
fn by_year<'a>(
    config: &PublicationConfig,
    journal: &Journal,
    issues: &'a [Counted],
) -> Vec<(Option<i32>, Vec<&'a Counted>)> {
    let mut groups: Vec<(Option<i32>, Vec<&Counted>)> = Vec::new();
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

/// The issues of a journal. On a site with several, `number` is that of the journal.
fn years(context: &Context<'_>, journal: &Journal, number: Option<usize>, issues: &[Counted]) -> Markup {
    let groups = by_year(&context.entry.site.publication, journal, issues);
    let named = number.is_some();
    let id = |year: i32| number.map_or_else(|| format!("year-{year}"), |number| format!("year-{year}-{number}"));
    html! {
        @if named { h2.block-title id=(element_id(&journal.key)) { (bidi::local(&journal.title, context.lang())) } }
        @if groups.is_empty() { p.empty { (context.texts.get("no_data")) } }
        @if groups.len() > 1 { (jump(context, journal, named, groups.iter().filter_map(|(year, _)| *year), &id)) }
        @for (index, (year, issues)) in groups.iter().enumerate() {
            section.issue-year {
                @if let Some(year) = *year {
                    @if named { h3 id=(id(year)) tabindex="-1" { (year) } } @else { h2 id=(id(year)) tabindex="-1" { (year) } }
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
