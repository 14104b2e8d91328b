//! What pages of several kinds show of journals: their bibliographic data, and their covers in a grid.

use masthead_domain::publication::Journal;
use maud::{Markup, html};

use crate::page::{content::bidi, context::Context, cover};

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

/// Journals with their covers, each leading to an address: all, or those of a page of their list, to which the shell appends the next.
pub fn grid<'a>(
    context: &Context<'_>,
    journals: impl IntoIterator<Item = &'a Journal>,
    href: impl Fn(&Journal) -> String,
) -> Markup {
    let lang = context.lang();
    html! {
        ul.journal-grid data-list {
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
