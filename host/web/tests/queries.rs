//! Number of database statements per page: it must not depend on the number of articles or of other entries, nor on that of their sites.
//!
//! This is a program of its own: it counts the statements of the whole process, so no other portal may run beside it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "queries/every_page.rs"]
mod every_page;
#[path = "queries/group.rs"]
mod group;

use masthead_domain::{
    Doi, SiteId,
    article::{Article, ArticleMeta},
    card::ArticleCard,
    resource::{Collection, ItemKind, ItemRef, Patent},
};
use masthead_store::NewArticle;
use masthead_test_support::{Portal, Setup, statements};

fn article(number: usize, issue: &str) -> NewArticle {
    let doi = Doi::parse(&format!("10.5555/queries.{issue}.{number}")).unwrap();
    let mut meta = ArticleMeta {
        source_key: format!("doi:{}", doi.key()),
        doi: Some(doi),
        issue: issue.to_owned(),
        year: Some(2031),
        first_page: number.to_string(),
        ..ArticleMeta::default()
    };
    meta.journal.title = "Ocean Ledger".to_owned();
    meta.journal.issn = vec!["2999-0415".to_owned()];
    let article = Article { meta, ..Article::default() };
    NewArticle {
        card: ArticleCard::of(&article, &[], &[]),
        article,
        rendered: "{}".to_owned(),
        ..NewArticle::default()
    }
}

fn statements(portal: &Portal, path: &str) -> usize {
    statements_of("oceanledger", portal, path)
}

fn statements_of(site: &str, portal: &Portal, path: &str) -> usize {
    let before = statements::executed();
    let answer = portal.get(site, path);
    assert_eq!(answer.status, 200, "{site} {path}: {}", answer.text());
    statements::executed() - before
}

#[test]
fn a_page_takes_few_statements_whatever_the_length_of_its_lists() {
    statements::count();
    let portal = Portal::start("queries", Setup::default(), |sites| {
        every_page::add_site(sites);
        group::add_sites(sites);
    });
    long_issue(&portal);
    in_site_navigation(&portal);
    lists_of_resources(&portal);
    special_issues(&portal);
    every_page::suite(&portal, &|site, path| statements_of(site, &portal, path));
    group::suite(&portal, &|site, path| statements_of(site, &portal, path));
}

fn long_issue(portal: &Portal) {
    portal.run(async {
        let site = portal.app.store.site(SiteId(448));
        let journal = site.journals().await.unwrap()[0].clone();
        for (issue, articles) in [("3", 3), ("300", 300)] {
            for number in 0..articles {
                let mut new = article(number, issue);
                new.article.meta.journal.issn = vec![journal.issn.clone()];
                assert!(site.save_article(&new).await.unwrap().id().0 > 0);
            }
        }
    });
    // The first page of a site reads what all its menus link to.
    statements(portal, "/en/home");
    let few = statements(portal, "/en/issue/2031/3");
    let many = statements(portal, "/en/issue/2031/300");
    println!("the page of an issue runs {few} statements with 3 articles, {many} with 300");
    assert!(few > 0, "no statement was counted: the log format of sqlx has changed");
    assert_eq!(few, many);
    let call = |issue: &str| format!("/rc-pub/front/front-period/getPageByPeriodId?year=2031&issue={issue}");
    assert_eq!(statements(portal, &call("3")), statements(portal, &call("300")));
    let listed = |page: u32| {
        let text = portal.page("oceanledger", &format!("/en/issue/2031/300?page={page}"));
        text.matches("data-article=").count()
    };
    assert_eq!([1, 3, 4].map(listed), [100, 100, 0], "an issue of many articles is a list of pages");
}

/// The document and the payload of in-site navigation are two encodings of one cached page: whichever is second reads nothing.
fn in_site_navigation(portal: &Portal) {
    let document = "/en/issue/2031/3";
    let payload = format!("/rc-pub/front/page?path={document}");
    for (first, second) in [(document, payload.as_str()), (payload.as_str(), document)] {
        portal.app.pages.clear();
        assert!(statements(portal, first) > 0, "{first} is not built");
        assert_eq!(statements(portal, second), 0, "{second} after {first}");
    }
}

/// A list is one statement, whatever its length, beside the one that reads which other kinds are offered.
fn lists_of_resources(portal: &Portal) {
    let site = portal.app.store.site(SiteId(448));
    let patents = |numbers: std::ops::Range<u32>| {
        for number in numbers {
            let patent = Patent { key: format!("queries-{number}"), ..Patent::default() };
            portal.run(site.save_resource(&patent)).unwrap();
        }
    };
    patents(0..3);
    // Two addresses of the same list, so that the second is not the first from the cache.
    let few = statements(portal, "/en/currencyList?type=patent");
    patents(3..300);
    let many = statements(portal, "/en/currencyList?type=patent&sort=newest");
    println!("a list of resources runs {few} statements with 3 entries, {many} with 300");
    assert_eq!(few, many);
    assert_eq!(many, 2);
}

fn special_issues(portal: &Portal) {
    let site = portal.app.store.site(SiteId(448));
    for (key, articles) in [("few", 3), ("many", 300)] {
        let article = |number| ItemRef { kind: ItemKind::Article, key: format!("10.5555/queries.300.{number}") };
        let items = (0..articles).map(article).collect();
        portal.run(site.save_resource(&Collection { key: key.to_owned(), items, ..Collection::default() })).unwrap();
    }
    for tab in ["paper", "figures", "experts"] {
        let of = |key: &str| statements(portal, &format!("/en/collections/{key}?tab={tab}"));
        assert_eq!(of("few"), of("many"), "{tab}");
    }
}
