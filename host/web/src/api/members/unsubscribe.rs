//! The page behind the link in every alert: a button that ends the subscription, or the alerts of a saved search. Mail programs send the
//! request of the button themselves (RFC 8058). Opening the page changes nothing, because programs that check links open it too.

use axum::{extract::Query, http::StatusCode, response::Response};
use masthead_accounts::outbox::UnsubscribeTarget;
use masthead_domain::{Lang, route::Route};
use masthead_store::{AlertSearch, SearchText, StoreError};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{
    api::{
        envelope::{ApiError, Caller},
        types::Envelope,
    },
    i18n::Texts,
    page::{
        content::{self, Unsubscribing},
        pipeline::error_page,
    },
    sites::addresses::Addresses,
};

/// Query of the page.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Signed {
    /// The token in the link.
    #[serde(default)]
    t: String,
}

/// Shows the page with the button.
#[utoipa::path(get, path = "/rc-pub/front/frontMembers/unsubscribe", tag = "member", operation_id = "unsubscribePage", params(Signed),
    responses((status = 200, description = "The page", body = String, content_type = "text/html"),
        (status = 404, description = "The link is not valid, or the site is unknown",
            content((String = "text/html"), (Envelope<serde_json::Value> = "application/json")))))]
pub async fn ask(caller: Caller, Query(signed): Query<Signed>) -> Result<Response, ApiError> {
    let Some(ends) = read(&caller, &signed) else { return Ok(invalid(&caller)) };
    Ok(match followed(&caller, ends).await.map_err(caller.store_failed())? {
        Some(lang) => page(&caller, lang, Unsubscribing::Asked),
        None => page(&caller, caller.lang, Unsubscribing::Done),
    })
}

/// Unsubscribes, by the button of the page or by a mail program. A second request has the same answer.
#[utoipa::path(post, path = "/rc-pub/front/frontMembers/unsubscribe", tag = "member", operation_id = "unsubscribe", params(Signed),
    responses((status = 200, description = "Unsubscribed", body = String, content_type = "text/html"),
        (status = 404, description = "The link is not valid, or the site is unknown",
            content((String = "text/html"), (Envelope<serde_json::Value> = "application/json")))))]
pub async fn confirm(caller: Caller, Query(signed): Query<Signed>) -> Result<Response, ApiError> {
    let Some(ends) = read(&caller, &signed) else { return Ok(invalid(&caller)) };
    let lang = followed(&caller, ends).await.map_err(caller.store_failed())?.unwrap_or(caller.lang);
    end(&caller, ends).await.map_err(caller.store_failed())?;
    Ok(page(&caller, lang, Unsubscribing::Done))
}

fn read(caller: &Caller, signed: &Signed) -> Option<UnsubscribeTarget> {
    UnsubscribeTarget::read(&signed.t, &caller.app.installation, caller.entry().site.id)
}

/// The language of the subscription; `None` if it has ended.
async fn followed(caller: &Caller, ends: UnsubscribeTarget) -> Result<Option<Lang>, StoreError> {
    let lang = match ends {
        UnsubscribeTarget::Subscription(id) => caller.store().subscription(id).await?.map(|found| found.lang),
        UnsubscribeTarget::SearchAlerts(id) => search(caller, id).await?.map(|found| found.lang),
    };
    Ok(lang.map(|lang| caller.entry().lang_or_default(Some(lang))))
}

async fn end(caller: &Caller, ends: UnsubscribeTarget) -> Result<(), StoreError> {
    match ends {
        UnsubscribeTarget::Subscription(id) => {
            caller.store().unsubscribe(id).await?;
        }
        UnsubscribeTarget::SearchAlerts(id) => {
            if let Some(found) = search(caller, id).await? {
                let text = SearchText { name: found.name, address: found.address, alert: false };
                caller.store().of_member(found.member).set_search(id, &text).await?;
            }
        }
    }
    Ok(())
}

/// A saved search with alerts, by its number.
async fn search(caller: &Caller, id: i64) -> Result<Option<AlertSearch>, StoreError> {
    let next = caller.store().alert_searches(id.saturating_sub(1), 1).await?;
    Ok(next.into_iter().next().filter(|search| search.id == id))
}

fn page(caller: &Caller, lang: Lang, state: Unsubscribing) -> Response {
    let texts = Texts::new(&caller.app.messages, lang);
    let addresses = Addresses { base: caller.scope.base.clone(), lang };
    let home = addresses.route(&Route::Home);
    let site = caller.entry().site.name.get(lang);
    let css = &caller.app.ui.load().css;
    error_page::html(StatusCode::OK, content::unsubscribe(&texts, css, (site, &home), state).into_string())
}

fn invalid(caller: &Caller) -> Response {
    let texts = Texts::new(&caller.app.messages, caller.lang);
    let home = caller.addresses().route(&Route::Home);
    let status = StatusCode::NOT_FOUND;
    let message = caller.app.messages.get(caller.lang, "unsubscribe_invalid");
    let css = &caller.app.ui.load().css;
    error_page::html(status, content::lookup_failure(&texts, css, status.as_u16(), message, Some(&home)).into_string())
}
