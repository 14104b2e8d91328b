//! The personal centre as the host draws it, and the buttons for members on articles, resources, journals, lists and results.

use std::{path::Path, sync::LazyLock};

use masthead_test_support::{Portal, Setup, SignedUp, Tag, between, named};

static PORTAL: LazyLock<Portal> = LazyLock::new(|| Portal::start("personal-pages", Setup::default(), add_site));
/// A member of [`OCEAN`], whom no test changes.
static READER: LazyLock<SignedUp> = LazyLock::new(|| PORTAL.sign_up(OCEAN, "kittiwake", "kittiwake@example.org"));

const OCEAN: &str = "oceanledger";
const SEAGRASS: &str = "10.5555/ocl.2026.06.01.0001";

fn add_site(sites: &Path) {
    let without = "id = 9321\nname = { zh = \"无\", en = \"Without\" }\ndemo = [\"ocean-ledger\"]\naccounts = { enabled = false }\n";
    std::fs::write(sites.join("without.toml"), without).unwrap();
}

/// The content of a page as a member sees it.
fn for_reader(path: &str) -> String {
    let page = PORTAL.with("oceanledger.localhost", path, &[("cookie", READER.cookies.as_str())]);
    assert_eq!(page.status, 200, "{path}: {}", page.text());
    between(&page.text(), "<main", "</main>").to_owned()
}

/// The content of a page as a visitor sees it.
fn for_visitor(site: &str, path: &str) -> String {
    between(&PORTAL.page(site, path), "<main", "</main>").to_owned()
}

/// The buttons of a page for members, by what they do.
fn buttons(main: &str) -> Vec<String> {
    let all = named(main, "button");
    all.iter().map(|button| button.get("data-member")).filter(|name| !name.is_empty()).collect()
}

fn button(main: &str, name: &str) -> Tag {
    named(main, "button").into_iter().find(|button| button.get("data-member") == name).unwrap()
}

/// The addresses of the sign-in that a page links.
fn sign_ins(main: &str) -> Vec<String> {
    let links = named(main, "a").into_iter().map(|link| link.get("href"));
    links.filter(|href| href.starts_with("/en/login")).collect()
}

#[test]
fn the_personal_centre_has_an_address_for_each_tab() {
    let main = for_reader("/en/personal");
    assert!(main.contains("<h1>Personal center</h1>") && main.contains("wake"), "{main}");
    assert!(!main.contains("kittiwake"), "the name is masked: {main}");
    let tabs: Vec<String> = named(between(&main, "<nav class=\"tabs\"", "</nav>"), "a")
        .iter()
        .map(|link| link.get("href").rsplit_once("?tab=").unwrap().1.to_owned())
        .collect();
    assert_eq!(tabs, ["collect", "download", "history", "album", "infomation", "subscribe", "search", "account"]);
    for tab in &tabs {
        let main = for_reader(&format!("/en/personal?tab={tab}&page=2&keyword=sea"));
        let current: Vec<Tag> =
            named(&main, "a").into_iter().filter(|link| link.get("aria-current") == "page").collect();
        assert_eq!(current.len(), 1);
        assert_eq!(current[0].get("href"), format!("/en/personal?tab={tab}"));
        let places: Vec<String> =
            named(&main, "div").iter().map(|part| part.get("data-personal")).filter(|name| !name.is_empty()).collect();
        assert_eq!(places, [if tab == "account" { "data" } else { tab.as_str() }]);
        assert_eq!(main.contains("data-account-security"), tab == "account");
        assert!(main.contains("<noscript>"), "without scripts it says what it needs");
    }
    assert!(for_reader("/en/personal?tab=nothing").contains("data-personal=\"collect\""));
}

#[test]
fn the_personal_centre_is_kept_by_nobody_and_sends_visitors_to_the_sign_in() {
    let own = PORTAL.with("oceanledger.localhost", "/en/personal", &[("cookie", READER.cookies.as_str())]);
    assert!(own.header("cache-control").contains("no-store"), "{}", own.header("cache-control"));
    let main = for_visitor(OCEAN, "/en/personal");
    assert_eq!(sign_ins(&main), ["/en/login?url=%2Fen%2Fpersonal"]);
    assert!(!main.contains("data-personal"), "{main}");
    // A session of one site is none on another.
    let elsewhere = PORTAL.with("quietcircuits.localhost", "/en/personal", &[("cookie", READER.cookies.as_str())]);
    assert!(!elsewhere.text().contains("data-personal"));
}

#[test]
fn an_article_is_collected_by_members_and_leads_visitors_to_the_sign_in() {
    let path = format!("/en/article/{}", PORTAL.article(OCEAN, SEAGRASS));
    let main = for_reader(&path);
    assert_eq!(buttons(&main), ["collect", "add", "subscribe"]);
    assert!(main.contains(&format!("data-item=\"article {}\"", path.rsplit('/').next().unwrap())));
    assert_eq!(button(&main, "collect").get("aria-pressed"), "false");
    let suggested = button(&main, "subscribe");
    let keywords = suggested.get("data-keywords");
    assert_eq!(suggested.get("data-type"), "keywords");
    assert!((1..=5).contains(&keywords.split(';').count()) && !keywords.is_empty(), "{keywords}");

    let main = for_visitor(OCEAN, &path);
    assert_eq!(buttons(&main), ["subscribe"]);
    // To collect the article, and to comment on it.
    assert_eq!(sign_ins(&main), [(); 2].map(|()| format!("/en/login?url={}", path.replace('/', "%2F"))));
}

#[test]
fn resources_and_journals_are_items_too() {
    let list = for_visitor(OCEAN, "/en/audioList?type=video&index=-1");
    let video = named(&list, "li").into_iter().find(|card| card.get("data-kind") == "video").unwrap().get("data-id");
    let main = for_reader(&format!("/en/video/{video}"));
    assert_eq!(buttons(&main), ["collect", "add"]);
    assert!(main.contains(&format!("data-item=\"video {video}\"")), "{main}");
    let journal = for_reader("/en/mag");
    assert!(journal.contains("data-item=\"publication ocean-ledger\""), "{journal}");
}

#[test]
fn lists_offer_a_selection_and_what_can_be_subscribed_to() {
    for (path, alert) in
        [("/en/issue", Some("current")), ("/en/onlineFirst", Some("onlineFirst")), ("/en/justAccepted", None)]
    {
        let main = for_visitor(OCEAN, path);
        if main.contains("class=\"empty\"") {
            assert_eq!(buttons(&main), [""; 0], "{path}");
            continue;
        }
        let expected: Vec<&str> = alert.map(|_| "subscribe").into_iter().chain(["select"]).collect();
        assert_eq!(buttons(&main), expected, "{path}");
        if let Some(alert) = alert {
            assert_eq!(button(&main, "subscribe").get("data-type"), alert);
        }
    }
    assert_eq!(buttons(&for_visitor(OCEAN, "/en/audioList?type=video&index=-1")), ["select"]);
}

#[test]
fn results_are_saved_under_their_words() {
    let main = for_reader("/en/search?q=carbon");
    assert_eq!(buttons(&main), ["search", "subscribe", "select"]);
    assert_eq!(button(&main, "search").get("data-name"), "carbon");
    assert_eq!(button(&main, "subscribe").get("data-keywords"), "carbon");
    let main = for_visitor(OCEAN, "/en/search?q=carbon");
    assert_eq!(buttons(&main), ["subscribe", "select"]);
    assert_eq!(sign_ins(&main), ["/en/login?url=%2Fen%2Fsearch%3Fq%3Dcarbon"]);
    assert_eq!(buttons(&for_visitor(OCEAN, "/en/search?q=zqxjvwk")), [""; 0], "nothing was found");
}

#[test]
fn a_site_without_accounts_has_no_buttons_of_members() {
    let path = format!("/en/article/{}", PORTAL.article("without", SEAGRASS));
    let main = for_visitor("without", &path);
    assert_eq!((buttons(&main), sign_ins(&main)), (Vec::new(), Vec::new()));
    assert_eq!(buttons(&for_visitor("without", "/en/issue")), ["select"], "copying needs no account");
}
