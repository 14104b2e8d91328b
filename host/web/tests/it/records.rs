//! Administrators' calls about records: versions, conflicts, files, the audit trail, and what readers see of the changes.

use std::sync::{LazyLock, Mutex, PoisonError};

use masthead_domain::resource::{ResourceKind, ResourceSource};
use masthead_test_support::{Answer, Portal, Setup};
use masthead_web::auth::admin_tokens::Role;
use serde_json::{Value, json};

const SITE: &str = "oceanledger";
const SEAGRASS: &str = "10.5555/ocl.2026.06.01.0001";

static PORTAL: LazyLock<Portal> = LazyLock::new(|| Portal::start("records", Setup::default(), |_| {}));
static TOKEN: LazyLock<String> = LazyLock::new(|| PORTAL.token("desk", Role::Admin, &[]));

fn call(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let all = [&[("token", TOKEN.as_str()), ("language", "en"), ("editor", "Ada")], headers].concat();
    PORTAL.ask(method, &format!("{SITE}.localhost"), &format!("/rc-pub/admin/{path}"), &all, body)
}

/// The address of a record.
fn record(of: &str, name: &str) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::from("record?siteId=448&"));
    query.append_pair("type", of).append_pair("name", name).finish()
}

fn version(of: &str, name: &str) -> String {
    let answer = call("GET", &record(of, name), &[], "");
    assert_eq!(answer.status, 200, "{}", answer.text());
    let tag = answer.header("etag").to_owned();
    assert_eq!(tag, format!("\"{}\"", answer.json()["data"]["version"].as_str().unwrap()));
    tag
}

fn set(of: &str, name: &str, tag: &str, fields: &Value) -> Answer {
    call("PATCH", &record(of, name), &[("if-match", tag)], &json!({ "set": fields }).to_string())
}

/// Lets pages and search follow the changes; one test at a time, because there is one index.
fn follow() {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    PORTAL.run(PORTAL.app.change_log_follower().catch_up()).unwrap();
}

#[test]
fn a_record_is_changed_from_its_version_only() {
    let tag = version("journal", "ocean-ledger");
    let introduction = json!({ "introduction": { "en": "Letters on the open sea." } });
    let changed = set("journal", "ocean-ledger", &tag, &introduction);
    assert_eq!(changed.status, 200, "{}", changed.text());
    assert_eq!(changed.json()["data"]["changes"][0]["key"], "introduction.en");
    assert_ne!(changed.header("etag"), tag);
    let again = set("journal", "ocean-ledger", &tag, &json!({ "cn": "11-2345/P" }));
    let message = again.json()["message"].as_str().unwrap().to_owned();
    assert_eq!((again.status, message.contains("last by Ada (desk)")), (412, true), "{message}");
    let without = call("PATCH", &record("journal", "ocean-ledger"), &[], "{\"set\":{\"cn\":\"x\"}}");
    assert_eq!(without.status, 428);
    follow();
    assert!(PORTAL.page(SITE, "/en/about").contains("Letters on the open sea."));
    let audit = call("GET", "audit?siteId=448&subject=journal", &[], "").json();
    let line = &audit["data"][0];
    assert_eq!((&line["who"], &line["subject"]), (&json!("Ada (desk)"), &json!("journal/ocean-ledger")));
    assert_eq!(line["after"], json!({ "introduction.en": "Letters on the open sea." }));
    let strangers = PORTAL.ask("GET", &format!("{SITE}.localhost"), "/rc-pub/admin/audit", &[("token", "x")], "");
    assert_eq!(strangers.status, 401);
}

#[test]
fn records_are_added_listed_and_removed() {
    let name = record("news", "tide-table");
    let body = json!({ "set": { "title.en": "Tide table", "date": "2026-06-01", "content.en": "<p>a<script>b</script></p>" } });
    let add = || call("PATCH", &name, &[("if-none-match", "*")], &body.to_string());
    let added = add();
    assert_eq!((added.status, &added.json()["data"]["action"]), (200, &json!("created")), "{}", added.text());
    assert_eq!(add().status, 409);
    let shown = call("GET", &name, &[], "").json();
    assert_eq!(shown["data"]["value"]["content"]["en"], "<p>a</p>", "{shown}");
    let mut after = String::new();
    let mut names = Vec::new();
    loop {
        let page = call("GET", &format!("records?siteId=448&type=news&size=1&after={after}"), &[], "").json();
        names.extend(page["data"]["records"].as_array().unwrap().iter().map(|one| one["name"].clone()));
        let Some(next) = page["data"]["next"].as_str() else { break };
        after = next.to_owned();
    }
    assert!(names.iter().filter(|name| **name == "tide-table").count() == 1, "{names:?}");
    let dry = call("DELETE", &format!("{name}&dryRun=true"), &[], "");
    assert_eq!((dry.status, &dry.json()["data"]["dryRun"]), (200, &json!(true)), "{}", dry.text());
    assert_eq!(call("DELETE", &name, &[("if-match", "\"0\"")], "").status, 412);
    assert_eq!(call("DELETE", &name, &[("if-match", &version("news", "tide-table"))], "").status, 200);
    assert_eq!(call("GET", &name, &[], "").status, 404);
}

#[test]
fn a_change_of_whatever_is_there_says_who_has_changed_it_lately() {
    let name = record("news", "ebb-table");
    let set = |editor: &str, tag: &str, title: &str| {
        let headers = [("token", TOKEN.as_str()), ("language", "en"), ("editor", editor), ("if-match", tag)];
        let body = json!({ "set": { "title.en": title } }).to_string();
        let answer =
            PORTAL.ask("PATCH", &format!("{SITE}.localhost"), &format!("/rc-pub/admin/{name}"), &headers, &body);
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["data"].clone()
    };
    let body = json!({ "set": { "title.en": "Ebb" } }).to_string();
    let added = call("PATCH", &name, &[("if-none-match", "*")], &body).json();
    assert_eq!(added["data"]["lastEditor"], Value::Null, "{added}");
    let changed = set("Grace", "*", "Ebbs");
    assert_eq!(changed["lastEditor"]["who"], "Ada (desk)", "{changed}");
    assert!(changed["lastEditor"]["time"].as_str().unwrap().starts_with("20"), "{changed}");
    assert_eq!(set("Ada", &version("news", "ebb-table"), "Ebb")["lastEditor"], Value::Null, "she has seen it");
    assert_eq!(set("Ada", "*", "Ebbs again")["lastEditor"], Value::Null, "her own change");
    set("Grace", "*", "Ebb table");
    let dry = call("DELETE", &format!("{name}&dryRun=true"), &[], "").json();
    assert_eq!((&dry["data"]["dryRun"], &dry["data"]["lastEditor"]["who"]), (&json!(true), &json!("Grace (desk)")));
    let goes = json!({ "key": "title.en", "before": "Ebb table", "after": null });
    assert!(dry["data"]["changes"].as_array().unwrap().contains(&goes), "{dry}");
    let removed = call("DELETE", &name, &[("if-match", "*")], "").json();
    assert_eq!((&removed["data"]["dryRun"], &removed["data"]["changes"]), (&json!(false), &dry["data"]["changes"]));
    let audit = call("GET", "audit?siteId=448&subject=news/ebb-table", &[], "").json();
    let line = &audit["data"][0];
    assert_eq!((&line["before"]["title"]["en"], &line["after"]), (&json!("Ebb table"), &Value::Null));
}

#[test]
fn resources_of_every_kind_are_set_shown_and_removed() {
    for kind in ResourceKind::ALL {
        let (of, name) = (kind.as_str(), record(kind.as_str(), "one-of-each"));
        let field = if kind == ResourceKind::Expert { "name" } else { "title" };
        let new = json!({ "set": { field: { "en": "First" } } }).to_string();
        let added = call("PATCH", &name, &[("if-none-match", "*")], &new);
        if kind.source() != ResourceSource::File {
            assert_eq!(added.status, 400, "{of}: {}", added.text());
            continue;
        }
        assert_eq!((added.status, &added.json()["data"]["action"]), (200, &json!("created")), "{of}: {}", added.text());
        let changed = set(of, "one-of-each", added.header("etag"), &json!({ field: { "en": "Second" } }));
        assert_eq!(changed.status, 200, "{of}: {}", changed.text());
        let tag = version(of, "one-of-each");
        assert_eq!(tag, changed.header("etag"), "{of}");
        assert_eq!(call("GET", &name, &[], "").json()["data"]["value"][field]["en"], "Second", "{of}");
        let removed = call("DELETE", &name, &[("if-match", &tag)], "");
        assert_eq!(removed.status, 200, "{of}: {}", removed.text());
        assert_eq!(call("GET", &name, &[], "").status, 404, "{of}");
    }
}

#[test]
fn a_cover_is_stored_and_then_named() {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"3\" height=\"4\"/>";
    let octets = [("content-type", "application/octet-stream")];
    let stored = call("POST", "media?siteId=448&name=cover.svg", &octets, svg).json();
    let address = stored["data"]["address"].as_str().unwrap().to_owned();
    assert!(address.starts_with("/media/448/") && address.ends_with(".svg"), "{stored}");
    assert_eq!(PORTAL.get(SITE, &address).status, 404, "nothing uses it yet");
    let issues = call("GET", "records?siteId=448&type=issue", &[], "").json();
    let name = issues["data"]["records"][0]["name"].as_str().unwrap().to_owned();
    let changed = set("issue", &name, &version("issue", &name), &json!({ "cover": address }));
    assert_eq!(changed.status, 200, "{}", changed.text());
    assert_eq!(PORTAL.get(SITE, &address).status, 200);
    let bomb = "<?xml version='1.0'?>\n<!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>";
    let refused = call("POST", "media?siteId=448&name=bomb.svg", &octets, bomb);
    assert_eq!(refused.status, 400, "{}", refused.text());
    assert_eq!(call("POST", "media?siteId=448&name=cover.svg", &[], svg).status, 415, "a file is no JSON");
    assert_eq!(call("POST", "media?siteId=1&name=cover.svg", &octets, svg).status, 404);
}

#[test]
fn a_corrected_doi_is_found_and_the_earlier_address_stays() {
    let (earlier, doi) = ("10.5555/ocl.2025.05.04.0211", "10.5555/ocl.corrected");
    let id = PORTAL.article(SITE, earlier);
    let about = PORTAL.get(SITE, "/oai?verb=Identify").text();
    let namespace = masthead_test_support::between(&about, "<repositoryIdentifier>", "</repositoryIdentifier>");
    let record = format!("/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:{namespace}:article/{id}");
    assert!(PORTAL.get(SITE, &record).text().contains(earlier));
    let changed = set("article", earlier, &version("article", earlier), &json!({ "doi": doi }));
    assert_eq!(changed.status, 200, "{}", changed.text());
    follow();
    for name in [earlier, doi] {
        let page = PORTAL.page(SITE, &format!("/en/article/doi/{name}"));
        assert!(page.contains(doi), "{name}");
        let found = PORTAL.get(SITE, &format!("/rc-pub/front/front-article/getArticleByDoi?doi={name}")).json();
        assert_eq!(found["status"], 0, "{name}: {found}");
    }
    let hits = |words: &str| PORTAL.get(SITE, &format!("/rc-pub/front/search?q={words}")).json()["data"].clone();
    assert_eq!(hits(doi)["content"][0]["doi"], doi);
    let harvested = PORTAL.get(SITE, &record).text();
    assert!(harvested.contains(doi), "the OAI identifier is that of the number: {harvested}");
}

#[test]
fn redirects_are_added_listed_and_removed_by_call() {
    let redirect = |from: &str| {
        let mut query = url::form_urlencoded::Serializer::new(String::from("redirect?siteId=448&"));
        query.append_pair("from", from).finish()
    };
    let put = |from: &str, to: &Value| call("PUT", &redirect(from), &[], &to.to_string());
    // Another test withdraws the first article.
    let doi = "10.5555/ocl.2026.06.01.0018";
    let id = PORTAL.article(SITE, doi);
    let first = redirect("/former/12");
    let dry = call("PUT", &format!("{first}&dryRun=true"), &[], &json!({ "doi": doi }).to_string());
    assert_eq!((dry.status, &dry.json()["data"]["dryRun"]), (200, &json!(true)), "{}", dry.text());
    assert_eq!(PORTAL.get(SITE, "/en/former/12").status, 404, "a dry run");
    let of_article = json!({ "from": "/former/12", "kind": "article", "target": id.to_string() });
    let added = put("/former/12", &json!({ "doi": doi })).json();
    assert_eq!(added["data"], json!({ "before": null, "after": of_article, "dryRun": false }), "{added}");
    let answer = PORTAL.get(SITE, "/en/former/12");
    assert_eq!((answer.status, answer.header("location")), (301, format!("/en/article/{id}").as_str()));
    assert_eq!(put("/former/%61bout", &json!({ "path": "/about" })).status, 200);
    assert_eq!(put("/former/journal", &json!({ "journal": "ocean-ledger" })).status, 200);

    let (mut after, mut listed) = (String::new(), Vec::new());
    loop {
        let page = call("GET", &format!("redirects?siteId=448&size=2&after={after}"), &[], "").json();
        listed.extend(page["data"]["redirects"].as_array().unwrap().iter().map(|one| one["from"].clone()));
        let Some(next) = page["data"]["next"].as_str() else { break };
        after = next.to_owned();
    }
    assert_eq!(listed, ["/former/12", "/former/about", "/former/journal"]);

    for (from, to, status) in [
        ("/x", json!({}), 400),
        ("/x", json!({ "article": id, "path": "/about" }), 400),
        ("/x", json!({ "article": 999_999 }), 400),
        ("/x", json!({ "issue": "ocean-ledger" }), 400),
        ("/x", json!({ "path": "/x" }), 400),
        ("/x", json!({ "journal": "a\u{0}" }), 400),
        ("/x%00", json!({ "path": "/about" }), 400),
        ("x", json!({ "path": "/about" }), 400),
        ("/x", json!({ "to": "/about" }), 400),
        ("/x", json!([]), 400),
    ] {
        let answer = put(from, &to);
        assert_eq!(answer.status, status, "{from} {to}: {}", answer.text());
    }
    assert_eq!(call("PUT", "redirect?siteId=1&from=/x", &[], "{\"path\":\"/about\"}").status, 404);
    assert_eq!(call("DELETE", &redirect("/x"), &[], "").status, 404);
    let removed = call("DELETE", &first, &[], "").json();
    assert_eq!(removed["data"], json!({ "before": of_article, "after": null, "dryRun": false }), "{removed}");
    assert_eq!(PORTAL.get(SITE, "/en/former/12").status, 404);

    let audit = call("GET", "audit?siteId=448&subject=redirect/former/12", &[], "").json();
    let lines: Vec<_> = audit["data"].as_array().unwrap().iter().map(|line| (&line["action"], &line["who"])).collect();
    let (who, created, removed) = (json!("Ada (desk)"), json!("created"), json!("removed"));
    assert_eq!(lines, [(&removed, &who), (&created, &who)]);
    let strangers = [("token", "x")];
    assert_eq!(
        PORTAL.ask("DELETE", &format!("{SITE}.localhost"), &format!("/rc-pub/admin/{first}"), &strangers, "").status,
        401
    );
}

#[test]
fn invalid_calls_are_refused() {
    let name = record("journal", "ocean-ledger");
    for (path, body, status) in [
        (name.as_str(), "{\"set\":{\"titel\":{}}}", 400),
        (name.as_str(), "{\"set\":{\"issn\":\"1\"}}", 400),
        (name.as_str(), "{\"set\":[]}", 400),
        (name.as_str(), "{\"fields\":{}}", 400),
        (name.as_str(), "x", 400),
        ("record?siteId=448&type=sandwich&name=x", "{}", 400),
        ("record?siteId=448&type=journal&name=%00", "{}", 400),
        ("record?siteId=448&type=journal&name=none", "{}", 404),
        ("record?siteId=1&type=journal&name=none", "{}", 404),
    ] {
        let answer = call("PATCH", path, &[("if-match", "*")], body);
        assert_eq!(answer.status, status, "{path} {body}: {}", answer.text());
    }
    assert_eq!(call("GET", "records?siteId=448&type=news&after=x", &[], "").status, 400);
}

#[test]
fn a_withdrawn_article_is_a_tombstone_everywhere() {
    let id = PORTAL.article(SITE, SEAGRASS);
    let (page, by_doi) = (format!("/en/article/{id}"), format!("/en/article/doi/{SEAGRASS}"));
    let title = call("GET", &record("article", SEAGRASS), &[], "").json()["data"]["value"]["titles"]["en"].clone();
    let fields = json!({ "withdrawn": { "date": "2026-06-30", "reason": { "en": "Salt in the <data>" } } });
    let done = set("article", SEAGRASS, &version("article", SEAGRASS), &fields);
    assert_eq!((done.status, &done.json()["data"]["action"]), (200, &json!("withdrawn")), "{}", done.text());
    follow();
    let tombstone = PORTAL.get(SITE, &page);
    let text = tombstone.text();
    assert_eq!(tombstone.status, 410);
    for part in [
        "This article has been withdrawn",
        "2026-06-30",
        "Salt in the &lt;data&gt;",
        title.as_str().unwrap(),
        "noindex",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(!text.contains("class=\"reader\""), "nothing of the article itself is shown");
    let chinese = PORTAL.get(SITE, &format!("/zh/article/{id}")).text();
    for part in ["<h1 lang=\"zh\" dir=\"auto\">为海草床", "<bdi lang=\"en\">Salt in the &lt;data&gt;</bdi>"] {
        assert!(chinese.contains(part), "{part} says which language it is in: {chinese}");
    }
    assert_eq!(PORTAL.get(SITE, &format!("{page}?format=jats")).status, 410);
    let front = |path: &str| PORTAL.with(&format!("{SITE}.localhost"), path, &[("language", "en")]);
    let data = front(&format!("/rc-pub/front/front-article/{id}"));
    assert_eq!((data.status, &data.json()["message"]), (410, &json!("This article has been withdrawn")));
    assert_eq!(front(&format!("/rc-pub/front/front-article/getBody?id={id}")).status, 410);
    assert_eq!(front(&format!("/rc-pub/front/front-article/getArticleByDoi?doi={SEAGRASS}")).status, 410);
    let oai = format!("verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:{SITE}.localhost:article/{id}");
    let oai = PORTAL.get(SITE, &format!("/oai?{oai}")).text();
    assert!(oai.contains("status=\"deleted\"") && !oai.contains("<metadata>"), "{oai}");
    assert!(!PORTAL.get(SITE, "/en/feed.atom").text().contains(&format!("{page}\"")));
    assert!(!PORTAL.page(SITE, "/en/search?q=seagrass").contains(&format!("{page}\"")));
    assert_eq!(PORTAL.get(SITE, &by_doi).status, 410);

    let back = set("article", &id.to_string(), &version("article", &id.to_string()), &json!({ "withdrawn": null }));
    assert_eq!((back.status, &back.json()["data"]["action"]), (200, &json!("reinstated")), "{}", back.text());
    follow();
    assert_eq!(PORTAL.get(SITE, &page).status, 200);
}

#[test]
fn a_corrected_title_is_on_the_page_and_found_by_search() {
    let listed = call("GET", "records?siteId=448&type=article&size=200", &[], "").json();
    let others = listed["data"]["records"].as_array().unwrap();
    let seagrass = PORTAL.article(SITE, SEAGRASS).to_string();
    let name = others.iter().map(|one| one["name"].as_str().unwrap()).find(|name| *name != seagrass).unwrap();
    let before = PORTAL.page(SITE, &format!("/en/article/{name}"));
    let pictures = before.matches("<img").count();
    let changed =
        set("article", name, &version("article", name), &json!({ "titles.en": "Quokkas of the tidal flats" }));
    assert_eq!(changed.status, 200, "{}", changed.text());
    follow();
    let after = PORTAL.page(SITE, &format!("/en/article/{name}"));
    assert!(after.contains("<h1") && after.contains("Quokkas of the tidal flats"));
    assert_eq!(after.matches("<img").count(), pictures, "its pictures are still there");
    let found = PORTAL.page(SITE, "/en/search?q=quokkas");
    assert!(found.contains(&format!("/en/article/{name}")), "{found}");
}
