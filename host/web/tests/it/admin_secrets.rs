//! Administrators' calls about secrets.

use std::{fs, sync::LazyLock};

use masthead_domain::SiteId;
use masthead_runtime::SecretSource as _;
use masthead_test_support::{Answer, Portal, Setup};
use masthead_web::auth::admin_tokens::Role;
use serde_json::{Value, json};

const HOST: &str = "oceanledger.localhost";
const SECRET: &str = "/rc-pub/admin/secret?siteId=448&name=orcid";

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    Portal::start("admin-secrets", Setup { bare: true, ..Setup::default() }, |sites| {
        let path = sites.join("oceanledger.toml");
        let text = fs::read_to_string(&path).unwrap();
        let provider = "\n[accounts.providers.orcid]\nkind = \"orcid\"\nclientId = \"APP-1\"\nsecret = \"orcid\"\n";
        fs::write(&path, text + provider).unwrap();
    })
});
static TOKEN: LazyLock<String> = LazyLock::new(|| PORTAL.token("platform", Role::Admin, &[]));

fn ask_with(token: &str, method: &str, path: &str, body: &str) -> Answer {
    let headers = [("token", token), ("language", "en"), ("content-type", "application/json"), ("editor", "Ann")];
    PORTAL.ask(method, HOST, path, &headers, body)
}

fn ask(method: &str, path: &str, body: &str) -> Answer {
    ask_with(&TOKEN, method, path, body)
}

fn data(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["data"].clone()
}

fn state(name: &str) -> Option<String> {
    let listed = data(&ask("GET", "/rc-pub/admin/secrets?siteId=448", ""));
    let found = listed.as_array().unwrap().iter().find(|secret| secret["name"] == name)?;
    Some(found["state"].as_str().unwrap().to_owned())
}

#[test]
fn a_secret_is_set_used_at_once_and_removed_and_its_value_is_nowhere_to_be_read() {
    let value = "s3cret-\\\"\u{1F511}-value";
    let in_use = || PORTAL.app.secrets.secret(SiteId(448), "orcid");
    assert_eq!(state("orcid").as_deref(), Some("missing"));
    let body = serde_json::to_string(value).unwrap();
    assert_eq!(data(&ask("PUT", SECRET, &body)), json!({ "before": false, "after": true }));
    assert_eq!(in_use().as_deref(), Some(value));
    assert_eq!(data(&ask("PUT", SECRET, "\"another\"")), json!({ "before": true, "after": true }));
    assert_eq!((state("orcid").as_deref(), in_use().as_deref()), (Some("set"), Some("another")));
    let all = ask("GET", "/rc-pub/admin/secrets", "").text();
    assert!(all.contains("orcid") && !all.contains("another"), "{all}");

    assert_eq!(data(&ask("DELETE", SECRET, "")), json!({ "before": true, "after": false }));
    assert_eq!((state("orcid").as_deref(), in_use()), (Some("missing"), None));
    let again = ask("DELETE", SECRET, "");
    assert_eq!(again.status, 404);
    assert!(again.text().contains("has no secret"), "{}", again.text());
    let audit = ask("GET", "/rc-pub/admin/audit?siteId=448&subject=secret/orcid", "").text();
    for action in ["set", "replaced", "removed"] {
        assert!(audit.contains(&format!("\"action\":\"{action}\"")), "{audit}");
    }
    assert!(audit.contains("Ann (platform)") && !audit.contains("another") && !audit.contains("s3cret"), "{audit}");
}

#[test]
fn the_installation_has_one_secret_and_refuses_others() {
    let address = |name: &str| format!("/rc-pub/admin/secret?name={name}");
    let refused = ask("PUT", &address("mail-pasword"), "\"x\"");
    assert_eq!(refused.status, 400);
    assert!(refused.text().contains("mail-password"), "{}", refused.text());
    assert_eq!(data(&ask("PUT", &address("mail-password"), "\"x\"")), json!({ "before": false, "after": true }));
    let listed = data(&ask("GET", "/rc-pub/admin/secrets", ""));
    let own = listed.as_array().unwrap().iter().find(|secret| secret["name"] == "mail-password").unwrap();
    assert_eq!((&own["siteId"], &own["site"], &own["state"]), (&Value::Null, &Value::Null, &json!("set")));
    data(&ask("DELETE", &address("mail-password"), ""));
}

#[test]
fn other_roles_and_wrong_values_are_refused_and_change_nothing() {
    let of_site = PORTAL.token("site", Role::Admin, &[448]);
    let listed = ask_with(&of_site, "GET", "/rc-pub/admin/secrets?siteId=448", "");
    assert_eq!(listed.status, 200, "{}", listed.text());
    assert_eq!(ask_with(&of_site, "GET", "/rc-pub/admin/secrets", "").status, 403);
    assert_eq!(ask_with(&of_site, "GET", "/rc-pub/admin/secrets?siteId=502", "").status, 403);
    assert_eq!(ask_with(&of_site, "PUT", "/rc-pub/admin/secret?siteId=448&name=wrong", "\"x\"").status, 403);
    assert_eq!(ask_with("", "GET", "/rc-pub/admin/secrets?siteId=448", "").status, 401);
    let address = "/rc-pub/admin/secret?siteId=448&name=wrong";
    for (path, body, status) in [
        (address, "\"\"", 400),
        (address, "17", 400),
        (address, "{\"value\":\"hidden\"}", 400),
        (address, "hidden", 400),
        (address, &serde_json::to_string(&"x".repeat(64 << 10 | 1)).unwrap(), 400),
        (address, &serde_json::to_string(&"x".repeat(500 << 10)).unwrap(), 413),
        ("/rc-pub/admin/secret?siteId=448&name=two%20words", "\"x\"", 400),
        ("/rc-pub/admin/secret?siteId=448", "\"x\"", 400),
        ("/rc-pub/admin/secret?siteId=7&name=wrong", "\"x\"", 404),
    ] {
        let answer = ask("PUT", path, body);
        assert_eq!(answer.status, status, "{path}: {}", answer.text());
        assert!(!answer.text().contains("hidden"), "a refusal does not repeat the value: {}", answer.text());
    }
    assert_eq!(state("wrong"), None);
}
