//! Parts of a site's configuration (specification section 3: Site, Channel, Theme color, Custom button).

use masthead_domain::site as domain;
use serde::Serialize;
use utoipa::ToSchema;

use crate::schema::{
    conversion::{FromDomain, schema},
    lang::LocalText,
};

schema! {
    /// Specification "type" of a site.
    #[derive(Clone, Copy, Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum SiteKind of domain::SiteKind {
        /// One journal.
        #[default]
        Single,
        /// A group of journals.
        Group,
        /// Everything.
        All,
    }
}

schema! {
    /// A navigation channel.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Channel of domain::Channel {
        /// Number within the site.
        pub id: i64,
        /// Code that determines the target of the link (specification section 2, "Menu links by channel code").
        pub code: String,
        /// Chinese name.
        pub name: String,
        /// English name.
        pub en_name: String,
        /// Names by language.
        pub names: LocalText,
        /// `"1"` = enabled.
        pub enable: String,
        /// Parent's id, 0 at the top.
        pub parent_id: i64,
        /// Configured link of a `jump` or `newLink` channel; for a channel with texts, the code of these texts.
        pub link_value: String,
        /// Route of an `item` channel.
        pub route: String,
        /// Number of the banner above the page, or 0.
        pub banner_id: i64,
        /// Tab of the news that the channel opens with, or "".
        pub news_data_type: String,
        /// Style id of the page, or 0.
        pub style_id: i32,
        /// Key of the composite page that the channel shows, or "".
        pub new_composite_id: String,
    }
}

schema! {
    /// Display settings of a site for its journals (specification: publication configuration).
    #[derive(Debug, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct PublicationConfig of domain::PublicationConfig {
        /// Style id of the back issues; 4 lists them all on one page.
        pub back_issue_style: i32,
        /// Whether issues are listed by year.
        pub group_by_year: bool,
        /// Whether the oldest issue comes first.
        pub period_asc: bool,
        /// Whether an article's page begins with its abstract.
        pub show_abstract: bool,
    }
}

impl Default for PublicationConfig {
    fn default() -> Self {
        Self::from_domain(domain::PublicationConfig::default())
    }
}

schema! {
    /// A button in the header.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct CustomButton of domain::CustomButton {
        /// Chinese name, or "".
        pub custom_button_name: String,
        /// English name, or "".
        pub en_custom_button_name: String,
        /// Names by language.
        pub custom_button_names: LocalText,
        /// Address.
        pub custom_button_link_value: String,
        /// 1 = active.
        pub custom_button_status: i32,
        /// Picture for narrow screens, under the sites' assets, or "".
        pub custom_button_mobile_url: String,
        /// Picture for wide screens, under the sites' assets, or "".
        pub custom_button_pc_url: String,
    }
}

schema! {
    /// A search scope (specification "Search config entry").
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct ResourceType of domain::ResourceType {
        /// `article`, `publication`, `picture`, `table`, `video`, `audio`, `other`.
        #[serde(rename = "type")]
        pub kind: String,
        /// Code (`article` is also called thesis).
        pub code: String,
        /// Name on the tab.
        pub name: LocalText,
        /// 1 shows the option selector.
        pub is_open_config: i32,
    }
}

schema! {
    /// A theme preset (specification "Theme color").
    #[derive(Debug, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct ThemeColor of domain::ThemeColor {
        /// 1 to 11.
        pub color_id: u8,
        /// A name for administrators.
        pub name: String,
        /// Colours on light paper.
        pub light: ThemeTokens,
        /// Colours on dark paper.
        pub dark: ThemeTokens,
    }
}

schema! {
    /// The colours of one preset, `#rrggbb`.
    #[derive(Debug, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct ThemeTokens of domain::ThemeTokens {
        /// Links, headings, buttons.
        pub theme_color_primary: String,
        /// Primary colour under the pointer.
        pub theme_color_hover_primary: String,
        /// Companion colour for accents.
        pub other_color: String,
        /// Tinted background.
        pub bg_opacity: String,
        /// Line under the header.
        pub bottom_line_color: String,
    }
}
