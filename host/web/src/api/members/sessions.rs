//! The sessions of a member, as the member sees and ends them.

use axum::{Json, extract::Query};
use masthead_store::MemberSession;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::{envelope::ApiError, signed_in::SignedIn, types::Envelope};
use crate::failure::Failure;

/// A session of the member.
#[derive(Serialize, ToSchema)]
pub struct OwnSession {
    /// Its number. It is no secret, and no token.
    id: i64,
    /// When it began, ISO 8601 in the time zone of the site.
    created: String,
    /// When it was last used, within a minute, ISO 8601 in the time zone of the site.
    used: String,
    /// Browser and system, or "".
    client: String,
    /// How the member signed in: `password`, `code`, `passkey`, `registration`, or the name of an identity provider.
    method: String,
    /// Whether it is the session of this call.
    current: bool,
}

/// Returns the sessions of the member that have not ended, latest use first.
#[utoipa::path(get, operation_id = "memberSessions", path = "/rc-pub/api/sessions", tag = "member",
    responses((status = 200, body = Envelope<Vec<OwnSession>>), (status = 401, body = Envelope<serde_json::Value>)))]
pub async fn list(signed_in: SignedIn) -> Result<Json<Envelope<Vec<OwnSession>>>, ApiError> {
    let caller = &signed_in.caller;
    let sessions = caller.app.sessions(&caller.scope, &caller.host);
    let listed = sessions.stored().of_member(&signed_in.store()).await.map_err(caller.store_failed())?;
    let own = signed_in.session().of.session.id;
    let date = |at| caller.instant(at);
    let view = |session: MemberSession| OwnSession {
        id: session.id,
        created: date(session.created),
        used: date(session.used),
        client: session.client,
        method: session.method,
        current: session.id == own,
    };
    Ok(caller.ok(listed.into_iter().map(view).collect()))
}

/// Query of the sessions to end.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Ended {
    /// Number of the session; without it all sessions end but that of this call.
    id: Option<i64>,
}

/// Ends a session of the member, or all others.
#[utoipa::path(delete, path = "/rc-pub/api/sessions", tag = "member", params(Ended),
    responses((status = 200, body = Envelope<bool>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn end(signed_in: SignedIn, Query(query): Query<Ended>) -> Result<Json<Envelope<bool>>, ApiError> {
    let caller = &signed_in.caller;
    let mine = signed_in.store();
    match query.id {
        Some(id) => {
            let ended = mine.end_session(id).await.map_err(caller.store_failed())?;
            if !ended {
                return Err(caller.failed(Failure::NoData));
            }
        }
        None => {
            let own = signed_in.session().of.session.id;
            mine.end_sessions_but(Some(own)).await.map_err(caller.store_failed())?;
        }
    }
    Ok(caller.ok(true))
}
