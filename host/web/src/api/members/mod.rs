//! Calls of readers' accounts: sign-in, the personal centre, subscriptions and uploads (specification section 7, member, personal
//! albums, files). A file for each topic has the calls and what they take and return; `masthead_accounts` decides.

mod planned;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

/// The routes of all topics.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().merge(planned::calls())
}
