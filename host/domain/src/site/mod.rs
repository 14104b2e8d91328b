//! A site's configuration (specification section 3: Site, Header configuration, Footer config, Channel, Theme color, Custom
//! button). Keys are those of the specification in camel case, as in `sites/*.toml`.

mod accounts;
mod features;
mod header;
mod home;
mod library;
mod pictures;
mod providers;
mod retention;
mod search;
mod theme;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    access::{Permissions, SiteAccess},
    ids::SiteId,
    lang::{Lang, LocalText},
    plugin_use::PluginUse,
};

pub use self::{
    accounts::{Accounts, SessionTimes},
    features::{AiConfig, FunctionalControl, PublicationConfig},
    header::{ConfigData, CustomButton, Header},
    home::{Home, HomeKind, HomeLayout, HomeMeasure, HomePlace, HomeSection, HomeSlide, HomeUnit},
    library::Library,
    providers::{IdentityProvider, NewMembers, ProviderKind},
    retention::Retention,
    search::{
        MAX_FIELD_WEIGHT, MAX_SEARCH_TERM, MAX_STOP_WORDS, MAX_SYNONYM_LISTS, MAX_SYNONYMS_OF_LIST, QuickEntry,
        ResourceType, SearchCondition, SearchConfig, SearchField, SearchWeights, advanced_fields, search_fields,
        search_type,
    },
    theme::{ThemeColor, ThemeTokens},
};

/// Everything that makes one site different from another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Site {
    /// The site's number.
    pub id: SiteId,
    /// Short name: first path segment and first label of its host names. Comes from the file's name.
    pub sld: String,
    /// Host names without port, besides `<sld>.<platform domain>`.
    #[serde(default)]
    pub domains: Vec<String>,
    /// The one host under which search engines and readers are to know the site.
    #[serde(default)]
    pub canonical: CanonicalHost,
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
    /// Style id of the home page's arrangement.
    #[serde(default)]
    pub template_id: i32,
    /// Theme preset, 1 to 11.
    pub color_id: u8,
    /// 0 colours, 1 greys the index element, anything else greys the whole page.
    #[serde(default)]
    pub gray_type: i32,
    /// 1 where readers sign in at the group's user management.
    #[serde(default)]
    pub umt_flag: i32,
    /// A second logo (a seal, an anniversary), under the sites' assets, or "".
    #[serde(default)]
    pub logo1: String,
    /// A picture of the site for lists of sites, under the sites' assets, or "".
    #[serde(default)]
    pub picture_url: String,
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
    /// What the home page consists of.
    #[serde(default)]
    pub home: Home,
    /// How the site shows its journals.
    #[serde(default)]
    pub publication: PublicationConfig,
    /// Channel codes that lead to the common list of resources.
    #[serde(default = "common_codes")]
    pub common_codes: Vec<String>,
    /// What the assistant is called, where its plugin does not say so.
    #[serde(default)]
    pub ai: AiConfig,
    /// Functions that the magazine has switched on.
    #[serde(default)]
    pub functional_control: Vec<FunctionalControl>,
    /// Navigation channels in order; children name their parent.
    #[serde(default)]
    pub channels: Vec<Channel>,
    /// First path segments that stand for another route: `hssArticle = "article"`.
    #[serde(default)]
    pub aliases: BTreeMap<String, String>,
    /// Whether signed-in readers may comment on articles; an editor shows what they write.
    #[serde(default)]
    pub enable_comment: bool,
    /// Site permissions before any plugin: what the site offers at all. `access` says to whom.
    #[serde(default)]
    pub permissions: Permissions,
    /// Who may read full texts and download.
    #[serde(default)]
    pub access: SiteAccess,
    /// Whether everyone may read the articles that are marked as open access, whatever `permissions` and `access` say, and download them
    /// where `access` limits downloads.
    #[serde(default)]
    pub open_access_for_all: bool,
    /// How long what members leave behind is kept.
    #[serde(default)]
    pub retention: Retention,
    /// Plugins in the order of the chain.
    #[serde(default)]
    pub plugins: Vec<PluginUse>,
    /// Modules per slot that the site names itself, besides those of its styles.
    #[serde(default)]
    pub slots: BTreeMap<String, Vec<SlotUse>>,
    /// Time zone (IANA name) in which days, months and years of counts begin, and in which times are written.
    #[serde(default = "time_zone")]
    pub time_zone: String,
    /// What libraries and search engines are offered.
    #[serde(default)]
    pub library: Library,
    /// Accounts of readers.
    #[serde(default)]
    pub accounts: Accounts,
    /// Journals of the demo that are seeded into this site.
    #[serde(default)]
    pub demo: Vec<String>,
}

impl Site {
    /// The language for readers who have not chosen one.
    #[must_use]
    pub fn default_lang(&self) -> Lang {
        self.header
            .default_language
            .filter(|lang| self.languages.contains(lang))
            .or_else(|| self.languages.first().copied())
            .unwrap_or(Lang::Zh)
    }

    /// Whether it is a site of a group of journals, which leads to the other sites of its group.
    #[must_use]
    pub fn is_group_site(&self) -> bool {
        self.group_type == 1 || self.kind != SiteKind::Single
    }

    /// The first of the site's domains, or its name below the platform's domain `platform`.
    #[must_use]
    pub fn first_domain(&self, platform: &str) -> String {
        let own = || format!("{}.{platform}", self.sld);
        self.domains.first().cloned().unwrap_or_else(own).to_lowercase()
    }

    /// The part of OAI identifiers that names the site: the configured one, else its first domain. It does not depend on the host name of
    /// the request.
    #[must_use]
    pub fn oai_namespace(&self, platform: &str) -> String {
        let pinned = &self.library.oai_namespace;
        if pinned.is_empty() { self.first_domain(platform) } else { pinned.clone() }
    }

    /// The topics (specification `topicId`) of the channels that show an editorial board.
    pub fn editorial_topics(&self) -> impl Iterator<Item = String> {
        self.channels.iter().filter(|channel| channel.code == "editorial" && channel.enable == "1").map(Channel::topic)
    }
}

/// The one host of a site that has several: its domains, its name below the platform's domain, and the shared host with its short name
/// in the path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct CanonicalHost {
    /// Host name without port, one of the site's; "" if no host is preferred. The canonical links of pages name it, and the site is also
    /// found under its domains with `www.` before them, or without it.
    pub host: String,
    /// Whether pages that are requested at another host of the site are redirected there. Calls never are. A reverse proxy must pass on
    /// the host that the reader asked for.
    pub redirect: bool,
}

/// Specification "type" of a site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

/// Footer configuration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Footer {
    /// Chinese copyright line.
    pub copyright: String,
    /// English copyright line.
    pub en_copyright: String,
    /// Copyright lines by language. A line here goes before `copyright` and `enCopyright`; readers of a language without a line get the
    /// English one.
    pub copyrights: LocalText,
    /// ICP filing number.
    pub icp: String,
    /// Address that the filing number links to.
    pub link_address: String,
    /// Public-security record number.
    pub picp: String,
    /// Address that the record links to.
    pub picp_link: String,
    /// Style id of the footer; `[styles.footer]` maps it to a module. `footer-default` links the whole navigation with 0, all main pages as
    /// text with 1, and with icons with any other.
    pub toolbar_style: i32,
}

impl Footer {
    /// The copyright line in this language, without fallback; `None` if it is missing or blank.
    #[must_use]
    pub fn own_copyright(&self, lang: Lang) -> Option<&str> {
        self.copyrights.exact_or(lang, &self.copyright, &self.en_copyright)
    }

    /// The copyright line in this language, else in English, else in Chinese, else in any, else "".
    #[must_use]
    pub fn copyright_line(&self, lang: Lang) -> &str {
        let known = [lang, Lang::En, Lang::Zh].into_iter().find_map(|lang| self.own_copyright(lang));
        known.unwrap_or_else(|| self.copyrights.get(lang))
    }
}

/// The codes of channels that menus list, as far as the specification names them (section 2, "Menu links by channel code", and section 5).
const LISTED_CHANNEL_CODES: [&str; 27] = [
    "home",
    "directory",
    "backissue",
    "singleFirst",
    "latestOffer",
    "jump",
    "newLink",
    "periodIntroduce",
    "aboutus",
    "virtualAlbum",
    "newAlbum",
    "newLeaguage",
    "newItem",
    "item",
    "newNews",
    "newComposite",
    "editorial",
    "conference",
    "prePublication",
    "mixed",
    "videoManuscript",
    "setStyle",
    "news",
    "onlineVideo",
    "patent",
    "standard",
    "science",
];

/// The codes of channels that are never listed in a menu (specification section 5).
pub const UNLISTED_CHANNEL_CODES: [&str; 16] = [
    "situation",
    "reader",
    "contact",
    "carousel",
    "quick",
    "selnews",
    "rank",
    "selmag",
    "selarticle",
    "priority",
    "column",
    "introduce",
    "subaboutus",
    "subcontact",
    "first",
    "selPicture",
];

/// Whether a channel code is one of the specification. A channel with another code leads to the page whose address begins with the code,
/// if there is one.
#[must_use]
pub fn is_channel_code(code: &str) -> bool {
    LISTED_CHANNEL_CODES.contains(&code) || UNLISTED_CHANNEL_CODES.contains(&code)
}

/// A navigation channel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Channel {
    /// Number within the site.
    pub id: i64,
    /// Code that determines the target of the link (specification section 2, "Menu links by channel code").
    pub code: String,
    /// Chinese name.
    pub name: String,
    /// English name.
    pub en_name: String,
    /// Names by language. A name here goes before `name` and `enName`; readers of a language without a name get the English one.
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
    /// Arrangement of the list that the channel leads to: 1 pictures beside each other, 2 entries one below the other, 0 as suits its content.
    pub style_id: i32,
    /// Key of the composite page that the channel shows, or "".
    pub new_composite_id: String,
}

impl Channel {
    /// The name in this language, without fallback; `None` if it is missing or blank.
    #[must_use]
    pub fn own_label(&self, lang: Lang) -> Option<&str> {
        self.names.exact_or(lang, &self.name, &self.en_name).map(str::trim)
    }

    /// The key of the topic under which the channel's experts are listed: its number.
    #[must_use]
    pub fn topic(&self) -> String {
        self.id.to_string()
    }

    /// The name in this language; languages other than Chinese and English fall back to English. `None` if it is blank.
    #[must_use]
    pub fn label(&self, lang: Lang) -> Option<&str> {
        let english = || (lang != Lang::Zh).then(|| self.own_label(Lang::En)).flatten();
        self.own_label(lang).or_else(english)
    }
}

/// The default list of the specification (section 2, "codes in the common-codes list").
fn common_codes() -> Vec<String> {
    ["onlineVideo", "patent", "standard"].map(str::to_owned).to_vec()
}

/// The default of the specification (section 1).
fn time_zone() -> String {
    "Asia/Shanghai".to_owned()
}

fn empty_object() -> serde_json::Value {
    serde_json::Value::Object(serde_json::Map::new())
}

/// A module that a site puts into a slot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SlotUse {
    /// Module id.
    pub module: String,
    /// Properties.
    #[serde(default = "empty_object")]
    pub props: serde_json::Value,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_footer_has_a_copyright_line_in_every_language() {
        let old = Footer { copyright: "版权".into(), en_copyright: "Copyright".into(), ..Footer::default() };
        let line = |lang| old.copyright_line(lang);
        assert_eq!([line(Lang::Zh), line(Lang::En), line(Lang::Fra)], ["版权", "Copyright", "Copyright"]);
        let texts = LocalText([(Lang::Fra, "Droits".to_owned()), (Lang::Ara, "حقوق".to_owned())].into());
        let new = Footer { copyrights: texts.clone(), ..old };
        assert_eq!([new.copyright_line(Lang::Fra), new.copyright_line(Lang::Ara)], ["Droits", "حقوق"]);
        assert_eq!([new.copyright_line(Lang::Kor), new.copyright_line(Lang::Zh)], ["Copyright", "版权"]);
        let only_map = Footer { copyrights: texts, ..Footer::default() };
        assert!(!only_map.copyright_line(Lang::De).is_empty(), "a line in another language is better than none");
        assert_eq!(only_map.own_copyright(Lang::De), None);
    }

    #[test]
    fn a_channel_falls_back_to_its_english_name_except_in_chinese() {
        let names = LocalText([(Lang::Fra, "Accueil".to_owned()), (Lang::Zh, "首页".to_owned())].into());
        let channel = Channel { en_name: "Home".into(), names, ..Channel::default() };
        assert_eq!((channel.label(Lang::Fra), channel.label(Lang::Zh)), (Some("Accueil"), Some("首页")));
        assert_eq!((channel.label(Lang::De), channel.own_label(Lang::De)), (Some("Home"), None));
        let english = Channel { en_name: "Home".into(), ..Channel::default() };
        assert_eq!(english.label(Lang::Zh), None, "a channel without a Chinese name is not listed in Chinese");
    }
}
