//! Lists of texts, links, journals and issues that are longer than a page: who follows the links to the next page sees every entry once.

use std::{collections::BTreeSet, ops::RangeInclusive, path::Path, sync::LazyLock};

use masthead_domain::{
    Lang, LocalText, SiteId,
    publication::{Issue, Journal},
    resource::{Composite, CompositeBlock, FriendLink, Information, ItemKind, ItemRef},
};
use masthead_store::SiteStore;
use masthead_test_support::{Portal, Setup, between, named};

/// A site with many texts, links and journals. Its first journals have issues.
const MANY: SiteId = SiteId(9131);
const MANY_NAME: &str = "plenty";
/// Texts, which all belong to the page `contact`, and links.
const ENTRIES: u32 = 130;
const JOURNALS: u32 = 70;
/// The years of its issues, newest first: the number of journals with issues, each of which has [`A_YEAR`].
const YEARS: [(i32, u32); 3] = [(2026, 15), (2025, 8), (2024, 8)];
/// Issues of a journal in a year.
const A_YEAR: u32 = 15;
/// A site with one journal, whose oldest issues come first.
const ONE: SiteId = SiteId(9132);
const ONE_NAME: &str = "chronicle";
/// Years of that journal, each with eight issues.
const CHRONICLE: RangeInclusive<i32> = 1991..=2020;

/// What else is in its file.
const OF_ONE: &str = "[publication]\nperiodAsc = true\n[[channels]]\nid = 905\ncode = \"folder\"\nname = \"夹\"\nenName = \"Folder\"\n\
     enable = \"1\"\nnewCompositeId = \"long\"\n";

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    let portal = Portal::start("long-lists", Setup::default(), add_sites);
    // Nothing that is tested needs the search index.
    portal.run(async {
        fill(&portal.app.store.site(MANY)).await;
        let one = portal.app.store.site(ONE);
        compose(&one).await;
        save_journal(&one, "only").await;
        for year in CHRONICLE {
            save_year(&one, "only", year, 8).await;
        }
    });
    portal
});

fn add_sites(sites: &Path) {
    for (name, id, more) in [(MANY_NAME, MANY, ""), (ONE_NAME, ONE, OF_ONE)] {
        let text = format!("id = {}\nname = {{ en = \"{name}\" }}\nlanguages = [\"en\"]\n{more}", id.0);
        std::fs::write(sites.join(format!("{name}.toml")), text).unwrap();
    }
}

async fn fill(site: &SiteStore) {
    for number in 1..=ENTRIES {
        let title = LocalText::of(Lang::En, format!("Entry {number}"));
        let (key, code) = (format!("k{number}"), "contact".to_owned());
        let text = Information { key: key.clone(), code, title: title.clone(), ..Information::default() };
        site.save_resource(&text).await.unwrap();
        let link_value = format!("https://partner.example.org/{number}");
        site.save_resource(&FriendLink { key, title, link_value, ..FriendLink::default() }).await.unwrap();
    }
    for number in 1..=JOURNALS {
        save_journal(site, &format!("j{number}")).await;
    }
    for (year, journals) in YEARS {
        for number in 1..=journals {
            save_year(site, &format!("j{number}"), year, A_YEAR).await;
        }
    }
}

/// Stores a composite page of two blocks with as many links as there are entries.
async fn compose(site: &SiteStore) {
    for number in 1..=ENTRIES {
        let link_value = format!("https://partner.example.org/{number}");
        let title = LocalText::of(Lang::En, format!("Entry {number}"));
        let link = FriendLink { key: format!("k{number}"), title, link_value, ..FriendLink::default() };
        site.save_resource(&link).await.unwrap();
    }
    let block = |name: &str, numbers: RangeInclusive<u32>| CompositeBlock {
        title: LocalText::of(Lang::En, name.to_owned()),
        content: LocalText::of(Lang::En, format!("<p>The text of {name}</p>")),
        items: numbers.map(|number| ItemRef { kind: ItemKind::Link, key: format!("k{number}") }).collect(),
    };
    let blocks = vec![block("Harbours", 1..=80), block("Rivers", 81..=ENTRIES)];
    site.save_resource(&Composite { key: "long".to_owned(), blocks, ..Composite::default() }).await.unwrap();
}

async fn save_journal(site: &SiteStore, key: &str) {
    let title = LocalText::of(Lang::En, format!("Letters {key}"));
    let journal = Journal { key: key.to_owned(), title, shown: true, ..Journal::default() };
    site.save_journal(&journal).await.unwrap();
}

async fn save_year(site: &SiteStore, journal: &str, year: i32, issues: u32) {
    for number in 1..=issues {
        let (journal, issue) = (journal.to_owned(), number.to_string());
        site.save_issue(&Issue { journal, year, issue, shown: true, ..Issue::default() }).await.unwrap();
    }
}

fn main_of(site: &str, path: &str) -> String {
    between(&PORTAL.page(site, path), "<main", "</main>").to_owned()
}

/// The content of all pages of a list, from the first one on by the links to the next. The shell can append each of them.
fn all_pages(site: &str, path: &str) -> Vec<String> {
    let (mut all, mut next) = (Vec::new(), Some(path.to_owned()));
    while let Some(path) = next {
        let main = main_of(site, &path);
        assert!(main.contains(" data-list") && main.contains(" data-more"), "{path}: {main}");
        let links = named(between(&main, "<nav class=\"more\"", "</nav>"), "a");
        next = links.into_iter().find(|link| link.get("rel") == "next").map(|link| link.get("href"));
        all.push(main);
    }
    all
}

/// The addresses of the entries on each page; none may be in two places.
fn entries(pages: &[String], of_page: impl Fn(&str) -> Vec<String>) -> Vec<Vec<String>> {
    let all: Vec<Vec<String>> = pages.iter().map(|main| of_page(main)).collect();
    let distinct = all.iter().flatten().collect::<BTreeSet<_>>().len();
    assert_eq!(distinct, all.iter().flatten().count(), "an entry is listed twice: {all:?}");
    all
}

fn sizes(entries: &[Vec<String>]) -> Vec<usize> {
    entries.iter().map(Vec::len).collect()
}

/// The links of the list with a class.
fn links_of(class: &'static str) -> impl Fn(&str) -> Vec<String> {
    move |main: &str| {
        let list = between(main, &format!("<ul class=\"{class}\""), "</ul>");
        named(list, "a").iter().map(|link| link.get("href")).collect()
    }
}

/// The addresses of the issues of a page.
fn issues(main: &str) -> Vec<String> {
    main.split("<li class=\"issue-card\">").skip(1).map(|rest| between(rest, "href=\"", "\"").to_owned()).collect()
}

#[test]
fn every_text_is_on_a_page_of_their_list() {
    let texts = entries(&all_pages(MANY_NAME, "/en/info"), links_of("link-cards"));
    assert_eq!(sizes(&texts), [60, 60, 10]);
    assert!(texts.iter().flatten().all(|href| href.starts_with("/en/info/")), "{texts:?}");
    assert!(main_of(MANY_NAME, "/en/info?page=4").contains("No data"), "behind the last page");
}

#[test]
fn a_page_that_cannot_have_all_texts_leads_to_their_list() {
    let one = main_of(MANY_NAME, "/en/info/k130");
    let side = named(between(&one, "<nav class=\"side-nav\"", "</nav>"), "a");
    assert_eq!((side.len(), side.last().unwrap().get("href").as_str()), (101, "/en/info"), "{one}");
    let contact = main_of(MANY_NAME, "/en/contact");
    assert_eq!(contact.matches("page-body").count(), 100);
    let more = named(&contact, "a").into_iter().find(|link| link.get("class") == "block-more");
    assert_eq!(more.unwrap().get("href"), "/en/info", "{contact}");
}

#[test]
fn every_link_is_on_a_page() {
    let links = entries(&all_pages(MANY_NAME, "/en/newLink1"), links_of("item-cards"));
    assert_eq!(sizes(&links), [60, 60, 10]);
    let wanted: BTreeSet<String> =
        (1..=ENTRIES).map(|number| format!("https://partner.example.org/{number}")).collect();
    assert_eq!(links.into_iter().flatten().collect::<BTreeSet<_>>(), wanted);
}

#[test]
fn every_item_of_a_composite_page_is_on_a_page_of_it() {
    let [first, second] = ["", "?page=2"].map(|page| main_of(ONE_NAME, &format!("/en/newcomposite/long{page}")));
    let links = |main: &str| -> Vec<String> {
        let all = named(main, "a").into_iter().map(|link| link.get("href"));
        all.filter(|href| href.starts_with("https://partner.example.org/")).collect()
    };
    let wanted: Vec<String> = (1..=ENTRIES).map(|number| format!("https://partner.example.org/{number}")).collect();
    assert_eq!([links(&first), links(&second)].concat(), wanted);
    assert!(first.contains("100 of 130") && first.contains("The text of Harbours"), "{first}");
    // A block that goes on has its heading again, and not its text.
    assert!(first.contains("The text of Rivers") && !second.contains("The text of"), "{second}");
    assert!(second.contains("Rivers</") && !second.contains("Harbours"), "{second}");
    assert!(main_of(ONE_NAME, "/en/newcomposite/long?page=3").contains("No data"), "behind the last page");
    // Other pages that show it begin it, and lead to the rest.
    let next = |main: &str| {
        let found = named(main, "a").into_iter().find(|link| link.get("rel") == "next");
        found.map(|link| link.get("href"))
    };
    let folder = main_of(ONE_NAME, "/en/folder");
    assert_eq!(links(&folder), wanted[..100]);
    for main in [&first, &folder] {
        assert_eq!(next(main).as_deref(), Some("/en/newcomposite/long?page=2"), "{main}");
    }
}

#[test]
fn every_journal_is_on_a_page() {
    let journals = entries(&all_pages(MANY_NAME, "/en/mag"), links_of("journal-grid"));
    assert_eq!(sizes(&journals), [60, 10]);
    let wanted: Vec<String> = (1..=JOURNALS).map(|number| format!("/en/mag/j{number}")).collect();
    assert_eq!(journals.concat(), wanted);
    // The home page shows the first ones and leads to all.
    let home = main_of(MANY_NAME, "/en/home");
    assert_eq!(links_of("journal-grid")(&home), wanted[..24]);
    let all =
        named(&home, "a").into_iter().any(|link| link.get("class") == "block-more" && link.get("href") == "/en/mag");
    assert!(all, "{home}");
}

#[test]
fn every_issue_of_all_journals_is_on_a_page() {
    let pages = all_pages(MANY_NAME, "/en/issues");
    let found = entries(&pages, issues);
    // The year 2026 alone has more than a page: 13 journals, and the other two before the whole year 2025.
    assert_eq!(sizes(&found), [195, 30 + 120, 120]);
    let wanted: BTreeSet<String> = YEARS
        .iter()
        .flat_map(|(year, journals)| (1..=*journals).map(move |journal| (year, journal)))
        .flat_map(|(year, journal)| (1..=A_YEAR).map(move |issue| (year, journal, issue)))
        .map(|(year, journal, issue)| format!("/en/issue/{year}/{issue}?journal=j{journal}"))
        .collect();
    assert_eq!(found.into_iter().flatten().collect::<BTreeSet<_>>(), wanted);
    let years: Vec<String> = pages.iter().flat_map(|main| named(main, "h3")).map(|year| year.get("id")).collect();
    assert_eq!(years.len(), 15 + 8 + 8, "no year of a journal is divided: {years:?}");
    assert_eq!(years.iter().collect::<BTreeSet<_>>().len(), years.len(), "the shell shows all pages in one document");
    for main in &pages {
        let links: Vec<String> = named(main, "a").iter().map(|link| link.get("href")).collect();
        for wanted in ["/en/issue/2024", "/en/mag/j70?tab=issues"] {
            assert!(links.iter().any(|href| href == wanted), "{wanted}: {links:?}");
        }
        assert!(main.contains("465 issues"), "{main}");
        assert_eq!(main.matches(" id=\"a-j9\"").count(), 1, "earlier addresses of a journal lead to its entry");
    }
    assert!(main_of(MANY_NAME, "/en/issues?page=4").contains("No data"), "behind the last page");
}

#[test]
fn every_issue_of_a_year_is_on_a_page() {
    let found = entries(&all_pages(MANY_NAME, "/en/issue/2026"), issues);
    assert_eq!(sizes(&found), [195, 30]);
    assert!(found.iter().flatten().all(|href| href.starts_with("/en/issue/2026/")), "{found:?}");
    let short = main_of(MANY_NAME, "/en/issue/2025");
    assert!(issues(&short).len() == 120 && !short.contains(" data-more"), "{short}");
    assert_eq!(PORTAL.get(MANY_NAME, "/en/issue/1999").status, 404);
}

#[test]
fn every_issue_of_a_journal_is_on_a_page_in_the_order_of_the_site() {
    let of_years = entries(&all_pages(ONE_NAME, "/en/issues"), issues);
    assert_eq!(sizes(&of_years), [200, 40]);
    let wanted: Vec<String> =
        CHRONICLE.flat_map(|year| (1..=8).map(move |issue| format!("/en/issue/{year}/{issue}"))).collect();
    assert_eq!(of_years.concat(), wanted, "the oldest first");
    let newest_first = entries(&all_pages(ONE_NAME, "/en/mag?tab=issues"), issues);
    assert_eq!(sizes(&newest_first), [60, 60, 60, 60]);
    assert!(newest_first.concat().iter().eq(wanted.iter().rev()), "{newest_first:?}");
}
