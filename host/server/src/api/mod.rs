//! `/rc-pub`: the calls of specification section 7 that the pages need, in the envelope, and the OpenAPI document.

pub mod admin;
mod articles;
mod envelope;
mod pages;
mod periods;
mod plugins;
mod search;
mod sites;
pub mod types;

use std::sync::Arc;

use axum::{Json, Router, routing::get};
use masthead_domain::content;
use utoipa::OpenApi;
use utoipa_axum::{router::OpenApiRouter, routes};

pub use self::envelope::{ApiError, Caller};
use crate::state::App;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Masthead",
        description = "Calls of a journal site. Every answer is an envelope: `status` 0 is success, `data` the payload, \
                       `message` a sentence in the language of the `language` header. Under the platform's own host the \
                       site is named by the `siteId` header or parameter."
    ),
    // Types that only recursive ones refer to are not found by following the calls.
    components(schemas(
        content::Caption, content::Cell, content::Citation, content::DefItem, content::Graphics, content::Grid, content::ListItem,
        content::Reference, content::Row
    )),
    tags((name = "site"), (name = "article"), (name = "period"), (name = "search"), (name = "page"))
)]
struct Document;

fn described() -> (Router<Arc<App>>, utoipa::openapi::OpenApi) {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(sites::find_by_sld))
        .routes(routes!(sites::find_by_site_id))
        .routes(routes!(sites::find_group))
        .routes(routes!(sites::header_config))
        .routes(routes!(sites::footer_config))
        .routes(routes!(sites::channels))
        .routes(routes!(sites::basic_info))
        .routes(routes!(sites::aggregated_config))
        .routes(routes!(sites::check_power))
        .routes(routes!(search::config))
        .routes(routes!(search::hot_words))
        .routes(routes!(search::search))
        .routes(routes!(periods::tree))
        .routes(routes!(periods::first_two))
        .routes(routes!(periods::articles))
        .routes(routes!(articles::article))
        .routes(routes!(articles::by_doi))
        .routes(routes!(articles::html))
        .routes(routes!(articles::body))
        .routes(routes!(articles::references))
        .routes(routes!(articles::jump_url))
        .routes(routes!(plugins::translate))
        .routes(routes!(plugins::secure_parameters))
        .routes(routes!(plugins::resource_counts))
        .routes(routes!(plugins::send_code))
        .routes(routes!(pages::page))
        .routes(routes!(pages::ui_failure))
        .split_for_parts()
}

/// The OpenAPI document.
#[must_use]
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = described().1;
    document.merge(admin::openapi());
    document
}

/// The calls, and `/openapi.json`.
pub fn router(app: &Arc<App>) -> Router<Arc<App>> {
    let calls = described().0;
    let document = Arc::new(openapi());
    calls
        .layer(axum::middleware::from_fn_with_state(Arc::clone(app), envelope::wrap))
        .route("/openapi.json", get(move || async move { Json((*document).clone()) }))
        .route("/rc-pub/{*rest}", axum::routing::any(envelope::unknown))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn every_type_that_is_referred_to_is_described() {
        let document = serde_json::to_value(super::openapi()).unwrap_or_default();
        let described: BTreeSet<String> =
            document["components"]["schemas"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
        let text = document.to_string();
        let referred = text.split("\"#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next());
        let missing: BTreeSet<&str> = referred.filter(|name| !described.contains(*name)).collect();
        assert!(described.len() > 20 && missing.is_empty(), "name them in `components(schemas(...))`: {missing:?}");
    }
}
