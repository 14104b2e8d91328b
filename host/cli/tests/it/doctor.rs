//! `masthead doctor`, and that `masthead site check` finds what a host reports.

use std::path::Path;

use masthead_test_support::{Portal, Setup, data_with_secrets, masthead, share_compiled, stderr, stdout};
use serde_json::Value;

fn doctor(sites: &Path, data: &Path, more: &[&str]) -> (Option<i32>, Value) {
    report(sites, data, &[&["doctor", "--json"][..], more].concat())
}

/// The exit code of a command, and the JSON that it prints.
fn report(sites: &Path, data: &Path, arguments: &[&str]) -> (Option<i32>, Value) {
    let output = masthead(sites, data, arguments);
    let report = serde_json::from_str(&stdout(&output));
    (output.status.code(), report.unwrap_or_else(|error| panic!("{error}: {}", stderr(&output))))
}

/// The diagnostics of a check: site, key and line.
fn of_check<'a>(report: &'a Value, check: &str) -> Vec<(&'a str, &'a str, u64)> {
    let all = report["diagnostics"].as_array().unwrap().iter().filter(|diagnostic| diagnostic["check"] == check);
    let text = |diagnostic: &'a Value, name: &str| diagnostic[name].as_str().unwrap();
    all.map(|diagnostic| {
        (text(diagnostic, "site"), text(diagnostic, "key"), diagnostic["line"].as_u64().unwrap_or_default())
    })
    .collect()
}

#[test]
fn the_demo_sites_have_no_faults() {
    // The sites of the campuses sign readers in with a secret.
    let secrets = [942, 945, 979].map(|site| format!("[{site}]\nidentity-client = \"s\"\n")).concat();
    let data = data_with_secrets("doctor-demo", &secrets);
    let setup = Setup { data: Some(data.clone()), ..Setup::default() };
    let portal = Portal::start("doctor-demo", setup, |_| {});
    let sites = portal.folder.join("sites");
    let (code, report) = doctor(&sites, &data, &[]);
    assert_eq!(
        (code, &report["errors"], &report["content"]),
        (Some(0), &Value::from(0), &Value::from(true)),
        "{report}"
    );
    assert!(report["sites"].as_u64().unwrap() >= 16, "{report}");
    assert_eq!(report["diagnostics"], Value::Array(Vec::new()), "{report:#}");
    let check = masthead(&sites, &data, &["site", "check"]);
    assert!(check.status.success() && stdout(&check).contains("no problems\n"), "{}", stdout(&check));
}

#[test]
fn site_check_finds_what_the_host_reports() {
    let portal = Portal::start("doctor-host", Setup { bare: true, ..Setup::default() }, |sites| {
        let add = |name: &str, text: &str| {
            std::fs::write(sites.join(name), format!("{text}\n")).unwrap();
        };
        add("unknown.toml", "id = 9201\nname = { zh = \"甲\", en = \"A\" }\n[[plugins]]\nid = \"no-such-plugin\"");
        add(
            "settings.toml",
            "id = 9202\nname = { zh = \"甲\", en = \"A\" }\n[[plugins]]\nid = \"hss-article\"\nsettings = { path = 7 }\n\
             [[plugins]]\nid = \"adcs-statistics\"\n[[plugins]]\nid = \"adcs-statistics\"",
        );
        add("grants.toml", "id = 9203\nname = { zh = \"甲\", en = \"A\" }\n[[plugins]]\nid = \"citation-export\"");
        add(
            "modules.toml",
            "id = 9204\nname = { zh = \"甲\", en = \"A\" }\n[[slots.\"footer.rows\"]]\nmodule = \"no-such-module\"\n\
             [[slots.header]]\nmodule = \"footer-default\"",
        );
        add("colour.toml", "id = 9205\ncolorId = 77\nname = { zh = \"甲\", en = \"A\" }");
        add("broken.toml", "id = 9206\nname = {");
        add("twin.toml", "id = 448\nname = { zh = \"甲\", en = \"A\" }");
        add("host.toml", "id = 9207\nname = { zh = \"甲\", en = \"A\" }\ndomains = [\"oceanledger.localhost\"]");
        add("groups/torn.toml", "header = {");
    });
    let ready = portal.ready();
    let problems: Vec<&str> = ready["problems"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert!(problems.len() >= 10, "{problems:#?}");
    let (sites, data) = (portal.folder.join("sites"), portal.folder.join("data"));
    let output = masthead(&sites, &data, &["site", "check"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for problem in &problems {
        let message =
            problem.strip_prefix("site ").and_then(|rest| rest.split_once(": ")).map_or(*problem, |(_, rest)| rest);
        let message = message.trim_end_matches("; it is not served");
        assert!(text.contains(message), "the host reports {problem:?}, the check does not: {text}");
    }
    let (code, report) = doctor(&sites, &data, &["--site", "settings"]);
    assert_eq!(code, Some(1));
    let expected = [("settings", "plugins[0].settings", 5), ("settings", "plugins[2]", 8)];
    assert_eq!(of_check(&report, "plugins"), expected, "{report}");
    let (_, report) = doctor(&sites, &data, &["--site", "9204"]);
    let expected = [("modules", "slots.header[0].module", 6)];
    let found = of_check(&report, "modules");
    assert!(found.len() == 2 && found.contains(&expected[0]), "{report}");
    let (_, report) = doctor(&sites, &data, &["--site", "broken"]);
    assert_eq!(
        of_check(&report, "configuration").iter().filter(|(site, _, _)| *site == "broken").count(),
        1,
        "{report}"
    );
}

#[test]
fn secrets_that_are_granted_and_not_set_are_found_by_host_and_doctor() {
    let data = data_with_secrets("doctor-secrets", "[942]\nidentity-client = \"hidden-word\"\n");
    let setup = Setup { bare: true, data: Some(data.clone()), ..Setup::default() };
    let portal = Portal::start("doctor-secrets", setup, |_| {});
    let ready = portal.ready();
    let missing =
        |site: &str| serde_json::json!({ "site": site, "plugin": "external-identity", "secret": "identity-client" });
    let expected = Value::Array(vec![missing("islandcampus"), missing("southcampus")]);
    assert_eq!((&ready["missingSecrets"], &ready["ready"]), (&expected, &Value::from(true)), "{ready}");
    let (_, report) = doctor(&portal.folder.join("sites"), &data, &["--site", "southcampus"]);
    assert_eq!(of_check(&report, "secrets"), [("southcampus", "plugins[0].grants.secrets[0]", 5)], "{report}");
    let diagnostic =
        report["diagnostics"].as_array().unwrap().iter().find(|diagnostic| diagnostic["check"] == "secrets").unwrap();
    assert_eq!(diagnostic["level"], "warning");
    assert!(diagnostic["fix"].as_str().unwrap().contains("masthead secrets set identity-client --site southcampus"));
    assert!(diagnostic["file"].as_str().unwrap().ends_with("campuses.toml"), "{diagnostic}");
    assert!(!ready.to_string().contains("hidden-word") && !report.to_string().contains("hidden-word"));
}

#[test]
fn doctor_without_a_database_checks_the_files_and_creates_nothing() {
    let folder = masthead_test_support::workspace("doctor-files");
    let sites = folder.join("sites");
    masthead_test_support::copy(&masthead_test_support::repository("sites"), &sites);
    let own = std::fs::read_to_string(sites.join("oceanledger.toml")).unwrap();
    // Without the site's own channels, so that those of the test are the first.
    let (own, _) = own.split_once("[[channels]]").unwrap();
    let own =
        own.replace("logos/oceanledger-en.svg", "logos/gone.svg").replace("https://beian.mps.gov.cn/", "/en/nowhere");
    let channels = "\n[[channels]]\nid = 1\ncode = \"home\"\nname = \"首页\"\nenable = \"1\"\n[[channels]]\nid = 2\ncode = \"newz\"\nname = \"新闻\"\nenName = \"News\"\nenable = \"1\"\n";
    std::fs::write(sites.join("oceanledger.toml"), format!("{own}{channels}")).unwrap();
    let data = folder.join("data");
    let (code, report) = doctor(&sites, &data, &["--site", "448"]);
    assert_eq!(
        (code, &report["content"], &report["errors"]),
        (Some(1), &Value::from(false), &Value::from(3)),
        "{report}"
    );
    let keys = |check: &str| of_check(&report, check).into_iter().map(|(_, key, _)| key).collect::<Vec<_>>();
    assert_eq!(keys("pictures"), ["header.logo.en"]);
    assert_eq!(keys("links"), ["footer.picpLink"]);
    assert_eq!(keys("menu"), ["channels[1].code"]);
    assert_eq!(keys("languages"), ["channels[0].names.en"]);
    for diagnostic in report["diagnostics"].as_array().unwrap() {
        assert!(
            diagnostic["file"].as_str().unwrap().ends_with("oceanledger.toml") && diagnostic["line"].as_u64() > Some(1),
            "{diagnostic}"
        );
        assert!(!diagnostic["fix"].as_str().unwrap().is_empty(), "{diagnostic}");
    }
    assert!(!data.exists(), "a check creates no data folder");
    share_compiled(&data);
    let text = masthead(&sites, &data, &["doctor", "--site", "oceanledger"]);
    assert!(stdout(&text).contains("  fix: ") && stderr(&text).contains("3 errors"), "{}", stdout(&text));
    let unknown = masthead(&sites, &data, &["doctor", "--site", "4480"]);
    assert!(!unknown.status.success() && stderr(&unknown).contains("there is no site"), "{}", stderr(&unknown));
}

#[test]
fn modules_of_folders_are_checked_as_the_host_reads_them() {
    let folder = masthead_test_support::workspace("doctor-modules");
    let (modules, plugins) = (folder.join("modules"), folder.join("plugins"));
    share_compiled(&folder.join("data"));
    let platform = "9 = \"nav-alternate\"";
    let sites = masthead_test_support::sites(&folder, "[header]\nnavStyle = 9\n");
    masthead_test_support::edit(&sites.join("platform.toml"), |text| text.replacen(platform, "9 = \"harbour-nav\"", 1));
    // The digest of an empty file.
    let empty = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
    let write = |modules: &Path, integrity: &str| {
        let own = modules.join("harbour-nav");
        std::fs::create_dir_all(&own).unwrap();
        std::fs::write(own.join("nav.js"), "").unwrap();
        let manifest = serde_json::json!({
            "id": "harbour-nav", "slot": "header", "contract": 1, "entry": "nav.js", "integrity": integrity,
        });
        std::fs::write(own.join("preload.json"), manifest.to_string()).unwrap();
    };
    let check = |more: &[&str]| {
        let output = masthead(&sites, &folder.join("data"), &[&["site", "check"][..], more].concat());
        (output.status.code(), stdout(&output))
    };
    let (code, text) = check(&[]);
    assert!(code == Some(1) && text.contains("there is no module harbour-nav"), "{text}");
    let modules_given = ["--modules", modules.to_str().unwrap()];
    write(&modules, empty);
    let (_, text) = check(&modules_given);
    assert!(!text.is_empty() && !text.contains("harbour-nav"), "{text}");
    write(&modules, "sha256-YWJj");
    let (code, text) = check(&modules_given);
    let place = modules.join("harbour-nav");
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains(&format!("error: {}: module harbour-nav: nav.js has not the digest", place.display())),
        "{text}"
    );
    let (code, report) = doctor(&sites, &folder.join("data"), &modules_given);
    assert_eq!(code, Some(1));
    let found = of_check(&report, "modules");
    assert!(found.iter().any(|(site, key, _)| (*site, *key) == ("", "styles.nav.9")), "{report}");
    // The same module beside a plugin.
    write(&plugins.join("badges/modules"), empty);
    let (_, text) = check(&["--plugins", plugins.to_str().unwrap()]);
    assert!(!text.is_empty() && !text.contains("harbour-nav"), "{text}");
}

#[test]
fn properties_of_a_module_are_compared_with_its_schema() {
    let folder = masthead_test_support::workspace("doctor-properties");
    share_compiled(&folder.join("data"));
    let check = |slots: &str| {
        let sites = masthead_test_support::sites(&folder, slots);
        let (_, report) = doctor(&sites, &folder.join("data"), &[]);
        let found =
            report["diagnostics"].as_array().unwrap().iter().filter(|entry| entry["check"] == "modules").cloned();
        found.collect::<Vec<Value>>()
    };
    let slot = "[[slots.\"footer.rows\"]]\nmodule = \"footer-friendship-links\"\n";
    let fits = "[slots.\"footer.rows\".props]\ntitle = { en = \"Friends\" }\nlinks = [{ name = { en = \"A\" }, address = \"https://a.example/\" }]\n";
    assert_eq!(check(&format!("{slot}{fits}")), Vec::<Value>::new());
    let differs = fits.replace("\"Friends\"", "3").replace("address", "adress");
    let found = check(&format!("{slot}{differs}"));
    let told: Vec<(&str, &str)> =
        found.iter().map(|entry| (entry["key"].as_str().unwrap(), entry["message"].as_str().unwrap())).collect();
    assert_eq!(
        told,
        [
            ("slots.footer.rows[0].props", "module footer-friendship-links: links[0].address is missing"),
            ("slots.footer.rows[0].props", "module footer-friendship-links: title.en is 3; it has to be \"string\""),
        ]
    );
    assert!(found.iter().all(|entry| entry["level"] == "error" && entry["line"].is_u64()), "{found:?}");
}

#[test]
fn a_plugin_folder_that_cannot_be_used_is_named_as_the_place() {
    let folder = masthead_test_support::workspace("doctor-plugin-folder");
    let (sites, plugins) = (masthead_test_support::sites(&folder, "[header]\n"), folder.join("plugins"));
    std::fs::create_dir_all(plugins.join("badges")).unwrap();
    std::fs::write(plugins.join("badges/plugin.toml"), "id = \"badges\"\n").unwrap();
    share_compiled(&folder.join("data"));
    let (code, report) = doctor(&sites, &folder.join("data"), &["--plugins", plugins.to_str().unwrap()]);
    assert_eq!(code, Some(1), "{report}");
    let all = report["diagnostics"].as_array().unwrap().iter();
    let of_folder: Vec<&Value> = all.filter(|diagnostic| diagnostic["check"] == "plugins").collect();
    assert_eq!(of_folder.len(), 1, "{report:#}");
    let file = Path::new(of_folder[0]["file"].as_str().unwrap());
    assert_eq!(file.canonicalize().unwrap(), plugins.join("badges").canonicalize().unwrap(), "{report:#}");
    let (message, fix) = (of_folder[0]["message"].as_str().unwrap(), of_folder[0]["fix"].as_str().unwrap());
    assert!(message.starts_with("plugin badges: ") && !fix.is_empty(), "{report:#}");
}

#[test]
fn site_check_reads_stored_content_where_there_is_a_database() {
    let desk = crate::editing::Desk::new("site-check");
    share_compiled(&desk.data());
    let check = |data: &Path| {
        let output = masthead(&desk.sites, data, &["site", "check"]);
        (output.status.code(), stdout(&output), stderr(&output))
    };
    let (_, text, _) = check(&desk.data());
    assert!(!text.contains("newsDetails"), "{text}");
    desk.json(&[
        "resource",
        "set",
        "news",
        "opening",
        "content.en=<p><a href=\"/en/newsDetails/77\">a</a></p>",
        "--new",
    ]);
    let (code, text, errors) = check(&desk.data());
    assert!(code == Some(1) && text.contains("the site does not have the news 77"), "{text}{errors}");
    let (_, text, _) = check(&desk.folder.join("nothing"));
    assert!(!text.contains("the news 77"), "{text}");
}

#[test]
fn site_check_prints_the_json_of_doctor_and_warns_of_settings_without_effect() {
    let folder = masthead_test_support::workspace("site-check-json");
    let data = folder.join("data");
    share_compiled(&data);
    let own = "templateId = 7\numtFlag = 0\n[[channels]]\nid = 1\ncode = \"home\"\nbannerId = 4\n\
               name = \"首页\"\nenName = \"Home\"\nenable = \"1\"\n";
    let sites = masthead_test_support::sites(&folder, own);
    let check = || report(&sites, &data, &["site", "check", "--json"]);
    let (code, found) = check();
    assert_eq!(of_check(&found, "unused"), [("one", "templateId", 3), ("one", "channels[0].bannerId", 8)], "{found:#}");
    assert_eq!((code, &found["errors"]), (Some(0), &Value::from(0)), "a warning fails no check: {found:#}");
    assert_eq!((code, found.clone()), doctor(&sites, &data, &[]));
    let all = found["diagnostics"].as_array().unwrap().iter();
    let unused: Vec<&Value> = all.filter(|diagnostic| diagnostic["check"] == "unused").collect();
    for (diagnostic, word) in unused.into_iter().zip(["home.layout", "remove it"]) {
        assert_eq!(diagnostic["level"], "warning", "{diagnostic}");
        assert!(diagnostic["file"].as_str().unwrap().ends_with("one.toml"), "{diagnostic}");
        assert!(diagnostic["message"].as_str().unwrap().contains("no effect"), "{diagnostic}");
        assert!(diagnostic["fix"].as_str().unwrap().contains(word), "{diagnostic}");
    }
    masthead_test_support::edit(&sites.join("one.toml"), |text| text.replacen("templateId = 7", "colorId = 99", 1));
    let (code, found) = check();
    assert_eq!((code, &found["errors"]), (Some(1), &Value::from(1)), "{found:#}");
    assert_eq!(of_check(&found, "configuration"), [("one", "colorId", 3)], "{found:#}");
}
