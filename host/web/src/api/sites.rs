//! Calls that look up sites, and the reader's permissions on a site.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Query, State},
    http::HeaderMap,
};
use masthead_domain::{Lang, SiteId, site::SiteState};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::{
    envelope::{ApiError, Caller, language},
    types::Envelope,
};
use crate::page::types::SiteView;
use crate::{
    app::App,
    failure::Failure,
    page::bootstrap,
    schema::{self, FromDomain, Journal, Permissions, ThemeColor},
    sites::{SiteEntry, SiteTable},
};

/// Query of a site by its short name.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct BySld {
    /// Short name.
    sld: String,
    /// Language of the names; by default the caller's language, else the site's default.
    lang: Option<String>,
}

/// Query of a site by its id.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct BySiteId {
    /// Id of the site.
    site_id: i64,
    /// Language of the names; by default the caller's language, else the site's default.
    lang: Option<String>,
}

/// A site with its public configuration.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundSite {
    /// The site.
    #[serde(flatten)]
    site: SiteView,
    /// Id of the site (the same value as `id`).
    site_id: schema::SiteId,
    /// Primary host name.
    domain: String,
    /// The site's own host names.
    domains: Vec<String>,
    /// 1 for a group site (the same value as `groupType`).
    group_site: i32,
    /// Style id of the home page's layout.
    template_id: i32,
    /// The theme's primary colour, `#rrggbb`.
    colour: String,
    /// The theme.
    theme: ThemeColor,
    /// 1 if readers sign in at the group's user management.
    umt_flag: i32,
    /// Address of the second logo, or "".
    logo1: String,
    /// Address of the site's picture, or "".
    picture_url: String,
    /// Keywords.
    keywords: Vec<String>,
    /// Default language of the site.
    default_language: schema::Lang,
    /// Interface languages.
    languages: Vec<schema::Lang>,
}

fn view(table: &SiteTable, entry: &SiteEntry, lang: Lang) -> FoundSite {
    let site = &entry.site;
    let own = || format!("{}.{}", site.sld, table.platform.domain);
    FoundSite {
        site: bootstrap::site_view(site, lang),
        site_id: FromDomain::from_domain(site.id),
        domain: site.domains.first().cloned().unwrap_or_else(own),
        domains: site.domains.clone(),
        group_site: site.group_type,
        template_id: site.template_id,
        colour: entry.theme.light.theme_color_primary.clone(),
        theme: FromDomain::from_domain(entry.theme.clone()),
        umt_flag: site.umt_flag,
        logo1: bootstrap::picture(&site.logo1).unwrap_or_default(),
        picture_url: bootstrap::picture(&site.picture_url).unwrap_or_default(),
        keywords: site.keywords.clone(),
        default_language: FromDomain::from_domain(site.default_lang()),
        languages: FromDomain::from_domain(entry.languages.clone()),
    }
}

type SiteLookup = fn(&SiteTable, &str) -> Option<Arc<SiteEntry>>;

fn look_up(
    app: &App,
    headers: &HeaderMap,
    lang: Option<&str>,
    find: SiteLookup,
    name: &str,
) -> Result<Json<Envelope<FoundSite>>, ApiError> {
    let requested = lang.and_then(|code| code.parse::<Lang>().ok()).or_else(|| language(headers));
    let table = app.sites.load();
    let Some(entry) = find(&table, name) else {
        return Err(ApiError::of(app, requested.unwrap_or(Lang::Zh), Failure::SiteUnknown));
    };
    let lang = entry.lang_or_default(requested);
    match Failure::of_state(entry.site.state) {
        None => Ok(Json(Envelope { status: 0, data: Some(view(&table, &entry, lang)), message: String::new() })),
        // The look-up itself succeeded: the HTTP status is 200, and status 10001 in the envelope says that the site is
        // forbidden.
        Some(failure) if entry.site.state == SiteState::Forbidden => {
            let message = app.messages.get(lang, failure.key()).to_owned();
            Ok(Json(Envelope { status: failure.code(), data: None, message }))
        }
        Some(failure) => Err(ApiError::of(app, lang, failure)),
    }
}

/// Returns the site with the given short name.
#[utoipa::path(get, path = "/rc-pub/front/site/findBySld", tag = "site", params(BySld),
    responses((status = 200, body = Envelope<Option<FoundSite>>)))]
pub async fn find_by_sld(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Query(query): Query<BySld>,
) -> Result<Json<Envelope<FoundSite>>, ApiError> {
    look_up(&app, &headers, query.lang.as_deref(), |table, sld| table.by_sld(sld).cloned(), &query.sld)
}

/// Returns the site with the given id.
#[utoipa::path(get, path = "/rc-pub/front/site/findBySiteId", tag = "site", params(BySiteId),
    responses((status = 200, body = Envelope<Option<FoundSite>>)))]
pub async fn find_by_site_id(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Query(query): Query<BySiteId>,
) -> Result<Json<Envelope<FoundSite>>, ApiError> {
    let find: SiteLookup = |table, id| table.by_id(SiteId(id.parse().ok()?)).cloned();
    look_up(&app, &headers, query.lang.as_deref(), find, &query.site_id.to_string())
}

/// Returns the open sites of the site's group.
#[utoipa::path(get, path = "/rc-pub/front/front-publication/findGroupBySiteId", tag = "site",
    params(("siteId" = Option<i64>, Query, description = "Id of the site; needed if the host names no site")),
    responses((status = 200, body = Envelope<Vec<SiteView>>)))]
pub async fn find_group(caller: Caller) -> Json<Envelope<Vec<SiteView>>> {
    let group = caller.entry().site.group.clone();
    let sites = caller
        .app
        .sites
        .load()
        .iter()
        .filter(|entry| !group.is_empty() && entry.site.group == group)
        .filter(|entry| Failure::of_state(entry.site.state).is_none())
        .map(|entry| bootstrap::site_view(&entry.site, entry.lang_or_default(Some(caller.lang))))
        .collect();
    caller.ok(sites)
}

/// A site with its journals.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BasicInfo {
    /// The site.
    site: SiteView,
    /// 1 for a group site.
    group_type: i32,
    /// The site's journals.
    journals: Vec<Journal>,
}

/// Returns the site with its journals.
#[utoipa::path(get, path = "/rc-pub/front/site/getBasicInfo", tag = "site",
    responses((status = 200, body = Envelope<BasicInfo>)))]
pub async fn basic_info(caller: Caller) -> Result<Json<Envelope<BasicInfo>>, ApiError> {
    let journals = caller.store().shown_journals().await.map_err(caller.store_failed())?;
    let site = &caller.entry().site;
    Ok(caller.ok(BasicInfo {
        site: bootstrap::site_view(site, caller.lang),
        group_type: site.group_type,
        journals: FromDomain::from_domain(journals),
    }))
}

/// Returns the reader's permissions, as the `access` hook of the site's plugins decides.
#[utoipa::path(get, path = "/rc-pub/front/site/checkPower", tag = "site",
    responses((status = 200, body = Envelope<Permissions>)))]
pub async fn check_power(caller: Caller) -> Json<Envelope<Permissions>> {
    let permissions = caller.rights().await.permissions();
    caller.ok(Permissions::from_domain(permissions))
}
