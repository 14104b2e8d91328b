//! The hits of a page, as the cards of their kinds.

use std::collections::HashMap;

use masthead_content::readable_article;
use masthead_domain::{
    ArticleId,
    card::{ArticleCard, CardText},
    link::LinkKind,
    publication::Journal,
    route::{Route, TextPage},
};
use masthead_runtime::Call;
use masthead_search::{Marker, Tree, passages_of};
use maud::{Markup, html};

use super::tab::Tab;
use crate::{
    page::{
        content::{
            bidi, home,
            list::{self, Parts},
            resources,
        },
        context::{Context, PageError},
        cover,
    },
    search_service::{Badges, ResultItem, SearchFailure, SearchResults, marks},
};

/// Articles on a page for which a passage of the text is looked up: those that show none of the words.
const MOST_PASSAGES: usize = 5;

/// The list of hits of a tab, with the words of the query marked.
pub async fn list(
    context: &Context<'_>,
    call: &mut Call,
    tab: Tab,
    results: &SearchResults,
) -> Result<Markup, PageError> {
    let marker = Marker::new(results.tree.as_ref());
    let none = Badges::new();
    let badges = results.badges.get(&context.entry.site.id).unwrap_or(&none);
    match tab {
        Tab::Articles => articles(context, call, (results, badges), &marker).await,
        Tab::Journals => Ok(journals(context, results, &marker)),
        _ => {
            let rows: Vec<_> = results.items.iter().filter_map(resource).cloned().collect();
            resources::found(context, call, tab.resources(), (&rows, badges), &marker).await
        }
    }
}

async fn articles(
    context: &Context<'_>,
    call: &mut Call,
    (results, badges): (&SearchResults, &Badges),
    marker: &Marker,
) -> Result<Markup, PageError> {
    let card = |item: &ResultItem| match item {
        ResultItem::Article(card) => Some(ArticleCard::clone(card)),
        _ => None,
    };
    let mut cards: Vec<ArticleCard> = results.items.iter().filter_map(card).collect();
    let hrefs = context.addresses.cards(call, LinkKind::ResultArticle, &cards).await;
    let lang = context.lang().tag();
    for card in &mut cards {
        // A card shows one of its titles and one of its abstracts.
        card.titles = card.title(lang).map(|text| marked(text, marker)).into_iter().collect();
        card.summaries = card.summary(lang).map(|text| marked(text, marker)).into_iter().collect();
    }
    let passages = text_passages(context, results.tree.as_ref(), marker, &cards).await?;
    let journals = context.journals().await?;
    let name = |name: &str| marks::in_name(&bidi::isolated(name), marker);
    let more = |card: &ArticleCard| html! { @if let Some(passage) = passages.get(&card.id) { (passage) } };
    Ok(html! {
        h2.visually-hidden { (context.texts.get("articles")) }
        (list::articles_with(context, journals, (&cards, &hrefs), badges, true, &Parts { more: &more, name: &name }))
    })
}

/// A text of a card with what a query matches marked.
fn marked(text: &CardText, marker: &Marker) -> CardText {
    CardText { html: marks::in_markup(&list::rich(Some(text)), marker).0, ..text.clone() }
}

/// A passage of the text for each of the first cards that show none of the words, by article. Readers who may not read an article get passages
/// of what is open to everyone.
async fn text_passages(
    context: &Context<'_>,
    tree: Option<&Tree>,
    marker: &Marker,
    cards: &[ArticleCard],
) -> Result<HashMap<i64, Markup>, PageError> {
    let lang = context.lang().tag();
    let is_marked = |text: Option<&CardText>| text.is_some_and(|text| text.html.contains("<mark>"));
    let is_named = |card: &ArticleCard| card.authors.iter().any(|name| !marker.marks_of_name(name).is_empty());
    let without =
        |card: &&ArticleCard| !is_marked(card.title(lang)) && !is_marked(card.summary(lang)) && !is_named(card);
    let mut texts = Vec::new();
    let Some(tree) = tree.filter(|_| !marker.is_empty()).cloned() else { return Ok(HashMap::new()) };
    let chosen: Vec<ArticleId> =
        cards.iter().filter(without).take(MOST_PASSAGES).map(ArticleCard::article_id).collect();
    let articles = if chosen.is_empty() { HashMap::new() } else { context.store.articles(&chosen).await? };
    for (id, article) in articles {
        let permit = context.rights.read(article.access());
        let rendered = readable_article::rendered(&article, permit.as_ref())
            .map_err(|source| PageError::Rendered { id: id.0, source })?;
        texts.push((id.0, rendered.text));
    }
    if texts.is_empty() {
        return Ok(HashMap::new());
    }
    let passage = move |(id, text): (i64, String)| Some((id, passages_of(&tree, &text, 1).pop()?));
    let found = tokio::task::spawn_blocking(move || texts.into_iter().filter_map(passage).collect::<Vec<_>>()).await;
    let found = found.map_err(|error| PageError::Search(SearchFailure::Panic(error)))?;
    let shown = |text: String| {
        html! { p.card-passage dir="auto" { (context.texts.get("in_the_text")) ": " q { (marks::in_markup(&html! { (text) }, marker)) } } }
    };
    Ok(found.into_iter().map(|(id, text)| (id, shown(text))).collect())
}

fn journals(context: &Context<'_>, results: &SearchResults, marker: &Marker) -> Markup {
    let journal = |item: &ResultItem| match item {
        ResultItem::Publication(journal) => Some(Journal::clone(journal)),
        _ => None,
    };
    html! {
        ul.journal-hits data-list {
            @for journal in results.items.iter().filter_map(journal) {
                li.journal-hit data-kind="publication" data-id=(journal.key) {
                    img.cover src=(cover::of_journal(context, &journal)) alt="" width="600" height="800" loading="lazy";
                    div {
                        h2.card-title { a href=(context.addresses.route(&Route::Text(TextPage::Journal(journal.key.clone())))) { (marks::in_markup(&bidi::local(&journal.title, context.lang()), marker)) } }
                        @if !journal.introduction.is_empty() { p.card-summary { (marks::in_markup(&bidi::local(&journal.introduction, context.lang()), marker)) } }
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
