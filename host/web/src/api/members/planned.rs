//! Calls about readers' accounts and uploads that are not implemented yet: each call exists, is described and returns the error 501.
//! The table below is their whole implementation.

use std::sync::Arc;

use axum::routing::{MethodFilter, MethodRouter, on};
use utoipa::openapi::{
    OpenApi,
    path::{HttpMethod, OperationBuilder},
};
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    describe,
    envelope::{ApiError, Caller},
};
use crate::{app::App, failure::Failure};

/// Method, path, failure, summary of the planned call.
type PlannedCall = (HttpMethod, &'static str, Failure, &'static str);

use Failure::{NoAccounts, NoUploads};
use HttpMethod::{Delete, Get, Post, Put};

/// Methods follow REST: GET reads, DELETE removes, PUT changes existing data, POST is used for everything else. The
/// specification names only the paths.
#[rustfmt::skip]
const CALLS: &[PlannedCall] = &[
    (Get, "/rc-pub/front/frontMembers/info", NoAccounts, "Returns the member's profile."),
    (Put, "/rc-pub/front/frontMembers/saveInfo", NoAccounts, "Saves the member's profile."),
    (Post, "/rc-pub/front/frontMembers/collect", NoAccounts, "Adds a favourite."),
    (Get, "/rc-pub/front/frontMembers/collects", NoAccounts, "Returns the favourites."),
    (Get, "/rc-pub/front/frontMembers/isCollect", NoAccounts, "Whether an entry is a favourite."),
    (Delete, "/rc-pub/front/frontMembers/unCollectByIdAndType", NoAccounts, "Removes a favourite."),
    (Post, "/rc-pub/front/frontMembers/subscribe", NoAccounts, "Subscribes to alerts by e-mail."),
    (Get, "/rc-pub/front/frontMembers/isSubscribe", NoAccounts, "Whether the member has subscribed."),
    (Delete, "/rc-pub/front/frontMembers/unSubscribe", NoAccounts, "Ends a subscription."),
    (Get, "/rc-pub/front/frontMembers/subscribeList", NoAccounts, "Returns the subscriptions."),
    (Get, "/rc-pub/front/frontMembers/downloads", NoAccounts, "Returns the member's downloads."),
    (Get, "/rc-pub/front/frontMembers/historys", NoAccounts, "Returns the member's reading history."),
    (Get, "/rc-pub/front/personalAlbum/search", NoAccounts, "Returns the member's albums."),
    (Post, "/rc-pub/front/personalAlbum/saveAlbum", NoAccounts, "Creates an album."),
    (Put, "/rc-pub/front/personalAlbum/editAlbum", NoAccounts, "Changes an album."),
    (Delete, "/rc-pub/front/personalAlbum/delete", NoAccounts, "Deletes albums."),
    (Get, "/rc-pub/front/personalAlbum/info", NoAccounts, "Returns an album."),
    (Post, "/rc-pub/front/personalAlbum/res/addList", NoAccounts, "Adds entries to an album."),
    (Delete, "/rc-pub/front/personalAlbum/res/delete", NoAccounts, "Removes entries from an album."),
    (Get, "/rc-pub/front/personalAlbum/res/search", NoAccounts, "Returns the entries of an album."),
    (Post, "/rc-pub/front/files/fileUpload", NoUploads, "Uploads a member's file: a portrait or the cover of an album."),
];

/// The routes of the table.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    let mut router = OpenApiRouter::new();
    for (method, path, failure, _) in CALLS {
        router = router.route(path, failing_route(method, *failure));
    }
    describe(router.get_openapi_mut());
    router
}

fn failing_route(method: &HttpMethod, failure: Failure) -> MethodRouter<Arc<App>> {
    let filter = match method {
        Post => MethodFilter::POST,
        Put => MethodFilter::PUT,
        Delete => MethodFilter::DELETE,
        _ => MethodFilter::GET,
    };
    on(filter, move |caller: Caller| async move { failure_for(&caller, failure).await })
}

/// An invalid or expired session takes precedence over the failure, because the reader has to sign in again in either
/// case.
async fn failure_for(caller: &Caller, failure: Failure) -> ApiError {
    match caller.token().await {
        Err(stale) => stale,
        Ok(_) => caller.failed(failure),
    }
}

fn describe(document: &mut OpenApi) {
    for (method, path, failure, summary) in CALLS {
        let name = path.trim_start_matches("/rc-pub/").replace(['/', '.'], "_");
        let operation = OperationBuilder::new()
            .tag("member")
            .summary(Some(*summary))
            .description(Some(format!("{summary} Not implemented yet: returns {}.", failure.status().as_u16())))
            .operation_id(Some(name))
            .response(failure.status().as_str(), describe::failure())
            .response("401", describe::failure());
        document.paths.add_path_operation(*path, vec![method.clone()], operation);
    }
}
