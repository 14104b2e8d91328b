//! `masthead admin`, `masthead institution` and `masthead member`.

use std::path::Path;

use masthead_accounts::{
    administrators::{self, Accepting},
    installation_key::InstallationKey,
    password::{Cost, Passwords},
};
use masthead_domain::{
    Lang, SiteId,
    member::{MemberName, Profile},
};
use masthead_store::{Created, NewMember, Store};
use masthead_test_support::{masthead, run, sites, stderr, stdout, workspace};
use serde_json::{Value, json};

fn wait<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

#[test]
fn an_administrator_is_invited_listed_and_revoked() {
    let folder = workspace("administrators");
    let (sites, data) = (sites(&folder, ""), folder.join("data"));
    let good = |words: &[&str]| run(&sites, &data, &[&["admin"][..], words].concat());
    let refused = |words: &[&str], part: &str| {
        let output = masthead(&sites, &data, &[&["admin"][..], words].concat());
        let said = stderr(&output);
        assert!(!output.status.success() && said.contains(part), "{words:?}: {said}");
        assert_eq!(stdout(&output), "", "{words:?}");
    };
    assert_eq!(good(&["list", "--json"]).trim(), "[]", "without a database there are none");
    refused(&["invite", "desk", "--role", "editor", "--site", "one"], "desk");
    refused(&["invite", "desk@example.org", "--role", "owner"], "the roles are reader, editor");
    refused(&["invite", "desk@example.org", "--role", "editor", "--site", "ona"], "do you mean \"one\"?");
    refused(&["invite", "desk@example.org", "--role", "platform-administrator", "--site", "one"], "without a site");
    refused(&["invite", "desk@example.org", "--role", "editor", "--days", "31"], "1 to 30 days");

    let link =
        good(&["invite", "Desk@example.org", "--role", "platform-administrator", "--by", "ada", "--port", "8448"]);
    let (address, token) = link.trim().split_once('#').unwrap();
    assert!(address.starts_with("http://console.") && address.ends_with(":8448/rc-pub/admin/invitation"), "{link}");
    let now = jiff::Timestamp::now().as_millisecond();
    wait(async {
        let store = Store::open_file(&data.join("masthead.db")).await.unwrap();
        let (passwords, key) = (Passwords::new(Cost::LEAST, 1), InstallationKey::new([7; 32]));
        let accepting = Accepting { token, name: "Ada", password: "a long neap tide", network: "" };
        administrators::accept(&store, (&passwords, &key), accepting, now).await.unwrap();
        store.close().await;
    });
    let listed: Value = serde_json::from_str(&good(&["list", "--json"])).unwrap();
    assert_eq!(listed[0]["roles"], json!([{ "site": null, "role": "platform-administrator" }]), "{listed}");
    let text = good(&["list"]);
    assert!(text.contains("Desk@example.org  Ada  platform-administrator  has not signed in"), "{text}");
    refused(&["revoke", "desk@example.org"], "is the last platform administrator");
    refused(&["revoke", "nobody@example.org"], "there is no administrator");
    refused(&["revoke", "desk@example.org", "--site", "one"], "has no such role");
    let audit: Value = serde_json::from_str(&run(&sites, &data, &["audit", "list", "--json"])).unwrap();
    let lines = audit.as_array().unwrap();
    let invited = lines.iter().any(|line| line["who"] == "ada" && line["action"] == "invited");
    assert!(invited && !audit.to_string().contains(token), "{audit}");
}

#[test]
fn institutions_and_their_members_are_kept_by_command() {
    let folder = workspace("institutions");
    let configured = "[[access.institutions]]\nid = \"delta\"\nname = { en = \"Delta\" }\n";
    let (sites, data) = (sites(&folder, configured), folder.join("data"));
    let command = |words: &[&str]| {
        [&["institution"][..], words, &["--site", "one"]].concat().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let good = |words: &[&str]| run(&sites, &data, &command(words).iter().map(String::as_str).collect::<Vec<_>>());
    let refused = |words: &[&str], part: &str| {
        let output = masthead(&sites, &data, &command(words).iter().map(String::as_str).collect::<Vec<_>>());
        assert!(!output.status.success() && stderr(&output).contains(part), "{words:?}: {}", stderr(&output));
    };
    good(&["set", "lagoon", "--name", "Lagoon", "--network", "192.0.2.0/24", "--until", "2099-01-01T00:00:00Z"]);
    refused(&["set", "Lagoon", "--name", "Lagoon"], "is no key");
    refused(&["set", "lagoon", "--name", " "], "a name has");
    refused(&["set", "lagoon", "--name", "Lagoon", "--network", "0.0.0.0/0"], "most of the internet");
    refused(&["set", "lagoon", "--name", "Lagoon", "--network", "lagoon.example"], "is not a network");
    refused(&["set", "delta", "--name", "Delta"], "configuration");
    let listed: Value = serde_json::from_str(&good(&["list", "--json"])).unwrap();
    let keys: Vec<_> = listed.as_array().unwrap().iter().map(|one| (&one["key"], &one["configured"])).collect();
    assert_eq!(keys, [(&json!("delta"), &json!(true)), (&json!("lagoon"), &json!(false))]);
    refused(&["join", "lagoon", "nobody"], "has no member");
    create_student(&data);
    for institution in ["delta", "lagoon"] {
        assert!(good(&["join", institution, "Student"]).contains("belongs to"));
    }
    refused(&["join", "unknown", "student"], "has no institution");
    assert!(good(&["leave", "delta", "student"]).contains("no more"));
    refused(&["leave", "delta", "student"], "does not belong to");
    assert!(good(&["remove", "lagoon"]).contains("removed lagoon"));
    refused(&["leave", "lagoon", "student"], "does not belong to");
    refused(&["remove", "lagoon"], "has no institution");
}

/// Creates a member of site 7001 with the account name `student`.
fn create_student(data: &Path) {
    wait(async {
        let store = Store::open_file(&data.join("masthead.db")).await.unwrap();
        let names = [MemberName::account("student").unwrap()];
        let profile = Profile::default();
        let new =
            NewMember { handle: "h", names: &names, password: "", identity: None, lang: Lang::En, profile: &profile };
        let created = store.site(SiteId(7001)).create_member(&new, 1).await.unwrap();
        assert!(matches!(created, Created::Member(_)));
        store.close().await;
    });
}

#[test]
fn an_account_is_shown_closed_opened_again_and_erased_by_command() {
    let folder = workspace("members");
    let (sites, data) = (sites(&folder, ""), folder.join("data"));
    let masthead = |words: &[&str]| masthead(&sites, &data, &[&["member"], words, &["--site", "one"]].concat());
    let good = |words: &[&str]| {
        let output = masthead(words);
        assert!(output.status.success(), "{words:?}: {}", stderr(&output));
        stdout(&output)
    };
    let refused = |words: &[&str], part: &str| {
        let output = masthead(words);
        assert!(!output.status.success() && stderr(&output).contains(part), "{words:?}: {}", stderr(&output));
    };
    refused(&["show", "student"], "has no member");
    create_student(&data);
    let shown: Value = serde_json::from_str(&good(&["show", "Student", "--json"])).unwrap();
    assert_eq!((&shown["account"], &shown["state"]), (&json!("student"), &json!("active")), "{shown}");
    assert!(good(&["show", "student"]).contains("account: student"));
    refused(&["reopen", "student"], "already");
    assert!(good(&["close", "student"]).contains("closed"));
    refused(&["close", "student"], "already");
    assert!(good(&["show", "student"]).contains("state: closed"));
    assert!(good(&["reopen", "student", "--by", "Ada"]).contains("active"));
    assert!(good(&["erase", "student"]).contains("erased student"));
    for word in ["show", "close", "reopen", "erase"] {
        refused(&[word, "student"], "has no member");
    }
}
