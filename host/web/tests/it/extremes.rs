//! Pages of entries that have nothing but a title, of titles that are one long word, lists of one entry, and absurd addresses.

use std::{path::Path, sync::LazyLock};

use masthead_documents::html::RenderedArticle;
use masthead_domain::{
    ArticleId, Doi, Lang, LocalText, SiteId,
    article::{Article, ArticleMeta, LangText},
    card::ArticleCard,
    publication::Journal,
    resource::{
        Album, Audio, Book, Collection, Composite, Conference, Document, Expert, FriendLink, Information, News, Patent,
        Standard, Tool, Video, Wechat,
    },
};
use masthead_store::{NewArticle, StoredResource};
use masthead_test_support::{Answer, Portal, Setup, between, bootstrap, named};

/// A site with one entry of each kind, which has nothing but a title, one without any, and one with an article of each proofing state.
const SITE: SiteId = SiteId(9701);
const NAME: &str = "bareword";
const BLANK: &str = "barren";
const PROOFS: &str = "proofs";
const PROOFS_SITE: SiteId = SiteId(9703);
/// None, accepted, the first and the last priority, and one that the specification does not name.
const STATES: [i32; 5] = [0, -1, 1, 10, 11];
/// A word of 90 letters.
const WORD: &str = "LlanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogochLlanfairpwllgwyngyllgogerychwyrn";

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    let portal = Portal::start("extremes", Setup::default(), |sites| {
        add_site(sites, NAME, SITE.0);
        add_site(sites, BLANK, 9702);
        add_site(sites, PROOFS, PROOFS_SITE.0);
    });
    fill(&portal);
    portal.run(portal.app.change_log_follower().catch_up()).unwrap();
    portal
});

fn add_site(sites: &Path, name: &str, id: i64) {
    let text = format!("id = {id}\nname = {{ zh = \"极简\", en = \"Bare\" }}\nlanguages = [\"en\", \"zh\", \"ara\"]\n");
    std::fs::write(sites.join(format!("{name}.toml")), text).unwrap();
}

fn word() -> LocalText {
    LocalText::of(Lang::En, WORD)
}

fn put<T: StoredResource>(portal: &Portal, value: &T) {
    assert!(portal.run(portal.app.store.site(SITE).save_resource(value)).unwrap().id() > 0, "{:?}", T::KIND);
}

fn fill(portal: &Portal) {
    let key = || "k".to_owned();
    put(portal, &Album { key: key(), title: word(), ..Album::default() });
    put(portal, &Audio { key: key(), title: word(), ..Audio::default() });
    put(portal, &Book { key: key(), title: word(), ..Book::default() });
    put(portal, &Collection { key: key(), title: word(), ..Collection::default() });
    put(portal, &Composite { key: key(), title: word(), ..Composite::default() });
    put(portal, &Conference { key: key(), title: word(), ..Conference::default() });
    put(portal, &Document { key: key(), title: word(), ..Document::default() });
    put(portal, &Expert { key: key(), name: word(), ..Expert::default() });
    put(portal, &FriendLink { key: key(), title: word(), ..FriendLink::default() });
    put(portal, &Information { key: key(), title: word(), ..Information::default() });
    put(portal, &News { key: key(), title: word(), ..News::default() });
    put(portal, &Patent { key: key(), title: word(), ..Patent::default() });
    put(portal, &Standard { key: key(), title: word(), ..Standard::default() });
    put(portal, &Tool { key: key(), title: word(), ..Tool::default() });
    put(portal, &Video { key: key(), title: word(), ..Video::default() });
    put(portal, &Wechat { key: key(), title: word(), ..Wechat::default() });
    portal.run(async {
        let site = portal.app.store.site(SITE);
        site.save_journal(&Journal { key: key(), title: word(), ..Journal::default() }).await.unwrap();
        assert!(site.show_journal("k", true).await.unwrap());
        site.save_article(&bare_article("10.5555/bare", 0)).await.unwrap();
        let proofs = portal.app.store.site(PROOFS_SITE);
        for state in STATES {
            proofs.save_article(&bare_article(&doi_of(state), state)).await.unwrap();
        }
    });
}

fn doi_of(state: i32) -> String {
    format!("10.5555/proof.{state}")
}

/// An article with a title, a DOI and a proofing state.
fn bare_article(doi: &str, first_status: i32) -> NewArticle {
    let doi = Doi::parse(doi).unwrap();
    let titles = vec![LangText { lang: "en".to_owned(), plain: WORD.to_owned(), nodes: Vec::new() }];
    let meta = ArticleMeta {
        source_key: format!("doi:{}", doi.key()),
        doi: Some(doi),
        titles,
        first_status,
        ..ArticleMeta::default()
    };
    let article = Article { meta, ..Article::default() };
    NewArticle {
        card: ArticleCard::of(&article, &[], &[]),
        article,
        rendered: serde_json::to_string(&RenderedArticle {
            title_html: vec![("en".to_owned(), WORD.to_owned())],
            ..RenderedArticle::default()
        })
        .unwrap(),
        ..NewArticle::default()
    }
}

fn id<T: StoredResource>() -> i64 {
    PORTAL.run(PORTAL.app.store.site(SITE).resource_by_key::<T>("k")).unwrap().unwrap().id
}

fn article() -> ArticleId {
    article_of(SITE, "10.5555/bare")
}

fn article_of(site: SiteId, doi: &str) -> ArticleId {
    PORTAL.run(PORTAL.app.store.site(site).article_id_by_doi(&Doi::parse(doi).unwrap())).unwrap().unwrap()
}

/// What is wrong with the content of a page: an empty address, fact or date, or a value that was written without a text.
fn faults(page: &str) -> Vec<String> {
    let main = between(page, "<main", "</main>");
    let signs = [
        "src=\"\"",
        "href=\"\"",
        "datetime=\"\"",
        "<dd></dd>",
        "<dt></dt>",
        "<li></li>",
        ">null<",
        ">undefined<",
        "NaN",
    ];
    let mut found: Vec<String> = signs.into_iter().filter(|sign| main.contains(sign)).map(str::to_owned).collect();
    if named(main, "h1").len() != 1 {
        found.push(format!("{} headings of the first level", named(main, "h1").len()));
    }
    found
}

#[test]
fn an_entry_with_nothing_but_a_title_has_a_finished_page() {
    let own = [
        format!("album/{}", id::<Album>()),
        format!("audio/{}", id::<Audio>()),
        format!("video/{}", id::<Video>()),
        format!("book/{}", id::<Book>()),
        format!("patent/{}", id::<Patent>()),
        format!("standard/{}", id::<Standard>()),
        format!("document/{}", id::<Document>()),
        format!("conference/{}", id::<Conference>()),
        format!("collections/{}", id::<Collection>()),
        format!("scholar/{}", id::<Expert>()),
        format!("newsDetails/{}", id::<News>()),
        format!("newsInfo/0/{}", id::<News>()),
        format!("info/{}", id::<Information>()),
        format!("article/{}", article()),
        "newcomposite/k".to_owned(),
        "mag/k".to_owned(),
        "mag/k?tab=current".to_owned(),
        "mag/k?tab=issues".to_owned(),
        "mag/k?tab=columns".to_owned(),
        "mag/k?tab=board".to_owned(),
        "mag/k?tab=contact".to_owned(),
    ];
    for path in own {
        // In Chinese and Arabic, the title is in another language than the page.
        for lang in ["en", "zh", "ara"] {
            let page = PORTAL.page(NAME, &format!("/{lang}/{path}"));
            assert!(between(&page, "<main", "</main>").contains(WORD), "{lang} {path} has its title");
            assert_eq!(faults(&page), Vec::<String>::new(), "{lang} {path}: {page}");
        }
    }
}

/// The lists of the site, and whether an entry of them leads to a page.
const LISTS: [(&str, bool); 13] = [
    ("currencyList?type=patent", true),
    ("currencyList?type=standard", true),
    ("currencyList?type=document", true),
    ("currencyList?type=conference", true),
    ("audioList?type=audio", true),
    ("audioList?type=video", true),
    ("bookList", true),
    ("informationList?type=news", true),
    ("informationList?type=wechat", false),
    ("othersList?type=tool", false),
    ("news", true),
    ("scholarList", true),
    ("newArticle?code=conference", true),
];

#[test]
fn a_list_of_one_entry_has_neither_pages_nor_orders() {
    for (path, leads) in LISTS {
        let page = PORTAL.page(NAME, &format!("/en/{path}"));
        let main = between(&page, "<main", "</main>");
        assert!(main.contains(WORD), "{path}: {main}");
        assert_eq!(faults(&page), Vec::<String>::new(), "{path}");
        assert!(!main.contains("rel=\"next\"") && !main.contains("rel=\"prev\""), "{path}: {main}");
        assert!(!main.contains("sort=oldest") && !main.contains("sort=visits"), "{path}: {main}");
        let to_a_page = named(main, "a")
            .iter()
            .any(|tag| tag.get("href").split('/').next_back().is_some_and(|id| id.parse::<i64>().is_ok()));
        assert_eq!(to_a_page, leads, "{path}: {main}");
    }
}

#[test]
fn an_empty_site_says_so_on_every_list() {
    for path in LISTS.map(|(path, _)| path).into_iter().chain([
        "issues",
        "mag",
        "justAccepted",
        "onlineFirst",
        "info",
        "newLink1",
        "collectionList",
        "editorial-board",
        "contact",
        "about",
    ]) {
        let page = PORTAL.page(BLANK, &format!("/en/{path}"));
        assert!(between(&page, "<main", "</main>").contains("<p class=\"empty\">No data</p>"), "{path}: {page}");
        assert_eq!(faults(&page), Vec::<String>::new(), "{path}");
    }
}

/// Whether a response is a whole document that leads on: a page, or a message with a link home.
fn leads_on(answer: &Answer, lang: &str) -> bool {
    let text = answer.text();
    let main = between(&text, "<main", "</main>");
    let home = named(main, "a").iter().any(|tag| tag.get("href").starts_with(&format!("/{lang}/home")));
    match answer.status {
        200 => main.contains("<h1"),
        404 => main.contains("<h1") && home && bootstrap(&text)["page"]["kind"] == "message",
        _ => false,
    }
}

#[test]
fn absurd_addresses_lead_to_a_page_or_to_a_message_that_leads_home() {
    let long = "9".repeat(400);
    let values = [
        "0",
        "-1",
        "-0",
        "01",
        "1e3",
        "0x1F",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "99999999999999999999999999",
        &long,
        "%00",
        "a%00b",
        "%FF%FE",
        "%F0%9F%A6%91",
        "%E2%80%AE",
        "%3Cscript%3E",
        "..%2F..%2Fetc%2Fpasswd",
        "%27%20OR%20%271%27%3D%271",
        WORD,
    ];
    // An album has no address by its key.
    let album = format!("album/{}?tab={{}}&page={{}}", id::<Album>());
    let routes = [
        "home/{}",
        "home?by={}&months={}",
        "article/{}",
        "article/doi/{}",
        "article/doi/10.5555/{}/{}/{}",
        "issue/{}",
        "issue/{}/{}",
        "issue/2026/{}",
        "about/{}",
        "aboutus/{}",
        "collectionList/{}",
        "collections/{}",
        "info/{}",
        "info?columnId={}",
        "newcomposite/{}",
        "news/{}",
        "newsDetails/{}",
        "newsInfo/{}",
        "newsInfo/{}/{}",
        "editorial-board/{}",
        "editorial-board/{}/{}",
        "scholar/{}",
        "mag/{}",
        "picture/{}",
        "table/{}",
        "audio/{}",
        "video/{}",
        "book/{}",
        "patent/{}",
        "standard/{}",
        "document/{}",
        "conference/{}",
        "album/{}",
        &album,
        "{}",
        "issues?page={}",
        "justAccepted?page={}",
        "currencyList?type={}&code={}&sort={}&page={}&columnId={}&styleId={}&index={}",
        "textList?journal={}&type={}&sort={}&page={}",
        "news?newsDataType={}&page={}&columnId={}",
        "scholarList?topicId={}&page={}",
        "mag/k?tab={}&column={}&page={}",
        "collections/k?tab={}&page={}",
        "editorial-board?board={}",
        "newArticle?code={}&columnId={}&page={}",
        "newLeaguage?styleId={}&columnId={}&childId={}",
        "login?url={}",
        "personal?tab={}&page={}",
        "search?q=a&sort={}&yearFrom={}&lastYears={}&type={}&site={}",
        "seniorSearch?v1={}&f1={}&o2={}&f2={}&v2=a",
    ];
    let mut failures = Vec::new();
    for route in routes {
        for value in values {
            let path = format!("/en/{}", route.replace("{}", value));
            let answer = PORTAL.get(NAME, &path);
            if !leads_on(&answer, "en") {
                failures.push(format!("{} {path}", answer.status));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// The labels of proofing states in a part of a page.
fn labels(html: &str) -> Vec<&str> {
    html.split(" data-status=").skip(1).map(|rest| between(rest, ">", "<")).collect()
}

#[test]
fn an_article_before_its_issue_has_the_label_of_its_proofing_state() {
    let named = [
        (0, "", ""),
        (-1, "Accept", "最新录用"),
        (1, "Corrected Proof", "第一校对优先级"),
        (10, "Corrected Proof", "第十校对优先级"),
        (11, "Corrected Proof", "校对稿"),
    ];
    for (state, en, zh) in named {
        let id = article_of(PROOFS_SITE, &doi_of(state));
        for (lang, label) in [("en", en), ("zh", zh)] {
            let list = if state == -1 { "justAccepted" } else { "onlineFirst" };
            let wanted: Vec<&str> = Some(label).filter(|label| !label.is_empty()).into_iter().collect();
            let page = PORTAL.page(PROOFS, &format!("/{lang}/{list}"));
            let card = between(&page, &format!(" data-article=\"{id}\""), "</li>");
            assert!(card.contains(WORD), "{list} has the article of state {state}: {card}");
            assert_eq!(labels(card), wanted, "the card of state {state} in {lang}");
            let page = PORTAL.page(PROOFS, &format!("/{lang}/article/{id}"));
            assert_eq!(labels(between(&page, "<main", "</main>")), wanted, "the page of state {state} in {lang}");
        }
    }
}

#[test]
fn an_article_without_references_says_so() {
    let path = format!("/rc-pub/front/front-article/getReference?id={}", article());
    for (lang, message) in [("en", "No citation information available"), ("zh", "暂无引用信息")] {
        let answer = PORTAL.with(&format!("{NAME}.localhost"), &path, &[("language", lang)]).json();
        assert_eq!((&answer["status"], &answer["data"]), (&0.into(), &serde_json::json!([])), "{answer}");
        assert_eq!(answer["message"], message);
    }
}
