//! A site as its configuration describes it (specification section 3: Site, Header configuration, Footer config, Channel,
//! Theme color, Custom button). Keys are the specification's, in camel case, as they stand in `sites/*.toml`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    access::Permissions,
    ids::SiteId,
    lang::{Lang, LocalText},
    plugin_use::PluginUse,
};

/// Everything that makes one site different from another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Site {
    /// The site's number.
    pub id: SiteId,
    /// Short name: first path segment and first label of its host names. Comes from the file's name.
    pub sld: String,
    /// Host names without port, besides `<sld>.<platform domain>`.
    #[serde(default)]
    pub domains: Vec<String>,
    /// Name of the group in `sites/groups/` that it belongs to, or "".
    #[serde(default)]
    pub group: String,
    /// The site's name.
    pub name: LocalText,
    /// A sentence for search engines.
    #[serde(default)]
    pub description: LocalText,
    /// Key words for search engines.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// `single`, `group` or `all`.
    #[serde(default, rename = "type")]
    pub kind: SiteKind,
    /// 1 for a group site, which navigates differently.
    #[serde(default)]
    pub group_type: i32,
    /// `active`, `maintenance`, `expired` or `forbidden` (status 10001).
    #[serde(default)]
    pub state: SiteState,
    /// Theme preset, 1 to 11.
    pub color_id: u8,
    /// 0 colours, 1 greys the index element, anything else greys the whole page.
    #[serde(default)]
    pub gray_type: i32,
    /// Interface languages in the order of the switch; the first is the default when the header names none.
    pub languages: Vec<Lang>,
    /// Header configuration.
    pub header: Header,
    /// Footer configuration.
    #[serde(default)]
    pub footer: Footer,
    /// Search widget.
    #[serde(default)]
    pub search: SearchConfig,
    /// Navigation channels in order; children name their parent.
    #[serde(default)]
    pub channels: Vec<Channel>,
    /// First path segments that stand for another route: `hssArticle = "article"`.
    #[serde(default)]
    pub aliases: BTreeMap<String, String>,
    /// Whether signed-in readers may comment on articles; an editor shows what they write.
    #[serde(default)]
    pub enable_comment: bool,
    /// Site permissions before any plugin.
    #[serde(default)]
    pub permissions: Permissions,
    /// Plugins in the order of the chain.
    #[serde(default)]
    pub plugins: Vec<PluginUse>,
    /// Modules per slot that the site names itself, besides those of its styles.
    #[serde(default)]
    pub slots: BTreeMap<String, Vec<SlotUse>>,
    /// What libraries and search engines are offered.
    #[serde(default)]
    pub library: Library,
    /// Journals of the demo that are seeded into this site.
    #[serde(default)]
    pub demo: Vec<String>,
}

impl Site {
    /// The language of a reader who has not chosen one.
    #[must_use]
    pub fn default_lang(&self) -> Lang {
        self.header
            .default_language
            .filter(|lang| self.languages.contains(lang))
            .or_else(|| self.languages.first().copied())
            .unwrap_or(Lang::Zh)
    }
}

/// Specification "type" of a site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SiteKind {
    /// One journal.
    #[default]
    Single,
    /// A group of journals.
    Group,
    /// Everything.
    All,
}

/// Whether a site answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SiteState {
    /// It answers.
    #[default]
    Active,
    /// The maintenance page, 503.
    Maintenance,
    /// The expired page, 403: the reader is to ask the enterprise administrator.
    Expired,
    /// Lookup status 10001: the forbidden page, 403.
    Forbidden,
}

/// Header configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Header {
    /// Language of a reader who has not chosen one.
    pub default_language: Option<Lang>,
    /// Whether the language switch is shown.
    pub switch_language: bool,
    /// Style id of the header; `[styles.nav]` maps it to a module.
    pub nav_style: i32,
    /// Whether the sign-in entry is shown.
    pub show_login: bool,
    /// Address of the group's site, or "".
    pub group_entrance: String,
    /// Whether the search widget is shown.
    pub search_box: bool,
    /// Whether the advanced search is linked.
    pub adv_search: bool,
    /// Logo by language, address under the site's assets.
    pub logo: LocalText,
    /// Buttons; shown are at most 3, active and named in the reader's language.
    pub custom_button_list: Vec<CustomButton>,
}

impl Default for Header {
    fn default() -> Self {
        Self {
            default_language: None,
            switch_language: true,
            nav_style: 0,
            show_login: true,
            group_entrance: String::new(),
            search_box: true,
            adv_search: true,
            logo: LocalText::default(),
            custom_button_list: Vec::new(),
        }
    }
}

/// A button in the header.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct CustomButton {
    /// Chinese name, or "".
    pub custom_button_name: String,
    /// English name, or "".
    pub en_custom_button_name: String,
    /// Address.
    pub custom_button_link_value: String,
    /// 1 = active.
    pub custom_button_status: i32,
}

/// Footer configuration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Footer {
    /// Chinese copyright line.
    pub copyright: String,
    /// English copyright line.
    pub en_copyright: String,
    /// ICP filing number.
    pub icp: String,
    /// Address that the filing number links to.
    pub link_address: String,
    /// Public-security record number.
    pub picp: String,
    /// Address that the record links to.
    pub picp_link: String,
    /// Toolbar style.
    pub toolbar_style: i32,
}

/// Search widget and scopes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SearchConfig {
    /// Style id of the widget; `[styles.search]` maps it to a module.
    pub style: i32,
    /// Title above the widget, where the style shows one.
    pub title: LocalText,
    /// Lines under the title.
    pub slogans: Vec<LocalText>,
    /// Scopes in order (`resourceType`).
    pub resource_type: Vec<ResourceType>,
    /// Words offered below the widget.
    pub hot_words: Vec<LocalText>,
}

/// A search scope (specification "Search config entry").
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ResourceType {
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

/// A navigation channel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Channel {
    /// Number within the site.
    pub id: i64,
    /// Code that decides where it leads (specification section 2, "Menu links by channel code").
    pub code: String,
    /// Chinese name.
    pub name: String,
    /// English name.
    pub en_name: String,
    /// Names in further languages.
    pub names: LocalText,
    /// `"1"` = enabled.
    pub enable: String,
    /// Parent's id, 0 at the top.
    pub parent_id: i64,
    /// Configured link of a `jump` channel.
    pub link_value: String,
    /// Route of an `item` channel.
    pub route: String,
}

impl Channel {
    /// The name in exactly this language; other languages than Chinese and English fall back to English.
    #[must_use]
    pub fn label(&self, lang: Lang) -> Option<&str> {
        let own = match lang {
            Lang::Zh => self.name.as_str(),
            Lang::En => self.en_name.as_str(),
            other => self.names.exact(other).unwrap_or(self.en_name.as_str()),
        };
        Some(own.trim()).filter(|name| !name.is_empty())
    }
}

fn empty_object() -> serde_json::Value {
    serde_json::Value::Object(serde_json::Map::new())
}

/// A module that a site puts into a slot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SlotUse {
    /// Module id.
    pub module: String,
    /// Properties.
    #[serde(default = "empty_object")]
    pub props: serde_json::Value,
}

/// What a site offers to libraries and search engines: everything, unless it is switched off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Library {
    /// Harvesting by OAI-PMH.
    pub oai: bool,
    /// RSS and Atom.
    pub feeds: bool,
    /// Sitemaps.
    pub sitemap: bool,
    /// Typed links and link sets of articles (FAIR signposting).
    pub signposting: bool,
    /// E-mail address for harvesters; "" stands for the postmaster of the site's domain.
    pub contact: String,
}

impl Default for Library {
    fn default() -> Self {
        Self { oai: true, feeds: true, sitemap: true, signposting: true, contact: String::new() }
    }
}

/// A theme preset (specification "Theme color").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ThemeColor {
    /// 1 to 11.
    pub color_id: u8,
    /// A name for administrators.
    pub name: String,
    /// Colours on light paper.
    pub light: ThemeTokens,
    /// Colours on dark paper.
    pub dark: ThemeTokens,
}

/// The colours of one preset, `#rrggbb`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ThemeTokens {
    /// Links, headings, buttons.
    pub theme_color_primary: String,
    /// The same under the pointer.
    pub theme_color_hover_primary: String,
    /// Companion colour for accents.
    pub other_color: String,
    /// Tinted background.
    pub bg_opacity: String,
    /// Line under the header.
    pub bottom_line_color: String,
}
