//! `masthead token`.

use masthead_test_support::{masthead, stderr, stdout, workspace};
use serde_json::{Value, json};

#[test]
fn tokens_are_created_listed_and_revoked() {
    let folder = workspace("tokens");
    let (sites, data) = (folder.join("sites"), folder.join("data"));
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
    let desk = create(&["create", "desk", "--role", "editor", "--site", "448", "--site", "502", "--expires", "90d"]);
    let all = create(&["create", "all"]);
    assert!(desk.starts_with("mht_") && all.starts_with("mht_") && desk != all, "{desk} {all}");
    refused(&["create", "desk"], "there is a token with the name desk already");
    refused(&["create", "past", "--expires", "2001-01-01"], "in the past");
    refused(&["create", "odd", "--expires", "soon"], "is not the end of a token");
    refused(&["create", "odd", "--role", "owner"], "editor");
    refused(&["create", "odd", "--site", "0"], "--site");
    refused(&["create", "a b"], "cannot be the name of a token");

    let listed: Value = serde_json::from_str(&stdout(&run(&["list", "--json"]))).unwrap();
    let names: Vec<_> = listed.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["desk", "all"]);
    assert_eq!((&listed[0]["role"], &listed[0]["sites"]), (&json!("editor"), &json!([448, 502])));
    assert!(listed[0]["expires"].is_string() && listed[0]["created"].is_string() && listed[0]["ended"] == false);
    assert_eq!(
        (&listed[1]["role"], &listed[1]["sites"], &listed[1]["expires"]),
        (&json!("admin"), &Value::Null, &Value::Null)
    );
    let text = stdout(&run(&["list"]));
    assert!(
        text.contains("desk  editor  sites 448, 502  created ") && text.contains("all   admin   all sites  created "),
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
