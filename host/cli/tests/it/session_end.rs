//! `masthead session end`, beside a host that serves the same data folder.

use masthead_test_support::{Portal, Setup, masthead, stderr, stdout};
use serde_json::{Value, json};

#[test]
fn the_sessions_of_a_member_are_ended_beside_a_running_host() {
    let portal = Portal::start("session-end", Setup { bare: true, ..Setup::default() }, |_| {});
    let (sites, data) = (portal.folder.join("sites"), portal.folder.join("data"));
    let ada = portal.sign_up("oceanledger", "ada", "ada@example.org");
    let bob = portal.sign_up("oceanledger", "bob", "bob@example.org");
    let again = json!({ "userName": "ada", "password": masthead_test_support::PASSWORD });
    let again = portal.call("POST", "oceanledger", "/rc-pub/api/login", &[], &again);
    let again = masthead_test_support::SignedUp::of(&again);
    let sessions = |token: &str| {
        portal.call("GET", "oceanledger", "/rc-pub/api/sessions", &[("token", token)], &Value::Null).status
    };
    assert_eq!([sessions(&ada.token), sessions(&again.token), sessions(&bob.token)], [200; 3]);
    let end = |site: &str| masthead(&sites, &data, &["session", "end", "--site", site, "--subject", "Ada"]);
    assert!(stdout(&end("scriptstone")).contains("ended 0 sessions"));
    let ended = end("oceanledger");
    assert!(stdout(&ended).contains("ended 2 sessions"), "{}", stderr(&ended));
    assert_eq!([sessions(&ada.token), sessions(&again.token), sessions(&bob.token)], [401, 401, 200]);
    let audit = masthead(&sites, &data, &["audit", "list", "--subject", "member", "--json"]);
    let lines: Value = serde_json::from_str(&stdout(&audit)).unwrap();
    let line = &lines[0];
    assert_eq!(lines.as_array().unwrap().len(), 1, "ending no session leaves no line: {lines}");
    assert_eq!((&line["siteId"], &line["action"]), (&json!(448), &json!("ended")));
    assert_eq!(line["before"], json!({ "sessions": 2 }));
    let missing = end("nowhere");
    assert!(!missing.status.success() && stderr(&missing).contains("nowhere"), "{}", stderr(&missing));
}
