//! Calls of readers' accounts: sign-in, the personal centre, subscriptions and uploads (specification section 7, member, personal albums,
//! files). A file for each topic has the calls with their parameters and answers; `masthead_accounts` decides.

mod account;
mod albums;
mod captcha;
mod codes;
mod confirmation;
mod export;
mod favourites;
pub mod fields;
mod form_data;
mod history;
mod identities;
mod items;
mod keys;
mod passkeys;
mod password;
mod personal;
mod profile;
pub mod refusals;
mod registration;
mod searches;
mod sessions;
mod sign_in;
mod subscriptions;
mod unsubscribe;
mod uploads;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;

use super::envelope::{ApiError, Caller};
use crate::{app::App, failure::Failure, routing::routes};

/// The routes of all topics.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .merge(sign_in_calls())
        .merge(identity_calls())
        .merge(personal_calls())
        .merge(subscription_calls())
}

/// The routes of the personal centre.
fn personal_calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .merge(profile::calls())
        .merge(favourites::calls())
        .merge(history::calls())
        .merge(searches::calls())
        .merge(albums::calls())
        .merge(uploads::calls())
        .merge(export::calls())
        .merge(account::calls())
}

/// The routes of sign-in, registration, codes and credentials.
fn sign_in_calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(captcha::captcha))
        .routes(routes!(captcha::picture))
        .routes(routes!(codes::send))
        .routes(routes!(keys::public_key))
        .routes(routes!(keys::session_key))
        .routes(routes!(password::reset))
        .routes(routes!(password::change))
        .routes(routes!(password::change_mobile))
        .routes(routes!(registration::register))
        .routes(routes!(registration::is_registered))
        .routes(routes!(sessions::list, sessions::end))
        .routes(routes!(sign_in::login))
        .routes(routes!(sign_in::login_by_message))
        .routes(routes!(sign_in::logout))
}

/// The routes of subscriptions.
fn subscription_calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(subscriptions::subscribe))
        .routes(routes!(subscriptions::is_subscribed))
        .routes(routes!(subscriptions::subscriptions))
        .routes(routes!(subscriptions::end))
        .routes(routes!(unsubscribe::ask, unsubscribe::confirm))
}

/// The routes of identity providers and passkeys.
fn identity_calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(identities::address))
        .routes(routes!(identities::sign_in))
        .routes(routes!(identities::bind))
        .routes(routes!(identities::list, identities::remove))
        .routes(routes!(passkeys::begin_registration))
        .routes(routes!(passkeys::finish_registration))
        .routes(routes!(passkeys::begin_sign_in))
        .routes(routes!(passkeys::finish_sign_in))
        .routes(routes!(passkeys::list, passkeys::remove))
}

/// Whether the site has accounts.
///
/// # Errors
/// [`Failure::AccountsOff`].
fn open(caller: &Caller) -> Result<(), ApiError> {
    if caller.entry().site.accounts.enabled { Ok(()) } else { Err(caller.failed(Failure::AccountsOff)) }
}
