//! The pages of patents, standards, documents and conferences: all that is known of each.

use masthead_domain::{
    link::{is_own_or_web, is_web},
    resource::{Conference, Document, DocumentType, Patent, ResourceKind, Standard},
};
use maud::{Markup, html};

use super::{
    entry,
    facts::{self, Fact, number, words},
};
use crate::page::{
    content::{bidi, message::absent},
    context::{Context, Page, PageError},
};

/// The page of a patent.
pub async fn patent(context: &Context<'_>, id: i64) -> Result<Page, PageError> {
    let Some(patent) = context.store.resource::<Patent>(id).await? else { return Ok(absent(context)) };
    let patent = patent.value;
    let rows = [
        ("application_number", number(&patent.application_number)),
        ("publication_number", number(&patent.publication_number)),
        ("applicants", entry::people(context, &patent.applicants)),
        ("inventors", entry::people(context, &patent.inventors)),
        ("ipc", words(&patent.ipc)),
        ("applied_on", entry::day(&patent.applied)),
        ("published", entry::day(&patent.date)),
        ("legal_state", entry::name(&patent.legal_state)),
    ];
    let main = html! {
        article.resource data-resource="patent" {
            (facts::head(context, (ResourceKind::Patent, id), &patent.publication_number, &patent.title, html! {}))
            (facts::list(context, &rows))
            (facts::section(context, "abstract", facts::prose(context, &patent.introduction)))
        }
    };
    Ok(facts::page::<Patent>(context, &patent.title, &patent.introduction, main))
}

/// The page of a standard.
pub async fn standard(context: &Context<'_>, id: i64) -> Result<Page, PageError> {
    let Some(standard) = context.store.resource::<Standard>(id).await? else { return Ok(absent(context)) };
    let standard = standard.value;
    let standing = entry::standing(&standard).map(|key| html! { (context.texts.get(key)) });
    let rows = [
        ("standard_number", number(&standard.number)),
        ("standing", standing.unwrap_or_else(|| entry::name(&standard.standing))),
        ("issued_by", bidi::local(&standard.organization, context.lang())),
        ("ics", words(&standard.ics)),
        ("published", entry::day(&standard.date)),
        ("effective_on", entry::day(&standard.effective)),
        ("replaces", words(&standard.replaces)),
    ];
    let main = html! {
        article.resource data-resource="standard" {
            (facts::head(context, (ResourceKind::Standard, id), &standard.number, &standard.title, html! {}))
            (facts::list(context, &rows))
            (facts::section(context, "scope", facts::prose(context, &standard.introduction)))
        }
    };
    Ok(facts::page::<Standard>(context, &standard.title, &standard.introduction, main))
}

/// The page of a document.
pub async fn document(context: &Context<'_>, id: i64) -> Result<Page, PageError> {
    let Some(document) = context.store.resource::<Document>(id).await? else { return Ok(absent(context)) };
    let document = document.value;
    let kind = match document.kind {
        DocumentType::Science => "documents",
        DocumentType::Music => "sheet_music",
        DocumentType::Chronicle => "local_history",
    };
    let rows = [
        ("authors", entry::people(context, &document.authors)),
        ("date", entry::day(&document.date)),
        ("keywords", words(&document.keywords)),
        ("document_type", html! { (context.texts.get(kind)) }),
    ];
    let main = html! {
        article.resource data-resource="document" {
            (facts::head(context, (ResourceKind::Document, id), "", &document.title, html! {}))
            div.resource-grid {
                (facts::cover(&document.cover))
                div.resource-main {
                    (facts::list(context, &rows))
                    (facts::prose(context, &document.introduction))
                    @if is_own_or_web(&document.file) {
                        p.actions { a.action href=(document.file) { (context.texts.get("open_document")) } }
                    }
                }
            }
        }
    };
    Ok(facts::page::<Document>(context, &document.title, &document.introduction, main))
}

/// The page of a conference.
pub async fn conference(context: &Context<'_>, id: i64) -> Result<Page, PageError> {
    let Some(conference) = context.store.resource::<Conference>(id).await? else { return Ok(absent(context)) };
    let conference = conference.value;
    let lang = context.lang();
    let rows: [Fact; 4] = [
        ("conference_dates", entry::period(&conference.start, &conference.end)),
        ("venue", bidi::local(&conference.place, lang)),
        ("organizer", bidi::local(&conference.organizer, lang)),
        ("deadline", entry::day(&conference.deadline)),
    ];
    let main = html! {
        article.resource data-resource="conference" {
            (facts::head(context, (ResourceKind::Conference, id), "", &conference.title, html! {}))
            div.resource-grid {
                (facts::cover(&conference.cover))
                div.resource-main {
                    (facts::list(context, &rows))
                    (facts::rich(context, &conference.content))
                    (own_site(context, &conference))
                }
            }
        }
    };
    Ok(facts::page::<Conference>(context, &conference.title, &conference.content, main))
}

fn own_site(context: &Context<'_>, conference: &Conference) -> Markup {
    html! {
        @if is_web(&conference.link_value) {
            p.actions {
                a.action href=(conference.link_value) rel="noopener" { (context.texts.get("conference_site")) }
            }
        }
    }
}
