//! The archive of issues, the page of an issue, and the covers that are drawn for issues without a picture.

use std::{collections::BTreeSet, path::Path, sync::LazyLock};

use masthead_documents::{
    html,
    jats::{self, Limits},
};
use masthead_domain::{SiteId, card::ArticleCard};
use masthead_store::NewArticle;
use masthead_test_support::{Portal, Setup, between, listed, named};

const SITE: &str = "oceanledger";

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    let portal = Portal::start("issues", Setup::default(), add_site);
    portal.run(async {
        let site = portal.app.store.site(SiteId(448));
        for source in [EDITORIAL.to_owned(), before_all_covers()] {
            site.save_article(&article(&source)).await.unwrap();
        }
        portal.app.change_log_follower().catch_up().await.unwrap();
    });
    portal
});

/// A site with two journals whose issues have the same years and numbers.
fn add_site(sites: &Path) {
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
    for link in named(between(&second, "<nav class=\"issue-nav\"", "</nav>"), "a") {
        assert!(link.get("href").ends_with("?journal=script-and-stone"), "{}", link.get("href"));
    }
    assert_eq!(PORTAL.get("two", "/en/issue/2026/1?journal=none").status, 404);
    let missing = PORTAL.get("two", "/en/issue/1800/1");
    assert_eq!(missing.status, 404);
    assert!(main_of(&missing.text()).contains("href=\"/en/home\">Home<"), "the link leads where it says");
    let latest = main_of(&PORTAL.page(SITE, "/en/issue"));
    assert!(!latest.contains("rel=\"next\"") && latest.contains("rel=\"prev\""), "{latest}");
}
