//! The archive of issues, the page of an issue, lists of articles and experts that are longer than a page, and the covers that are drawn for
//! issues without a picture.

use std::{
    collections::{BTreeSet, HashMap},
    path::Path,
    sync::LazyLock,
};

use masthead_documents::{
    html,
    jats::{self, Limits},
};
use masthead_domain::{
    Doi, Lang, LocalText, SiteId,
    article::{Article, ArticleMeta, Contributor},
    card::ArticleCard,
    resource::{Board, BoardSeat, Column, Expert, Role},
};
use masthead_store::{CardQuery, NewArticle, SiteStore};
use masthead_test_support::{Portal, Setup, between, listed, named};

const SITE: &str = "oceanledger";
/// A site with long lists.
const LONG: SiteId = SiteId(9112);
const LONG_NAME: &str = "longlists";
/// Articles of its issue 1, in two sections.
const IN_SECTIONS: u32 = 250;
/// Articles of its issue 2, the current one: more than the page of an issue puts into sections.
const BEYOND_SECTIONS: u32 = 1020;
/// Articles of issue 2 that one expert wrote.
const OF_EXPERT: u32 = 65;
/// The article of issue 2 with a PDF, on the last but one of its pages.
const WITH_PDF: u32 = 1000;
/// Other experts.
const EXPERTS: u32 = 205;
/// Other columns of the first level.
const COLUMNS: u32 = 200;
/// The site with two journals. An earlier board of it has as many members as the site with long lists has experts.
const TWO: SiteId = SiteId(9111);

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    let portal = Portal::start("issues", Setup::default(), add_sites);
    portal.run(async {
        let site = portal.app.store.site(SiteId(448));
        for source in [EDITORIAL.to_owned(), before_all_covers()] {
            site.save_article(&article(&source)).await.unwrap();
        }
        portal.app.change_log_follower().catch_up().await.unwrap();
        // Nothing that is tested of the long lists needs the search index.
        fill_long_lists(&portal.app.store.site(LONG)).await;
        add_board(&portal.app.store.site(TWO)).await;
    });
    portal
});

/// A site with two journals whose issues have the same years and numbers, and the one with long lists.
fn add_sites(sites: &Path) {
    let text = format!("id = {}\nname = {{ en = \"Long\" }}\nlanguages = [\"en\"]\n", LONG.0);
    std::fs::write(sites.join(format!("{LONG_NAME}.toml")), text).unwrap();
    let text =
        "id = 9111\nname = { en = \"Two\" }\nlanguages = [\"en\"]\ndemo = [\"ocean-ledger\", \"script-and-stone\"]\n";
    std::fs::write(sites.join("two.toml"), text).unwrap();
}

/// The last article of an issue by its pages.
const EDITORIAL: &str = "<article article-type=\"editorial\" xml:lang=\"en\"><front><journal-meta>\
    <issn>9967-2049</issn><journal-title-group><journal-title>Ocean Ledger</journal-title></journal-title-group></journal-meta>\
    <article-meta><article-id pub-id-type=\"doi\">10.5555/issues.editorial</article-id>\
    <article-categories><subj-group subj-group-type=\"heading\"><subject>From the desk</subject></subj-group></article-categories>\
    <title-group><article-title>What we count</article-title></title-group>\
    <pub-date date-type=\"pub\" publication-format=\"electronic\"><day>1</day><month>2</month><year>2026</year></pub-date>\
    <volume>6</volume><issue>1</issue><fpage>990</fpage><lpage>991</lpage></article-meta></front>\
    <body><p>Everything.</p></body></article>";

/// An article of an issue that is older than those of the demo, which all have a picture.
fn before_all_covers() -> String {
    let older = EDITORIAL.replace("issues.editorial", "issues.older").replace("<year>2026<", "<year>2022<");
    older.replace("<volume>6<", "<volume>2<")
}

fn article(source: &str) -> NewArticle {
    let article = jats::import(source.as_bytes(), &Limits::default()).unwrap().article;
    let rendered = html::render(&article, &|_| None);
    let card = ArticleCard::of(&article, &rendered.title_html, &[]);
    NewArticle { card, rendered: serde_json::to_string(&rendered).unwrap(), article, ..NewArticle::default() }
}

async fn fill_long_lists(site: &SiteStore) {
    let first = (1..=IN_SECTIONS).map(|number| numbered("1", number));
    let all: Vec<NewArticle> = first.chain((1..=BEYOND_SECTIONS).map(|number| numbered("2", number))).collect();
    for some in all.chunks(100) {
        assert!(site.save_articles(some).await.iter().all(Result::is_ok));
    }
    add_experts(site).await;
    let mut name = LocalText::of(Lang::En, "Ada Tern");
    name.0.insert(Lang::Zh, "燕艾达".to_owned());
    site.save_resource(&Expert { key: "tern".to_owned(), name, ..Expert::default() }).await.unwrap();
    let title = LocalText::of(Lang::En, "Research");
    site.save_resource(&Column { key: "research".to_owned(), title, ..Column::default() }).await.unwrap();
    let others = (1..=COLUMNS).map(|number| (format!("c{number}"), ""));
    let below = [("below".to_owned(), "research"), ("lost".to_owned(), "gone")];
    for (key, parent) in others.chain(below) {
        let title = LocalText::of(Lang::En, format!("Column {key}"));
        let column = Column { key, title, parent: parent.to_owned(), ..Column::default() };
        site.save_resource(&column).await.unwrap();
    }
}

async fn add_experts(site: &SiteStore) {
    for number in 1..=EXPERTS {
        let name = LocalText::of(Lang::En, format!("Expert {number}"));
        site.save_resource(&Expert { key: format!("k{number}"), name, ..Expert::default() }).await.unwrap();
    }
}

async fn add_board(site: &SiteStore) {
    add_experts(site).await;
    let seat = |number: u32| BoardSeat { role: Role::Member, expert: format!("k{number}") };
    let seats = (1..=EXPERTS).map(seat).collect();
    let board = Board { key: "large".to_owned(), position: 9, seats, ..Board::default() };
    site.save_resource(&board).await.unwrap();
}

/// An article of an issue of that site, whose number is its page. In issue 1, every second one is in another section.
fn numbered(issue: &str, number: u32) -> NewArticle {
    let doi = Doi::parse(&format!("10.5555/long.{issue}.{number}")).unwrap();
    let of_expert = issue == "2" && number <= OF_EXPERT;
    let author = Contributor {
        role: "author".to_owned(),
        surname: "Tern".to_owned(),
        given_names: "Ada".to_owned(),
        // An article with both forms of a name is listed once.
        alternatives: vec![("zh".to_owned(), "燕艾达".to_owned())],
        ..Contributor::default()
    };
    let section = if issue == "1" && number.is_multiple_of(2) { "Letters" } else { "Research" };
    let mut meta = ArticleMeta {
        source_key: format!("doi:{}", doi.key()),
        doi: Some(doi),
        issue: issue.to_owned(),
        year: Some(2031),
        first_page: number.to_string(),
        subjects: vec![section.to_owned()],
        contributors: of_expert.then_some(author).into_iter().collect(),
        pdf: if issue == "2" && number == WITH_PDF { "whole.pdf".to_owned() } else { String::new() },
        ..ArticleMeta::default()
    };
    meta.journal.title = "Long Letters".to_owned();
    let article = Article { meta, ..Article::default() };
    NewArticle {
        card: ArticleCard::of(&article, &[], &[]),
        article,
        rendered: "{}".to_owned(),
        ..NewArticle::default()
    }
}

/// The content of all pages of a list of that site, from the first one on by the links to the next.
fn all_pages(path: &str) -> Vec<String> {
    let (mut all, mut next) = (Vec::new(), Some(path.to_owned()));
    while let Some(path) = next {
        let main = main_of(&PORTAL.page(LONG_NAME, &path));
        let links = named(between(&main, "<nav class=\"more\"", "</nav>"), "a");
        next = links.into_iter().find(|link| link.get("rel") == "next").map(|link| link.get("href"));
        all.push(main);
    }
    all
}

/// Issue and page of each article of that site, by its address.
fn places() -> HashMap<String, (String, u32)> {
    let cards = PORTAL.run(PORTAL.app.store.site(LONG).cards(&CardQuery::Latest, None, i64::MAX)).unwrap();
    let place = |card: ArticleCard| (format!("/en/article/{}", card.id), (card.issue, card.pages.parse().unwrap()));
    cards.into_iter().map(place).collect()
}

fn main_of(page: &str) -> String {
    let (_, main) = page.split_once("<main").unwrap();
    main.split("</main>").next().unwrap().to_owned()
}

fn covers(main: &str) -> Vec<String> {
    let covers = named(main, "img").into_iter().filter(|picture| picture.get("class") == "cover");
    covers.map(|picture| picture.get("src")).collect()
}

#[test]
fn every_issue_of_the_archive_has_a_cover_of_its_own() {
    let main = main_of(&PORTAL.page(SITE, "/en/issues"));
    let covers = covers(&main);
    let cards = named(&main, "li").into_iter().filter(|tag| tag.get("class") == "issue-card").count();
    assert_eq!(covers.len(), cards);
    let mut pictures = BTreeSet::new();
    for cover in &covers {
        let answer = PORTAL.get(SITE, cover);
        assert_eq!(answer.status, 200, "{cover}");
        assert!(answer.header("content-type").starts_with("image/svg+xml"), "{cover}");
        assert!(answer.header("cache-control").contains("immutable"), "{cover}");
        pictures.insert(answer.bytes);
    }
    assert!(covers.len() > 2 && pictures.len() == covers.len(), "{covers:?}");
    assert!(covers.iter().any(|cover| cover.starts_with("/static/covers/ocean-ledger/")), "{covers:?}");
    assert!(covers.iter().any(|cover| cover.starts_with("/media/448/")), "a picture goes before a drawing: {covers:?}");
}

#[test]
fn covers_are_drawn_for_what_readers_see_only() {
    let covers = covers(&main_of(&PORTAL.page(SITE, "/en/issues")));
    let drawn = covers.iter().find(|cover| cover.starts_with("/static/")).unwrap();
    let (path, _) = drawn.split_once('?').unwrap();
    for other in ["", "?v=0", "?v=%00"] {
        let answer = PORTAL.get(SITE, &format!("{path}{other}"));
        let kept = answer.header("cache-control").to_owned();
        assert!(answer.status == 200 && kept == "public, max-age=60", "{other}: {} {kept}", answer.status);
    }
    let answer = PORTAL.get(SITE, drawn);
    assert!(answer.text().starts_with("<svg xmlns=") && answer.text().contains("海洋账簿"), "{}", answer.text());
    assert!(answer.header("content-security-policy").contains("default-src"));
    for missing in ["none", "none/2026/1", "ocean-ledger/1999/1", "ocean-ledger/x/1", "ocean-ledger/2026/%00"] {
        let status = PORTAL.get(SITE, &format!("/static/covers/{missing}")).status;
        assert!(matches!(status, 400 | 404), "{missing}: {status}");
    }
    assert_eq!(PORTAL.get("scriptstone", path).status, 404, "the journal of another site");
    assert_eq!(PORTAL.get(SITE, "/static/covers/ocean-ledger").status, 200, "the journal's own");
    let host = format!("127.0.0.1:{}", PORTAL.address.port());
    let shared = PORTAL.with(&host, "/oceanledger/en/issues", &[]).text();
    let prefixed = named(&shared, "img").into_iter().map(|picture| picture.get("src"));
    let prefixed = prefixed.into_iter().find(|src| src.starts_with("/oceanledger/static/covers/")).unwrap();
    assert_eq!(PORTAL.with(&host, &prefixed, &[]).status, 200, "{prefixed}");
}

#[test]
fn the_archive_leads_to_its_years() {
    let main = main_of(&PORTAL.page(SITE, "/en/issues"));
    let nav = between(&main, "<nav class=\"year-jump\"", "</nav>");
    let targets: Vec<String> = named(nav, "a").iter().map(|link| link.get("href")).collect();
    assert!(targets.len() > 1 && targets.contains(&"#year-2026".to_owned()), "{nav}");
    for target in &targets {
        assert!(main.contains(&format!(" id=\"{}\"", &target[1..])), "{target}: {main}");
    }
    let two = main_of(&PORTAL.page("two", "/en/issues"));
    let ids: Vec<String> = named(&two, "h3").iter().map(|heading| heading.get("id")).collect();
    let unique: BTreeSet<&String> = ids.iter().collect();
    assert!(ids.len() > 2 && unique.len() == ids.len(), "{ids:?}");
    assert_eq!(two.matches("<nav class=\"year-jump\"").count(), 2, "{two}");
}

#[test]
fn an_issue_is_a_publication_with_cover_sections_pdfs_and_neighbours() {
    let main = main_of(&PORTAL.page(SITE, "/en/issue/2026/1"));
    assert_eq!(covers(&main).len(), 1, "{main}");
    assert!(covers(&main)[0].starts_with("/media/448/"), "{main}");
    let journal = between(&main, "<p class=\"kicker\"><a href=\"", "\"");
    assert_eq!(journal, "/en/mag/ocean-ledger", "{main}");
    assert!(PORTAL.page(SITE, journal).contains("Ocean Ledger</h1>"), "the page of the journal");
    let facts = between(&main, "<p class=\"issue-facts\">", "</p>");
    for part in ["Vol. ", "2026-01-28", "articles", "1 PDF"] {
        assert!(facts.contains(part), "{part}: {facts}");
    }
    let pdfs: Vec<String> = named(&main, "a")
        .into_iter()
        .filter(|link| link.get("class") == "card-pdf")
        .map(|link| link.get("href"))
        .collect();
    assert_eq!(pdfs.len(), 1, "{main}");
    let pdf = PORTAL.get(SITE, &pdfs[0]);
    assert!(pdf.status == 200 && pdf.header("content-type") == "application/pdf", "{pdfs:?}: {}", pdf.status);
    let rels: Vec<(String, String)> = named(between(&main, "<nav class=\"issue-nav\"", "</nav>"), "a")
        .iter()
        .map(|link| (link.get("rel"), link.get("href")))
        .collect();
    let link = |rel: &str, path: &str| (rel.to_owned(), path.to_owned());
    assert_eq!(rels, [link("prev", "/en/issue/2025/4"), link("next", "/en/issue/2026/2")]);
    for target in named(between(&main, "<nav class=\"section-jump\"", "</nav>"), "a") {
        assert!(main.contains(&format!(" id=\"{}\"", &target.get("href")[1..])), "{main}");
    }
    let older = main_of(&PORTAL.page(SITE, "/en/issue/2022/1"));
    assert!(covers(&older)[0].starts_with("/static/covers/ocean-ledger/2022/1?v="), "{older}");
}

/// Of two articles of the issue, one has the Chinese name of their section first, the other one the English name.
#[test]
fn a_section_stands_once_under_its_name_in_the_language_of_the_page() {
    let (zh, en) = ("海岸碳循环", "Coastal Carbon");
    for (lang, name, other) in [("en", en, zh), ("zh", zh, en)] {
        let main = main_of(&PORTAL.page(SITE, &format!("/{lang}/issue/2026/1")));
        let jump = between(&main, "<nav class=\"section-jump\"", "</nav>");
        assert_eq!((jump.matches(name).count(), jump.matches(other).count()), (1, 0), "{jump}");
        assert!(!main.contains(&format!(">{other}<")), "{main}");
        let found = PORTAL.page(SITE, &format!("/{lang}/search?q=seagrass"));
        let filters = between(&found, "<aside class=\"filters\"", "</aside>");
        assert_eq!((filters.matches(name).count(), filters.matches(other).count()), (1, 0), "{filters}");
        let id = PORTAL.article(SITE, "10.5555/ocl.2026.06.01.0001");
        let article = main_of(&PORTAL.page(SITE, &format!("/{lang}/article/{id}")));
        let shown = |word: &str| article.matches(&format!(">{word}<")).count();
        assert!(shown(name) > 0 && shown(other) == 0, "{article}");
    }
}

#[test]
fn editorials_come_first() {
    let main = main_of(&PORTAL.page(SITE, "/en/issue/2026/1"));
    let first = &listed(&main)[0];
    assert_eq!(*first, format!("/en/article/{}", PORTAL.article(SITE, "10.5555/issues.editorial")));
    let jump = between(&main, "<nav class=\"section-jump\"", "</nav>");
    assert!(jump.find("From the desk").unwrap() < jump.rfind("<li>").unwrap(), "{jump}");
    assert!(main.find("From the desk</").unwrap() < main.find("10.5555/ocl.2026").unwrap(), "{main}");
}

#[test]
fn an_issue_of_a_site_with_several_journals_is_found_by_its_journal() {
    let of = |query: &str| main_of(&PORTAL.page("two", &format!("/en/issue/2026/1{query}")));
    let (first, second) = (of(""), of("?journal=script-and-stone"));
    assert!(first.contains("Ocean Ledger") && second.contains("Script"), "{second}");
    assert_ne!(covers(&first), covers(&second));
    let journals = [&first, &second].map(|main| between(main, "<p class=\"kicker\"><a href=\"", "\""));
    assert_eq!(journals, ["/en/mag/ocean-ledger", "/en/mag/script-and-stone"]);
    for link in named(between(&second, "<nav class=\"issue-nav\"", "</nav>"), "a") {
        assert!(link.get("href").ends_with("?journal=script-and-stone"), "{}", link.get("href"));
    }
    assert_eq!(PORTAL.get("two", "/en/issue/2026/1?journal=none").status, 404);
    let only = main_of(&PORTAL.page("two", "/en/issue/2025/3"));
    assert!(only.contains("Script"), "the first journal has no such issue: {only}");
    let next = named(between(&only, "<nav class=\"issue-nav\"", "</nav>"), "a").pop().unwrap();
    assert_eq!(
        (next.get("rel").as_str(), next.get("href").as_str()),
        ("next", "/en/issue/2026/1?journal=script-and-stone")
    );
    let missing = PORTAL.get("two", "/en/issue/1800/1");
    assert_eq!(missing.status, 404);
    assert!(main_of(&missing.text()).contains("href=\"/en/home\">Home<"), "the link leads where it says");
    let latest = main_of(&PORTAL.page(SITE, "/en/issue"));
    assert!(!latest.contains("rel=\"next\"") && latest.contains("rel=\"prev\""), "{latest}");
}

#[test]
fn every_article_of_a_long_issue_is_on_one_of_its_pages() {
    let places = places();
    let sections: Vec<u32> = (1..=IN_SECTIONS).step_by(2).chain((2..=IN_SECTIONS).step_by(2)).collect();
    let in_page_order: Vec<u32> = (1..=BEYOND_SECTIONS).collect();
    for (issue, expected, pages) in [("1", sections, 3), ("2", in_page_order, 11)] {
        let path = format!("/en/issue/2031/{issue}");
        let all = all_pages(&path);
        let articles: Vec<(&str, u32)> =
            all.iter().flat_map(|main| listed(main)).map(|href| (places[&href].0.as_str(), places[&href].1)).collect();
        let wanted: Vec<(&str, u32)> = expected.iter().map(|number| (issue, *number)).collect();
        assert_eq!((articles, all.len()), (wanted, pages), "{path}");
        for main in &all {
            let facts = between(main, "<p class=\"issue-facts\">", "</p>");
            assert!(facts.contains(&format!("{} articles", expected.len())), "{path}: {facts}");
        }
    }
    let pdfs: Vec<usize> = all_pages("/en/issue/2031/2").iter().map(|main| main.matches("card-pdf").count()).collect();
    assert_eq!(pdfs, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]);
    assert_eq!(listed(&main_of(&PORTAL.page(LONG_NAME, "/en/issue/2031/2?page=12"))), Vec::<String>::new());
}

#[test]
fn every_article_of_a_long_current_issue_is_on_a_page_of_its_tab() {
    let places = places();
    let all = all_pages("/en/mag?tab=current");
    let articles: Vec<&(String, u32)> = all.iter().flat_map(|main| listed(main)).map(|href| &places[&href]).collect();
    let wanted: Vec<(String, u32)> = (1..=BEYOND_SECTIONS).map(|number| ("2".to_owned(), number)).collect();
    assert_eq!((articles, all.len()), (wanted.iter().collect::<Vec<_>>(), 11));
}

#[test]
fn every_article_of_a_column_and_of_an_expert_is_listed_once() {
    let expert = PORTAL.run(PORTAL.app.store.site(LONG).resource_by_key::<Expert>("tern")).unwrap().unwrap().id;
    let in_column = IN_SECTIONS / 2 + BEYOND_SECTIONS;
    for (path, number, pages) in [
        ("/en/mag?tab=columns&column=research".to_owned(), in_column, 58),
        (format!("/en/scholar/{expert}"), OF_EXPERT, 4),
    ] {
        let all = all_pages(&path);
        let ids: Vec<i64> = all
            .iter()
            .flat_map(|main| listed(main))
            .map(|href| href.strip_prefix("/en/article/").unwrap().parse().unwrap())
            .collect();
        assert_eq!((ids.len(), all.len()), (number as usize, pages), "{path}");
        assert!(ids.is_sorted_by(|newer, older| newer > older), "{path}: each once, the newest first: {ids:?}");
    }
}

/// The address of the call for the articles of an issue of that site.
fn call(issue: &str, more: &str) -> String {
    format!("/rc-pub/front/front-period/getPageByPeriodId?year=2031&issue={issue}{more}")
}

/// The pages on which the articles of a list of a call begin.
fn begins(cards: &serde_json::Value) -> Vec<u32> {
    cards.as_array().unwrap().iter().map(|card| card["pages"].as_str().unwrap().parse().unwrap()).collect()
}

#[test]
fn a_call_for_an_issue_leads_to_what_it_leaves_out() {
    let answer = PORTAL.get(LONG_NAME, &call("2", ""));
    assert_eq!(begins(&answer.json()["data"]), (1..=1000).collect::<Vec<_>>());
    let link = answer.header("link");
    let query = link.strip_prefix("<?").and_then(|rest| rest.strip_suffix(">; rel=\"next\""));
    let query = query.unwrap_or_else(|| panic!("{link}"));
    let rest = PORTAL.get(LONG_NAME, &format!("/rc-pub/front/front-period/getPageByPeriodId?{query}"));
    let page = rest.json()["data"].clone();
    assert_eq!(begins(&page["content"]), (1001..=BEYOND_SECTIONS).collect::<Vec<_>>());
    assert!(page["totalElements"] == BEYOND_SECTIONS && page["last"] == true && page["next"].is_null(), "{page}");
    assert_eq!(rest.header("link"), "");
    let whole = PORTAL.get(LONG_NAME, &call("1", ""));
    assert_eq!((begins(&whole.json()["data"]).len(), whole.header("link")), (IN_SECTIONS as usize, ""));
}

#[test]
fn every_article_of_a_long_issue_is_on_a_page_of_the_call() {
    let (mut all, mut after) = (Vec::new(), String::new());
    loop {
        let page = PORTAL.get(LONG_NAME, &call("2", &format!("&size=90{after}"))).json()["data"].clone();
        assert_eq!(
            (&page["totalPages"], &page["size"], &page["number"]),
            (&12.into(), &90.into(), &0.into()),
            "{page}"
        );
        all.extend(begins(&page["content"]));
        let Some(next) = page["next"].as_str() else { break };
        after = format!("&after={next}");
    }
    assert_eq!(all, (1..=BEYOND_SECTIONS).collect::<Vec<_>>());
    let by_number = PORTAL.get(LONG_NAME, &call("2", "&page=11&size=90")).json()["data"].clone();
    assert_eq!((begins(&by_number["content"]), &by_number["number"]), ((991..=1020).collect(), &11.into()));
    let behind = PORTAL.get(LONG_NAME, &call("2", "&page=12&size=90")).json()["data"].clone();
    assert!(begins(&behind["content"]).is_empty() && behind["last"] == true, "{behind}");
    for odd in ["&after=x", "&after=", "&after=-1", "&page=101&size=100", "&size=x"] {
        assert_eq!(PORTAL.get(LONG_NAME, &call("2", odd)).status, 400, "{odd}");
    }
}

#[test]
fn every_column_of_a_journal_is_on_a_page_of_its_tab() {
    let keys = |main: &String| -> Vec<String> {
        let list = main.split_once("<ul class=\"column-list").map_or("", |(_, list)| list);
        let links = named(list, "a").into_iter().map(|link| link.get("href"));
        links.filter_map(|href| href.strip_prefix("/en/mag?tab=columns&column=").map(str::to_owned)).collect()
    };
    let all = all_pages("/en/mag?tab=columns");
    let mut listed: Vec<String> = all.iter().flat_map(keys).collect();
    listed.sort();
    let mut wanted: Vec<String> = (1..=COLUMNS).map(|number| format!("c{number}")).collect();
    wanted.extend(["below", "lost", "research"].map(str::to_owned));
    wanted.sort();
    assert_eq!((listed, all.len()), (wanted, 11));
    let open = main_of(&PORTAL.page(LONG_NAME, "/en/mag?tab=columns&column=below"));
    assert!(keys(&open).ends_with(&["research".to_owned(), "below".to_owned()]), "the open one is shown: {open}");
    let back = named(&open, "a").into_iter().find(|link| link.get("class") == "block-more").unwrap().get("href");
    assert_eq!(keys(&main_of(&PORTAL.page(LONG_NAME, &back))), keys(&open), "{back}");
}

#[test]
fn every_expert_of_a_site_without_a_board_is_on_a_page() {
    let persons = |main: &String| -> Vec<String> {
        let links = named(main, "a").into_iter().filter(|link| link.get("class") == "person-name");
        links.map(|link| link.get("href")).collect()
    };
    let all = all_pages("/en/editorial-board");
    let each: BTreeSet<String> = all.iter().flat_map(persons).collect();
    assert_eq!((each.len(), all.len()), (EXPERTS as usize + 1, 11));
    let on_last = persons(&all[10]);
    let open = main_of(&PORTAL.page(LONG_NAME, &on_last[0]));
    assert_eq!(persons(&open), on_last, "an expert is opened above the page that has him or her");
    assert!(open.contains("id=\"expert-name\""), "{open}");
    let board = PORTAL.run(PORTAL.app.store.site(TWO).resource_by_key::<Board>("large")).unwrap().unwrap().id;
    let seated = persons(&main_of(&PORTAL.page("two", &format!("/en/editorial-board?board={board}"))));
    assert_eq!(seated.len(), EXPERTS as usize, "a board is shown whole");
}
