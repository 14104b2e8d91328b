//! Search calls.

use std::sync::Arc;

use axum::{Json, body::Bytes, extract::Query, http::StatusCode};
use masthead_domain::publication::Journal;
use masthead_search::{EntryKind, Facet, Mistake, MistakeKind, SpellingSuggestion};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::{
    envelope::{ApiError, Caller},
    hits::{self, HitView},
    labels,
    search_form::{Condition, SearchBody, SearchForm},
    types::Envelope,
};
use crate::page::content::label_of;
use crate::schema::{FromDomain, ResourceType};
use crate::search_service::{
    self, MemberCall, Nearest, SearchFailure, SearchRequest, SearchScope, labels as names, terms,
};
use crate::sites::SiteEntry;

/// Returns the scopes of the search.
#[utoipa::path(get, path = "/rc-pub/front/site/{siteId}/search-config", tag = "search",
    params(("siteId" = i64, Path, description = "The site's id")),
    responses((status = 200, body = Envelope<Vec<ResourceType>>)))]
pub async fn config(caller: Caller) -> Json<Envelope<Vec<ResourceType>>> {
    caller.ok(FromDomain::from_domain(caller.entry().site.search.resource_type.clone()))
}

/// A page of suggested search words.
#[derive(Serialize, ToSchema)]
pub struct Words {
    /// The words, most popular first.
    content: Vec<String>,
}

/// Query of the suggested search words.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WordsPage {
    /// Page, from 0.
    #[serde(default)]
    page: usize,
    /// Words on a page: 10 by default, at most 50.
    size: Option<usize>,
}

/// Returns suggested search words: those that the editors chose, then those that most readers searched for in the last 30
/// days. Words of fewer than three readers of one day (setting `hotWordReaders`) are not suggested.
#[utoipa::path(get, path = "/rc-pub/front/hisSearch/hotWords", tag = "search", params(WordsPage),
    responses((status = 200, body = Envelope<Words>)))]
pub async fn hot_words(caller: Caller, Query(page): Query<WordsPage>) -> Result<Json<Envelope<Words>>, ApiError> {
    let words = popular_words(&caller).await?;
    let size = page.size.unwrap_or(10).clamp(1, 50);
    Ok(caller.ok(Words { content: words.into_iter().skip(page.page.saturating_mul(size)).take(size).collect() }))
}

/// The words that the editors chose, then those that most readers searched for.
pub async fn popular_words(caller: &Caller) -> Result<Vec<String>, ApiError> {
    let chosen = &caller.entry().site.search.hot_words;
    let mut words: Vec<String> = chosen.iter().map(|word| word.get(caller.lang).to_owned()).collect();
    words.retain(|word| !word.is_empty());
    let since = caller.today() - crate::usage::HOT_DAYS;
    let readers = caller.app.sites.load().platform.hot_word_readers;
    let counted = caller.app.hot_words.of(&caller.store(), since, readers).await;
    for (word, _) in counted.map_err(SearchFailure::Counters).map_err(caller.page_failed())?.iter() {
        if !words.iter().any(|known| known.to_lowercase() == *word) {
            words.push(word.clone());
        }
    }
    Ok(words)
}

/// A page of hits.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Results {
    /// Number of all hits.
    total_elements: usize,
    /// Number of pages; those behind the 10,000th hit are requested with `after`.
    total_pages: usize,
    /// Number of this page, from 0.
    number: usize,
    /// Hits on a page.
    size: usize,
    /// Hits of this page.
    content: Vec<HitView>,
    /// The number of the site of each of these hits where the sites of a group are searched; empty otherwise.
    sites: Vec<i64>,
    /// Value of `after` for the next page; null on the last page.
    next: Option<String>,
    /// How the executed query was loosened, because nothing matches the typed one: `spelling` (words may have typing mistakes), `loose` (the
    /// words of phrases may be anywhere, those of a field in any field), `oneLess` (one word may be missing), `half` or `one` (half of the
    /// words, or one, must be there); null if it was not loosened. Without `relax`, the typed query is executed, and this names the loosening
    /// that would find something; null if there is none.
    relaxation: Option<String>,
    /// Words that no entry has, and that this search therefore leaves out.
    left_out: Vec<String>,
    /// A text that was probably meant, if what was typed finds little (without `relax`: nothing); null without one.
    did_you_mean: Option<String>,
    /// What is probably wrong with the text that was typed, then with the conditions.
    mistakes: Vec<MistakeView>,
}

/// A mistake in a typed text or in a condition. It does not keep the text from being searched.
#[derive(Serialize, ToSchema)]
pub struct MistakeView {
    /// Number of the condition that it is in, from 1; absent for a mistake in `q`.
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<usize>,
    /// Its place in the text, in characters from 1.
    at: usize,
    /// What stands there.
    text: String,
    /// What is wrong with it: `quote`, `bracket`, `operator`, `smallOperator`, `field`, `wildcard`, `length`, `words`, `depth`.
    kind: String,
    /// The whole text without the mistake.
    suggestion: String,
}

impl MistakeView {
    fn of(condition: Option<usize>, mistake: Mistake) -> Self {
        let Mistake { at, text, kind, suggestion } = mistake;
        let kind = match kind {
            MistakeKind::Quote => "quote",
            MistakeKind::Bracket => "bracket",
            MistakeKind::Operator => "operator",
            MistakeKind::SmallOperator => "smallOperator",
            MistakeKind::Field => "field",
            MistakeKind::Wildcard => "wildcard",
            MistakeKind::Length => "length",
            MistakeKind::Words => "words",
            MistakeKind::Depth => "depth",
        };
        Self { condition, at, text, kind: kind.to_owned(), suggestion }
    }
}

/// The mistakes in the text of a query, then those in its conditions. A condition on a value has none: the value is searched as it is.
fn mistakes_of(query: &masthead_search::Query) -> Vec<MistakeView> {
    let conditions = (1..).zip(&query.clauses).filter(|(_, clause)| clause.target.has_words());
    let conditions = conditions.map(|(number, clause)| (Some(number), clause.text.as_str()));
    let views = |(condition, text): (Option<usize>, &str)| {
        masthead_search::mistakes(text).into_iter().map(move |one| MistakeView::of(condition, one))
    };
    std::iter::once((None, query.text.as_str())).chain(conditions).flat_map(views).collect()
}

async fn results(caller: &Caller, form: &SearchForm, conditions: &[Condition]) -> Result<Results, ApiError> {
    let nearest = if form.relax { Nearest::Executed } else { Nearest::Offered };
    let request = SearchRequest { nearest, ..form.request(caller, conditions)? };
    let grouped = request.scope == SearchScope::Group;
    let (size, said, mistakes) = (request.limit, request.query.said(), mistakes_of(&request.query));
    let mut call = caller.plugin_call("search");
    let found = search_service::find_items(&caller.app, caller.entry(), &mut call, caller.lang, request).await;
    let mut found = found.map_err(caller.page_failed())?;
    if grouped {
        drop(call);
        let begin = |entry: &Arc<SiteEntry>| {
            let there = caller.at(entry);
            MemberCall { entry: Arc::clone(entry), call: there.plugin_call("search"), lang: there.lang }
        };
        let members = search_service::members(&caller.app, caller.entry().site.id, &found);
        let mut calls: Vec<MemberCall> = members.iter().map(begin).collect();
        found = search_service::decorated_by_members(&caller.app, &mut calls, &said, found).await;
    } else {
        // The call that rewrites the links of the hits could otherwise wait for permits that this one keeps.
        call.release();
    }
    let total = found.total;
    if total > 0 && form.page == 0 && !form.suggest {
        caller.app.counting.record_search(caller.entry().site.id, form.typed(), &caller.visitor);
    }
    Ok(Results {
        total_elements: total,
        total_pages: total.div_ceil(size),
        number: form.page,
        size,
        next: found.next.as_ref().map(ToString::to_string),
        relaxation: found.relaxed.as_ref().map(|relaxed| relaxed.relaxation.as_str().to_owned()),
        left_out: found.relaxed.as_ref().map(|relaxed| relaxed.left_out.clone()).unwrap_or_default(),
        did_you_mean: found.meant.as_ref().map(SpellingSuggestion::said),
        mistakes,
        sites: if grouped { found.sites.iter().map(|site| site.0).collect() } else { Vec::new() },
        content: hits::views(caller, found).await?,
    })
}

/// Searches the site's content. Pages behind the 10,000th hit are requested with `after`.
#[utoipa::path(get, path = "/rc-pub/front/search", tag = "search", params(SearchForm),
    responses((status = 200, body = Envelope<Results>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn search(caller: Caller, Query(form): Query<SearchForm>) -> Result<Json<Envelope<Results>>, ApiError> {
    require_text(&caller, &form)?;
    let results = results(&caller, &form, &[]).await?;
    Ok(caller.ok(results))
}

/// Searches articles for the text that the reader typed. Parameters and limits are those of `/rc-pub/front/search`.
#[utoipa::path(get, path = "/rc-pub/front/front-article/quickSearch", tag = "search", params(SearchForm),
    responses((status = 200, body = Envelope<Results>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn quick_search(caller: Caller, Query(form): Query<SearchForm>) -> Result<Json<Envelope<Results>>, ApiError> {
    require_text(&caller, &form)?;
    let form = SearchForm { kind: "article".to_owned(), ..form };
    let results = results(&caller, &form, &[]).await?;
    Ok(caller.ok(results))
}

fn require_text(caller: &Caller, form: &SearchForm) -> Result<(), ApiError> {
    if form.q.is_some() { Ok(()) } else { Err(caller.fail(StatusCode::BAD_REQUEST, "bad_request")) }
}

/// Searches with conditions (advanced search).
#[utoipa::path(get, path = "/rc-pub/front/advSearch", tag = "search", params(SearchForm),
    responses((status = 200, body = Envelope<Results>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn advanced(caller: Caller, Query(form): Query<SearchForm>) -> Result<Json<Envelope<Results>>, ApiError> {
    let conditions = form.read_conditions(&caller)?;
    let results = results(&caller, &form, &conditions).await?;
    Ok(caller.ok(results))
}

/// Searches with conditions that are sent as JSON.
#[utoipa::path(post, path = "/rc-pub/front/advSearch", tag = "search", request_body = SearchBody,
    responses((status = 200, body = Envelope<Results>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn advanced_by_body(caller: Caller, body: Bytes) -> Result<Json<Envelope<Results>>, ApiError> {
    let (form, conditions) = parse_body(&caller, &body)?;
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

fn parse_body(caller: &Caller, body: &Bytes) -> Result<(SearchForm, Vec<Condition>), ApiError> {
    let body: SearchBody = caller.json(body)?;
    Ok(body.into())
}

/// Hit counts by field value, highest count first; at most 50 values for each field.
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
    /// By language of the article.
    language: Vec<Cluster>,
    /// By funder.
    fund: Vec<Cluster>,
    /// By access: `true` is open access.
    oa: Vec<Cluster>,
    /// By publish type: 0 formal, 1 online first.
    publish_type: Vec<Cluster>,
    /// By kind of entry.
    #[serde(rename = "type")]
    kinds: Vec<Cluster>,
}

/// A field value with the number of hits that have it.
#[derive(Serialize, ToSchema)]
pub struct Cluster {
    /// The value, in the form that the filter accepts.
    value: String,
    /// Name of the value in the reader's language.
    name: String,
    /// Number of hits with this value.
    count: u64,
}

/// Counts the hits of a search by field value.
pub async fn count_form(caller: &Caller, form: &SearchForm, conditions: &[Condition]) -> Result<Clusters, ApiError> {
    let query = form.query(caller, conditions)?;
    let scope = form.scope(caller)?;
    // Counts alone do not say what else could be searched.
    let nearest = if form.relax { Nearest::Executed } else { Nearest::Unused };
    count(caller, SearchRequest { query, scope, nearest, ..SearchRequest::default() }).await
}

/// Counts the hits of a request by field value.
pub async fn count(caller: &Caller, request: SearchRequest) -> Result<Clusters, ApiError> {
    let scope = request.scope;
    let mut call = caller.plugin_call("search");
    let counted = search_service::clusters(&caller.app, caller.entry(), &mut call, request).await;
    let counted = counted.map_err(caller.page_failed())?;
    let journals = journals(caller, scope, counted.of(Facet::Journal)).await?;
    let (messages, lang) = (&caller.app.messages, caller.lang);
    let plain = |value: &str| value.to_owned();
    let journal = |key: &str| {
        let journal = journals.iter().find(|journal| journal.key == key);
        journal.map_or(key, |journal| journal.title.get(lang)).to_owned()
    };
    let open = |value: &str| labels::access_type(messages, lang, i32::from(value != "true"));
    let online = |value: &str| labels::publish_type(messages, lang, i32::from(value == "true"));
    Ok(Clusters {
        total_elements: counted.total,
        year: named(counted.of(Facet::Year), plain),
        column: named(counted.of(Facet::Column), plain),
        journal: named(counted.of(Facet::Journal), journal),
        article_type: named(counted.of(Facet::ArticleType), |name| {
            names::article_type(messages, lang, name).into_owned()
        }),
        author: named(counted.of(Facet::Author), plain),
        language: named(counted.of(Facet::Language), |tag| names::language(tag).to_owned()),
        fund: named(counted.of(Facet::Fund), plain),
        oa: named(counted.of(Facet::Access), open),
        publish_type: numbered(named(counted.of(Facet::OnlineFirst), online)),
        kinds: named(counted.of(Facet::Kind), |name| kind_name(caller, name)),
    })
}

/// The journals of the sites that were searched, those of the reader's site first. A further site is read only while a counted key has no name.
async fn journals(caller: &Caller, scope: SearchScope, counted: &[(String, u64)]) -> Result<Vec<Journal>, ApiError> {
    let mut known: Vec<Journal> = Vec::new();
    for site in scope.sites(&caller.app, caller.entry()) {
        if counted.iter().all(|(key, _)| known.iter().any(|journal| journal.key == *key)) {
            break;
        }
        known.extend(caller.app.store.site(site).journals().await.map_err(caller.store_failed())?);
    }
    Ok(known)
}

/// The values with their names.
fn named(values: &[(String, u64)], name: impl Fn(&str) -> String) -> Vec<Cluster> {
    let cluster = |(value, count): &(String, u64)| Cluster { name: name(value), value: value.clone(), count: *count };
    values.iter().map(cluster).collect()
}

/// The specification's numbers of publish types in place of `true` and `false`.
fn numbered(clusters: Vec<Cluster>) -> Vec<Cluster> {
    let number = |cluster: Cluster| Cluster { value: u8::from(cluster.value == "true").to_string(), ..cluster };
    clusters.into_iter().map(number).collect()
}

fn kind_name(caller: &Caller, name: &str) -> String {
    let key = match EntryKind::parse(name) {
        Some(EntryKind::Article) => "tab_article",
        Some(EntryKind::Publication) => "tab_publication",
        Some(EntryKind::Resource(kind)) => label_of(kind),
        None => name,
    };
    caller.app.messages.get(caller.lang, key).to_owned()
}

/// Returns the hit counts of a search by year, column, journal, article type, author, language, funder, access, publish type and kind of
/// entry. A count is the number of hits that the same search has with that value as a filter.
#[utoipa::path(get, path = "/rc-pub/front/search/clusters", tag = "search", params(SearchForm),
    responses((status = 200, body = Envelope<Clusters>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn clusters(caller: Caller, Query(form): Query<SearchForm>) -> Result<Json<Envelope<Clusters>>, ApiError> {
    require_text(&caller, &form)?;
    let clusters = count_form(&caller, &form, &[]).await?;
    Ok(caller.ok(clusters))
}

/// Returns the hit counts of a search with conditions.
#[utoipa::path(get, path = "/rc-pub/front/advSearch/clusters", tag = "search", params(SearchForm),
    responses((status = 200, body = Envelope<Clusters>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn advanced_clusters(
    caller: Caller,
    Query(form): Query<SearchForm>,
) -> Result<Json<Envelope<Clusters>>, ApiError> {
    let conditions = form.read_conditions(&caller)?;
    let clusters = count_form(&caller, &form, &conditions).await?;
    Ok(caller.ok(clusters))
}

/// Returns the hit counts of a search with conditions that are sent as JSON.
#[utoipa::path(post, path = "/rc-pub/front/advSearch/clusters", tag = "search", request_body = SearchBody,
    responses((status = 200, body = Envelope<Clusters>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn advanced_clusters_by_body(caller: Caller, body: Bytes) -> Result<Json<Envelope<Clusters>>, ApiError> {
    let (form, conditions) = parse_body(&caller, &body)?;
    let clusters = count_form(&caller, &form, &conditions).await?;
    Ok(caller.ok(clusters))
}

/// Query of the analysis of a search text.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Analyze {
    /// The text that the reader typed.
    q: String,
    /// What is to be searched, with the values of `type` in a search.
    #[serde(default, rename = "type")]
    kind: String,
}

/// A part of an analyzed search text.
#[derive(Serialize, ToSchema)]
pub struct AnalyzedPart {
    /// The words in the form in which they are looked up.
    text: String,
    /// Whether the words have to be adjacent.
    phrase: bool,
    /// Whether the part must not occur.
    excluded: bool,
    /// Operator between this part and the part before it: AND, OR; "" for the first part.
    operator: String,
    /// Name of the field in which it is looked up; "" for all fields.
    field: String,
    /// Kinds of entries that are searched.
    types: Vec<String>,
}

/// Analyzes a search text before the search and returns its parts. A text without words is an error.
#[utoipa::path(get, path = "/rc-pub/front/analyze", tag = "search", params(Analyze),
    responses((status = 200, body = Envelope<Vec<AnalyzedPart>>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn analyze(
    caller: Caller,
    Query(query): Query<Analyze>,
) -> Result<Json<Envelope<Vec<AnalyzedPart>>>, ApiError> {
    let kinds = terms::kinds(&query.kind).ok_or_else(|| caller.fail(StatusCode::BAD_REQUEST, "bad_request"))?;
    let types: Vec<String> = kinds.into_iter().map(EntryKind::as_str).map(str::to_owned).collect();
    let analysis =
        masthead_search::analyze(&query.q).ok_or_else(|| caller.fail(StatusCode::BAD_REQUEST, "search_term_needed"))?;
    let part = |part: masthead_search::QueryPart| AnalyzedPart {
        text: part.text,
        phrase: part.phrase,
        excluded: part.excluded,
        operator: part.operator.to_owned(),
        field: part.field.to_owned(),
        types: types.clone(),
    };
    Ok(caller.ok(analysis.parts.into_iter().map(part).collect()))
}
