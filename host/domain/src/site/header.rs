//! Header configuration (specification section 3: Header configuration, Custom button).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::search_type;
use crate::{
    lang::{Lang, LocalText},
    link,
};

/// Header configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Header {
    /// Language of a reader who has not chosen one.
    pub default_language: Option<Lang>,
    /// Whether the language switch is shown.
    pub switch_language: bool,
    /// Style id of the header; `[styles.nav]` maps it to a module.
    pub nav_style: i32,
    /// Whether the header stays at the top of the window.
    pub ceiling: bool,
    /// Whether the sign-in entry is shown.
    pub show_login: bool,
    /// Address of the group's site, or the short name of a site of this installation, or "". A short name leads to that site's home page in the
    /// reader's language, and nowhere while the site is closed or on that site itself.
    pub group_entrance: String,
    /// Whether the search widget is shown.
    pub search_box: bool,
    /// Whether the advanced search is linked.
    pub adv_search: bool,
    /// 1 = the search widget offers all scopes of `search.resourceType`; 0 = that of articles only.
    pub resource_search: i32,
    /// How the channels stand in the bar (`left`, `center`, `justify`), or "" for the style's own way.
    pub nav_distribution: String,
    /// Logo by language, address under the site's assets.
    pub logo: LocalText,
    /// The same for narrow screens; where there is none, `logo` is shown.
    pub mobile_logo: LocalText,
    /// The same for dark paper; where there is none, `logo` stands on a light plate.
    pub dark_logo: LocalText,
    /// Buttons; shown are at most 3, active and named in the reader's language.
    pub custom_button_list: Vec<CustomButton>,
    /// Buttons and style sheet as the specification's administration keeps them.
    pub config_data: ConfigData,
}

impl Header {
    /// The buttons shown to readers of this language.
    pub fn buttons(&self, lang: Lang) -> impl Iterator<Item = &CustomButton> {
        let all = self.custom_button_list.iter().chain(&self.config_data.custom_button_list);
        all.filter(move |button| button.is_shown(lang)).take(CustomButton::SHOWN)
    }

    /// The short name of the group's site; `None` where [`Self::group_entrance`] is an address, or "".
    #[must_use]
    pub fn group_site(&self) -> Option<&str> {
        let name = self.group_entrance.as_str();
        (!name.is_empty() && !link::is_own_or_web(name)).then_some(name)
    }

    /// Whether the search widget offers the scope of a type.
    #[must_use]
    pub fn offers_scope(&self, kind: &str) -> bool {
        self.resource_search != 0 || search_type(kind) == Some("article")
    }
}

impl Default for Header {
    fn default() -> Self {
        Self {
            default_language: None,
            switch_language: true,
            nav_style: 0,
            ceiling: false,
            show_login: true,
            group_entrance: String::new(),
            search_box: true,
            adv_search: true,
            resource_search: 1,
            nav_distribution: String::new(),
            logo: LocalText::default(),
            mobile_logo: LocalText::default(),
            dark_logo: LocalText::default(),
            custom_button_list: Vec::new(),
            config_data: ConfigData::default(),
        }
    }
}

/// The part of the header that administrators write freely (specification `configData`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ConfigData {
    /// Buttons, behind those of the header itself.
    pub custom_button_list: Vec<CustomButton>,
    /// A style sheet of the site's own. It is served as a file, never written into a page, applies below the site's root, and may load
    /// pictures of the site's assets only.
    pub css_content: String,
}

/// A button in the header.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct CustomButton {
    /// Chinese name, or "".
    pub custom_button_name: String,
    /// English name, or "".
    pub en_custom_button_name: String,
    /// Names by language. A name here goes before `customButtonName` and `enCustomButtonName`; readers of a language without a name get the
    /// English one.
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

impl CustomButton {
    /// Limit on the buttons that a header shows (specification section 5).
    pub const SHOWN: usize = 3;

    /// The name in this language, without fallback; `None` if it is missing or blank.
    #[must_use]
    pub fn own_label(&self, lang: Lang) -> Option<&str> {
        self.custom_button_names.exact_or(lang, &self.custom_button_name, &self.en_custom_button_name)
    }

    /// The name in this language; languages other than Chinese fall back to English. "" if there is none.
    #[must_use]
    pub fn label(&self, lang: Lang) -> &str {
        let english = || (lang != Lang::Zh).then(|| self.own_label(Lang::En)).flatten();
        self.own_label(lang).or_else(english).unwrap_or_default()
    }

    /// Whether the button is shown to readers of this language: it is active and has a name for them.
    #[must_use]
    pub fn is_shown(&self, lang: Lang) -> bool {
        self.custom_button_status == 1 && !self.label(lang).trim().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn button(name: &str, english: &str, status: i32) -> CustomButton {
        CustomButton {
            custom_button_name: name.into(),
            en_custom_button_name: english.into(),
            custom_button_status: status,
            ..CustomButton::default()
        }
    }

    #[test]
    fn buttons_are_active_named_in_the_language_and_at_most_three() {
        let own = vec![button("一", "One", 1), button("二", "", 1), button("三", "Three", 0)];
        let more = vec![button("四", "Four", 1), button(" ", "Five", 1), button("六", "Six", 1)];
        let header = Header {
            custom_button_list: own,
            config_data: ConfigData { custom_button_list: more, ..ConfigData::default() },
            ..Header::default()
        };
        let names = |lang| header.buttons(lang).map(|button| button.label(lang)).collect::<Vec<_>>();
        assert_eq!(names(Lang::Zh), ["一", "二", "四"]);
        assert_eq!(names(Lang::Fra), ["One", "Four", "Five"], "at most three, under their English names");
    }

    #[test]
    fn the_entrance_of_a_group_is_an_address_or_names_a_site() {
        let site = |entrance: &str| {
            let header = Header { group_entrance: entrance.into(), ..Header::default() };
            header.group_site().map(str::to_owned)
        };
        for address in ["", "https://rivers.example/", "/rivers/", "/rivers"] {
            assert_eq!(site(address), None, "{address}");
        }
        assert_eq!(site("rivers").as_deref(), Some("rivers"));
    }

    #[test]
    fn only_zero_limits_the_scopes_to_articles() {
        let offers =
            |resource_search: i32, kind: &str| Header { resource_search, ..Header::default() }.offers_scope(kind);
        for (kind, without) in [("article", true), ("thesis", true), ("publication", false), ("other", false)] {
            assert_eq!([0, 1, 2].map(|value| offers(value, kind)), [without, true, true], "{kind}");
            assert!(Header::default().offers_scope(kind), "{kind}: where nothing is set");
        }
    }

    #[test]
    fn a_button_has_names_in_all_languages() {
        let named = |texts: &[(Lang, &str)]| {
            let names = LocalText(texts.iter().map(|(lang, text)| (*lang, (*text).to_owned())).collect());
            CustomButton { custom_button_names: names, ..button("投稿", "Submit", 1) }
        };
        let submit = named(&[(Lang::Fra, "Soumettre"), (Lang::Ara, "إرسال"), (Lang::En, "Send"), (Lang::Ru, " ")]);
        let label = |lang| submit.label(lang);
        assert_eq!([label(Lang::Fra), label(Lang::Ara)], ["Soumettre", "إرسال"]);
        assert_eq!([label(Lang::Zh), label(Lang::En)], ["投稿", "Send"], "the map goes before the single fields");
        assert_eq!(
            [label(Lang::Ru), label(Lang::De)],
            ["Send", "Send"],
            "a language without a name gets the English one"
        );
        let only_map = CustomButton { custom_button_status: 1, ..named(&[(Lang::De, "Einreichen")]) };
        let only_map =
            CustomButton { custom_button_name: String::new(), en_custom_button_name: String::new(), ..only_map };
        assert!(only_map.is_shown(Lang::De) && !only_map.is_shown(Lang::Zh) && !only_map.is_shown(Lang::Fra));
    }
}
