//! Tokens of administrators: what each reaches, and when it is refused.

use std::{collections::BTreeSet, sync::LazyLock, time::Duration};

use masthead_domain::SiteId;
use masthead_store::AuditEntry;
use masthead_test_support::{Answer, Portal, Setup};
use masthead_web::auth::admin_tokens::{self, NewToken, Role, Sites};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

const HOST: &str = "oceanledger.localhost";
const HERE: i64 = 448;
const THERE: i64 = 502;
const UPLOADS: &str = "/rc-pub/admin/import";
/// The calls that only a platform administrator makes, also about one site.
const OF_PLATFORM: [&str; 9] = [
    "/rc-pub/admin/setting",
    "/rc-pub/admin/secret",
    "/rc-pub/admin/plugin",
    "/rc-pub/admin/tokens",
    "/rc-pub/admin/bundle",
    "/rc-pub/admin/bundle/loaded",
    "/rc-pub/admin/backups",
    "/rc-pub/admin/backups/verify",
    "/rc-pub/admin/reindex",
];
/// Calls about the caller alone, and those before anybody is signed in.
const OF_CALLER: [&str; 4] =
    ["/rc-pub/admin/me", "/rc-pub/admin/password", "/rc-pub/admin/sign-in", "/rc-pub/admin/invitation"];

static PORTAL: LazyLock<Portal> =
    LazyLock::new(|| Portal::start("admin-tokens", Setup { bare: true, ..Setup::default() }, |_| {}));

fn get(path: &str, token: &str) -> Answer {
    PORTAL.with(HOST, path, &[("token", token), ("language", "en")])
}

fn status(path: &str, token: &str) -> u16 {
    get(path, token).status
}

fn message(answer: &Answer) -> String {
    answer.json()["message"].as_str().unwrap().to_owned()
}

#[test]
fn every_call_about_a_site_is_refused_to_a_token_for_another_site() {
    let tokens =
        [Role::Editor, Role::Admin].map(|role| PORTAL.token(&format!("elsewhere-{}", role.as_str()), role, &[THERE]));
    let document = serde_json::to_value(masthead_web::api::openapi()).unwrap();
    let mut calls = 0;
    let paths = document["paths"].as_object().unwrap().iter().filter(|(path, _)| path.starts_with("/rc-pub/admin/"));
    for (path, item) in paths {
        for method in ["get", "post", "put", "patch", "delete"].into_iter().filter(|method| item.get(*method).is_some())
        {
            // The lists of uploads are tested below: they have those of the sites of the token. Some calls are about the caller alone.
            if path.starts_with(UPLOADS) && method == "get" || OF_CALLER.contains(&path.as_str()) {
                continue;
            }
            calls += 1;
            let types = item[method]["requestBody"]["content"].as_object();
            let kind = types.and_then(|types| types.keys().next()).map_or("", String::as_str);
            let address = format!("{}?siteId={HERE}&type=journal&name=x&from=/x", path.replace("{id}", "1"));
            for token in &tokens {
                let mut headers = vec![("token", token.as_str()), ("language", "en"), ("if-match", "*")];
                if !kind.is_empty() {
                    headers.push(("content-type", kind));
                }
                let body = if kind.is_empty() { "" } else { "{}" };
                let answer = PORTAL.ask(&method.to_uppercase(), HOST, &address, &headers, body);
                assert_eq!(answer.status, 403, "{method} {path}: {}", answer.text());
                let why =
                    if OF_PLATFORM.contains(&path.as_str()) { "whole installation" } else { "has no role on site 448" };
                assert!(message(&answer).contains(why), "{method} {path}: {}", answer.text());
            }
        }
    }
    assert!(calls > 8, "{calls}");
}

#[test]
fn the_role_and_the_sites_of_a_token_decide_what_it_reaches() {
    let tokens = [
        PORTAL.token("editor-here", Role::Editor, &[HERE]),
        PORTAL.token("admin-here", Role::Admin, &[HERE]),
        PORTAL.token("editor-everywhere", Role::Editor, &[]),
        PORTAL.token("admin-everywhere", Role::Admin, &[]),
    ];
    for (path, expected) in [
        ("/rc-pub/admin/records?siteId=448&type=journal", [200; 4]),
        ("/rc-pub/admin/comments?siteId=448", [200; 4]),
        (UPLOADS, [200; 4]),
        ("/rc-pub/admin/records?siteId=502&type=journal", [403, 403, 200, 200]),
        ("/rc-pub/admin/records?siteId=1&type=journal", [403, 403, 404, 404]),
        ("/rc-pub/admin/audit?siteId=448", [200; 4]),
        ("/rc-pub/admin/audit?siteId=502", [403, 403, 200, 200]),
        ("/rc-pub/admin/audit", [403, 403, 403, 200]),
        ("/rc-pub/admin/settings?siteId=448&key=header", [403, 200, 403, 200]),
        ("/rc-pub/admin/settings?siteId=502&key=header", [403, 403, 403, 200]),
        // Without a depositor it is refused, too, but not because of the role.
        ("/rc-pub/admin/crossref?siteId=448", [400; 4]),
        ("/rc-pub/admin/crossref?siteId=502", [403, 403, 400, 400]),
        ("/rc-pub/admin/tokens", [403, 403, 403, 200]),
        ("/rc-pub/admin/plugins?siteId=448", [403, 200, 403, 200]),
        ("/rc-pub/admin/plugins?siteId=502", [403, 403, 403, 200]),
        ("/rc-pub/admin/secrets?siteId=448", [403, 200, 403, 200]),
        ("/rc-pub/admin/secrets", [403, 403, 403, 200]),
        ("/rc-pub/admin/doctor?siteId=448", [403, 200, 403, 200]),
        ("/rc-pub/admin/doctor", [403, 403, 403, 200]),
        ("/rc-pub/admin/me", [200; 4]),
        ("/rc-pub/admin/people?siteId=448", [403, 200, 403, 200]),
        ("/rc-pub/admin/people", [403, 403, 403, 200]),
        ("/rc-pub/admin/institutions?siteId=448", [200; 4]),
        ("/rc-pub/admin/institutions?siteId=502", [403, 403, 200, 200]),
        // There is no such site, nothing was loaded, and no folder for backups is named.
        ("/rc-pub/admin/bundle?siteId=1", [403, 403, 403, 404]),
        ("/rc-pub/admin/bundle/loaded", [403, 403, 403, 404]),
        ("/rc-pub/admin/backups", [403, 403, 403, 409]),
        ("/rc-pub/admin/reindex", [403, 403, 403, 200]),
        ("/readyz", [403, 403, 403, 200]),
        ("/metrics", [403, 403, 403, 200]),
    ] {
        assert_eq!(tokens.each_ref().map(|token| status(path, token)), expected, "{path}");
    }
    let [editor, .., admin] = &tokens;
    assert_eq!(
        message(&get("/rc-pub/admin/settings?siteId=448", editor)),
        "This call needs the role site-administrator on site 448; editor-here has the role editor"
    );
    for path in ["/readyz", "/metrics", "/rc-pub/admin/audit", "/rc-pub/admin/tokens"] {
        assert!(message(&get(path, editor)).contains("whole installation"), "{path}");
    }
    let ready = get("/readyz", admin);
    assert!(ready.json()["plugins"].is_array() && ready.json()["problems"].is_array(), "{}", ready.text());
    assert_eq!(ready.header("cache-control"), "private, no-store");
    assert!(get("/metrics", admin).text().contains("masthead_http_requests_total"));
    assert_eq!(get("/readyz", "").json(), json!({ "ready": true }), "without a token it is that of the readers");
    assert_eq!(PORTAL.with("127.0.0.1", "/metrics", &[]).status, 404);
}

#[test]
fn a_revoked_and_an_expired_token_are_refused_by_a_running_host() {
    let (data, now) = (&PORTAL.app.data_folder, PORTAL.app.counting.now());
    let [one, two] = ["one", "two"].map(|name| PORTAL.token(name, Role::Admin, &[]));
    assert_eq!([status(UPLOADS, &one), status(UPLOADS, &two)], [200; 2], "a new token invalidates no other");
    admin_tokens::revoke(data, "one").unwrap();
    assert_eq!([status(UPLOADS, &one), status(UPLOADS, &two), status("/readyz", &one)], [401, 200, 401]);
    let expires = Some(admin_tokens::end("1d", now).unwrap());
    let new = NewToken { name: "short".into(), role: Role::Admin, sites: Sites::All, expires };
    let (short, _) = admin_tokens::create(data, new, now).unwrap();
    assert_eq!([status(UPLOADS, &short), status("/readyz", &short)], [200; 2]);
    PORTAL.advance(Duration::from_secs(86_400));
    assert_eq!([status(UPLOADS, &short), status("/readyz", &short), status(UPLOADS, &two)], [401, 401, 200]);
    let none = PORTAL.with(HOST, UPLOADS, &[("language", "en")]);
    assert_eq!((none.status, message(&none).contains("masthead token create")), (401, true));
}

#[test]
fn the_token_of_an_earlier_version_is_an_administrators_until_it_is_revoked() {
    let data = &PORTAL.app.data_folder;
    std::fs::write(data.join("admin.token"), Sha256::digest("of an earlier version")).unwrap();
    for path in [UPLOADS, "/rc-pub/admin/audit", "/readyz"] {
        assert_eq!(status(path, "of an earlier version"), 200, "{path}");
    }
    admin_tokens::revoke(data, "first").unwrap();
    assert_eq!(status(UPLOADS, "of an earlier version"), 401);
}

#[test]
fn uploads_are_shown_to_the_tokens_of_their_site() {
    let here = PORTAL.token("uploads-here", Role::Editor, &[HERE]);
    let there = PORTAL.token("uploads-there", Role::Admin, &[THERE]);
    let headers = [("token", here.as_str()), ("content-type", "application/octet-stream")];
    let sent = PORTAL.ask("POST", HOST, &format!("{UPLOADS}?siteId={HERE}&name=a.xml"), &headers, "<article/>");
    assert_eq!(sent.status, 202, "{}", sent.text());
    let id = sent.json()["data"]["id"].clone();
    let listed = |token: &str| -> Vec<Value> {
        let jobs = get(UPLOADS, token).json()["data"].as_array().unwrap().clone();
        jobs.into_iter().filter(|job| job["id"] == id).collect()
    };
    assert_eq!((listed(&here).len(), listed(&there).len()), (1, 0));
    let report = format!("{UPLOADS}/{}", id.as_str().unwrap());
    assert_eq!((status(&report, &here), status(&report, &there)), (200, 403));
}

#[test]
fn the_audit_trail_names_the_token() {
    let token = PORTAL.token("newsroom", Role::Editor, &[HERE]);
    let headers = [("token", token.as_str()), ("language", "en"), ("if-none-match", "*")];
    let body = json!({ "set": { "title.en": "Low tide", "date": "2026-06-01", "content.en": "<p>a</p>" } }).to_string();
    let record = format!("/rc-pub/admin/record?siteId={HERE}&type=news&name=low-tide");
    let added = PORTAL.ask("PATCH", HOST, &record, &headers, &body);
    assert_eq!(added.status, 200, "{}", added.text());
    let reader = PORTAL.token("auditor", Role::Admin, &[HERE]);
    let audit = get("/rc-pub/admin/audit?siteId=448&subject=news", &reader).json();
    assert_eq!(audit["data"][0]["who"], "newsroom", "{audit}");
}

#[test]
fn editors_see_who_changed_records_of_their_sites_and_nothing_about_people_tokens_and_secrets() {
    let site = |id: i64| PORTAL.app.store.site(SiteId(id));
    let note = |id: i64, subject: &str| {
        let entry = AuditEntry { who: "eve".into(), subject: subject.into(), ..AuditEntry::default() };
        PORTAL.run(site(id).note_audit(&entry)).unwrap();
    };
    let records = ["article/7", "comment/7", "import/7", "issue/tides/2026/3", "journal/a", "media/a", "redirect/a"];
    let others = [
        "institution/lagoon",
        "member/7",
        "plugin/webhook",
        "secret/orcid",
        "setting/grayType",
        "site/oceanledger",
        "token/x",
    ];
    for subject in records.into_iter().chain(others) {
        note(HERE, subject);
    }
    note(THERE, "article/8");
    note(0, "administrator/7");
    let seen = |token: &str, query: &str| -> BTreeSet<(i64, String)> {
        let answer = get(&format!("/rc-pub/admin/audit?siteId={HERE}{query}"), token).json();
        let lines = answer["data"].as_array().unwrap_or_else(|| panic!("{answer}")).clone();
        let by_eve = lines.iter().filter(|line| line["who"] == "eve");
        by_eve.map(|line| (line["siteId"].as_i64().unwrap(), line["subject"].as_str().unwrap().to_owned())).collect()
    };
    let of = |subjects: &[&str]| subjects.iter().map(|subject| (HERE, (*subject).to_owned())).collect::<BTreeSet<_>>();
    for editor in [PORTAL.token("desk-here", Role::Editor, &[HERE]), PORTAL.token("desk-everywhere", Role::Editor, &[])]
    {
        assert_eq!(seen(&editor, "&size=500"), of(&records));
        assert_eq!(seen(&editor, "&subject=issue/tides"), of(&["issue/tides/2026/3"]));
        for subject in others {
            assert_eq!(seen(&editor, &format!("&subject={subject}")), BTreeSet::new(), "{subject}");
        }
    }
    let admin = PORTAL.token("desk-admin", Role::Admin, &[HERE]);
    assert_eq!(seen(&admin, "&size=500"), of(&[&records[..], &others].concat()));
}
