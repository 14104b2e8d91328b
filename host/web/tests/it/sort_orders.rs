//! The order of hits by every sort key, in both directions, and the windows of years: at articles whose values are known.

use std::{
    path::Path,
    sync::{LazyLock, atomic::Ordering},
};

use masthead_documents::html::RenderedArticle;
use masthead_domain::{
    ArticleId, Doi, SiteId,
    article::{Article, ArticleMeta, Dates, JournalRef, LangText},
    card::ArticleCard,
    content::{ArticleBody, Node},
    resource::{Comment, CommentState},
};
use masthead_store::{Count, NewArticle, SiteStore};
use masthead_test_support::{Portal, Setup, between, bootstrap, named};
use serde_json::{Value, json};

/// The site of the articles that are sorted.
const SORTED: SiteId = SiteId(9501);
/// The site of one article for each of [`AGES`].
const YEARLY: SiteId = SiteId(9502);

/// The sort keys with the articles in ascending order of their values. The articles get their values from here: no key has the order of another
/// one, in either direction.
const ORDERS: [(&str, &str); 9] = [
    ("visits", "abdc"),
    ("downloads", "acbd"),
    ("commentCount", "adbc"),
    ("referenceCount", "bacd"),
    ("publishDate", "bcad"),
    ("ppubDate", "bdac"),
    ("firstStatus", "cabd"),
    ("year", "cbad"),
    ("updateTime", "acdb"),
];

/// Articles with year and issue, in their order: issue 10 comes after issue 2, and issue 12 of the year before comes before both.
const ISSUES: [(&str, i32, &str); 3] = [("first", 2024, "12"), ("second", 2025, "2"), ("third", 2025, "10")];

/// Years since the publication of each article: those at both edges of every window.
const AGES: [i32; 8] = [0, 1, 2, 3, 4, 5, 9, 10];
/// The windows with the number of articles in each.
const WINDOWS: [(i32, u64); 4] = [(1, 1), (3, 3), (5, 5), (10, 7)];

/// 20 o'clock of the last day of 2026 in UTC, when the next year has begun in the time zone of the sites (Asia/Shanghai).
const NEW_YEAR: i64 = 1_798_747_200_000;
const THIS_YEAR: i32 = 2027;
/// A time behind that of all other changes.
const LATER: i64 = 4_102_444_800_000;

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    let portal = Portal::start("sort-orders", Setup { bare: true, ..Setup::default() }, add_sites);
    portal.time.store(NEW_YEAR, Ordering::Relaxed);
    let store = portal.app.store.clone();
    for (name, year, issue) in [ISSUES[2], ISSUES[0], ISSUES[1]] {
        let meta = ArticleMeta { year: Some(year), issue: issue.into(), ..ArticleMeta::default() };
        save(&portal, &store.site(SORTED), &format!("numbered.{name}"), meta);
    }
    for age in AGES {
        let meta = ArticleMeta { year: Some(THIS_YEAR - age), ..ArticleMeta::default() };
        save(&portal, &store.site(YEARLY), &format!("window.{age}"), meta);
    }
    // The store keeps the time of each change, which never goes back: the articles are stored in the order of their times.
    let clocks: [fn() -> i64; 4] = [|| LATER, || LATER + 1_000, || LATER + 2_000, || LATER + 3_000];
    for (article, clock) in order_of("updateTime").chars().zip(clocks) {
        add_sorted(&portal, &store.clone().with_clock(clock).site(SORTED), article);
    }
    portal.run(portal.app.change_log_follower().catch_up()).unwrap();
    portal
});

fn add_sites(sites: &Path) {
    for (sld, id) in [("sorted", SORTED), ("yearly", YEARLY)] {
        let text = format!("id = {id}\nname = {{ zh = \"{sld}\", en = \"The {sld}\" }}\n");
        std::fs::write(sites.join(format!("{sld}.toml")), text).unwrap();
    }
}

fn order_of(key: &str) -> &'static str {
    ORDERS.into_iter().find(|(name, _)| *name == key).unwrap().1
}

/// The place of an article in the ascending order of a key, from 1.
fn rank(key: &str, article: char) -> i32 {
    1 + i32::try_from(order_of(key).find(article).unwrap()).unwrap()
}

/// Stores an article under a DOI that ends in `name`, the first part of which is its title.
fn save(portal: &Portal, store: &SiteStore, name: &str, meta: ArticleMeta) -> ArticleId {
    let doi = format!("10.5555/{name}");
    let title = name.split('.').next().unwrap();
    let meta = ArticleMeta {
        source_key: format!("doi:{doi}"),
        doi: Some(Doi::parse(&doi).unwrap()),
        titles: vec![LangText { lang: "en".into(), plain: title.into(), nodes: vec![Node::text(title)] }],
        journal: JournalRef { title: "Orderly Letters".into(), ..JournalRef::default() },
        language: "en".into(),
        ..meta
    };
    let article = Article { meta, body: ArticleBody::default() };
    let card = ArticleCard::of(&article, &[], &[]);
    let rendered = serde_json::to_string(&RenderedArticle::default()).unwrap();
    let new = NewArticle { card, rendered, article, ..NewArticle::default() };
    portal.run(store.save_article(&new)).unwrap().id()
}

/// Stores one of the articles that are sorted, with the values of [`ORDERS`]. Its references and the comments that nobody sees are in the
/// reverse order of its citations and of those that are shown.
fn add_sorted(portal: &Portal, store: &SiteStore, article: char) {
    let of = |key: &str| rank(key, article);
    let (cited, shown) = (u32::try_from(of("referenceCount")).unwrap(), of("commentCount"));
    let meta = ArticleMeta {
        year: Some(2010 + of("year")),
        first_status: of("firstStatus"),
        reference_count: 9 - cited,
        dates: Dates {
            online: format!("2024-0{}-15", of("publishDate")),
            print: format!("2023-0{}-15", of("ppubDate")),
            ..Dates::default()
        },
        ..ArticleMeta::default()
    };
    let id = save(portal, store, &format!("ranked.{article}"), meta);
    let count = Count {
        site: SORTED,
        kind: "article".into(),
        entity: id.0,
        day: 20_000,
        visits: of("visits").into(),
        downloads: of("downloads").into(),
    };
    portal.run(async {
        portal.app.store.add_counts(&[count], &[]).await.unwrap();
        assert!(store.save_external_citations(id, cited).await.unwrap());
        for number in 0..shown + 2 * (5 - shown) {
            let state = if number < shown { CommentState::Shown } else { CommentState::Waiting };
            let comment = Comment {
                key: format!("{article}{number}"),
                article: id.0,
                text: "Agreed.".into(),
                date: "2026-05-01T08:00:00Z".into(),
                state,
                ..Comment::default()
            };
            store.save_resource(&comment).await.unwrap();
        }
    });
}

fn search(sld: &str, query: &str) -> Value {
    let path = format!("/rc-pub/front/search?{query}");
    let answer = PORTAL.with(&format!("{sld}.localhost"), &path, &[("language", "en")]);
    assert_eq!(answer.status, 200, "{sld} {query}: {}", answer.text());
    answer.json()["data"].clone()
}

/// The last parts of the DOIs of hits.
fn names(found: &Value) -> Vec<String> {
    let hits = found["content"].as_array().unwrap();
    hits.iter().map(|hit| hit["doi"].as_str().unwrap().rsplit('.').next().unwrap().to_owned()).collect()
}

/// The content of a page of the site with one article for each age.
fn main_of(path: &str) -> String {
    between(&PORTAL.page("yearly", path), "<main", "</main>").to_owned()
}

fn total(path: &str) -> u64 {
    bootstrap(&PORTAL.page("yearly", path))["page"]["total"].as_u64().unwrap()
}

/// The windows that the filters of a page offer, with the numbers beside them.
fn windows(path: &str) -> Vec<(i32, u64)> {
    let main = main_of(path);
    let links = between(&main, "id=\"filters\"", "</aside>").split("<a ").skip(1);
    let window = |link: &str| {
        let href = named(&format!("<a {link}"), "a").first()?.get("href");
        let years = href.split("lastYears=").nth(1)?.split('&').next()?.parse().unwrap();
        Some((years, between(link, "class=\"count\">", "<").parse().unwrap()))
    };
    links.filter_map(window).collect()
}

#[test]
fn every_sort_key_has_its_own_order_in_both_directions() {
    for (key, order) in ORDERS {
        let found =
            |direction: &str| names(&search("sorted", &format!("q=ranked&sort={key}&order={direction}"))).concat();
        let descending: String = order.chars().rev().collect();
        assert_eq!((found("asc"), found("desc")), (order.to_owned(), descending.clone()), "{key}");
        assert_eq!(found(""), descending, "{key}: the greatest first, unless it is asked for");
    }
    let by_date = |key: &str| names(&search("sorted", &format!("q=ranked&sort={key}&order=asc")));
    assert_eq!(by_date("date"), by_date("publishDate"), "two names of one key");
}

#[test]
fn issues_are_sorted_by_year_and_number() {
    let found = |direction: &str| names(&search("sorted", &format!("q=numbered&sort=issue&order={direction}")));
    let mut ordered = ISSUES.map(|(name, ..)| name);
    assert_eq!(found("asc"), ordered);
    ordered.reverse();
    assert_eq!(found("desc"), ordered);
    // An article that is in no issue comes last in both directions.
    for direction in ["asc", "desc"] {
        let all = names(&search("sorted", &format!("q=numbered%20OR%20ranked&sort=issue&order={direction}")));
        assert_eq!((all.len(), &all[..3]), (7, &found(direction)[..]), "{direction}");
    }
}

#[test]
fn windows_of_years_end_with_the_sites_present_year_and_have_as_many_years_as_they_say() {
    assert_eq!(PORTAL.app.counting.year_of(YEARLY), THIS_YEAR, "in UTC it is still the year before");
    let all = AGES.len() as u64;
    assert_eq!(search("yearly", "q=window")["totalElements"], all);
    for (years, count) in WINDOWS {
        let found = search("yearly", &format!("q=window&lastYears={years}&sort=year"));
        let ages: Vec<String> = AGES.iter().filter(|age| **age < years).map(ToString::to_string).collect();
        assert_eq!((found["totalElements"].as_u64(), names(&found)), (Some(count), ages), "{years} years");
        let body = json!({ "conditions": [{ "value": "window" }], "lastYears": years }).to_string();
        let answer = PORTAL.ask("POST", "yearly.localhost", "/rc-pub/front/advSearch", &[], &body).json();
        assert_eq!(answer["data"]["totalElements"], count, "{years} years: {answer}");
        for page in ["search?q", "seniorSearch?v1"] {
            assert_eq!(total(&format!("/en/{page}=window&lastYears={years}")), count, "{page}: {years} years");
        }
    }
}

#[test]
fn the_pages_offer_windows_of_years_with_their_numbers() {
    let of = |years: &[i32]| -> Vec<(i32, u64)> {
        years.iter().map(|years| *WINDOWS.iter().find(|(window, _)| window == years).unwrap()).collect()
    };
    assert_eq!(windows("/en/search?q=window"), of(&[5, 3, 1]));
    assert_eq!(windows("/en/seniorSearch?v1=window"), of(&[10, 5]));
    for path in ["/en/search?q=window", "/en/seniorSearch?v1=window"] {
        let main = main_of(path);
        let years = between(&main, "<h3>Years</h3>", "</ul>");
        let first = named(years, "a").remove(0);
        // All years: the search as it is.
        assert_eq!((first.get("href").as_str(), first.get("aria-current").as_str()), (path, "true"), "{years}");
        assert_eq!(total(&first.get("href")), AGES.len() as u64);
    }
    let form = main_of("/en/seniorSearch?v1=window&lastYears=10");
    let select = between(&form, "name=\"lastYears\"", "</select>");
    let options = named(select, "option");
    assert_eq!(options.iter().map(|option| option.get("value")).collect::<Vec<_>>(), ["", "10", "5"], "{select}");
    let chosen: Vec<String> =
        options.iter().filter(|option| option.has("selected")).map(|option| option.get("value")).collect();
    assert_eq!(chosen, ["10"]);
}
