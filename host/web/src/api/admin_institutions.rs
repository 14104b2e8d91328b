//! Administrators' calls about the institutions whose readers a site lets in, and the members in their groups.

use std::sync::Arc;

use axum::{Json, body::Body, extract::Query, http::HeaderMap, http::StatusCode};
use masthead_domain::{
    access,
    member::{MemberId, MemberName},
};
use masthead_store::{Institution, StoreError};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    administrator::{Administrator, OnSite},
    envelope::{ApiError, ok, storable},
    types::Envelope,
};
use crate::app::App;
use crate::routing::routes;

/// Greatest size of a body, in bytes.
const MAX_BODY: usize = 64 << 10;

/// An institution of a site.
#[derive(Serialize, ToSchema)]
pub struct InstitutionView {
    /// Key.
    key: String,
    /// Name, in the language of the call.
    name: String,
    /// Networks.
    networks: Vec<String>,
    /// When its rights end, ISO 8601 in UTC; "" for never.
    until: String,
    /// Whether it is one of the site's configuration, which calls do not change.
    configured: bool,
}

/// Query with a site.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct OfSite {
    /// Id of the site.
    site_id: i64,
}

/// Returns the institutions of a site: those of its configuration, then those that calls and commands have added.
#[utoipa::path(get, path = "/rc-pub/admin/institutions", tag = "admin", operation_id = "adminInstitutions", params(OfSite),
    responses((status = 200, body = Envelope<Vec<InstitutionView>>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 403, body = Envelope<serde_json::Value>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn list(
    by: Administrator,
    Query(query): Query<OfSite>,
) -> Result<Json<Envelope<Vec<InstitutionView>>>, ApiError> {
    let by = by.on_site(query.site_id)?;
    let stored = by.store().institutions().await.map_err(|error| by.internal_error(&error))?;
    let entry = by.app().sites.load().by_id(by.site()).cloned();
    let configured = entry.iter().flat_map(|entry| &entry.site.access.institutions).map(|one| InstitutionView {
        key: one.id.clone(),
        name: one.name.get(by.lang()).to_owned(),
        networks: one.networks.clone().into(),
        until: String::new(),
        configured: true,
    });
    let stored = stored.into_iter().map(|Institution { key, name, networks, until }| {
        let until = jiff::Timestamp::from_millisecond(until).ok().filter(|_| until > 0);
        let until = until.map(|time| time.to_string()).unwrap_or_default();
        InstitutionView { key, name, networks, until, configured: false }
    });
    Ok(ok(configured.chain(stored).collect()))
}

/// An institution that is to be stored.
#[derive(Deserialize, ToSchema)]
pub struct NewInstitution {
    /// Key: lower-case letters, digits and hyphens. It does not change.
    key: String,
    /// Name, which readers see.
    name: String,
    /// Networks (`192.0.2.0/24`); without any, the institution has its group of members alone.
    #[serde(default)]
    networks: Vec<String>,
    /// When its rights end, ISO 8601 in UTC; "" for never.
    #[serde(default)]
    until: String,
}

/// Stores an institution, instead of the one with the same key.
#[utoipa::path(put, path = "/rc-pub/admin/institution", tag = "admin", operation_id = "saveInstitution", params(OfSite),
    request_body = NewInstitution,
    responses((status = 200, body = Envelope<bool>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 409, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn save(
    by: Administrator,
    Query(query): Query<OfSite>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Envelope<bool>>, ApiError> {
    let by = by.on_site(query.site_id)?;
    let new: NewInstitution = by.json(body, MAX_BODY, "an institution").await?;
    access::Institution::checked(&new.key, &new.name, new.networks.clone())
        .map_err(|fault| ApiError::new(StatusCode::BAD_REQUEST, &fault))?;
    if is_configured(&by, &new.key) {
        let message = format!("the institution {:?} is one of the site's configuration; change it there", new.key);
        return Err(ApiError::new(StatusCode::CONFLICT, &message));
    }
    let until = time(&new.until)?;
    let NewInstitution { key, name, networks, .. } = new;
    let institution = Institution { key, name: name.trim().to_owned(), networks, until };
    let now = by.app().counting.now();
    let stored = by.store().set_institution(&institution, &by.who(&headers), now).await;
    stored.map_err(|error| by.internal_error(&error))?;
    by.app().institutions.forget(by.site());
    Ok(ok(true))
}

/// A time in milliseconds since 1970; 0 for "".
fn time(text: &str) -> Result<i64, ApiError> {
    if text.is_empty() {
        return Ok(0);
    }
    let time = text.parse::<jiff::Timestamp>().map(jiff::Timestamp::as_millisecond);
    time.ok().filter(|time| *time > 0).ok_or_else(|| {
        let message = format!("{text:?} is no time in ISO 8601, such as 2027-01-01T00:00:00Z");
        ApiError::new(StatusCode::BAD_REQUEST, &message)
    })
}

fn is_configured(by: &OnSite, key: &str) -> bool {
    let entry = by.app().sites.load().by_id(by.site()).cloned();
    entry.is_some_and(|entry| entry.site.access.institution(key).is_some())
}

/// Query with an institution.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct Named {
    /// Id of the site.
    site_id: i64,
    /// Key of the institution.
    #[serde(default)]
    key: String,
}

/// Removes an institution with its group. One of the site's configuration stays.
#[utoipa::path(delete, path = "/rc-pub/admin/institution", tag = "admin", operation_id = "removeInstitution", params(Named),
    responses((status = 200, body = Envelope<bool>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 403, body = Envelope<serde_json::Value>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn remove(
    by: Administrator,
    Query(query): Query<Named>,
    headers: HeaderMap,
) -> Result<Json<Envelope<bool>>, ApiError> {
    let by = by.on_site(query.site_id)?;
    let missing = || by.fail(StatusCode::NOT_FOUND, "no_data");
    let key = storable(&query.key).ok_or_else(missing)?;
    let now = by.app().counting.now();
    let removed = by.store().remove_institution(key, &by.who(&headers), now).await;
    let removed = removed.map_err(|error| by.internal_error(&error))?;
    by.app().institutions.forget(by.site());
    if removed { Ok(ok(true)) } else { Err(missing()) }
}

/// A member who is to belong to an institution.
#[derive(Deserialize, ToSchema)]
pub struct Joining {
    /// Key of the institution.
    key: String,
    /// Account name, e-mail address or mobile number of the member.
    member: String,
    /// Until when, ISO 8601 in UTC; "" for ever.
    #[serde(default)]
    until: String,
}

/// Puts a member into the group of an institution.
#[utoipa::path(put, path = "/rc-pub/admin/institution/member", tag = "admin", operation_id = "joinInstitution", params(OfSite),
    request_body = Joining,
    responses((status = 200, body = Envelope<bool>), (status = 400, body = Envelope<serde_json::Value>),
        (status = 401, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>), (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn join(
    by: Administrator,
    Query(query): Query<OfSite>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Envelope<bool>>, ApiError> {
    let by = by.on_site(query.site_id)?;
    let Joining { key, member, until } = by.json(body, MAX_BODY, "a member of an institution").await?;
    let until = time(&until)?;
    let stored = by.store().institutions().await.map_err(|error| by.internal_error(&error))?;
    if !is_configured(&by, &key) && !stored.iter().any(|one| one.key == key) {
        return Err(by.fail(StatusCode::NOT_FOUND, "no_data"));
    }
    let member = by.store().of_member(found(&by, &member).await?);
    let joined = member.join_institution(&key, until, &by.who(&headers), by.app().counting.now()).await;
    joined.map_err(|error| gone(&by, &error))?;
    Ok(ok(true))
}

/// Query with a member of an institution.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct NamedMember {
    /// Id of the site.
    site_id: i64,
    /// Key of the institution.
    #[serde(default)]
    key: String,
    /// Account name, e-mail address or mobile number of the member.
    #[serde(default)]
    member: String,
}

/// Takes a member out of the group of an institution.
#[utoipa::path(delete, path = "/rc-pub/admin/institution/member", tag = "admin", operation_id = "leaveInstitution",
    params(NamedMember),
    responses((status = 200, body = Envelope<bool>), (status = 401, body = Envelope<serde_json::Value>),
        (status = 403, body = Envelope<serde_json::Value>), (status = 404, body = Envelope<serde_json::Value>),
        (status = 429, body = Envelope<serde_json::Value>)))]
pub async fn leave(
    by: Administrator,
    Query(query): Query<NamedMember>,
    headers: HeaderMap,
) -> Result<Json<Envelope<bool>>, ApiError> {
    let by = by.on_site(query.site_id)?;
    let missing = || by.fail(StatusCode::NOT_FOUND, "no_data");
    let key = storable(&query.key).ok_or_else(missing)?;
    let member = by.store().of_member(found(&by, &query.member).await?);
    let left = member.leave_institution(key, &by.who(&headers), by.app().counting.now()).await;
    if left.map_err(|error| gone(&by, &error))? { Ok(ok(true)) } else { Err(missing()) }
}

/// The member with one of these names.
async fn found(by: &OnSite, name: &str) -> Result<MemberId, ApiError> {
    let missing = || by.fail(StatusCode::NOT_FOUND, "no_data");
    let name = MemberName::typed(name).map_err(|_| missing())?;
    by.store().member_by_name(&name).await.map_err(|error| by.internal_error(&error))?.ok_or_else(missing)
}

/// The failure of a change to a member, who may have been erased in between.
fn gone(by: &OnSite, error: &StoreError) -> ApiError {
    match error {
        StoreError::MemberGone(_) => by.fail(StatusCode::NOT_FOUND, "no_data"),
        other => by.internal_error(other),
    }
}

/// The routes of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(save, remove)).routes(routes!(join, leave))
}
