//! Calls about the frame of every page: header, footer, colours.

use std::sync::Arc;

use axum::Json;
use masthead_domain::{Lang, site::CustomButton};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::api::{envelope::Caller, types::Envelope};
use crate::page::types::FooterView;
use crate::{
    app::App,
    i18n::Texts,
    page::bootstrap,
    routing::routes,
    schema::{self, FromDomain, ThemeColor},
    sites::SiteEntry,
};

/// Header configuration.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeaderConfig {
    /// Default language of the site.
    default_language: schema::Lang,
    /// Whether the language switch is shown.
    switch_language: bool,
    /// Style id of the header.
    nav_style: i32,
    /// Whether the header stays at the top of the window.
    ceiling: bool,
    /// Whether the sign-in entry is shown.
    show_login: bool,
    /// Address of the group's site, or "".
    group_entrance: String,
    /// Whether the search widget is shown.
    search_box: bool,
    /// Whether the advanced search is linked.
    adv_search: bool,
    /// 1 if the search offers resources other than articles.
    resource_search: i32,
    /// Codes of the search scopes, in order.
    resource_type: Vec<String>,
    /// Arrangement of the channels in the navigation bar, or "".
    nav_distribution: String,
    /// Address of the logo, or "".
    logo_pc: String,
    /// Address of the English logo, or "".
    logo_en_pc: String,
    /// Address of the logo for narrow screens, or "".
    logo_mobile: String,
    /// Address of the English logo for narrow screens, or "".
    logo_en_mobile: String,
    /// Buttons and style sheet.
    config_data: ConfigDataView,
    /// Address of the home page in the caller's language.
    home_href: String,
    /// Address of the sign-in, or "" if the entry is hidden.
    login_href: String,
}

/// Buttons and style sheet of a header.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigDataView {
    /// The buttons in the caller's language: at most three, active and named.
    custom_button_list: Vec<schema::CustomButton>,
    /// Content of the site's own style sheet. Pages link to it as a file.
    css_content: String,
    /// Address of the style sheet file, or "".
    css_href: String,
}

/// Returns the header configuration.
#[utoipa::path(get, path = "/rc-pub/front/site/getHeaderConfig", tag = "site",
    responses((status = 200, body = Envelope<HeaderConfig>)))]
pub async fn header_config(caller: Caller) -> Json<Envelope<HeaderConfig>> {
    let site = &caller.entry().site;
    let header = &site.header;
    let shown = bootstrap::header(site, &caller.addresses(), "home/");
    let home = |entry: &Arc<SiteEntry>| caller.at(entry).addresses().path("home/");
    let group_entrance = bootstrap::group_entrance(site, &caller.app.sites.load(), home);
    let logo = |lang| bootstrap::picture(header.logo.get(lang)).unwrap_or_default();
    // Without a logo of their own, narrow screens show the wide logo.
    let mobile = |lang| bootstrap::picture(header.mobile_logo.get(lang)).unwrap_or_else(|| logo(lang));
    let with_pictures = |button: &CustomButton| schema::CustomButton {
        custom_button_name: button.own_label(Lang::Zh).unwrap_or_default().to_owned(),
        en_custom_button_name: button.own_label(Lang::En).unwrap_or_default().to_owned(),
        custom_button_pc_url: bootstrap::picture(&button.custom_button_pc_url).unwrap_or_default(),
        custom_button_mobile_url: bootstrap::picture(&button.custom_button_mobile_url).unwrap_or_default(),
        ..schema::CustomButton::from_domain(button.clone())
    };
    caller.ok(HeaderConfig {
        default_language: FromDomain::from_domain(site.default_lang()),
        switch_language: header.switch_language,
        nav_style: header.nav_style,
        ceiling: header.ceiling,
        show_login: header.show_login,
        group_entrance,
        search_box: header.search_box,
        adv_search: header.adv_search,
        resource_search: header.resource_search,
        resource_type: site.search.resource_type.iter().map(|scope| scope.code.clone()).collect(),
        nav_distribution: header.nav_distribution.clone(),
        logo_pc: logo(Lang::Zh),
        logo_en_pc: logo(Lang::En),
        logo_mobile: mobile(Lang::Zh),
        logo_en_mobile: mobile(Lang::En),
        config_data: ConfigDataView {
            custom_button_list: header.buttons(caller.lang).map(with_pictures).collect(),
            css_content: header.config_data.css_content.clone(),
            css_href: bootstrap::sheet(&caller.scope).unwrap_or_default(),
        },
        home_href: shown.home_href,
        login_href: shown.login_href,
    })
}

/// Footer configuration.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FooterConfig {
    /// The copyright line in the caller's language, the filing records with their addresses, and the style of the toolbar.
    #[serde(flatten)]
    footer: FooterView,
    /// English copyright line.
    en_copyright: String,
    /// Address that the filing number links to, or "".
    link_address: String,
    /// Address that the public-security record links to, or "".
    picp_link: String,
}

/// Returns the footer configuration.
#[utoipa::path(get, path = "/rc-pub/front/site/getFooterConfig", tag = "site",
    responses((status = 200, body = Envelope<FooterConfig>)))]
pub async fn footer_config(caller: Caller) -> Json<Envelope<FooterConfig>> {
    let site = &caller.entry().site;
    let texts = Texts::new(&caller.app.messages, caller.lang);
    caller.ok(FooterConfig {
        footer: bootstrap::footer(site, &caller.addresses(), &texts),
        en_copyright: site.footer.own_copyright(Lang::En).unwrap_or_default().to_owned(),
        link_address: site.footer.link_address.clone(),
        picp_link: site.footer.picp_link.clone(),
    })
}

/// Returns the theme presets. Each preset is also a style sheet: `/static/mobile/theme1.css` and so on; the site's own
/// theme is `/static/mobile/theme.css`.
#[utoipa::path(get, path = "/rc-pub/front/site/getThemeColors", tag = "site", operation_id = "themeColors",
    responses((status = 200, body = Envelope<Vec<ThemeColor>>)))]
pub async fn theme_colors(caller: Caller) -> Json<Envelope<Vec<ThemeColor>>> {
    let mut themes = caller.app.sites.load().platform.themes.clone();
    themes.sort_by_key(|theme| theme.color_id);
    caller.ok(FromDomain::from_domain(themes))
}

/// The routes of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(header_config)).routes(routes!(footer_config)).routes(routes!(theme_colors))
}
