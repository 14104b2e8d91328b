//! The administrators' call about Crossref deposits, as `masthead crossref` writes them. Nothing is sent to Crossref from here.

use std::sync::Arc;

use axum::{
    extract::{Query, RawQuery},
    http::{StatusCode, header},
    response::{IntoResponse as _, Response},
};
use masthead_content::{
    crossref::{DepositError, DepositRequest},
    export::crossref_deposit::Deposited,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    admin_records,
    administrator::{Administrator, OnSite},
    envelope::{ApiError, ok, storable},
    types::Envelope,
};
use crate::app::App;
use crate::routing::routes;

/// The parameter with an article, which may be repeated.
const ARTICLE: &str = "article";

/// Query of a deposit.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct OfDeposit {
    /// Id of the site.
    site_id: i64,
    /// A journal, or an issue `JOURNAL/YEAR/ISSUE`; all articles of the site if neither this nor `article` is given.
    #[serde(default)]
    within: String,
    /// Name of the depositor.
    #[serde(default)]
    depositor: String,
    /// E-mail address to which Crossref reports.
    #[serde(default)]
    email: String,
    /// Organization that owns the content; the depositor if omitted.
    #[serde(default)]
    registrant: String,
    /// DOI of the publisher's Crossmark policy, without which Crossref takes no corrections and retractions.
    #[serde(default)]
    crossmark_policy: String,
    /// Public address of the site, such as https://journal.example.org; by default its canonical host or first domain.
    #[serde(default)]
    address: String,
    /// Returns what the deposit has and lacks, and not the deposit.
    #[serde(default)]
    report: bool,
}

impl OfDeposit {
    fn request(self, articles: Vec<String>) -> DepositRequest {
        let given = |text: String| Some(text).filter(|text| !text.trim().is_empty());
        DepositRequest {
            within: self.within,
            articles,
            depositor: self.depositor,
            email: self.email,
            registrant: given(self.registrant),
            crossmark_policy: given(self.crossmark_policy),
            address: given(self.address),
        }
    }
}

/// What a deposit has and lacks.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DepositReport {
    /// Number of articles in it.
    articles: usize,
    /// The articles that are not in it.
    left_out: Vec<ArticleLeftOut>,
    /// Number of corrections, retractions and other updates that are not in it for want of a Crossmark policy.
    notices_left_out: usize,
}

/// An article that is not in a deposit.
#[derive(Serialize, ToSchema)]
pub struct ArticleLeftOut {
    /// Number of the article.
    article: i64,
    /// What it lacks that Crossref demands.
    reason: &'static str,
}

impl From<Deposited> for DepositReport {
    fn from(made: Deposited) -> Self {
        let left_out = made.left_out.into_iter().map(|(id, reason)| ArticleLeftOut { article: id.0, reason });
        Self { articles: made.articles, left_out: left_out.collect(), notices_left_out: made.notices_left_out }
    }
}

/// Returns a Crossref deposit of articles: the file (`doi_batch`, schema 5.3.1) with which a publisher registers DOIs, corrected metadata, and
/// notices such as retractions. With `report`, says which articles and notices are left out of it.
#[utoipa::path(get, path = "/rc-pub/admin/crossref", tag = "admin", operation_id = "adminCrossref",
    params(OfDeposit,
        ("article" = Option<String>, Query, description = "Number or DOI of an article; may be repeated")),
    responses(
        (status = 200, content((Envelope<DepositReport> = "application/json"), (String = "application/xml"))),
        (status = 400, body = Envelope<serde_json::Value>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 403, body = Envelope<serde_json::Value>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn deposit(
    by: Administrator,
    Query(query): Query<OfDeposit>,
    RawQuery(raw): RawQuery,
) -> Result<Response, ApiError> {
    let by = by.on_site(query.site_id)?;
    let entry = by.app().sites.load().by_id(by.site()).cloned();
    let entry = entry.ok_or_else(|| by.fail(StatusCode::NOT_FOUND, "site_unknown"))?;
    let raw = raw.unwrap_or_default();
    let articles = url::form_urlencoded::parse(raw.as_bytes()).filter(|(name, _)| name == ARTICLE);
    let articles: Vec<String> = articles.map(|(_, value)| value.into_owned()).collect();
    if articles.iter().chain([&query.within]).any(|text| storable(text).is_none()) {
        return Err(by.fail(StatusCode::BAD_REQUEST, "bad_request"));
    }
    let as_report = query.report;
    let request = query.request(articles);
    let lang = entry.site.default_lang();
    let (public, now) = (by.app().address(&entry, lang), by.app().counting.now());
    // It reads the texts of thousands of articles, as an examination does.
    let _one_at_a_time = by.app().examining.lock().await;
    let made = request.write(&by.store(), &by.records(), (&public, lang), now).await;
    let made = made.map_err(|error| failed(&by, &error))?;
    if as_report {
        return Ok(ok(DepositReport::from(made)).into_response());
    }
    let file = format!("attachment; filename=\"crossref-{}.xml\"", entry.site.sld);
    let headers = [(header::CONTENT_TYPE, "application/xml".to_owned()), (header::CONTENT_DISPOSITION, file)];
    Ok((headers, made.xml).into_response())
}

/// A failure for the administrator. The causes of failures of the host are logged and not returned.
fn failed(by: &OnSite, error: &DepositError) -> ApiError {
    let status = match error {
        DepositError::Record(error) => return admin_records::failed(by, error),
        DepositError::Store(error) => return by.internal_error(error),
        DepositError::Empty(_) => StatusCode::NOT_FOUND,
        _ => StatusCode::BAD_REQUEST,
    };
    ApiError::new(status, &error.to_string())
}

/// The route of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(deposit))
}
