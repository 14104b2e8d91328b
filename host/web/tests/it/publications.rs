//! Calls about journals and their issues.

use std::sync::LazyLock;

use masthead_domain::{
    Lang, LocalText, SiteId,
    publication::{Issue, Journal},
};
use masthead_test_support::{Answer, Portal, Setup};
use serde_json::{Value, json};

const SITE: &str = "oceanledger.localhost";

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    let portal = Portal::start("publications", Setup::default(), |sites| {
        let publication = "[publication]\ngroupByYear = false\nperiodAsc = true\nshowAbstract = false\n";
        masthead_test_support::add_to_site(sites, "fieldnotes", publication);
    });
    portal.run(async {
        let journal = Journal {
            key: "shore-letters".into(),
            title: LocalText::of(Lang::En, "Shore Letters"),
            sponsor: LocalText::of(Lang::En, "Tern Sound Academy"),
            issn: "2049-3630".into(),
            cn: "11-2345/P".into(),
            start_year: Some(1999),
            shown: true,
            ..Journal::default()
        };
        let site = portal.app.store.site(SiteId(448));
        site.save_journal(&journal).await.unwrap();
        for (year, issue) in [(2024, "1"), (2024, "2"), (2025, "1")] {
            let (journal, issue) = ("shore-letters".into(), issue.into());
            let issue = Issue { journal, year, issue, shown: true, ..Issue::default() };
            site.save_issue(&issue).await.unwrap();
        }
        portal.app.change_log_follower().catch_up().await.unwrap();
    });
    portal
});

fn ask(call: &str) -> Answer {
    PORTAL.with(SITE, &format!("/rc-pub/front/{call}"), &[("language", "en")])
}

fn data(call: &str) -> Value {
    let answer = ask(call);
    assert_eq!((answer.status, &answer.json()["status"]), (200, &json!(0)), "{call}: {}", answer.text());
    answer.json()["data"].clone()
}

fn missing(call: &str) {
    let answer = ask(call);
    assert_eq!((answer.status, &answer.json()["message"]), (404, &json!("No data")), "{call}");
}

#[test]
fn journals_are_listed_and_found_by_their_data() {
    let all = data("front-publication/search");
    assert_eq!(all["totalElements"], 2);
    assert_eq!((&all["content"][0]["key"], &all["content"][0]["id"]), (&json!("ocean-ledger"), &json!(1)));
    assert!(all["content"][0]["articleCount"].as_i64().unwrap() >= 5);
    for q in ["shore", "2049-3630", "11-2345%2FP", "tern%20sound"] {
        let found = data(&format!("front-publication/search?q={q}"));
        assert_eq!((&found["totalElements"], &found["content"][0]["key"]), (&json!(1), &json!("shore-letters")), "{q}");
    }
    for (field, value) in
        [("publicationName", "letters"), ("organizerUnit", "academy"), ("cn", "11-2345/p"), ("issn", "20493630")]
    {
        let list = json!([{ "field": field, "value": value, "matchType": 1 }]).to_string();
        let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("conditions", &list).finish();
        let found = data(&format!("front-publication/search?{query}"));
        assert_eq!(found["content"][0]["key"], "shore-letters", "{field}");
    }
    assert_eq!(data("front-publication/search?q=nothing")["content"], json!([]));
    assert_eq!(data("front-publication/search?page=7")["content"], json!([]));
    assert_eq!(data("front-publication/clusters")["totalElements"], 2);
    assert_eq!(data("front-publication/clusters?q=shore")["year"][0]["value"], "1999");
}

#[test]
fn a_journal_is_named_by_its_key_or_its_position() {
    let by_key = data("front-publication/detail/shore-letters");
    assert_eq!(by_key, data("front-publication/detail/2"));
    assert_eq!(
        (&by_key["publicationName"], &by_key["organizerUnit"]),
        (&json!("Shore Letters"), &json!("Tern Sound Academy"))
    );
    assert_eq!((&by_key["periodCount"], &by_key["current"]["issue"]), (&json!(3), &json!("1")));
    for odd in ["0", "3", "-1", "nothing", "%00", "99999999999999999999999"] {
        missing(&format!("front-publication/detail/{odd}"));
    }
    let other = PORTAL.with("quietcircuits.localhost", "/rc-pub/front/front-publication/detail/shore-letters", &[]);
    assert_eq!(other.status, 404, "the journal belongs to another site");
}

#[test]
fn issues_are_listed_in_the_requested_form() {
    let issues = |query: &str| -> Vec<String> {
        let years = data(&format!("front-period/getPeriodTree?publicationIndexId=shore-letters{query}"));
        years
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|year| {
                let periods = year["periods"].as_array().unwrap().clone();
                periods.into_iter().map(move |period| {
                    format!("{}:{}/{}", year["year"], period["year"], period["issue"].as_str().unwrap())
                })
            })
            .collect()
    };
    assert_eq!(issues(""), ["2025:2025/1", "2024:2024/2", "2024:2024/1"]);
    assert_eq!(issues("&isBack=true"), ["2024:2024/2", "2024:2024/1"]);
    assert_eq!(issues("&periodAsc=true"), ["2024:2024/1", "2024:2024/2", "2025:2025/1"]);
    assert_eq!(issues("&groupByYear=false&isBack=true&periodAsc=true"), ["0:2024/1", "0:2024/2"]);
    let two = data("front-period/getFirstTwoPeriods?publicationIndexId=2");
    assert_eq!(
        (two[0]["year"].as_i64(), two[1]["year"].as_i64(), two.as_array().unwrap().len()),
        (Some(2025), Some(2024), 2)
    );
    assert_eq!(data("front-period/getFirstTwoPeriods?publicationIndexId=9"), json!([]));
}

#[test]
fn the_articles_of_an_issue_are_listed_by_its_id() {
    let tree = data("front-period/getPeriodTree");
    let period = &tree[0]["periods"][0];
    let id = period["id"].as_str().unwrap();
    let articles = data(&format!("front-period/getPageByPeriodId?periodId={id}"));
    assert_eq!(articles.as_array().unwrap().len() as i64, period["articleCount"].as_i64().unwrap());
    assert_eq!(articles, data("front-period/getPageByPeriodId?year=2026&issue=2"));
    for odd in ["", "x", "MjAyNgox", "%00", &"A".repeat(3000)] {
        missing(&format!("front-period/getPageByPeriodId?periodId={odd}"));
    }
    let other = format!("/rc-pub/front/front-period/getPageByPeriodId?periodId={id}");
    assert_eq!(PORTAL.with("quietcircuits.localhost", &other, &[]).status, 404);
}

#[test]
fn settings_of_the_publication_determine_the_order_of_issues_and_the_abstract() {
    let call = "/rc-pub/front/front-period/getPeriodTree";
    let tree = PORTAL.with("fieldnotes.localhost", call, &[("language", "en")]).json()["data"].clone();
    let issues: Vec<String> = tree[0]["periods"]
        .as_array()
        .unwrap()
        .iter()
        .map(|period| format!("{}/{}", period["year"], period["issue"].as_str().unwrap()))
        .collect();
    assert_eq!((tree.as_array().unwrap().len(), &tree[0]["year"]), (1, &json!(0)), "one list without years: {tree}");
    assert!(issues.len() > 2 && issues.is_sorted(), "the oldest issue comes first: {issues:?}");
    let page = PORTAL.page("fieldnotes", "/en/issues");
    let grids: Vec<&str> = page.split("<ul class=\"issue-grid\">").skip(1).collect();
    assert_eq!(grids.len(), 1, "{page}");
    let places: Vec<_> = issues.iter().map(|issue| grids[0].find(&format!("/en/issue/{issue}\""))).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{issues:?} {places:?}");
    let asked = PORTAL.with("fieldnotes.localhost", &format!("{call}?groupByYear=true&periodAsc=false"), &[]).json();
    assert!(
        asked["data"].as_array().unwrap().len() > 1 && asked["data"][0]["year"] != 0,
        "a parameter decides: {asked}"
    );
    for (site, shown) in [("fieldnotes", false), ("quietcircuits", true)] {
        let articles = masthead_test_support::listed(&PORTAL.page(site, "/en/issue"));
        let pages: Vec<String> = articles.iter().map(|article| PORTAL.page(site, article)).collect();
        assert!(pages.iter().any(|page| page.contains("class=\"reader-section\"")), "{site} {articles:?}");
        assert_eq!(pages.iter().any(|page| page.contains("data-kind=\"abstract\"")), shown, "{site} {articles:?}");
    }
}
