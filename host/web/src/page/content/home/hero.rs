//! The head of the home page, and the journals of the site.

use masthead_domain::{
    link::is_own,
    publication::{Issue, Journal},
    route::{Route, TextPage},
    site::{HomeLayout, HomeSection},
};
use maud::{Markup, html};

use super::{View, block, nothing};
use crate::page::{content::bidi, context::Context, cover};

/// The journal; on a site with several journals, or none, the site.
pub fn hero(view: &View<'_>) -> Markup {
    match view.journals {
        [only] => of_journal(view, only),
        _ => of_site(view.context),
    }
}

/// The arrangement of a newspaper has the cover beside the current issue only.
fn of_journal(view: &View<'_>, journal: &Journal) -> Markup {
    let (context, lang) = (view.context, view.context.lang());
    let covered = !view.composed || context.entry.site.home.layout != HomeLayout::Newspaper;
    html! {
        section.home-hero {
            @if covered { img.cover src=(cover_of(context, journal, view.current())) alt="" width="600" height="800"; }
            div.hero-text {
                h1 { (bidi::local(&journal.title, lang)) }
                p.page-lead { (bidi::local(&journal.introduction, lang)) }
                (facts(context, journal))
            }
        }
    }
}

/// The picture of the current issue, else of the journal, else the drawn cover of the current issue.
fn cover_of(context: &Context<'_>, journal: &Journal, current: Option<&Issue>) -> String {
    match current {
        Some(issue) if is_own(&issue.cover) || !is_own(&journal.cover) => cover::of_issue(context, journal, issue),
        _ => cover::of_journal(context, journal),
    }
}

fn of_site(context: &Context<'_>) -> Markup {
    let site = &context.entry.site;
    html! {
        div.page-head {
            h1 { (bidi::local(&site.name, context.lang())) }
            @if !site.description.is_empty() { p.page-lead { (bidi::local(&site.description, context.lang())) } }
        }
    }
}

/// A journal's bibliographic data as a definition list.
pub fn facts(context: &Context<'_>, journal: &Journal) -> Markup {
    let lang = context.lang();
    let start = journal.start_year.map(|year| year.to_string()).unwrap_or_default();
    let issn = [journal.issn.as_str(), journal.eissn.as_str()]
        .into_iter()
        .filter(|issn| !issn.is_empty())
        .collect::<Vec<_>>()
        .join(" · ");
    let number = |text: &str| {
        if text.is_empty() {
            html! {}
        } else {
            bidi::ltr(text)
        }
    };
    let rows = [
        ("issn", number(&issn)),
        ("cn", number(&journal.cn)),
        ("editor_in_chief", bidi::local(&journal.editor_in_chief, lang)),
        ("sponsor", bidi::local(&journal.sponsor, lang)),
        ("supervisor", bidi::local(&journal.supervisor, lang)),
        ("frequency", bidi::local(&journal.frequency, lang)),
        ("start_year", number(&start)),
        ("readership", bidi::local(&journal.readership, lang)),
    ];
    html! {
        dl.facts {
            @for (key, value) in rows {
                @if !value.0.is_empty() { div { dt { (context.texts.get(key)) } dd { (value) } } }
            }
        }
    }
}

/// The journals of the site with their covers, each leading to its own page. Where nothing is configured, a site without journals has no such
/// section.
pub fn journals(view: &View<'_>, section: &HomeSection, id: &str) -> Markup {
    if view.journals.is_empty() {
        return if view.composed {
            block(view, section, id, "journals", &html! {}, &nothing(view))
        } else {
            html! {}
        };
    }
    let addresses = &view.context.addresses;
    let href = |journal: &Journal| addresses.route(&Route::Text(TextPage::Journal(journal.key.clone())));
    block(view, section, id, "journals", &html! {}, &journal_grid(view.context, view.journals, href))
}

/// Journals with their covers, each leading to an address.
pub fn journal_grid<'a>(
    context: &Context<'_>,
    journals: impl IntoIterator<Item = &'a Journal>,
    href: impl Fn(&Journal) -> String,
) -> Markup {
    let lang = context.lang();
    html! {
        ul.journal-grid {
            @for journal in journals {
                li.journal-card {
                    a href=(href(journal)) {
                        img.cover src=(cover::of_journal(context, journal)) alt="" width="600" height="800" loading="lazy";
                        span.journal-name { (bidi::local(&journal.title, lang)) }
                    }
                    p { (bidi::local(&journal.introduction, lang)) }
                }
            }
        }
    }
}
