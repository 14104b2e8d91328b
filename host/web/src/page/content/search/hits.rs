//! The hits of a page, as the cards of their kinds.

use masthead_domain::{
    card::ArticleCard,
    link::LinkKind,
    publication::Journal,
    route::{Route, TextPage},
};
use masthead_runtime::Call;
use maud::{Markup, html};

use super::tab::Tab;
use crate::{
    page::{
        content::{bidi, home, list, resources},
        context::{Context, PageError},
        cover,
    },
    search_service::{ResultItem, SearchResults},
};

/// The list of hits of a tab.
pub async fn list(
    context: &Context<'_>,
    call: &mut Call,
    tab: Tab,
    results: &SearchResults,
) -> Result<Markup, PageError> {
    match tab {
        Tab::Articles => articles(context, call, results).await,
        Tab::Journals => Ok(journals(context, results)),
        _ => {
            let rows: Vec<_> = results.items.iter().filter_map(resource).cloned().collect();
            resources::found(context, call, tab.resources(), &rows).await
        }
    }
}

async fn articles(context: &Context<'_>, call: &mut Call, results: &SearchResults) -> Result<Markup, PageError> {
    let card = |item: &ResultItem| match item {
        ResultItem::Article(card) => Some(ArticleCard::clone(card)),
        _ => None,
    };
    let cards: Vec<ArticleCard> = results.items.iter().filter_map(card).collect();
    let hrefs = context.addresses.cards(call, LinkKind::ResultArticle, &cards).await;
    let journals = context.journals().await?;
    Ok(html! {
        h2.visually-hidden { (context.texts.get("articles")) }
        (list::articles_with(context, journals, (&cards, &hrefs), &results.badges, true, &|_| html! {}))
    })
}

fn journals(context: &Context<'_>, results: &SearchResults) -> Markup {
    let journal = |item: &ResultItem| match item {
        ResultItem::Publication(journal) => Some(Journal::clone(journal)),
        _ => None,
    };
    html! {
        ul.journal-hits data-list {
            @for journal in results.items.iter().filter_map(journal) {
                li.journal-hit {
                    img.cover src=(cover::of_journal(context, &journal)) alt="" width="600" height="800" loading="lazy";
                    div {
                        h2.card-title { a href=(context.addresses.route(&Route::Text(TextPage::Journal(journal.key.clone())))) { (bidi::local(&journal.title, context.lang())) } }
                        @if !journal.introduction.is_empty() { p.card-summary { (bidi::local(&journal.introduction, context.lang())) } }
                        (home::facts(context, &journal))
                    }
                }
            }
        }
    }
}

const fn resource(item: &ResultItem) -> Option<&masthead_store::ResourceRow> {
    match item {
        ResultItem::Resource(row) => Some(row),
        _ => None,
    }
}
