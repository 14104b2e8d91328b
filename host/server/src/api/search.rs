//! Calls about searching.

use axum::{Json, extract::Query};
use masthead_domain::{card::ArticleCard, link::LinkKind, site::ResourceType};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    articles::LinkedCard,
    envelope::{ApiError, Caller},
    types::Envelope,
};

/// Scopes of the search.
#[utoipa::path(get, path = "/rc-pub/front/site/{siteId}/search-config", tag = "search",
    params(("siteId" = i64, Path, description = "The site's number")),
    responses((status = 200, body = Envelope<Vec<ResourceType>>)))]
pub async fn config(caller: Caller) -> Json<Envelope<Vec<ResourceType>>> {
    caller.ok(caller.entry().site.search.resource_type.clone())
}

/// A page of words.
#[derive(Serialize, ToSchema)]
pub struct Words {
    /// The words, most wanted first.
    content: Vec<String>,
}

/// Words to offer.
#[utoipa::path(get, path = "/rc-pub/front/hisSearch/hotWords", tag = "search",
    responses((status = 200, body = Envelope<Words>)))]
pub async fn hot_words(caller: Caller) -> Json<Envelope<Words>> {
    let words = &caller.entry().site.search.hot_words;
    caller.ok(Words { content: words.iter().take(10).map(|word| word.get(caller.lang).to_owned()).collect() })
}

/// What to search for.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Question {
    /// What the reader typed.
    q: String,
    /// Page, from 0.
    #[serde(default)]
    page: usize,
    /// Hits on a page, 20 where it is left out, at most 100.
    size: Option<usize>,
}

/// A page of hits.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Results {
    /// Number of all hits.
    total_elements: usize,
    /// The page's hits.
    content: Vec<LinkedCard>,
}

/// Searches the site's articles.
#[utoipa::path(get, path = "/rc-pub/front/search", tag = "search", params(Question),
    responses((status = 200, body = Envelope<Results>)))]
pub async fn search(caller: Caller, Query(question): Query<Question>) -> Result<Json<Envelope<Results>>, ApiError> {
    let size = question.size.unwrap_or(20).clamp(1, 100);
    let offset = question.page.min(1000) * size;
    let (index, site) = (caller.app.search.clone(), caller.entry().site.id);
    let hits = tokio::task::spawn_blocking(move || {
        index.search(site, &masthead_search::Query::typed(&question.q), offset, size)
    })
    .await
    .map_err(|error| caller.broken(&error))?
    .map_err(|error| caller.broken(&error))?;
    let cards: Vec<ArticleCard> = caller.store().cards_by_id(&hits.ids).await.map_err(caller.store_failed())?;
    let content = LinkedCard::all(&caller, LinkKind::ResultArticle, cards).await;
    Ok(caller.ok(Results { total_elements: hits.total, content }))
}
