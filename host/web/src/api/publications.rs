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
    periods::PeriodView,
    search::{self, Clusters},
    search_form::{self, SearchForm},
    types::Envelope,
};
use crate::schema::{self, FromDomain};
use crate::search_service::{self, Item, Wanted};

/// A journal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicationView {
    /// Its place among the site's journals, from 1.
    id: usize,
    /// The journal.
    #[serde(flatten)]
    journal: schema::Journal,
    /// Its name in the reader's language (spec `publicationName`).
    publication_name: String,
    /// Who publishes it, in the reader's language (spec `organizerUnit`).
    organizer_unit: String,
    /// Number of its articles.
    article_count: i64,
    /// Number of its issues.
    period_count: usize,
    /// Its newest issue.
    current: Option<PeriodView>,
}

/// A page of journals.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Publications {
    /// Number of all.
    total_elements: usize,
    /// The page's journals.
    content: Vec<PublicationView>,
}

/// Which journals.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PublicationQuery {
    /// Words of name, publisher, ISSN or CN; all journals in their order where it is left out.
    #[serde(default)]
    q: String,
    /// Conditions as in an advanced search: publicationName, organizerUnit, cn, issn.
    #[serde(default)]
    conditions: String,
    /// Page, from 0.
    #[serde(default)]
    page: usize,
    /// Journals on a page, 20 where it is left out, at most 100.
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
            ..SearchForm::default()
        }
    }

    fn asks_nothing(&self) -> bool {
        self.q.trim().is_empty() && self.conditions.trim().is_empty()
    }
}

async fn view(caller: &Caller, place: usize, journal: Journal) -> Result<PublicationView, ApiError> {
    let store = caller.store();
    let sizes = store.issue_sizes(&journal.key).await.map_err(caller.store_failed())?;
    let issues = store.issues(&journal.key).await.map_err(caller.store_failed())?;
    Ok(PublicationView {
        id: place + 1,
        publication_name: journal.title.get(caller.lang).to_owned(),
        organizer_unit: journal.sponsor.get(caller.lang).to_owned(),
        article_count: sizes.iter().map(|(_, _, articles)| articles).sum(),
        period_count: issues.len(),
        current: issues.into_iter().next().map(|issue| PeriodView::of(issue, &sizes)),
        journal: FromDomain::from_domain(journal),
    })
}

/// Searches the site's journals, or lists them.
#[utoipa::path(get, path = "/rc-pub/front/front-publication/search", tag = "publication",
    operation_id = "publicationSearch", params(PublicationQuery),
    responses((status = 200, body = Envelope<Publications>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn search(
    caller: Caller,
    Query(query): Query<PublicationQuery>,
) -> Result<Json<Envelope<Publications>>, ApiError> {
    let all = caller.store().journals().await.map_err(caller.store_failed())?;
    let form = query.form();
    let (total, found) = if query.asks_nothing() {
        let page = all.iter().skip(query.page.saturating_mul(form.size())).take(form.size());
        (all.len(), page.cloned().collect::<Vec<_>>())
    } else {
        let conditions = form.read_conditions(&caller)?;
        let wanted: Wanted = form.wanted(&caller, &conditions)?;
        let mut call = caller.begin("search");
        let found = search_service::find_items(&caller.app, caller.entry(), &mut call, caller.lang, wanted).await;
        let found = found.map_err(caller.page_failed())?;
        let journals = found.items.into_iter().filter_map(|item| match item {
            Item::Publication(journal) => Some(*journal),
            _ => None,
        });
        (found.total, journals.collect())
    };
    let mut content = Vec::with_capacity(found.len());
    for journal in found {
        let place = all.iter().position(|known| known.key == journal.key).unwrap_or_default();
        content.push(view(&caller, place, journal).await?);
    }
    Ok(caller.ok(Publications { total_elements: total, content }))
}

/// A journal, by its key or its place among the site's journals (from 1).
#[utoipa::path(get, path = "/rc-pub/front/front-publication/detail/{publicationId}", tag = "publication",
    params(("publicationId" = String, Path, description = "The journal's key, or its place")),
    responses((status = 200, body = Envelope<PublicationView>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn detail(caller: Caller, Path(name): Path<String>) -> Result<Json<Envelope<PublicationView>>, ApiError> {
    let all = caller.store().journals().await.map_err(caller.store_failed())?;
    let place = place(&all, &name).ok_or_else(|| caller.fail(StatusCode::NOT_FOUND, "no_data"))?;
    let journal = all.into_iter().nth(place).ok_or_else(|| caller.fail(StatusCode::NOT_FOUND, "no_data"))?;
    let view = view(&caller, place, journal).await?;
    Ok(caller.ok(view))
}

/// Where a journal stands that is named by its key or by its place from 1.
pub fn place(all: &[Journal], name: &str) -> Option<usize> {
    let by_key = all.iter().position(|journal| journal.key == name);
    by_key.or_else(|| name.parse::<usize>().ok()?.checked_sub(1).filter(|place| *place < all.len()))
}

/// Counts the site's journals by the year in which they began.
#[utoipa::path(get, path = "/rc-pub/front/front-publication/clusters", tag = "publication",
    operation_id = "publicationClusters", params(PublicationQuery),
    responses((status = 200, body = Envelope<Clusters>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn clusters(
    caller: Caller,
    Query(query): Query<PublicationQuery>,
) -> Result<Json<Envelope<Clusters>>, ApiError> {
    let form = query.form();
    let conditions = form.read_conditions(&caller)?;
    let kinds = search_form::kinds("publication").unwrap_or_else(|| vec![EntryKind::Publication]);
    let asked = form.query(&caller, &conditions)?;
    let clusters =
        search::counted_query(&caller, masthead_search::Query { kinds, all: query.asks_nothing(), ..asked }).await?;
    Ok(caller.ok(clusters))
}
