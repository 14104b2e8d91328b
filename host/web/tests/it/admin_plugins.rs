//! Administrators' calls that enable and disable the plugins of a site and change their settings.

use std::sync::LazyLock;

use masthead_domain::SiteId;
use masthead_test_support::{Answer, Portal, Setup};
use masthead_web::auth::admin_tokens::Role;
use serde_json::{Value, json};

const HOST: &str = "oceanledger.localhost";
const HSS: &str = "/rc-pub/admin/plugin?siteId=448&plugin=hss-article";
const WEBHOOK: &str = "/rc-pub/admin/plugin?siteId=448&plugin=webhook";
const LINKS: &str = "/rc-pub/admin/plugin?siteId=448&plugin=friendship-links";
/// The list of another site than the one whose list the other tests change.
const LIST: &str = "/rc-pub/admin/setting?siteId=502&key=plugins";

static PORTAL: LazyLock<Portal> =
    LazyLock::new(|| Portal::start("admin-plugins", Setup { bare: true, ..Setup::default() }, |_| {}));
static TOKEN: LazyLock<String> = LazyLock::new(|| PORTAL.token("platform", Role::Admin, &[]));

fn ask(method: &str, path: &str, body: &str) -> Answer {
    let headers =
        [("token", TOKEN.as_str()), ("language", "en"), ("content-type", "application/json"), ("editor", "Ann")];
    PORTAL.ask(method, HOST, path, &headers, body)
}

fn data(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["data"].clone()
}

fn follow() {
    PORTAL.run(PORTAL.app.change_log_follower().catch_up()).unwrap();
}

/// The ids of the plugins that the host uses on the site, and the layer that its list is from.
fn in_use() -> (Vec<String>, String) {
    let entry = PORTAL.app.sites.load().by_id(SiteId(448)).cloned().unwrap();
    let list = data(&ask("GET", "/rc-pub/admin/settings?siteId=448&key=plugins", ""));
    let ids = entry.chain.status().into_iter().map(|status| status.id).collect();
    (ids, list[0]["from"]["layer"].as_str().unwrap().to_owned())
}

/// The settings of a plugin on the site, as the host uses them.
fn settings(plugin: &str) -> Value {
    let entry = PORTAL.app.sites.load().by_id(SiteId(448)).cloned().unwrap();
    entry.site.plugins.iter().find(|one| one.id == plugin).unwrap().settings.clone()
}

#[test]
fn a_plugin_is_enabled_changed_and_disabled_without_a_restart() {
    let of_files = in_use();
    assert!(!of_files.0.contains(&"hss-article".to_owned()) && of_files.1 == "site oceanledger", "{of_files:?}");
    let body = json!({ "version": "0.1", "settings": { "path": "paper" } }).to_string();
    let entry = json!({ "id": "hss-article", "version": "0.1", "settings": { "path": "paper" } });
    let tried = data(&ask("PUT", &format!("{HSS}&dryRun=true"), &body));
    assert_eq!(tried, json!({ "before": null, "after": entry, "dryRun": true }));
    // Both are made before the host has read the first one again.
    assert_eq!(data(&ask("PUT", HSS, &body)), json!({ "before": null, "after": entry, "dryRun": false }));
    let titled = data(&ask(
        "PATCH",
        LINKS,
        r#"{ "settings": { "title.en": "Partners", "links.0.address": "https://a.example.org/" } }"#,
    ));
    assert_eq!(titled["after"]["settings"]["title"]["en"], "Partners");
    follow();
    let (ids, layer) = in_use();
    assert!(ids.contains(&"hss-article".to_owned()) && ids.len() == of_files.0.len() + 1, "{ids:?}");
    assert_eq!(layer, "saved");
    let links = settings("friendship-links");
    assert_eq!((&links["title"]["en"], &links["title"]["zh"]), (&json!("Partners"), &json!("友情链接")));
    assert_eq!(links["links"][0]["address"], "https://a.example.org/");

    assert_eq!(ask("PUT", HSS, &body).status, 409);
    let back = data(&ask("PATCH", HSS, r#"{ "settings": { "path": null } }"#));
    assert_eq!(back["after"], json!({ "id": "hss-article", "version": "0.1" }));
    assert_eq!(data(&ask("DELETE", HSS, ""))["after"], Value::Null);
    follow();
    assert_eq!(in_use(), (of_files.0.clone(), "saved".to_owned()), "another change is still saved");
    assert_eq!(ask("DELETE", HSS, "").status, 404);
    let audit = data(&ask("GET", "/rc-pub/admin/audit?siteId=448&subject=plugin/hss-article", ""));
    let lines: Vec<_> =
        audit.as_array().unwrap().iter().map(|line| (line["action"].clone(), line["who"].clone())).collect();
    let by_ann = |action: &str| (json!(action), json!("Ann (platform)"));
    assert_eq!(lines, [by_ann("disabled"), by_ann("changed"), by_ann("enabled")]);
    assert_eq!((&audit[1]["before"], &audit[1]["after"]), (&json!({ "settings": { "path": "paper" } }), &json!({})));

    // A list that is that of the files again is saved no more.
    let restored =
        r#"{ "settings": { "title.en": "Friendship links", "links.0.address": "https://ocean.example.org/" } }"#;
    data(&ask("PATCH", LINKS, restored));
    follow();
    assert_eq!(in_use(), of_files);
}

#[test]
fn what_a_plugin_does_not_take_is_refused() {
    let granted = json!({ "http": ["hooks.example.org"], "secrets": ["webhook"] });
    let webhook = |settings: Value, grants: &Value| json!({ "settings": settings, "grants": grants }).to_string();
    let good = json!({ "addresses": ["https://hooks.example.org/in"] });
    for (method, path, body, status, why) in [
        (
            "PUT",
            "/rc-pub/admin/plugin?siteId=448&plugin=webhok",
            "{}".to_owned(),
            400,
            "webhok: there is no such plugin",
        ),
        ("PUT", "/rc-pub/admin/plugin?siteId=448", "{}".to_owned(), 400, "there is no such plugin"),
        ("PUT", "/rc-pub/admin/plugin?siteId=7&plugin=webhook", "{}".to_owned(), 404, ""),
        ("PUT", WEBHOOK, "{\"version\":\"7\"}".to_owned(), 400, "no version meets \"7\""),
        ("PUT", WEBHOOK, webhook(json!({ "addresses": 3 }), &granted), 400, "settings: addresses is 3"),
        ("PUT", WEBHOOK, webhook(json!({}), &granted), 400, "settings: addresses is missing"),
        ("PUT", WEBHOOK, webhook(good.clone(), &json!({})), 400, "grants.http is missing"),
        ("PUT", WEBHOOK, webhook(good.clone(), &json!({ "teleport": true })), 400, "teleport"),
        ("PUT", WEBHOOK, webhook(json!({ "addresses": ["a\u{0}b"] }), &granted), 400, "invalid"),
        ("PUT", WEBHOOK, "{\"setings\":{}}".to_owned(), 400, "is not the entry of a plugin"),
        ("PUT", LINKS, "{}".to_owned(), 409, "friendship-links is enabled on oceanledger already"),
        ("PATCH", LINKS, r#"{ "settings": { "title": 3 } }"#.to_owned(), 400, "settings: title is 3"),
        ("PATCH", LINKS, r#"{ "settings": { "links.0.adress": "x" } }"#.to_owned(), 400, "do you mean address?"),
        ("PATCH", LINKS, r#"{ "settings": { "links": null } }"#.to_owned(), 400, "settings: links is missing"),
        ("PATCH", LINKS, "{}".to_owned(), 400, "is not settings of a plugin"),
        (
            "PATCH",
            WEBHOOK,
            r#"{ "settings": { "secret": "x" } }"#.to_owned(),
            404,
            "webhook is not enabled on oceanledger",
        ),
        ("DELETE", "/rc-pub/admin/plugin?siteId=448&plugin=friendship-link", String::new(), 404, "friendship-links"),
    ] {
        let refused = ask(method, path, &body);
        assert_eq!(refused.status, status, "{method} {path} {body}: {}", refused.text());
        assert!(
            refused.json()["message"].as_str().unwrap().contains(why),
            "{method} {path} {body}: {}",
            refused.text()
        );
    }
    let audit = data(&ask("GET", "/rc-pub/admin/audit?siteId=448&subject=plugin/webhook", ""));
    assert_eq!(audit, json!([]), "a refused change has no line");
    let tried = ask("PUT", &format!("{WEBHOOK}&dryRun=true"), &webhook(good, &granted));
    assert_eq!(tried.status, 200, "{}", tried.text());
}

#[test]
fn a_list_that_is_saved_as_a_setting_is_checked_as_its_entries_are() {
    let explained = data(&ask("GET", "/rc-pub/admin/settings?siteId=502&key=plugins", ""));
    let used = explained[0]["from"]["value"].as_array().unwrap().clone();
    let with = |entry: Value| Value::Array([used.clone(), vec![entry]].concat()).to_string();
    for (entry, why) in [
        (json!({ "id": "webhok" }), "webhok: there is no such plugin"),
        (json!({ "id": "hss-article", "settings": { "path": 3 } }), "hss-article: settings: path is 3"),
        (json!({ "id": "hss-article", "grants": { "kv": true } }), "the plugin does not ask for kv"),
        (json!({ "id": "hss-article", "setings": {} }), "plugins is not saved"),
    ] {
        let refused = ask("PUT", LIST, &with(entry));
        assert_eq!(refused.status, 400, "{why}: {}", refused.text());
        assert!(refused.json()["message"].as_str().unwrap().contains(why), "{why}: {}", refused.text());
    }
    let tried = ask("PUT", &format!("{LIST}&dryRun=true"), &with(json!({ "id": "hss-article" })));
    assert_eq!(tried.status, 200, "{}", tried.text());
}

#[test]
fn plugins_are_a_platform_administrators() {
    let lesser =
        [PORTAL.token("admin-here", Role::Admin, &[448]), PORTAL.token("editor-everywhere", Role::Editor, &[])];
    for token in &lesser {
        for (method, body) in [("PUT", "{}"), ("PATCH", "{\"settings\":{}}"), ("DELETE", "")] {
            let refused = PORTAL.ask(method, HOST, LINKS, &[("token", token), ("language", "en")], body);
            assert_eq!(refused.status, 403, "{method}: {}", refused.text());
            assert!(refused.text().contains("whole installation"), "{method}: {}", refused.text());
        }
    }
}
