//! Usage statistics of articles: totals, months, rankings.

use std::collections::BTreeMap;

use axum::{
    Json,
    extract::{Path, Query},
    http::StatusCode,
};
use masthead_domain::{
    ArticleId,
    card::ArticleCard,
    link::LinkKind,
    resource::{RankList, RankMeasure, Stored},
};
use masthead_search::{EntryKind, Filter, Order, SortKey};
use masthead_store::Ranking;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::{
    article_data,
    articles::{self, LinkedCard},
    envelope::{ApiError, Caller, storable},
    types::Envelope,
};
use crate::schema::{self, FromDomain};
use crate::search_service::{self, ResultItem, SearchRequest};
use crate::usage::dates;

/// Default number of months that statistics cover.
const DEFAULT_MONTHS: u32 = 36;
/// Greatest number of months that statistics cover.
const MAX_MONTHS: u32 = 120;
/// Default number of places of a ranking.
const DEFAULT_PLACES: u32 = 10;
/// Greatest number of places of a ranking.
const MAX_PLACES: u32 = 100;
/// Number of articles that are ranked before the ranking is filtered by journal.
const RANKING_POOL: i64 = 1_000;
/// Periods of rankings by the specification, in months; 0 is all time.
const PERIODS: [u32; 6] = [0, 3, 6, 12, 24, 36];
/// Greatest number of rank lists of a site.
const MAX_LISTS: i64 = 100;

/// Query of an article's statistics.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OfArticle {
    /// The article's id.
    id: i64,
    /// Months to cover: 36 by default, at most 120.
    months: Option<u32>,
}

/// Usage statistics of an article.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Statistics {
    /// Views.
    visits: i64,
    /// Downloads.
    downloads: i64,
    /// Visible comments.
    comment_count: i64,
    /// References.
    reference_count: u32,
    /// Views and downloads by month, oldest first; months without any are omitted.
    months: Vec<Month>,
}

/// Views and downloads of a month.
#[derive(Serialize, ToSchema)]
pub struct Month {
    /// The month, `2026-01`.
    month: String,
    /// Views.
    visits: i64,
    /// Downloads.
    downloads: i64,
}

/// Returns the usage statistics of an article, in total and by month.
#[utoipa::path(get, path = "/rc-pub/front/front-article/getStatistics", tag = "article",
    operation_id = "articleStatistics", params(OfArticle),
    responses((status = 200, body = Envelope<Statistics>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn article(caller: Caller, Query(query): Query<OfArticle>) -> Result<Json<Envelope<Statistics>>, ApiError> {
    let stored = articles::stored(&caller, query.id).await?;
    let numbers = article_data::numbers(&caller, query.id).await?;
    let months = query.months.unwrap_or(DEFAULT_MONTHS).clamp(1, MAX_MONTHS);
    let since = dates::months_before(caller.today(), months);
    let max_days = i64::from(MAX_MONTHS) * 31;
    let days = caller.store().daily("article", query.id, since, max_days).await.map_err(caller.store_failed())?;
    let mut by_month: BTreeMap<String, (i64, i64)> = BTreeMap::new();
    for day in days {
        let month = dates::iso(day.day).chars().take(7).collect();
        let sum = by_month.entry(month).or_default();
        *sum = (sum.0 + day.visits, sum.1 + day.downloads);
    }
    let month = |(month, (visits, downloads))| Month { month, visits, downloads };
    Ok(caller.ok(Statistics {
        visits: numbers.totals.visits,
        downloads: numbers.totals.downloads,
        comment_count: numbers.comments,
        reference_count: stored.meta.reference_count,
        months: by_month.into_iter().map(month).collect(),
    }))
}

/// A rank list that the site's editors configured.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RankListView {
    /// Id of the list.
    id: i64,
    /// The list.
    #[serde(flatten)]
    list: schema::RankList,
    /// Name in the reader's language.
    name: String,
}

/// An entry of a ranking.
#[derive(Serialize, ToSchema)]
pub struct Ranked {
    /// Value by which the ranking is sorted: views, downloads, comments or references within its period.
    count: i64,
    /// The article.
    article: LinkedCard,
}

/// A rank list with its articles.
#[derive(Serialize, ToSchema)]
pub struct RankListPage {
    /// The list.
    list: RankListView,
    /// The articles, highest value first.
    content: Vec<Ranked>,
}

fn view(caller: &Caller, stored: Stored<RankList>) -> RankListView {
    let name = stored.value.title.get(caller.lang).to_owned();
    RankListView { id: stored.id, name, list: FromDomain::from_domain(stored.value) }
}

/// Returns the site's rank lists.
#[utoipa::path(get, path = "/rc-pub/front/rankList", tag = "article",
    responses((status = 200, body = Envelope<Vec<RankListView>>)))]
pub async fn rank_lists(caller: Caller) -> Result<Json<Envelope<Vec<RankListView>>>, ApiError> {
    let lists = caller.store().resources::<RankList>("", None, MAX_LISTS).await.map_err(caller.store_failed())?;
    let views = lists.into_iter().map(|list| view(&caller, list)).collect();
    Ok(caller.ok(views))
}

/// Returns a rank list with its articles, by its id or key.
#[utoipa::path(get, path = "/rc-pub/front/rankList/detail/{rankId}", tag = "article",
    params(("rankId" = String, Path, description = "The list's id or key")),
    responses((status = 200, body = Envelope<RankListPage>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn rank_list(caller: Caller, Path(name): Path<String>) -> Result<Json<Envelope<RankListPage>>, ApiError> {
    let store = caller.store();
    let name = storable(&name).ok_or_else(|| caller.fail(StatusCode::NOT_FOUND, "no_data"))?;
    let mut found = store.resource_by_key::<RankList>(name).await.map_err(caller.store_failed())?;
    if let (None, Ok(id)) = (&found, name.parse()) {
        found = store.resource::<RankList>(id).await.map_err(caller.store_failed())?;
    }
    let list = found.ok_or_else(|| caller.fail(StatusCode::NOT_FOUND, "no_data"))?;
    let content = ranked(&caller, &list.value).await?;
    Ok(caller.ok(RankListPage { list: view(&caller, list), content }))
}

/// Query of a ranking.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RankQuery {
    /// visits (default), downloads, comments or references.
    #[param(value_type = Option<schema::RankMeasure>)]
    measure: Option<RankMeasure>,
    /// Period in months: 0 (default, all time), 3, 6, 12, 24, 36.
    #[serde(default)]
    months: u32,
    /// Key of a journal, or "" for all journals.
    #[serde(default)]
    journal: String,
    /// Places: 10 by default, at most 100.
    size: Option<u32>,
}

/// Returns the articles with the most views, downloads, comments or references.
#[utoipa::path(get, path = "/rc-pub/front/rankList/articles", tag = "article", params(RankQuery),
    responses((status = 200, body = Envelope<Vec<Ranked>>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn ranking(caller: Caller, Query(query): Query<RankQuery>) -> Result<Json<Envelope<Vec<Ranked>>>, ApiError> {
    if !PERIODS.contains(&query.months) {
        return Err(caller.fail(StatusCode::BAD_REQUEST, "bad_request"));
    }
    let list = RankList {
        measure: query.measure.unwrap_or_default(),
        months: query.months,
        journal: query.journal,
        size: query.size.unwrap_or(DEFAULT_PLACES),
        ..RankList::default()
    };
    let content = ranked(&caller, &list).await?;
    Ok(caller.ok(content))
}

async fn ranked(caller: &Caller, list: &RankList) -> Result<Vec<Ranked>, ApiError> {
    let size = if list.size == 0 { DEFAULT_PLACES } else { list.size.min(MAX_PLACES) } as usize;
    let since = (list.months > 0).then(|| dates::months_before(caller.today(), list.months));
    let store = caller.store();
    let mut numbered: Vec<(i64, ArticleCard)> = if list.measure == RankMeasure::References {
        by_references(caller, list, size).await?
    } else {
        let counts = match list.measure {
            RankMeasure::Downloads => store.ranking("article", Ranking::Downloads, since, RANKING_POOL).await,
            RankMeasure::Comments => {
                store.most_commented(&since.map(dates::iso).unwrap_or_default(), RANKING_POOL).await
            }
            RankMeasure::Visits | RankMeasure::References => {
                store.ranking("article", Ranking::Visits, since, RANKING_POOL).await
            }
        };
        let counts: BTreeMap<i64, (usize, i64)> = counts
            .map_err(caller.store_failed())?
            .into_iter()
            .enumerate()
            .map(|(place, (id, count))| (id, (place, count)))
            .collect();
        let mut places: Vec<(usize, i64)> = counts.iter().map(|(id, (place, _))| (*place, *id)).collect();
        places.sort_unstable();
        let ids: Vec<ArticleId> = places.into_iter().map(|(_, id)| ArticleId(id)).collect();
        let cards = store.cards_by_id(&ids).await.map_err(caller.store_failed())?;
        cards.into_iter().map(|card| (counts.get(&card.id).map_or(0, |(_, count)| *count), card)).collect()
    };
    numbered.retain(|(_, card)| list.journal.is_empty() || card.journal == list.journal);
    numbered.truncate(size);
    let (counts, cards): (Vec<i64>, Vec<ArticleCard>) = numbered.into_iter().unzip();
    let linked = LinkedCard::all(caller, LinkKind::ListArticle, cards).await;
    Ok(counts.into_iter().zip(linked).map(|(count, article)| Ranked { count, article }).collect())
}

/// The articles with the longest reference lists that were published within the period.
async fn by_references(caller: &Caller, list: &RankList, size: usize) -> Result<Vec<(i64, ArticleCard)>, ApiError> {
    let since = (list.months > 0).then(|| dates::iso(dates::months_before(caller.today(), list.months)));
    let mut filters = Vec::new();
    if !list.journal.is_empty() {
        filters.push(Filter::Journal(list.journal.clone()));
    }
    filters.extend(since.as_deref().and_then(|date| date.get(..4)?.parse().ok()).map(Filter::YearFrom));
    let query = masthead_search::Query {
        kinds: vec![EntryKind::Article],
        all: true,
        filters,
        order: Order::Descending(SortKey::References),
        ..masthead_search::Query::default()
    };
    let request = SearchRequest { query, limit: RANKING_POOL as usize, ..SearchRequest::default() };
    let mut call = caller.plugin_call("api");
    let found = search_service::find_items(&caller.app, caller.entry(), &mut call, caller.lang, request).await;
    let mut numbered = Vec::with_capacity(size);
    for item in found.map_err(caller.page_failed())?.items {
        let ResultItem::Article(card) = item else { continue };
        if since.as_ref().is_some_and(|since| card.published < *since) {
            continue;
        }
        let article = caller.store().article(card.article_id()).await.map_err(caller.store_failed())?;
        let count = article.map_or(0, |article| i64::from(article.meta.reference_count));
        if count > 0 {
            numbered.push((count, *card));
        }
        if numbered.len() == size {
            break;
        }
    }
    Ok(numbered)
}
