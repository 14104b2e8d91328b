//! Calls of readers' accounts: sign-in, the personal centre, subscriptions and uploads (specification section 7, member, personal
//! albums, files). A file for each topic has the calls and what they take and return; `masthead_accounts` decides.

mod account;
mod albums;
mod export;
mod favourites;
mod form_data;
mod history;
mod items;
mod personal;
mod planned;
mod profile;
mod searches;
mod uploads;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

/// The routes of all topics.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().merge(personal_calls()).merge(planned::calls())
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
