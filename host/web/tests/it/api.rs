//! The calls under `/rc-pub`: the envelope, the languages, the isolation of sites.

use std::sync::LazyLock;

use masthead_test_support::{Answer, Portal, Setup, listed, repository};
use serde_json::{Value, json};

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    Portal::start("api", Setup::default(), |sites| {
        for (sld, id, state) in
            [("closed", 9001, "maintenance"), ("lapsed", 9002, "expired"), ("hidden", 9003, "forbidden")]
        {
            let text = format!("id = {id}\nstate = \"{state}\"\nname = {{ zh = \"站\", en = \"Site\" }}\n");
            std::fs::write(sites.join(format!("{sld}.toml")), text).unwrap();
        }
    })
});

const SITE: &str = "oceanledger.localhost";
const DOI: &str = "10.5555/ocl.2026.06.01.0001";

fn ask(path: &str, language: &str) -> Answer {
    PORTAL.with(SITE, path, &[("language", language)])
}

/// The payload of a successful call, after checking its envelope.
fn data(path: &str, language: &str) -> Value {
    let answer = ask(path, language);
    let envelope = answer.json();
    assert_eq!((answer.status, &envelope["status"], &envelope["message"]), (200, &json!(0), &json!("")), "{path}");
    assert!(answer.header("content-type").starts_with("application/json"), "{path}");
    envelope["data"].clone()
}

/// The HTTP status and message of a failure, after checking its envelope: an error status, no data, and a message that
/// reveals no internals.
fn failure(answer: &Answer, what: &str) -> (u16, String) {
    assert!(answer.header("content-type").starts_with("application/json"), "{what}: {}", answer.text());
    let envelope = answer.json();
    let keys: Vec<_> = envelope.as_object().unwrap().keys().map(String::as_str).collect();
    assert!(keys.iter().all(|key| ["status", "data", "message"].contains(key)), "{what}: {envelope}");
    assert_ne!(envelope["status"], 0, "{what}: {envelope}");
    assert!(envelope["data"].is_null(), "{what}: {envelope}");
    let message = envelope["message"].as_str().unwrap().to_owned();
    assert!(!message.is_empty(), "{what}");
    let lower = message.to_lowercase();
    for word in [
        "deserialize",
        "missing field",
        "invalid digit",
        "sql",
        "error at",
        "rust",
        "panicked",
        ".rs",
        "serde",
        "expected",
    ] {
        assert!(!lower.contains(word), "{what}: {message}");
    }
    (answer.status, message)
}

fn article() -> i64 {
    PORTAL.article("oceanledger", DOI)
}

#[test]
fn sites_are_found_by_name_and_number() {
    for call in ["findBySld?sld=oceanledger", "findBySiteId?siteId=448"] {
        let path = format!("/rc-pub/front/site/{call}");
        for host in [SITE, "127.0.0.1", "quietcircuits.localhost"] {
            let found = PORTAL.with(host, &path, &[]).json();
            let site = &found["data"];
            assert_eq!((&found["status"], &site["id"], &site["sld"]), (&json!(0), &json!(448), &json!("oceanledger")));
            assert_eq!((&site["name"], &site["defaultLanguage"]), (&json!("海洋账簿"), &json!("zh")));
            assert_eq!((&site["type"], &site["languages"]), (&json!("single"), &json!(["zh", "en"])));
        }
        assert_eq!(data(&format!("{path}&lang=en"), "zh")["name"], "Ocean Ledger");
    }
    for call in ["findBySld?sld=nobody", "findBySiteId?siteId=4", "findBySld?sld=%22%3E%3Cscript%3E"] {
        let path = format!("/rc-pub/front/site/{call}");
        let english = failure(&ask(&format!("{path}&lang=en"), "en"), call);
        assert_eq!(english, (404, "There is no site at this address".to_owned()));
        assert_eq!(failure(&ask(&format!("{path}&lang=zh"), "zh"), call).0, 404);
    }
}

#[test]
fn calls_to_an_unavailable_site_fail_with_the_status_of_its_state() {
    let find = |sld: &str| PORTAL.with(SITE, &format!("/rc-pub/front/site/findBySld?sld={sld}&lang=en"), &[]);
    // The look-up itself succeeds; the specification's status 10001 in the envelope says that the site is forbidden.
    let hidden = find("hidden");
    assert_eq!((hidden.json()["status"].as_i64(), hidden.json()["data"].is_null()), (Some(10001), true));
    assert_eq!(hidden.json()["message"], "You do not have permission to see this page");
    assert_eq!(failure(&find("closed"), "closed").0, 503);
    let (status, message) = failure(&find("lapsed"), "lapsed");
    assert!(status == 403 && message.contains("contact the enterprise administrator"), "{message}");
    for (site, status, code) in [("closed", 503, 503), ("lapsed", 403, 10001), ("hidden", 403, 10001)] {
        let answer = PORTAL.get(site, "/rc-pub/front/site/getHeaderConfig");
        assert_eq!(failure(&answer, site).0, status);
        let code_in_envelope = answer.json()["status"].as_i64();
        // An expired site is not a forbidden one: 10001 would send the reader to the wrong page.
        if site != "lapsed" {
            assert_eq!(code_in_envelope, Some(code), "{site}");
        } else {
            assert_eq!(code_in_envelope, Some(403), "{site}");
        }
    }
}

#[test]
fn configuration_is_returned_in_the_callers_language() {
    let site = "/rc-pub/front/site";
    for (language, name, copyright, issues, hot) in [
        ("zh", "海洋账簿", "© 2026 海洋账簿编辑部", "过刊浏览", "碳收支"),
        ("en", "Ocean Ledger", "© 2026 Ocean Ledger", "All issues", "carbon budget"),
    ] {
        let footer = data(&format!("{site}/getFooterConfig"), language);
        assert!(footer["copyright"].as_str().unwrap().starts_with(copyright), "{footer}");
        assert_eq!(footer["icp"], "示例备字 00448 号");
        let header = data(&format!("{site}/getHeaderConfig"), language);
        assert_eq!((&header["searchBox"], &header["homeHref"]), (&json!(true), &json!(format!("/{language}/home/"))));
        let channels = data(&format!("{site}/getChannelList"), language);
        assert_eq!(channels["channels"].as_array().unwrap().len(), 8, "of the first level");
        let menu = channels["menu"].to_string();
        assert!(menu.contains(issues), "{menu}");
        let info = data(&format!("{site}/getBasicInfo"), language);
        assert_eq!((&info["site"]["name"], &info["journals"][0]["key"]), (&json!(name), &json!("ocean-ledger")));
        let words = data("/rc-pub/front/hisSearch/hotWords", language);
        assert_eq!(words["content"][0], hot);
    }
    assert_eq!(data(&format!("{site}/getAggregatedConfig"), "zh"), json!({ "enableComment": true, "grayType": 0 }));
    assert_eq!(data(&format!("{site}/checkPower"), "zh"), json!({ "visitPower": true, "downloadPower": true }));
    assert_eq!(data(&format!("{site}/448/search-config"), "en")[0]["type"], "article");
    assert_eq!(data("/rc-pub/front/front-publication/findGroupBySiteId", "en"), json!([]), "a site without a group");
    let group = PORTAL.get("hssxiv", "/rc-pub/front/front-publication/findGroupBySiteId").json();
    let slds: Vec<_> = group["data"].as_array().unwrap().iter().map(|site| site["sld"].clone()).collect();
    assert_eq!(slds, ["hsspress", "hssxiv"]);
    let cookie = PORTAL.with(SITE, "/rc-pub/front/hisSearch/hotWords", &[("cookie", "language=en")]).json();
    assert_eq!(cookie["data"]["content"][0], "carbon budget", "without a header, the cookie determines the language");
}

#[test]
fn periods_hold_the_issues_and_their_articles() {
    let tree = data("/rc-pub/front/front-period/getPeriodTree", "en");
    assert_eq!(tree[0]["year"], 2026);
    assert_eq!(tree[0]["periods"][0]["issue"], "2", "the newest issue comes first");
    let two = data("/rc-pub/front/front-period/getFirstTwoPeriods", "en");
    assert_eq!(two.as_array().unwrap().len(), 2);
    let page = data("/rc-pub/front/front-period/getPageByPeriodId?year=2026&issue=1", "en");
    let cards = page.as_array().unwrap();
    assert!(cards.iter().any(|card| card["doi"] == DOI), "{page}");
    for card in cards {
        let href = card["href"].as_str().unwrap();
        assert_eq!(PORTAL.get("oceanledger", href).status, 200, "{href}");
    }
    for (query, message) in [("year=1900&issue=1", "No data"), ("journal=none&year=2026&issue=1", "No data")] {
        let answer = ask(&format!("/rc-pub/front/front-period/getPageByPeriodId?{query}"), "en");
        assert_eq!(failure(&answer, query), (404, message.to_owned()));
    }
    let tree = data("/rc-pub/front/front-period/getPeriodTree?journal=none", "en");
    assert_eq!(tree, json!([]));
}

#[test]
fn an_article_is_returned_as_data_html_nodes_and_references() {
    let id = article();
    let base = "/rc-pub/front/front-article";
    // In the style that readers of the language expect.
    for (language, author) in [("zh", "ELLINGHAM"), ("en", "Ellingham")] {
        let meta = data(&format!("{base}/{id}"), language);
        assert_eq!((&meta["id"], &meta["doi"]), (&json!(id), &json!(DOI)));
        assert!(meta["citation"].as_str().unwrap().contains(author), "{meta}");
        assert_eq!(data(&format!("{base}/getArticleByDoi?doi={}", DOI.to_uppercase()), language), meta);
        assert_eq!(data(&format!("{base}/getArticleByDoi?doi=https://doi.org/{DOI}"), language), meta);
        let sections = data(&format!("{base}/getHtml?id={id}"), language);
        let kinds: Vec<_> = sections.as_array().unwrap().iter().map(|section| section["kind"].clone()).collect();
        assert!(kinds.contains(&json!("abstract")) && kinds.contains(&json!("body")), "{kinds:?}");
        let references = data(&format!("{base}/getReference?id={id}"), language);
        assert!(references.as_array().unwrap().iter().all(|section| section["kind"] == "references"));
        assert!(references[0]["html"].as_str().unwrap().contains("<li"), "{references}");
        assert!(data(&format!("{base}/getBody?id={id}"), language).is_object());
        assert_eq!(data(&format!("{base}/getJumpUrl?id={id}"), language), format!("/{language}/article/{id}"));
    }
    for (language, message) in [("en", "Article id is not exist"), ("zh", "文章不存在")] {
        for call in [
            "99999999",
            "0",
            "-1",
            "getHtml?id=99999999",
            "getBody?id=99999999",
            "getReference?id=99999999",
            "getJumpUrl?id=99999999",
            "getArticleByDoi?doi=10.5555/none",
            "getArticleByDoi?doi=nonsense",
            "getArticleByDoi?doi=",
        ] {
            let answer = ask(&format!("{base}/{call}"), language);
            assert_eq!(failure(&answer, call), (404, message.to_owned()), "{call}");
        }
    }
}

#[test]
fn the_search_returns_pages_of_hits_and_their_total() {
    let all = data("/rc-pub/front/search?q=the", "en");
    let total = all["totalElements"].as_u64().unwrap();
    assert!(total >= 2, "{all}");
    let first = data("/rc-pub/front/search?q=the&size=1", "en");
    let second = data("/rc-pub/front/search?q=the&size=1&page=1", "en");
    assert_eq!(first["totalElements"], total);
    assert!(first["content"].as_array().unwrap().len() == 1 && first["content"] != second["content"]);
    assert_eq!(data("/rc-pub/front/search?q=the&page=400", "en")["content"], json!([]));
    let deep = failure(&ask("/rc-pub/front/search?q=the&page=999999999", "en"), "a deep page");
    assert!(deep.0 == 400 && deep.1.contains("10000"), "{deep:?}");
    assert_eq!(data("/rc-pub/front/search?q=xyzzyx", "en")["totalElements"], 0);
    for odd in
        ["", "%22", "AND", "((((", "title:", "*", "~9", "%00", "a%20OR", "%F0%9F%90%9F", "'%3B--", "resName_tic:%5B"]
    {
        let answer = ask(&format!("/rc-pub/front/search?q={odd}"), "en");
        assert_eq!(answer.status, 200, "{odd}: {}", answer.text());
        assert_eq!(PORTAL.get("oceanledger", &format!("/en/search?q={odd}")).status, 200, "{odd}");
    }
    assert!(
        data("/rc-pub/front/search?q=%E6%B5%B7%E8%8D%89%E5%BA%8A", "zh")["totalElements"].as_u64() > Some(0),
        "海草床"
    );
    let doi = data(&format!("/rc-pub/front/search?q={DOI}"), "en");
    assert_eq!(doi["content"][0]["doi"], DOI, "{doi}");
}

#[test]
fn in_site_navigation_returns_the_page_of_the_document() {
    let path = format!("/en/article/{}", article());
    let payload = data(&format!("/rc-pub/front/page?path={path}"), "en");
    let page = PORTAL.page("oceanledger", &path);
    let html = payload["html"].as_str().unwrap();
    assert!(page.contains(html), "the document holds the same HTML");
    assert_eq!(payload["bootstrap"], masthead_test_support::bootstrap(&page));
    assert_eq!((&payload["tag"], &payload["dir"], &payload["status"]), (&json!("en"), &json!("ltr"), &json!(200)));
    let title = masthead_test_support::between(&page, "<title>", "</title>");
    assert_eq!(payload["title"], html_escape::decode_html_entities(title).as_ref());
    let lost = data("/rc-pub/front/page?path=/zh/nowhere", "zh");
    assert_eq!((&lost["status"], &lost["bootstrap"]["page"]["kind"]), (&json!(404), &json!("message")));
    let search = data("/rc-pub/front/page?path=%2Fen%2Fsearch%3Fq%3Dcarbon%26page%3D1%23top", "en");
    assert_eq!(search["bootstrap"]["page"]["q"], "carbon");
    for (language, message) in [("en", "The request is invalid"), ("zh", "")] {
        let start = data("/rc-pub/front/page?path=/", language);
        assert_eq!(start, json!({ "location": format!("/{language}/home/") }), "as the document");
        for path in ["", "home", "https://evil.example/en/home", "%2F%2Fevil.example%2Fen"] {
            let (status, said) = failure(&ask(&format!("/rc-pub/front/page?path={path}"), language), path);
            assert!(status == 400 && said.contains(message), "{path}: {said}");
        }
    }
}

#[test]
fn failures_are_counted_for_existing_modules_only() {
    let post = |body: &str| PORTAL.ask("POST", SITE, "/rc-pub/front/ui-failure", &[("language", "en")], body);
    // All reasons of the shell, from its source: each has a count of its own, and any others have one.
    let source = include_str!("../../../../ui-shell/src/slots/ModuleStore.ts");
    let reasons: Vec<&str> = masthead_test_support::between(source, "export type Fault = ", ";")
        .split('|')
        .map(|reason| reason.trim().trim_matches('\''))
        .collect();
    assert!(["load", "timeout", "render"].iter().all(|reason| reasons.contains(reason)), "{reasons:?}");
    for reason in reasons.iter().copied().chain(["made-up\\\"} 1"]) {
        let good = post(&format!(r#"{{"slot":"header","module":"nav-default","reason":"{reason}"}}"#));
        assert_eq!((good.status, good.json()["data"].clone()), (200, json!(true)), "{reason}");
    }
    let metrics = PORTAL.metrics();
    for reason in reasons.iter().copied().chain(["other"]) {
        let line = format!("masthead_ui_failures_total{{module=\"nav-default\",reason=\"{reason}\"}} ");
        assert!(metrics.contains(&line), "{line}: {metrics}");
    }
    for body in ["", "{", "[]", "null", r#"{"module":"made-up"}"#, r#"{"module":7}"#] {
        assert_eq!(failure(&post(body), body).0, 400, "{body}");
    }
    assert!(!PORTAL.metrics().contains("made-up"));
}

#[test]
fn invalid_parameters_are_rejected_in_the_envelope() {
    for call in [
        "front-article/getHtml",
        "front-article/getHtml?id=",
        "front-article/getBody?id=one",
        "front-article/getReference?id=99999999999999999999999",
        "front-article/getJumpUrl?id=1%20OR%201=1",
        "front-article/getArticleByDoi",
        "front-article/nonsense",
        "front-period/getPageByPeriodId?year=two&issue=1",
        "front-period/getPageByPeriodId?year=2026",
        "search",
        "search?q=a&page=-1",
        "search?q=a&size=many",
        "page",
        "site/findBySld",
        "site/findBySiteId?siteId=x",
    ] {
        for (language, word) in [("en", "The request is invalid"), ("zh", "")] {
            let answer = ask(&format!("/rc-pub/front/{call}"), language);
            let (status, message) = failure(&answer, call);
            assert!(matches!(status, 400 | 404), "{call}: {status}");
            assert!(message.contains(word) || status == 404, "{call}: {message}");
        }
    }
}

#[test]
fn other_methods_are_rejected_in_the_envelope() {
    for (method, path) in [
        ("POST", "/rc-pub/front/site/getHeaderConfig"),
        ("DELETE", "/rc-pub/front/search?q=a"),
        ("GET", "/rc-pub/front/ui-failure"),
    ] {
        let answer = PORTAL.ask(method, SITE, path, &[("language", "en")], "");
        assert_eq!(failure(&answer, path), (405, "The request is invalid".to_owned()));
    }
}

#[test]
fn unknown_calls_are_rejected_in_the_envelope() {
    for path in ["/rc-pub/front/nothing", "/rc-pub/x", "/rc-pub/front/site/%2e%2e%2f%2e%2e%2fetc"] {
        assert_eq!(failure(&ask(path, "en"), path), (404, "This page could not be found".to_owned()));
        assert_eq!(failure(&ask(path, "zh"), path), (404, "找不到该页面".to_owned()));
        let post = PORTAL.ask("POST", SITE, path, &[], "{}");
        assert_eq!(failure(&post, path).0, 404);
    }
}

#[test]
fn a_call_without_a_site_is_not_found() {
    let path = "/rc-pub/front/site/getHeaderConfig";
    for host in ["127.0.0.1", "nobody.localhost", "evil.example"] {
        let answer = PORTAL.with(host, path, &[("language", "en")]);
        assert_eq!(failure(&answer, host), (404, "There is no site at this address".to_owned()));
        let answer = PORTAL.with(host, path, &[("language", "zh")]);
        assert!(failure(&answer, host).1 != "There is no site at this address");
    }
    for (more, headers) in [("?siteId=448", vec![]), ("", vec![("siteId", "448")])] {
        let answer = PORTAL.with("127.0.0.1", &format!("{path}{more}"), &headers);
        assert_eq!(answer.json()["data"]["homeHref"], "/oceanledger/zh/home/", "{}", answer.text());
    }
    for id in ["0", "-448", "x", "4480", "448%20OR%201=1"] {
        assert_eq!(PORTAL.with("127.0.0.1", &format!("{path}?siteId={id}"), &[]).status, 404, "{id}");
    }
    let prefixed = PORTAL.with("127.0.0.1", &format!("/oceanledger{path}"), &[]);
    assert_eq!(prefixed.json()["data"]["homeHref"], "/oceanledger/zh/home/");
}

#[test]
fn content_of_one_site_cannot_be_read_through_another() {
    let id = article();
    let other = listed(&PORTAL.page("quietcircuits", "/en/issue"))[0].rsplit('/').next().unwrap().to_owned();
    let base = "/rc-pub/front/front-article";
    for (host, id) in
        [("quietcircuits.localhost", id.to_string()), ("scriptstone.localhost", id.to_string()), (SITE, other)]
    {
        for call in ["", "getBody?id=", "getReference?id=", "getHtml?id=", "getJumpUrl?id="] {
            let path = format!("{base}/{call}{id}");
            let partner = [("language", "en"), ("referer", "https://partner.example.org/")];
            let answer = PORTAL.with(host, &path, &partner);
            assert_eq!(failure(&answer, &path), (404, "Article id is not exist".to_owned()), "{host} {path}");
        }
    }
    let doi = format!("{base}/getArticleByDoi?doi={DOI}");
    assert_eq!(PORTAL.with("quietcircuits.localhost", &doi, &[]).status, 404);
    // The host determines the site, whatever else a caller sends.
    for headers in [vec![("siteId", "448")], vec![("siteid", "448")], vec![("x-forwarded-host", SITE)]] {
        let path = format!("{base}/{id}?siteId=448");
        assert_eq!(PORTAL.with("quietcircuits.localhost", &path, &headers).status, 404, "{headers:?}");
    }
    let journal = "/rc-pub/front/front-period/getPeriodTree?journal=ocean-ledger";
    assert_eq!(PORTAL.with("quietcircuits.localhost", journal, &[]).json()["data"], json!([]));
    let cover = PORTAL.page("oceanledger", "/en/home");
    let cover = masthead_test_support::named(&cover, "img")
        .iter()
        .map(|tag| tag.get("src"))
        .find(|src| src.starts_with("/media/448/"))
        .unwrap();
    assert_eq!(PORTAL.get("oceanledger", &cover).status, 200);
    for site in ["quietcircuits", "plainpress", "hssxiv"] {
        assert_eq!(PORTAL.get(site, &cover).status, 404, "{site}");
    }
}

#[test]
fn every_call_of_the_openapi_document_is_implemented() {
    let document = PORTAL.with(SITE, "/openapi.json", &[]).json();
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() >= 20, "{}", paths.len());
    let id = article().to_string();
    for (path, item) in paths {
        for (method, call) in item.as_object().unwrap() {
            // Files, and resources that the demo does not have, are covered by other tests.
            let elsewhere = ["/download", "/rankList/detail/", "/front/pictures/", "/front/tables/"];
            if elsewhere.iter().any(|part| path.contains(part)) {
                continue;
            }
            let mut address =
                path.replace("{siteId}", "448").replace("{id}", &id).replace("{publicationId}", "ocean-ledger");
            assert!(!address.contains('{'), "{path}: the test has no value for a path parameter");
            let mut query = url::form_urlencoded::Serializer::new(String::new());
            for parameter in call["parameters"].as_array().into_iter().flatten() {
                // The parameters that all calls share are declared once and referenced.
                let Some(name) = parameter["name"].as_str() else { continue };
                let value = match name {
                    "id" => id.as_str(),
                    "sld" => "oceanledger",
                    "siteId" => "448",
                    "doi" => DOI,
                    "q" => "carbon",
                    "path" => "/en/home",
                    "year" => "2026",
                    "issue" => "1",
                    "size" => "5",
                    "page" => "0",
                    "type" if path.ends_with("search-conditions") => "article",
                    "channelId" => "1",
                    _ => continue,
                };
                if parameter["in"] == "query" {
                    query.append_pair(name, value);
                }
            }
            let query = query.finish();
            if !query.is_empty() {
                address = format!("{address}?{query}");
            }
            let call_name = path.rsplit('/').next().unwrap();
            let body = match call_name {
                _ if method != "post" => "",
                "getAiTranslateResult" => r#"{"from":"auto","to":"en","q":"海"}"#,
                "generateSecureParams" => "{}",
                "advSearch" | "clusters" => r#"{"q":"carbon"}"#,
                "comments" => continue,
                _ => r#"{"module":"nav-default"}"#,
            };
            // These calls need plugins that this site does not use: the request is valid and fails.
            let needs_plugin = ["getAiTranslateResult", "generateSecureParams"].contains(&call_name);
            // This site has no resources besides articles.
            if ["admin", "member"].iter().any(|tag| call["tags"][0] == *tag) {
                // The administrators' calls need a token, and `importing/uploads.rs` tests them; those of members need a member.
                continue;
            }
            let none = call["tags"][0] == "resource" && (path.contains("{id}") || call_name == "getJumpUrl");
            let expected = if needs_plugin || none { (404, json!(404)) } else { (200, json!(0)) };
            let answer = PORTAL.ask(&method.to_uppercase(), SITE, &address, &[("language", "en")], body);
            let text = answer.text();
            assert_eq!((answer.status, answer.json()["status"].clone()), expected, "{method} {address}: {text}");
            // The declared response names the envelope, and the response has the envelope's fields.
            assert!(call["responses"]["200"]["content"]["application/json"].is_object(), "{path}");
            for status in ["400", "403", "404", "500", "503", "default"] {
                assert!(call["responses"][status].is_object(), "{path}: {status} is not described");
            }
            assert!(needs_plugin || answer.json().as_object().unwrap().contains_key("data"), "{path}");
        }
    }
}

#[test]
fn the_openapi_document_is_up_to_date() {
    let file = repository("ui-shell/openapi.json");
    let Ok(committed) = std::fs::read_to_string(&file) else {
        println!("skipped: {} is not there", file.display());
        return;
    };
    let committed: Value = serde_json::from_str(&committed).unwrap();
    let now: Value = serde_json::from_str(&masthead_web::api::openapi().to_json().unwrap()).unwrap();
    assert!(now == committed, "{} does not match the code: run `make openapi`", file.display());
}

/// Collects all descriptions and summaries of a part of the OpenAPI document.
fn descriptions<'a>(part: &'a Value, all: &mut Vec<&'a str>) {
    match part {
        Value::Object(members) => {
            let texts = ["description", "summary"].into_iter().filter_map(|name| members.get(name)?.as_str());
            all.extend(texts);
            members.values().for_each(|member| descriptions(member, all));
        }
        Value::Array(elements) => elements.iter().for_each(|element| descriptions(element, all)),
        _ => {}
    }
}

#[test]
fn no_description_of_the_openapi_document_has_a_link_or_a_path_of_rust() {
    let document: Value = serde_json::from_str(&masthead_web::api::openapi().to_json().unwrap()).unwrap();
    let mut all = Vec::new();
    descriptions(&document, &mut all);
    assert!(all.len() > 1000, "{}", all.len());
    all.retain(|text| text.contains("[`") || text.contains("::"));
    assert!(all.is_empty(), "{all:#?}");
}
