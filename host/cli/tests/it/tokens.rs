//! `masthead token`.

use masthead_test_support::{masthead, sites, stderr, stdout, workspace};
use serde_json::{Value, json};

#[test]
fn tokens_are_created_listed_and_revoked() {
    let folder = workspace("tokens");
    let (sites, data) = (sites(&folder, ""), folder.join("data"));
    let run = |words: &[&str]| masthead(&sites, &data, &[&["token"][..], words].concat());
    let refused = |words: &[&str], part: &str| {
        let output = run(words);
        let said = stderr(&output);
        assert!(!output.status.success() && said.contains(part), "{words:?}: {said}");
        assert_eq!(stdout(&output), "", "{words:?}");
    };
    refused(&[], "create");
    refused(&["list"], "there is no data folder");
    let create = |words: &[&str]| {
        let output = run(words);
        assert!(output.status.success(), "{words:?}: {}", stderr(&output));
        stdout(&output).trim().to_owned()
    };
    let desk = create(&["create", "desk", "--role", "editor", "--site", "one", "--site", "7001", "--expires", "90d"]);
    let all = create(&["create", "all"]);
    assert!(desk.starts_with("mht_") && all.starts_with("mht_") && desk != all, "{desk} {all}");
    refused(&["create", "desk"], "there is a token with the name desk already");
    refused(&["create", "past", "--expires", "2001-01-01"], "in the past");
    refused(&["create", "odd", "--expires", "soon"], "is not the end of a token");
    refused(&["create", "odd", "--role", "owner"], "editor");
    refused(&["create", "odd", "--site", "ona"], "do you mean \"one\"?");
    refused(&["create", "a b"], "cannot be the name of a token");

    let listed: Value = serde_json::from_str(&stdout(&run(&["list", "--json"]))).unwrap();
    let names: Vec<_> = listed.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["desk", "all"]);
    assert_eq!((&listed[0]["role"], &listed[0]["sites"]), (&json!("editor"), &json!([7001])));
    assert!(listed[0]["expires"].is_string() && listed[0]["created"].is_string() && listed[0]["ended"] == false);
    assert_eq!(
        (&listed[1]["role"], &listed[1]["sites"], &listed[1]["expires"]),
        (&json!("admin"), &Value::Null, &Value::Null)
    );
    let text = stdout(&run(&["list"]));
    assert!(
        text.contains("desk  editor  sites 7001  created ") && text.contains("all   admin   all sites  created "),
        "{text}"
    );
    for token in [&desk, &all] {
        assert!(!text.contains(&token[4..]) && !listed.to_string().contains(&token[4..]), "{text}");
    }

    assert!(run(&["revoke", "desk"]).status.success());
    refused(&["revoke", "desk"], "there is no token with the name");
    let left = stdout(&run(&["list"]));
    assert!(left.contains("all") && !left.contains("desk"), "{left}");
}

#[test]
fn the_audit_trail_names_who_created_and_revoked_tokens() {
    let folder = workspace("token-audit");
    let (sites, data) = (sites(&folder, ""), folder.join("data"));
    let run = |words: &[&str]| {
        let output = masthead(&sites, &data, words);
        assert!(output.status.success(), "{words:?}: {}", stderr(&output));
        stdout(&output)
    };
    // The first command that needs the database creates it.
    run(&["journal", "list", "--site", "one"]);
    let token = run(&["token", "create", "desk", "--role", "editor", "--site", "one", "--by", "ada"]);
    run(&["token", "create", "all", "--by", "ada"]);
    run(&["token", "revoke", "desk", "--by", "ben"]);

    let trail = run(&["audit", "list", "--json", "--subject", "token"]);
    assert!(!trail.contains(token.trim()), "{trail}");
    let lines: Vec<Value> = serde_json::from_str(&trail).unwrap();
    let mut seen: Vec<_> = lines
        .iter()
        .map(|line| {
            (line["who"].as_str().unwrap(), line["action"].as_str().unwrap(), line["subject"].as_str().unwrap())
        })
        .collect();
    seen.sort_unstable();
    let expected =
        [("ada", "created", "token/all"), ("ada", "created", "token/desk"), ("ben", "revoked", "token/desk")];
    assert_eq!(seen, expected, "{trail}");
}
