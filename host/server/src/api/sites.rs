//! Calls about the site itself.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Query, State},
    http::StatusCode,
};
use masthead_domain::{
    Lang, SiteId,
    access::Permissions,
    publication::Journal,
    site::{Channel, SiteState},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    envelope::{ApiError, Caller},
    types::{Envelope, FooterView, HeaderView, MenuLink, SiteView},
};
use crate::{frame, menu, sites::SiteEntry, state::App};

/// A site by its short name.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct BySld {
    /// Short name.
    sld: String,
    /// Language of the names; the site's own where it is left out.
    lang: Option<String>,
}

/// A site by its number.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct BySiteId {
    /// Number.
    site_id: i64,
    /// Language of the names; the site's own where it is left out.
    lang: Option<String>,
}

/// A site that was looked up.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundSite {
    /// The site.
    #[serde(flatten)]
    site: SiteView,
    /// Host names.
    domains: Vec<String>,
    /// Language of readers who have not chosen one.
    default_language: Lang,
    /// Interface languages.
    languages: Vec<Lang>,
}

fn found(app: &App, entry: Option<&Arc<SiteEntry>>, lang: Option<&str>) -> Result<Json<Envelope<FoundSite>>, ApiError> {
    let asked = lang.and_then(|code| code.parse().ok());
    let Some(entry) = entry else {
        return Err(ApiError::new(StatusCode::NOT_FOUND, app.messages.get(asked.unwrap_or(Lang::Zh), "site_unknown")));
    };
    let lang = entry.lang_or_default(asked);
    if let Some((status, key)) = crate::pages::state_failure(entry.site.state) {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::FORBIDDEN);
        let message = app.messages.get(lang, key);
        // Status 10001 in the envelope says "forbidden" to clients of the specification.
        if entry.site.state == SiteState::Forbidden {
            return Ok(Json(Envelope { status: 10001, data: None, message: message.to_owned() }));
        }
        return Err(ApiError::new(status, message));
    }
    let data = FoundSite {
        site: frame::site_view(&entry.site, lang),
        domains: entry.site.domains.clone(),
        default_language: entry.site.default_lang(),
        languages: entry.languages.clone(),
    };
    Ok(Json(Envelope { status: 0, data: Some(data), message: String::new() }))
}

/// Finds a site by its short name.
#[utoipa::path(get, path = "/rc-pub/front/site/findBySld", tag = "site", params(BySld),
    responses((status = 200, body = Envelope<FoundSite>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn find_by_sld(
    State(app): State<Arc<App>>,
    Query(query): Query<BySld>,
) -> Result<Json<Envelope<FoundSite>>, ApiError> {
    found(&app, app.sites.load().by_sld(&query.sld), query.lang.as_deref())
}

/// Finds a site by its number.
#[utoipa::path(get, path = "/rc-pub/front/site/findBySiteId", tag = "site", params(BySiteId),
    responses((status = 200, body = Envelope<FoundSite>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn find_by_site_id(
    State(app): State<Arc<App>>,
    Query(query): Query<BySiteId>,
) -> Result<Json<Envelope<FoundSite>>, ApiError> {
    found(&app, app.sites.load().by_id(SiteId(query.site_id)), query.lang.as_deref())
}

/// The sites of the site's group.
#[utoipa::path(get, path = "/rc-pub/front/front-publication/findGroupBySiteId", tag = "site",
    responses((status = 200, body = Envelope<Vec<SiteView>>)))]
pub async fn find_group(caller: Caller) -> Json<Envelope<Vec<SiteView>>> {
    let group = caller.entry().site.group.clone();
    let sites = caller
        .app
        .sites
        .load()
        .iter()
        .filter(|entry| !group.is_empty() && entry.site.group == group)
        .map(|entry| frame::site_view(&entry.site, entry.lang_or_default(Some(caller.lang))))
        .collect();
    caller.ok(sites)
}

/// Header configuration.
#[utoipa::path(get, path = "/rc-pub/front/site/getHeaderConfig", tag = "site",
    responses((status = 200, body = Envelope<HeaderView>)))]
pub async fn header_config(caller: Caller) -> Json<Envelope<HeaderView>> {
    caller.ok(frame::header(&caller.entry().site, &caller.addresses(), "home/"))
}

/// Footer configuration.
#[utoipa::path(get, path = "/rc-pub/front/site/getFooterConfig", tag = "site",
    responses((status = 200, body = Envelope<FooterView>)))]
pub async fn footer_config(caller: Caller) -> Json<Envelope<FooterView>> {
    caller.ok(frame::footer(&caller.entry().site, caller.lang))
}

/// Channels as configured, and as the menu shows them.
#[derive(Serialize, ToSchema)]
pub struct Channels {
    /// Every channel of the site.
    channels: Vec<Channel>,
    /// What the menu shows in the reader's language.
    menu: Vec<MenuLink>,
}

/// The channel list.
#[utoipa::path(get, path = "/rc-pub/front/site/getChannelList", tag = "site",
    responses((status = 200, body = Envelope<Channels>)))]
pub async fn channels(caller: Caller) -> Result<Json<Envelope<Channels>>, ApiError> {
    let store = caller.store();
    let issues = match store.journals().await.map_err(caller.store_failed())?.first() {
        Some(journal) => store.issues(&journal.key).await.map_err(caller.store_failed())?,
        None => Vec::new(),
    };
    let site = &caller.entry().site;
    let menu = menu::menu(site, &caller.addresses(), &issues, "");
    Ok(caller.ok(Channels { channels: site.channels.clone(), menu }))
}

/// The site with its journals.
#[derive(Serialize, ToSchema)]
pub struct BasicInfo {
    /// The site.
    site: SiteView,
    /// Its journals.
    journals: Vec<Journal>,
}

/// Basic information.
#[utoipa::path(get, path = "/rc-pub/front/site/getBasicInfo", tag = "site",
    responses((status = 200, body = Envelope<BasicInfo>)))]
pub async fn basic_info(caller: Caller) -> Result<Json<Envelope<BasicInfo>>, ApiError> {
    let journals = caller.store().journals().await.map_err(caller.store_failed())?;
    Ok(caller.ok(BasicInfo { site: frame::site_view(&caller.entry().site, caller.lang), journals }))
}

/// Switches of the whole site.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AggregatedConfig {
    /// Whether readers may comment.
    enable_comment: bool,
    /// Greying of the pages.
    gray_type: i32,
}

/// Aggregated configuration.
#[utoipa::path(get, path = "/rc-pub/front/site/getAggregatedConfig", tag = "site",
    responses((status = 200, body = Envelope<AggregatedConfig>)))]
pub async fn aggregated_config(caller: Caller) -> Json<Envelope<AggregatedConfig>> {
    caller.ok(AggregatedConfig {
        enable_comment: caller.entry().site.enable_comment,
        gray_type: caller.entry().site.gray_type,
    })
}

/// What the reader may do, as the `access` hook of the site's plugins decides.
#[utoipa::path(get, path = "/rc-pub/front/site/checkPower", tag = "site",
    responses((status = 200, body = Envelope<Permissions>)))]
pub async fn check_power(caller: Caller) -> Json<Envelope<Permissions>> {
    let permissions =
        crate::view::permissions(&caller.app, &caller.scope, &caller.host, caller.lang, &caller.headers).await;
    caller.ok(permissions)
}
