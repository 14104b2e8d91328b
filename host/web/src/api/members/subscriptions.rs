//! Subscriptions of e-mail addresses: new issues, online first, keywords, columns. An address is subscribed with a code that was sent to
//! it, so that no reader can subscribe another one; the list is that of the signed-in member.

use axum::{Json, body::Bytes, extract::Query, http::StatusCode};
use masthead_accounts::{
    alerts::{Columns, keywords},
    outbox::Recipient,
};
use masthead_domain::member::{Channel, CodePurpose, MemberName, SubscriptionType};
use masthead_store::{NewSubscription, Saving, Subscription};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::open;
use crate::api::{
    envelope::{ApiError, Caller, storable},
    signed_in::SignedIn,
    types::Envelope,
};
use crate::{app::rate_limits::Action, failure::Failure};

/// Greatest number of subscriptions of one address on a site.
const MOST: i64 = 50;
/// Longest list of keywords, in characters.
const MAX_KEYWORD_LIST: usize = 1_000;
/// Longest key of a column, in bytes.
const MAX_COLUMN: usize = 300;

/// A subscription to be made.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubscriptionRequest {
    /// The e-mail address.
    #[serde(default)]
    email: String,
    /// The verification code that was sent to it (`sendReceiverMessage` with the purpose `subscribe`).
    #[serde(default)]
    code: String,
    /// `current`, `onlineFirst`, `keywords` or `column`.
    #[serde(rename = "type", default)]
    kind: String,
    /// Keywords, separated by semicolons.
    #[serde(default)]
    keywords: String,
    /// Key of the column (`getColumnTree`).
    #[serde(default)]
    column_id: String,
}

/// A subscription that was made.
#[derive(Serialize, ToSchema)]
pub struct Subscribed {
    /// Its number.
    id: i64,
}

/// Subscribes an e-mail address to alerts. Whoever has subscribed keeps the subscription with its number.
#[utoipa::path(post, path = "/rc-pub/front/frontMembers/subscribe", tag = "member", operation_id = "subscribe",
    request_body = SubscriptionRequest,
    responses((status = 200, body = Envelope<Subscribed>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 409, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn subscribe(caller: Caller, body: Bytes) -> Result<Json<Envelope<Subscribed>>, ApiError> {
    open(&caller)?;
    let asked: SubscriptionRequest = caller.json(&body)?;
    caller.take(Action::CodeCheck)?;
    let bad = |key: &str| caller.fail(StatusCode::BAD_REQUEST, key);
    if asked.email.trim().is_empty() {
        return Err(bad("email_needed"));
    }
    let email = MemberName::email(&asked.email).map_err(|_| bad("email_format"))?;
    Recipient::of(&email).map_err(|_| bad("email_format"))?;
    if asked.code.trim().is_empty() {
        return Err(bad("code_needed"));
    }
    let kind = SubscriptionType::parse(&asked.kind).ok_or_else(|| caller.failed(Failure::NotUnderstood))?;
    let (words, column) = subject(&caller, &asked, kind).await?;
    if !caller.app.sends(caller.entry(), Channel::Mail) {
        return Err(caller.fail(StatusCode::NOT_FOUND, "message_unavailable"));
    }
    let (store, now) = (caller.store(), caller.app.counting.now());
    let member = caller.user().await?.map(|user| user.member);
    // Last, so that a request that is refused for another reason does not spend the code.
    let right = caller.codes(&store).spend(CodePurpose::Subscribe, &email, &asked.code).await;
    if !right.map_err(caller.store_failed())? {
        return Err(bad("code_wrong"));
    }
    let new = NewSubscription { member, email: &email, kind, keywords: &words, column: &column, lang: caller.lang };
    match store.subscribe(&new, MOST, now).await.map_err(caller.store_failed())? {
        Saving::Saved(id) => Ok(done(&caller, Subscribed { id }, "subscribe_success")),
        Saving::Full | Saving::Missing => Err(caller.fail(StatusCode::CONFLICT, "subscribe_full")),
    }
}

/// Keywords in one form, and the key of the column; "" for one that the type does not have.
async fn subject(
    caller: &Caller,
    asked: &SubscriptionRequest,
    kind: SubscriptionType,
) -> Result<(String, String), ApiError> {
    let none = String::new();
    match kind {
        SubscriptionType::Current | SubscriptionType::OnlineFirst => Ok((none.clone(), none)),
        SubscriptionType::Keywords => {
            let fits = asked.keywords.chars().count() <= MAX_KEYWORD_LIST;
            let list = storable(&asked.keywords).filter(|_| fits).map(keywords).unwrap_or_default();
            let missing = || caller.fail(StatusCode::BAD_REQUEST, "keywords_needed");
            if list.is_empty() { Err(missing()) } else { Ok((list.join(";"), none)) }
        }
        SubscriptionType::Column => {
            let key = storable(&asked.column_id).filter(|key| !key.is_empty() && key.len() <= MAX_COLUMN);
            let known = match key {
                Some(key) => Columns::new(caller.store()).known(key).await.map_err(caller.store_failed())?,
                None => None,
            };
            let known = known.ok_or_else(|| caller.fail(StatusCode::BAD_REQUEST, "column_unknown"))?;
            Ok((none, known))
        }
    }
}

/// The subject of a subscription.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct About {
    /// `current`, `onlineFirst`, `keywords` or `column`.
    #[serde(rename = "type")]
    kind: String,
    /// Key of the column.
    #[serde(default)]
    column_id: String,
}

/// Whether the member has subscribed.
#[utoipa::path(get, path = "/rc-pub/front/frontMembers/isSubscribe", tag = "member", operation_id = "isSubscribed", params(About),
    responses((status = 200, body = Envelope<bool>), (status = 401, body = Envelope<serde_json::Value>)))]
pub async fn is_subscribed(signed: SignedIn, Query(about): Query<About>) -> Result<Json<Envelope<bool>>, ApiError> {
    let caller = &signed.caller;
    let understood = SubscriptionType::parse(&about.kind).zip(storable(&about.column_id));
    let Some((kind, key)) = understood else { return Err(caller.failed(Failure::NotUnderstood)) };
    let column = match kind {
        SubscriptionType::Column => Columns::new(caller.store()).known(key).await.map_err(caller.store_failed())?,
        _ => Some(String::new()),
    };
    let Some(column) = column else { return Ok(caller.ok(false)) };
    Ok(caller.ok(signed.store().is_subscribed(kind, &column).await.map_err(caller.store_failed())?))
}

/// A subscription of the member, or of the member's address.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubscriptionView {
    /// Its number.
    id: i64,
    /// The e-mail address.
    email: String,
    /// `current`, `onlineFirst`, `keywords` or `column`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Keywords, separated by semicolons; "" for the other types.
    keywords: String,
    /// Key of the column; "" for the other types.
    column_id: String,
    /// Name of the column in the caller's language; "" for the other types.
    column: String,
    /// When it began, ISO 8601 in the time zone of the site.
    since: String,
}

/// Returns the subscriptions of the member and of the member's address.
#[utoipa::path(get, path = "/rc-pub/front/frontMembers/subscribeList", tag = "member", operation_id = "subscriptions",
    responses((status = 200, body = Envelope<Vec<SubscriptionView>>), (status = 401, body = Envelope<serde_json::Value>)))]
pub async fn subscriptions(signed: SignedIn) -> Result<Json<Envelope<Vec<SubscriptionView>>>, ApiError> {
    let caller = &signed.caller;
    let (mut views, mut columns) = (Vec::new(), Columns::new(caller.store()));
    for subscription in signed.store().subscriptions().await.map_err(caller.store_failed())? {
        let Subscription { id, email, kind, keywords, column, since } = subscription;
        let name = match kind {
            SubscriptionType::Column => {
                let name = columns.name(&column, caller.lang).await.map_err(caller.store_failed())?;
                name.unwrap_or_else(|| column.clone())
            }
            _ => String::new(),
        };
        let since = caller.instant(since);
        views.push(SubscriptionView {
            id,
            email,
            kind: kind.as_str(),
            keywords,
            column_id: column,
            column: name,
            since,
        });
    }
    Ok(caller.ok(views))
}

/// A subscription by its number.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Numbered {
    /// The number.
    id: i64,
}

/// Ends a subscription of the member.
#[utoipa::path(delete, path = "/rc-pub/front/frontMembers/unSubscribe", tag = "member", operation_id = "endSubscription",
    params(Numbered), responses((status = 200, body = Envelope<bool>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn end(signed: SignedIn, Query(query): Query<Numbered>) -> Result<Json<Envelope<bool>>, ApiError> {
    let caller = &signed.caller;
    // The number of another member's subscription is answered like one that does not exist.
    if signed.store().end_subscription(query.id).await.map_err(caller.store_failed())? {
        Ok(done(caller, true, "unsubscribe_success"))
    } else {
        Err(caller.failed(Failure::NoData))
    }
}

fn done<T>(caller: &Caller, data: T, key: &str) -> Json<Envelope<T>> {
    let message = caller.app.messages.get(caller.lang, key).to_owned();
    Json(Envelope { status: 0, data: Some(data), message })
}
