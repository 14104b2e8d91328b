//! Calls about readers' accounts and uploads. Accounts are not implemented yet: each call exists, is described and
//! returns the error 501. The table below is their whole implementation.

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

use Failure::{NoAccounts, NoKeys, NoUploads};
use HttpMethod::{Delete, Get, Post, Put};

/// Methods follow REST: GET reads, DELETE removes, PUT changes existing data, POST is used for everything else. The
/// specification names only the paths.
#[rustfmt::skip]
const CALLS: &[PlannedCall] = &[
    (Post, "/rc-pub/api/login", NoAccounts, "Signs in with a password."),
    (Delete, "/rc-pub/api/logout", NoAccounts, "Signs out."),
    (Post, "/rc-pub/api/register", NoAccounts, "Makes an account."),
    (Get, "/rc-pub/api/isRegistered", NoAccounts, "Whether there is an account with this name or number."),
    (Post, "/rc-pub/api/loginByMessage", NoAccounts, "Signs in with a code that was sent to a phone."),
    (Put, "/rc-pub/api/setNewPwd", NoAccounts, "Sets a forgotten password with a code."),
    (Put, "/rc-pub/api/changePwd", NoAccounts, "Changes the password."),
    (Put, "/rc-pub/api/changeMobile", NoAccounts, "Changes the phone number."),
    (Post, "/rc-pub/api/thirdBind", NoAccounts, "Binds an account to one elsewhere."),
    (Post, "/rc-pub/api/loginByThirdLoginUrl", NoAccounts, "Signs in with what another service sent back."),
    (Get, "/rc-pub/api/getUmtLoginUrl", NoAccounts, "The address of the group's user management."),
    (Get, "/rc-pub/index/login/captcha.do", NoAccounts, "A picture to tell people from programs."),
    (Get, "/rc-pub/api/captcha", NoAccounts, "A picture to tell people from programs."),
    (Get, "/rc-pub/front/frontMembers/info", NoAccounts, "The member's profile."),
    (Put, "/rc-pub/front/frontMembers/saveInfo", NoAccounts, "Saves the member's profile."),
    (Post, "/rc-pub/front/frontMembers/collect", NoAccounts, "Puts something among the favourites."),
    (Get, "/rc-pub/front/frontMembers/collects", NoAccounts, "The favourites."),
    (Get, "/rc-pub/front/frontMembers/isCollect", NoAccounts, "Whether something is among the favourites."),
    (Delete, "/rc-pub/front/frontMembers/unCollectByIdAndType", NoAccounts, "Takes something out of the favourites."),
    (Post, "/rc-pub/front/frontMembers/subscribe", NoAccounts, "Subscribes to alerts by e-mail."),
    (Get, "/rc-pub/front/frontMembers/isSubscribe", NoAccounts, "Whether the member has subscribed."),
    (Delete, "/rc-pub/front/frontMembers/unSubscribe", NoAccounts, "Ends a subscription."),
    (Get, "/rc-pub/front/frontMembers/subscribeList", NoAccounts, "The subscriptions."),
    (Get, "/rc-pub/front/frontMembers/downloads", NoAccounts, "What the member has downloaded."),
    (Get, "/rc-pub/front/frontMembers/historys", NoAccounts, "What the member has read."),
    (Get, "/rc-pub/front/personalAlbum/search", NoAccounts, "The member's albums."),
    (Post, "/rc-pub/front/personalAlbum/saveAlbum", NoAccounts, "Makes an album."),
    (Put, "/rc-pub/front/personalAlbum/editAlbum", NoAccounts, "Changes an album."),
    (Delete, "/rc-pub/front/personalAlbum/delete", NoAccounts, "Takes albums away."),
    (Get, "/rc-pub/front/personalAlbum/info", NoAccounts, "An album."),
    (Post, "/rc-pub/front/personalAlbum/res/addList", NoAccounts, "Puts things into an album."),
    (Delete, "/rc-pub/front/personalAlbum/res/delete", NoAccounts, "Takes things out of an album."),
    (Get, "/rc-pub/front/personalAlbum/res/search", NoAccounts, "What is in an album."),
    (Post, "/rc-pub/front/files/fileUpload", NoUploads, "Takes a member's file: a portrait, a cover of an album."),
    (Get, "/rc-pub/front/files/getAesKey", NoKeys,
        "A key to encrypt a password with in the browser. The connection is encrypted already: there is none to hand out."),
    (Get, "/rc-pub/front/files/getPublicKey", NoKeys,
        "A public key to encrypt a password with in the browser. The connection is encrypted already: there is none to hand out."),
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
    on(filter, move |caller: Caller| async move { failure_for(&caller, failure) })
}

/// An invalid or expired session takes precedence over the failure, because the reader has to sign in again in either
/// case.
fn failure_for(caller: &Caller, failure: Failure) -> ApiError {
    match caller.token() {
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
            .description(Some(format!("{summary} Not offered yet: answers {}.", failure.status().as_u16())))
            .operation_id(Some(name))
            .response(failure.status().as_str(), describe::failure())
            .response("401", describe::failure());
        document.paths.add_path_operation(*path, vec![method.clone()], operation);
    }
}
