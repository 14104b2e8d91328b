//! The head of the home page, and the journals of the site.

use masthead_domain::{
    link::is_own,
    publication::{Issue, Journal},
    route::{Route, TextPage},
    site::{HomeLayout, HomeSection},
};
use maud::{Markup, html};

use super::{View, block, nothing, view_all};
use crate::page::{
    content::{bidi, journals},
    context::Context,
    cover,
};

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
                (journals::facts(context, journal))
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

/// The first journals of the site with their covers, each leading to its own page, and a link to all where there are more. Where nothing is
/// configured, a site without journals has no such section.
pub fn journals(view: &View<'_>, section: &HomeSection, id: &str) -> Markup {
    if view.journals.is_empty() {
        return if view.composed {
            block(view, section, id, "journals", &html! {}, &nothing(view))
        } else {
            html! {}
        };
    }
    let addresses = &view.context.addresses;
    let address = |key: &str| addresses.route(&Route::Text(TextPage::Journal(key.to_owned())));
    let shown = section.entries() as usize;
    let all = html! { @if view.journals.len() > shown { (view_all(view, section, "journals", &address(""))) } };
    let href = |journal: &Journal| address(&journal.key);
    block(view, section, id, "journals", &all, &journals::grid(view.context, view.journals.iter().take(shown), href))
}
