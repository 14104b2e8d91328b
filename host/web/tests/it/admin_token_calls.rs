//! Administrators' calls about the tokens of programs.

use std::sync::LazyLock;

use masthead_test_support::{Answer, Portal, Setup};
use masthead_web::auth::admin_tokens::{self, NewToken, Role, Sites};
use serde_json::{Value, json};

const HOST: &str = "oceanledger.localhost";
const TOKENS: &str = "/rc-pub/admin/tokens";
const RECORDS: &str = "/rc-pub/admin/records?type=journal&siteId=";

static PORTAL: LazyLock<Portal> =
    LazyLock::new(|| Portal::start("admin-token-calls", Setup { bare: true, ..Setup::default() }, |_| {}));
static TOKEN: LazyLock<String> = LazyLock::new(|| PORTAL.token("platform", Role::Admin, &[]));

fn ask_with(token: &str, method: &str, path: &str, body: &str) -> Answer {
    let headers = [("token", token), ("language", "en"), ("content-type", "application/json"), ("editor", "Ann")];
    PORTAL.ask(method, HOST, path, &headers, body)
}

fn create(body: &Value) -> Answer {
    ask_with(&TOKEN, "POST", TOKENS, &body.to_string())
}

fn revoke(name: &str) -> u16 {
    ask_with(&TOKEN, "DELETE", &format!("{TOKENS}?name={name}"), "").status
}

/// The token of an answer that created one.
fn token(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["data"]["token"].as_str().unwrap().to_owned()
}

/// The token with this name in the list.
fn listed(name: &str) -> Option<Value> {
    let answer = ask_with(&TOKEN, "GET", TOKENS, "");
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["data"].as_array().unwrap().iter().find(|one| one["name"] == name).cloned()
}

fn status(token: &str, path: &str) -> u16 {
    ask_with(token, "GET", path, "").status
}

#[test]
fn a_created_token_works_on_its_sites_until_it_is_revoked_and_both_have_their_lines() {
    let answer = create(&json!({ "name": "newsroom", "role": "editor", "sites": [448], "expires": "90d" }));
    let newsroom = token(&answer);
    assert!(newsroom.starts_with("mht_") && answer.header("cache-control") == "private, no-store");
    let [here, there] = [448, 502].map(|site| format!("{RECORDS}{site}"));
    assert_eq!([status(&newsroom, &here), status(&newsroom, &there)], [200, 403]);
    assert_eq!(status(&newsroom, "/rc-pub/admin/settings?siteId=448"), 403, "it is an editor's");

    let stored = listed("newsroom").unwrap();
    assert_eq!(stored, answer.json()["data"]["stored"]);
    assert_eq!((&stored["role"], &stored["sites"], &stored["ended"]), (&json!("editor"), &json!([448]), &json!(false)));
    assert!(stored["created"].is_string() && stored["expires"].is_string(), "{stored}");
    let list = ask_with(&TOKEN, "GET", TOKENS, "").text();
    assert!(!list.contains(&newsroom[4..]) && !list.contains("digest"), "{list}");

    assert_eq!([revoke("newsroom"), status(&newsroom, &here), revoke("newsroom")], [200, 401, 404]);
    assert_eq!(listed("newsroom"), None);
    let audit = ask_with(&TOKEN, "GET", "/rc-pub/admin/audit?siteId=448&subject=token/newsroom", "");
    let lines = audit.json()["data"].as_array().unwrap().clone();
    let seen: Vec<_> = lines.iter().map(|line| (line["who"].clone(), line["action"].clone())).collect();
    assert_eq!(seen, [(json!("Ann (platform)"), json!("revoked")), (json!("Ann (platform)"), json!("created"))]);
    assert_eq!((&lines[1]["before"], &lines[1]["after"]["role"]), (&Value::Null, &json!("editor")));
    assert!(!audit.text().contains(&newsroom[4..]), "{}", audit.text());
}

#[test]
fn a_token_for_all_sites_is_a_matter_of_the_installation() {
    let all = token(&create(&json!({ "name": "monitor", "role": "admin" })));
    assert_eq!([status(&all, TOKENS), status(&all, "/readyz")], [200, 200]);
    let stored = listed("monitor").unwrap();
    assert_eq!((&stored["sites"], &stored["expires"]), (&Value::Null, &Value::Null));
    let audit = ask_with(&TOKEN, "GET", "/rc-pub/admin/audit?subject=token/monitor", "").json();
    assert_eq!((&audit["data"][0]["siteId"], &audit["data"][0]["action"]), (&json!(0), &json!("created")), "{audit}");
    assert_eq!(revoke("monitor"), 200);
    assert_eq!(status(&all, TOKENS), 401);
}

#[test]
fn lesser_roles_neither_see_nor_create_nor_revoke_tokens() {
    let lesser = [
        PORTAL.token("editor-here", Role::Editor, &[448]),
        PORTAL.token("admin-here", Role::Admin, &[448]),
        PORTAL.token("editor-everywhere", Role::Editor, &[]),
    ];
    let wanted = json!({ "name": "escalated", "role": "editor", "sites": [448] }).to_string();
    for token in &lesser {
        for (method, path, body) in [
            ("GET", TOKENS, ""),
            ("POST", TOKENS, wanted.as_str()),
            ("DELETE", "/rc-pub/admin/tokens?name=platform", ""),
        ] {
            let refused = ask_with(token, method, path, body);
            assert_eq!(refused.status, 403, "{method}: {}", refused.text());
            assert!(refused.text().contains("whole installation"), "{method}: {}", refused.text());
        }
    }
    assert_eq!(ask_with("", "GET", TOKENS, "").status, 401);
    assert_eq!((listed("escalated"), listed("platform").is_some()), (None, true));
}

#[test]
fn a_token_creates_none_that_outlives_it() {
    let (data, now) = (&PORTAL.app.data_folder, PORTAL.app.counting.now());
    let expires = Some(admin_tokens::end("2d", now).unwrap());
    let new = NewToken { name: "short".to_owned(), role: Role::Admin, sites: Sites::All, expires };
    let (short, _) = admin_tokens::create(data, new, now).unwrap();
    for (name, expires, expected) in
        [("for-ever", json!(null), 403), ("longer", json!("3d"), 403), ("day", json!("1d"), 200)]
    {
        let body = json!({ "name": name, "role": "editor", "sites": [448], "expires": expires }).to_string();
        let answer = ask_with(&short, "POST", TOKENS, &body);
        assert_eq!(answer.status, expected, "{name}: {}", answer.text());
        assert_eq!(listed(name).is_some(), expected == 200, "{name}");
    }
}

#[test]
fn wrong_names_sites_and_ends_are_refused_and_create_nothing() {
    let with = |key: &str, value: Value| {
        let mut body = json!({ "name": "odd", "role": "editor", "sites": [448] });
        body[key] = value;
        body
    };
    token(&create(&json!({ "name": "desk", "role": "editor", "sites": [448] })));
    for (body, status, why) in [
        (with("name", json!("desk")), 409, "there is a token with the name desk already"),
        (with("name", json!("a b")), 400, "cannot be the name of a token"),
        (with("name", json!("")), 400, "cannot be the name of a token"),
        (with("role", json!("owner")), 400, "owner"),
        (with("role", json!("platform-administrator")), 400, "platform-administrator"),
        (with("sites", json!([])), 400, "at least one site"),
        (with("sites", json!([448, 7])), 400, "there is no site 7"),
        (with("sites", json!(448)), 400, "is not a token that is to be created"),
        (with("site", json!([502])), 400, "unknown field"),
        (with("expires", json!("2001-01-01")), 400, "in the past"),
        (with("expires", json!("soon")), 400, "is not the end of a token"),
        (json!({ "name": "odd" }), 400, "role"),
        (json!({ "role": "editor" }), 400, "name"),
        (with("name", json!("x".repeat(80 << 10))), 413, ""),
    ] {
        let refused = create(&body);
        assert_eq!(refused.status, status, "{why}: {}", refused.text());
        assert!(refused.json()["message"].as_str().unwrap().contains(why), "{why}: {}", refused.text());
    }
    assert_eq!(listed("odd"), None);
    assert_eq!([revoke("nobody"), revoke(""), revoke("%00")], [404; 3]);
}
