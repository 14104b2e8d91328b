//! Calls about resources besides articles: lists, details, resources that group other content, and the isolation of
//! sites.

use std::sync::LazyLock;

use masthead_domain::{
    Lang, LocalText, SiteId,
    resource::{
        Album, Audio, Board, BoardSeat, Book, BookContributor, Collection, Column, Composite, CompositeBlock,
        Conference, Document, DocumentType, Expert, FriendLink, Information, ItemKind, ItemRef, News, NewsType, Patent,
        Picture, Role, Standard, TableSheet, Tool, Topic, Video, Wechat,
    },
};
use masthead_test_support::{Answer, Portal, Setup};
use serde_json::{Value, json};

const SITE: SiteId = SiteId(448);
const OTHER: SiteId = SiteId(905);
const DOI: &str = "10.5555/ocl.2026.06.01.0001";

fn both(zh: &str, en: &str) -> LocalText {
    LocalText([(Lang::Zh, zh.to_owned()), (Lang::En, en.to_owned())].into())
}

fn item(kind: ItemKind, key: &str) -> ItemRef {
    ItemRef { kind, key: key.into() }
}

/// A portal with one site that has resources of every kind, and another site with some resources of its own.
static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    let portal = Portal::start("resources", Setup::default(), |sites| {
        masthead_test_support::without_resources(sites);
        let path = sites.join("oceanledger.toml");
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("\n[[channels]]\nid = 71\ncode = \"newComposite\"\nname = \"专页\"\nenName = \"Special page\"\nenable = \"1\"\nnewCompositeId = \"page\"\n");
        std::fs::write(&path, text).unwrap();
    });
    fill(&portal);
    portal
});

fn put<T: masthead_store::StoredResource>(portal: &Portal, site: SiteId, value: &T) {
    portal.run(portal.app.store.site(site).save_resource(value)).unwrap();
}

fn fill(portal: &Portal) {
    let article = portal.article("oceanledger", DOI);
    let label = both("图", "Figure");
    put(portal, SITE, &Picture { key: "own/f1".into(), article, title: label.clone(), ..Picture::default() });
    put(portal, SITE, &Picture { key: "own/f2".into(), article, title: label.clone(), ..Picture::default() });
    put(portal, SITE, &TableSheet { key: "own/t1".into(), article, title: label, ..TableSheet::default() });
    put(portal, OTHER, &Picture { key: "own/f3".into(), article, ..Picture::default() });
    for number in 0..45 {
        let kind = NewsType::ALL[number % 4];
        let date = format!("2026-02-{:02}", 1 + number % 28);
        let title = both(&format!("新闻{number}"), &format!("News {number}"));
        let content = both("<p>正文</p>", "<p>Text</p>");
        put(portal, SITE, &News { key: format!("n{number}"), kind, title, date, content, ..News::default() });
    }
    put(
        portal,
        SITE,
        &News { key: "out".into(), link_value: "https://else.example.org/a".into(), position: 1, ..News::default() },
    );
    put(
        portal,
        SITE,
        &News { key: "bad".into(), link_value: "javascript:alert(1)".into(), position: 1, ..News::default() },
    );
    put(portal, OTHER, &News { key: "foreign".into(), title: both("外", "Foreign"), ..News::default() });
    put(portal, OTHER, &Expert { key: "stranger".into(), name: both("外人", "Stranger"), ..Expert::default() });
    put(
        portal,
        SITE,
        &Information {
            key: "aims".into(),
            code: "introduce".into(),
            title: both("宗旨", "Aims"),
            content: both("<p>刊载范围。</p>", "<p>What we print.</p>"),
            ..Information::default()
        },
    );
    put(
        portal,
        SITE,
        &Column {
            key: "notes".into(),
            journal: "ocean-ledger".into(),
            title: both("札记", "Notes"),
            ..Column::default()
        },
    );
    put(portal, SITE, &Wechat { key: "w".into(), title: both("推文", "Post"), ..Wechat::default() });
    put(portal, SITE, &FriendLink { key: "l".into(), title: both("友链", "Friend"), ..FriendLink::default() });
    put(
        portal,
        SITE,
        &Video {
            key: "v".into(),
            kind: "onlineVideo".into(),
            title: both("视频", "Video"),
            transcript: both("说", "said"),
            ..Video::default()
        },
    );
    put(portal, SITE, &Audio { key: "a".into(), title: both("音频", "Audio"), ..Audio::default() });
    let person = BookContributor { name: "A. Author".into(), role: "author".into(), bio: "<p>Wrote.</p>".into() };
    put(
        portal,
        SITE,
        &Book {
            key: "9780000000002".into(),
            isbn: "978-0-00-000000-2".into(),
            edition: "2".into(),
            publisher: "Press".into(),
            chief_editor: "C. Editor".into(),
            first_published: "2020".into(),
            title: both("书", "Book"),
            catalogue: vec!["One".into(), "Two".into()],
            contributors: vec![person],
            ..Book::default()
        },
    );
    put(portal, SITE, &Patent { key: "p".into(), title: both("专利", "Patent"), ..Patent::default() });
    put(
        portal,
        SITE,
        &Standard {
            key: "s".into(),
            standing: "current".into(),
            title: both("标准", "Standard"),
            ..Standard::default()
        },
    );
    put(portal, SITE, &Conference { key: "c".into(), title: both("会议", "Conference"), ..Conference::default() });
    for kind in [DocumentType::Science, DocumentType::Music, DocumentType::Chronicle] {
        put(
            portal,
            SITE,
            &Document {
                key: format!("d-{}", kind.as_str()),
                kind,
                title: both("文献", "Document"),
                ..Document::default()
            },
        );
    }
    put(portal, SITE, &Tool { key: "t".into(), title: both("工具", "Tool"), ..Tool::default() });
    for number in 0..12 {
        put(
            portal,
            SITE,
            &Expert {
                key: format!("e{number}"),
                name: both(&format!("专家{number}"), &format!("Expert {number}")),
                topic: if number < 3 { "tides".into() } else { String::new() },
                position: number,
                bio: both("简介", "Bio"),
                ..Expert::default()
            },
        );
    }
    let seat = |role, expert: &str| BoardSeat { role, expert: expert.into() };
    put(
        portal,
        SITE,
        &Board {
            key: "third".into(),
            title: both("第三届", "Third board"),
            journal: "ocean-ledger".into(),
            seats: vec![
                seat(Role::AssociateEditor, "e1"),
                seat(Role::EditorInChief, "e0"),
                seat(Role::AssociateEditor, "e2"),
                seat(Role::Member, "nobody"),
                seat(Role::ExecutiveEditor, "stranger"),
            ],
            ..Board::default()
        },
    );
    let mixed = vec![
        item(ItemKind::Expert, "e1"),
        item(ItemKind::Article, DOI),
        item(ItemKind::Article, "10.5555/none"),
        item(ItemKind::Expert, "stranger"),
        item(ItemKind::News, "foreign"),
        item(ItemKind::Publication, "ocean-ledger"),
        item(ItemKind::Video, "v"),
        item(ItemKind::Audio, "a"),
        item(ItemKind::Link, "l"),
        item(ItemKind::Wechat, "w"),
        item(ItemKind::Book, "9780000000002"),
        item(ItemKind::News, "n3"),
        item(ItemKind::Expert, "e1"),
    ];
    put(
        portal,
        SITE,
        &Collection {
            key: "virtual".into(),
            index_id: "ocean-ledger".into(),
            title: both("专辑", "Special issue"),
            items: mixed.clone(),
            ..Collection::default()
        },
    );
    put(
        portal,
        SITE,
        &Album {
            key: "album".into(),
            title: both("画册", "Album"),
            cover: "/media/x.png".into(),
            items: mixed.clone(),
            ..Album::default()
        },
    );
    put(
        portal,
        SITE,
        &Topic { key: "tides".into(), title: both("潮汐", "Tides"), items: mixed.clone(), ..Topic::default() },
    );
    let block = |title: &str, items: Vec<ItemRef>| CompositeBlock {
        title: both(title, title),
        items,
        ..CompositeBlock::default()
    };
    put(
        portal,
        SITE,
        &Composite {
            key: "page".into(),
            title: both("专页", "Special page"),
            blocks: vec![
                block("First", vec![item(ItemKind::News, "n1"), item(ItemKind::Album, "album")]),
                block("Second", vec![item(ItemKind::News, "n1")]),
            ],
            ..Composite::default()
        },
    );
}

fn ask(path: &str, language: &str) -> Answer {
    PORTAL.with("oceanledger.localhost", &format!("/rc-pub/front/{path}"), &[("language", language)])
}

fn data(path: &str, language: &str) -> Value {
    let answer = ask(path, language);
    let envelope = answer.json();
    assert_eq!(
        (answer.status, &envelope["status"], &envelope["message"]),
        (200, &json!(0), &json!("")),
        "{path}: {envelope}"
    );
    envelope["data"].clone()
}

fn missing(path: &str) {
    let answer = ask(path, "en");
    let envelope = answer.json();
    assert_eq!(
        (answer.status, &envelope["status"], &envelope["data"]),
        (404, &json!(404), &Value::Null),
        "{path}: {envelope}"
    );
    assert_eq!(envelope["message"], "No data", "{path}");
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

fn keys(value: &Value) -> Vec<String> {
    list(value).iter().map(|one| one["key"].as_str().unwrap_or_default().to_owned()).collect()
}

/// Path of a list, path of the details, a key, and the English name.
const KINDS: &[(&str, &str, &str, &str)] = &[
    ("front-information/list?code=introduce", "front-information", "aims", "Aims"),
    ("front-column/list?journal=ocean-ledger", "front-column", "notes", "Notes"),
    ("front-wechat/list", "front-wechat", "w", "Post"),
    ("front-link/list", "front-link", "l", "Friend"),
    ("vod/video/list?type=onlineVideo", "vod/video", "v", "Video"),
    ("vod/audio/list", "vod/audio", "a", "Audio"),
    ("rc-book/list", "rc-book/getBookInfo", "9780000000002", "Book"),
    ("front-patent/list", "front-patent", "p", "Patent"),
    ("front-standard/list?standing=current", "front-standard", "s", "Standard"),
    ("front-conference/list", "front-conference", "c", "Conference"),
    ("science-document/list?type=music", "science-document", "d-music", "Document"),
    ("tools", "tools", "t", "Tool"),
];

#[test]
fn each_kind_has_a_list_and_details_by_id_and_by_key() {
    for (path, detail, key, name) in KINDS {
        let page = data(path, "en");
        assert_eq!(keys(&page["content"]), [*key], "{path}: {page}");
        assert_eq!(
            (&page["totalElements"], &page["last"], &page["next"]),
            (&json!(1), &json!(true), &Value::Null),
            "{path}"
        );
        let id = page["content"][0]["id"].as_i64().unwrap();
        let by_key = data(&format!("{detail}/{key}"), "en");
        assert_eq!(by_key, data(&format!("{detail}/{id}"), "en"), "{path}");
        assert_eq!((&by_key["id"], &by_key["resName"]), (&json!(id), &json!(name)), "{path}");
        assert_ne!(
            data(&format!("{detail}/{key}"), "zh")["resName"],
            *name,
            "{path}: the name is in the reader's language"
        );
        for odd in ["none", "0", "-1", "999999999"] {
            missing(&format!("{detail}/{odd}"));
        }
    }
    // An empty section is an empty page, not an error.
    assert_eq!(data("science-document/list?type=chronicle", "en")["totalElements"], 1);
    assert_eq!(data("front-standard/list?standing=withdrawn", "en")["content"], json!([]));
    assert_eq!(data("front-column/list?journal=none", "en")["totalElements"], 0);
}

#[test]
fn a_book_has_its_isbn_edition_publisher_editor_catalogue_and_biographies() {
    let book = data("rc-book/getBookInfo/9780000000002", "en");
    for (key, value) in [
        ("isbn", json!("978-0-00-000000-2")),
        ("edition", json!("2")),
        ("publisher", json!("Press")),
        ("chiefEditor", json!("C. Editor")),
        ("firstPublished", json!("2020")),
        ("catalogue", json!(["One", "Two"])),
    ] {
        assert_eq!(book[key], value, "{key}");
    }
    assert_eq!(book["contributors"][0]["bio"], "<p>Wrote.</p>");
    assert_eq!(data("rc-book/list", "en")["content"][0]["catalogue"], json!([]), "a list omits the catalogue");
    assert_eq!(data("vod/video/list", "en")["content"][0]["transcript"], json!({}));
}

#[test]
fn news_are_listed_by_type_and_paged_by_number_and_by_cursor() {
    let tabs = data("front-news/types", "zh");
    let types: Vec<_> = list(&tabs).iter().map(|tab| (tab["type"].clone(), tab["label"].clone())).collect();
    let expected = [("information", "资讯"), ("announcement", "公告"), ("dynamic", "动态"), ("statement", "声明")];
    assert_eq!(types, expected.map(|(kind, label)| (json!(kind), json!(label))));
    for tab in list(&tabs) {
        let kind = tab["type"].as_str().unwrap();
        let page = data(&format!("front-news/list?type={kind}&size=100"), "en");
        assert_eq!(page["totalElements"], tab["count"], "{kind}");
        assert!(list(&page["content"]).iter().all(|news| news["type"] == kind), "{kind}");
    }
    let all = keys(&data("front-news/list?size=100", "en")["content"]);
    assert_eq!(all.len(), 47);
    let (mut by_number, mut by_cursor, mut next) = (Vec::new(), Vec::new(), String::new());
    for number in 0..5 {
        let page = data(&format!("front-news/list?siteId=448&page={number}&size=10"), "en");
        assert_eq!((&page["number"], &page["size"], &page["totalPages"]), (&json!(number), &json!(10), &json!(5)));
        assert_eq!(page["last"], number == 4);
        by_number.extend(keys(&page["content"]));
        let after = if number == 0 { String::new() } else { format!("&after={next}") };
        let page = data(&format!("front-news/list?size=10{after}"), "en");
        by_cursor.extend(keys(&page["content"]));
        next = page["next"].as_str().unwrap_or_default().to_owned();
    }
    assert_eq!((by_number, by_cursor, next), (all.clone(), all, String::new()));
    assert_eq!(
        data("front-news/list?page=5&size=10", "en")["content"],
        json!([]),
        "a page after the last one is empty"
    );
    assert_eq!(list(&data("front-news/list?size=100000", "en")["content"]).len(), 47, "a page has at most 100");
    assert_eq!(list(&data("front-news/list?size=0", "en")["content"]).len(), 1);
    assert_eq!(ask("front-news/list?page=1001&size=10", "en").status, 400, "paging by number is limited");
    let first = &data("front-news/list?size=1", "en")["content"][0];
    assert_eq!(first["content"], json!({}), "a list omits the text");
}

#[test]
fn a_page_of_text_has_an_address() {
    let stored = PORTAL.run(PORTAL.app.store.site(SITE).resource_by_key::<Information>("aims"));
    let address = format!("/en/info/{}", stored.unwrap().unwrap().id);
    let page = PORTAL.get("oceanledger", &address);
    assert_eq!(page.status, 200, "{}", page.text());
    assert!(page.text().contains("Aims</h1>") && page.text().contains("<p>What we print.</p>"), "{}", page.text());
    assert_eq!(PORTAL.get("scriptstone", &address).status, 404, "another site has no such page");
}

#[test]
fn a_news_item_has_its_text_and_an_address() {
    let news = data("front-news/n2", "en");
    assert_eq!(
        (&news["resName"], &news["content"]["en"], &news["type"]),
        (&json!("News 2"), &json!("<p>Text</p>"), &json!("dynamic"))
    );
    let id = news["id"].as_i64().unwrap();
    assert_eq!(data(&format!("front-news/getJumpUrl?siteId=448&id={id}"), "en"), format!("/en/newsDetails/{id}"));
    assert_eq!(
        data(&format!("front-news/getJumpUrl?siteId=448&id={id}&language=zh"), "en"),
        format!("/zh/newsDetails/{id}")
    );
    assert_eq!(data(&format!("front-news/getJumpUrl?id={id}&language=tlh"), "en"), format!("/en/newsDetails/{id}"));
    let page = PORTAL.get("oceanledger", &format!("/en/newsDetails/{id}/"));
    assert_eq!(page.status, 200, "the address leads to a page");
    assert!(page.text().contains("News 2</h1>") && page.text().contains("<p>Text</p>"), "{}", page.text());
    assert_eq!(
        PORTAL.get("scriptstone", &format!("/en/newsDetails/{id}")).status,
        404,
        "another site has no such news"
    );
    assert_eq!(data("front-news/getJumpUrl?id=out", "en"), "https://else.example.org/a");
    missing("front-news/getJumpUrl?id=bad");
    missing("front-news/getJumpUrl?id=999999999");
}

#[test]
fn the_expert_list_is_a_list_of_pages() {
    let pages = data("front-expert/list?page=0&size=10&sort=position", "en");
    let first = &pages[0]["content"][0];
    assert!(first["id"].is_i64(), "data[0].content[0].id");
    assert_eq!((list(&pages).len(), list(&pages[0]["content"]).len(), &pages[0]["totalElements"]), (1, 10, &json!(12)));
    assert_eq!((&first["key"], &first["resName"], &first["bio"]), (&json!("e0"), &json!("Expert 0"), &json!({})));
    assert_eq!(list(&data("front-expert/list", "en")[0]["content"]).len(), 10, "the default is ten");
    assert_eq!(keys(&data("front-expert/list?topicId=tides", "en")[0]["content"]), ["e0", "e1", "e2"]);
    let expert = data(&format!("front-expert/{}", first["id"]), "zh");
    assert_eq!((&expert["resName"], &expert["bio"]["en"]), (&json!("专家0"), &json!("Bio")));
    missing("front-expert/stranger");
}

#[test]
fn a_board_lists_its_members_by_role_in_the_readers_language() {
    for (language, chief, associate) in [("en", "Editor-in-chief", "Associate editor"), ("zh", "主编", "副主编")] {
        let page = data("front-expert/boards?journal=ocean-ledger", language);
        let board = &page["content"][0];
        let roles: Vec<_> = list(&board["roles"]).iter().map(|group| group["label"].as_str().unwrap()).collect();
        assert_eq!(roles, [chief, associate], "the editor-in-chief comes first, experts of other sites are omitted");
        assert_eq!(keys(&board["roles"][1]["experts"]), ["e1", "e2"]);
        assert_eq!(&data("front-expert/boards/third", language), board);
        assert_eq!(&data(&format!("front-expert/boards/{}", board["id"]), language), board);
    }
    missing("front-expert/boards/fourth");
}

#[test]
fn a_virtual_collection_has_its_papers_figures_tables_and_experts() {
    let listed = data("front-virtual/list?indexId=ocean-ledger", "en");
    assert_eq!((keys(&listed["content"]), &listed["content"][0]["items"]), (vec!["virtual".to_owned()], &json!([])));
    let view = data("front-virtual/virtual", "en");
    assert_eq!(view["collection"]["resName"], "Special issue");
    let article = PORTAL.article("oceanledger", DOI);
    assert_eq!((list(&view["paper"]).len(), &view["paper"][0]["id"]), (1, &json!(article)));
    let href = view["paper"][0]["href"].as_str().unwrap();
    assert_eq!(PORTAL.get("oceanledger", href).status, 200);
    // Figures and tables of the collection's articles are listed without being named; resources of another site that
    // claim the same article are not listed.
    for (tab, own) in [("figures", vec!["own/f1", "own/f2"]), ("tables", vec!["own/t1"])] {
        let all = list(&view[tab]);
        assert!(all.iter().all(|one| one["article"] == article), "{tab}");
        let by_hand: Vec<_> = keys(&view[tab]).into_iter().filter(|key| key.starts_with("own/")).collect();
        assert_eq!(by_hand, own, "{tab}");
    }
    assert_eq!(keys(&view["experts"]), ["e1"], "each expert is listed once, experts of other sites are omitted");
    let tabs: Vec<_> = list(&view["tabs"])
        .iter()
        .map(|tab| (tab["label"].as_str().unwrap(), tab["count"].as_u64().unwrap()))
        .collect();
    assert_eq!(tabs.iter().map(|tab| tab.0).collect::<Vec<_>>(), ["Papers", "Figures", "Tables", "Experts"]);
    assert_eq!((tabs[0].1, tabs[3].1), (1, 1));
    let others: Vec<_> = list(&view["others"]).iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert_eq!(
        others,
        ["publication", "video", "audio", "link", "wechat", "book", "news"],
        "the order is that of the editors"
    );
}

#[test]
fn an_album_has_its_articles_journals_audio_and_video() {
    assert_eq!(keys(&data("album?siteId=448", "en")["content"]), ["album"]);
    let view = data("album/album", "zh");
    assert_eq!((&view["album"]["resName"], &view["album"]["cover"]), (&json!("画册"), &json!("/media/x.png")));
    let tabs: Vec<_> = list(&view["tabs"]).iter().map(|tab| tab["code"].as_str().unwrap()).collect();
    assert_eq!(tabs, ["article", "publication", "audio", "video"]);
    for (tab, count) in [("article", 1), ("publication", 1), ("audio", 1), ("video", 1)] {
        assert_eq!(list(&view[tab]).len(), count, "{tab}");
    }
    assert_eq!(view["publication"][0]["key"], "ocean-ledger");
}

#[test]
fn topics_and_composite_pages_are_returned_with_their_content() {
    let topic = data("front-topic/tides", "en");
    assert_eq!(topic["topic"]["resName"], "Tides");
    assert_eq!((&topic["content"][0]["kind"], &topic["content"][1]["kind"]), (&json!("expert"), &json!("article")));
    assert_eq!(list(&topic["content"]).len(), 9, "unknown content, content of other sites and duplicates are omitted");
    assert_eq!(keys(&data("front-topic/list", "en")["content"]), ["tides"]);
    let page = data("front-composite/page", "en");
    let blocks = list(&page["blocks"]);
    assert_eq!((blocks.len(), &blocks[0]["resName"]), (2, &json!("First")));
    assert_eq!(
        (keys(&blocks[0]["items"]), keys(&blocks[1]["items"])),
        (vec!["n1".into(), "album".into()], vec!["n1".to_owned()])
    );
    assert_eq!(keys(&data("front-composite/list", "en")["content"]), ["page"]);
    let modules = data("site/getModuleList?channelId=71", "en");
    assert_eq!((&modules[0]["label"], list(&modules[0]["blocks"]).len()), (&json!("Special page"), 2));
}

#[test]
fn resources_of_one_site_cannot_be_read_through_another() {
    let store = PORTAL.app.store.site(OTHER);
    let foreign = PORTAL.run(store.resource_by_key::<News>("foreign")).unwrap().unwrap().id;
    missing(&format!("front-news/{foreign}"));
    missing(&format!("front-news/getJumpUrl?siteId=905&id={foreign}"));
    missing("front-news/foreign");
    let own = data("front-news/n1", "en")["id"].as_i64().unwrap();
    missing(&format!("front-expert/{own}"));
    let table = PORTAL.app.sites.load_full();
    let other = table.by_id(OTHER).unwrap().site.sld.clone();
    let answer =
        PORTAL.with(&format!("{other}.localhost"), &format!("/rc-pub/front/front-news/{own}"), &[("siteId", "448")]);
    assert_eq!(answer.status, 404);
    let listed = PORTAL.get(&other, "/rc-pub/front/front-news/list?siteId=448").json();
    assert_eq!(keys(&listed["data"]["content"]), ["foreign"]);
}
