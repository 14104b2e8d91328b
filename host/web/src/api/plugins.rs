//! Calls that plugins implement: translation, the assistant, resource counts.

use std::time::Duration;

use axum::{Json, body::Bytes, extract::RawQuery, http::StatusCode};
use masthead_domain::{Lang, resource::ResourceKind};
use masthead_runtime::{
    FirstAnswer,
    hook_types::{AssistantRequest, Translation, TranslationFailure, TranslationRequest},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::{
    envelope::{ApiError, Caller},
    types::Envelope,
};
use crate::{app::rate_limits::Action, failure::Failure, sites::TRANSLATION_TARGETS};

/// Greatest length of a text to translate, in characters.
const MAX_TEXT: usize = 8000;
/// Error code for every failure other than 52003.
const TIMED_OUT: &str = "52001";

/// A text to translate (specification section 7).
#[derive(Deserialize, ToSchema)]
pub struct TranslateRequest {
    /// Language of the text by the specification's code, or `auto`.
    #[serde(default = "auto")]
    from: String,
    /// Language to translate into: zh, en, ru, ara, fra, spa or de.
    to: String,
    /// A time stamp; ignored.
    #[serde(default)]
    #[allow(dead_code, reason = "part of the specification's call")]
    salt: serde_json::Value,
    /// The text, at most 8,000 characters.
    q: String,
}

fn auto() -> String {
    "auto".to_owned()
}

/// A translation, or the error code of its failure, under the names of the specification (section 7), which are not in
/// camel case.
#[derive(Serialize, ToSchema)]
pub struct TranslateAnswer {
    /// Detected language of the text; "" for a failure.
    from: String,
    /// The text and its translation; absent for a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    trans_result: Option<Vec<TranslatedText>>,
    /// Code of the failure: 52003 = unauthorized user, anything else = the request timed out; absent for a success.
    #[serde(skip_serializing_if = "Option::is_none")]
    error_code: Option<String>,
}

/// A text and its translation.
#[derive(Serialize, ToSchema)]
pub struct TranslatedText {
    /// The text.
    src: String,
    /// Its translation.
    dst: String,
}

/// Translates the text of a section by machine.
#[utoipa::path(post, path = "/rc-pub/front/front-article/translate/getAiTranslateResult", tag = "article",
    request_body = TranslateRequest, responses((status = 200, body = Envelope<TranslateAnswer>)))]
pub async fn translate(caller: Caller, body: Bytes) -> Result<Json<Envelope<TranslateAnswer>>, ApiError> {
    let body: TranslateRequest = caller.json(&body)?;
    let target = body.to.parse::<Lang>().ok().filter(|lang| TRANSLATION_TARGETS.contains(lang));
    let Some(target) = target.filter(|_| body.q.chars().count() <= MAX_TEXT && body.from.len() <= 8) else {
        return Err(caller.fail(StatusCode::BAD_REQUEST, "bad_request"));
    };
    caller.take(Action::Translation)?;
    let request = TranslationRequest { text: body.q.clone(), source: body.from, target: target.code().to_owned() };
    let failure = |code: &str, failure: Failure| {
        let data = TranslateAnswer { from: String::new(), trans_result: None, error_code: Some(code.to_owned()) };
        let message = caller.app.messages.get(caller.lang, failure.key()).to_owned();
        Ok(Json(Envelope { status: 0, data: Some(data), message }))
    };
    match caller.plugin_call_within("translate", Duration::from_secs(9)).translate(request).await {
        FirstAnswer::Answered(Translation { text, source }) => Ok(caller.ok(TranslateAnswer {
            from: source,
            trans_result: Some(vec![TranslatedText { src: body.q, dst: text }]),
            error_code: None,
        })),
        FirstAnswer::Refused(TranslationFailure::Unauthorized) => {
            let failed = Failure::TranslationUnauthorized;
            failure(&failed.code().to_string(), failed)
        }
        FirstAnswer::Refused(_) | FirstAnswer::Failed => failure(TIMED_OUT, Failure::TimedOut),
        FirstAnswer::NoPlugin => Err(caller.fail(StatusCode::NOT_FOUND, "translation_off")),
    }
}

/// Parameters with which the assistant is opened.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecureRequest {
    /// An initial question, or "".
    #[serde(default)]
    query: String,
    /// A text to which the question refers, or "".
    #[serde(default)]
    content: String,
}

/// Returns the token for the address of the assistant's frame.
#[utoipa::path(post, path = "/rc-pub/front/front-article/aiqa/verify/generateSecureParams", tag = "site",
    request_body = SecureRequest, responses((status = 200, body = Envelope<String>)))]
pub async fn secure_parameters(caller: Caller, body: Bytes) -> Result<Json<Envelope<String>>, ApiError> {
    let body: SecureRequest = caller.json(&body)?;
    if body.query.len() > 4096 || body.content.len() > 64 << 10 {
        return Err(caller.fail(StatusCode::BAD_REQUEST, "bad_request"));
    }
    caller.take(Action::Assistant)?;
    let host = caller.host.origin.split("://").nth(1).unwrap_or_default().to_owned();
    let signed_in = caller.user().await?.is_some();
    let request = AssistantRequest { host, query: body.query, content: body.content, signed_in };
    match caller.plugin_call_within("assistant", Duration::from_secs(4)).secure_parameters(request).await {
        FirstAnswer::Answered(token) => Ok(caller.ok(token)),
        FirstAnswer::NoPlugin => Err(caller.fail(StatusCode::NOT_FOUND, "assistant_failed")),
        FirstAnswer::Refused(_) | FirstAnswer::Failed => Err(caller.fail(StatusCode::BAD_GATEWAY, "assistant_failed")),
    }
}

/// Numbers of a site's resources.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResourceCounts {
    /// Journals.
    publication_counts: i64,
    /// Articles.
    article_counts: i64,
    /// Books.
    book_counts: i64,
    /// Albums.
    album_counts: i64,
    /// Figures and tables of articles.
    pic_and_table_counts: i64,
    /// The parameters of the request after the `statistics.parameters` hook of the site's plugins.
    parameters: Vec<(String, String)>,
}

/// Returns the numbers of a site's resources.
#[utoipa::path(get, path = "/rc-pub/front/resource-statistics/getResourceCountsStatistic", tag = "site",
    responses((status = 200, body = Envelope<ResourceCounts>)))]
pub async fn resource_counts(
    caller: Caller,
    RawQuery(query): RawQuery,
) -> Result<Json<Envelope<ResourceCounts>>, ApiError> {
    let query = query.unwrap_or_default();
    let given = url::form_urlencoded::parse(query.as_bytes()).into_owned();
    // Every GET request of the specification's client has a time stamp, which must not influence the response.
    let given = given.filter(|(name, _)| name != "timestamps").take(16).collect();
    let parameters = caller.plugin_call("statistics").statistics_parameters(given).await;
    let store = caller.store();
    let count = async |kind| store.resource_count(kind, "").await.map_err(caller.store_failed());
    let journals = store.shown_journals().await.map_err(caller.store_failed())?;
    Ok(caller.ok(ResourceCounts {
        publication_counts: i64::try_from(journals.len()).unwrap_or(i64::MAX),
        article_counts: store.article_count().await.map_err(caller.store_failed())?,
        book_counts: count(ResourceKind::Book).await?,
        album_counts: count(ResourceKind::Album).await?,
        pic_and_table_counts: count(ResourceKind::Picture).await? + count(ResourceKind::Table).await?,
        parameters,
    }))
}
