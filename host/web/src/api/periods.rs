//! Calls about issues ("periods").

use std::collections::BTreeMap;

use axum::{
    Json,
    extract::Query,
    http::{HeaderName, StatusCode, header},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use masthead_domain::{link::LinkKind, publication::Issue};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::{
    articles::LinkedCard,
    envelope::{ApiError, Caller},
    journal_lookup,
    listing::{MAX_SIZE, Page, Paging},
    types::Envelope,
};
use crate::schema::{self, FromDomain};

/// Greatest number of articles of an issue in a response that is no page.
const MAX_ARTICLES: u32 = 1_000;

/// Query of the issues of a journal.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct OfJournal {
    /// Key of the journal; by default the site's first journal.
    #[serde(default)]
    journal: String,
    /// Alternative to `journal`: key of the journal, or its position among the site's journals from 1.
    #[serde(default)]
    publication_index_id: String,
    /// Omits the newest issue, which is not a back issue.
    #[serde(default)]
    is_back: bool,
    /// Groups the issues by year; `false` returns one group with the year 0. By default, as the site is configured.
    group_by_year: Option<bool>,
    /// Sorts the oldest issue first. By default, as the site is configured.
    period_asc: Option<bool>,
}

/// An issue.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PeriodView {
    /// Id of the issue (`periodId`), safe in addresses.
    id: String,
    /// The issue.
    #[serde(flatten)]
    issue: schema::Issue,
    /// Number of articles in the issue.
    article_count: i64,
}

impl PeriodView {
    /// An issue with the number of its articles. `sizes` holds year, issue and number of articles of the journal's
    /// issues.
    pub fn of(issue: Issue, sizes: &[(i64, String, i64)]) -> Self {
        let size = sizes.iter().find(|(year, name, _)| *year == i64::from(issue.year) && *name == issue.issue);
        let article_count = size.map_or(0, |(_, _, articles)| *articles);
        Self { id: id_of(&issue), article_count, issue: FromDomain::from_domain(issue) }
    }
}

/// The id of an issue: year, issue and journal key, separated by line breaks, in URL-safe Base64.
fn id_of(issue: &Issue) -> String {
    URL_SAFE_NO_PAD.encode(format!("{}\n{}\n{}", issue.year, issue.issue, issue.journal))
}

/// Parses an id into year, issue and journal key.
fn read_id(id: &str) -> Option<(i32, String, String)> {
    let text = String::from_utf8(URL_SAFE_NO_PAD.decode(id).ok()?).ok()?;
    let mut parts = text.splitn(3, '\n');
    let (year, issue, journal) = (parts.next()?, parts.next()?, parts.next()?);
    Some((year.parse().ok()?, issue.to_owned(), journal.to_owned()))
}

/// The issues of a year.
#[derive(Serialize, ToSchema)]
pub struct Year {
    /// The year; 0 if the issues are not grouped.
    year: i32,
    /// The issues of the year.
    periods: Vec<PeriodView>,
}

/// The issues of a journal, newest first. `name` is the journal's key or position; "" is the site's first journal.
async fn shown_issues(caller: &Caller, name: &str) -> Result<Vec<Issue>, ApiError> {
    let store = caller.store();
    let shown = store.shown_journals().await.map_err(caller.store_failed())?;
    let journal = if name.is_empty() {
        shown.first()
    } else {
        let all = store.journals().await.map_err(caller.store_failed())?;
        journal_lookup::find(&all, &shown, name)
    };
    let Some(journal) = journal else { return Ok(Vec::new()) };
    store.shown_issues(&journal.key).await.map_err(caller.store_failed())
}

/// The same with the numbers of their articles.
async fn issues(caller: &Caller, name: &str) -> Result<Vec<PeriodView>, ApiError> {
    let issues = shown_issues(caller, name).await?;
    let Some(newest) = issues.first() else { return Ok(Vec::new()) };
    let sizes = caller.store().issue_sizes(&newest.journal).await.map_err(caller.store_failed())?;
    Ok(issues.into_iter().map(|issue| PeriodView::of(issue, &sizes)).collect())
}

impl OfJournal {
    fn name(&self) -> &str {
        if self.journal.is_empty() { &self.publication_index_id } else { &self.journal }
    }
}

/// Returns all issues of a journal, by year.
#[utoipa::path(get, path = "/rc-pub/front/front-period/getPeriodTree", tag = "period", params(OfJournal),
    responses((status = 200, body = Envelope<Vec<Year>>)))]
pub async fn tree(caller: Caller, Query(query): Query<OfJournal>) -> Result<Json<Envelope<Vec<Year>>>, ApiError> {
    let mut issues = issues(&caller, query.name()).await?;
    if query.is_back && !issues.is_empty() {
        issues.remove(0);
    }
    let configured = &caller.entry().site.publication;
    if query.period_asc.unwrap_or(configured.period_asc) {
        issues.reverse();
    }
    let grouped = query.group_by_year.unwrap_or(configured.group_by_year);
    let mut years: Vec<Year> = Vec::new();
    for period in issues {
        let year = if grouped { period.issue.year } else { 0 };
        match years.last_mut() {
            Some(known) if known.year == year => known.periods.push(period),
            _ => years.push(Year { year, periods: vec![period] }),
        }
    }
    Ok(caller.ok(years))
}

/// Returns the two latest issues.
#[utoipa::path(get, path = "/rc-pub/front/front-period/getFirstTwoPeriods", tag = "period", params(OfJournal),
    responses((status = 200, body = Envelope<Vec<PeriodView>>)))]
pub async fn first_two(
    caller: Caller,
    Query(query): Query<OfJournal>,
) -> Result<Json<Envelope<Vec<PeriodView>>>, ApiError> {
    let mut issues = issues(&caller, query.name()).await?;
    issues.truncate(2);
    Ok(caller.ok(issues))
}

/// Query of an issue: its id, or its year and number.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct OfIssue {
    /// Id of the issue, as in the lists of issues.
    period_id: Option<String>,
    /// Key of the journal; by default the site's first journal.
    #[serde(default)]
    journal: String,
    /// Year.
    year: Option<i32>,
    /// Number of the issue as printed.
    issue: Option<String>,
}

/// Articles of an issue.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum PeriodArticles {
    /// The first 1,000 articles: the answer to a query without a parameter of paging.
    First(Vec<LinkedCard>),
    /// A page.
    Page(Page<LinkedCard>),
}

/// The header that leads to the articles behind those of a response.
type NextLink = Option<[(HeaderName, String); 1]>;

/// The header with the address of the same query for the page behind the first `shown` articles.
fn next_link(mut query: BTreeMap<String, String>, shown: usize) -> [(HeaderName, String); 1] {
    query.insert("after".to_owned(), shown.to_string());
    query.insert("size".to_owned(), MAX_SIZE.to_string());
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
    [(header::LINK, format!("<?{query}>; rel=\"next\""))]
}

/// Returns the articles of an issue, in page order: a page of them, or without `page`, `size` and `after` the first 1,000 as a list. If the
/// issue has more, the header `Link` of the list has the address of the page behind it.
#[utoipa::path(get, path = "/rc-pub/front/front-period/getPageByPeriodId", tag = "period", params(OfIssue, Paging),
    responses((status = 200, body = Envelope<PeriodArticles>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn articles(
    caller: Caller,
    Query(query): Query<OfIssue>,
    Query(paging): Query<Paging>,
    Query(given): Query<BTreeMap<String, String>>,
) -> Result<(NextLink, Json<Envelope<PeriodArticles>>), ApiError> {
    let issue = requested(&caller, query).await?;
    let store = caller.store();
    if Paging::NAMES.iter().any(|name| given.contains_key(*name)) {
        let places = paging.places(&caller)?;
        let found = store.issue_page(&issue, places.offset, places.size).await.map_err(caller.store_failed())?;
        let cards = LinkedCard::all(&caller, LinkKind::ListArticle, found.cards).await;
        return Ok((None, caller.ok(PeriodArticles::Page(places.page(cards, found.total)))));
    }
    let found = store.issue_page(&issue, 0, MAX_ARTICLES).await.map_err(caller.store_failed())?;
    let shown = found.cards.len();
    let next = (found.total > shown as u64).then(|| next_link(given, shown));
    let cards = LinkedCard::all(&caller, LinkKind::ListArticle, found.cards).await;
    Ok((next, caller.ok(PeriodArticles::First(cards))))
}

/// The issue that a query names; the error 404 if readers do not see it.
async fn requested(caller: &Caller, query: OfIssue) -> Result<Issue, ApiError> {
    let missing = || caller.fail(StatusCode::NOT_FOUND, "no_data");
    let (year, number, journal) = match (query.period_id, query.year, query.issue) {
        (Some(id), ..) => read_id(&id).ok_or_else(missing)?,
        (None, Some(year), Some(issue)) => (year, issue, query.journal),
        _ => return Err(caller.fail(StatusCode::BAD_REQUEST, "bad_request")),
    };
    let known = shown_issues(caller, &journal).await?;
    known.into_iter().find(|issue| issue.year == year && issue.issue == number).ok_or_else(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_parsed_back_to_its_issue() {
        let issue = Issue { journal: "海-1".into(), year: 2026, issue: "S 1/2".into(), ..Issue::default() };
        let id = id_of(&issue);
        assert!(id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
        assert_eq!(read_id(&id), Some((2026, "S 1/2".into(), "海-1".into())));
        for odd in ["", "x", "2026", &URL_SAFE_NO_PAD.encode("x\n1\na"), &URL_SAFE_NO_PAD.encode([255, 254])] {
            assert_eq!(read_id(odd), None, "{odd}");
        }
    }
}
