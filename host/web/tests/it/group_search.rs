//! A search of a group site over the sites of its group, with the plugins and the rights of each, and what a site's configuration says of every
//! search.

use std::{path::Path, sync::LazyLock};

use masthead_documents::figures_and_tables;
use masthead_domain::{
    Doi, SiteId,
    article::{Article, ArticleMeta, Contributor, JournalRef, KeywordGroup, LangText},
    card::ArticleCard,
    content::{Cell, Grid, Node, Row, Table},
};
use masthead_store::NewArticle;
use masthead_test_support::{Answer, Portal, Setup, between, bootstrap, copy, listed, named, test_plugins, workspace};
use serde_json::{Value, json};

use crate::reading::{Site, Subject};

const QUAY: SiteId = SiteId(9401);
const PIER: SiteId = SiteId(9402);
const WRECK: SiteId = SiteId(9403);
const ALONE: SiteId = SiteId(9404);
const WEIGHED: SiteId = SiteId(9405);
const LOCK: SiteId = SiteId(9406);
const WEIR: SiteId = SiteId(9407);
/// Its full texts are for members.
const DOCK: SiteId = SiteId(9408);

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    let plugins = workspace("groupsearch-plugins");
    copy(&test_plugins().join("template-hits"), &plugins.join("my-plugin"));
    let setup = Setup { bare: true, plugins: vec![plugins], ..Setup::default() };
    let portal = Portal::start("groupsearch", setup, add_sites);
    for site in [QUAY, PIER, WRECK, ALONE, LOCK, WEIR] {
        // The same numbers and DOIs on every site, and a title that says which one it is.
        for number in 1..=2 {
            save(&portal, site, &format!("10.5555/group.{number}"), &format!("Salt marsh {number} of site{site}"), "");
        }
    }
    save(&portal, ALONE, "10.5555/alone.3", "Plankton in a bottle", "The body names seiche once.");
    save(&portal, WEIGHED, "10.5555/weighed.1", "Plankton in a bottle", "The body names seiche once.");
    save(&portal, WEIGHED, "10.5555/weighed.2", "Seiche and storm", "Nothing else.");
    save(&portal, WEIGHED, "10.5555/weighed.3", "The carbon dioxide of soils", "");
    save(&portal, WEIGHED, "10.5555/weighed.4", "Sedimentation", "");
    for (site, title) in
        [(PIER, "Eelgrass of the pier"), (DOCK, "Eelgrass of the dock"), (WRECK, "Eelgrass of the wreck")]
    {
        let author = format!("Eelman{site}");
        let author = Contributor { role: "author".into(), surname: author, ..Contributor::default() };
        let keywords = KeywordGroup { plain: vec![format!("eelpout {title}")], ..KeywordGroup::default() };
        let meta = ArticleMeta { contributors: vec![author], keywords: vec![keywords], ..meta("10.5555/eel.1", title) };
        store(&portal, site, meta, "");
    }
    for site in [QUAY, PIER, DOCK] {
        save(&portal, site, "10.5555/kelp.1", "Kelp at low water", "");
    }
    for site in [PIER, DOCK] {
        save(&portal, site, "10.5555/kelp.3", "Kelp at high water", "");
    }
    portal.run(portal.app.change_log_follower().catch_up()).unwrap();
    portal
});

/// The same article with figures and tables at two members of a group, the full text of which is closed to strangers at the first.
static SHUT_AND_OPEN: LazyLock<[Subject; 2]> = LazyLock::new(|| {
    let subjects = [
        Subject::new(&PORTAL, Site { sld: "dock", id: DOCK }, "shut"),
        Subject::new(&PORTAL, Site { sld: "pier", id: PIER }, "open"),
    ];
    PORTAL.run(PORTAL.app.change_log_follower().catch_up()).unwrap();
    subjects
});

fn add_sites(sites: &Path) {
    let add = |sld: &str, id: SiteId, text: &str| {
        let name = format!("name = {{ zh = \"{sld}\", en = \"The {sld}\" }}");
        std::fs::write(sites.join(format!("{sld}.toml")), format!("id = {id}\n{name}\n{text}\n")).unwrap();
    };
    // It attaches a badge to open articles.
    let plugin = "[[plugins]]\nid = \"my-plugin\"";
    std::fs::write(sites.join("groups/harbour.toml"), "").unwrap();
    std::fs::write(sites.join("groups/basin.toml"), "").unwrap();
    add("quay", QUAY, "type = \"group\"\ngroupType = 1\ngroup = \"harbour\"");
    add("pier", PIER, &format!("group = \"harbour\"\n{plugin}"));
    add("lock", LOCK, &format!("type = \"group\"\ngroupType = 1\ngroup = \"basin\"\n{plugin}"));
    add("weir", WEIR, "group = \"basin\"");
    add("wreck", WRECK, "group = \"harbour\"\nstate = \"forbidden\"");
    add("dock", DOCK, "group = \"harbour\"\n[access]\nfullText = \"members\"");
    add("alone", ALONE, "");
    add(
        "weighed",
        WEIGHED,
        "[search]\nsynonyms = [[\"CO2\", \"carbon dioxide\"], [\"deposition\", \"sedimentation\"]]\n\
         stopWords = [\"about\", \"the\"]\nweights = { body = 0 }",
    );
}

fn meta(doi: &str, title: &str) -> ArticleMeta {
    ArticleMeta {
        source_key: format!("doi:{doi}"),
        doi: Some(Doi::parse(doi).unwrap()),
        titles: vec![LangText { lang: "en".into(), plain: title.into(), nodes: vec![Node::text(title)] }],
        journal: JournalRef { title: "Harbour Letters".into(), ..JournalRef::default() },
        year: Some(2026),
        language: "en".into(),
        open_access: doi.ends_with(".2"),
        ..ArticleMeta::default()
    }
}

/// Stores an article. The second one of a site is open, and has a table.
fn save(portal: &Portal, site: SiteId, doi: &str, title: &str, body: &str) {
    store(portal, site, meta(doi, title), body);
}

fn store(portal: &Portal, site: SiteId, meta: ArticleMeta, body: &str) {
    let open_access = meta.open_access;
    let mut article = Article { meta, ..Article::default() };
    if open_access {
        article.body.body = vec![Node::Table(Box::new(table()))];
    }
    let (pictures, tables) = figures_and_tables::of(&article, &|_| None);
    let card = ArticleCard::of(&article, &[], &[]);
    let rendered = json!({ "titleHtml": [], "sections": [], "outline": [], "text": body }).to_string();
    let new = NewArticle { article, card, rendered, pictures, tables, ..NewArticle::default() };
    portal.run(portal.app.store.site(site).save_article(&new)).unwrap();
}

fn table() -> Table {
    let cell = Cell { nodes: vec![Node::text("Salinity")], ..Cell::default() };
    Table {
        id: "t1".into(),
        label: "Table 1".into(),
        grids: vec![Grid { bodies: vec![vec![Row { cells: vec![cell] }]], ..Grid::default() }],
        ..Table::default()
    }
}

fn search(sld: &str, query: &str) -> Value {
    let answer =
        PORTAL.with(&format!("{sld}.localhost"), &format!("/rc-pub/front/search?{query}"), &[("language", "en")]);
    assert_eq!(answer.status, 200, "{sld} {query}: {}", answer.text());
    answer.json()["data"].clone()
}

/// The sites of hits, in ascending order.
fn sites(found: &Value) -> Vec<i64> {
    let mut sites: Vec<i64> = found["sites"].as_array().unwrap().iter().map(|site| site.as_i64().unwrap()).collect();
    sites.sort_unstable();
    sites
}

fn titles(found: &Value) -> Vec<String> {
    let hits = found["content"].as_array().unwrap();
    hits.iter().map(|hit| hit["resName_tic"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_group_site_searches_its_open_members_and_no_other_site() {
    let own = search("quay", "q=marsh");
    assert_eq!(
        (own["totalElements"].as_i64(), sites(&own).len()),
        (Some(2), 0),
        "a search is of one site unless it is asked for"
    );
    let found = search("quay", "q=marsh&scope=group");
    assert_eq!(found["totalElements"], 4, "{found}");
    assert_eq!(
        sites(&found),
        [QUAY.0, QUAY.0, PIER.0, PIER.0],
        "neither the closed member nor a site outside of the group"
    );
    for (hit, site) in found["content"].as_array().unwrap().iter().zip(found["sites"].as_array().unwrap()) {
        let title = hit["resName_tic"].as_str().unwrap();
        assert!(title.ends_with(&format!("site{site}")), "{title} is not of {site}, although the numbers are the same");
        let address = hit.to_string();
        assert_eq!(address.contains("pier.localhost"), *site == PIER.0, "{address}");
    }
    assert_eq!(search("quay", "q=marsh&scope=group&sort=visits")["totalElements"], 4);
}

#[test]
fn only_a_group_site_searches_others() {
    for sld in ["pier", "alone"] {
        assert_eq!(search(sld, "q=marsh&scope=group")["totalElements"], 2, "{sld}");
    }
    let answer = PORTAL.with("wreck.localhost", "/rc-pub/front/search?q=marsh&scope=group", &[]);
    assert_eq!(answer.status, 403, "a closed site searches nothing");
    let answer = PORTAL.with("quay.localhost", "/rc-pub/front/search?q=marsh&scope=all", &[]);
    assert_eq!(answer.status, 400);
}

/// The content of a page of results.
fn main_of(sld: &str, query: &str) -> String {
    between(&PORTAL.page(sld, &format!("/en/search?{query}")), "<main", "</main>").to_owned()
}

/// The number of hits on all pages, as a page of the group site says it.
fn total(address: &str) -> u64 {
    bootstrap(&PORTAL.page("quay", address))["page"]["total"].as_u64().unwrap()
}

/// The articles on a page: name of the site, address of its home page, address of the article, and the whole entry.
fn entries(main: &str) -> Vec<[String; 4]> {
    let entry = |entry: &str| {
        let site = between(entry, "class=\"card-site\" href=\"", "</a>");
        let (home, name) = site.split_once("\">").unwrap_or_default();
        [name.to_owned(), home.to_owned(), listed(entry).concat(), entry.to_owned()]
    };
    let mut entries: Vec<_> = main.split("<li class=\"article-card\"").skip(1).map(entry).collect();
    entries.sort();
    entries
}

fn names(main: &str) -> Vec<String> {
    entries(main).into_iter().map(|[name, ..]| name).collect()
}

#[test]
fn the_page_of_a_group_site_lists_hits_with_the_name_and_the_addresses_of_their_site() {
    let main = main_of("quay", "q=marsh");
    assert_eq!((total("/en/search?q=marsh"), main.contains("4 results")), (4, true), "{main}");
    assert_eq!(names(&main), ["The pier", "The pier", "The quay", "The quay"]);
    for [name, home, href, entry] in entries(&main) {
        let (site, of_member) = if name == "The pier" { (PIER, true) } else { (QUAY, false) };
        assert!(entry.replace("<mark>", "").replace("</mark>", "").contains(&format!("of site{site}")), "{entry}");
        for (address, path) in [(&home, "/en/home/"), (&href, "/en/article/")] {
            let root = address.split(path).next().unwrap();
            let expected = if of_member { "http://pier.localhost" } else { "" };
            assert!(root == expected || of_member && root.starts_with(&format!("{expected}:")), "{name}: {address}");
        }
        // The shell and modules of the group site would take the number for that of an article of their own.
        assert_eq!(entry.contains("data-article"), !of_member, "{entry}");
        assert_eq!(entry.contains("result.badges"), !of_member, "{entry}");
        let is_marked = entry.contains("<ul class=\"badges\">");
        assert_eq!(is_marked, of_member && entry.contains("2 of site"), "by the plugin of the member: {entry}");
    }
    assert!(!main.contains("The wreck") && !main.contains("wreck.localhost"), "a closed member: {main}");
}

#[test]
fn a_reader_of_a_group_site_chooses_one_of_its_sites() {
    // Not between two pages that are compared: these articles are of a journal of their own.
    LazyLock::force(&SHUT_AND_OPEN);
    assert_eq!(names(&main_of("quay", "q=marsh&site=pier")), ["The pier", "The pier"]);
    assert_eq!(names(&main_of("quay", "q=marsh&site=quay")), ["The quay", "The quay"]);
    for other in ["wreck", "alone", "nowhere"] {
        let main = main_of("quay", &format!("q=marsh&site={other}"));
        assert_eq!(names(&main).len(), 4, "{other} is no open site of the group");
        assert!(!main.contains(&format!("site={other}")), "{main}");
    }
    assert_eq!(main_of("pier", "q=marsh&site=quay"), main_of("pier", "q=marsh"), "a member searches itself alone");
    assert_eq!(names(&main_of("pier", "q=marsh")), ["", ""]);
}

#[test]
fn the_advanced_search_keeps_the_site_that_the_reader_has_chosen() {
    let sent = |path: &str| -> Vec<String> {
        let page = PORTAL.page("quay", path);
        let form = between(&page, "<form class=\"advanced\"", "</form>");
        assert!(form.contains("name=\"v1\""), "{path}: {page}");
        let cleared = if path.ends_with("site=pier") { "/en/seniorSearch?site=pier" } else { "/en/seniorSearch" };
        assert!(form.contains(&format!("<a href=\"{cleared}\">")), "{path}: {form}");
        named(form, "input").iter().filter(|tag| tag.get("name") == "site").map(|tag| tag.get("value")).collect()
    };
    // Empty, with results, and with a mistake.
    for rows in ["", "v1=marsh&", "v1=%22marsh&"] {
        assert_eq!(sent(&format!("/en/seniorSearch?{rows}site=pier")), ["pier"], "{rows}");
        for other in ["", "wreck"] {
            let path = format!("/en/seniorSearch?{rows}site={other}");
            assert_eq!(sent(&path), Vec::<String>::new(), "{path}");
        }
    }
    assert_eq!(total("/en/seniorSearch?v1=marsh&site=pier"), 2);
    for (query, expected) in [
        ("q=xyzzyx&site=pier", "/en/seniorSearch?site=pier"),
        ("q=xyzzyx&site=quay", "/en/seniorSearch?site=quay"),
        ("q=xyzzyx&site=wreck", "/en/seniorSearch"),
        ("q=xyzzyx", "/en/seniorSearch"),
    ] {
        let links = named(&main_of("quay", query), "a");
        let links = links.iter().map(|tag| tag.get("href")).filter(|href| href.starts_with("/en/seniorSearch"));
        assert_eq!(links.collect::<Vec<_>>(), [expected], "{query}: nothing is found");
    }
    let of_widget = |path: &str| bootstrap(&PORTAL.page("quay", path))["search"]["advanced"]["href"].clone();
    assert_eq!(of_widget("/en/search?q=marsh&site=pier"), "/en/seniorSearch?site=pier");
    assert_eq!(of_widget("/en/search?q=marsh"), "/en/seniorSearch");
}

#[test]
fn the_numbers_on_the_page_of_a_group_site_are_those_of_the_searches_that_they_lead_to() {
    LazyLock::force(&SHUT_AND_OPEN);
    // Nothing has the word `salinty`: the nearest search is the same for the group and for each of its sites.
    for query in ["q=marsh", "q=marsh&site=pier", "q=gauges&site=dock", "q=salinty&type=table&site=pier"] {
        let main = main_of("quay", query);
        let links = main.split("<a ").skip(1).filter_map(|link| {
            let link = link.split("</a>").next()?;
            let count: u64 = between(link, "<span class=\"count\">", "</span>").parse().ok()?;
            Some((named(&format!("<a {link}"), "a").first()?.get("href"), count))
        });
        let links: Vec<(String, u64)> = links.collect();
        let of_sites = between(&main, "<h3>Sites of the group</h3>", "</section>").matches("<a ").count();
        assert!(of_sites >= 2 && links.len() > of_sites, "{query}: {main}");
        for (href, count) in links {
            assert_eq!(total(&href), count, "{query}: {href}");
        }
    }
    let of_sites = ["quay", "pier", "dock"].map(|sld| total(&format!("/en/search?q=marsh&site={sld}")));
    assert_eq!((total("/en/search?q=marsh"), of_sites), (4, [2, 2, 0]));
}

#[test]
fn the_page_of_a_group_site_shows_of_a_members_closed_article_what_everyone_may_see() {
    let [shut, open] = &*SHUT_AND_OPEN;
    for (query, words) in [
        ("q=gauges&type=picture", &["quicksand", "pelican"][..]),
        ("q=gauges&type=table", &["quicksand", "heron"][..]),
        // A passage of the text, because nothing else of the articles has the word.
        ("q=estuary", &["zebrafish"][..]),
    ] {
        let main = main_of("quay", query);
        for word in words {
            let of = |subject: &Subject| main.contains(&format!("{word}{}", subject.mark));
            assert_eq!((of(shut), of(open)), (false, true), "{query}: {word}: {main}");
        }
        assert!(main.contains("The dock") && main.contains("The pier"), "{query}: both are found: {main}");
        let pictures: Vec<String> = named(&main, "img").iter().map(|tag| tag.get("src")).collect();
        assert!(pictures.iter().all(|src| !src.contains("://")), "the page loads none of other hosts: {pictures:?}");
    }
    for query in ["q=gauges&type=picture", "q=gauges&type=table"] {
        let main = main_of("quay", query);
        assert!(!main.contains("data-id="), "{query}: the group site has no such figure or table: {main}");
        assert!(main.contains("http://pier.localhost"), "{query}: {main}");
    }
    let shared = PORTAL.with("127.0.0.1", "/quay/en/search?q=gauges&type=picture", &[]).text();
    assert_eq!((shared.contains(&shut.figure), shared.contains(&open.figure)), (false, true), "{shared}");
    assert_eq!(PORTAL.with("127.0.0.1", &open.figure, &[]).status, 200);
}

#[test]
fn a_list_of_a_group_site_with_words_lists_what_its_members_have() {
    LazyLock::force(&SHUT_AND_OPEN);
    let path = "/en/textList?type=picture&index=-1&q=gauges";
    let main = between(&PORTAL.page("quay", path), "<main", "</main>").to_owned();
    assert!(main.contains("The dock") && main.contains("The pier"), "{main}");
    assert_eq!(main, main_of("quay", "q=gauges&type=picture"), "the same page of results");
    let (of_group, of_member) = (total(path), total(&format!("{path}&site=pier")));
    assert!(0 < of_member && of_member < of_group, "{of_member} of {of_group}");
    assert_eq!(of_member, total("/en/search?q=gauges&type=picture&site=pier"));
}

/// What a reader at the group site gets for an address of an answer, as a browser reads it: without a host, it is of the group site.
fn opened(address: &str) -> Answer {
    let outside = address.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
    let (host, path) = match outside {
        Some((host, path)) => (host.split(':').next().unwrap(), format!("/{path}")),
        None => ("quay.localhost", address.to_owned()),
    };
    PORTAL.with(host, &path, &[])
}

#[test]
fn a_stranger_sees_of_a_members_closed_article_what_everyone_may_see() {
    let [shut, open] = &*SHUT_AND_OPEN;
    let figure = |subject: &Subject| PORTAL.get(subject.site.sld, &subject.figure).status;
    assert_eq!((figure(shut), figure(open)), (403, 200), "the files themselves, at their own sites");
    for (kind, words) in [
        // The note of the figure, the sentence that mentions it; the same of the tables.
        ("picture", &["quicksand", "pelican"][..]),
        ("table", &["quicksand", "heron"][..]),
        ("all", &["quicksand", "pelican", "heron"][..]),
    ] {
        let found = search("quay", &format!("q=gauges&scope=group&size=100&type={kind}"));
        let answer = found.to_string();
        for word in words {
            let of = |subject: &Subject| answer.contains(&format!("{word}{}", subject.mark));
            assert_eq!((of(shut), of(open)), (false, true), "{kind}: {word}: {answer}");
        }
        assert!(!answer.contains(&shut.figure), "{kind}: {answer}");
        let parts = |site: SiteId| -> Vec<&Value> {
            let hits = found["content"].as_array().unwrap().iter().zip(found["sites"].as_array().unwrap());
            let of_site = hits.filter(|(_, of)| **of == json!(site.0)).map(|(hit, _)| hit);
            of_site.filter(|hit| hit["article"] != json!(null)).collect()
        };
        let closed = parts(DOCK);
        assert!(!closed.is_empty(), "{kind}: they are found by what everyone may see: {answer}");
        for hit in closed {
            let shown = ["summary", "noteChinese_tic", "mention", "picture"].map(|field| hit[field].clone());
            assert_eq!(shown, ["", "", "", ""], "{kind}: {hit}");
        }
        let shown: Vec<&str> = parts(PIER).into_iter().map(|hit| hit["picture"].as_str().unwrap()).collect();
        assert!(shown.iter().any(|picture| picture.ends_with(&open.figure)), "{kind}: {answer}");
        for picture in shown.into_iter().filter(|picture| !picture.is_empty()) {
            assert_eq!(opened(picture).status, 200, "{kind}: {picture} on a page of the group site");
        }
    }
}

#[test]
fn hits_are_counted_under_the_names_of_members_journals() {
    LazyLock::force(&SHUT_AND_OPEN);
    let journals = |query: &str| {
        let path = format!("/rc-pub/front/search/clusters?{query}");
        PORTAL.with("quay.localhost", &path, &[("language", "en")]).json()["data"]["journal"].clone()
    };
    let counted = |value: &str, name: &str, count: u64| json!([{ "value": value, "name": name, "count": count }]);
    // The group site has no such journal.
    assert_eq!(journals("q=gauges&scope=group"), counted("gauge-letters", "Gauge Letters", 2));
    assert_eq!(journals("q=marsh&scope=group"), counted("harbour-letters", "Harbour Letters", 4));
    assert_eq!(journals("q=marsh"), counted("harbour-letters", "Harbour Letters", 2));
    assert_eq!(journals("q=gauges"), json!([]));
}

#[test]
fn pages_of_a_group_search_have_each_hit_once() {
    let mut seen = Vec::new();
    for page in 0..4 {
        let found = search("quay", &format!("q=marsh&scope=group&size=1&page={page}"));
        seen.extend(titles(&found));
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 4, "{seen:?}");
}

/// The suggestions at an address that ends with what is typed: key words and authors, and titles with their addresses, both in ascending order.
fn suggestions(host: &str, address: &str) -> (Vec<String>, Vec<(String, String)>) {
    let answer = PORTAL.with(host, address, &[("language", "en")]);
    assert_eq!(answer.status, 200, "{host} {address}: {}", answer.text());
    let found = answer.json()["data"].clone();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut terms: Vec<String> = found["terms"].as_array().unwrap().iter().map(text).collect();
    let title = |one: &Value| (text(&one["text"]), text(&one["href"]));
    let mut titles: Vec<(String, String)> = found["titles"].as_array().unwrap().iter().map(title).collect();
    terms.sort();
    titles.sort();
    (terms, titles)
}

fn suggested(sld: &str, typed: &str) -> (Vec<String>, Vec<(String, String)>) {
    suggestions(&format!("{sld}.localhost"), &format!("/rc-pub/front/search/suggest?q={typed}"))
}

/// The titles alone.
fn named_titles(titles: &[(String, String)]) -> Vec<&str> {
    titles.iter().map(|(title, _)| title.as_str()).collect()
}

#[test]
fn a_group_site_suggests_what_it_and_its_open_members_have() {
    let (_, titles) = suggested("quay", "eelgr");
    let expected = ["Eelgrass of the dock", "Eelgrass of the pier"];
    assert_eq!(named_titles(&titles), expected, "without that of the closed member");
    for (title, href) in &titles {
        let sld = title.rsplit_once(' ').unwrap().1;
        assert!(href.starts_with(&format!("http://{sld}.localhost")), "{title}: {href}");
        let page = opened(href);
        assert_eq!(page.status, 200, "{title}: {href}");
        assert!(page.text().contains(title.as_str()), "{title}: {href} is the page of another article");
    }
    assert_eq!(suggested("quay", "eelpout").0, ["eelpout Eelgrass of the dock", "eelpout Eelgrass of the pier"]);
    assert_eq!(suggested("quay", "eelman").0, [format!("Eelman{PIER}"), format!("Eelman{DOCK}")]);
    let (_, shared) = suggestions("127.0.0.1", "/quay/rc-pub/front/search/suggest?q=eelgr");
    assert_eq!(named_titles(&shared), named_titles(&titles));
    for (title, href) in &shared {
        let sld = title.rsplit_once(' ').unwrap().1;
        assert!(href.starts_with(&format!("/{sld}/en/article/")), "{title}: {href}");
    }
}

#[test]
fn only_a_group_site_suggests_what_others_have() {
    let (terms, titles) = suggested("pier", "eelgr");
    assert_eq!(named_titles(&titles), ["Eelgrass of the pier"]);
    assert!(titles[0].1.starts_with("/en/article/"), "{titles:?}");
    assert_eq!(terms, ["eelpout Eelgrass of the pier"], "by a word within the key word");
    assert_eq!(suggested("pier", "eelman").0, [format!("Eelman{PIER}")]);
    for outside in ["alone", "lock"] {
        assert_eq!(suggested(outside, "eelgr"), (Vec::new(), Vec::new()), "{outside}");
    }
}

#[test]
fn a_title_that_several_sites_have_is_suggested_once() {
    let (_, titles) = suggested("quay", "kelp");
    assert_eq!(named_titles(&titles), ["Kelp at high water", "Kelp at low water"]);
    let [(_, high), (_, low)] = &titles[..] else { panic!("{titles:?}") };
    assert!(low.starts_with("/en/article/"), "the reader stays at the site: {low}");
    assert!(high.starts_with("http://pier.localhost") || high.starts_with("http://dock.localhost"), "{high}");
    for (title, href) in &titles {
        let page = opened(href);
        assert!(page.status == 200 && page.text().contains(title.as_str()), "{title}: {href}");
    }
}

#[test]
fn the_plugins_of_each_site_mark_its_own_hits_alone() {
    let marked = |sld: &str, query: &str| -> Vec<String> {
        let found = search(sld, query);
        let hits = found["content"].as_array().unwrap();
        let marked = hits.iter().filter(|hit| hit["badges"][0]["label"] == "Open access");
        marked.map(|hit| hit["resName_tic"].as_str().unwrap().to_owned()).collect()
    };
    let second = |site: SiteId| vec![format!("Salt marsh 2 of site{site}")];
    assert_eq!(marked("pier", "q=marsh"), second(PIER));
    assert_eq!(marked("pier", "q=marsh&type=all"), second(PIER), "among hits of other kinds, too");
    assert_eq!(marked("quay", "q=marsh"), Vec::<String>::new());
    assert_eq!(marked("quay", "q=marsh&scope=group"), second(PIER), "by the member's plugin");
    assert_eq!(marked("lock", "q=marsh&scope=group"), second(LOCK), "the group site's plugin is given no member's hit");
    assert_eq!(search("lock", "q=marsh&scope=group")["totalElements"], 4);
}

#[test]
fn the_tables_of_an_article_have_its_badges() {
    let badges = |sld: &str| {
        let page = PORTAL.page(sld, "/en/search?q=salinity&type=table");
        let main = between(&page, "<main", "</main>").to_owned();
        assert!(main.contains("data-kind=\"table\""), "{main}");
        main.contains("<ul class=\"badges\">").then(|| between(&main, "<ul class=\"badges\">", "</ul>").to_owned())
    };
    let badges_of_lock = badges("lock");
    assert!(badges_of_lock.as_ref().is_some_and(|list| list.contains("Open access")), "{badges_of_lock:?}");
    assert_eq!(badges("weir"), None, "it has no such plugin");
}

#[test]
fn a_site_adds_synonyms_in_both_directions() {
    assert_eq!(titles(&search("weighed", "q=CO2")), ["The carbon dioxide of soils"]);
    assert_eq!(titles(&search("weighed", "q=deposition")), ["Sedimentation"]);
    assert_eq!(search("alone", "q=deposition")["totalElements"], 0, "they are the site's own");
}

#[test]
fn a_site_leaves_out_stop_words_that_are_not_all_of_the_search() {
    assert_eq!(titles(&search("weighed", "q=about+sedimentation")), ["Sedimentation"]);
    assert_eq!(search("alone", "q=about+marsh")["totalElements"], 0, "they are the site's own");
    assert!(
        titles(&search("weighed", "q=the")).contains(&"The carbon dioxide of soils".to_owned()),
        "nothing else is typed"
    );
    assert_eq!(search("weighed", "q=%22about+sedimentation%22")["totalElements"], 0, "a phrase is as it is typed");
}

#[test]
fn a_site_weighs_the_fields() {
    assert_eq!(titles(&search("weighed", "q=seiche")), ["Seiche and storm"], "full texts are not searched");
    assert_eq!(titles(&search("alone", "q=seiche")), ["Plankton in a bottle"], "as they usually are");
}
