//! The profile of a member.

use std::sync::Arc;

use axum::{Json, body::Bytes, http::StatusCode};
use masthead_accounts::{
    credentials::NameChange,
    keys::SecretText,
    pictures::Purpose,
    profile::{self, Draft},
};
use masthead_domain::member::{Gender, MemberName, masked};
use masthead_store::Member;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::{
    personal::done,
    refusals::{in_session, opened_or_none},
    uploads,
};
use crate::{
    api::{envelope::ApiError, signed_in::SignedIn, types::Envelope},
    app::{App, rate_limits::Action},
    failure::Failure,
    routing::routes,
};

/// A member's profile.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileView {
    /// Account name, or what stands in its place.
    user_name: String,
    /// Name of the person.
    name: String,
    /// Mobile number with the four digits before the last four masked, or "".
    mobile: String,
    /// E-mail address, or "".
    email: String,
    /// Region.
    region: String,
    /// Major.
    major: String,
    /// Institution, as the member wrote it.
    institution: String,
    /// Research field.
    research_field: String,
    /// `male`, `female` or "".
    gender: String,
    /// Id of the photo, or "".
    photo: String,
    /// Address of the photo, or "".
    photo_url: String,
    /// Whether the member has a password.
    has_password: bool,
    /// When it was changed, ISO 8601 in the time zone of the site; "" without one. A change every three months is advised.
    password_changed: String,
    /// Names of the institutions through which the member has rights on this site.
    institutions: Vec<String>,
}

/// Returns the member's profile.
#[utoipa::path(get, path = "/rc-pub/front/frontMembers/info", tag = "member", operation_id = "memberInfo",
    responses((status = 200, body = Envelope<ProfileView>), (status = 401, body = Envelope<serde_json::Value>)))]
pub async fn info(by: SignedIn) -> Result<Json<Envelope<ProfileView>>, ApiError> {
    let member = member(&by).await?;
    let affiliations = by.store().affiliations(by.now()).await.map_err(by.failed())?;
    let institutions = affiliations.into_iter().map(|one| if one.name.is_empty() { one.institution } else { one.name });
    let institutions = institutions.collect();
    Ok(by.caller.ok(view(&by, member, institutions)))
}

fn view(by: &SignedIn, member: Member, institutions: Vec<String>) -> ProfileView {
    let profile = member.profile;
    let shown =
        [&member.account, &member.mobile, &member.email, &profile.name].into_iter().find(|name| !name.is_empty());
    let changed = if member.has_password { by.caller.instant(member.password_changed) } else { String::new() };
    ProfileView {
        user_name: shown.map(|name| masked(name)).unwrap_or_default(),
        name: profile.name,
        mobile: masked(&member.mobile),
        email: member.email,
        region: profile.region,
        major: profile.major,
        institution: profile.institution,
        research_field: profile.research_field,
        gender: profile.gender.map_or_else(String::new, |gender| Gender::as_str(gender).to_owned()),
        photo_url: uploads::address(by, &profile.photo),
        photo: profile.photo,
        has_password: member.has_password,
        password_changed: changed,
        institutions,
    }
}

/// What a member writes of themselves.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileDraft {
    /// Name; required.
    #[serde(default)]
    name: String,
    /// E-mail address; required. Another one than before needs a code.
    #[serde(default)]
    email: String,
    /// Code that was sent to the new e-mail address for the purpose `email`.
    #[serde(default)]
    code: String,
    /// The password, plain or encrypted, with another e-mail address; not from a member who has none.
    #[schema(value_type = Option<String>)]
    password: Option<SecretText>,
    /// Region.
    #[serde(default)]
    region: String,
    /// Major.
    #[serde(default)]
    major: String,
    /// Institution.
    #[serde(default)]
    institution: String,
    /// Research field; required.
    #[serde(default)]
    research_field: String,
    /// `male`, `female` or "".
    #[serde(default)]
    gender: String,
    /// Id of an uploaded portrait, or "" for none.
    #[serde(default)]
    photo: String,
}

/// Saves the profile. Another e-mail address is taken with the code that was sent to it only.
#[utoipa::path(put, path = "/rc-pub/front/frontMembers/saveInfo", tag = "member", operation_id = "saveMemberInfo",
    request_body = ProfileDraft,
    responses((status = 200, body = Envelope<bool>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn save(by: SignedIn, body: Bytes) -> Result<Json<Envelope<bool>>, ApiError> {
    by.caller.take(Action::PersonalChange)?;
    let draft: ProfileDraft = by.caller.json(&body)?;
    let refused = |key| by.caller.fail(StatusCode::BAD_REQUEST, key);
    let written = Draft {
        name: &draft.name,
        region: &draft.region,
        major: &draft.major,
        institution: &draft.institution,
        research_field: &draft.research_field,
        gender: &draft.gender,
    };
    let new = profile::checked(&written, &draft.photo).map_err(|error| refused(error.key()))?;
    let email = profile::email(&draft.email).map_err(|error| refused(error.key()))?;
    let member = member(&by).await?;
    let before = &member.profile.photo;
    let photo_changes = new.photo != *before;
    if photo_changes && !uploads::is_own(&by, &new.photo, Purpose::Portrait).await? {
        return Err(refused(Purpose::Portrait.rule()));
    }
    // Addresses are one if they differ in capitals only.
    if MemberName::email(&member.email).ok().as_ref() != Some(&email) {
        let password = opened_or_none(&by.caller, draft.password, Some(&by.session().digest))?;
        change_email(&by, &email, draft.code.trim(), &password).await?;
    }
    by.store().set_profile(&new, by.caller.lang).await.map_err(by.failed())?;
    if photo_changes && !before.is_empty() {
        by.store().remove_file(before).await.map_err(by.failed())?;
    }
    Ok(done(&by, "submit_success"))
}

/// Gives the member another e-mail address, as the call `changeMobile` does.
async fn change_email(by: &SignedIn, email: &MemberName, code: &str, password: &str) -> Result<(), ApiError> {
    let caller = &by.caller;
    if code.is_empty() {
        return Err(caller.fail(StatusCode::BAD_REQUEST, "code_needed"));
    }
    caller.take(Action::Password)?;
    let store = caller.store();
    let change = NameChange { name: email, code, password };
    in_session(caller, caller.accounts(&store).change_name(by.session(), change).await).await
}

/// The member; 401 after an erasure.
pub(super) async fn member(by: &SignedIn) -> Result<Member, ApiError> {
    let found = by.store().member().await.map_err(by.failed())?;
    found.ok_or_else(|| by.caller.failed(Failure::SignInNeeded))
}

/// The routes of this file.
pub(super) fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(info)).routes(routes!(save))
}
