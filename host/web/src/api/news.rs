//! Calls about news besides the list and the details: its tabs, and the target address of a news item.

use std::sync::Arc;

use axum::{Json, extract::Query};
use masthead_domain::{
    Lang,
    link::is_web,
    resource::{News, NewsType, ResourceKind},
    route::Route,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    envelope::{ApiError, Caller},
    listing,
    types::Envelope,
};
use crate::{
    app::App,
    failure::Failure,
    i18n,
    routing::routes,
    schema::{self, FromDomain},
    sites::addresses::Addresses,
};

/// A news tab.
#[derive(Serialize, ToSchema)]
pub struct NewsTab {
    /// Type of the news.
    #[serde(rename = "type")]
    kind: schema::NewsType,
    /// Name in the reader's language.
    label: String,
    /// Number of news items.
    count: i64,
}

/// Returns the news tabs, in order.
#[utoipa::path(get, path = "/rc-pub/front/front-news/types", tag = "resource", operation_id = "newsTypes",
    responses((status = 200, body = Envelope<Vec<NewsTab>>)))]
pub async fn types(caller: Caller) -> Result<Json<Envelope<Vec<NewsTab>>>, ApiError> {
    let mut tabs = Vec::with_capacity(NewsType::ALL.len());
    for kind in NewsType::ALL {
        let count = caller.store().resource_count(ResourceKind::News, kind.as_str()).await;
        let count = count.map_err(caller.store_failed())?;
        let label = caller.app.messages.get(caller.lang, i18n::news_type(kind)).to_owned();
        tabs.push(NewsTab { kind: FromDomain::from_domain(kind), label, count });
    }
    Ok(caller.ok(tabs))
}

/// Query of a news item's target address.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ByNews {
    /// Id or key.
    id: String,
    /// Language of the address; by default, or if the site does not have it, the caller's language.
    language: Option<String>,
}

/// Returns the target address of a news item: its configured link, else its page on this site.
#[utoipa::path(get, path = "/rc-pub/front/front-news/getJumpUrl", tag = "resource", operation_id = "newsJumpUrl",
    params(ByNews), responses((status = 200, body = Envelope<String>)))]
pub async fn jump_url(caller: Caller, Query(query): Query<ByNews>) -> Result<Json<Envelope<String>>, ApiError> {
    let news = listing::stored::<News>(&caller, &query.id).await?;
    let link = news.value.link_value.trim();
    if link.is_empty() {
        let requested = query.language.and_then(|code| code.parse::<Lang>().ok());
        let lang = requested.filter(|lang| caller.entry().languages.contains(lang)).unwrap_or(caller.lang);
        return Ok(caller.ok(Addresses { lang, ..caller.addresses() }.route(&Route::NewsDetails(news.id))));
    }
    // The browser is redirected to this address: only HTTP and HTTPS are allowed.
    if is_web(link) { Ok(caller.ok(link.to_owned())) } else { Err(caller.failed(Failure::NoData)) }
}

/// The routes of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(types)).routes(routes!(jump_url))
}
