//! Pages of text: channels, news, composite pages, boards, experts, journals.

use std::{path::Path, sync::LazyLock};

use masthead_documents::html::RenderedArticle;
use masthead_domain::{
    Doi, Lang, LocalText, SiteId,
    article::{Article, ArticleMeta, JournalRef},
    card::ArticleCard,
    resource::{Board, BoardSeat, Conference, Expert, Information, News, NewsType, Role},
};
use masthead_store::{NewArticle, StoredResource};
use masthead_test_support::{Portal, Setup, between, bootstrap, listed, named};

const SITE: SiteId = SiteId(9201);
const NAME: &str = "textual";

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    let portal = Portal::start("texts", Setup::default(), add_sites);
    fill(&portal);
    portal.run(portal.app.change_log_follower().catch_up()).unwrap();
    portal
});

/// A site with a channel of each code that leads to a page of text, and one with a single channel.
fn add_sites(sites: &Path) {
    let channel = |id: u32, code: &str, parent: u32, name: &str, more: &str| {
        format!(
            "[[channels]]\nid = {id}\ncode = \"{code}\"\nparentId = {parent}\nname = \"栏目{id}\"\nenName = \"{name}\"\nenable = \"1\"\n{more}\n"
        )
    };
    let channels = [
        channel(1, "home", 0, "Home", ""),
        channel(20, "aboutus", 0, "About us", ""),
        channel(21, "item", 20, "Publication ethics", "linkValue = \"ethics\""),
        channel(22, "newItem", 20, "For authors", "linkValue = \"guide\""),
        channel(23, "contact", 20, "Write to us", ""),
        channel(30, "news", 0, "Notices", "newsDataType = \"announcement\""),
        channel(31, "newNews", 0, "What is new", ""),
        channel(32, "newComposite", 0, "Start", "newCompositeId = \"ocl-start-here\""),
        channel(33, "editorial", 0, "Who edits", ""),
        channel(34, "conference", 0, "Meetings", ""),
        channel(35, "prePublication", 0, "Ahead of print", ""),
        channel(36, "newLink", 0, "Elsewhere", "linkValue = \"https://partner.example.org/\""),
        channel(37, "newLeaguage", 0, "In other words", ""),
        channel(38, "reports", 0, "Reports", "newsDataType = \"statement\""),
        channel(39, "spare", 0, "Spare", ""),
        channel(40, "hidden", 0, "Hidden", "").replace("enable = \"1\"", "enable = \"0\""),
        channel(41, "folder", 0, "Folder", ""),
        channel(42, "leaf", 41, "Leaf", ""),
    ];
    let text = format!(
        "id = 9201\nname = {{ zh = \"文字\", en = \"Textual\" }}\nlanguages = [\"en\", \"zh\", \"ara\"]\ndemo = [\"ocean-ledger\"]\n{}",
        channels.concat()
    );
    std::fs::write(sites.join(format!("{NAME}.toml")), text).unwrap();
    for (sld, id, state) in [("shut", 9202, "maintenance"), ("over", 9203, "expired")] {
        let text = format!("id = {id}\nname = {{ zh = \"站\", en = \"Site\" }}\nstate = \"{state}\"\n");
        std::fs::write(sites.join(format!("{sld}.toml")), text).unwrap();
    }
}

fn both(zh: &str, en: &str) -> LocalText {
    LocalText([(Lang::Zh, zh.to_owned()), (Lang::En, en.to_owned())].into())
}

fn put<T: StoredResource>(portal: &Portal, value: &T) -> i64 {
    portal.run(portal.app.store.site(SITE).save_resource(value)).unwrap().id()
}

/// Stores an article of the site's journal that is in no issue.
fn put_article(portal: &Portal, doi: &str, first_status: i32, rendered: String) -> i64 {
    let store = portal.app.store.site(SITE);
    let journal = portal.run(store.journals()).unwrap().remove(0);
    let title = journal.title.get(Lang::En).to_owned();
    let doi = Doi::parse(doi).unwrap();
    let meta = ArticleMeta {
        source_key: format!("doi:{}", doi.key()),
        doi: Some(doi),
        journal: JournalRef { title, issn: vec![journal.issn], ..JournalRef::default() },
        first_status,
        ..ArticleMeta::default()
    };
    let article = Article { meta, ..Article::default() };
    let card = ArticleCard::of(&article, &[], &[]);
    let new = NewArticle { card, article, rendered, ..NewArticle::default() };
    portal.run(store.save_article(&new)).unwrap().id().0
}

fn fill(portal: &Portal) {
    put_article(portal, "10.5555/textual.ahead", 0, serde_json::to_string(&RenderedArticle::default()).unwrap());
    for number in 0..45 {
        let title = both(&format!("信息{number}"), &format!("Bulletin {number}"));
        let date = format!("2024-02-{:02}", 1 + number % 28);
        put(portal, &News { key: format!("b{number}"), kind: NewsType::Information, title, date, ..News::default() });
    }
    put(portal, &Expert { key: "fei".into(), name: both("费慕云", "Muyun Fei"), position: 900, ..Expert::default() });
    let long = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsvorsitzende";
    put(
        portal,
        &Expert { key: "long".into(), name: LocalText::of(Lang::En, long), position: 901, ..Expert::default() },
    );
    put(portal, &Information { key: "bare".into(), title: both("", "Nothing but a title"), ..Information::default() });
    put(portal, &Conference { key: "bare".into(), title: both("", "A bare meeting"), ..Conference::default() });
    let bad = "javascript:alert(1)".to_owned();
    let title = both("坏", "Bad link");
    put(
        portal,
        &News { key: "bad".into(), title, link_value: bad.clone(), cover: bad, position: -9, ..News::default() },
    );
    let seats = vec![BoardSeat { role: Role::EditorInChief, expert: "nobody".into() }];
    put(
        portal,
        &Board { key: "old".into(), title: both("首届", "First board"), position: 9, seats, ..Board::default() },
    );
}

fn id<T: StoredResource>(key: &str) -> i64 {
    let found = PORTAL.run(PORTAL.app.store.site(SITE).resource_by_key::<T>(key));
    found.unwrap().unwrap_or_else(|| panic!("no {key}")).id
}

/// The content of a page that is there.
fn main(path: &str) -> String {
    let answer = PORTAL.get(NAME, path);
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    let page = answer.text();
    let main = between(&page, "<main", "</main>").to_owned();
    assert!(named(&main, "h1").len() == 1, "{path} has one heading of the first level: {main}");
    main
}

fn missing(path: &str) {
    assert_eq!(PORTAL.get(NAME, path).status, 404, "{path}");
}

/// The addresses of the links of a page.
fn links(main: &str) -> Vec<String> {
    named(main, "a").iter().map(|tag| tag.get("href")).collect()
}

#[test]
fn every_page_of_text_is_in_both_route_families() {
    for (path, route) in [
        ("/en/about", "about"),
        ("/zh/aboutus/20", "about"),
        ("/en/aboutus?columnId=20&childId=0", "about"),
        ("/en/info", "info"),
        ("/en/info/21/", "info"),
        ("/en/info/bare", "info"),
        ("/ara/newcomposite/32/", "newcomposite"),
        ("/en/newcomposite", "newcomposite"),
        ("/en/news", "news"),
        ("/en/news/30", "news"),
        ("/en/newsDetails", "news"),
        ("/en/newsInfo/31/0/", "newsInfo"),
        ("/en/editorial-board", "editorial-board"),
        ("/zh/editorial-board/33/", "editorial-board"),
        ("/en/scholarList", "scholarList"),
        ("/en/mag", "mag"),
        ("/en/contact", "contact"),
        ("/en/newArticle?code=conference", "newArticle"),
        ("/en/newLink1", "newLink1"),
        ("/en/newLeaguage?styleId=4", "newLeaguage"),
        ("/ara/reports", "channel"),
    ] {
        let own = PORTAL.get(NAME, path);
        let shared = PORTAL.with("127.0.0.1", &format!("/{NAME}{path}"), &[]);
        assert_eq!((own.status, shared.status), (200, 200), "{path}");
        assert_eq!(bootstrap(&own.text())["page"]["route"], route, "{path}");
        assert_eq!(bootstrap(&shared.text())["page"]["route"], route, "{path}");
        let without = path.trim_start_matches("/en").trim_start_matches("/zh").trim_start_matches("/ara");
        assert_eq!(PORTAL.get(NAME, without).status, 307, "{without} leads to the reader's language");
    }
}

#[test]
fn about_has_its_text_the_journal_and_the_channels_beside_it() {
    let main = main("/en/aboutus/20/");
    assert!(main.contains("About us</h1>") && main.contains("appears quarterly"), "{main}");
    assert!(main.contains("9967-2049"), "the data of the journal");
    assert!(links(&main).contains(&"/en/mag/ocean-ledger".to_owned()), "and the page of the journal: {main}");
    let side = between(&main, "<nav class=\"side-nav\"", "</nav>");
    for name in ["Publication ethics", "For authors", "Write to us"] {
        assert!(side.contains(name), "{name}: {side}");
    }
    assert_eq!(named(side, "a").iter().filter(|tag| tag.get("aria-current") == "page").count(), 1);
    for href in links(side) {
        assert_eq!(PORTAL.get(NAME, &href).status, 200, "{href}");
    }
    assert!(PORTAL.page(NAME, "/zh/about/20").contains("栏目20</h1>"));
}

#[test]
fn a_channel_shows_the_texts_that_name_it() {
    let ethics = main("/en/info/21/");
    assert!(ethics.contains("Authors answer for numbers"), "{ethics}");
    assert!(main("/en/info/22").contains("Before you write"));
    let contact = main("/en/contact");
    assert!(contact.contains("Write to us</h1>") && contact.contains("9 Tingchao Road"), "{contact}");
    assert!(main("/en/contact?columnId=23").contains("9 Tingchao Road"));
    let own = id::<Information>("ocl-authors");
    assert!(main(&format!("/en/info/{own}")).contains("Before you write"), "a text has an address of its own");
    assert!(main("/en/info/ocl-authors").contains("Before you write"), "and one by its key");
    assert!(main("/en/info/bare").contains("Nothing but a title"));
    assert!(main("/en/info").contains("Nothing but a title"));
    for path in ["/en/info/999999", "/en/info/no-such-key", "/en/info/-1", "/en/info/0"] {
        missing(path);
    }
}

#[test]
fn any_other_code_opens_a_page_of_what_the_channel_has() {
    let reports =
        main("/en/reports?columnId=38&columnName=%3Cb%3EMade%20up&index=3&parentIndex=0&bannerId=&code=reports");
    assert!(reports.contains("Reports</h1>") && !reports.contains("Made up"), "{reports}");
    assert!(reports.contains("Statement on generative tools"), "news of its type: {reports}");
    assert!(!reports.contains("Thanks to the reviewers"), "and of no other");
    assert!(main("/en/spare").contains("No data"), "an empty channel says so");
    let folder = main("/en/folder");
    assert!(folder.contains(">Leaf</a>"), "{folder}");
    assert!(main("/en/leaf?columnId=42&childId=41").contains("Leaf</h1>"));
    for path in ["/en/hidden", "/en/nowhere", "/en/reports/1", "/en/carousel"] {
        missing(path);
    }
}

#[test]
fn news_are_listed_under_tabs_and_paged() {
    let all = main("/en/news?newsDataType=information");
    assert!(all.contains("data-list") && all.contains("Bulletin"), "{all}");
    let tabs = between(&all, "<nav class=\"tabs\"", "</nav>");
    let kinds = ["information", "announcement", "dynamic", "statement"];
    for kind in kinds {
        assert!(links(tabs).iter().any(|href| href.ends_with(&format!("newsDataType={kind}"))), "{kind}: {tabs}");
    }
    let next = named(&all, "a").into_iter().find(|tag| tag.get("rel") == "next").expect("a next page").get("href");
    assert!(next.contains("newsDataType=information") && next.contains("page=2"), "{next}");
    let (mut seen, mut at) = (std::collections::BTreeSet::new(), Some("/en/news?newsDataType=information".to_owned()));
    while let Some(path) = at {
        let page = main(&path);
        for href in listed(&page) {
            assert!(seen.insert(href.clone()), "{href} is listed twice");
        }
        at = named(&page, "a").into_iter().find(|tag| tag.get("rel") == "next").map(|tag| tag.get("href"));
    }
    assert!(seen.len() >= 45, "{}", seen.len());
    let notices = main("/en/news/30");
    assert!(
        notices.contains("Notices</h1>") && notices.contains("Call for papers"),
        "the tab of the channel: {notices}"
    );
    assert!(!notices.contains("Bulletin"));
    let column = main("/en/news?columnId=30&newsDataType=statement");
    assert!(
        links(&column).iter().any(|href| href.contains("columnId=30") && href.contains("announcement")),
        "{column}"
    );
    assert!(main("/en/news?page=4000").contains("No data"), "behind the last page");
    missing("/en/news/999");
    let bad = main("/en/newsDetails");
    assert!(bad.contains("Bad link") && !bad.contains("javascript:"), "{bad}");
}

#[test]
fn parameters_that_name_nothing_do_not_make_other_pages() {
    let of = |path: &str| {
        let page = bootstrap(&PORTAL.page(NAME, path));
        page["languages"][0]["href"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(of("/en/news?page=1&newsDataType=gossip&columnId=77&utm_source=x"), "/en/news");
    assert_eq!(of("/en/news?columnId=30&page=2"), "/en/news?columnId=30&page=2");
    assert_eq!(of("/en/about/77"), "/en/about");
    assert_eq!(of("/en/newsInfo/31"), "/en/newsInfo/31/0");
}

#[test]
fn the_news_of_a_channel_open_one_item_beside_the_others() {
    let list = main("/en/newsInfo/31/0/");
    assert!(list.contains("What is new</h1>") && list.contains("data-list"));
    let open = id::<News>("ocl-2026-10-data-desk");
    let page = main(&format!("/en/newsInfo/31/{open}"));
    assert!(page.contains("From this month the journal runs a data desk"), "{page}");
    let side = between(&page, "<nav class=\"side-nav\"", "</nav>");
    assert!(links(side).contains(&"/en/newsInfo/31/0".to_owned()), "{side}");
    assert!(main(&format!("/en/newsInfo/0/{open}")).contains("data desk"));
    missing("/en/newsInfo/31/999999");
    missing("/en/newsInfo/77/0");
}

#[test]
fn a_composite_page_shows_its_blocks_and_their_items() {
    let page = main("/en/newcomposite/32/");
    assert!(page.contains("Start here</h1>") && page.contains("in plain double entry"), "{page}");
    assert_eq!(listed(&page).len(), 1, "its article: {page}");
    let expert = id::<Expert>("ocl-su-hanqing");
    assert!(links(&page).contains(&format!("/en/scholar/{expert}")), "{page}");
    assert_eq!(main("/en/newcomposite/ocl-start-here"), page, "by its key");
    for name in ["no-such-page", "999999", "031", "+31", "a%00b"] {
        missing(&format!("/en/newcomposite/{name}"));
        missing(&format!("/en/collections/{name}"));
    }
    missing("/en/info/a%00b");
}

#[test]
fn a_board_has_its_members_by_role_and_the_details_of_one() {
    let board = main("/en/editorial-board/33/");
    let roles = [
        "Editor-in-chief<",
        "Honorary editor-in-chief<",
        "Executive editor<",
        "Executive deputy editor<",
        "Associate editor<",
        "Member of the editorial board<",
    ];
    let places: Vec<usize> =
        roles.iter().map(|role| board.find(role).unwrap_or_else(|| panic!("{role}: {board}"))).collect();
    assert!(places.is_sorted(), "{places:?}");
    assert!(board.contains("Who edits</h1>") && PORTAL.page(NAME, "/zh/editorial-board/33").contains("名誉主编"));
    let expert = id::<Expert>("ocl-jiang-yanqing");
    assert!(links(&board).contains(&format!("/en/editorial-board/33/{expert}")), "{board}");
    let open = main(&format!("/en/editorial-board/33/{expert}/"));
    assert!(
        open.contains("Trained as an accountant") && open.contains("https://orcid.org/0000-0009-1000-0035"),
        "{open}"
    );
    assert!(open.contains("aria-current=\"true\"") && links(&open).contains(&format!("/en/scholar/{expert}")));
    let old = main(&format!("/en/editorial-board?board={}", id::<Board>("old")));
    assert!(old.contains("No data"), "a seat whose expert is unknown is left out: {old}");
    missing("/en/editorial-board/33/999999");
    missing("/en/editorial-board/77");
}

#[test]
fn an_expert_has_a_page_with_the_articles_that_name_him_or_her() {
    let list = main("/en/scholarList");
    assert!(list.contains("data-list") && list.contains("Yanqing Jiang"), "{list}");
    let form = named(&list, "form").pop().unwrap();
    assert_eq!(["action", "method", "aria-label"].map(|name| form.get(name)), ["/en/search", "get", "Search: Experts"]);
    let fields: Vec<[String; 2]> =
        named(&list, "input").iter().map(|field| ["name", "value"].map(|name| field.get(name))).collect();
    assert_eq!(fields, [["q", ""], ["type", "expert"]]);
    let found = main("/en/search?q=Muyun&type=expert");
    let persons: Vec<String> = links(&found).into_iter().filter(|href| href.starts_with("/en/scholar/")).collect();
    assert_eq!(persons, [format!("/en/scholar/{}", id::<Expert>("fei"))], "{found}");
    assert!(main("/en/scholarList?topicId=ocl-topic-budget").contains("Tingsheng Wei"));
    assert!(main("/en/scholarList?topicId=none").contains("No data"));
    let page = PORTAL.page(NAME, &format!("/en/scholar/{}", id::<Expert>("fei")));
    assert!(page.contains("Muyun Fei</h1>") && page.contains("\"@type\":\"Person\""), "{page}");
    let articles = listed(&page);
    assert!(!articles.is_empty(), "{page}");
    for href in &articles {
        assert!(PORTAL.page(NAME, href).contains("Fei"), "{href}");
    }
    assert!(main(&format!("/en/scholar/{}", id::<Expert>("long"))).contains("No data"), "an expert without articles");
    missing("/en/scholar/999999");
}

#[test]
fn a_journal_is_shown_in_detail_under_its_tabs() {
    let about = main("/en/mag");
    assert!(about.contains("Ocean Ledger</h1>") && about.contains("appears quarterly"), "{about}");
    let tabs = links(between(&about, "<nav class=\"tabs\"", "</nav>"));
    assert_eq!(tabs.len(), 6, "{tabs:?}");
    let articles = listed(&main("/en/mag/ocean-ledger?tab=current"));
    let article = main(articles.first().expect("the current issue has articles"));
    let kicker = links(between(&article, "<p class=\"kicker\">", "</p>"));
    assert!(kicker.contains(&"/en/mag/ocean-ledger".to_owned()), "an article leads to its journal: {kicker:?}");
    let issues = main("/en/mag?tab=issues");
    assert!(links(&issues).contains(&"/en/issue/2026/1".to_owned()));
    let (covers, cards) = (named(&issues, "img").len(), issues.matches("class=\"issue-card\"").count());
    assert_eq!(covers, cards + 1, "each issue has a cover, and so has the journal: {issues}");
    assert!(main("/en/mag?tab=board").contains("Editor-in-chief"));
    assert!(main("/en/mag?tab=contact").contains("9 Tingchao Road"));
    let columns = main("/en/mag?tab=columns");
    assert!(columns.contains("Physical Oceanography") && columns.contains("Sediment and Burial"), "{columns}");
    let column = main("/en/mag?tab=columns&column=ocl-carbon");
    assert!(!listed(&column).is_empty(), "{column}");
    assert!(listed(&main("/en/mag?tab=columns&column=none")).is_empty());
    missing("/en/mag/no-such-journal");
    let several = PORTAL.page("hsspress", "/en/mag");
    let journals: Vec<String> = links(&several).into_iter().filter(|href| href.starts_with("/en/mag/")).collect();
    assert!(journals.len() > 1, "{several}");
    for href in journals {
        assert_eq!(PORTAL.get("hsspress", &href).status, 200, "{href}");
    }
}

#[test]
fn conferences_links_and_languages_have_pages() {
    let meetings = main("/en/newArticle?columnId=34&columnName=x&code=conference");
    assert!(
        meetings.contains("Meetings</h1>") && meetings.contains("Fourth Meeting on Coastal Accounts"),
        "{meetings}"
    );
    assert!(meetings.contains("A bare meeting") && meetings.contains("datetime=\"2027-01-31\""), "{meetings}");
    let ahead = main("/en/newArticle?columnId=35");
    assert!(ahead.contains("Ahead of print</h1>"), "{ahead}");
    let elsewhere = main("/en/newLink1?columnId=36");
    assert!(links(&elsewhere).contains(&"https://partner.example.org/".to_owned()), "{elsewhere}");
    assert!(links(&elsewhere).len() > 1, "and the partners of the site");
    let words = main("/en/newLeaguage?columnId=37&styleId=4");
    for home in ["/en/home", "/zh/home", "/ara/home"] {
        assert!(links(&words).contains(&home.to_owned()), "{home}: {words}");
    }
    assert!(words.contains("class=\"link-cards\"") && main("/en/newLeaguage").contains("class=\"link-list\""));
}

#[test]
fn an_article_marks_the_channel_whose_list_led_to_it() {
    let listed = listed(&main("/en/newArticle?columnId=35"));
    let article = format!("/en/article/{}", PORTAL.article(NAME, "10.5555/textual.ahead"));
    let href = format!("{article}?columnId=35");
    assert!(listed.contains(&href), "{listed:?}");
    let menu = PORTAL.bootstrap(NAME, &href)["menu"].clone();
    let current = menu.as_array().unwrap().iter().filter(|link| link["current"] == true);
    assert_eq!(current.map(|link| link["id"].clone()).collect::<Vec<_>>(), [35]);
    let of_no_channel = main("/en/newArticle?code=prePublication");
    assert!(links(&of_no_channel).contains(&article), "{of_no_channel}");
}

#[test]
fn error_pages_lead_on_to_a_page_that_exists() {
    let home = |host: &str, path: &str| {
        let page = PORTAL.with(host, path, &[]);
        assert!(matches!(page.status, 403 | 404 | 500 | 503), "{host} {path}: {}", page.status);
        named(&page.text(), "a").first().map(|tag| tag.get("href"))
    };
    assert_eq!(home("textual.localhost", "/errorPage?lang=ara").as_deref(), Some("/ara/home"));
    assert_eq!(home("127.0.0.1", "/textual/forbiddenPage?lang=de").as_deref(), Some("/textual/en/home"));
    assert_eq!(home("127.0.0.1", "/errorPage?lang=fra").as_deref(), Some("/"), "the list of sites");
    assert_eq!(home("nobody.localhost", "/errorPage"), None);
    // Where no site is found, and where the home page of the site is closed, too.
    for path in ["/nobody/en/home", "/shut/en/home", "/over/zh/issues", "/shut/errorPage", "/over/robots.txt"] {
        assert_eq!(home("127.0.0.1", path).as_deref(), Some("/"), "{path}");
    }
    for host in ["nobody.localhost", "shut.localhost", "over.localhost"] {
        assert_eq!(home(host, "/en/home"), None, "{host}");
    }
    // Where a page of the site fails, or the site does not have what was asked for outside of its frame.
    let broken = put_article(&PORTAL, "10.5555/textual.broken", -1, "no article".to_owned());
    assert_eq!(PORTAL.get(NAME, &format!("/ara/article/{broken}")).status, 500);
    assert_eq!(home("textual.localhost", &format!("/ara/article/{broken}")).as_deref(), Some("/ara/home"));
    assert_eq!(home("127.0.0.1", &format!("/textual/en/article/{broken}")).as_deref(), Some("/textual/en/home"));
    assert_eq!(home("127.0.0.1", "/textual/fra/feed.rss").as_deref(), Some("/textual/zh/home"));
}

#[test]
fn pages_without_a_frame_have_the_colours_that_the_reader_has_chosen() {
    for (host, path) in [
        ("127.0.0.1", "/errorPage?lang=en"),
        ("textual.localhost", "/forbiddenPage?lang=zh"),
        ("127.0.0.1", "/"),
        ("nobody.localhost", "/en/home"),
    ] {
        for (cookie, scheme) in [("theme=dark", "dark"), ("theme=light", "light"), ("theme=grey", ""), ("", "")] {
            let page = PORTAL.with(host, path, &[("cookie", cookie)]).text();
            assert!(!page.contains("data-slot"), "{host} {path} has a frame");
            assert_eq!(named(&page, "html")[0].get("data-theme"), scheme, "{host} {path} {cookie}");
        }
    }
}
