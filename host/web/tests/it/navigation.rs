//! The navigation over HTTP: the menu by channel code, the page with the whole navigation, and the sites of a group.

use std::{path::Path, sync::LazyLock};

use masthead_domain::{SiteId, resource::Expert};
use masthead_test_support::{Portal, Setup, between, bootstrap, named};
use serde_json::{Value, json};

const CHANNELS: &str = r#"
id = 9301
name = { zh = "渠道", en = "Channels" }
languages = ["zh", "en"]
footer = { copyright = "版权", enCopyright = "Copyright", toolbarStyle = 2 }
header = { groupEntrance = "https://group.example.org/" }

[[channels]]
id = 1
code = "home"
name = "首页"
enName = "Home"
enable = "1"

[[channels]]
id = 20
code = "news"
name = "新闻"
enName = "News"
enable = "1"
newsDataType = "dynamic"

[[channels]]
id = 21
code = "editorial"
name = "编委会"
enName = "Editorial board"
enable = "1"
parentId = 20

[[channels]]
id = 22
code = "editorial"
name = "顾问"
enName = "Advisers"
enable = "1"
parentId = 20

[[channels]]
id = 23
code = "setStyle"
name = "English"
enName = "中文版"
enable = "1"

[[channels]]
id = 24
code = "jump"
name = "投稿"
enName = "Submit <b>"
enable = "1"
linkValue = "https://submit.example.org/"
"#;

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    let portal = Portal::start("navigation", Setup::default(), add_sites);
    // Before the first page, because nothing follows the change log here.
    portal.run(async {
        let site = portal.app.store.site(SiteId(9301));
        for (key, topic, position) in [("chief", "", 1), ("adviser", "22", 2), ("member", "22", 3)] {
            let expert = Expert { key: key.into(), topic: topic.into(), position, ..Expert::default() };
            site.save_resource(&expert).await.unwrap();
        }
    });
    portal
});

fn add_sites(sites: &Path) {
    let add = |sld: &str, text: &str| std::fs::write(sites.join(format!("{sld}.toml")), text).unwrap();
    add("channels", CHANNELS);
    std::fs::write(sites.join("groups/rivers.toml"), "# A group.\n").unwrap();
    let group = |sld: &str, id: u32, rest: &str| {
        let name = format!("name = {{ zh = \"{sld}\", en = \"{sld}\" }}");
        add(sld, &format!("id = {id}\ngroup = \"rivers\"\n{name}\n{rest}\n"));
    };
    group("rivers", 9310, "type = \"group\"\ngroupType = 1");
    group("rhine", 9311, "domains = [\"rhine.example.org\"]");
    group("amur", 9312, "");
    group("closedriver", 9313, "state = \"maintenance\"");
    // Sites that name others in place of the address of their group's site.
    for (sld, id, entrance, languages) in [
        ("delta", 9350, "rivers", "\"zh\", \"en\""),
        ("sluice", 9351, "weir", "\"zh\", \"en\""),
        ("weir", 9352, "weir", "\"en\""),
        ("canal", 9353, "closedriver", "\"zh\", \"en\""),
        ("ditch", 9354, "nosuchsite", "\"zh\", \"en\""),
        ("rill", 9355, "ebb", "\"zh\", \"en\""),
        ("ebb", 9356, "", "\"zh\", \"en\""),
    ] {
        add(
            sld,
            &format!(
                "id = {id}\nname = {{ en = \"{sld}\" }}\nlanguages = [{languages}]\nheader = {{ groupEntrance = \"{entrance}\" }}\n"
            ),
        );
    }
    for number in 0..13 {
        add(
            &format!("brook{number:02}"),
            &format!(
                "id = {}\ngroup = \"brooks\"\nname = {{ en = \"Brook {number:02}\" }}\n{}",
                9320 + number,
                if number == 0 { "groupType = 1" } else { "" }
            ),
        );
    }
    add("brook99", "id = 9340\ngroup = \"brooks\"\nname = { en = \"Brook 99\" }\n");
    std::fs::write(sites.join("groups/brooks.toml"), "# A group.\n").unwrap();
}

fn expert(key: &str) -> i64 {
    PORTAL.run(async {
        let site = PORTAL.app.store.site(SiteId(9301));
        site.resource_by_key::<Expert>(key).await.unwrap().map(|one| one.id).unwrap()
    })
}

/// The labels and addresses of a menu, both levels.
fn menu(bootstrap: &Value) -> Vec<(String, String)> {
    let entries = bootstrap["menu"].as_array().unwrap().iter();
    let both = entries.flat_map(|entry| std::iter::once(entry).chain(entry["children"].as_array().unwrap()));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    both.map(|entry| (text(&entry["label"]), text(&entry["href"]))).collect()
}

fn href(page: &str, label: &str) -> String {
    menu(&PORTAL.bootstrap("channels", page)).into_iter().find(|(name, _)| name == label).unwrap().1
}

#[test]
fn an_editorial_board_opens_at_the_first_expert_of_its_list() {
    assert_eq!(href("/en/home", "Advisers"), format!("/en/editorial-board/22/{}/", expert("adviser")));
    let board = format!("/en/editorial-board/21/{}/", expert("chief"));
    assert_eq!(href("/en/home", "Editorial board"), board, "the first of the site, where the board has none");
    let call = PORTAL.get("channels", "/rc-pub/front/site/getChannelList?siteId=9301").json();
    assert_eq!(call["data"]["menu"][1]["children"][0]["href"], board.replace("/en/", "/zh/"));
}

#[test]
fn a_style_channel_leads_to_the_same_page_in_the_other_language() {
    for path in ["home", "issues", "homeNav"] {
        assert_eq!(href(&format!("/en/{path}"), "中文版"), format!("/zh/{path}"));
        let page = PORTAL.page("channels", &format!("/en/{path}"));
        let header = between(&page, "<div class=\"slot\" data-slot=\"header\"", "</header>");
        assert!(header.contains(&format!("href=\"/zh/{path}\"")), "{path}: {header}");
        assert!(!header.contains("zq7mh"), "{path}: a placeholder is left");
    }
    assert_eq!(href("/zh/issues", "English"), "/en/issues");
}

#[test]
fn a_page_lists_the_whole_navigation() {
    let page = PORTAL.page("channels", "/en/homeNav");
    let main = between(&page, "<main", "</main>");
    for (label, href) in menu(&bootstrap(&page)) {
        let escaped = label.replace('<', "&lt;").replace('>', "&gt;");
        assert!(
            main.contains(&escaped) && main.contains(&format!("href=\"{}\"", href.replace('&', "&amp;"))),
            "{href}"
        );
    }
    let outside = named(main, "a").into_iter().find(|link| link.get("href") == "https://submit.example.org/").unwrap();
    assert_eq!((outside.get("target"), outside.get("rel")), ("_blank".to_owned(), "noopener".to_owned()));
    assert!(main.contains("<h1>Site navigation</h1>"), "{main}");
    assert!(PORTAL.page("channels", "/zh/homeNav").contains("<h1>全站导航</h1>"));
}

#[test]
fn the_pages_of_the_account_have_no_navigation() {
    for path in ["login", "quickLogin", "register", "forgetCode", "accountBinding", "personal", "personal/collect"] {
        let page = bootstrap(&PORTAL.get("channels", &format!("/en/{path}")).text());
        assert_eq!(page["menu"], json!([]), "{path}");
    }
    assert_ne!(PORTAL.bootstrap("channels", "/en/home")["menu"], json!([]));
}

#[test]
fn the_footer_links_the_main_pages_by_the_style_of_its_toolbar() {
    let footer = |site: &str| PORTAL.bootstrap(site, "/en/home")["footer"].clone();
    let labels = |footer: &Value| {
        let links = footer["links"].as_array().unwrap().iter();
        links
            .map(|link| format!("{} {}", link["label"].as_str().unwrap(), link["href"].as_str().unwrap()))
            .collect::<Vec<_>>()
    };
    assert_eq!(labels(&footer("channels")), ["Home /en/home", "Site navigation /en/homeNav", "Search /en/search"]);
    assert_eq!(labels(&footer("rhine")), ["Site navigation /en/homeNav"]);
    let page = PORTAL.page("channels", "/en/home");
    assert!(
        between(&page, "<footer", "</footer>").contains("href=\"/en/homeNav\""),
        "the footer is rendered by the host"
    );
}

#[test]
fn a_group_site_leads_to_the_open_sites_of_its_group() {
    let group = |host: &str, path: &str| bootstrap(&PORTAL.with(host, path, &[]).text())["header"]["group"].clone();
    let port = PORTAL.address.port();
    let site = |name: &str, href: String| json!({ "name": name, "href": href });
    let own = |sld: &str| site(sld, format!("http://{sld}.localhost/en/home/"));
    let of_hosts = group("rivers.localhost", "/en/home");
    assert_eq!(of_hosts["sites"], json!([own("amur"), own("rhine")]), "neither closed sites nor itself");
    assert_eq!(of_hosts["title"], "Sites of the group");
    let by_path = group(&format!("127.0.0.1:{port}"), "/rivers/en/home");
    let below = |sld: &str| site(sld, format!("/{sld}/en/home/"));
    assert_eq!(by_path["sites"], json!([below("amur"), below("rhine")]));
    assert_eq!(group("amur.localhost", "/en/home"), Value::Null, "a single site of the group leads nowhere");
    let entrance = PORTAL.bootstrap("channels", "/en/home")["header"].clone();
    assert_eq!(entrance["groupEntrance"], "https://group.example.org/");
    assert_eq!((&entrance["group"]["entrance"], &entrance["group"]["sites"]), (&json!("Group site"), &json!([])));
    let page = PORTAL.page("rivers", "/en/homeNav");
    assert!(between(&page, "<main", "</main>").contains("href=\"http://amur.localhost/en/home/\""));
}

/// The address of the group's site in the header of a page, and the name of the link to it.
fn entrance(host: &str, path: &str) -> (Value, Value) {
    let header = bootstrap(&PORTAL.with(host, path, &[]).text())["header"].clone();
    (header["groupEntrance"].clone(), header["group"]["entrance"].clone())
}

#[test]
fn the_short_name_of_a_groups_site_leads_to_its_home_page() {
    let link = |href: &str, name: &str| (json!(href), json!(name));
    assert_eq!(entrance("delta.localhost", "/en/home"), link("http://rivers.localhost/en/home/", "Group site"));
    assert_eq!(entrance("delta.localhost", "/zh/issues"), link("http://rivers.localhost/zh/home/", "集团网站"));
    let shared = format!("127.0.0.1:{}", PORTAL.address.port());
    assert_eq!(entrance(&shared, "/delta/en/home"), link("/rivers/en/home/", "Group site"));
    let other = entrance("sluice.localhost", "/zh/home");
    assert_eq!(other, link("http://weir.localhost/en/home/", "集团网站"), "a site without the reader's language");
    let call = "/rc-pub/front/site/getHeaderConfig";
    let of_call = |site: &str| {
        let answer = PORTAL.with(&format!("{site}.localhost"), call, &[("language", "zh")]);
        answer.json()["data"]["groupEntrance"].clone()
    };
    assert_eq!(of_call("delta"), "http://rivers.localhost/zh/home/");
    assert_eq!(of_call("channels"), "https://group.example.org/");
    for (site, why) in
        [("weir", "it is the group's site"), ("canal", "that site is closed"), ("ditch", "there is no such site")]
    {
        assert_eq!(entrance(&format!("{site}.localhost"), "/en/home"), (json!(""), Value::Null), "{why}");
        assert_eq!(of_call(site), "", "{why}");
    }
}

#[test]
fn a_page_follows_the_site_that_its_header_leads_to() {
    let link = || entrance("rill.localhost", "/en/home").0;
    assert_eq!(link(), "http://ebb.localhost/en/home/");
    let file = PORTAL.app.sites_folder.join("ebb.toml");
    let before = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, before.replace("languages = [\"zh\", \"en\"]", "languages = [\"zh\"]")).unwrap();
    PORTAL.run(PORTAL.app.reload());
    assert_eq!(link(), "http://ebb.localhost/zh/home/", "its language is gone");
    std::fs::write(&file, format!("state = \"maintenance\"\n{before}")).unwrap();
    PORTAL.run(PORTAL.app.reload());
    assert_eq!(link(), "", "it is closed");
}

#[test]
fn the_menu_of_a_large_group_ends_with_the_page_that_has_all_sites() {
    let home = PORTAL.bootstrap("brook00", "/en/home");
    let sites = home["header"]["group"]["sites"].as_array().unwrap();
    assert_eq!(sites.len(), 13);
    assert_eq!(sites[12], json!({ "name": "All sites of the group", "href": "/en/homeNav" }));
    let page = PORTAL.page("brook00", "/en/homeNav");
    assert!(between(&page, "<main", "</main>").contains("brook99.localhost"));
}
