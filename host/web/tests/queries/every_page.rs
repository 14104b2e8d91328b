//! The number of database statements of every kind of page: at most three, however long its lists are.
//!
//! The site that is asked holds a few entries of every kind first, and then some hundreds. Its readers may not read every article, so that
//! lists have to ask what is open. What the menu leads to is read once for each state of the content and is not counted.

use std::path::Path;

use masthead_documents::html::RenderedArticle;
use masthead_domain::{
    ArticleId, Doi, Lang, LocalText, SiteId,
    article::{Article, ArticleMeta, Contributor, Dates},
    card::ArticleCard,
    resource::{
        Album, Audio, Board, BoardSeat, Book, Collection, Column, Composite, CompositeBlock, Conference, Document,
        Expert, FriendLink, Information, ItemKind, ItemRef, News, NewsType, Patent, Picture, Role, Standard,
        TableSheet, Tool, Topic, Video, Wechat,
    },
};
use masthead_store::{NewArticle, StoredResource};
use masthead_test_support::Portal;

/// The greatest number of statements of a page.
const MOST: usize = 3;
/// The same for the page of an article: the article, its notices and the articles of these, its usage, what is similar, what it names.
const MOST_OF_ARTICLE: usize = 9;
const SITE: SiteId = SiteId(9601);
const NAME: &str = "counted";
const FEW: u32 = 3;
const MANY: u32 = 260;

/// Adds the site: with channels of every code that has a page of its own, two journals, and articles that are closed unless they are open access.
pub fn add_site(sites: &Path) {
    let channels: String = [
        (1, "home", ""),
        (20, "aboutus", ""),
        (21, "item", "linkValue = \"k0\""),
        (30, "news", ""),
        (31, "newNews", ""),
        (32, "newComposite", "newCompositeId = \"start\""),
        (33, "editorial", ""),
        (34, "conference", ""),
        (35, "prePublication", ""),
        (36, "newLink", ""),
        (37, "newLeaguage", ""),
        (38, "folder", "newCompositeId = \"start\""),
        (39, "reports", "newsDataType = \"statement\""),
        (40, "newAlbum", ""),
        (41, "virtualAlbum", ""),
        (42, "mixed", ""),
    ]
    .into_iter()
    .map(|(id, code, more)| {
        format!("[[channels]]\nid = {id}\ncode = \"{code}\"\nname = \"栏目\"\nenName = \"Channel {id}\"\nenable = \"1\"\n{more}\n")
    })
    .collect();
    let head = "name = { zh = \"计数\", en = \"Counted\" }\nopenAccessForAll = true\npermissions = { visitPower = false, downloadPower = false }";
    std::fs::write(sites.join(format!("{NAME}.toml")), format!("id = {}\n{head}\n{channels}", SITE.0)).unwrap();
}

/// Counts the statements of all pages with short lists, then with long ones.
pub fn suite(portal: &Portal, statements: &dyn Fn(&str, &str) -> usize) {
    fill(portal, 0..FEW);
    let short = counted(portal, statements);
    fill(portal, FEW..MANY);
    let long = counted(portal, statements);
    assert!(short.len() > 70, "{}", short.len());
    let mut failures = Vec::new();
    for ((address, few), (_, many)) in short.iter().zip(&long) {
        println!("{address}: {few} statements with short lists, {many} with long ones");
        let most = if address.starts_with("article/") { MOST_OF_ARTICLE } else { MOST };
        if *few > most || *many > most {
            failures.push(format!("{address}: {few} and {many} statements, more than {most}"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// The statements of every address, on a page that is not in the cache.
fn counted(portal: &Portal, statements: &dyn Fn(&str, &str) -> usize) -> Vec<(String, usize)> {
    portal.run(portal.app.change_log_follower().catch_up()).unwrap();
    portal.app.pages.clear();
    // The first page reads what the menu leads to.
    statements(NAME, "/en/homeNav");
    portal.app.pages.clear();
    let addresses = addresses(portal);
    addresses.into_iter().map(|address| (address.clone(), statements(NAME, &format!("/en/{address}")))).collect()
}

/// An address of every kind of page, with each of its lists.
fn addresses(portal: &Portal) -> Vec<String> {
    let mut all: Vec<String> = [
        "home",
        "home?by=downloads&months=3",
        "home/3",
        "homeNav",
        "issues",
        "issue",
        "issue/2031",
        "issue/2031/1",
        "issue/2031/1?page=2",
        "issue/2031/1?journal=second-letters",
        "justAccepted",
        "onlineFirst",
        "about",
        "aboutus/20",
        "contact",
        "info",
        "info/21",
        "info/k0",
        "newcomposite/32",
        "newcomposite/start",
        "newcomposite/start?page=2",
        "folder",
        "reports",
        "news",
        "news?newsDataType=statement",
        "news/30",
        "newsInfo/31/0",
        "editorial-board",
        "editorial-board/33",
        "scholarList",
        "scholarList?topicId=k0",
        "mag",
        "newArticle?code=conference",
        "newArticle?code=prePublication",
        "newLink1",
        "newLeaguage?styleId=4",
        "textList?type=picture",
        "textList?type=picture&sort=visits",
        "textList?type=picture&journal=second-letters",
        "textList?type=table",
        "audioList?type=video",
        "audioList?type=audio&sort=oldest",
        "othersList?type=other",
        "othersList?type=science",
        "othersList?type=science&q=volume",
        "informationList?type=news",
        "informationList?type=wechat",
        "currencyList?type=mixed",
        "currencyList?type=mixed&sort=visits",
        "currencyList?type=patent&page=2",
        "currencyList?type=conference",
        "bookList?type=book",
        "bookList?type=book&q=volume",
        "textList?type=picture&q=figure",
        "collectionList",
        "collectionList/40",
        "collectionList/41",
        "collectionList?sort=oldest",
        "collections/k0?tab=paper",
        "collections/k0?tab=figures",
        "collections/k0?tab=tables",
        "collections/k0?tab=experts",
        "search?q=volume",
        "search?q=volume&sort=visits",
        "article?type=article&q=volume",
        "search?q=figure&type=picture",
        "search?q=figure&type=table",
        "search?q=volume&type=video&sort=visits",
        "seniorSearch",
        "seniorSearch?v1=volume",
        "searchPublication?q=letters",
        "login",
        "personal",
    ]
    .map(str::to_owned)
    .into();
    let journal = portal.run(portal.app.store.site(SITE).shown_journals()).unwrap()[0].key.clone();
    all.extend(
        ["about", "current", "current&page=2", "issues", "columns", "columns&column=k0", "board", "contact"]
            .map(|tab| format!("mag/{journal}?tab={tab}")),
    );
    for tab in ["article", "publication", "audio", "video"] {
        all.push(format!("album/{}?tab={tab}", id::<Album>(portal)));
    }
    all.extend([
        format!("editorial-board/33/{}", id::<Expert>(portal)),
        format!("scholar/{}", id::<Expert>(portal)),
        format!("newsDetails/{}", id::<News>(portal)),
        format!("newsInfo/31/{}", id::<News>(portal)),
        format!("info/{}", id::<Information>(portal)),
        format!("audio/{}", id::<Audio>(portal)),
        format!("video/{}", id::<Video>(portal)),
        format!("book/{}", id::<Book>(portal)),
        format!("patent/{}", id::<Patent>(portal)),
        format!("standard/{}", id::<Standard>(portal)),
        format!("document/{}", id::<Document>(portal)),
        format!("conference/{}", id::<Conference>(portal)),
        format!("picture/{}", of_article::<Picture>(portal)),
        format!("table/{}", of_article::<TableSheet>(portal)),
        format!("article/{}", article_id(portal).0),
    ]);
    all
}

fn id<T: StoredResource>(portal: &Portal) -> i64 {
    portal.run(portal.app.store.site(SITE).resource_by_key::<T>("k0")).unwrap().unwrap().id
}

fn article_id(portal: &Portal) -> ArticleId {
    let doi = Doi::parse("10.5555/counted.1.0").unwrap();
    portal.run(portal.app.store.site(SITE).article_id_by_doi(&doi)).unwrap().unwrap()
}

fn of_article<T: StoredResource>(portal: &Portal) -> i64 {
    let article = article_id(portal).0;
    portal.run(portal.app.store.site(SITE).resources_of_article::<T>(article)).unwrap()[0].id
}

fn put<T: StoredResource>(portal: &Portal, value: &T) {
    assert!(portal.run(portal.app.store.site(SITE).save_resource(value)).unwrap().id() > 0, "{:?}", T::KIND);
}

/// Entries of every kind with these numbers, and those that name all entries up to the last number.
fn fill(portal: &Portal, numbers: std::ops::Range<u32>) {
    let text = |words: String| LocalText::of(Lang::En, words);
    for number in numbers.clone() {
        let key = format!("k{number}");
        let title = text(format!("Volume {number}"));
        let kind = if number.is_multiple_of(2) { NewsType::Statement } else { NewsType::Dynamic };
        let topic = format!("k{}", number % 3);
        let doi = format!("10.5555/counted.1.{number}");
        let link = "https://partner.example.org/".to_owned();
        put(portal, &News { key: key.clone(), title: title.clone(), kind, ..News::default() });
        put(portal, &Wechat { key: key.clone(), title: title.clone(), ..Wechat::default() });
        put(
            portal,
            &Information { key: key.clone(), code: topic.clone(), title: title.clone(), ..Information::default() },
        );
        put(portal, &Expert { key: key.clone(), name: text(format!("Ada {number}")), topic, ..Expert::default() });
        put(portal, &Topic { key: key.clone(), title: title.clone(), ..Topic::default() });
        put(portal, &Column { key: key.clone(), title: title.clone(), ..Column::default() });
        put(portal, &FriendLink { key: key.clone(), title: title.clone(), link_value: link, ..FriendLink::default() });
        put(portal, &Audio { key: key.clone(), title: title.clone(), article_key: doi.clone(), ..Audio::default() });
        put(
            portal,
            &Video { key: key.clone(), title: title.clone(), article_key: format!("{doi}/none"), ..Video::default() },
        );
        put(portal, &Book { key: key.clone(), title: title.clone(), ..Book::default() });
        put(portal, &Patent { key: key.clone(), title: title.clone(), ..Patent::default() });
        put(portal, &Standard { key: key.clone(), title: title.clone(), ..Standard::default() });
        put(portal, &Document { key: key.clone(), title: title.clone(), ..Document::default() });
        put(portal, &Conference { key: key.clone(), title: title.clone(), ..Conference::default() });
        put(portal, &Tool { key: key.clone(), title, ..Tool::default() });
        for stage in ["1", "", "accepted"] {
            save_article(portal, number, stage, 1);
        }
    }
    save_article(portal, 0, "1", numbers.end);
    naming(portal, numbers.end);
}

/// What names other entries, each with all of them; the first entry of its kind names the most.
fn naming(portal: &Portal, end: u32) {
    let of = |kind: ItemKind| {
        (0..end).map(move |number| {
            let key = match kind {
                ItemKind::Article => format!("10.5555/counted.1.{number}"),
                _ => format!("k{number}"),
            };
            ItemRef { kind, key }
        })
    };
    let several = |kinds: &[ItemKind]| kinds.iter().flat_map(|kind| of(*kind)).collect::<Vec<_>>();
    let missing = ItemRef { kind: ItemKind::Article, key: "10.5555/none".to_owned() };
    let mut items = several(&[ItemKind::Article, ItemKind::Expert]);
    items.push(missing);
    for number in 0..end {
        let items = if number == 0 { items.clone() } else { Vec::new() };
        put(portal, &Collection { key: format!("k{number}"), items, ..Collection::default() });
        let kinds = [ItemKind::Article, ItemKind::Publication, ItemKind::Audio, ItemKind::Video];
        let items = if number == 0 { several(&kinds) } else { Vec::new() };
        put(portal, &Album { key: format!("k{number}"), items, ..Album::default() });
    }
    let items = several(&[ItemKind::Article, ItemKind::Book, ItemKind::News]);
    let blocks = vec![CompositeBlock { items, ..CompositeBlock::default() }];
    put(portal, &Composite { key: "start".to_owned(), blocks, ..Composite::default() });
    let seats =
        (0..end).map(|number| BoardSeat { role: Role::ExecutiveEditor, expert: format!("k{number}") }).collect();
    put(portal, &Board { key: "board".to_owned(), seats, ..Board::default() });
}

/// An article of an issue (`stage` is its number), published online (""), or accepted, with so many figures and tables. Every third one is open
/// access.
fn save_article(portal: &Portal, number: u32, stage: &str, exhibits: u32) {
    let doi =
        Doi::parse(&format!("10.5555/counted.{}.{number}", if stage.is_empty() { "online" } else { stage })).unwrap();
    let mut meta = ArticleMeta {
        source_key: format!("doi:{}", doi.key()),
        doi: Some(doi),
        issue: if stage == "1" { "1".to_owned() } else { String::new() },
        year: Some(2031),
        first_page: number.to_string(),
        first_status: if stage == "accepted" { -1 } else { 0 },
        open_access: number.is_multiple_of(3),
        subjects: vec!["Volume 0".to_owned()],
        dates: Dates { online: "2031-01-01".to_owned(), ..Dates::default() },
        contributors: vec![Contributor {
            role: "author".to_owned(),
            surname: "0".to_owned(),
            given_names: "Ada".to_owned(),
            ..Contributor::default()
        }],
        ..ArticleMeta::default()
    };
    meta.journal.title = if number.is_multiple_of(2) { "First Letters" } else { "Second Letters" }.to_owned();
    let article = Article { meta, ..Article::default() };
    let element = |kind: &str, number: u32| format!("{kind}{number}");
    let figure = || LocalText::of(Lang::En, "Figure");
    let new = NewArticle {
        card: ArticleCard::of(&article, &[], &[]),
        article,
        rendered: serde_json::to_string(&RenderedArticle::default()).unwrap(),
        pictures: (0..exhibits)
            .map(|at| Picture { element: element("f", at), title: figure(), ..Picture::default() })
            .collect(),
        tables: (0..exhibits)
            .map(|at| TableSheet { element: element("t", at), rows: 1, title: figure(), ..TableSheet::default() })
            .collect(),
        ..NewArticle::default()
    };
    assert!(portal.run(portal.app.store.site(SITE).save_article(&new)).unwrap().id().0 > 0);
}
