//! Calls about journals ("publications").

use axum::{
    Json,
    extract::{Path, Query},
    http::StatusCode,
};
use masthead_domain::publication::Journal;
use masthead_search::EntryKind;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::{
    envelope::{ApiError, Caller},
    journal_lookup,
    periods::PeriodView,
    search::{self, Clusters},
    search_form::SearchForm,
    types::Envelope,
};
use crate::schema::{self, FromDomain};
use crate::search_service::{self, ResultItem, SearchRequest, terms};

/// A journal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicationView {
    /// Position among all journals of the site, from 1, including those that are not shown.
    id: usize,
    /// The journal.
    #[serde(flatten)]
    journal: schema::Journal,
    /// Name in the reader's language (spec `publicationName`).
    publication_name: String,
    /// Publishing organization in the reader's language (spec `organizerUnit`).
    organizer_unit: String,
    /// Number of articles.
    article_count: i64,
    /// Number of issues.
    period_count: usize,
    /// The newest issue.
    current: Option<PeriodView>,
}

/// A page of journals.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Publications {
    /// Number of all journals that match.
    total_elements: usize,
    /// Journals of this page.
    content: Vec<PublicationView>,
}

/// Query of the journals.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PublicationQuery {
    /// Words of name, publisher, ISSN or CN; without them all journals are listed in their order.
    #[serde(default)]
    q: String,
    /// Conditions as in an advanced search, with the fields publicationName, organizerUnit, cn, issn.
    #[serde(default)]
    conditions: String,
    /// First year in which a journal may have started.
    #[serde(default)]
    year_from: Option<i32>,
    /// Last year in which it may have started.
    #[serde(default)]
    year_to: Option<i32>,
    /// Page, from 0.
    #[serde(default)]
    page: usize,
    /// Journals on a page: 20 by default, at most 100.
    size: Option<usize>,
}

impl PublicationQuery {
    fn form(&self) -> SearchForm {
        SearchForm {
            q: Some(self.q.clone()),
            kind: "publication".to_owned(),
            page: self.page,
            size: self.size,
            conditions: self.conditions.clone(),
            year_from: self.year_from,
            year_to: self.year_to,
            ..SearchForm::default()
        }
    }

    fn is_empty(&self) -> bool {
        let years = self.year_from.is_some() || self.year_to.is_some();
        self.q.trim().is_empty() && self.conditions.trim().is_empty() && !years
    }
}

async fn view(caller: &Caller, position: usize, journal: Journal) -> Result<PublicationView, ApiError> {
    let store = caller.store();
    let sizes = store.issue_sizes(&journal.key).await.map_err(caller.store_failed())?;
    let issues = store.shown_issues(&journal.key).await.map_err(caller.store_failed())?;
    Ok(PublicationView {
        id: position + 1,
        publication_name: journal.title.get(caller.lang).to_owned(),
        organizer_unit: journal.sponsor.get(caller.lang).to_owned(),
        article_count: sizes.iter().map(|(_, _, articles)| articles).sum(),
        period_count: issues.len(),
        current: issues.into_iter().next().map(|issue| PeriodView::of(issue, &sizes)),
        journal: FromDomain::from_domain(journal),
    })
}

/// Searches the site's journals, or lists all of them.
#[utoipa::path(get, path = "/rc-pub/front/front-publication/search", tag = "publication",
    operation_id = "publicationSearch", params(PublicationQuery),
    responses((status = 200, body = Envelope<Publications>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn search(
    caller: Caller,
    Query(query): Query<PublicationQuery>,
) -> Result<Json<Envelope<Publications>>, ApiError> {
    let all = caller.store().journals().await.map_err(caller.store_failed())?;
    let form = query.form();
    let (total, found) = if query.is_empty() {
        let shown = caller.store().shown_journals().await.map_err(caller.store_failed())?;
        let page = shown.iter().skip(query.page.saturating_mul(form.size())).take(form.size());
        (shown.len(), page.cloned().collect::<Vec<_>>())
    } else {
        let conditions = form.read_conditions(&caller)?;
        let request: SearchRequest = form.request(&caller, &conditions)?;
        let mut call = caller.plugin_call("search");
        let found = search_service::find_items(&caller.app, caller.entry(), &mut call, caller.lang, request).await;
        let found = found.map_err(caller.page_failed())?;
        let journals = found.items.into_iter().filter_map(|item| match item {
            ResultItem::Publication(journal) => Some(*journal),
            _ => None,
        });
        (found.total, journals.collect())
    };
    let mut content = Vec::with_capacity(found.len());
    for journal in found {
        let position = all.iter().position(|known| known.key == journal.key).unwrap_or_default();
        content.push(view(&caller, position, journal).await?);
    }
    Ok(caller.ok(Publications { total_elements: total, content }))
}

/// Returns a journal by its key or by its position among the site's journals (from 1).
#[utoipa::path(get, path = "/rc-pub/front/front-publication/detail/{publicationId}", tag = "publication",
    params(("publicationId" = String, Path, description = "The journal's key, or its position from 1")),
    responses((status = 200, body = Envelope<PublicationView>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn detail(caller: Caller, Path(name): Path<String>) -> Result<Json<Envelope<PublicationView>>, ApiError> {
    let all = caller.store().journals().await.map_err(caller.store_failed())?;
    let shown = caller.store().shown_journals().await.map_err(caller.store_failed())?;
    let found = journal_lookup::find(&all, &shown, &name).cloned();
    let journal = found.ok_or_else(|| caller.fail(StatusCode::NOT_FOUND, "no_data"))?;
    let position = all.iter().position(|known| known.key == journal.key).unwrap_or_default();
    let view = view(&caller, position, journal).await?;
    Ok(caller.ok(view))
}

/// Returns the number of the site's journals by founding year.
#[utoipa::path(get, path = "/rc-pub/front/front-publication/clusters", tag = "publication",
    operation_id = "publicationClusters", params(PublicationQuery),
    responses((status = 200, body = Envelope<Clusters>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn clusters(
    caller: Caller,
    Query(query): Query<PublicationQuery>,
) -> Result<Json<Envelope<Clusters>>, ApiError> {
    let form = query.form();
    let conditions = form.read_conditions(&caller)?;
    let kinds = terms::kinds("publication").unwrap_or_else(|| vec![EntryKind::Publication]);
    let parsed = form.query(&caller, &conditions)?;
    let parsed = masthead_search::Query { kinds, all: query.is_empty(), ..parsed };
    let request = SearchRequest { query: parsed, ..SearchRequest::default() };
    let clusters = search::count(&caller, request).await?;
    Ok(caller.ok(clusters))
}
