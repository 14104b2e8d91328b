//! The member on whose behalf a call is made. A call that takes a [`SignedIn`] reaches no data but this member's.

use std::sync::Arc;

use axum::{
    Json,
    extract::FromRequestParts,
    http::{HeaderValue, header, request::Parts},
    response::{IntoResponse, Response},
};
use masthead_accounts::sessions::Current;
use masthead_domain::member::MemberId;
use masthead_store::MemberStore;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::{
    envelope::{ApiError, Caller},
    types::Envelope,
};
use crate::{app::App, auth::session::StartedSession, failure::Failure};

/// A call of a signed-in member. Without a session the call answers 401 with the message that asks to sign in.
pub struct SignedIn {
    /// The call: site, language, messages, failures.
    pub caller: Caller,
    current: Current,
}

impl SignedIn {
    /// The member.
    #[must_use]
    pub const fn member(&self) -> MemberId {
        self.current.of.member
    }

    /// The store of the member's data on this site.
    #[must_use]
    pub fn store(&self) -> MemberStore {
        self.caller.store().of_member(self.member())
    }

    /// The session.
    #[must_use]
    pub const fn session(&self) -> &Current {
        &self.current
    }
}

impl FromRequestParts<Arc<App>> for SignedIn {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let caller = Caller::from_request_parts(parts, app).await?;
        if !caller.entry().site.accounts.enabled {
            return Err(caller.failed(Failure::AccountsOff));
        }
        let current = caller.app.sessions(&caller.scope, &caller.host).current(&caller.headers).await;
        // While the database does not answer, no reader is asked to sign in again.
        let current = current.map_err(caller.store_failed())?;
        match current {
            Some(current) => Ok(Self { caller, current }),
            None => Err(caller.failed(Failure::SignInNeeded)),
        }
    }
}

/// A session that has begun.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberSession {
    /// The name to show, with its four characters before the last four masked.
    user_name: String,
    /// The token, for the header `token` of clients that keep no cookies.
    token: String,
    /// When the session ends, however it is used, ISO 8601 in the time zone of the site.
    expires: String,
}

/// The answer of a call that begins a session: its data, and the cookies.
pub struct SessionAnswer {
    view: MemberSession,
    cookies: Vec<String>,
    message: String,
}

impl SessionAnswer {
    /// The answer with a message of the catalogue.
    #[must_use]
    pub fn new(caller: &Caller, begun: StartedSession, message: &str) -> Self {
        let expires = caller.instant(begun.token.expires);
        Self {
            view: MemberSession { user_name: begun.user_name, token: begun.token.text, expires },
            cookies: begun.cookies,
            message: caller.app.messages.get(caller.lang, message).to_owned(),
        }
    }

    /// The same with more cookies, such as those that remove a pending sign-in.
    #[must_use]
    pub fn with(mut self, cookies: impl IntoIterator<Item = String>) -> Self {
        self.cookies.extend(cookies);
        self
    }
}

impl IntoResponse for SessionAnswer {
    fn into_response(self) -> Response {
        let body = Envelope { status: 0, data: Some(self.view), message: self.message };
        with_cookies(Json(body).into_response(), self.cookies)
    }
}

/// Begins a session of a member who was authenticated by `method`, and ends the one of the request. `message` is a key of the catalogue.
///
/// # Errors
/// [`Failure::AccountClosed`] if the account is closed; [`Failure::Unavailable`] or [`Failure::Inside`] if it was not stored.
pub async fn begin(caller: &Caller, member: MemberId, method: &str, message: &str) -> Result<SessionAnswer, ApiError> {
    let sessions = caller.app.sessions(&caller.scope, &caller.host);
    let begun = sessions.begin(member, method, &caller.visitor.agent, &caller.headers).await;
    let begun = begun.map_err(caller.store_failed())?;
    tracing::info!(site = %caller.entry().site.id, %member, method, begun = begun.is_some(), "a member signs in");
    begun.map(|begun| SessionAnswer::new(caller, begun, message)).ok_or_else(|| caller.failed(Failure::AccountClosed))
}

/// Adds cookies to a response, which is kept nowhere.
pub fn with_cookies(mut response: Response, cookies: impl IntoIterator<Item = String>) -> Response {
    let headers = response.headers_mut();
    for cookie in cookies.into_iter().filter_map(|cookie| HeaderValue::try_from(cookie).ok()) {
        headers.append(header::SET_COOKIE, cookie);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
