//! Search calls: kinds, conditions, sort orders, hit counts, paging, suggested words.

use std::sync::LazyLock;

use masthead_domain::{
    Lang, LocalText, SiteId,
    resource::{Album, Book, Expert, Standard, Video, Wechat},
};
use masthead_test_support::{Answer, Portal, Setup, between, named, trust_local_proxy};
use serde_json::{Value, json};
use url::form_urlencoded::Serializer;

pub const SITE: &str = "oceanledger.localhost";
const OTHER: &str = "quietcircuits.localhost";
const BROWSER: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0";

pub static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    let portal = Portal::start("searching", Setup::default(), trust_local_proxy);
    portal.run(async {
        let text = |en: &str| LocalText::of(Lang::En, en);
        let site = portal.app.store.site(SiteId(448));
        let book = Book {
            key: "b1".into(),
            isbn: "978-1-234-56789-7".into(),
            title: text("A Handbook of Seagrass"),
            first_published: "2020-04".into(),
            ..Book::default()
        };
        site.save_resource(&book).await.unwrap();
        let video = Video {
            key: "v1".into(),
            title: text("Diving for eelgrass"),
            keywords: text("fieldwork"),
            ..Video::default()
        };
        site.save_resource(&video).await.unwrap();
        let standard = Standard {
            key: "s1".into(),
            title: text("Levelling of gauges"),
            organization: text("Bureau of Heights"),
            ..Standard::default()
        };
        site.save_resource(&standard).await.unwrap();
        // It leads to the portal itself, so that its address can be opened.
        let link_value = format!("http://{}/oceanledger/en/search", portal.address);
        let post = Wechat { key: "w1".into(), title: text("A bollard of the quay"), link_value, ..Wechat::default() };
        site.save_resource(&post).await.unwrap();
        let album = Album { key: "a1".into(), title: text("Bollard recordings"), ..Album::default() };
        site.save_resource(&album).await.unwrap();
        let expert = Expert { key: "e2".into(), name: text("Bea Bollard"), ..Expert::default() };
        site.save_resource(&expert).await.unwrap();
        let expert = Expert { key: "e1".into(), name: text("Ada Tidewater"), ..Expert::default() };
        portal.app.store.site(SiteId(945)).save_resource(&expert).await.unwrap();
        portal.app.change_log_follower().catch_up().await.unwrap();
    });
    portal
});

pub fn query(pairs: &[(&str, &str)]) -> String {
    Serializer::new(String::new()).extend_pairs(pairs).finish()
}

pub fn ask(call: &str, pairs: &[(&str, &str)]) -> Answer {
    PORTAL.with(SITE, &format!("/rc-pub/front/{call}?{}", query(pairs)), &[("language", "en")])
}

fn data(call: &str, pairs: &[(&str, &str)]) -> Value {
    let answer = ask(call, pairs);
    assert_eq!((answer.status, &answer.json()["status"]), (200, &json!(0)), "{call} {pairs:?}: {}", answer.text());
    answer.json()["data"].clone()
}

pub fn assert_rejected(answer: &Answer, status: u16, word: &str) {
    let envelope = answer.json();
    assert_eq!(answer.status, status, "{}", answer.text());
    assert!(envelope["status"] != 0 && envelope["data"].is_null(), "{envelope}");
    assert!(envelope["message"].as_str().unwrap().contains(word), "{envelope}");
}

fn dois(results: &Value) -> Vec<String> {
    let hits = results["content"].as_array().unwrap();
    hits.iter().map(|hit| hit["doi"].as_str().unwrap_or_default().to_owned()).collect()
}

fn conditions(list: &Value) -> Value {
    data("advSearch", &[("conditions", &list.to_string())])
}

#[test]
fn every_kind_is_found_with_its_type() {
    let articles = data("search", &[("q", "seagrass")]);
    assert!(articles["content"].as_array().unwrap().iter().all(|hit| hit["kind"] == "article"), "{articles}");
    assert!(articles["content"][0]["href"].as_str().unwrap().starts_with("/en/article/"));
    let book = data("search", &[("q", "handbook"), ("type", "book")]);
    let hit = &book["content"][0];
    assert_eq!(
        (&hit["kind"], &hit["type"], &hit["title"]),
        (&json!("resource"), &json!("book"), &json!("A Handbook of Seagrass"))
    );
    let video = data("search", &[("q", "eelgrass"), ("type", "onlineVideo")]);
    assert_eq!(video["content"][0]["title"], "Diving for eelgrass");
    let pictures = data("search", &[("q", "mangrove"), ("type", "picture")]);
    let hit = &pictures["content"][0];
    assert_eq!(hit["type"], "picture");
    let href = hit["articleHref"].as_str().unwrap();
    assert_eq!(PORTAL.get("oceanledger", href).status, 200, "{href}");
    let all = data("search", &[("q", "seagrass"), ("type", "all"), ("size", "100")]);
    let kinds: std::collections::BTreeSet<String> =
        all["content"].as_array().unwrap().iter().map(|hit| hit["kind"].to_string()).collect();
    assert!(kinds.len() >= 2, "{kinds:?}");
    assert_eq!(
        data("search", &[("q", "tidewater"), ("type", "expert")])["totalElements"],
        0,
        "the expert belongs to another site"
    );
    let journals = data("search", &[("q", "ledger"), ("type", "periodical")]);
    assert_eq!(
        (&journals["content"][0]["kind"], &journals["content"][0]["key"]),
        (&json!("publication"), &json!("ocean-ledger"))
    );
    assert_rejected(&ask("search", &[("q", "x"), ("type", "novel")]), 400, "invalid");
}

#[test]
fn posts_albums_and_experts_are_found_by_their_type_in_their_tab_and_in_all() {
    let all = data("search", &[("q", "bollard"), ("type", "all")]);
    assert_eq!(all["totalElements"], 3, "{all}");
    let outside = format!("http://{}", PORTAL.address);
    for (kind, tab, key, title, begins) in [
        ("wechat", "news", "w1", "A bollard of the quay", format!("{outside}/oceanledger/en/search")),
        ("album", "other", "a1", "Bollard recordings", "/en/album/".to_owned()),
        ("expert", "other", "e2", "Bea Bollard", "/en/scholar/".to_owned()),
    ] {
        let by_type = data("search", &[("q", "bollard"), ("type", kind)]);
        assert_eq!(by_type["totalElements"], 1, "{kind}: {by_type}");
        for found in [&by_type, &all] {
            let hits = found["content"].as_array().unwrap();
            let hit = hits.iter().find(|hit| hit["type"] == kind).unwrap_or_else(|| panic!("{kind}: {found}"));
            let values = ["kind", "key", "resName_tic"].map(|field| hit[field].clone());
            assert_eq!(values, ["resource", key, title], "{hit}");
        }
        for asked in [kind, tab] {
            let page = PORTAL.page("oceanledger", &format!("/en/search?q=bollard&type={asked}"));
            let main = between(&page, "<main", "</main>");
            let card = between(main, &format!("data-kind=\"{kind}\""), "</li>");
            let heading = between(card, "class=\"media-title\"", "</h2>");
            assert!(heading.replace("<mark>", "").replace("</mark>", "").contains(title), "{asked}: {main}");
            let link = named(heading, "a").first().map(|link| link.get("href")).unwrap_or_default();
            assert!(link.starts_with(&begins), "{asked}: {link:?} in {card}");
            let answer = match link.strip_prefix(&outside) {
                Some(path) => PORTAL.with("127.0.0.1", path, &[]),
                None => PORTAL.get("oceanledger", &link),
            };
            assert_eq!(answer.status, 200, "{asked}: {link}");
        }
    }
}

#[test]
fn conditions_are_accepted_in_the_address_and_as_json() {
    let list = json!([
        { "field": "keyword_tic", "value": "mangrove", "matchType": 1 },
        { "field": "resName_tic", "value": "wave", "operator": "NOT" },
    ]);
    let got = conditions(&list);
    assert_eq!(dois(&got), ["10.5555/ocl.2026.06.01.0018"], "{got}");
    let body = json!({ "conditions": list, "type": "article" }).to_string();
    let posted = PORTAL.ask("POST", SITE, "/rc-pub/front/advSearch", &[("language", "en")], &body).json();
    assert_eq!(posted["data"]["content"], got["content"]);
    let counted = PORTAL.ask("POST", SITE, "/rc-pub/front/advSearch/clusters", &[], &body).json();
    assert_eq!(counted["data"]["totalElements"], 1);
    assert_eq!(data("front-article/advancedSearch", &[("conditions", &list.to_string())])["content"], got["content"]);
    let doi = json!([{ "field": "doi", "value": "10.5555/ocl.2026", "matchType": 0 }]);
    assert!(conditions(&doi)["totalElements"].as_u64().unwrap() >= 3);
    let fuzzy = json!([{ "field": "keyword_tic", "value": "mangrave", "matchType": 0 }]);
    assert_eq!(conditions(&fuzzy)["totalElements"], 1, "one letter differs");
    for bad in [r#"[{"field":"price","value":"x"}]"#, "[", "{}", r#"[{"operator":"and","value":"x"}]"#, "null"] {
        assert_rejected(&ask("advSearch", &[("conditions", bad)]), 400, "invalid");
    }
    for body in ["", "[]", "{\"conditions\":1}", "{\"page\":-1}"] {
        let answer = PORTAL.ask("POST", SITE, "/rc-pub/front/advSearch", &[("language", "en")], body);
        assert_rejected(&answer, 400, "invalid");
    }
}

#[test]
fn every_condition_that_is_offered_is_accepted_and_has_an_effect() {
    for kind in "article publication onlineVideo standard patent picture table video audio book".split(' ') {
        let offered = data("site/448/search-conditions", &[("type", kind)]);
        for condition in offered.as_array().unwrap() {
            let list = json!([{ "field": condition["value"], "value": "tide" }]).to_string();
            data("advSearch", &[("type", kind), ("conditions", &list)]);
        }
    }
    let found = |kind: &str, field: &str, value: &str| {
        let list = json!([{ "field": field, "value": value, "matchType": 1 }]).to_string();
        data("advSearch", &[("type", kind), ("conditions", &list)])
    };
    let book = found("book", "isbn", "9781234567897");
    assert_eq!((&book["totalElements"], &book["content"][0]["isbn"]), (&json!(1), &json!("978-1-234-56789-7")));
    assert_eq!(found("book", "isbn", "9781234567890")["totalElements"], 0);
    let standard = found("standard", "authorCompany_tic", "Bureau of Heights");
    assert_eq!(
        (&standard["totalElements"], &standard["content"][0]["authorCompany_tic"]),
        (&json!(1), &json!("Bureau of Heights"))
    );
}

#[test]
fn hits_have_the_fields_of_the_specification() {
    let hit = |q: &str, kind: &str, fields: &str| {
        let hit = data("search", &[("q", q), ("type", kind)])["content"][0].clone();
        for field in fields.split_whitespace() {
            assert!(!hit[field].is_null(), "{kind} {field}: {hit}");
        }
        hit
    };
    let article = hit(
        "mangrove",
        "article",
        "resName_tic keyword_tic authors_tic authorCompany_tic summary_tic doi part firstPageNum lastPageNum visits \
         downloads referenceCount commentCount publishDate ppubDate updateTime firstStatus year issue publishType access",
    );
    let titles = article["titles"].as_array().unwrap();
    assert!(titles.iter().any(|title| title["plain"] == article["resName_tic"]), "{article}");
    for list in ["keyword_tic", "authors_tic", "authorCompany_tic"] {
        assert!(!article[list].as_array().unwrap().is_empty(), "{list}: {article}");
    }
    let video = hit("eelgrass", "video", "resName_tic en_Thesis_tic");
    assert_eq!(
        (&video["enResName_tic"], &video["keywordExt_tic"]),
        (&json!("Diving for eelgrass"), &json!("fieldwork"))
    );
    assert!(video.get("noteChinese_tic").is_none(), "a field of another kind: {video}");
    hit("mangrove", "picture", "resName_tic noteChinese_tic keyWords_tic thesis_tic");
    hit("handbook", "book", "resName_tic keyword_tic authors_tic summary_tic isbn");
    let journal = hit("ledger", "publication", "resName_tic organizerUnit cn issn");
    assert_eq!(journal["publicationName"], "Ocean Ledger");
}

#[test]
fn hits_are_sorted_filtered_and_counted() {
    let dates = |order: &str| -> Vec<String> {
        let hits = data("search", &[("q", "the"), ("sort", "publishDate"), ("order", order)]);
        let hits = hits["content"].as_array().unwrap().clone();
        hits.iter().map(|hit| hit["published"].as_str().unwrap().to_owned()).collect()
    };
    let mut newest = dates("desc");
    assert!(newest.len() > 2 && newest.is_sorted_by(|left, right| left >= right), "{newest:?}");
    newest.reverse();
    assert_eq!(dates("asc").first(), newest.first());
    for sort in
        "visits downloads referenceCount commentCount publishDate ppubDate firstStatus year issue relevance".split(' ')
    {
        assert!(!dois(&data("search", &[("q", "the"), ("sort", sort)])).is_empty(), "{sort}");
    }
    assert_rejected(&ask("search", &[("q", "the"), ("sort", "price")]), 400, "invalid");
    let by_date = data("search", &[("q", "the"), ("sort", "date")]);
    assert_eq!(by_date["content"], data("search", &[("q", "the"), ("sort", "publishDate")])["content"]);
    for kind in ["article", "picture", "news"] {
        let updated = |order: &str| -> Vec<String> {
            let hits = data("search", &[("q", "the"), ("type", kind), ("sort", "updateTime"), ("order", order)]);
            let hits = hits["content"].as_array().unwrap().clone();
            hits.iter().map(|hit| hit["updateTime"].as_str().unwrap().to_owned()).collect()
        };
        let (newest, oldest) = (updated("desc"), updated("asc"));
        assert!(newest.len() > 1 && newest.iter().all(|time| !time.is_empty()), "{kind}: {newest:?}");
        assert!(newest.is_sorted_by(|left, right| left >= right) && oldest.is_sorted(), "{newest:?} {oldest:?}");
    }
    let clusters = data("search/clusters", &[("q", "the")]);
    let total = clusters["totalElements"].as_u64().unwrap();
    let years = clusters["year"].as_array().unwrap();
    assert_eq!(years.iter().map(|year| year["count"].as_u64().unwrap()).sum::<u64>(), total, "{clusters}");
    assert_eq!(clusters["journal"][0]["name"], "Ocean Ledger");
    for filter in ["column", "journal", "articleType", "author", "language", "oa", "publishType", "type"] {
        let values = clusters[filter].as_array().unwrap();
        assert!(!values.is_empty(), "{filter}: {clusters}");
        for value in values {
            let got = data("search", &[("q", "the"), (filter, value["value"].as_str().unwrap())]);
            assert_eq!(got["totalElements"], value["count"], "{filter}: {value}");
            assert!(!value["name"].as_str().unwrap().is_empty(), "{filter}: {value}");
        }
    }
    let year = years[0]["value"].as_str().unwrap();
    let got = data("search", &[("q", "the"), ("yearFrom", year), ("yearTo", year)]);
    assert_eq!(got["totalElements"], years[0]["count"]);
    assert_eq!(data("search", &[("q", "the"), ("yearFrom", "2026"), ("yearTo", "2025")])["totalElements"], 0);
    let accessible = |open: &str, access: u64| {
        let hits = data("search", &[("q", "the"), ("oa", open)]);
        assert!(hits["content"].as_array().unwrap().iter().all(|hit| hit["access"] == access), "{hits}");
        hits["totalElements"].as_u64().unwrap()
    };
    assert_eq!(accessible("true", 0) + accessible("false", 1), total);
    let published = |kind: &str| {
        let hits = data("search", &[("q", "the"), ("publishType", kind)]);
        let content = hits["content"].as_array().unwrap();
        assert!(content.iter().all(|hit| hit["publishType"].as_i64() == kind.parse().ok()), "{hits}");
        hits["totalElements"].as_u64().unwrap()
    };
    assert_eq!(published("0") + published("1"), total);
    for bad in ["2", "-1", "x"] {
        assert_rejected(&ask("search", &[("q", "the"), ("publishType", bad)]), 400, "invalid");
    }
    assert!(data("search", &[("q", "the"), ("lastYears", "5")])["totalElements"].as_u64().unwrap() <= total);
}

#[test]
fn pages_have_twenty_hits_and_paging_ends_with_an_error() {
    let first = data("search", &[("q", "the")]);
    assert_eq!((&first["size"], &first["number"]), (&json!(20), &json!(0)));
    assert_eq!(data("search", &[("q", "the"), ("page", "400")])["content"], json!([]));
    assert_rejected(&ask("search", &[("q", "the"), ("page", "500")]), 400, "10000");
    assert_rejected(&ask("search", &[("q", "the"), ("page", "500"), ("sort", "visits")]), 400, "10000");
    assert_rejected(&ask("search", &[("q", "the"), ("page", "18446744073709551615")]), 400, "10000");
    for bad in ["-1", "x", "99999999999999999999999"] {
        assert_rejected(&ask("search", &[("q", "the"), ("page", bad)]), 400, "invalid");
    }
}

#[test]
fn pages_follow_one_another_by_key() {
    for sort in ["relevance", "date", "year", "updateTime", "visits", "commentCount"] {
        let all = data("search", &[("q", "the"), ("size", "100"), ("sort", sort)]);
        let mut seen: Vec<Value> = Vec::new();
        let mut after = String::new();
        loop {
            let page = data("search", &[("q", "the"), ("size", "3"), ("sort", sort), ("after", &after)]);
            assert_eq!(page["totalElements"], all["totalElements"]);
            seen.extend(page["content"].as_array().unwrap().iter().map(|hit| hit["id"].clone()));
            match page["next"].as_str() {
                Some(next) => next.clone_into(&mut after),
                None => break,
            }
            assert!(seen.len() <= 100, "the pages end");
        }
        let expected: Vec<Value> = all["content"].as_array().unwrap().iter().map(|hit| hit["id"].clone()).collect();
        assert_eq!(seen, expected, "{sort}");
    }
    for bad in ["x", "1.2", "1.2.3.4", "..", "9e9.1.1"] {
        assert_rejected(&ask("search", &[("q", "the"), ("after", bad)]), 400, "invalid");
    }
}

#[test]
fn what_is_being_typed_has_suggestions() {
    let found = data("search/suggest", &[("q", "seagr")]);
    let titles = found["titles"].as_array().unwrap();
    assert!(!titles.is_empty() && titles.len() <= 6, "{found}");
    for title in titles {
        assert!(title["text"].as_str().unwrap().to_lowercase().contains("seagr"), "{title}");
        let href = title["href"].as_str().unwrap();
        assert_eq!(PORTAL.get("oceanledger", href).status, 200, "{href}");
    }
    let book = data("search/suggest", &[("q", "handb"), ("type", "book")]);
    assert_eq!(book["titles"][0]["text"], "A Handbook of Seagrass", "{book}");
    let other = data("search/suggest", &[("q", "tidewat"), ("type", "expert")]);
    assert_eq!((&other["titles"], &other["terms"]), (&json!([]), &json!([])), "the expert belongs to another site");
    assert_eq!(data("search/suggest", &[("q", " ")]), json!({ "words": [], "terms": [], "titles": [] }));
    assert_rejected(&ask("search/suggest", &[("q", "x"), ("type", "novel")]), 400, "invalid");
    for odd in ["\"", "(((", "\u{0}", "*", &"海".repeat(600), &"a".repeat(5_000)] {
        assert_eq!(ask("search/suggest", &[("q", odd)]).status, 200, "{odd:?}");
    }
}

#[test]
fn hits_say_what_was_found_in_them() {
    let article = data("search", &[("q", "mangrove")])["content"][0].clone();
    assert!(article["highlights"]["title"].as_str().unwrap().to_lowercase().contains("<mark>mangrove"), "{article}");
    let pictures = data("search", &[("q", "the"), ("type", "picture"), ("size", "100")]);
    let pictures = pictures["content"].as_array().unwrap();
    let mentions: Vec<&str> = pictures.iter().filter_map(|hit| hit["mention"].as_str()).collect();
    assert_eq!(mentions.len(), pictures.len());
    assert!(mentions.iter().any(|mention| !mention.is_empty() && mention.chars().count() <= 400), "{mentions:?}");
    assert!(pictures.iter().all(|hit| hit.get("picture").is_some_and(Value::is_string)));
}

#[test]
fn the_nearest_search_is_made_on_request_and_said() {
    let typed = [("q", "mangrave carbon")];
    assert_eq!(data("search", &typed)["totalElements"], 0);
    let nearest = data("search", &[typed[0], ("relax", "true")]);
    assert!(nearest["totalElements"].as_u64().unwrap() > 0 && nearest["relaxation"].is_string(), "{nearest}");
    let clusters = data("search/clusters", &[typed[0], ("relax", "true")]);
    assert_eq!(clusters["totalElements"], nearest["totalElements"], "counts are those of the same search");
    let homophone = data("search", &[("q", "海曹"), ("relax", "true")]);
    assert_eq!(homophone["didYouMean"], "海草", "{homophone}");
    let exact = data("search", &[("q", "mangrove"), ("relax", "true")]);
    assert!(exact["didYouMean"].is_null() || exact["totalElements"].as_u64().unwrap() < 3, "{exact}");
}

#[test]
fn a_search_without_hits_offers_the_nearest_one_and_has_none_of_its_hits() {
    let list =
        |field: &str, precise: u8| json!([{ "field": field, "value": "mangrave", "matchType": precise }]).to_string();
    let precise = list("resName_tic", 1);
    for (call, typed, said) in [
        ("search", ("q", "mangrave carbon"), "relaxation"),
        ("front-article/quickSearch", ("q", "mangrave carbon"), "relaxation"),
        ("search", ("q", "海曹"), "didYouMean"),
        ("advSearch", ("conditions", precise.as_str()), "didYouMean"),
        ("front-article/advancedSearch", ("conditions", precise.as_str()), "didYouMean"),
    ] {
        let found = data(call, &[typed]);
        assert_eq!((&found["totalElements"], &found["content"]), (&json!(0), &json!([])), "{call} {typed:?}: {found}");
        assert!(found[said].is_string(), "{call} {typed:?}: {found}");
        let made = data(call, &[typed, ("relax", "true")]);
        for field in ["relaxation", "leftOut", "didYouMean"] {
            assert_eq!(found[field], made[field], "{call} {typed:?}: {field}");
        }
    }
    assert_eq!(data("search/clusters", &[("q", "mangrave carbon")])["totalElements"], 0);
    // A fuzzy condition finds words like its own: that another one was probably meant is said on request only.
    let fuzzy = list("keyword_tic", 0);
    for (call, typed) in [("search", ("q", "mangrove")), ("advSearch", ("conditions", fuzzy.as_str()))] {
        let found = data(call, &[typed]);
        assert!(found["totalElements"].as_u64().unwrap() > 0, "{call} {typed:?}: {found}");
        let said = ["relaxation", "leftOut", "didYouMean"].map(|field| found[field].clone());
        assert_eq!(said, [Value::Null, json!([]), Value::Null], "{call} {typed:?}");
    }
}

#[test]
fn what_was_meant_by_conditions_is_said_as_one_text() {
    let meant = |q: &str, list: &Value| {
        let found = data("advSearch", &[("q", q), ("conditions", &list.to_string()), ("relax", "true")]);
        found["didYouMean"].clone()
    };
    let condition =
        |field: &str, value: &str, precise: u8| json!([{ "field": field, "value": value, "matchType": precise }]);
    assert_eq!(meant("", &condition("resName_tic", "mangrave", 1)), "title:\"mangrove\"");
    assert_eq!(meant("", &condition("keyword_tic", "mangrave", 0)), "keyword:mangrove", "fuzzy, and found");
    assert_eq!(meant("mangrave", &condition("keyword_tic", "mangrove", 1)), "mangrove AND keyword:\"mangrove\"");
    assert!(meant("", &condition("keyword_tic", "mangrove", 0)).is_null());
}

#[test]
fn plugins_add_their_synonyms_to_conditions() {
    let found = |word: &str| -> std::collections::BTreeSet<String> {
        dois(&conditions(&json!([{ "field": "resName_tic", "value": word, "matchType": 0 }]))).into_iter().collect()
    };
    let mangrove = found("mangrove");
    assert!(!mangrove.is_empty() && found("tidal forest").is_superset(&mangrove), "{mangrove:?}");
}

#[test]
fn mistakes_in_a_query_are_said_with_their_place() {
    let found = data("search", &[("q", "tide AND (carbon")]);
    let expected = json!([{ "at": 10, "text": "(", "kind": "bracket", "suggestion": "tide AND carbon" }]);
    assert_eq!(found["mistakes"], expected);
    assert_eq!(data("search", &[("q", "tide")])["mistakes"], json!([]));
}

#[test]
fn mistakes_in_conditions_are_said_with_the_number_of_their_condition() {
    let list = json!([
        { "field": "resName_tic", "value": "tide" },
        { "field": "doi", "value": "10.5555/(a" },
        { "field": "resName_tic", "value": "sea \"level", "operator": "OR" },
    ]);
    let expected = json!([
        { "at": 6, "text": "AND", "kind": "operator", "suggestion": "tide" },
        { "condition": 3, "at": 5, "text": "\"", "kind": "quote", "suggestion": "sea \"level\"" },
    ]);
    let found = data("advSearch", &[("q", "tide AND"), ("conditions", &list.to_string())]);
    assert_eq!(found["mistakes"], expected, "a DOI is no text with brackets");
    let body = json!({ "q": "tide AND", "conditions": list }).to_string();
    let posted = PORTAL.ask("POST", SITE, "/rc-pub/front/advSearch", &[("language", "en")], &body).json();
    assert_eq!(posted["data"]["mistakes"], expected);
    assert_eq!(conditions(&json!([{ "field": "resName_tic", "value": "sea \"level\"" }]))["mistakes"], json!([]));
}

#[test]
fn a_query_can_be_analyzed() {
    let parts = data("analyze", &[("q", "tide \"sea level\" OR carbon NOT 海洋"), ("type", "thesis")]);
    let analyzed: Vec<_> = parts
        .as_array()
        .unwrap()
        .iter()
        .map(|part| (part["operator"].clone(), part["text"].clone(), part["phrase"].clone(), part["excluded"].clone()))
        .collect();
    assert_eq!(
        analyzed,
        [
            (json!(""), json!("tide"), json!(false), json!(false)),
            (json!("AND"), json!("sea level"), json!(true), json!(false)),
            (json!("OR"), json!("carbon"), json!(false), json!(false)),
            (json!("AND"), json!("海洋"), json!(false), json!(true)),
        ]
    );
    assert_eq!(parts[0]["types"], json!(["article"]));
    assert_rejected(&ask("analyze", &[("q", " ?! ")]), 400, "enter the search term");
    assert_rejected(&ask("analyze", &[("q", "a"), ("type", "novel")]), 400, "invalid");
    assert_rejected(&ask("analyze", &[]), 400, "invalid");
}

#[test]
fn frequent_searches_of_several_readers_are_suggested_after_the_editors_words() {
    let search = |q: &str, address: &str, agent: &str| {
        let headers = [("user-agent", agent), ("language", "en"), ("x-forwarded-for", address)];
        let answer = PORTAL.with(SITE, &format!("/rc-pub/front/search?{}", query(&[("q", q)])), &headers);
        assert_eq!(answer.status, 200, "{q}");
    };
    let suggested = || {
        PORTAL.run(PORTAL.app.counting.flush(&PORTAL.app.store)).unwrap();
        data("hisSearch/hotWords", &[("page", "0"), ("size", "50")])["content"].to_string()
    };
    for number in 0..9 {
        // One address, and one IPv6 network, with as many user agents and addresses as they like.
        let agent = format!("Mozilla/5.0 (X11; Linux x86_64; rv:{number}.0) Gecko/20100101 Firefox/132.0");
        search("residence time", "198.51.100.1", &agent);
        search("residence time", &format!("2001:db8::{number}"), &agent);
    }
    assert!(!suggested().contains("residence time"), "two readers");
    search("  Residence   TIME ", "198.51.100.2", BROWSER);
    for address in ["198.51.100.1", "198.51.100.2", "198.51.100.3"] {
        search("xyzzyx", address, BROWSER);
        search("estuarine", address, "curl/8");
        search("estuarine carbon ada@example.org", address, BROWSER);
    }
    assert!(!suggested().contains("ada@"), "a text with an e-mail address is nobody else's");
    for address in ["198.51.100.1", "198.51.100.2", "198.51.100.3"] {
        let typing = query(&[("q", "levelling"), ("type", "standard"), ("suggest", "true")]);
        let headers = [("user-agent", BROWSER), ("x-forwarded-for", address)];
        let found = PORTAL.with(SITE, &format!("/rc-pub/front/search?{typing}"), &headers).json();
        assert_eq!(found["data"]["totalElements"], 1, "{found}");
    }
    assert!(!suggested().contains("levelling"), "a text that is still being typed is no search");
    let words = data("hisSearch/hotWords", &[("page", "0"), ("size", "10")])["content"].clone();
    let words: Vec<&str> = words.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    assert_eq!(words[0], "carbon budget", "the editors' words come first");
    assert!(words.contains(&"residence time"), "{words:?}");
    assert!(
        !words.contains(&"xyzzyx") && !words.contains(&"estuarine"),
        "searches without hits and searches of robots are not counted: {words:?}"
    );
    assert_eq!(data("hisSearch/hotWords", &[("size", "1")])["content"], json!(["carbon budget"]));
    let other = PORTAL.with(OTHER, "/rc-pub/front/hisSearch/hotWords?size=50", &[]).text();
    assert!(!other.contains("residence"), "{other}");
}
