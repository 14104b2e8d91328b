//! Names of the specification's states and roles, as readers see them (section 4).

use std::sync::Arc;

use axum::Json;
use masthead_domain::Lang;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::api::{envelope::Caller, types::Envelope};
use crate::{
    app::App,
    i18n::{Messages, first_status_key},
    routing::routes,
};

/// Name of the proofing state of an article; "" if it has none.
#[must_use]
pub fn first_status(messages: &Messages, lang: Lang, status: i32) -> String {
    first_status_key(status).map_or_else(String::new, |key| messages.get(lang, key).to_owned())
}

/// Name of the publication type: 0 formal, 1 online first; "" for other values.
#[must_use]
pub fn publish_type(messages: &Messages, lang: Lang, kind: i32) -> String {
    one_of(messages, lang, kind, ["publish_formal", "publish_online_first"])
}

/// Name of the access type: 0 open access, 1 otherwise; "" for other values.
#[must_use]
pub fn access_type(messages: &Messages, lang: Lang, kind: i32) -> String {
    one_of(messages, lang, kind, ["open_access", "access_restricted"])
}

/// Name of the match type of a search: 0 fuzzy, 1 precise; "" for other values.
#[must_use]
pub fn match_type(messages: &Messages, lang: Lang, kind: i32) -> String {
    one_of(messages, lang, kind, ["match_fuzzy", "match_precise"])
}

fn one_of(messages: &Messages, lang: Lang, value: i32, keys: [&str; 2]) -> String {
    let key = usize::try_from(value).ok().and_then(|index| keys.get(index).copied());
    key.map_or_else(String::new, |key| messages.get(lang, key).to_owned())
}

/// A value with its name in the reader's language.
#[derive(Serialize, ToSchema)]
pub struct Label {
    /// The value.
    value: i32,
    /// The name, or "" if nothing is shown.
    label: String,
}

/// The states of articles and searches, with their names in the reader's language.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatusLabels {
    /// `firstStatus` from -1 to 10; any other value has the name of `correctedProof`.
    first_status: Vec<Label>,
    /// Name of every other `firstStatus`.
    corrected_proof: String,
    /// Publish type: 0 formal, 1 online first.
    publish_type: Vec<Label>,
    /// Access: 0 open access, 1 not open access.
    access_type: Vec<Label>,
    /// Match type: 0 fuzzy, 1 precise.
    match_type: Vec<Label>,
}

/// Returns the names of states in the reader's language.
#[utoipa::path(get, path = "/rc-pub/front/commonResource/getStatusLabels", tag = "site", operation_id = "statusLabels",
    responses((status = 200, body = Envelope<StatusLabels>)))]
pub async fn status_labels(caller: Caller) -> Json<Envelope<StatusLabels>> {
    let (messages, lang) = (&caller.app.messages, caller.lang);
    type Name = fn(&Messages, Lang, i32) -> String;
    let all = |values: std::ops::RangeInclusive<i32>, name: Name| {
        values.map(|value| Label { value, label: name(messages, lang, value) }).collect()
    };
    caller.ok(StatusLabels {
        first_status: all(-1..=10, first_status),
        corrected_proof: first_status(messages, lang, i32::MAX),
        publish_type: all(0..=1, publish_type),
        access_type: all(0..=1, access_type),
        match_type: all(0..=1, match_type),
    })
}

/// The routes of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(status_labels))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn proofing_states_have_the_names_of_the_specification() {
        let messages = Messages::load().unwrap();
        let label = |lang, status| first_status(&messages, lang, status);
        assert_eq!((label(Lang::En, -1), label(Lang::Zh, -1)), ("Accept".to_owned(), "最新录用".to_owned()));
        assert_eq!((label(Lang::En, 0), label(Lang::Zh, 0)), (String::new(), String::new()));
        assert_eq!(label(Lang::En, 3), "Corrected Proof");
        assert_eq!(label(Lang::En, 11), "Corrected Proof");
        let chinese: std::collections::BTreeSet<_> = (1..=10).map(|status| label(Lang::Zh, status)).collect();
        assert_eq!(chinese.len(), 10, "each of the ten priorities has a name of its own");
        assert!(publish_type(&messages, Lang::En, 2).is_empty() && access_type(&messages, Lang::En, -1).is_empty());
    }
}
