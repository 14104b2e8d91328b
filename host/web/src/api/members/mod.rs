//! Calls of readers' accounts: sign-in, the personal centre, subscriptions and uploads (specification section 7, member, personal
//! albums, files). A file for each topic has the calls and what they take and return; `masthead_accounts` decides.

mod planned;
mod subscriptions;
mod unsubscribe;

use std::sync::Arc;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;

/// The routes of all topics.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .merge(planned::calls())
        .routes(routes!(subscriptions::subscribe))
        .routes(routes!(subscriptions::is_subscribed))
        .routes(routes!(subscriptions::subscriptions))
        .routes(routes!(subscriptions::end))
        .routes(routes!(unsubscribe::ask, unsubscribe::confirm))
}
