//! `/rc-pub`: the API calls of specification section 7, their envelope, and the OpenAPI document.

pub mod admin;
mod admin_backup;
mod admin_bundle;
mod admin_comments;
mod admin_crossref;
mod admin_doctor;
mod admin_import;
mod admin_institutions;
mod admin_invitation;
mod admin_people;
mod admin_permissions;
mod admin_plugins;
mod admin_records;
mod admin_redirects;
mod admin_reindex;
mod admin_secrets;
mod admin_settings;
mod admin_tokens;
pub mod administrator;
mod article_data;
mod articles;
mod channels;
mod collections;
mod comments;
mod describe;
mod downloads;
mod envelope;
mod features;
mod figures_and_tables;
mod frames;
mod hit_reads;
mod hits;
mod items;
mod journal_lookup;
pub mod labels;
mod listing;
mod members;
mod news;
mod pages;
mod people;
mod periods;
mod plugins;
mod publications;
mod relations;
mod resources;
mod search;
mod search_form;
mod signed_in;
mod sites;
mod statistics;
mod suggest;
pub mod types;

use std::sync::{Arc, OnceLock};

use axum::{
    Router,
    body::Bytes,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

pub use self::envelope::{ApiError, Caller, failure_language, refuse, refuse_in, site_in_path, wrap_all};
use crate::{
    app::App,
    routing::{any, get, routes},
    schema,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Masthead",
        description = "API of a journal site. Every response is an envelope: `status` 0 is success, `data` is the payload, \
                       `message` is a text in the language of the `language` header. On the platform's own host the \
                       header or parameter `siteId` names the site."
    ),
    // Schemas to which only recursive types refer are not found by following the calls.
    components(schemas(
        schema::Caption, schema::Cell, schema::Citation, schema::DefItem, schema::Graphics, schema::Grid, schema::ListItem,
        schema::Reference, schema::Row
    )),
    tags((name = "site"), (name = "article"), (name = "period"), (name = "publication"), (name = "search"), (name = "resource"), (name = "member"), (name = "page"))
)]
struct Document;

fn described() -> (Router<Arc<App>>, utoipa::openapi::OpenApi) {
    let (calls, mut document) = OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(sites::find_by_sld))
        .routes(routes!(sites::find_by_site_id))
        .routes(routes!(sites::find_group))
        .routes(routes!(sites::basic_info))
        .routes(routes!(sites::check_power))
        .routes(routes!(search::config))
        .routes(routes!(search::hot_words))
        .merge(search_calls())
        .routes(routes!(periods::tree))
        .routes(routes!(periods::first_two))
        .routes(routes!(periods::articles))
        .merge(article_calls())
        .routes(routes!(plugins::translate))
        .routes(routes!(plugins::secure_parameters))
        .routes(routes!(plugins::resource_counts))
        .routes(routes!(pages::page))
        .routes(routes!(pages::ui_failure))
        .merge(frames::calls())
        .merge(channels::calls())
        .merge(features::calls())
        .merge(labels::calls())
        .merge(resources::calls())
        .merge(collections::calls())
        .merge(people::calls())
        .merge(news::calls())
        .merge(members::calls())
        .split_for_parts();
    describe::complete(&mut document);
    (calls, document)
}

/// The routes of search, journals, figures and tables.
fn search_calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(search::search))
        .routes(routes!(search::clusters))
        .routes(routes!(suggest::suggest))
        .routes(routes!(search::advanced, search::advanced_by_body))
        .routes(routes!(search::advanced_clusters, search::advanced_clusters_by_body))
        .routes(routes!(search::quick_search))
        .routes(routes!(search::advanced_articles))
        .routes(routes!(search::analyze))
        .routes(routes!(publications::search))
        .routes(routes!(publications::detail))
        .routes(routes!(publications::clusters))
        .routes(routes!(figures_and_tables::pictures))
        .routes(routes!(figures_and_tables::picture))
        .routes(routes!(figures_and_tables::tables))
        .routes(routes!(figures_and_tables::table))
}

/// The routes of articles, their relations and their usage statistics.
fn article_calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(articles::article))
        .routes(routes!(articles::by_doi))
        .routes(routes!(articles::html))
        .routes(routes!(articles::body))
        .routes(routes!(articles::references))
        .routes(routes!(articles::jump_url))
        .routes(routes!(downloads::types))
        .routes(routes!(downloads::download))
        .routes(routes!(downloads::first_published))
        .routes(routes!(figures_and_tables::download_table))
        .routes(routes!(figures_and_tables::download_image))
        .routes(routes!(relations::authors))
        .routes(routes!(relations::organizations))
        .routes(routes!(relations::funds))
        .routes(routes!(relations::alike))
        .routes(routes!(relations::columns))
        .routes(routes!(statistics::article))
        .routes(routes!(statistics::rank_lists))
        .routes(routes!(statistics::rank_list))
        .routes(routes!(statistics::ranking))
        .routes(routes!(comments::list, comments::post))
}

/// The OpenAPI document of all calls.
#[must_use]
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = described().1;
    document.merge(admin::openapi());
    document
}

/// The same as JSON. It is made once.
///
/// # Errors
/// The encoder's error.
pub fn openapi_json() -> serde_json::Result<Bytes> {
    static JSON: OnceLock<Bytes> = OnceLock::new();
    if let Some(made) = JSON.get() {
        return Ok(made.clone());
    }
    let made = Bytes::from(serde_json::to_vec(&openapi())?);
    Ok(JSON.get_or_init(|| made).clone())
}

/// `/openapi.json`.
async fn document() -> Response {
    match openapi_json() {
        Ok(json) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
        Err(error) => {
            tracing::error!(%error, "encoding the OpenAPI document failed");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// The router of the calls and of `/openapi.json`.
pub fn router(app: &Arc<App>) -> Router<Arc<App>> {
    let calls = described().0;
    calls
        .layer(axum::middleware::from_fn_with_state(Arc::clone(app), envelope::wrap))
        .route("/openapi.json", get(document))
        .route("/rc-pub", any(envelope::unknown))
        .route("/rc-pub/", any(envelope::unknown))
        .route("/rc-pub/{*rest}", any(envelope::unknown))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn every_referenced_schema_is_defined() {
        let document = serde_json::to_value(super::openapi()).unwrap_or_default();
        let described: BTreeSet<String> =
            document["components"]["schemas"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
        let text = document.to_string();
        let referred = text.split("\"#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next());
        let missing: BTreeSet<&str> = referred.filter(|name| !described.contains(*name)).collect();
        assert!(described.len() > 20 && missing.is_empty(), "name them in `components(schemas(...))`: {missing:?}");
    }

    #[test]
    fn the_document_is_encoded_once() {
        let made = || super::openapi_json().map(|json| (json.as_ptr(), json.len())).unwrap_or((std::ptr::null(), 0));
        assert!(made().1 > 1000);
        assert_eq!(made(), made(), "two responses share their bytes");
    }

    #[test]
    fn operation_ids_are_unique() {
        let document = serde_json::to_value(super::openapi()).unwrap_or_default();
        let items = document["paths"].as_object().into_iter().flatten().filter_map(|(_, item)| item.as_object());
        let names: Vec<&str> = items.flatten().filter_map(|(_, call)| call["operationId"].as_str()).collect();
        let twice: Vec<_> =
            names.iter().filter(|name| names.iter().filter(|other| other == name).count() > 1).collect();
        assert!(names.len() > 100 && twice.is_empty(), "of {} calls, not unique: {twice:?}", names.len());
    }
}
