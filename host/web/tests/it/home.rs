//! Home pages that are composed from configuration.

use std::{
    path::Path,
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use masthead_domain::SiteId;
use masthead_store::{Count, Searched};
use masthead_test_support::{Portal, Setup, between, listed, named};

const FRONT: SiteId = SiteId(9101);
const SEAGRASS: &str = "10.5555/ocl.2026.06.01.0001";
const TIDAL: &str = "10.5555/ocl.2025.05.04.0211";

/// One test at a time: some of them change what is counted, and move the clock.
fn portal() -> MutexGuard<'static, Portal> {
    static PORTAL: LazyLock<Mutex<Portal>> =
        LazyLock::new(|| Mutex::new(Portal::start("home", Setup::default(), add_sites)));
    PORTAL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A site with every kind of section, one with several journals, and one as it was before there was a composition.
fn add_sites(sites: &Path) {
    let add = |sld: &str, text: &str| std::fs::write(sites.join(format!("{sld}.toml")), text).unwrap();
    add(
        "front",
        r#"id = 9101
name = { zh = "前", en = "Front" }
languages = ["en", "zh"]
group = "fronts"
demo = ["ocean-ledger"]
search = { hotWords = [{ zh = "潮汐", en = "Tides" }] }
channels = [{ id = 7, code = "home", name = "读者", enName = "Readers", enable = "1" }, { id = 8, code = "home", enName = "Others", enable = "1" }]
[home]
layout = "newspaper"
sections = [
  { kind = "hero" },
  { kind = "carousel", slides = [
    { picture = "slides/a.svg", link = "issues", title = { en = "All of it" }, text = { en = "A sentence" } },
    { picture = "slides/b.svg", link = "https://example.org/", title = { en = "Elsewhere" } },
    { picture = "slides/c.svg", title = { en = "Nowhere <b>" } },
  ] },
  { kind = "contents", place = "main", size = 2 },
  { kind = "rankings", place = "side", size = 2, title = { en = "Read and taken" } },
  { kind = "onlineFirst", place = "side" },
  { kind = "justAccepted", place = "main" },
  { kind = "currentIssue" },
  { kind = "latest" },
  { kind = "plugins" },
  { kind = "news", newsType = "information", size = 2 },
  { kind = "carousel" },
  { kind = "albums" },
  { kind = "hotWords", size = 3 },
  { kind = "statistics" },
  { kind = "links" },
  { kind = "journals" },
  { kind = "sites" },
  { kind = "statistics", channel = 7, unit = "10k" },
]
"#,
    );
    add(
        "pair",
        "id = 9102\nname = { zh = \"双\", en = \"Pair\" }\ndescription = { en = \"Two journals\" }\nlanguages = [\"en\"]\ngroup = \"fronts\"\n\
         demo = [\"script-and-stone\", \"quiet-circuits\"]\n[home]\nlayout = \"portal\"\nsections = [{ kind = \"journals\" }, { kind = \"latest\" }, { kind = \"currentIssue\" }]\n",
    );
    add(
        "plain",
        "id = 9103\nname = { zh = \"素\", en = \"Plain\" }\nlanguages = [\"en\"]\ndemo = [\"ocean-ledger\"]\n",
    );
    add(
        "empty",
        "id = 9104\nname = { en = \"Empty\" }\nlanguages = [\"en\"]\n[home]\nsections = [{ kind = \"latest\" }, { kind = \"news\" }, { kind = \"albums\" }, { kind = \"links\" }, { kind = \"currentIssue\" }, { kind = \"journals\" }, { kind = \"carousel\" }, { kind = \"statistics\" }, { kind = \"sites\" }, { kind = \"rankings\" }, { kind = \"hotWords\" }]\n",
    );
    std::fs::write(sites.join("groups/fronts.toml"), "").unwrap();
}

fn main_of(page: &str) -> String {
    let (_, main) = page.split_once("<main").unwrap();
    main.split("</main>").next().unwrap().to_owned()
}

/// A section of a page with this kind.
fn section(page: &str, kind: &str) -> String {
    let (_, rest) = page.split_once(&format!("data-kind=\"{kind}\"")).unwrap_or_else(|| panic!("{kind}: {page}"));
    rest.split("</section>").next().unwrap().to_owned()
}

/// Where the link beside the heading of a section leads.
fn all_of(section: &str) -> String {
    let more = named(section, "a").into_iter().find(|link| link.get("class") == "block-more");
    more.unwrap_or_else(|| panic!("no link to all: {section}")).get("href")
}

fn kinds(page: &str) -> Vec<String> {
    named(page, "section").iter().map(|tag| tag.get("data-kind")).filter(|kind| !kind.is_empty()).collect()
}

#[test]
fn sections_stand_in_the_configured_order_under_one_heading() {
    let page = portal().page("front", "/en/home");
    let main = main_of(&page);
    assert_eq!(named(&main, "h1").len(), 1, "{main}");
    assert_eq!(
        kinds(&main),
        [
            "contents",
            "justAccepted",
            "rankings",
            "onlineFirst",
            "currentIssue",
            "latest",
            "news",
            "albums",
            "hotWords",
            "statistics",
            "links",
            "journals",
            "sites"
        ]
    );
    assert!(main.contains("data-layout=\"newspaper\"") && main.contains("Read and taken</h2>"), "{main}");
    let at = |part: &str| main.find(part).unwrap_or_else(|| panic!("{part}: {main}"));
    assert!(at("data-kind=\"latest\"") < at("data-slot=\"home.sections\""), "plugins stand where they are configured");
    assert!(at("data-slot=\"home.sections\"") < at("data-kind=\"news\""));
    assert!(!main.contains("style=\""), "a strict policy for styles");
    let ids: Vec<String> =
        named(&main, "section").iter().map(|tag| tag.get("id")).filter(|id| !id.is_empty()).collect();
    let mut unique = ids.clone();
    unique.dedup();
    assert_eq!(ids, unique);
    let home = portal().page("pair", "/en/home");
    assert!(
        home.contains("<h1 class=\"visually-hidden\">Pair</h1>"),
        "a page without a head has a heading all the same"
    );
}

#[test]
fn nothing_configured_is_the_journal_with_its_current_issue() {
    let main = main_of(&portal().page("plain", "/en/home"));
    assert!(!main.contains("class=\"home\"") && kinds(&main).is_empty(), "{main}");
    let at = |part: &str| main.find(part).unwrap_or_else(|| panic!("{part}: {main}"));
    assert!(at("class=\"home-hero\"") < at("Current issue") && at("Current issue") < at("data-slot=\"home.sections\""));
    assert_eq!(named(&main, "section").len(), 2, "{main}");
}

#[test]
fn slides_are_those_of_the_configuration_or_news_with_a_picture() {
    let main = main_of(&portal().page("front", "/en/home"));
    let carousels: Vec<&str> = main.split("<section class=\"carousel\"").skip(1).collect();
    assert_eq!(carousels.len(), 2);
    let first = carousels[0].split("</section>").next().unwrap();
    let links: Vec<(String, String)> = named(first, "a").iter().map(|a| (a.get("href"), a.get("rel"))).collect();
    let elsewhere = ("https://example.org/".to_owned(), "noopener external".to_owned());
    assert_eq!(links, [("/en/issues".to_owned(), String::new()), elsewhere]);
    assert!(first.contains("Nowhere &lt;b&gt;") && first.contains("src=\"/assets/sites/slides/c.svg\""), "{first}");
    assert!(first.contains("1 / 3") && first.contains("data-pause=\"Pause the slides\""), "{first}");
    // Without scripts, the row is scrolled with the keyboard.
    assert!(first.contains("<ul class=\"carousel-track\" tabindex=\"0\""), "{first}");
    let news = carousels[1].split("</section>").next().unwrap();
    assert!(news.contains("/en/newsDetails/"), "{news}");
    for picture in named(news, "img") {
        assert_eq!(portal().get("front", &picture.get("src")).status, 200, "{}", picture.get("src"));
    }
}

/// Counts on the portal's day, and searches of three readers.
fn count(portal: &Portal, article: i64, before: i64, visits: i64, downloads: i64) {
    let day = portal.app.counting.today_of(FRONT) - before;
    let counts = [Count { site: FRONT, kind: "article".into(), entity: article, day, visits, downloads }];
    let words = ["r", "s", "t"].map(|reader| Searched {
        site: FRONT,
        day,
        words: "salt <marsh>".into(),
        reader: reader.to_owned(),
    });
    portal.run(portal.app.store.add_counts(&counts, &words)).unwrap();
}

#[test]
fn rankings_have_the_measures_and_windows_of_the_specification() {
    let portal = portal();
    let (seagrass, tidal) = (portal.article("front", SEAGRASS), portal.article("front", TIDAL));
    count(&portal, seagrass, 200, 40, 1);
    count(&portal, tidal, 10, 7, 9);
    // What was built before is kept for some minutes.
    portal.advance(Duration::from_secs(1200));
    let ranking = |path: &str| section(&portal.page("front", path), "rankings");
    let ranked = |path: &str| -> Vec<(i64, String)> {
        let list = ranking(path);
        let entries = list.split("<li>").filter(|entry| entry.contains("class=\"headline\""));
        let entry = |text: &str| {
            let href = between(text, "class=\"headline\" href=\"", "\"").to_owned();
            let id = href.rsplit('/').next().unwrap().parse().unwrap();
            (id, between(text, "<bdi dir=\"ltr\">", "</bdi>").to_owned())
        };
        entries.map(entry).collect()
    };
    let row = |id: i64, count: &str| (id, count.to_owned());
    assert_eq!(ranked("/en/home"), [row(seagrass, "40"), row(tidal, "7")], "views of all time are shown first");
    assert_eq!(ranked("/en/home?by=visits&months=3"), [row(tidal, "7")]);
    assert_eq!(ranked("/en/home?by=downloads&months=12"), [row(tidal, "9"), row(seagrass, "1")]);
    let all = ranking("/en/home?by=downloads&months=12");
    let links: Vec<String> =
        named(&all, "a").iter().filter(|link| link.get("rel") == "nofollow").map(|link| link.get("href")).collect();
    let windows: Vec<String> =
        [0, 3, 6, 12, 24, 36].iter().map(|months| format!("/en/home?by=downloads&months={months}#home-4")).collect();
    assert_eq!(links[..2], ["/en/home?by=visits&months=12#home-4", "/en/home?by=downloads&months=12#home-4"]);
    assert_eq!(links[2..], windows);
    let shown: Vec<String> =
        named(&all, "a").iter().filter(|link| link.has("aria-current")).map(|link| link.get("href")).collect();
    assert_eq!(shown, [links[1].clone(), links[5].clone()]);
    let page = portal.page("front", "/en/home?by=downloads&months=12");
    let canonical = named(&page, "link").into_iter().find(|link| link.get("rel") == "canonical").unwrap();
    assert!(canonical.get("href").ends_with("/en/home"), "{}", canonical.get("href"));
}

#[test]
fn invented_rankings_are_the_first_one_and_take_no_room_in_the_page_cache() {
    let portal = portal();
    portal.page("front", "/en/home");
    let before = portal.app.pages.keys().len();
    for odd in ["by=citations", "months=7", "by=visits&months=012", "by=%00", "months=99999999999999999999"] {
        let page = portal.page("front", &format!("/en/home?{odd}"));
        assert!(section(&page, "rankings").contains("aria-current"), "{odd}");
    }
    assert_eq!(portal.app.pages.keys().len(), before);
    portal.page("front", "/en/home?months=6");
    assert_eq!(portal.app.pages.keys().len(), before + 1);
}

#[test]
fn a_page_with_usage_is_built_again_after_some_minutes() {
    let portal = portal();
    portal.advance(Duration::from_secs(1200));
    let words = |portal: &Portal| section(&portal.page("front", "/en/home"), "hotWords");
    let before = words(&portal);
    assert!(before.contains("<bdi>Tides</bdi>"), "words of the configuration come first: {before}");
    count(&portal, portal.article("front", SEAGRASS), 0, 0, 0);
    assert_eq!(words(&portal), before, "it is kept");
    portal.advance(Duration::from_secs(1200));
    let after = words(&portal);
    assert!(after.contains("salt &lt;marsh&gt;") && after.contains("?q=salt%20%3Cmarsh%3E\""), "{after}");
}

#[test]
fn statistics_are_the_numbers_of_the_call_as_a_table_with_bars() {
    let portal = portal();
    let call = "/rc-pub/front/resource-statistics/getResourceCountsStatistic";
    let counts = portal.with("front.localhost", call, &[("language", "en")]).json()["data"].clone();
    let chart = section(&portal.page("front", "/en/home"), "statistics");
    let number = |name: &str| -> i64 {
        let (_, row) = chart.split_once(&format!("<th scope=\"row\">{name}</th>")).unwrap_or_else(|| panic!("{chart}"));
        between(row, "<bdi dir=\"ltr\">", "</bdi>").parse().unwrap()
    };
    assert_eq!(number("Articles"), counts["articleCounts"].as_i64().unwrap());
    assert_eq!(number("Journals"), counts["publicationCounts"].as_i64().unwrap());
    assert_eq!(number("Figures and tables"), counts["picAndTableCounts"].as_i64().unwrap());
    assert!(chart.contains("<caption>Unit: pieces</caption>") && !chart.contains("Books"), "{chart}");
    assert_eq!(named(&chart, "rect").len(), named(&chart, "tr").len() - 1, "a bar for each number");
}

#[test]
fn lists_lead_to_pages_that_exist() {
    let portal = portal();
    let page = portal.page("front", "/en/home");
    let news = section(&page, "news");
    let links: Vec<String> = named(&news, "a").iter().map(|link| link.get("href")).collect();
    let own: Vec<&String> = links.iter().filter(|link| link.contains("/newsDetails/")).collect();
    assert!(!own.is_empty() && named(&news, "li").len() <= 2, "{news}");
    let all = main_of(&portal.page("front", &all_of(&news)));
    for link in own {
        assert_eq!(portal.get("front", link).status, 200, "{link}");
        assert!(listed(&all).contains(link), "{link}: {all}");
    }
    let tabs = named(between(&all, "<nav class=\"tabs\"", "</nav>"), "a");
    let open = tabs.iter().find(|tab| tab.get("aria-current") == "page").map(|tab| tab.get("href"));
    assert_eq!(open.as_deref(), Some("/en/news?newsDataType=information"), "the tab of the section's news: {all}");
    for article in listed(&main_of(&page)) {
        assert_eq!(portal.get("front", &article).status, 200, "{article}");
    }
    assert!(section(&page, "links").contains("https://ocean.example.org/"));
    let current = section(&page, "currentIssue");
    let href = between(&current, "<h3 class=\"current-name\"><a href=\"", "\"");
    assert_eq!(portal.get("front", href).status, 200, "{current}");
    assert!(!current.contains("class=\"kicker\""), "the only journal need not be named: {current}");
    assert!(named(&section(&page, "contents"), "li").iter().filter(|tag| tag.has("data-article")).count() == 2);
}

#[test]
fn the_latest_articles_lead_to_all_articles_by_date() {
    let portal = portal();
    portal.run(portal.app.change_log_follower().catch_up()).unwrap();
    let latest = section(&portal.page("front", "/en/home"), "latest");
    assert_eq!(all_of(&latest), "/en/search?type=article&sort=date");
    let found = main_of(&portal.page("front", &all_of(&latest)));
    let (some, all) = (listed(&latest), listed(&found));
    assert!(!some.is_empty() && some.iter().all(|article| all.contains(article)), "{some:?}: {all:?}");
    let sorts = named(between(&found, "<nav class=\"sorts\"", "</nav>"), "a");
    let current: Vec<String> =
        sorts.iter().filter(|sort| sort.has("aria-current")).map(|sort| sort.get("href")).collect();
    assert!(current.len() == 1 && current[0].contains("sort=date"), "{current:?}");
}

#[test]
fn special_issues_and_albums_stand_in_the_order_of_the_page_that_lists_both() {
    let portal = portal();
    let albums = section(&portal.page("front", "/en/home"), "albums");
    let tiles: Vec<&str> = albums.split("class=\"album-card\"").skip(1).collect();
    let titles: Vec<&str> = tiles.iter().map(|tile| between(tile, "class=\"album-name\">", "</span>")).collect();
    let expected = [
        "Listening to an estuary",
        "The carbon books of the coast",
        "Few instruments, enough knowledge",
        "A ledger in the sand",
    ];
    assert_eq!(titles, expected);
    let hrefs: Vec<String> = tiles.iter().map(|tile| between(tile, "<a href=\"", "\"").to_owned()).collect();
    for (href, title) in hrefs.iter().zip(expected) {
        assert!(portal.page("front", href).contains(&format!("{title}</h1>")), "{href}: {title}");
    }
    let all = main_of(&portal.page("front", &all_of(&albums)));
    let places: Vec<Option<usize>> = hrefs.iter().map(|href| all.find(&format!("href=\"{href}\""))).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{hrefs:?}: {all}");
}

#[test]
fn journals_lead_to_their_pages_and_a_current_issue_among_several_names_its_journal() {
    let portal = portal();
    let page = portal.page("pair", "/en/home");
    let mut journals: Vec<String> =
        named(&section(&page, "journals"), "a").iter().map(|link| link.get("href")).collect();
    journals.sort();
    assert_eq!(journals, ["/en/mag/quiet-circuits", "/en/mag/script-and-stone"]);
    for journal in &journals {
        assert_eq!(portal.get("pair", journal).status, 200, "{journal}");
    }
    let current = section(&page, "currentIssue");
    let kicker = between(&current, "<p class=\"kicker\">", "</p>");
    let (journal, name) = (between(kicker, "<a href=\"", "\""), between(kicker, "\">", "</a>"));
    let issue = between(&current, "<h3 class=\"current-name\"><a href=\"", "\"");
    let key = issue.split_once("?journal=").map(|(_, key)| key);
    assert!(key.is_some() && journal.strip_prefix("/en/mag/") == key, "{issue}: {kicker}");
    assert!(!name.is_empty() && portal.page("pair", journal).contains(&format!("{name}</h1>")), "{kicker}");
}

#[test]
fn the_sites_of_the_group_are_reached_at_their_own_and_at_the_shared_host() {
    let portal = portal();
    let own = section(&portal.page("front", "/zh/home"), "sites");
    assert!(
        own.contains("href=\"http://pair.localhost") && own.contains("/en/home\""),
        "the other site has no Chinese: {own}"
    );
    assert!(!own.contains("Front") && !own.contains("Ocean Ledger"), "{own}");
    let host = format!("127.0.0.1:{}", portal.address.port());
    let shared = portal.with(&host, "/front/en/home", &[]).text();
    assert!(section(&shared, "sites").contains("href=\"/pair/en/home\""));
    let journals = main_of(&portal.page("pair", "/en/home"));
    assert_eq!(named(&section(&journals, "journals"), "img").len(), 2, "{journals}");
}

#[test]
fn a_channel_has_a_page_of_its_own_sections() {
    let portal = portal();
    let readers = main_of(&portal.page("front", "/en/home/7"));
    assert_eq!(kinds(&readers), ["statistics"]);
    let chart = section(&readers, "statistics");
    assert!(chart.contains("Unit: 10K") && chart.contains("&lt;0.1"), "{chart}");
    let whole = kinds(&main_of(&portal.page("front", "/en/home")));
    for path in ["/en/home/8", "/en/home/9", "/en/home/x", "/en/index/99999999999999999999"] {
        assert_eq!(kinds(&main_of(&portal.page("front", path))), whole, "{path}");
    }
    let others = portal.page("front", "/en/home/8");
    let canonical = named(&others, "link").into_iter().find(|link| link.get("rel") == "canonical").unwrap();
    assert!(canonical.get("href").ends_with("/en/home"), "{}", canonical.get("href"));
}

/// What a page tells the modules of its slot.
fn told(main: &str) -> serde_json::Value {
    let slot = named(main, "div").into_iter().find(|tag| tag.get("data-slot") == "home.sections").unwrap();
    serde_json::from_str(&slot.get("data-props")).unwrap()
}

/// The values of a property of the sections that modules are told of.
fn told_of(told: &serde_json::Value, property: &str) -> Vec<String> {
    let sections = told["sections"].as_array().unwrap();
    sections.iter().map(|section| section[property].as_str().unwrap().to_owned()).collect()
}

#[test]
fn modules_are_told_the_sections_among_which_they_stand() {
    let main = main_of(&portal().page("front", "/en/home"));
    let told = told(&main);
    assert_eq!(told["layout"], "newspaper");
    assert_eq!(told["channel"], 0);
    let kinds = told_of(&told, "kind");
    assert_eq!(kinds[..4], ["hero", "carousel", "contents", "rankings"], "in the configured order");
    assert_eq!((kinds[8].as_str(), kinds.len()), ("plugins", 17), "the slot is one of them");
    let (title, place) = ("Read and taken", "side");
    let rankings = serde_json::json!({ "kind": "rankings", "id": "home-4", "place": place, "title": title, "size": 2 });
    assert_eq!(told["sections"][3], rankings);
    let titles = told_of(&told, "title");
    assert_eq!(told["sections"][7]["size"], 8, "of a section without a size, that of its kind");
    assert_eq!(titles.iter().filter(|title| !title.is_empty()).count(), 1, "the others have the heading of their kind");
    let filled = |ids: Vec<String>| {
        let mut ids: Vec<String> = ids.into_iter().filter(|id| !id.is_empty()).collect();
        ids.sort();
        ids
    };
    let in_page = filled(named(&main, "section").iter().map(|tag| tag.get("id")).collect());
    assert_eq!((filled(told_of(&told, "id")), in_page.len()), (in_page, 15), "the ids are those of the page");
}

#[test]
fn modules_are_told_the_sections_of_a_channel_and_those_that_nobody_configured() {
    let portal = portal();
    let readers = told(&main_of(&portal.page("front", "/en/home/7")));
    assert_eq!(readers["channel"], 7);
    assert_eq!(told_of(&readers, "kind"), ["statistics", "plugins"]);
    let plain = told(&main_of(&portal.page("plain", "/en/home")));
    assert_eq!(told_of(&plain, "kind"), ["hero", "contents", "plugins"]);
    assert_eq!(told_of(&plain, "id"), ["", "", ""], "the sections have no ids there");
}

#[test]
fn sections_without_content_say_so() {
    let main = main_of(&portal().page("empty", "/en/home"));
    assert_eq!(kinds(&main).len(), 11, "{main}");
    assert_eq!(main.matches("class=\"empty\"").count(), 11, "{main}");
}

#[test]
fn the_demo_has_three_compositions() {
    let portal = portal();
    for (site, layout) in
        [("oceanledger", "journal"), ("quietcircuits", "journal"), ("fieldnotes", "newspaper"), ("hsspress", "portal")]
    {
        for lang in ["zh", "en"] {
            let page = portal.page(site, &format!("/{lang}/home"));
            let main = main_of(&page);
            assert!(main.contains(&format!("data-layout=\"{layout}\"")), "{site}");
            assert_eq!(named(&main, "h1").len(), 1, "{site}");
            for picture in named(&main, "img") {
                let src = picture.get("src");
                assert_eq!(portal.get(site, &src).status, 200, "{site}: {src}");
            }
        }
    }
}
