//! Searching a site's articles, with what plugins make of the query and of the hits. The search page and the call share it.

use std::collections::HashMap;

use masthead_domain::{Lang, card::ArticleCard};
use masthead_runtime::{
    Call,
    wit::{
        search_decorate::{Hit, Page},
        search_rewrite, search_types,
        types::Badge,
    },
};
use masthead_search::{Field, Filter, Hits, Query, Synonym};

use crate::{pages::PageError, sites::SiteEntry, state::App};

/// A page of hits.
#[derive(Debug, Default)]
pub struct Found {
    /// Number of all hits.
    pub total: usize,
    /// The page's articles in their order.
    pub cards: Vec<ArticleCard>,
    /// Marks by the article's number.
    pub badges: HashMap<i64, Vec<Badge>>,
}

/// Searches what the reader typed.
///
/// # Errors
/// The index's or the store's.
pub async fn find(
    app: &App,
    entry: &SiteEntry,
    call: &mut Call,
    lang: Lang,
    typed: &str,
    (offset, limit): (usize, usize),
) -> Result<Found, PageError> {
    let query = from_wit(call.rewrite_search(to_wit(typed)).await);
    let (index, site) = (app.search.clone(), entry.site.id);
    // tantivy reads from disk; a search must not hold up the other requests of this thread.
    let hits = tokio::task::spawn_blocking(move || index.search(site, &query, offset, limit))
        .await
        .unwrap_or_else(|_| Ok(Hits::default()))?;
    let cards = app.store.site(site).cards_by_id(&hits.ids).await?;
    Ok(decorate(call, lang, typed, hits.total, cards).await)
}

async fn decorate(call: &mut Call, lang: Lang, typed: &str, total: usize, cards: Vec<ArticleCard>) -> Found {
    let hits = cards.iter().map(|card| hit(card, lang)).collect();
    let decorated = call.decorate_hits(Page { text: typed.to_owned(), hits }).await;
    // The runtime has seen to it that these are the same articles.
    let mut by_id: HashMap<i64, ArticleCard> = cards.into_iter().map(|card| (card.id, card)).collect();
    let ordered = decorated.iter().filter_map(|hit| by_id.remove(&hit.id)).collect();
    let badges = decorated.into_iter().map(|hit| (hit.id, hit.badges)).filter(|(_, badges)| !badges.is_empty());
    Found { total, cards: ordered, badges: badges.collect() }
}

fn hit(card: &ArticleCard, lang: Lang) -> Hit {
    Hit {
        id: card.id,
        doi: card.doi.as_ref().map(ToString::to_string).unwrap_or_default(),
        title: card.title(lang.tag()).map(|title| title.plain.clone()).unwrap_or_default(),
        kind: card.article_type.clone(),
        year: card.year,
        open_access: card.open_access,
        badges: Vec::new(),
    }
}

fn to_wit(typed: &str) -> search_rewrite::Query {
    search_rewrite::Query { text: typed.to_owned(), synonyms: vec![], boosts: vec![], filters: vec![] }
}

fn from_wit(query: search_rewrite::Query) -> Query {
    let search_rewrite::Query { text, synonyms, boosts, filters } = query;
    let synonym = |search_types::Synonym { term, alternatives }: search_types::Synonym| Synonym { term, alternatives };
    let field = |field| match field {
        search_types::Field::Title => Field::Title,
        search_types::Field::Keywords => Field::Keywords,
        search_types::Field::Authors => Field::Authors,
        search_types::Field::Summary => Field::Summary,
        search_types::Field::Body => Field::Body,
    };
    let filter = |filter| match filter {
        search_types::Filter::YearFrom(year) => Filter::YearFrom(year),
        search_types::Filter::YearTo(year) => Filter::YearTo(year),
        search_types::Filter::Journal(key) => Filter::Journal(key),
        search_types::Filter::Kind(kind) => Filter::Kind(kind),
        search_types::Filter::OpenAccess(open) => Filter::OpenAccess(open),
    };
    Query {
        text,
        synonyms: synonyms.into_iter().map(synonym).collect(),
        boosts: boosts.into_iter().map(|boost| (field(boost.field), boost.percent)).collect(),
        filters: filters.into_iter().map(filter).collect(),
    }
}
