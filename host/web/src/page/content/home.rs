//! The home page: the journal, its current issue and the latest articles; on a group site, its journals.

use std::collections::HashMap;

use masthead_documents::html::ids::element_id;
use masthead_domain::{
    link::LinkKind,
    publication::{Issue, Journal},
    route::Route,
};
use masthead_runtime::Call;
use masthead_store::CardQuery;
use maud::{Markup, html};

use crate::page::{
    content::{bidi, issue, list},
    context::{Context, Page, PageError},
};
use crate::{page::head::Head, page::types::PageView};
use masthead_content::citation;

const LATEST: i64 = 8;

pub async fn page(context: &Context<'_>, call: &mut Call) -> Result<Page, PageError> {
    let journals = context.journals().await?;
    let site = &context.entry.site;
    let name = site.name.get(context.lang());
    let current = match journals {
        [_] => context.issues().await?.first(),
        _ => None,
    };
    let (cards, heading) = match current {
        Some(current) => (context.store.cards(&issue::query(current), None, LATEST).await?, "current_issue"),
        None => (context.store.cards(&CardQuery::Latest, None, LATEST).await?, "latest_articles"),
    };
    let hrefs = context.addresses.cards(call, LinkKind::ListArticle, &cards).await;
    let main = html! {
        @match journals {
            [only] => (hero(context, only, current)),
            several => (group(context, several)),
        }
        section.block {
            h2.block-title {
                (context.texts.get(heading))
                a.block-more href=(context.addresses.route(&Route::Issues)) { (context.texts.get("all_issues")) }
            }
            (list::articles(context, journals, &cards, &hrefs, &HashMap::new()))
        }
        div data-slot="home.sections" {}
    };
    let description = site.description.get(context.lang());
    let address = format!("{}{}", context.origin, context.addresses.route(&Route::Home));
    Ok(Page {
        compressed: Vec::new(),
        status: 200,
        title: String::new(),
        head: Head {
            keywords: site.keywords.join(", "),
            json_ld: citation::journals(name, &address, context.lang(), journals),
            ..Head::page(if description.is_empty() { name } else { description })
        },
        main,
        view: PageView::Home {},
        cacheable: true,
        article: None,
    })
}

fn hero(context: &Context<'_>, journal: &Journal, current: Option<&Issue>) -> Markup {
    let lang = context.lang();
    let cover = current.map(|issue| issue.cover.as_str()).filter(|cover| !cover.is_empty()).unwrap_or(&journal.cover);
    html! {
        section.home-hero {
            @if !cover.is_empty() {
                img.cover src=(cover) alt="" width="600" height="800";
            }
            div.hero-text {
                h1 { (bidi::local(&journal.title, lang)) }
                p.page-lead { (bidi::local(&journal.introduction, lang)) }
                (facts(context, journal))
            }
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

fn group(context: &Context<'_>, journals: &[Journal]) -> Markup {
    let lang = context.lang();
    let site = &context.entry.site;
    html! {
        div.page-head {
            h1 { (bidi::local(&site.name, lang)) }
            @if !site.description.is_empty() { p.page-lead { (bidi::local(&site.description, lang)) } }
        }
        @if !journals.is_empty() {
            section.block {
                h2.block-title { (context.texts.get("journals")) }
                ul.journal-grid {
                    @for journal in journals {
                        li.journal-card {
                            a href={ (context.addresses.route(&Route::Issues)) "#" (element_id(&journal.key)) } {
                                @if !journal.cover.is_empty() {
                                    img.cover src=(journal.cover) alt="" width="600" height="800" loading="lazy";
                                }
                                span.journal-name { (bidi::local(&journal.title, lang)) }
                            }
                            p { (bidi::local(&journal.introduction, lang)) }
                        }
                    }
                }
            }
        }
    }
}
