//! The plugin commands for operators: edits of site files that keep comments and order, and queries to a running host.

use std::{
    fs,
    io::{Read as _, Write as _},
    os::unix::net::UnixListener,
    path::Path,
};

use masthead_test_support::{
    edit, first_party_plugins, masthead, plugin, sites, stderr, stdout, test_plugins, workspace,
};
use serde_json::{Value, json};

const ROW: &str = "
# The badge; ask Ada before changing it.
[[plugins]]
id = \"badge\" # ours
version = \"0.1\" # until the review
settings = { label = \"Open\" }
canary = { version = \"0.2\", share = 10, settings = { label = \"Free\" } } # since Monday

# The last one.
[[plugins]]
id = \"other\"
";

#[test]
fn promote_and_rollback_keep_comments() {
    let folder = workspace("plugin-promote");
    let sites = sites(&folder, ROW);
    let file = sites.join("one.toml");
    let before = fs::read_to_string(&file).unwrap();
    let at = |command: &'static str| {
        [command, "--sites", sites.to_str().unwrap(), "--site", "one", "badge"].map(str::to_owned)
    };
    let run = |command: &'static str| plugin(&folder, &at(command).each_ref().map(String::as_str));
    let canary = "canary = { version = \"0.2\", share = 10, settings = { label = \"Free\" } } # since Monday\n";

    run("rollback").says(&["badge stays at 0.1; the canary is removed"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), before.replace(canary, ""));
    run("rollback").fails(&["badge has no canary; the file is unchanged"]);
    run("promote").fails(&["badge has no canary with a version; the file is unchanged"]);

    fs::write(&file, &before).unwrap();
    run("promote").says(&["badge is now at 0.2 (was 0.1)"]);
    let after = before.replace(canary, "").replace("\"0.1\" # until", "\"0.2\" # until").replace("Open", "Free");
    assert_eq!(fs::read_to_string(&file).unwrap(), after);
    assert_eq!(fs::read_dir(&sites).unwrap().count(), 2, "nothing is left behind");

    let start = ["canary", "start", "--sites", "sites", "--site", "one", "badge", "--version", "0.3"];
    plugin(&folder, &[&start[..], &["--share", "101"]].concat()).fails(&["101"]);
    plugin(&folder, &[&start[..], &["--share", "5"]].concat()).says(&["badge 0.3 runs as a canary"]);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("canary = { version = \"0.3\", share = 5 }"), "{text}");
    plugin(&folder, &start).fails(&["badge already has a canary"]);

    plugin(&folder, &["promote", "--sites", "sites", "--site", "one", "none"])
        .fails(&["does not list the plugin none"]);
    plugin(&folder, &["promote", "--sites", "sites", "--site", "two", "badge"]).fails(&["two.toml", "--sites"]);
    plugin(&folder, &["promote", "--sites", "sites", "--site", "../one", "badge"])
        .fails(&["not the short name of a site"]);
    fs::write(&file, "[[[").unwrap();
    run("promote").fails(&["one.toml is not valid TOML"]);
}

#[test]
fn enable_and_disable_edit_the_site_file() {
    first_party_plugins();
    let folder = workspace("plugin-enable");
    let sites = sites(&folder, "");
    let file = sites.join("one.toml");
    let before = fs::read_to_string(&file).unwrap();
    let enable = ["enable", "--site", "one", "webhook", "--version", "0.1"];
    let more = [
        "--grant",
        "http=hooks.example.org",
        "--grant",
        "secrets=webhook",
        "--set",
        "addresses=[\"https://hooks.example.org/in\"]",
        "--set",
        "kinds.+=article.published",
    ];
    plugin(&folder, &[&enable[..], &more].concat()).says(&["webhook is enabled"]);
    let text = fs::read_to_string(&file).unwrap();
    let table: toml::Table = toml::from_str(&text).unwrap();
    let entry = serde_json::to_value(&table["plugins"][0]).unwrap();
    let expected = json!({
        "id": "webhook", "version": "0.1",
        "settings": { "addresses": ["https://hooks.example.org/in"], "kinds": ["article.published"] },
        "grants": { "http": ["hooks.example.org"], "secrets": ["webhook"] },
    });
    assert!(entry == expected && text.starts_with(&before), "{text}");
    plugin(&folder, &enable)
        .fails(&["already lists webhook", "masthead plugin settings set webhook --site one KEY=VALUE"]);
    plugin(&folder, &["disable", "--site", "7001", "webhook"]).says(&["webhook is disabled"]);
    assert_eq!(fs::read_to_string(&file).unwrap().trim_end(), before.trim_end());
    plugin(&folder, &["disable", "--site", "one", "webhook"]).fails(&["does not list the plugin webhook"]);
    assert!(!folder.join("data").exists(), "without a database there is no line, and none is created");
}

#[test]
fn enable_refuses_everything_that_is_wrong_at_once() {
    first_party_plugins();
    let folder = workspace("plugin-refused");
    let sites = sites(&folder, "");
    let file = sites.join("one.toml");
    let before = fs::read_to_string(&file).unwrap();
    let refused = |arguments: &[&str], words: &[&str]| {
        let words = [words, &["nothing is changed"]].concat();
        plugin(&folder, &[&["enable"], arguments].concat()).fails(&words);
        assert_eq!(fs::read_to_string(&file).unwrap(), before);
    };
    refused(
        &["webhok", "--site", "onne", "--grant", "teleport", "--grant", "http", "--set", "x"],
        &[
            "there is no plugin \"webhok\"; do you mean \"webhook\"?",
            "there is no site \"onne\"",
            "do you mean \"one\"?",
            "--grant teleport: there is no such grant",
            "--grant http: name what is granted",
            "--set x: expected KEY=VALUE",
        ],
    );
    refused(&["webhook", "--site", "one", "--version", "7"], &["no version of webhook meets \"7\"; there is 0.1.0"]);
    let set = ["--set", "adresses=[]", "--set", "kinds=3", "--set", "secret="];
    let grant = ["--grant", "kv", "--grant", "http=*.example.org", "--grant", "secrets=webhook"];
    refused(
        &[&["webhook", "--site", "one"], &set[..], &grant].concat(),
        &[
            "settings: adresses is not a setting; do you mean addresses?",
            "settings: addresses is missing",
            "settings: kinds is 3; it has to be \"array\"",
            "settings: secret has 0 characters; at least 1 are required",
            "grants.kv: the plugin does not ask for kv; it asks for http, secrets",
            "wildcards are not granted",
        ],
    );
    let set = ["--set", "addresses=[\"https://hooks.example.org/\"]"];
    refused(
        &[&["webhook", "--site", "one"], &set[..]].concat(),
        &["grants.http is missing, which the plugin needs", "grants.secrets is missing"],
    );
    // A list in the file of a site replaces the one of its group.
    fs::create_dir_all(sites.join("groups")).unwrap();
    fs::write(sites.join("groups/press.toml"), "[[plugins]]\nid = \"hss-article\"\n").unwrap();
    fs::write(sites.join("two.toml"), "id = 7002\nname = { en = \"Two\" }\ngroup = \"press\"\n").unwrap();
    refused(&["adcs-statistics", "--site", "two"], &["inherits some from group press", "press.toml"]);
    refused(&["hss-article", "--site", "two"], &["hss-article is enabled on two by group press"]);
}

const SETTINGS: &str = "
# Ask Ada.
[[plugins]]
id = \"friendship-links\" # ours
[plugins.settings]
# the row
title = { zh = \"友\", en = \"Friends\" } # two languages
links = [
  { name = { en = \"A\" }, address = \"https://a.example.org/\" }, # first
]

# The last one.
[[plugins]]
id = \"hss-article\"
";

#[test]
fn settings_are_changed_one_by_one_and_comments_stay() {
    first_party_plugins();
    let folder = workspace("plugin-settings");
    let sites = sites(&folder, SETTINGS);
    let file = sites.join("one.toml");
    let before = fs::read_to_string(&file).unwrap();
    let settings = |command: &str, id: &str, more: &[&str]| {
        plugin(&folder, &[&["settings", command, id, "--site", "one"], more].concat())
    };
    let change = ["title.en=Partners", "links.+={\"address\": \"https://b.example.org/\", \"name\": {\"en\": \"B\"}}"];
    settings("set", "friendship-links", &[&change[..], &["--dry-run"]].concat())
        .says(&["title.en: \"Friends\" -> \"Partners\"", "dry run: nothing is written"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
    settings("set", "friendship-links", &change).says(&["one.toml is written"]);
    let added = "# first\n  { address = \"https://b.example.org/\", name = { en = \"B\" } },\n]";
    let after = before.replace("Friends", "Partners").replace("# first\n]", added);
    assert_eq!(fs::read_to_string(&file).unwrap(), after);
    settings("set", "friendship-links", &change[..1]).says(&["nothing changes"]);

    settings("set", "friendship-links", &["links.0.adress=x", "title=3", "links.9.address=x", "alone"]).fails(&[
        "settings: links.0.adress is not a setting; do you mean address?",
        "settings: title is 3; it has to be \"object\"",
        "links.9.address: the list has 2 entries",
        "alone: expected KEY=VALUE",
    ]);
    settings("unset", "friendship-links", &["links", "colour"])
        .fails(&["settings: links is missing", "settings: colour is not set"]);
    settings("set", "hss-artcle", &["path=x"])
        .fails(&["hss-artcle is not enabled on one; do you mean \"hss-article\"?"]);
    settings("set", "webhook", &["secret=x"]).fails(&["masthead plugin enable webhook --site one"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), after, "nothing is changed");

    settings("unset", "friendship-links", &["title", "links.0"]).says(&["title: ", "is written"]);
    let text = fs::read_to_string(&file).unwrap();
    assert!(!text.contains("title") && !text.contains("a.example.org") && text.contains("b.example.org"), "{text}");
    let done = settings("set", "hss-article", &["path=2026", "--json"]).json();
    let expected = json!([{ "key": "path", "before": null, "after": "2026" }]);
    assert_eq!((&done["action"], &done["changes"]), (&json!("changed"), &expected), "{done}");
    let text = fs::read_to_string(&file).unwrap();
    assert!(
        text.ends_with("# The last one.\n[[plugins]]\nid = \"hss-article\"\nsettings = { path = \"2026\" }\n"),
        "{text}"
    );
    settings("unset", "hss-article", &["path"]).says(&["is written"]);
    assert!(!fs::read_to_string(&file).unwrap().contains("settings = "), "an empty table is removed");
}

#[test]
fn settings_are_shown_with_defaults_and_descriptions() {
    first_party_plugins();
    let folder = workspace("plugin-settings-shown");
    let sites = sites(&folder, SETTINGS);
    let show = |id: &str, more: &[&str]| plugin(&folder, &[&["settings", "show", id, "--site", "7001"], more].concat());
    show("friendship-links", &[]).says(&[
        "friendship-links 0.1.0 on one (",
        "one.toml)",
        "title = {\"en\":\"Friends\",\"zh\":\"友\"}",
        "  Title of the row, by language.",
        "  default {\"en\":\"Friendship links\"",
    ]);
    show("hss-article", &[]).says(&["path = \"hssArticle\" (default)", "  First path segment of article links."]);
    let shown = show("hss-article", &["--json"]).json();
    let path = &shown["settings"][0];
    assert_eq!((&path["key"], &path["isSet"], &path["default"]), (&json!("path"), &json!(false), &json!("hssArticle")));
    show("webhook", &[]).fails(&["webhook is not enabled on one"]);
    // What was wrong before does not prevent the correction of something else.
    let broken = SETTINGS.replace("# the row", "colour = 1");
    let file = sites.join("one.toml");
    edit(&file, |text| text.replace(SETTINGS, &broken));
    show("friendship-links", &[]).says(&["colour = 1", "wrong: settings: colour is not a setting"]);
    let set = ["settings", "set", "friendship-links", "--site", "one", "title.en=Partners"];
    plugin(&folder, &set).says(&["still wrong: settings: colour is not a setting"]);
    // Settings of a group are those of all its sites.
    fs::create_dir_all(sites.join("groups")).unwrap();
    fs::write(sites.join("groups/press.toml"), "[[plugins]]\nid = \"hss-article\"\n").unwrap();
    fs::write(sites.join("two.toml"), "id = 7002\nname = { en = \"Two\" }\ngroup = \"press\"\n").unwrap();
    plugin(&folder, &["settings", "show", "hss-article", "--site", "two"]).says(&["press.toml)"]);
    plugin(&folder, &["settings", "set", "hss-article", "--site", "two", "path=x"])
        .fails(&["those of group press", "press.toml"]);
}

#[test]
fn the_list_has_what_can_be_enabled_and_where_it_is() {
    first_party_plugins();
    let folder = workspace("plugin-list");
    let sites = sites(&folder, SETTINGS);
    edit(&sites.join("one.toml"), |text| text + "canary = { version = \"0.2\", share = 5 }\n");
    let list = |more: &[&str]| plugin(&folder, &[&["list"], more].concat());
    list(&[]).says(&[
        "webhook: Notifies other systems when articles are published, updated or removed.\n  0.1.0 (built in)\n    hooks: \
         events.notify\n    asks for: http, secrets, settings\n  enabled on no site\n",
        "one.toml): any version, canary 0.2 for 5 %",
    ]);
    let of_site = list(&["--site", "one", "--json"]).json();
    let ids: Vec<_> = of_site.as_array().unwrap().iter().map(|row| row["plugin"].as_str().unwrap()).collect();
    assert_eq!(ids, ["friendship-links", "hss-article"]);
    let row = &of_site[1];
    assert_eq!(row["sites"][0]["canary"], json!({ "version": "0.2", "share": 5 }));
    assert_eq!((&row["versions"][0]["origin"], &row["sites"][0]["inUse"]), (&json!("built in"), &Value::Null));
    list(&["--site", "onne"]).fails(&["do you mean \"one\"?"]);
    list(&["--plugin", "none"]).says(&["no plugin matches"]);
    // Plugins of folders are known with --plugins.
    let folders = test_plugins();
    let faulty = ["--plugin", "faulty", "--plugins", folders.to_str().unwrap(), "--json"];
    assert!(list(&faulty).json()[0]["versions"][0]["origin"].as_str().unwrap().ends_with("faulty"));
    list(&["--plugin", "faulty"]).says(&["no plugin matches"]);
}

#[test]
fn changes_of_plugins_have_lines_in_the_audit_trail() {
    first_party_plugins();
    let folder = workspace("plugin-audit");
    let sites = sites(&folder, "");
    let data = folder.join("data");
    let run = |arguments: &[&str]| {
        let output = masthead(&sites, &data, arguments);
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        stdout(&output)
    };
    assert_eq!(run(&["audit", "list", "--json"]).trim(), "[]", "and there is a database");
    let site = ["--site", "one", "--by", "ada", "hss-article"];
    let canary = ["--version", "0.1.0", "--share", "5"];
    for command in [&["plugin", "enable"][..], &["plugin", "canary", "start"], &["plugin", "promote"]] {
        let more: &[&str] = if command[1] == "canary" { &canary } else { &[] };
        run(&[command, &site, more].concat());
    }
    run(&[&["plugin", "settings", "set"][..], &site, &["path=text"]].concat());
    run(&[&["plugin", "canary", "start"][..], &site, &canary].concat());
    run(&[&["plugin", "rollback"][..], &site].concat());
    run(&[&["plugin", "settings", "set"][..], &site, &["path=other", "--dry-run"]].concat());
    run(&[&["plugin", "disable"][..], &site].concat());
    run(&["config", "set", "--site", "one", "--by", "grace", "colorId", "3"]);
    run(&["config", "unset", "--site", "one", "colorId", "--by", "grace"]);
    let lines: Value = serde_json::from_str(&run(&["audit", "list", "--site", "one", "--json"])).unwrap();
    let text = |line: &Value, key: &str| line[key].as_str().unwrap().to_owned();
    let all: Vec<_> = lines.as_array().unwrap().iter().rev().collect();
    let actions: Vec<_> = all.iter().map(|line| text(line, "action")).collect();
    let expected = [
        "enabled",
        "canary started",
        "promoted",
        "changed",
        "canary started",
        "rolled back",
        "disabled",
        "created",
        "removed",
    ];
    assert_eq!(actions, expected);
    assert!(all[..7].iter().all(|line| text(line, "subject") == "plugin/hss-article" && text(line, "who") == "ada"));
    assert!(all[7..].iter().all(|line| text(line, "subject") == "setting/colorId" && text(line, "who") == "grace"));
    assert_eq!((&all[0]["before"], &all[0]["after"]["id"]), (&Value::Null, &json!("hss-article")));
    assert_eq!((&all[2]["before"]["version"], &all[2]["after"]), (&Value::Null, &json!({ "version": "0.1.0" })));
    let change = (&all[3]["before"], &all[3]["after"]);
    assert_eq!(change, (&json!({}), &json!({ "settings": { "path": "text" } })));
    assert_eq!((&all[6]["before"]["id"], &all[6]["after"]), (&json!("hss-article"), &Value::Null));
    assert_eq!((&all[7]["after"], &all[8]["before"]), (&json!(3), &json!(3)));
}

/// A fake host on an admin socket, which expects these requests in order and sends the given responses.
fn host(data: &Path, answers: Vec<(&'static str, Value)>) -> std::thread::JoinHandle<()> {
    fs::create_dir_all(data).unwrap();
    let listener = UnixListener::bind(data.join("admin.sock")).unwrap();
    std::thread::spawn(move || {
        for (path, answer) in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 200];
            let length = stream.read(&mut request).unwrap();
            let request = String::from_utf8_lossy(&request[..length]).into_owned();
            assert!(request.starts_with(&format!("GET {path} HTTP/1.0\r\n")), "{request}");
            write!(stream, "HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n{answer}").unwrap();
        }
    })
}

#[test]
fn stats_and_canary_query_a_running_host() {
    let folder = workspace("plugin-stats");
    plugin(&folder, &["stats", "--data", "none"]).fails(&["no host runs with the data folder none", "masthead serve"]);
    plugin(&folder, &["canary", "--data", "none"]).fails(&["no host runs"]);
    let row = |site: &str, seconds: f64| {
        json!({
            "site": site, "plugin": "badge", "version": "0.1.0", "hook": "article.decorate", "ok": 5, "remembered": 2,
            "failed": [["trap", 1]], "seconds": seconds, "p50": 0.00002, "p99": 0.0004, "memoryPeak": 2_000_000, "quarantined": false,
        })
    };
    let costs = json!([row("one", 0.001), row("two", 0.5)]);
    let canaries = json!([{
        "site": "one", "plugin": "badge", "current": "0.1.0", "canary": "0.2.0", "share": 0, "compared": 9, "differed": 1,
        "skipped": 0, "failed": 0, "latest": [{ "hook": "article.decorate", "input": "{}", "current": "a", "canary": "b" }],
    }]);
    let answers =
        vec![("/costs", costs.clone()), ("/costs", costs.clone()), ("/canaries", canaries), ("/canaries", json!([]))];
    let host = host(&folder.join("data"), answers);
    let table = plugin(&folder, &["stats"]).says(&["site", "cached", "badge", "500.00 ms", "1.9 MiB"]);
    assert!(table.out.find("two") < table.out.find("one"), "the most expensive plugin is listed first: {table:?}");
    let only = plugin(&folder, &["stats", "--site", "two", "--json"]).json();
    assert_eq!(only.as_array().unwrap().len(), 1);
    plugin(&folder, &["canary"]).says(&[
        "badge 0.2.0 alongside 0.1.0, compared only",
        "9 compared, 1 differed",
        "0.2.0: b",
    ]);
    plugin(&folder, &["canary"]).says(&["no canary matches"]);
    host.join().unwrap();
    plugin(&folder, &["stats"]).fails(&["no host runs"]);
}

#[test]
fn the_contract_is_printed() {
    let folder = workspace("plugin-contract");
    plugin(&folder, &["contract"]).says(&[
        "contract 0.1",
        "article.decorate",
        "capabilities: log, settings",
        "32 plugins per site",
    ]);
    let contract = plugin(&folder, &["contract", "--json"]).json();
    assert_eq!(contract["contracts"], json!(["0.1"]));
    assert!(
        contract["hooks"]
            .as_array()
            .unwrap()
            .iter()
            .any(|hook| hook["name"] == "links.rewrite" && hook["budgetMs"] == 5)
    );
    fs::write(folder.join("wrong.json"), "{}").unwrap();
    let sites = sites(&folder, "");
    let arguments = ["check", "--sites", sites.to_str().unwrap(), "--against", "wrong.json"];
    plugin(&folder, &arguments).fails(&["wrong.json is not the output of `masthead plugin contract --json`"]);
}
