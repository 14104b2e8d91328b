//! The link of a channel, by its code (specification section 2, "Menu links by channel code").

use masthead_domain::{
    Lang,
    publication::Issue,
    site::{Channel, Site},
};
use masthead_store::FirstResources;
use url::form_urlencoded::Serializer;

use crate::sites::addresses::{Addresses, encoded_path};

/// The style of back issues that lists all of them on one page.
const ALL_ISSUES: i32 = 4;
/// The style of the page to which channels for other languages lead.
const LANGUAGE_STYLE: i32 = 4;

/// What the links of channels depend on besides the site's configuration.
#[derive(Clone, Copy, Debug)]
pub struct Targets<'a> {
    /// The issues of the site's first journal, newest first.
    pub issues: &'a [Issue],
    /// The first expert of each channel of an editorial board.
    pub experts: &'a FirstResources,
    /// The site's languages, with those that plugins add.
    pub languages: &'a [Lang],
    /// The path of the page within the site, after the language segment: what a channel that switches the language leads to.
    pub path: &'a str,
}

/// The place of a channel in the menu.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MenuPlace {
    /// Position on its level, from 0.
    pub index: usize,
    /// Position of the entry above it; of the entry itself on the first level.
    pub parent: usize,
    /// Whether it stands on the second level.
    pub below: bool,
}

/// The link of a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelLink {
    /// Complete address.
    pub href: String,
    /// Whether it opens in a new tab.
    pub new_tab: bool,
}

/// Whether a channel leads anywhere. One that switches the language does only where there is another language.
#[must_use]
pub fn leads_somewhere(channel: &Channel, lang: Lang, languages: &[Lang]) -> bool {
    channel.code != "setStyle" || other_language(lang, languages).is_some()
}

/// The language to which a page is switched: between Chinese and English, and from any other to the first of the site's.
fn other_language(lang: Lang, languages: &[Lang]) -> Option<Lang> {
    let toggled = if lang == Lang::Zh { Lang::En } else { Lang::Zh };
    let others = languages.iter().copied().filter(|other| *other != lang);
    others.clone().find(|other| *other == toggled).or_else(|| others.clone().next())
}

/// The link of a channel.
#[must_use]
pub fn link(
    site: &Site,
    channel: &Channel,
    place: MenuPlace,
    addresses: &Addresses,
    targets: &Targets<'_>,
) -> ChannelLink {
    match channel.code.as_str() {
        "jump" => ChannelLink { href: channel.link_value.clone(), new_tab: true },
        "setStyle" => {
            let lang = other_language(addresses.lang, targets.languages).unwrap_or(addresses.lang);
            let path = if targets.path.is_empty() { "home" } else { targets.path };
            ChannelLink { href: Addresses { lang, ..addresses.clone() }.path(path), new_tab: false }
        }
        code => {
            let with_query = || format!("{}?{}", page_with_query(site, code), query(channel, place, addresses.lang));
            let path = path(site, channel, targets).unwrap_or_else(with_query);
            ChannelLink { href: addresses.path(&path), new_tab: false }
        }
    }
}

/// The path of a channel whose page needs no query; `None` for the others.
fn path(site: &Site, channel: &Channel, targets: &Targets<'_>) -> Option<String> {
    let id = channel.id;
    let issue = |index: usize| match targets.issues.get(index) {
        Some(issue) => format!("issue/{}/{}/", issue.year, encoded_path([issue.issue.as_str()])),
        None => "issues/".to_owned(),
    };
    Some(match channel.code.as_str() {
        "home" => "home/".to_owned(),
        "directory" => issue(0),
        "backissue" if site.publication.back_issue_style == ALL_ISSUES => "issues/".to_owned(),
        "backissue" => issue(1),
        "singleFirst" => "onlineFirst/".to_owned(),
        "latestOffer" => "justAccepted/".to_owned(),
        "periodIntroduce" => format!("about/{id}/"),
        "aboutus" => format!("aboutus/{id}/"),
        "virtualAlbum" | "newAlbum" => format!("collectionList/{id}/"),
        "newItem" | "item" => match channel.route.trim_matches('/') {
            "" => format!("info/{id}/"),
            route => format!("{route}/"),
        },
        "newNews" => format!("newsInfo/{id}/0/"),
        "newComposite" => format!("newcomposite/{id}/"),
        "editorial" => match targets.experts.of(&channel.topic()) {
            Some(expert) => format!("editorial-board/{id}/{expert}/"),
            None => format!("editorial-board/{id}/"),
        },
        _ => return None,
    })
}

/// The page of a channel that it tells by a query which channel it is.
fn page_with_query<'a>(site: &Site, code: &'a str) -> &'a str {
    match code {
        "newLink" => "newLink1",
        "newLeaguage" => "newLeaguage",
        "conference" | "prePublication" => "newArticle",
        "mixed" | "videoManuscript" => "currencyList",
        "news" => "news",
        code if site.common_codes.iter().any(|common| common == code) => "currencyList",
        code => code,
    }
}

/// The parameters that such a page gets: those that the specification names, in its order.
fn query(channel: &Channel, place: MenuPlace, lang: Lang) -> String {
    let mut query = Serializer::new(String::new());
    let number = |number: i64| if number == 0 { String::new() } else { number.to_string() };
    let (id, code) = (channel.id.to_string(), channel.code.as_str());
    let child = if place.below { id.as_str() } else { "" };
    query
        .append_pair("columnId", &id)
        .append_pair("columnName", channel.label(lang).unwrap_or_default())
        .append_pair("index", &place.index.to_string())
        .append_pair("parentIndex", &place.parent.to_string())
        .append_pair("bannerId", &number(channel.banner_id))
        .append_pair("code", code);
    if code == "newLeaguage" {
        query
            .append_pair("columnEnName", channel.own_label(Lang::En).unwrap_or_default())
            .append_pair("styleId", &LANGUAGE_STYLE.to_string());
    } else {
        query
            .append_pair("newsDataType", &channel.news_data_type)
            .append_pair("newCompositeId", &channel.new_composite_id);
    }
    query.append_pair("childId", child);
    if code == "videoManuscript" {
        query.append_pair("styleId", &number(channel.style_id.into()));
    }
    query.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel(id: i64, code: &str) -> Channel {
        Channel {
            id,
            code: code.into(),
            name: format!("栏目{id}"),
            en_name: format!("Channel {id}"),
            enable: "1".into(),
            ..Channel::default()
        }
    }

    fn site() -> Site {
        let value = serde_json::json!({
            "id": 1, "sld": "s", "name": { "en": "S" }, "colorId": 1, "languages": ["zh", "en"], "header": {},
        });
        serde_json::from_value(value).unwrap_or_else(|error| unreachable!("{error}"))
    }

    fn at(channel: &Channel, lang: Lang, languages: &[Lang], path: &str) -> ChannelLink {
        let addresses = Addresses { base: "/s".into(), lang };
        let experts = FirstResources::default();
        let targets = Targets { issues: &[], experts: &experts, languages, path };
        let place = MenuPlace { index: 2, parent: 2, below: false };
        link(&site(), channel, place, &addresses, &targets)
    }

    fn of(channel: &Channel) -> String {
        at(channel, Lang::Zh, &[Lang::Zh, Lang::En], "home").href
    }

    #[test]
    fn channel_codes_resolve_to_the_addresses_of_the_specification() {
        for (code, expected) in [
            ("home", "home/"),
            ("directory", "issues/"),
            ("latestOffer", "justAccepted/"),
            ("singleFirst", "onlineFirst/"),
            ("periodIntroduce", "about/9/"),
            ("aboutus", "aboutus/9/"),
            ("virtualAlbum", "collectionList/9/"),
            ("newAlbum", "collectionList/9/"),
            ("newItem", "info/9/"),
            ("item", "info/9/"),
            ("newNews", "newsInfo/9/0/"),
            ("newComposite", "newcomposite/9/"),
            ("editorial", "editorial-board/9/"),
        ] {
            assert_eq!(of(&channel(9, code)), format!("/s/zh/{expected}"), "{code}");
        }
        let jump = Channel { link_value: "https://example.org/".into(), ..channel(9, "jump") };
        let link = at(&jump, Lang::Zh, &[], "");
        assert_eq!((link.href.as_str(), link.new_tab), ("https://example.org/", true));
    }

    #[test]
    fn an_item_leads_to_its_route_or_to_its_page_of_text() {
        let routed = |route: &str| Channel { route: route.into(), ..channel(9, "item") };
        assert_eq!(of(&routed("onlineFirst")), "/s/zh/onlineFirst/");
        assert_eq!(of(&routed("/issue/2026/1/")), "/s/zh/issue/2026/1/");
        assert_eq!(of(&routed("")), "/s/zh/info/9/");
    }

    #[test]
    fn pages_of_several_channels_get_the_parameters_of_the_specification() {
        let pairs = |href: &str| -> (String, Vec<(String, String)>) {
            let (path, query) = href.split_once('?').unwrap_or((href, ""));
            (path.to_owned(), url::form_urlencoded::parse(query.as_bytes()).into_owned().collect())
        };
        let given = Channel {
            banner_id: 4,
            news_data_type: "dynamic".into(),
            new_composite_id: "front".into(),
            style_id: 6,
            ..channel(9, "news")
        };
        let expected = [
            ("columnId", "9"),
            ("columnName", "栏目9"),
            ("index", "2"),
            ("parentIndex", "2"),
            ("bannerId", "4"),
            ("code", "news"),
            ("newsDataType", "dynamic"),
            ("newCompositeId", "front"),
            ("childId", ""),
        ];
        let owned = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        assert_eq!(pairs(&of(&given)), ("/s/zh/news".to_owned(), owned(&expected)));
        for (code, path) in [
            ("newLink", "newLink1"),
            ("conference", "newArticle"),
            ("prePublication", "newArticle"),
            ("mixed", "currencyList"),
            ("patent", "currencyList"),
            ("standard", "currencyList"),
            ("onlineVideo", "currencyList"),
            ("science", "science"),
            ("anything", "anything"),
        ] {
            let mut expected = expected;
            expected[5].1 = code;
            let link = of(&Channel { code: code.into(), ..given.clone() });
            assert_eq!(pairs(&link), (format!("/s/zh/{path}"), owned(&expected)), "{code}");
        }
        let (path, query) = pairs(&of(&Channel { code: "videoManuscript".into(), ..given.clone() }));
        assert_eq!(
            (path.as_str(), query.last()),
            ("/s/zh/currencyList", Some(&("styleId".to_owned(), "6".to_owned())))
        );
    }

    #[test]
    fn a_channel_for_other_languages_gets_nine_parameters() {
        let link = of(&Channel { banner_id: 4, ..channel(9, "newLeaguage") });
        let (path, query) = link.split_once('?').unwrap_or_default();
        let names: Vec<(String, String)> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let names: Vec<(&str, &str)> = names.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(path, "/s/zh/newLeaguage");
        assert_eq!(
            names,
            [
                ("columnId", "9"),
                ("columnName", "栏目9"),
                ("index", "2"),
                ("parentIndex", "2"),
                ("bannerId", "4"),
                ("code", "newLeaguage"),
                ("columnEnName", "Channel 9"),
                ("styleId", "4"),
                ("childId", ""),
            ]
        );
    }

    #[test]
    fn a_style_channel_switches_the_language_of_the_page() {
        let switch = channel(9, "setStyle");
        let to = |lang, languages: &[Lang]| at(&switch, lang, languages, "issue/2026/1").href;
        assert_eq!(to(Lang::Zh, &[Lang::Zh, Lang::En]), "/s/en/issue/2026/1");
        assert_eq!(to(Lang::En, &[Lang::Fra, Lang::En, Lang::Zh]), "/s/zh/issue/2026/1");
        assert_eq!(to(Lang::En, &[Lang::En, Lang::Fra]), "/s/fra/issue/2026/1");
        assert!(!leads_somewhere(&switch, Lang::Zh, &[Lang::Zh]), "there is no other language");
    }

    #[test]
    fn an_editorial_board_opens_at_its_first_expert() {
        let addresses = Addresses { base: String::new(), lang: Lang::En };
        let experts = FirstResources { first: Some(3), by_section: [("9".to_owned(), 7)].into() };
        let targets = Targets { issues: &[], experts: &experts, languages: &[], path: "" };
        let at = |id| link(&site(), &channel(id, "editorial"), MenuPlace::default(), &addresses, &targets).href;
        assert_eq!(at(9), "/en/editorial-board/9/7/");
        assert_eq!(at(10), "/en/editorial-board/10/3/", "a board without experts of its own has the site's");
    }

    #[test]
    fn the_number_of_an_issue_is_encoded() {
        let addresses = Addresses { base: String::new(), lang: Lang::En };
        let issues = [Issue { year: 2026, issue: "S 1/2".into(), ..Issue::default() }];
        let experts = FirstResources::default();
        let targets = Targets { issues: &issues, experts: &experts, languages: &[], path: "" };
        let link = link(&site(), &channel(9, "directory"), MenuPlace::default(), &addresses, &targets);
        assert_eq!(link.href, "/en/issue/2026/S%201%2F2/");
    }
}
