//! Calls about the features that a site switches on: journals, comments, functions, common codes, search conditions,
//! the assistant.

use std::sync::Arc;

use axum::{Json, extract::Query};
use masthead_domain::{
    Lang, LocalText,
    site::{search_fields, search_type},
};
use masthead_runtime::Hook;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    envelope::{ApiError, Caller},
    types::Envelope,
};
use crate::{
    app::App,
    failure::Failure,
    routing::routes,
    schema::{self, FromDomain},
};

/// The site's display settings for journals.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicationSettings {
    /// The configuration.
    #[serde(flatten)]
    config: schema::PublicationConfig,
    /// 1 if section texts can be translated by machine, else 0.
    translate_flag: i32,
    /// The journals.
    publications: Vec<schema::Journal>,
}

/// Returns the publication configuration.
#[utoipa::path(get, path = "/rc-pub/front/site/getPublicationConfig", tag = "site",
    operation_id = "publicationConfig", responses((status = 200, body = Envelope<PublicationSettings>)))]
pub async fn publication_config(caller: Caller) -> Result<Json<Envelope<PublicationSettings>>, ApiError> {
    let publications = caller.store().shown_journals().await.map_err(caller.store_failed())?;
    let entry = caller.entry();
    let view = PublicationSettings {
        config: FromDomain::from_domain(entry.site.publication.clone()),
        translate_flag: i32::from(entry.translates),
        publications: FromDomain::from_domain(publications),
    };
    Ok(caller.ok(view))
}

/// Site-wide switches.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AggregatedConfig {
    /// Whether readers may comment.
    enable_comment: bool,
    /// Level of greying of the pages.
    gray_type: i32,
}

/// Returns the aggregated configuration.
#[utoipa::path(get, path = "/rc-pub/front/site/getAggregatedConfig", tag = "site",
    responses((status = 200, body = Envelope<AggregatedConfig>)))]
pub async fn aggregated_config(caller: Caller) -> Json<Envelope<AggregatedConfig>> {
    let site = &caller.entry().site;
    caller.ok(AggregatedConfig { enable_comment: site.enable_comment, gray_type: site.gray_type })
}

/// Code of the function that stands for further interface languages.
const MULTILINGUAL: &str = "multilingual";

/// A function that the site has switched on.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FunctionView {
    /// Code of the function; `multilingual` is multi-language dissemination.
    code: String,
    /// Name in the caller's language.
    column_name: String,
    /// Name in every language.
    column_names: schema::LocalText,
    /// Languages that the function adds to the site.
    languages: Vec<schema::Lang>,
}

/// Returns the functions that the site has switched on. Multi-language dissemination is included if and only if a
/// plugin of the site adds interface languages; it lists those languages.
#[utoipa::path(get, path = "/rc-pub/front/site/getMagazineFunctionalControl", tag = "site",
    operation_id = "magazineFunctionalControl", responses((status = 200, body = Envelope<Vec<FunctionView>>)))]
pub async fn functional_control(caller: Caller) -> Json<Envelope<Vec<FunctionView>>> {
    let entry = caller.entry();
    let own = entry.site.functional_control.iter().filter(|function| function.code != MULTILINGUAL);
    let mut functions: Vec<FunctionView> = own
        .map(|function| FunctionView {
            code: function.code.clone(),
            column_name: function.column_name.get(caller.lang).to_owned(),
            column_names: FromDomain::from_domain(function.column_name.clone()),
            languages: Vec::new(),
        })
        .collect();
    let added: Vec<Lang> =
        entry.languages.iter().copied().filter(|lang| !entry.site.languages.contains(lang)).collect();
    if !added.is_empty() {
        let name = |lang| caller.app.messages.get(lang, "multilingual").to_owned();
        functions.push(FunctionView {
            code: MULTILINGUAL.to_owned(),
            column_name: name(caller.lang),
            column_names: FromDomain::from_domain(LocalText(
                entry.languages.iter().map(|lang| (*lang, name(*lang))).collect(),
            )),
            languages: FromDomain::from_domain(added),
        });
    }
    caller.ok(functions)
}

/// Returns the channel codes that lead to the common list of resources.
#[utoipa::path(get, path = "/rc-pub/front/commonResource/getCommonCodes", tag = "site",
    operation_id = "commonCodes", responses((status = 200, body = Envelope<Vec<String>>)))]
pub async fn common_codes(caller: Caller) -> Json<Envelope<Vec<String>>> {
    caller.ok(caller.entry().site.common_codes.clone())
}

/// A search condition.
#[derive(Serialize, ToSchema)]
pub struct ConditionView {
    /// Label in the caller's language.
    condition: String,
    /// Field to search, or "" for all fields.
    field: String,
    /// Value that the selector sends.
    value: String,
}

/// Query of the search conditions.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ByType {
    /// `article` (also `thesis`), `publication` (also `periodical`), `onlineVideo`, `standard`, `patent`, `picture`, `table`,
    /// `video`, `audio` or `book`.
    #[serde(rename = "type")]
    kind: String,
}

/// Returns the search conditions of a resource type: the site's own, else those of the specification's search fields.
#[utoipa::path(get, path = "/rc-pub/front/site/{siteId}/search-conditions", tag = "search",
    operation_id = "searchConditions",
    params(("siteId" = i64, Path, description = "The site's id"), ByType),
    responses((status = 200, body = Envelope<Vec<ConditionView>>)))]
pub async fn search_conditions(
    caller: Caller,
    Query(query): Query<ByType>,
) -> Result<Json<Envelope<Vec<ConditionView>>>, ApiError> {
    let kind = search_type(&query.kind).ok_or_else(|| caller.failed(Failure::NotUnderstood))?;
    if let Some(own) = caller.entry().site.search.conditions.get(kind) {
        let view = own.iter().map(|condition| ConditionView {
            condition: condition.condition.get(caller.lang).to_owned(),
            field: condition.field.clone(),
            value: if condition.value.is_empty() { condition.field.clone() } else { condition.value.clone() },
        });
        return Ok(caller.ok(view.collect()));
    }
    let view = search_fields(kind).iter().map(|field| ConditionView {
        condition: caller.app.messages.get(caller.lang, field.label).to_owned(),
        field: field.field.to_owned(),
        value: if field.field.is_empty() { "0" } else { field.field }.to_owned(),
    });
    Ok(caller.ok(view.collect()))
}

/// The assistant of a site.
#[derive(Serialize, ToSchema)]
pub struct AssistantView {
    /// Code of the application, or "" if the site has no external application.
    code: String,
    /// Name in the caller's language.
    name: String,
}

/// The site has an assistant if and only if one of its plugins implements the `assistant` hook. The plugin's settings
/// name it; the site's configuration is the fallback.
fn assistant(caller: &Caller) -> Option<AssistantView> {
    let entry = caller.entry();
    let plugin = entry.chain.with_hook(Hook::Assistant).into_iter().next()?;
    let settings = entry.site.plugins.iter().find(|used| used.id == plugin).map(|used| &used.settings);
    let text = |key: &str| settings.and_then(|settings| settings.get(key)?.as_str()).unwrap_or_default();
    let titles = settings.and_then(|settings| settings.get("title")).cloned().unwrap_or_default();
    let titles: LocalText = serde_json::from_value(titles).unwrap_or_default();
    let names = [titles.get(caller.lang), entry.site.ai.name.get(caller.lang)];
    let name = names.into_iter().find(|name| !name.is_empty());
    let code = text("appCode");
    Some(AssistantView {
        code: if code.is_empty() { entry.site.ai.code.clone() } else { code.to_owned() },
        name: name.unwrap_or_else(|| caller.app.messages.get(caller.lang, "assistant")).to_owned(),
    })
}

/// Returns the assistant's configuration; `data` is null if the site has none.
#[utoipa::path(get, path = "/rc-pub/front/aiqa/getAiqaConfig", tag = "site", operation_id = "aiqaConfig",
    responses((status = 200, body = Envelope<Option<AssistantView>>)))]
pub async fn aiqa_config(caller: Caller) -> Json<Envelope<AssistantView>> {
    Json(Envelope { status: 0, data: assistant(&caller), message: String::new() })
}

/// Returns the assistant's name; `data` is null if the site has none.
#[utoipa::path(get, path = "/rc-pub/front/aiqa/getAppInfo", tag = "site", operation_id = "aiqaAppInfo",
    responses((status = 200, body = Envelope<Option<AssistantView>>)))]
pub async fn aiqa_app(caller: Caller) -> Json<Envelope<AssistantView>> {
    Json(Envelope { status: 0, data: assistant(&caller), message: String::new() })
}

/// The routes of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(publication_config))
        .routes(routes!(aggregated_config))
        .routes(routes!(functional_control))
        .routes(routes!(common_codes))
        .routes(routes!(search_conditions))
        .routes(routes!(aiqa_config))
        .routes(routes!(aiqa_app))
}
