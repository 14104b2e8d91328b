//! The commands for plugin authors: new, build, check, test, bench, dev; and a site that uses the result.

use std::{fs, path::Path};

use masthead_test_support::{edit, plugin, repository, sites, test_plugins, workspace};
use serde_json::json;

#[test]
fn rust_plugin_from_template_to_site() {
    let folder = workspace("plugin-badge");
    let ran = plugin(&folder, &["new", "open-badge", "--hook", "article"]);
    ran.says(&["cd open-badge", "masthead plugin test", "masthead plugin dev --into"]);
    plugin(&folder, &["new", "open-badge", "--hook", "article"]).fails(&["open-badge is not empty"]);
    let project = folder.join("open-badge");
    assert!(fs::read_to_string(project.join("src/lib.rs")).unwrap().contains("register!(OpenBadge: ArticleDecorate)"));

    let built = plugin(&project, &["build"]).says(&["open-badge 0.1.0", "masthead:plugin/article-decorate@0.1.0"]);
    assert!(!built.out.contains("problem"), "{built:?}");
    let dist = project.join("dist");
    assert!(dist.join("open-badge/plugin.wasm").exists() && dist.join("open-badge/plugin.toml").exists());
    let report = plugin(&folder, &["check", "open-badge", "--json"]).says(&[]).json();
    assert_eq!(report["problems"], json!([]), "{report}");
    assert_eq!(report["notes"], json!([]), "{report}");
    assert_eq!(report["hooks"][0]["name"], "article.decorate");
    assert_eq!(report["entry"], "[[plugins]]\nid = \"open-badge\"\nversion = \"0.1\"");
    assert!(report["memory"].as_u64().unwrap() > 0 && report["compileSeconds"].as_f64().unwrap() > 0.0, "{report}");
    plugin(&folder, &["check", "open-badge/dist/open-badge"]).says(&["contract   0.1; this host supports 0.1"]);

    plugin(&project, &["test", "--cases-only"]).says(&["ok   tests/article.toml", "1 passed, 0 failed"]);
    edit(&project.join("tests/article.toml"), |text| {
        text.replace("{ label = \"Open\", hint", "{ label = \"Shut\", hint")
    });
    plugin(&project, &["test", "--cases-only"]).fails(&[
        "FAIL tests/article.toml",
        "badges[0].label: expected \"Shut\", found \"Open\"",
        "0 passed, 1 failed",
    ]);
    plugin(&project, &["test", "--record", "tests/article.toml"]).says(&["0 host calls and the output recorded"]);
    plugin(&project, &["test", "--cases-only"]).says(&["1 passed, 0 failed"]);
    let measured = plugin(&project, &["bench", "--calls", "5", "--json"]).says(&[]).json();
    assert!(measured["cases"][0]["freshP50"].as_f64().unwrap() > 0.0, "{measured}");
    assert!(measured["memoryPeak"].as_u64().unwrap() > 0, "{measured}");

    let plugins = folder.join("plugins");
    plugin(&project, &["dev", "--once", "--into", plugins.to_str().unwrap()]).says(&["installed open-badge 0.1.0 in"]);
    a_site_uses_it(&folder, &plugins);
    check_reports_lost_plugins(&folder, &plugins);
    compiler_errors_are_shown(&project);
}

fn a_site_uses_it(folder: &Path, plugins: &Path) {
    let sites =
        sites(folder, "\n[[plugins]] # ours\nid = \"open-badge\"\nversion = \"0\"\nsettings = { label = \"Open\" }\n");
    let arguments = ["check", "--sites", sites.to_str().unwrap(), "--plugins", plugins.to_str().unwrap()];
    plugin(folder, &arguments).says(&["1 plugin uses checked"]);
    // A newer version that requests another capability is not used until the site grants it.
    let newer = plugins.join("open-badge@0.2.0");
    copy(&plugins.join("open-badge"), &newer);
    edit(&newer.join("plugin.toml"), |text| {
        text.replace("0.1.0", "0.2.0").replace("[capabilities]\n", "[capabilities]\nkv = \"Counts readers.\"\n")
    });
    plugin(folder, &arguments).says(&[
        "open-badge 0.2.0 needs more grants; 0.1.0 stays in use",
        "kv: Counts readers.",
        "kv = true",
    ]);
    fs::remove_dir_all(newer).unwrap();
    // A canary of the version in use is reported; no plugin is lost.
    let at = ["--sites", sites.to_str().unwrap(), "--site", "one", "open-badge"];
    plugin(folder, &[&["canary", "start"], &at[..], &["--version", "0.1"]].concat()).says(&["runs as a canary"]);
    plugin(folder, &arguments).says(&["it is the very version in use"]);
    plugin(folder, &[&["rollback"], &at[..]].concat()).says(&["the canary is removed"]);
}

fn check_reports_lost_plugins(folder: &Path, plugins: &Path) {
    let sites = folder.join("sites");
    let arguments = ["check", "--sites", sites.to_str().unwrap(), "--plugins", plugins.to_str().unwrap()];
    // The contract of another host, which does not have the hook.
    let contract = folder.join("contract.json");
    let own = plugin(folder, &["contract", "--json"]).says(&[]);
    fs::write(&contract, &own.out).unwrap();
    let against = [&arguments[..], &["--against", contract.to_str().unwrap()]].concat();
    plugin(folder, &against).says(&["1 plugin uses checked"]);
    edit(&contract, |text| text.replace("article.decorate", "article.adorn").replace("\"host\": \"", "\"host\": \"9."));
    plugin(folder, &against).fails(&[
        "would LOSE open-badge (article.decorate)",
        "no hook article.decorate",
        "with host 9.",
    ]);
    // A plugin made for another contract version, and a plugin that was removed.
    let manifest = plugins.join("open-badge/plugin.toml");
    edit(&manifest, |text| text.replace("contract = \"0.1\"", "contract = \"0.9\""));
    plugin(folder, &arguments).fails(&["would LOSE open-badge (article.decorate): it was made for contract 0.9"]);
    let report = plugin(folder, &[&arguments[..], &["--json"]].concat()).json();
    assert_eq!(report["sites"][0]["lost"][0]["hooks"], json!(["article.decorate"]), "{report}");
    fs::remove_dir_all(plugins.join("open-badge")).unwrap();
    plugin(folder, &arguments)
        .fails(&["site one would LOSE open-badge: there is no such plugin", "would lose 1 plugin use"]);
}

fn compiler_errors_are_shown(project: &Path) {
    edit(&project.join("src/lib.rs"), |text| text + "\nfn broken() -> u8 { \"no number\" }\n");
    plugin(project, &["build"]).fails(&[
        "error[E0308]: mismatched types",
        "src/lib.rs",
        "see the compiler's messages above",
    ]);
    // What was built before is still there.
    assert!(project.join("dist/open-badge/plugin.wasm").exists());
}

#[test]
fn rust_plugin_with_unit_tests() {
    let folder = workspace("plugin-links");
    plugin(&folder, &["new", "mark-links", "--hook", "links.rewrite", "project"]).says(&["cd project"]);
    let ran = plugin(&folder.join("project"), &["test"]).says(&[
        "1 passed, 0 failed",
        "cargo test",
        "test result: ok. 1 passed",
    ]);
    assert!(ran.out.find("passed, 0 failed") < ran.out.find("test result"), "{ran:?}");
}

#[test]
fn typescript_plugin_from_template() {
    let folder = workspace("plugin-typescript");
    plugin(&folder, &["new", "ts-badge", "--hook", "article.decorate", "--lang", "ts"]).says(&["masthead plugin test"]);
    let project = folder.join("ts-badge");
    assert!(project.join("sdk/typescript/build.mjs").exists() && project.join("sdk/wit/worlds.wit").exists());
    let engine = repository("node_modules/@bytecodealliance/componentize-js");
    if !engine.exists() {
        println!("SKIPPED: {} is missing; `npm ci` installs it", engine.display());
        plugin(&project, &["build"]).fails(&["npm install --prefix", "MASTHEAD_SDK"]);
        return;
    }
    plugin(&project, &["test"]).says(&["ok   tests/article.toml", "1 passed, 0 failed"]);
    let report = plugin(&project, &["check", "--json"]).says(&[]).json();
    assert_eq!(report["problems"], json!([]), "{report}");
    edit(&project.join("src/plugin.ts"), |text| text.replace("label, hint", "lable, hint"));
    plugin(&project, &["build"]).fails(&["src/plugin.ts:", "lable"]);
}

#[test]
fn every_example_passes_its_test_case() {
    let examples: Vec<_> = fs::read_dir(test_plugins())
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.join("tests").is_dir())
        .collect();
    assert_eq!(examples.len(), fs::read_dir(repository("plugin-sdk/template/tests")).unwrap().count());
    for example in examples {
        plugin(&example, &["test", "--cases-only"]).says(&["1 passed, 0 failed"]);
    }
}

#[test]
fn invalid_names_and_folders_are_rejected() {
    let folder = workspace("plugin-names");
    for name in ["Open", "open_badge", "../open", "9-lives", "serde", "open-"] {
        plugin(&folder, &["new", name, "--hook", "links"])
            .fails(&["lower-case letter"].map(|words| if name == "serde" { "is reserved" } else { words }));
    }
    plugin(&folder, &["new", "a", "--hook", "links.write"])
        .fails(&["no example of a hook \"links.write\"", "links, messaging"]);
    plugin(&folder, &["new", "a", "--hook", "links", "--lang", "cobol"]).fails(&["rust, typescript"]);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing is left behind");
    plugin(&folder, &["build"]).fails(&["plugin.toml", "is . the folder of a plugin?"]);
    plugin(&folder, &["build", "nowhere"]).fails(&["nowhere is not a folder"]);
    fs::write(folder.join("plugin.toml"), "id = \"a\"\n").unwrap();
    plugin(&folder, &["check"]).fails(&["neither sources (Cargo.toml or src/plugin.ts) nor plugin.wasm"]);
    fs::write(folder.join("plugin.wasm"), b"\0asm").unwrap();
    plugin(&folder, &["check"]).fails(&["problem: ", "1 problem"]);
    plugin(&folder, &["dev", "--into", "x"]).fails(&["a built plugin, but no sources"]);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}
