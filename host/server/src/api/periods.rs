//! Calls about issues ("periods").

use axum::{Json, extract::Query, http::StatusCode};
use masthead_domain::{link::LinkKind, publication::Issue};
use masthead_store::CardQuery;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    articles::LinkedCard,
    envelope::{ApiError, Caller},
    types::Envelope,
};

/// Which journal.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OfJournal {
    /// Key of the journal; the site's first where it is left out.
    #[serde(default)]
    journal: String,
}

/// The issues of a year, newest first.
#[derive(Serialize, ToSchema)]
pub struct Year {
    /// The year.
    year: i32,
    /// Its issues.
    periods: Vec<Issue>,
}

async fn issues(caller: &Caller, key: &str) -> Result<Vec<Issue>, ApiError> {
    let store = caller.store();
    let key = if key.is_empty() {
        match store.journals().await.map_err(caller.store_failed())?.into_iter().next() {
            Some(journal) => journal.key,
            None => return Ok(Vec::new()),
        }
    } else {
        key.to_owned()
    };
    store.issues(&key).await.map_err(caller.store_failed())
}

/// All issues by year.
#[utoipa::path(get, path = "/rc-pub/front/front-period/getPeriodTree", tag = "period", params(OfJournal),
    responses((status = 200, body = Envelope<Vec<Year>>)))]
pub async fn tree(caller: Caller, Query(query): Query<OfJournal>) -> Result<Json<Envelope<Vec<Year>>>, ApiError> {
    let mut years: Vec<Year> = Vec::new();
    for issue in issues(&caller, &query.journal).await? {
        match years.last_mut() {
            Some(year) if year.year == issue.year => year.periods.push(issue),
            _ => years.push(Year { year: issue.year, periods: vec![issue] }),
        }
    }
    Ok(caller.ok(years))
}

/// The latest two issues.
#[utoipa::path(get, path = "/rc-pub/front/front-period/getFirstTwoPeriods", tag = "period", params(OfJournal),
    responses((status = 200, body = Envelope<Vec<Issue>>)))]
pub async fn first_two(caller: Caller, Query(query): Query<OfJournal>) -> Result<Json<Envelope<Vec<Issue>>>, ApiError> {
    let mut issues = issues(&caller, &query.journal).await?;
    issues.truncate(2);
    Ok(caller.ok(issues))
}

/// Which issue.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OfIssue {
    /// Key of the journal; the site's first where it is left out.
    #[serde(default)]
    journal: String,
    /// Year.
    year: i32,
    /// Issue as printed.
    issue: String,
}

/// The articles of an issue, in page order.
#[utoipa::path(get, path = "/rc-pub/front/front-period/getPageByPeriodId", tag = "period", params(OfIssue),
    responses((status = 200, body = Envelope<Vec<LinkedCard>>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn articles(
    caller: Caller,
    Query(query): Query<OfIssue>,
) -> Result<Json<Envelope<Vec<LinkedCard>>>, ApiError> {
    let known = issues(&caller, &query.journal).await?;
    let Some(issue) = known.into_iter().find(|issue| issue.year == query.year && issue.issue == query.issue) else {
        return Err(caller.fail(StatusCode::NOT_FOUND, "no_data"));
    };
    let query = CardQuery::Issue { journal: issue.journal, year: issue.year, issue: issue.issue };
    let cards = caller.store().cards(&query, None, 1000).await.map_err(caller.store_failed())?;
    Ok(caller.ok(LinkedCard::all(&caller, LinkKind::ListArticle, cards).await))
}
