//! Journals and issues without articles are nowhere, unless an editor wants them shown.

use masthead_domain::{
    Doi, Lang, LocalText, SiteId,
    article::{Article, ArticleMeta, LangText},
    card::ArticleCard,
    publication::{Issue, Journal},
};
use masthead_store::{NewArticle, Redirect, RedirectTarget};
use masthead_test_support::{Portal, Setup};

const SITE: &str = "oceanledger";
const NUMBER: SiteId = SiteId(448);

/// Pages and calls with what they say about the announced journal or issue.
const PLACES: [(&str, &str); 11] = [
    ("/en/home", "Ghost Letters"),
    ("/en/issues", "Ghost Letters"),
    ("/en/issues", "/issue/2099/9"),
    ("/en/issue", "2099, No. 9"),
    ("/en/about", "Ghost Letters"),
    ("/sitemap-pages.xml", "/issue/2099/9"),
    ("/oai?verb=ListSets", "Ghost Letters"),
    ("/rc-pub/front/front-publication/search", "Ghost Letters"),
    ("/rc-pub/front/front-period/getFirstTwoPeriods", "\"year\":2099"),
    ("/rc-pub/front/site/getBasicInfo", "Ghost Letters"),
    ("/rc-pub/front/site/getPublicationConfig", "Ghost Letters"),
];

/// Addresses of the journal and the issue themselves.
const OWN: [&str; 4] = [
    "/en/issue/2099/9",
    "/en/feed.rss?journal=ghost",
    "/rc-pub/front/front-publication/detail/ghost",
    "/rc-pub/front/front-period/getPageByPeriodId?year=2099&issue=9",
];

fn found(portal: &Portal, words: &str) -> i64 {
    let answer = portal.get(SITE, &format!("/rc-pub/front/front-publication/search?q={words}")).json();
    answer["data"]["totalElements"].as_i64().unwrap_or_else(|| panic!("{answer}"))
}

fn follow(portal: &Portal) {
    portal.run(portal.app.change_log_follower().catch_up()).unwrap();
}

/// Saves redirects of former addresses to the two journals, to an issue of the journal with articles, and to one of the other journal.
fn redirect(portal: &Portal) {
    let issue_of = |journal: &str| RedirectTarget::Issue { journal: journal.into(), year: 2099, issue: "9".into() };
    let all = [
        ("/old/journal", RedirectTarget::Journal("ocean-ledger".into())),
        ("/old/ghost", RedirectTarget::Journal("ghost".into())),
        ("/old/issue", issue_of("ocean-ledger")),
        ("/old/ghost-issue", issue_of("ghost")),
    ];
    let all = all.map(|(from, to)| Redirect { from: from.to_owned(), to });
    portal.run(portal.app.store.add_redirects(NUMBER, &all)).unwrap();
}

/// Fails unless the former addresses lead to these.
fn leads(portal: &Portal, expected: [(&str, &str); 4]) {
    for (from, to) in expected {
        let answer = portal.get(SITE, from);
        assert_eq!((answer.status, answer.header("location")), (301, to), "{from}");
    }
}

#[test]
fn a_journal_and_an_issue_without_articles_are_shown_as_soon_as_an_editor_says_so() {
    let portal = Portal::start("ghosts", Setup::default(), |_| {});
    let site = portal.app.store.site(NUMBER);
    portal.run(async {
        let title = LocalText::of(Lang::En, "Ghost Letters");
        site.save_journal(&Journal { key: "ghost".into(), title, ..Journal::default() }).await.unwrap();
        let issue = Issue { journal: "ocean-ledger".into(), year: 2099, issue: "9".into(), ..Issue::default() };
        site.save_issue(&issue).await.unwrap();
    });
    follow(&portal);
    for (place, words) in PLACES {
        let page = portal.page(SITE, place);
        assert!(!page.contains(words), "{place} says {words}: {page}");
    }
    for own in OWN {
        assert_eq!(portal.get(SITE, own).status, 404, "{own}");
    }
    let menu = portal.page(SITE, "/rc-pub/front/site/getChannelList");
    assert!(!menu.contains("issue/2099/9"), "{menu}");
    assert_eq!(found(&portal, "ghost"), 0);
    redirect(&portal);
    let of_ghost = ("/en/old/ghost-issue", "/en/issue/2099/9?journal=ghost");
    leads(
        &portal,
        [
            ("/en/old/journal", "/en/home"),
            ("/en/old/ghost", "/en/home"),
            ("/en/old/issue", "/en/issue/2099/9"),
            of_ghost,
        ],
    );

    portal.run(async {
        assert!(site.show_journal("ghost", true).await.unwrap());
        assert!(site.show_issue("ocean-ledger", 2099, "9", true).await.unwrap());
    });
    follow(&portal);
    for (place, words) in PLACES {
        let page = portal.page(SITE, place);
        assert!(page.contains(words), "{place} does not say {words}: {page}");
    }
    for own in OWN {
        assert_eq!(portal.get(SITE, own).status, 200, "{own}");
    }
    assert_eq!(found(&portal, "ghost"), 1);
    leads(
        &portal,
        [
            ("/en/old/journal", "/en/issues#a-ocean-ledger"),
            ("/en/old/ghost", "/en/issues#a-ghost"),
            ("/en/old/issue", "/en/issue/2099/9?journal=ocean-ledger"),
            of_ghost,
        ],
    );
}

#[test]
fn a_journal_disappears_with_its_last_article_and_returns_with_it() {
    let portal = Portal::start("last_article", Setup::default(), |_| {});
    let site = portal.app.store.site(NUMBER);
    let doi = Doi::parse("10.5555/brief.1").unwrap();
    let mut meta = ArticleMeta {
        source_key: format!("doi:{}", doi.key()),
        doi: Some(doi),
        titles: vec![LangText { lang: "en".into(), plain: "A brief letter".into(), nodes: Vec::new() }],
        language: "en".into(),
        year: Some(2098),
        issue: "7".into(),
        ..ArticleMeta::default()
    };
    meta.journal.title = "Brief Letters".into();
    let article = Article { meta, ..Article::default() };
    let card = ArticleCard::of(&article, &[], &[]);
    let new = NewArticle { article, card, rendered: "{}".into(), ..NewArticle::default() };
    let places = |shown: bool| {
        follow(&portal);
        for place in ["/en/issues", "/oai?verb=ListSets", "/rc-pub/front/front-publication/search"] {
            let page = portal.page(SITE, place);
            assert_eq!(page.contains("Brief Letters"), shown, "{place}: {page}");
        }
        assert_eq!(portal.page(SITE, "/sitemap-pages.xml").contains("/issue/2098/7"), shown);
        assert_eq!(found(&portal, "brief"), i64::from(shown));
    };
    places(false);
    let id = portal.run(site.save_article(&new)).unwrap().id();
    places(true);
    assert!(portal.run(site.remove_article(id)).unwrap());
    places(false);
    let deleted = portal.page(SITE, "/oai?verb=ListIdentifiers&metadataPrefix=oai_dc&set=brief-letters");
    assert!(deleted.contains("status=\"deleted\""), "harvesters of the set are told: {deleted}");
    assert_eq!(portal.run(site.save_article(&new)).unwrap().id(), id);
    places(true);
}
