//! The navigation: channels filtered, named and resolved to links (specification sections 2 and 5).

use masthead_domain::{
    Lang,
    site::{Channel, Site, UNLISTED_CHANNEL_CODES},
};
use masthead_store::FirstResources;

use crate::{
    page::{
        channel_links::{ChannelLink, MenuPlace, Targets, leads_somewhere, link},
        types::MenuLink,
    },
    sites::addresses::Addresses,
};

/// Codes of channels whose children are not listed in the menu.
const CHILDLESS: [&str; 2] = ["home", "science"];

/// The menu in the page's language. `current` is the page's address.
#[must_use]
pub fn menu(site: &Site, addresses: &Addresses, targets: &Targets<'_>, current: &str) -> Vec<MenuLink> {
    let came_from = channel_of_article(site, targets.path, current);
    let level = |parent: i64, above: Option<usize>| -> Vec<MenuLink> {
        let listed = site.channels.iter().filter(|channel| channel.parent_id == parent && is_listed(channel));
        let listed = listed.filter(|channel| leads_somewhere(channel, addresses.lang, targets.languages));
        let named = listed.filter_map(|channel| Some((channel, channel.label(addresses.lang)?)));
        let links = named.enumerate().map(|(index, (channel, label))| {
            let place = MenuPlace { index, parent: above.unwrap_or(index), below: above.is_some() };
            let ChannelLink { href, new_tab } = link(site, channel, place, addresses, targets);
            MenuLink {
                id: channel.id,
                code: channel.code.clone(),
                label: label.to_owned(),
                current: !new_tab && (leads_to(&href, current, channel) || came_from == Some(channel.id)),
                href,
                new_tab,
                children: Vec::new(),
            }
        });
        let mut links: Vec<MenuLink> = links.collect();
        // Several channels may lead to one page; one of them is the current one.
        let first = links.iter().position(|link| link.current);
        for (index, link) in links.iter_mut().enumerate() {
            link.current = Some(index) == first;
        }
        links
    };
    let mut links = level(0, None);
    for (index, link) in links.iter_mut().enumerate().filter(|(_, link)| !CHILDLESS.contains(&link.code.as_str())) {
        link.children = level(link.id, Some(index));
    }
    links
}

/// Whether the address of a channel is that of the page. Pages that several channels share are told apart by the channel's number.
fn leads_to(href: &str, current: &str, channel: &Channel) -> bool {
    fn split(address: &str) -> (&str, &str) {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        (path.trim_end_matches('/'), query)
    }
    let ((path, query), (of_page, page_query)) = (split(href), split(current));
    let column = url::form_urlencoded::parse(page_query.as_bytes()).find(|(name, _)| name == "columnId");
    let is_other = |column: &str| column.parse() != Ok(channel.id);
    path == of_page && channel.code != "setStyle" && (query.is_empty() || !column.is_some_and(|(_, id)| is_other(&id)))
}

/// The channel from which a reader came to an article, as the address of the article says. `path` is the page's path within the site.
fn channel_of_article(site: &Site, path: &str, current: &str) -> Option<i64> {
    let first = path.split(['/', '?']).next()?;
    let first = site.aliases.get(first).map_or(first, String::as_str);
    let (_, query) = current.split_once('?').filter(|_| first == "article")?;
    let (_, id) = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "columnId")?;
    id.parse().ok()
}

fn is_listed(channel: &Channel) -> bool {
    channel.enable == "1" && !UNLISTED_CHANNEL_CODES.contains(&channel.code.as_str())
}

/// The place that a channel has in the menu.
#[must_use]
pub fn place(site: &Site, channel: &Channel, lang: Lang) -> MenuPlace {
    let position = |of: &Channel| {
        let level = site.channels.iter().filter(|one| one.parent_id == of.parent_id && is_listed(one));
        let mut named = level.filter(|one| one.label(lang).is_some());
        named.position(|one| one.id == of.id).unwrap_or_default()
    };
    let index = position(channel);
    let above = site.channels.iter().find(|one| one.id == channel.parent_id);
    MenuPlace { index, parent: above.map_or(index, position), below: above.is_some() }
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
/// with a configured link, and those that switch the language, lead to no page of their own.
#[must_use]
pub fn page_paths(site: &Site) -> Vec<(usize, String)> {
    let addresses = Addresses { base: String::new(), lang: site.default_lang() };
    let prefix = addresses.path("");
    let experts = FirstResources::default();
    let targets = Targets { issues: &[], experts: &experts, languages: &site.languages, path: "" };
    let has_page = |channel: &Channel| is_listed(channel) && !["jump", "setStyle"].contains(&channel.code.as_str());
    let listed = site.channels.iter().enumerate().filter(|(_, channel)| has_page(channel));
    let path = |channel: &Channel| {
        let address = link(site, channel, MenuPlace::default(), &addresses, &targets).href;
        let path = address.split('?').next().unwrap_or_default();
        path.strip_prefix(&prefix).unwrap_or(path).trim_end_matches('/').to_owned()
    };
    listed.map(|(index, channel)| (index, path(channel))).collect()
}

#[cfg(test)]
mod tests {
    use masthead_domain::publication::Issue;

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

    /// The menu of the English page with this address.
    fn english(site: &Site, issues: &[Issue], current: &str) -> Vec<MenuLink> {
        let addresses = Addresses { base: String::new(), lang: Lang::En };
        let experts = FirstResources::default();
        let targets = Targets { issues, experts: &experts, languages: &site.languages, path: "home" };
        menu(site, &addresses, &targets, current)
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
        let issues = [Issue { year: 2026, issue: "2".into(), ..Issue::default() }];
        let menu = english(&site(channels), &issues, "/en/home");
        assert_eq!(menu.iter().map(|link| link.id).collect::<Vec<_>>(), [1, 2]);
        assert!(menu[0].current && menu[0].children.is_empty(), "the home channel lists no children");
        assert_eq!(menu[1].children[0].href, "/en/issue/2026/2/");
        assert_eq!(menu[1].children[0].label, "Channel 3");
    }

    #[test]
    fn an_article_marks_the_channel_that_its_address_names() {
        let site = site(vec![channel(1, "home", 0), channel(2, "news", 0), channel(3, "aboutus", 2)]);
        let current = |path: &str| {
            let addresses = Addresses { base: String::new(), lang: Lang::En };
            let experts = FirstResources::default();
            let targets = Targets { issues: &[], experts: &experts, languages: &site.languages, path };
            let menu = menu(&site, &addresses, &targets, &addresses.path(path));
            let all = menu.iter().flat_map(|link| std::iter::once(link).chain(&link.children));
            all.filter(|link| link.current).map(|link| link.id).collect::<Vec<_>>()
        };
        assert_eq!(current("article/5?columnId=2"), [2]);
        assert_eq!(current("article/doi/10.5555/a?columnId=3"), [3]);
        assert!(current("article/5").is_empty() && current("issues?columnId=2").is_empty());
    }

    #[test]
    fn entries_know_their_places() {
        let channels =
            vec![channel(1, "home", 0), channel(2, "science", 0), channel(3, "news", 0), channel(4, "news", 3)];
        let menu = english(&site(channels.clone()), &[], "");
        let pair = |link: &MenuLink, name: &str| {
            let query = link.href.split_once('?').unwrap_or_default().1;
            let found = url::form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == name);
            found.map(|(_, value)| value.into_owned()).unwrap_or_default()
        };
        let place = |link: &MenuLink| ["index", "parentIndex", "columnId", "childId"].map(|name| pair(link, name));
        assert_eq!(place(&menu[2]), ["2", "2", "3", ""]);
        assert_eq!(place(&menu[2].children[0]), ["0", "2", "4", "4"]);
        let site = site(channels);
        let of = |index: usize| super::place(&site, &site.channels[index], Lang::En);
        assert_eq!(of(3), MenuPlace { index: 0, parent: 2, below: true });
        assert_eq!(of(2), MenuPlace { index: 2, parent: 2, below: false });
    }

    #[test]
    fn of_channels_that_share_a_page_one_is_current() {
        let site = site(vec![channel(1, "patent", 0), channel(2, "standard", 0), channel(3, "setStyle", 0)]);
        let current = |address: &str| {
            english(&site, &[], address).iter().filter(|link| link.current).map(|link| link.id).collect::<Vec<_>>()
        };
        assert_eq!(current("/en/currencyList?columnId=2"), [2]);
        assert_eq!(current("/en/currencyList"), [1]);
        assert!(current("/en/currencyList?columnId=7").is_empty());
        assert!(current("/zh/home").is_empty(), "a switch of the language is never the current page");
    }

    #[test]
    fn a_switch_of_the_language_needs_another_language() {
        let mut site = site(vec![channel(1, "setStyle", 0)]);
        assert_eq!(english(&site, &[], "/en/home")[0].href, "/zh/home");
        site.languages = vec![Lang::En];
        assert!(english(&site, &[], "/en/home").is_empty());
    }

    #[test]
    fn back_issues_lead_to_the_second_issue_or_to_all() {
        let issue = |number: &str| Issue { year: 2026, issue: number.into(), ..Issue::default() };
        let issues = [issue("3"), issue("2"), issue("1")];
        let mut site = site(vec![channel(1, "directory", 0), channel(2, "backissue", 0)]);
        site.publication.back_issue_style = 1;
        let hrefs = |site: &Site| english(site, &issues, "").into_iter().map(|link| link.href).collect::<Vec<_>>();
        assert_eq!(hrefs(&site), ["/en/issue/2026/3/", "/en/issue/2026/2/"]);
        site.publication.back_issue_style = 4;
        assert_eq!(hrefs(&site), ["/en/issue/2026/3/", "/en/issues/"]);
    }

    #[test]
    fn listed_channels_have_the_paths_of_their_pages() {
        let jump = Channel { link_value: "https://example.org/".into(), ..channel(4, "jump", 0) };
        let off = Channel { enable: "0".into(), ..channel(5, "home", 0) };
        let item = Channel { route: "onlineFirst".into(), ..channel(6, "item", 0) };
        let switch = channel(7, "setStyle", 0);
        let channels =
            vec![channel(1, "home", 0), channel(2, "carousel", 0), channel(3, "news", 0), jump, off, item, switch];
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
        let menu = english(&site(channels), &[], "/en/home");
        let listed: Vec<(i64, Vec<i64>)> =
            menu.iter().map(|link| (link.id, link.children.iter().map(|child| child.id).collect())).collect();
        assert_eq!(listed, [(1, vec![]), (2, vec![]), (3, vec![6])]);
    }
}
