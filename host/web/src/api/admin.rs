//! The router of the administrators' calls. The limits of the public calls do not apply to them: an upload is large and slow.

use std::sync::Arc;

use axum::{Router, extract::DefaultBodyLimit};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    admin_backup, admin_bundle, admin_comments, admin_crossref, admin_doctor, admin_import, admin_institutions,
    admin_invitation, admin_people, admin_plugins, admin_records, admin_redirects, admin_reindex, admin_secrets,
    admin_settings, admin_tokens, envelope::wrap,
};
use crate::{app::App, routing::get};

#[derive(OpenApi)]
#[openapi(tags((
    name = "admin",
    description = "Calls of administrators, who are signed in at the administrators' host, and of programs, whose header `token` holds a \
                   token made by `masthead token create`. Each call needs a role: `reader`, `editor`, `site-administrator` or \
                   `platform-administrator`, on the site that it is about."
)))]
struct Document;

fn described() -> (Router<Arc<App>>, utoipa::openapi::OpenApi) {
    OpenApiRouter::with_openapi(Document::openapi())
        .merge(admin_import::calls())
        .merge(admin_backup::calls())
        .merge(admin_bundle::calls())
        .merge(admin_comments::calls())
        .merge(admin_crossref::calls())
        .merge(admin_doctor::calls())
        .merge(admin_institutions::calls())
        .merge(admin_people::calls())
        .merge(admin_records::calls())
        .merge(admin_redirects::calls())
        .merge(admin_plugins::calls())
        .merge(admin_reindex::calls())
        .merge(admin_secrets::calls())
        .merge(admin_settings::calls())
        .merge(admin_tokens::calls())
        .split_for_parts()
}

/// The OpenAPI document of the administrators' calls.
pub fn openapi() -> utoipa::openapi::OpenApi {
    described().1
}

/// The router of the administrators' calls.
pub fn router(app: &Arc<App>) -> Router {
    described()
        .0
        // A page and no call: the same address, which is in the link of an invitation.
        .route("/rc-pub/admin/invitation", get(admin_invitation::page))
        .layer(axum::middleware::from_fn_with_state(Arc::clone(app), wrap))
        .layer(DefaultBodyLimit::disable())
        .with_state(Arc::clone(app))
}
