//! Usage counting over HTTP: what is counted, and where the numbers are returned.

use std::sync::LazyLock;

use masthead_domain::{
    Lang, LocalText, SiteId,
    resource::{RankList, RankMeasure},
};
use masthead_store::Count;
use masthead_test_support::{Portal, Setup, trust_local_proxy, without_resources};
use serde_json::{Value, json};

const SITE: &str = "oceanledger.localhost";
const HERE: SiteId = SiteId(448);
const BROWSER: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0";

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    Portal::start("counted", Setup::default(), |sites| {
        without_resources(sites);
        trust_local_proxy(sites);
    })
});

fn id(number: &str) -> i64 {
    PORTAL.article("oceanledger", &format!("10.5555/ocl.{number}"))
}

fn visit(path: &str, headers: &[(&str, &str)]) {
    let answer = PORTAL.with(SITE, path, headers);
    assert_eq!(answer.status, 200, "{path}");
}

fn flush() {
    PORTAL.run(PORTAL.app.counting.flush(&PORTAL.app.store)).unwrap();
}

fn data(call: &str) -> Value {
    let answer = PORTAL.with(SITE, &format!("/rc-pub/front/{call}"), &[("language", "en")]);
    assert_eq!((answer.status, &answer.json()["status"]), (200, &json!(0)), "{call}: {}", answer.text());
    answer.json()["data"].clone()
}

fn visits(id: i64) -> (i64, i64) {
    flush();
    let statistics = data(&format!("front-article/getStatistics?id={id}"));
    (statistics["visits"].as_i64().unwrap(), statistics["downloads"].as_i64().unwrap())
}

#[test]
fn pages_and_calls_count_the_same_reader_once() {
    let id = id("2025.05.04.0211");
    let page = format!("/en/article/{id}");
    let call = format!("/rc-pub/front/front-article/{id}");
    let reader = |address: &'static str| [("user-agent", BROWSER), ("x-forwarded-for", address)];
    visit(&page, &reader("198.51.100.1"));
    assert_eq!(visits(id), (1, 0));
    // From the page cache, by in-site navigation, by the API call: the same reader within half a minute.
    visit(&page, &reader("198.51.100.1"));
    visit(&call, &reader("198.51.100.1"));
    visit(&format!("/rc-pub/front/page?path={page}"), &reader("198.51.100.1"));
    assert_eq!(visits(id), (1, 0));
    visit(&page, &reader("198.51.100.2"));
    visit(&call, &reader("198.51.100.3"));
    visit(&format!("/rc-pub/front/page?path={page}"), &reader("198.51.100.4"));
    assert_eq!(visits(id), (4, 0), "views of cached pages are counted as well");
    visit(&page, &[("user-agent", "Googlebot/2.1"), ("x-forwarded-for", "198.51.100.5")]);
    visit(&page, &[("x-forwarded-for", "198.51.100.6")]);
    visit(&page, &[("user-agent", BROWSER), ("x-forwarded-for", "198.51.100.7"), ("sec-purpose", "prefetch")]);
    let head = PORTAL.ask("HEAD", SITE, &page, &reader("198.51.100.8"), "");
    assert_eq!((head.status, visits(id)), (200, (4, 0)));
    visit(&format!("/rc-pub/front/front-article/download?id={id}"), &reader("198.51.100.1"));
    assert_eq!(visits(id), (4, 1));
    let months = data(&format!("front-article/getStatistics?id={id}"))["months"].clone();
    assert_eq!((&months[0]["visits"], &months[0]["downloads"]), (&json!(4), &json!(1)), "{months}");
    let data = data(&format!("front-article/{id}"));
    assert_eq!((&data["visits"], &data["downloads"]), (&json!(4), &json!(1)));
}

/// The shell marks the pages that it fetches ahead, and asks for the article by its number when it is shown.
#[test]
fn a_page_that_is_fetched_ahead_counts_when_it_is_shown() {
    let id = id("2026.06.02.0118");
    let ahead = format!("/rc-pub/front/page?path=/en/article/{id}&timestamps=1790000000000");
    let reader = [("user-agent", BROWSER), ("x-forwarded-for", "198.51.100.21")];
    visit(&ahead, &[reader[0], reader[1], ("purpose", "prefetch")]);
    assert_eq!(visits(id), (0, 0));
    visit(&format!("/rc-pub/front/front-article/{id}?timestamps=1790000000001"), &reader);
    assert_eq!(visits(id), (1, 0));
}

#[test]
fn rank_lists_cover_their_period() {
    let (old, new) = (id("2026.06.01.0018"), id("2026.06.02.0097"));
    let today = PORTAL.app.counting.today();
    let count = |entity, days: i64, visits, downloads| Count {
        site: HERE,
        kind: "article".into(),
        entity,
        day: today - days,
        visits,
        downloads,
    };
    let counts =
        [count(old, 300, 1000, 2000), count(old, 10, 30, 1), count(new, 20, 200, 9), count(99_999_999, 1, 5000, 5000)];
    let list = |key: &str, measure, months| RankList {
        key: key.into(),
        title: LocalText::of(Lang::En, "Most read"),
        measure,
        months,
        size: 1,
        ..RankList::default()
    };
    let number = PORTAL.run(async {
        PORTAL.app.store.add_counts(&counts, &[]).await.unwrap();
        let site = PORTAL.app.store.site(HERE);
        site.save_resource(&list("quarter", RankMeasure::Visits, 3)).await.unwrap();
        site.save_resource(&list("cites", RankMeasure::References, 0)).await.unwrap().id()
    });
    let first = |query: &str| data(&format!("rankList/articles?{query}"))[0]["article"]["id"].as_i64().unwrap();
    assert_eq!((first("measure=visits"), first("measure=visits&months=12")), (old, old));
    assert_eq!((first("measure=visits&months=3"), first("measure=downloads&months=6")), (new, new));
    let all = data("rankList/articles?measure=downloads");
    assert!(all.as_array().unwrap().iter().all(|place| place["count"].as_i64() > Some(0)), "{all}");
    assert_eq!(data("rankList/articles?journal=nothing"), json!([]));
    for bad in ["measure=price", "months=7", "months=-1", "size=x"] {
        let answer = PORTAL.with(SITE, &format!("/rc-pub/front/rankList/articles?{bad}"), &[]);
        assert_eq!(answer.status, 400, "{bad}");
    }
    assert_eq!(data("rankList").as_array().unwrap().len(), 2);
    let quarter = data("rankList/detail/quarter");
    assert_eq!((&quarter["list"]["name"], quarter["content"].as_array().unwrap().len()), (&json!("Most read"), 1));
    assert_eq!(quarter["content"][0]["article"]["id"], new);
    let cites = data(&format!("rankList/detail/{number}"));
    assert!(cites["content"][0]["count"].as_i64().unwrap() > 0, "{cites}");
    for odd in ["nothing", "0", "-1", "%00"] {
        let answer = PORTAL.with(SITE, &format!("/rc-pub/front/rankList/detail/{odd}"), &[("language", "en")]);
        assert_eq!((answer.status, &answer.json()["message"]), (404, &json!("No data")), "{odd}");
    }
    let other = PORTAL.with("quietcircuits.localhost", "/rc-pub/front/rankList/detail/quarter", &[]);
    assert_eq!(other.status, 404);
    // The search sorts by the same counters.
    let hits = data("search?q=the&sort=visits&size=2")["content"].clone();
    assert_eq!((hits[0]["id"].as_i64(), hits[1]["id"].as_i64()), (Some(old), Some(new)));
}

#[test]
fn statistics_of_unknown_articles_are_not_found() {
    for id in ["0", "-1", "99999999"] {
        let path = format!("/rc-pub/front/front-article/getStatistics?id={id}");
        let answer = PORTAL.with(SITE, &path, &[("language", "en")]);
        assert_eq!((answer.status, &answer.json()["message"]), (404, &json!("Article id is not exist")));
    }
}

#[test]
fn resource_counts_follow_the_content() {
    let counts = data("resource-statistics/getResourceCountsStatistic");
    for (field, least) in [("articleCounts", 5), ("publicationCounts", 1), ("picAndTableCounts", 5)] {
        assert!(counts[field].as_i64().unwrap() >= least, "{field}: {counts}");
    }
    assert_eq!((&counts["bookCounts"], &counts["albumCounts"]), (&json!(0), &json!(0)));
    PORTAL.run(async {
        let book = masthead_domain::resource::Book { key: "b".into(), ..Default::default() };
        PORTAL.app.store.site(HERE).save_resource(&book).await.unwrap();
    });
    assert_eq!(data("resource-statistics/getResourceCountsStatistic")["bookCounts"], 1);
}
