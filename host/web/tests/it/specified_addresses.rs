//! Every address that section 2 of the specification names, with its query parameters, is a finished page with content on the demo, in both
//! families of routes; so is every link of every menu, and the code of every channel is such a page or leads to it.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::LazyLock,
};

use masthead_documents::html::RenderedArticle;
use masthead_domain::{
    Doi, Lang,
    article::{Article, ArticleMeta, JournalRef},
    card::ArticleCard,
    publication::Journal,
    resource::{
        Album, Audio, Book, Collection, Composite, Expert, Information, News, Patent, Picture, TableSheet, Video,
    },
};
use masthead_store::{CardQuery, ImportedCount, NewArticle, StoredResource};
use masthead_test_support::{Answer, Portal, Setup, between, bootstrap};

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    let portal = Portal::start("specified", Setup::default(), add_crossed_site);
    add_what_is_generated(&portal);
    portal
});

/// A site without content, whose channels lead to the codes of others.
const CROSSED: &str = "crossed";

fn add_crossed_site(sites: &Path) {
    let channel = |id: u32, parent: u32, code: &str, more: &str| {
        format!(
            "[[channels]]\nid = {id}\nparentId = {parent}\ncode = \"{code}\"\nname = \"栏目{id}\"\nenName = \"Channel {id}\"\nenable = \"1\"\n{more}\n"
        )
    };
    let channels = [
        channel(1, 0, "item", "route = \"newItem\""),
        channel(2, 0, "newItem", "route = \"item\""),
        channel(3, 0, "setStyle", ""),
        channel(4, 0, "jump", "linkValue = \"https://submit.example.org/\""),
        channel(5, 0, "folder", ""),
        channel(6, 5, "leaf", ""),
        channel(7, 5, "patent", ""),
        channel(8, 5, "item", "route = \"folder\""),
        channel(9, 0, "item", "route = \"onlineFirst\""),
        channel(10, 0, "item", "route = \"folder\""),
        channel(11, 0, "item", ""),
        channel(12, 0, "item", "route = \"nowhere\""),
        channel(13, 0, "item", "route = \"mag/期刊\""),
        channel(14, 0, "directory", ""),
    ];
    let site = "id = 9701\nname = { zh = \"交叉\", en = \"Crossed\" }\nlanguages = [\"en\", \"zh\"]\n";
    std::fs::write(sites.join(format!("{CROSSED}.toml")), format!("{site}{}", channels.concat())).unwrap();
}

/// Adds to each site of the demo what `masthead serve --demo` generates and nothing written by hand is: an article that is accepted, one that is
/// online first, and a reader.
fn add_what_is_generated(portal: &Portal) {
    let table = portal.app.sites.load_full();
    portal.run(async {
        for entry in table.iter().filter(|entry| !entry.site.demo.is_empty()) {
            let site = entry.site.id;
            let store = portal.app.store.site(site);
            let journals = store.shown_journals().await.unwrap();
            for (name, first_status) in [("accepted", -1), ("online", 0)] {
                store.save_article(&in_no_issue(&journals[0], name, first_status)).await.unwrap();
            }
            let card = store.cards(&CardQuery::Latest, None, 1).await.unwrap().remove(0);
            let day = Some(portal.app.counting.today_of(site));
            let count = ImportedCount { article: card.article_id(), day, visits: 1, downloads: 1 };
            assert_eq!(store.import_article_counts(&[count]).await.unwrap(), 1);
        }
        portal.app.change_log_follower().catch_up().await.unwrap();
    });
}

/// An article of a journal that is in no issue yet.
fn in_no_issue(journal: &Journal, name: &str, first_status: i32) -> NewArticle {
    let doi = Doi::parse(&format!("10.5555/specified.{name}")).unwrap();
    let title = journal.title.get(Lang::En).to_owned();
    let meta = ArticleMeta {
        source_key: format!("doi:{}", doi.key()),
        doi: Some(doi),
        journal: JournalRef { title, issn: vec![journal.issn.clone()], ..JournalRef::default() },
        first_status,
        ..ArticleMeta::default()
    };
    let article = Article { meta, ..Article::default() };
    NewArticle {
        card: ArticleCard::of(&article, &[], &[]),
        article,
        rendered: serde_json::to_string(&RenderedArticle::default()).unwrap(),
        ..NewArticle::default()
    }
}

/// The parameters that links of menus to pages of several channels have.
const OF_A_CHANNEL: &str = "columnName=Name&index=2&parentIndex=1&bannerId=5";

/// The addresses behind the language. A name in braces stands for what a site of the demo has: a channel by its code, a resource by its kind.
const ADDRESSES: &[&str] = &[
    "home",
    "home/",
    "home/{channel home}",
    "index",
    "issues",
    "justAccepted",
    "onlineFirst",
    "article/doi/{doi}",
    "article/doi/{doi}?columnId=1&Fpath=home&graphicAbstract=1&index=-1",
    "article/{article}",
    "article/{article}?columnId=1&Fpath=home&graphicAbstract=1&index=0&virtualId=2&type=article&type1=picture",
    "article/{article}?index=-1&from=xszsk&lang=zh",
    "about",
    "about/{channel periodIntroduce}",
    "aboutus",
    "aboutus/{channel aboutus}/",
    "aboutus?columnId={channel aboutus}&{of a channel}&code=aboutus&newsDataType=&newCompositeId=&childId=",
    "collectionList",
    "collectionList/{channel virtualAlbum}",
    "collectionList/{channel newAlbum}/",
    "collections",
    "collections/{collection}",
    "collections/{collection}?tab=figures",
    "collections/{collection}?tab=tables",
    "collections/{collection}?tab=experts",
    "info",
    "info/{channel item}",
    "info/{channel newItem}/",
    "info/{information}",
    "newcomposite",
    "newcomposite/{channel newComposite}",
    "newcomposite/{composite}",
    "news",
    "news/{channel news}",
    "news?columnId={channel news}&{of a channel}&code=news&newsDataType=announcement&newCompositeId=&childId=",
    "news?newsDataType=information",
    "news?newsDataType=dynamic",
    "news?newsDataType=statement",
    "newsDetails",
    "newsDetails/{news}",
    "editorial-board",
    "editorial-board/{channel editorial}",
    "editorial-board/{channel editorial}/{expert}/",
    "issue",
    "issue/{year}",
    "issue/{year}/{issue}",
    "newsInfo",
    "newsInfo/{channel newNews}/0/",
    "newsInfo/{channel newNews}/{news}",
    "login?lang=en&url=%2Fen%2Fhome",
    "personal",
    "quickLogin",
    "register",
    "forgetCode",
    "accountBinding",
    "seniorSearch",
    "homeNav",
    "newLink1",
    "newLink1?columnId={channel newLink}&{of a channel}&code=newLink&newsDataType=&newCompositeId=&childId=",
    "newLeaguage",
    "newLeaguage?columnId={channel newLeaguage}&{of a channel}&code=newLeaguage&columnEnName=Name&styleId=4&childId=",
    "newArticle",
    "newArticle?columnId={channel conference}&{of a channel}&code=conference&newsDataType=&newCompositeId=&childId=",
    "newArticle?columnId={channel prePublication}&{of a channel}&code=prePublication&newsDataType=&childId=",
    "currencyList",
    "currencyList?columnId={channel mixed}&{of a channel}&code=mixed&newsDataType=&newCompositeId=&childId=",
    "currencyList?columnId={channel onlineVideo}&{of a channel}&code=onlineVideo",
    "currencyList?columnId={channel patent}&{of a channel}&code=patent",
    "currencyList?columnId={channel standard}&{of a channel}&code=standard",
    "currencyList?columnId={channel videoManuscript}&{of a channel}&code=videoManuscript&styleId=2",
    "search?q=tide",
    "article?type=article&index=-1&lang=en",
    "article?type=article&index=-1&q=tide&from=xszsk",
    "hssArticle/{article}?index=-1&type=article",
    "searchPublication?type=publication&searchType=singleSearch&index=-1&q=letters",
    "textList?type=picture&index=-1",
    "textList?type=table&index=-1",
    "textList?type=picture&index=-1&from=xszsk",
    "audioList?type=video&index=-1",
    "audioList?type=audio&index=-1",
    "othersList?type=other&index=-1",
    "informationList?type=news&index=-1",
    "informationList?type=wechat&index=-1",
    "currencyList?type=onlineVideo&issearch=1&index=-1",
    "currencyList?type=patent&issearch=1&index=-1",
    "currencyList?type=standard&issearch=1&index=-1",
    "currencyList?type=mixed&issearch=1&index=-1",
    "bookList?type=book&issearch=1&index=-1",
    "scholarList",
    "scholar/{expert}",
    "mag",
    "mag/{journal}",
    "mag/{journal}?tab=current",
    "mag/{journal}?tab=issues",
    "mag/{journal}?tab=columns",
    "mag/{journal}?tab=board",
    "mag/{journal}?tab=contact",
    "album/{album}",
    "album/{album}?tab=publication",
    "album/{album}?tab=audio",
    "album/{album}?tab=video",
    "audio/{audio}",
    "video/{video}",
    "book/{book}",
    "patent/{patent}",
    "picture/{picture}",
    "table/{table}",
    "contact",
    // The catch-all: the code of a channel whose page has no address of its own, with all parameters of the specification.
    "science?columnId={channel science}&{of a channel}&code=science&newsDataType=&newCompositeId=&childId=",
];

/// What the names in braces stand for on a site.
fn names(sld: &str) -> BTreeMap<String, String> {
    let entry = PORTAL.app.sites.load().by_sld(sld).expect("the site exists").clone();
    let store = PORTAL.app.store.site(entry.site.id);
    let mut names = BTreeMap::from([("of a channel".to_owned(), OF_A_CHANNEL.to_owned())]);
    for channel in entry.site.channels.iter().filter(|channel| channel.enable == "1") {
        names.entry(format!("channel {}", channel.code)).or_insert_with(|| channel.id.to_string());
    }
    PORTAL.run(async {
        let journals = store.shown_journals().await.unwrap();
        names.extend(journals.first().map(|journal| ("journal".to_owned(), journal.key.clone())));
        if let Some((issue, _)) = store.archive().await.unwrap().into_iter().next() {
            names.insert("year".to_owned(), issue.year.to_string());
            names.insert("issue".to_owned(), issue.issue);
        }
        let cards = store.cards(&CardQuery::Latest, None, 1).await.unwrap();
        if let Some(card) = cards.first() {
            names.insert("article".to_owned(), card.id.to_string());
            names.extend(card.doi.as_ref().map(|doi| ("doi".to_owned(), doi.to_string())));
        }
    });
    let mut number = |name: &str, id: Option<i64>| names.extend(id.map(|id| (name.to_owned(), id.to_string())));
    number("collection", first::<Collection>(sld));
    number("information", first::<Information>(sld));
    number("composite", first::<Composite>(sld));
    number("news", first::<News>(sld));
    number("expert", first::<Expert>(sld));
    number("album", first::<Album>(sld));
    number("audio", first::<Audio>(sld));
    number("video", first::<Video>(sld));
    number("book", first::<Book>(sld));
    number("patent", first::<Patent>(sld));
    number("picture", first::<Picture>(sld));
    number("table", first::<TableSheet>(sld));
    names
}

fn first<T: StoredResource>(sld: &str) -> Option<i64> {
    let site = PORTAL.app.sites.load().by_sld(sld).expect("the site exists").site.id;
    let found = PORTAL.run(PORTAL.app.store.site(site).resources::<T>("", None, 1)).unwrap();
    found.first().map(|stored| stored.id)
}

/// The address with the names replaced; `None` if the site lacks what one of them stands for.
fn on_site(address: &str, names: &BTreeMap<String, String>) -> Option<String> {
    let (mut written, mut rest) = (String::new(), address);
    while let Some((before, behind)) = rest.split_once('{') {
        let (name, after) = behind.split_once('}').expect("a closing brace");
        written.push_str(before);
        written.push_str(names.get(name)?);
        rest = after;
    }
    Some(written + rest)
}

/// What is wrong with a page that should be finished.
fn fault(answer: &Answer) -> Option<String> {
    if answer.status != 200 {
        return Some(format!("status {}", answer.status));
    }
    let text = answer.text();
    let main = between(&text, "<main", "</main>");
    let kind = bootstrap(&text)["page"]["kind"].as_str().unwrap_or_default().to_owned();
    let is_whole = text.trim_end().ends_with("</html>")
        && main.contains("<h1")
        && !between(&text, "<title>", "</title>").trim().is_empty();
    if !is_whole || kind == "message" {
        return Some(format!("a page of kind {kind:?} without an end, a heading or a title"));
    }
    main.contains("<p class=\"empty\">").then(|| format!("a page of kind {kind:?} of which a part has no data"))
}

fn demo_sites() -> Vec<String> {
    let table = PORTAL.app.sites.load();
    table.iter().filter(|entry| !entry.site.demo.is_empty()).map(|entry| entry.site.sld.clone()).collect()
}

#[test]
fn every_address_of_section_2_is_a_finished_page_in_both_families() {
    let sites: Vec<(String, BTreeMap<String, String>)> =
        demo_sites().into_iter().map(|sld| (sld.clone(), names(&sld))).collect();
    let mut faults = Vec::new();
    for address in ADDRESSES {
        let mut tried = Vec::new();
        let found = sites.iter().find_map(|(sld, names)| {
            let path = on_site(address, names)?;
            let fault = fault(&PORTAL.get(sld, &format!("/en/{path}")));
            tried.extend(fault.as_ref().map(|fault| format!("{sld}: {fault}")));
            fault.is_none().then_some((sld, path))
        });
        let Some((sld, path)) = found else {
            faults.push(format!("{address} is on no site of the demo: {tried:?}"));
            continue;
        };
        let shared = |path: &str| PORTAL.with("127.0.0.1", &format!("/{sld}/{path}"), &[]);
        for (what, answer) in [
            ("in Chinese", PORTAL.get(sld, &format!("/zh/{path}"))),
            ("below the short name", shared(&format!("en/{path}"))),
        ] {
            faults.extend(fault(&answer).map(|fault| format!("{sld} {path} {what}: {fault}")));
        }
        // Without a language, the address leads to the page in the reader's.
        for (family, start) in
            [(PORTAL.get(sld, &format!("/{path}")), String::new()), (shared(&path), format!("/{sld}"))]
        {
            let to = family.header("location").to_owned();
            if family.status != 307
                || !to.starts_with(&format!("{start}/zh/")) && !to.starts_with(&format!("{start}/en/"))
            {
                faults.push(format!("{sld} {path} without a language: {} {to:?}", family.status));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// The links of a menu, of both levels: the number of the channel, and the address.
fn menu_links(sld: &str, lang: Lang) -> Vec<(i64, String)> {
    fn read(menu: &serde_json::Value, into: &mut Vec<(i64, String)>) {
        for link in menu.as_array().into_iter().flatten() {
            into.extend(link["id"].as_i64().zip(link["href"].as_str().map(str::to_owned)));
            read(&link["children"], into);
        }
    }
    let mut links = Vec::new();
    read(&PORTAL.bootstrap(sld, &format!("/{lang}/home"))["menu"], &mut links);
    links
}

#[test]
fn every_link_of_every_menu_is_a_finished_page_in_every_language() {
    let (mut followed, mut faults) = (0, Vec::new());
    for sld in demo_sites() {
        let languages = PORTAL.app.sites.load().by_sld(&sld).expect("the site exists").site.languages.clone();
        for lang in languages {
            for (_, href) in menu_links(&sld, lang).into_iter().filter(|(_, href)| href.starts_with('/')) {
                followed += 1;
                faults.extend(fault(&PORTAL.get(&sld, &href)).map(|fault| format!("{sld} {href}: {fault}")));
            }
        }
    }
    assert!(followed > 100, "{followed} links");
    assert!(faults.is_empty(), "{faults:#?}");
}

/// The answer of in-site navigation to an address.
fn navigation(sld: &str, path: &str) -> serde_json::Value {
    let path: String = url::form_urlencoded::byte_serialize(path.as_bytes()).collect();
    PORTAL.get(sld, &format!("/rc-pub/front/page?path={path}")).json()["data"].clone()
}

#[test]
fn the_code_of_every_channel_is_a_finished_page_or_leads_to_that_of_the_menu() {
    let (mut pages, mut faults) = (BTreeSet::new(), Vec::new());
    for sld in demo_sites() {
        let entry = PORTAL.app.sites.load().by_sld(&sld).expect("the site exists").clone();
        let mut first = BTreeMap::new();
        for channel in entry.site.channels.iter().filter(|channel| channel.enable == "1") {
            first.entry(channel.code.as_str()).or_insert(channel.id);
        }
        for lang in [Lang::En, Lang::Zh] {
            let links: BTreeMap<i64, String> = menu_links(&sld, lang).into_iter().collect();
            for (&code, id) in &first {
                let path = format!("/{lang}/{code}");
                let own = PORTAL.get(&sld, &path);
                let shared = PORTAL.with("127.0.0.1", &format!("/{sld}{path}"), &[]);
                let data = navigation(&sld, &path);
                let page = if own.status == 307 {
                    let to = &links[id];
                    assert_eq!(own.header("location"), to, "{sld} {path}");
                    let below = format!("/{sld}{to}");
                    assert_eq!((shared.status, shared.header("location")), (307, below.as_str()), "{sld} {path}");
                    assert_eq!(data, serde_json::json!({ "location": to }), "{sld} {path}");
                    PORTAL.get(&sld, to)
                } else {
                    pages.insert(code.to_owned());
                    assert_eq!((shared.status, &data["status"]), (200, &serde_json::json!(200)), "{sld} {path}");
                    own
                };
                faults.extend(fault(&page).map(|fault| format!("{sld} {path}: {fault}")));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    assert_eq!(pages, ["aboutus", "home", "jump", "newLeaguage", "news", "science"], "the others lead on");
}

#[test]
fn no_codes_lead_to_each_other() {
    for (path, expected) in [
        ("item?columnId=9", "/en/onlineFirst/"),
        ("item?columnId=10", "/en/folder/"),
        ("item?columnId=11&columnName=x", "/en/info/11/"),
        ("item?columnId=13", "/en/mag/%E6%9C%9F%E5%88%8A/"),
        ("setStyle", "/zh/home"),
        ("directory", "/en/issues/"),
    ] {
        let path = format!("/en/{path}");
        let answer = PORTAL.get(CROSSED, &path);
        assert_eq!((answer.status, answer.header("location")), (307, expected), "{path}");
        assert_eq!(navigation(CROSSED, &path), serde_json::json!({ "location": expected }), "{path}");
        assert_ne!(PORTAL.get(CROSSED, expected).status, 307, "{expected} leads nowhere else");
    }
    let below = PORTAL.get(CROSSED, "/en/folder?columnId=7");
    assert_eq!(below.status, 307, "the channel below has a page of its own");
    let to = below.header("location");
    assert!(to.starts_with("/en/currencyList?columnId=7&") && to.ends_with("&childId=7"), "{to}");
    for path in ["item", "newItem", "folder", "folder?columnId=6", "folder?columnId=8", "leaf", "item?columnId=12"] {
        assert_eq!(PORTAL.get(CROSSED, &format!("/en/{path}")).status, 200, "{path} has a page");
    }
    let jump = PORTAL.page(CROSSED, "/en/jump");
    assert!(between(&jump, "<main", "</main>").contains("href=\"https://submit.example.org/\""), "{jump}");
}

#[test]
fn the_page_of_a_year_lists_its_issues() {
    let page = PORTAL.page("oceanledger", "/en/issue/2026");
    let main = between(&page, "<main", "</main>");
    assert!(main.contains("<h1>Issues of 2026</h1>"), "{main}");
    assert!(main.contains("/en/issue/2026/1\"") && main.contains("/en/issue/2026/2\""), "{main}");
    assert!(
        !main.contains("/en/issue/2025/4\"") && main.contains("href=\"/en/issue/2025\""),
        "another year has its own page"
    );
    assert!(PORTAL.page("openshelf", "/zh/issue/2026").contains("2026 年各期"));
    for path in [
        "/en/issue/1900",
        "/en/issue/2147483647",
        "/en/issue/0",
        "/en/issue/-2026",
        "/en/issue/99999999999",
        "/en/issue/x",
    ] {
        assert_eq!(PORTAL.get("oceanledger", path).status, 404, "{path}");
    }
}
