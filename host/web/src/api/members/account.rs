//! Erasure of a member's account.

use std::sync::Arc;

use axum::{
    body::Bytes,
    response::{IntoResponse as _, Response},
};
use masthead_accounts::{erasure::ErasureProof, keys::SecretText};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::{
    personal::done,
    refusals::{in_session, opened_or_none},
};
use crate::{
    api::{
        envelope::ApiError,
        signed_in::{SignedIn, with_cookies},
        types::Envelope,
    },
    app::{App, rate_limits::Action},
    routing::routes,
};

/// How the member shows to be the one who signed in.
#[derive(Deserialize, ToSchema)]
pub struct ErasureDraft {
    /// The password, plain or encrypted; not from a member who has none and signed in within the last quarter of an hour.
    #[schema(value_type = Option<String>)]
    password: Option<SecretText>,
    /// In place of it, a code for the purpose `erase` that was sent to the member's number or address.
    #[serde(default)]
    code: String,
}

/// Erases the account with everything in it, ends all its sessions, and tells its address.
#[utoipa::path(delete, path = "/rc-pub/front/frontMembers/account", tag = "member", operation_id = "eraseMember",
    request_body(content = ErasureDraft, content_type = "application/json"),
    responses((status = 200, body = Envelope<bool>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn erase(by: SignedIn, body: Bytes) -> Result<Response, ApiError> {
    let caller = &by.caller;
    caller.take(Action::Password)?;
    let draft: ErasureDraft = caller.json(&body)?;
    let password = opened_or_none(caller, draft.password, Some(&by.session().digest))?;
    let proof = ErasureProof { password: &password, code: draft.code.trim() };
    let store = caller.store();
    in_session(caller, caller.accounts(&store).erase(by.session(), proof).await).await?;
    // The sessions are gone with the account.
    let cookies = caller.app.sessions(&caller.scope, &caller.host).removed();
    Ok(with_cookies(done(&by, "account_erased").into_response(), cookies))
}

/// The routes of this file.
pub(super) fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(erase))
}
