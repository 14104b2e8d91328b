//! The navigation: channels filtered, named and resolved to links (specification sections 2 and 5).

use masthead_domain::{
    Lang,
    publication::Issue,
    site::{Channel, Site, UNLISTED_CHANNEL_CODES},
};

use crate::{page::types::MenuLink, sites::addresses::Addresses};

/// The style of back issues that lists all of them on one page.
const ALL_ISSUES: i32 = 4;

/// Codes of channels whose children are not listed in the menu.
const CHILDLESS: [&str; 2] = ["home", "science"];

/// The menu in the page's language. `current` is the page's address; `issues` are the issues of the site's first
/// journal, newest first.
#[must_use]
pub fn menu(site: &Site, addresses: &Addresses, issues: &[Issue], current: &str) -> Vec<MenuLink> {
    let level = |parent: i64| {
        site.channels
            .iter()
            .filter(|channel| is_listed(channel))
            .filter(move |channel| channel.parent_id == parent)
            .filter_map(|channel| {
                let label = channel.label(addresses.lang)?.to_owned();
                let (href, new_tab) = target(site, channel, addresses, issues);
                let current =
                    href.split('?').next().unwrap_or_default().trim_end_matches('/') == current.trim_end_matches('/');
                Some(MenuLink {
                    id: channel.id,
                    code: channel.code.clone(),
                    label,
                    href,
                    new_tab,
                    current,
                    children: Vec::new(),
                })
            })
    };
    level(0)
        .map(|mut link| {
            if !CHILDLESS.contains(&link.code.as_str()) {
                link.children = level(link.id).collect();
            }
            link
        })
        .collect()
}

fn is_listed(channel: &Channel) -> bool {
    channel.enable == "1" && !UNLISTED_CHANNEL_CODES.contains(&channel.code.as_str())
}

/// The channels that the menu lists in a language: enabled, named, not of an excluded code, and no child of the home or
/// science channel (specification section 5).
pub fn listed_channels(site: &Site, lang: Lang) -> impl Iterator<Item = &Channel> {
    let childless =
        |id: i64| site.channels.iter().any(|parent| parent.id == id && CHILDLESS.contains(&parent.code.as_str()));
    site.channels
        .iter()
        .filter(move |channel| is_listed(channel) && channel.label(lang).is_some() && !childless(channel.parent_id))
}

/// The paths of the pages that listed channels lead to, without prefix, language and query: `(position of the channel, path)`. Channels
/// with a configured link lead to no page of the host.
#[must_use]
pub fn page_paths(site: &Site) -> Vec<(usize, String)> {
    let addresses = Addresses { base: String::new(), lang: site.default_lang() };
    let prefix = addresses.path("");
    let listed = site.channels.iter().enumerate().filter(|(_, channel)| is_listed(channel) && channel.code != "jump");
    let path = |channel: &Channel| {
        let (address, _) = target(site, channel, &addresses, &[]);
        let path = address.split('?').next().unwrap_or_default();
        path.strip_prefix(&prefix).unwrap_or(path).trim_end_matches('/').to_owned()
    };
    listed.map(|(index, channel)| (index, path(channel))).collect()
}

/// The address of a channel, and whether it opens in a new tab.
#[must_use]
pub fn target(site: &Site, channel: &Channel, addresses: &Addresses, issues: &[Issue]) -> (String, bool) {
    let issue = |index: usize| match issues.get(index) {
        Some(issue) => format!("issue/{}/{}/", issue.year, issue.issue),
        None => "issues/".to_owned(),
    };
    let path = match channel.code.as_str() {
        "jump" => return (channel.link_value.clone(), true),
        "home" => "home/".to_owned(),
        "directory" => issue(0),
        "backissue" if site.publication.back_issue_style == ALL_ISSUES => "issues/".to_owned(),
        "backissue" => issue(1),
        "singleFirst" => "onlineFirst/".to_owned(),
        "latestOffer" => "justAccepted/".to_owned(),
        "periodIntroduce" => format!("about/{}/", channel.id),
        "aboutus" => format!("aboutus/{}/", channel.id),
        _ if !channel.route.is_empty() => format!("{}/", channel.route),
        code => format!("{code}?columnId={}&childId={}", channel.id, channel.parent_id),
    };
    (addresses.path(&path), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel(id: i64, code: &str, parent: i64) -> Channel {
        Channel {
            id,
            code: code.into(),
            name: format!("栏目{id}"),
            en_name: format!("Channel {id}"),
            enable: "1".into(),
            parent_id: parent,
            ..Channel::default()
        }
    }

    fn site(channels: Vec<Channel>) -> Site {
        let value = serde_json::json!({"id": 1, "sld": "s", "name": {"en": "S"}, "colorId": 1, "languages": ["zh", "en"], "header": {}});
        Site { channels, ..serde_json::from_value(value).unwrap_or_else(|error| unreachable!("{error}")) }
    }

    #[test]
    fn channels_are_filtered_and_nested() {
        let mut disabled = channel(5, "aboutus", 0);
        disabled.enable = "0".into();
        let mut unnamed = channel(6, "aboutus", 0);
        unnamed.en_name.clear();
        let channels = vec![
            channel(1, "home", 0),
            channel(2, "issueMenu", 0),
            channel(3, "directory", 2),
            channel(4, "contact", 0),
            disabled,
            unnamed,
            channel(7, "backissue", 1),
        ];
        let addresses = Addresses { base: String::new(), lang: Lang::En };
        let issues = [Issue { year: 2026, issue: "2".into(), ..Issue::default() }];
        let menu = menu(&site(channels), &addresses, &issues, "/en/home");
        assert_eq!(menu.iter().map(|link| link.id).collect::<Vec<_>>(), [1, 2]);
        assert!(menu[0].current && menu[0].children.is_empty(), "the home channel lists no children");
        assert_eq!(menu[1].children[0].href, "/en/issue/2026/2/");
        assert_eq!(menu[1].children[0].label, "Channel 3");
    }

    #[test]
    fn channel_codes_resolve_to_the_addresses_of_the_specification() {
        let addresses = Addresses { base: "/s".into(), lang: Lang::Zh };
        let site = site(Vec::new());
        let at = |code: &str| target(&site, &channel(9, code, 0), &addresses, &[]).0;
        assert_eq!(at("home"), "/s/zh/home/");
        assert_eq!(at("directory"), "/s/zh/issues/", "before the first issue");
        assert_eq!(at("latestOffer"), "/s/zh/justAccepted/");
        assert_eq!(at("singleFirst"), "/s/zh/onlineFirst/");
        assert_eq!(at("periodIntroduce"), "/s/zh/about/9/");
        assert_eq!(at("aboutus"), "/s/zh/aboutus/9/");
        let jump = Channel { link_value: "https://example.org/".into(), ..channel(9, "jump", 0) };
        assert_eq!(target(&site, &jump, &addresses, &[]), ("https://example.org/".to_owned(), true));
    }

    #[test]
    fn back_issues_lead_to_the_second_issue_or_to_all() {
        let addresses = Addresses { base: String::new(), lang: Lang::En };
        let issue = |number: &str| Issue { year: 2026, issue: number.into(), ..Issue::default() };
        let issues = [issue("3"), issue("2"), issue("1")];
        let mut site = site(Vec::new());
        site.publication.back_issue_style = 1;
        let at = |site: &Site, code: &str| target(site, &channel(9, code, 0), &addresses, &issues).0;
        assert_eq!(at(&site, "directory"), "/en/issue/2026/3/");
        assert_eq!(at(&site, "backissue"), "/en/issue/2026/2/");
        site.publication.back_issue_style = ALL_ISSUES;
        assert_eq!(at(&site, "backissue"), "/en/issues/");
    }

    #[test]
    fn listed_channels_have_the_paths_of_their_pages() {
        let jump = Channel { link_value: "https://example.org/".into(), ..channel(4, "jump", 0) };
        let off = Channel { enable: "0".into(), ..channel(5, "home", 0) };
        let item = Channel { route: "onlineFirst".into(), ..channel(6, "item", 0) };
        let channels = vec![channel(1, "home", 0), channel(2, "carousel", 0), channel(3, "news", 0), jump, off, item];
        let paths = page_paths(&site(channels));
        assert_eq!(paths, [(0, "home".to_owned()), (2, "news".to_owned()), (5, "onlineFirst".to_owned())]);
    }

    #[test]
    fn excluded_channels_are_not_listed() {
        let excluded = "situation reader contact carousel quick selnews rank selmag selarticle priority column introduce \
                        subaboutus subcontact first selPicture";
        let mut channels = vec![channel(1, "home", 0), channel(2, "science", 0), channel(3, "aboutus", 0)];
        channels.extend([channel(4, "aboutus", 1), channel(5, "aboutus", 2), channel(6, "aboutus", 3)]);
        for (id, code) in (10..).zip(excluded.split_whitespace()) {
            channels.extend([channel(id, code, 0), channel(id + 100, code, 3)]);
        }
        let addresses = Addresses { base: String::new(), lang: Lang::En };
        let menu = menu(&site(channels), &addresses, &[], "/en/home");
        let listed: Vec<(i64, Vec<i64>)> =
            menu.iter().map(|link| (link.id, link.children.iter().map(|child| child.id).collect())).collect();
        assert_eq!(listed, [(1, vec![]), (2, vec![]), (3, vec![6])]);
    }
}
