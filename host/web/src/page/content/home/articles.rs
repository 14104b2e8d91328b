//! The sections of articles: contents of the current issue, latest ones, rankings.

use masthead_domain::{
    card::ArticleCard,
    link::{Link, LinkKind},
    route::Route,
    site::{HomeMeasure, HomePlace, HomeSection},
};
use maud::{Markup, html};

use super::{View, block, nothing, parts::SectionContent, view_all};
use crate::page::{
    content::{
        bidi::{self, tag},
        issue, list,
    },
    cover,
};

/// The articles of the current issue, or the latest ones.
pub fn contents(view: &View<'_>, section: &HomeSection, part: &SectionContent, id: &str) -> Markup {
    let key = if view.current().is_some() { "current_issue" } else { "latest_articles" };
    article_list(view, section, part, id, (key, &all_issues(view)))
}

/// The latest articles. All of them are listed by the search, because no other page has the articles of all issues by date.
pub fn latest(view: &View<'_>, section: &HomeSection, part: &SectionContent, id: &str) -> Markup {
    let key = "latest_articles";
    let query = [("type", "article"), ("sort", "date")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let search = Link { kind: LinkKind::Other, path: Route::Search.path(), query: query.into() };
    let more = view_all(view, section, key, &view.context.addresses.link(&search));
    article_list(view, section, part, id, (key, &more))
}

/// The first articles of a page of articles. `named` is the key of the heading, and the page.
pub fn part_of(
    view: &View<'_>,
    section: &HomeSection,
    part: &SectionContent,
    id: &str,
    named: (&'static str, &Route),
) -> Markup {
    let (key, page) = named;
    let more = view_all(view, section, key, &view.context.addresses.route(page));
    article_list(view, section, part, id, (key, &more))
}

/// The link beside a heading to the archive.
fn all_issues(view: &View<'_>) -> Markup {
    let context = view.context;
    html! { a.block-more href=(context.addresses.route(&Route::Issues)) { (context.texts.get("all_issues")) } }
}

/// A list of articles. `named` is the key of its heading, and what stands beside it.
fn article_list(
    view: &View<'_>,
    section: &HomeSection,
    part: &SectionContent,
    id: &str,
    named: (&'static str, &Markup),
) -> Markup {
    let (key, more) = named;
    let content = if section.place == HomePlace::Side {
        headlines(view, part)
    } else {
        list::articles(view.context, view.journals, &part.cards, &part.hrefs)
    };
    block(view, section, id, key, more, &content)
}

/// Titles with their authors, for narrow columns.
fn headlines(view: &View<'_>, part: &SectionContent) -> Markup {
    if part.cards.is_empty() {
        return nothing(view);
    }
    html! {
        ol.headlines {
            @for (card, href) in part.cards.iter().zip(&part.hrefs) { li { (headline(view, card, href)) } }
        }
    }
}

/// The title of an article as a link, and its first author.
fn headline(view: &View<'_>, card: &ArticleCard, href: &str) -> Markup {
    let title = card.title(view.context.lang().tag());
    html! {
        a.headline href=(href) lang=[title.and_then(|title| tag(&title.lang))] dir=[title.map(|title| bidi::dir(&title.lang))] {
            (list::rich(title))
        }
        (list::mark(view.context, card.notice))
        @if let Some(first) = card.authors_for(view.context.lang().tag()).first() {
            span.headline-by { (bidi::isolated(first)) @if card.author_count > 1 { "…" } }
        }
    }
}

/// The current issue of the first journal: its cover, its name and its first articles. On a site with several journals, it names the journal.
pub fn current_issue(view: &View<'_>, section: &HomeSection, part: &SectionContent, id: &str) -> Markup {
    let context = view.context;
    let (Some(journal), Some(current)) = (view.journals.first(), view.issues.first()) else {
        return block(view, section, id, "current_issue", &html! {}, &nothing(view));
    };
    let texts = &context.texts;
    let several = view.journals.len() > 1;
    let href = issue::address(context, current, several);
    let size = part.counts.first().and_then(|size| usize::try_from(*size).ok()).unwrap_or(0);
    let content = html! {
        div.current-issue {
            a.current-cover href=(href) tabindex="-1" aria-hidden="true" {
                img.cover src=(cover::of_issue(context, journal, current)) alt="" width="600" height="800";
            }
            div.current-text {
                @if several { p.kicker { (issue::journal_link(context, journal)) } }
                h3.current-name { a href=(href) { (issue::shown_name(context, current)) } }
                @if !current.title.is_empty() { p.issue-theme { (bidi::local(&current.title, context.lang())) } }
                p.issue-facts {
                    (texts.count("article_count", size))
                    @if !current.date.is_empty() { " · " (bidi::date(&current.date)) }
                }
                (headlines(view, part))
                @if size > part.cards.len() {
                    p { a.block-more href=(href) { (texts.get("view_all")) span.visually-hidden { ": " (issue::shown_name(context, current)) } } }
                }
            }
        }
    };
    block(view, section, id, "current_issue", &all_issues(view), &content)
}

/// The most read or downloaded articles, with links to the other measures and windows.
pub fn ranking(view: &View<'_>, section: &HomeSection, part: &SectionContent, id: &str) -> Markup {
    let texts = &view.context.texts;
    let (by, months) = view.choice.within(section);
    let to = |by: HomeMeasure, months: u32| format!("{}?by={}&months={months}#{id}", view.address, by.as_str());
    let content = html! {
        @if section.ranked_by().len() > 1 {
            ul.facets aria-label=(texts.get("home_rank_by")) {
                @for other in section.ranked_by() {
                    li { (choice(&to(*other, months), *other == by, texts.get(measure_key(*other)))) }
                }
            }
        }
        @if section.windows().len() > 1 {
            ul.facets aria-label=(texts.get("time_span")) {
                @for window in section.windows() {
                    li { (choice(&to(by, *window), *window == months, &window_name(view, *window))) }
                }
            }
        }
        @if part.cards.is_empty() { (nothing(view)) } @else {
            ol.ranking {
                @for ((card, href), count) in part.cards.iter().zip(&part.hrefs).zip(&part.counts) {
                    li {
                        (headline(view, card, href))
                        span.rank-count { (bidi::ltr(&count.to_string())) " " span.visually-hidden { (texts.get(measure_key(by))) } }
                    }
                }
            }
        }
    };
    block(view, section, id, "home_rankings", &html! {}, &content)
}

/// A link to another ranking; the shown one is marked.
fn choice(href: &str, shown: bool, name: &str) -> Markup {
    html! { a href=(href) rel="nofollow" aria-current=[shown.then_some("true")] { (name) } }
}

const fn measure_key(measure: HomeMeasure) -> &'static str {
    match measure {
        HomeMeasure::Visits => "visits",
        HomeMeasure::Downloads => "downloads",
    }
}

fn window_name(view: &View<'_>, months: u32) -> String {
    let texts = &view.context.texts;
    let number = |count: u32| usize::try_from(count).unwrap_or(usize::MAX);
    match months {
        0 => texts.get("home_window_all").to_owned(),
        months if months % 12 == 0 => texts.count("home_window_years", number(months / 12)),
        months => texts.count("home_window_months", number(months)),
    }
}
