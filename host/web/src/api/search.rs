//! Calls about searching.

use axum::{Json, body::Bytes, extract::Query, http::StatusCode};
use masthead_search::EntryKind;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::{
    envelope::{ApiError, Caller},
    hits::{self, HitView},
    search_form::{self, Condition, SearchBody, SearchForm},
    types::Envelope,
};
use crate::schema::{FromDomain, ResourceType};
use crate::search_service;

/// Scopes of the search.
#[utoipa::path(get, path = "/rc-pub/front/site/{siteId}/search-config", tag = "search",
    params(("siteId" = i64, Path, description = "The site's number")),
    responses((status = 200, body = Envelope<Vec<ResourceType>>)))]
pub async fn config(caller: Caller) -> Json<Envelope<Vec<ResourceType>>> {
    caller.ok(FromDomain::from_domain(caller.entry().site.search.resource_type.clone()))
}

/// A page of words.
#[derive(Serialize, ToSchema)]
pub struct Words {
    /// The words, most wanted first.
    content: Vec<String>,
}

/// Which words.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WordsPage {
    /// Page, from 0.
    #[serde(default)]
    page: usize,
    /// Words on a page, 10 where it is left out, at most 50.
    size: Option<usize>,
}

/// Days over which searches are counted for the words that are offered.
const HOT_DAYS: i64 = 30;
/// Words that are offered altogether.
const HOT_WORDS: i64 = 200;

/// Words to offer: those that the editors chose, then those that readers searched for most in the last month.
#[utoipa::path(get, path = "/rc-pub/front/hisSearch/hotWords", tag = "search", params(WordsPage),
    responses((status = 200, body = Envelope<Words>)))]
pub async fn hot_words(caller: Caller, Query(page): Query<WordsPage>) -> Result<Json<Envelope<Words>>, ApiError> {
    let chosen = &caller.entry().site.search.hot_words;
    let mut words: Vec<String> = chosen.iter().map(|word| word.get(caller.lang).to_owned()).collect();
    words.retain(|word| !word.is_empty());
    let since = caller.app.counting.today() - HOT_DAYS;
    let counted = caller.store().hot_words(since, HOT_WORDS).await.map_err(caller.store_failed())?;
    for (word, _) in counted {
        if !words.iter().any(|known| known.to_lowercase() == word) {
            words.push(word);
        }
    }
    let size = page.size.unwrap_or(10).clamp(1, 50);
    Ok(caller.ok(Words { content: words.into_iter().skip(page.page.saturating_mul(size)).take(size).collect() }))
}

/// A page of hits.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Results {
    /// Number of all hits.
    total_elements: usize,
    /// Number of pages that can be asked for.
    total_pages: usize,
    /// The page, from 0.
    number: usize,
    /// Hits on a page.
    size: usize,
    /// The page's hits.
    content: Vec<HitView>,
}

async fn results(caller: &Caller, form: &SearchForm, conditions: &[Condition]) -> Result<Results, ApiError> {
    let wanted = form.wanted(caller, conditions)?;
    let deepest = if wanted.counter.is_some() { search_service::COUNTED } else { masthead_search::MAX_WINDOW };
    let size = wanted.limit;
    let mut call = caller.begin("search");
    let found = search_service::find_items(&caller.app, caller.entry(), &mut call, caller.lang, wanted).await;
    let found = found.map_err(caller.page_failed())?;
    let total = found.total;
    if total > 0 && form.page == 0 {
        caller.app.counting.search(caller.entry().site.id, form.typed(), &caller.visitor);
    }
    Ok(Results {
        total_elements: total,
        total_pages: total.min(deepest).div_ceil(size),
        number: form.page,
        size,
        content: hits::views(caller, found).await,
    })
}

/// Searches what the site publishes. Ordering by views, downloads or comments looks at the 5,000 best hits; no more than
/// 10,000 hits can be paged through.
#[utoipa::path(get, path = "/rc-pub/front/search", tag = "search", params(SearchForm),
    responses((status = 200, body = Envelope<Results>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn search(caller: Caller, Query(form): Query<SearchForm>) -> Result<Json<Envelope<Results>>, ApiError> {
    typed(&caller, &form)?;
    let results = results(&caller, &form, &[]).await?;
    Ok(caller.ok(results))
}

/// Searches articles, as [`search`] does, by what the reader typed.
#[utoipa::path(get, path = "/rc-pub/front/front-article/quickSearch", tag = "search", params(SearchForm),
    responses((status = 200, body = Envelope<Results>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn quick_search(caller: Caller, Query(form): Query<SearchForm>) -> Result<Json<Envelope<Results>>, ApiError> {
    typed(&caller, &form)?;
    let form = SearchForm { kind: "article".to_owned(), ..form };
    let results = results(&caller, &form, &[]).await?;
    Ok(caller.ok(results))
}

fn typed(caller: &Caller, form: &SearchForm) -> Result<(), ApiError> {
    if form.q.is_some() { Ok(()) } else { Err(caller.fail(StatusCode::BAD_REQUEST, "bad_request")) }
}

/// Searches with conditions.
#[utoipa::path(get, path = "/rc-pub/front/advSearch", tag = "search", params(SearchForm),
    responses((status = 200, body = Envelope<Results>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn advanced(caller: Caller, Query(form): Query<SearchForm>) -> Result<Json<Envelope<Results>>, ApiError> {
    let conditions = form.read_conditions(&caller)?;
    let results = results(&caller, &form, &conditions).await?;
    Ok(caller.ok(results))
}

/// Searches with conditions, asked as JSON.
#[utoipa::path(post, path = "/rc-pub/front/advSearch", tag = "search", request_body = SearchBody,
    responses((status = 200, body = Envelope<Results>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn advanced_by_body(caller: Caller, body: Bytes) -> Result<Json<Envelope<Results>>, ApiError> {
    let (form, conditions) = read(&caller, &body)?;
    let results = results(&caller, &form, &conditions).await?;
    Ok(caller.ok(results))
}

/// Searches articles with conditions.
#[utoipa::path(get, path = "/rc-pub/front/front-article/advancedSearch", tag = "search", params(SearchForm),
    responses((status = 200, body = Envelope<Results>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn advanced_articles(
    caller: Caller,
    Query(form): Query<SearchForm>,
) -> Result<Json<Envelope<Results>>, ApiError> {
    let form = SearchForm { kind: "article".to_owned(), ..form };
    let conditions = form.read_conditions(&caller)?;
    let results = results(&caller, &form, &conditions).await?;
    Ok(caller.ok(results))
}

fn read(caller: &Caller, body: &Bytes) -> Result<(SearchForm, Vec<Condition>), ApiError> {
    let body: SearchBody = caller.json(body)?;
    Ok(body.into())
}

/// Hits counted by their values, most first; at most 50 values each.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Clusters {
    /// Number of all hits.
    total_elements: usize,
    /// By year.
    year: Vec<Cluster>,
    /// By column (subject heading).
    column: Vec<Cluster>,
    /// By journal.
    journal: Vec<Cluster>,
    /// By JATS article type.
    article_type: Vec<Cluster>,
    /// By author.
    author: Vec<Cluster>,
}

/// A value and how many hits have it.
#[derive(Serialize, ToSchema)]
pub struct Cluster {
    /// The value, as the filter takes it.
    value: String,
    /// What it is called in the reader's language.
    name: String,
    /// How many hits have it.
    count: u64,
}

/// Counts the hits of a search.
pub async fn counted(caller: &Caller, form: &SearchForm, conditions: &[Condition]) -> Result<Clusters, ApiError> {
    counted_query(caller, form.query(caller, conditions)?).await
}

/// Counts the hits of a query.
pub async fn counted_query(caller: &Caller, query: masthead_search::Query) -> Result<Clusters, ApiError> {
    let mut call = caller.begin("search");
    let counted = search_service::clusters(&caller.app, caller.entry(), &mut call, query).await;
    let counted = counted.map_err(caller.page_failed())?;
    let journals = caller.store().journals().await.map_err(caller.store_failed())?;
    let plain = |values: Vec<(String, u64)>| -> Vec<Cluster> {
        values.into_iter().map(|(value, count)| Cluster { name: value.clone(), value, count }).collect()
    };
    let name = |key: &str| {
        let journal = journals.iter().find(|journal| journal.key == key);
        journal.map_or(key, |journal| journal.title.get(caller.lang)).to_owned()
    };
    Ok(Clusters {
        total_elements: counted.total,
        year: plain(counted.years),
        column: plain(counted.columns),
        journal: counted
            .journals
            .into_iter()
            .map(|(value, count)| Cluster { name: name(&value), value, count })
            .collect(),
        article_type: plain(counted.types),
        author: plain(counted.authors),
    })
}

/// Counts the hits of a search by year, column, journal, type and author.
#[utoipa::path(get, path = "/rc-pub/front/search/clusters", tag = "search", params(SearchForm),
    responses((status = 200, body = Envelope<Clusters>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn clusters(caller: Caller, Query(form): Query<SearchForm>) -> Result<Json<Envelope<Clusters>>, ApiError> {
    typed(&caller, &form)?;
    let clusters = counted(&caller, &form, &[]).await?;
    Ok(caller.ok(clusters))
}

/// Counts the hits of a search with conditions.
#[utoipa::path(get, path = "/rc-pub/front/advSearch/clusters", tag = "search", params(SearchForm),
    responses((status = 200, body = Envelope<Clusters>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn advanced_clusters(
    caller: Caller,
    Query(form): Query<SearchForm>,
) -> Result<Json<Envelope<Clusters>>, ApiError> {
    let conditions = form.read_conditions(&caller)?;
    let clusters = counted(&caller, &form, &conditions).await?;
    Ok(caller.ok(clusters))
}

/// Counts the hits of a search with conditions, asked as JSON.
#[utoipa::path(post, path = "/rc-pub/front/advSearch/clusters", tag = "search", request_body = SearchBody,
    responses((status = 200, body = Envelope<Clusters>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn advanced_clusters_by_body(caller: Caller, body: Bytes) -> Result<Json<Envelope<Clusters>>, ApiError> {
    let (form, conditions) = read(&caller, &body)?;
    let clusters = counted(&caller, &form, &conditions).await?;
    Ok(caller.ok(clusters))
}

/// What is to be analyzed.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Analyze {
    /// What the reader typed.
    q: String,
    /// What will be searched, as in a search.
    #[serde(default, rename = "type")]
    kind: String,
}

/// A part of a query, as it was understood.
#[derive(Serialize, ToSchema)]
pub struct AnalyzedPart {
    /// The words in the form in which they are looked up.
    text: String,
    /// Whether the words have to follow each other.
    phrase: bool,
    /// Whether it must not be found.
    excluded: bool,
    /// How it is joined to the part before it: AND, OR; "" for the first.
    operator: String,
    /// Kinds that are searched for it.
    types: Vec<String>,
}

/// Checks a query before searching: what it is understood as, part by part. A query without words is refused.
#[utoipa::path(get, path = "/rc-pub/front/analyze", tag = "search", params(Analyze),
    responses((status = 200, body = Envelope<Vec<AnalyzedPart>>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn analyze(
    caller: Caller,
    Query(query): Query<Analyze>,
) -> Result<Json<Envelope<Vec<AnalyzedPart>>>, ApiError> {
    let kinds = search_form::kinds(&query.kind).ok_or_else(|| caller.fail(StatusCode::BAD_REQUEST, "bad_request"))?;
    let types: Vec<String> = kinds.into_iter().map(EntryKind::as_str).map(str::to_owned).collect();
    let analysis =
        masthead_search::analyze(&query.q).ok_or_else(|| caller.fail(StatusCode::BAD_REQUEST, "search_term_needed"))?;
    let part = |part: masthead_search::QueryPart| AnalyzedPart {
        text: part.text,
        phrase: part.phrase,
        excluded: part.excluded,
        operator: part.operator.to_owned(),
        types: types.clone(),
    };
    Ok(caller.ok(analysis.parts.into_iter().map(part).collect()))
}
