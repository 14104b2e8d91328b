//! The plugin commands for operators: edits of site files that keep comments and order, and queries to a running host.

use std::{
    fs,
    io::{Read as _, Write as _},
    os::unix::net::UnixListener,
    path::Path,
};

use masthead_test_support::{plugin, sites, workspace};
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
    let folder = workspace("plugin-enable");
    let sites = sites(&folder, "");
    let file = sites.join("one.toml");
    let before = fs::read_to_string(&file).unwrap();
    let enable = ["enable", "--site", "one", "badge", "--version", "0.1"];
    plugin(&folder, &[&enable[..], &["--grant", "teleport"]].concat()).fails(&["teleport", "http=<server>"]);
    let more = ["--grant", "kv", "--grant", "http=api.example.org", "--set", "label=Open", "--set", "size=3"];
    plugin(&folder, &[&enable[..], &more].concat()).says(&["badge is enabled"]);
    let text = fs::read_to_string(&file).unwrap();
    let table: toml::Table = toml::from_str(&text).unwrap();
    let entry = serde_json::to_value(&table["plugins"][0]).unwrap();
    let expected = json!({
        "id": "badge", "version": "0.1", "settings": { "label": "Open", "size": 3 },
        "grants": { "kv": true, "http": ["api.example.org"] },
    });
    assert!(entry == expected && text.starts_with(&before), "{text}");
    plugin(&folder, &enable).fails(&["already lists badge"]);
    plugin(&folder, &["disable", "--site", "one", "badge"]).says(&["badge is disabled"]);
    assert_eq!(fs::read_to_string(&file).unwrap().trim_end(), before.trim_end());
    plugin(&folder, &["disable", "--site", "one", "badge"]).fails(&["does not list the plugin badge"]);
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
