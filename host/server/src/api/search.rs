//! Calls about searching.

use axum::{Json, extract::Query};
use masthead_domain::{link::LinkKind, site::ResourceType};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    articles::LinkedCard,
    envelope::{ApiError, Caller},
    types::{BadgeView, Envelope},
};
use crate::finding::{self, Found};

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
    let mut call = caller.begin("search");
    let found = finding::find(&caller.app, caller.entry(), &mut call, caller.lang, &question.q, (offset, size)).await;
    let Found { total, cards, mut badges } = found.map_err(caller.page_failed())?;
    let mut content = LinkedCard::all(&caller, LinkKind::ResultArticle, cards).await;
    for card in &mut content {
        card.badges = badges.remove(&card.card.id).unwrap_or_default().iter().map(BadgeView::of).collect();
    }
    Ok(caller.ok(Results { total_elements: total, content }))
}
