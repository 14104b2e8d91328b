//! `masthead config` and `masthead site`.

use std::path::{Path, PathBuf};

use masthead_test_support::{copy, edit, masthead, repository, share_compiled, stderr, stdout, workspace};
use serde_json::{Value, json};

/// A configuration folder with three sites and the two group sites that their headers lead to, and an empty data folder.
struct Desk {
    sites: PathBuf,
    data: PathBuf,
}

impl Desk {
    fn new(name: &str) -> Self {
        let folder = workspace(&format!("config-{name}"));
        let sites = folder.join("sites");
        for name in ["platform", "oceanledger", "hssxiv", "hsspress", "quietcircuits", "plainpress"] {
            let name = format!("{name}.toml");
            std::fs::create_dir_all(&sites).unwrap();
            std::fs::copy(repository("sites").join(&name), sites.join(&name)).unwrap();
        }
        for folder in ["groups", "assets"] {
            copy(&repository("sites").join(folder), &sites.join(folder));
        }
        Self { sites, data: folder.join("data") }
    }

    /// Runs a command that must succeed, and returns its standard output.
    fn run(&self, arguments: &[&str]) -> String {
        let output = masthead(&self.sites, &self.data, arguments);
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        stdout(&output)
    }

    /// Runs a command that must fail with exit code 1, and returns its output.
    fn fail(&self, arguments: &[&str]) -> String {
        let output = masthead(&self.sites, &self.data, arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", stdout(&output));
        format!("{}{}", stdout(&output), stderr(&output))
    }

    fn explain(&self, site: &str, key: &str) -> Value {
        let explanations: Value =
            serde_json::from_str(&self.run(&["config", "explain", "--site", site, key, "--json"])).unwrap();
        explanations[0].clone()
    }
}

#[test]
fn explain_shows_the_layer_and_the_overridden_values() {
    let desk = Desk::new("explain");
    let text = desk.run(&["config", "explain", "--site", "448", "header.navStyle"]);
    assert!(text.starts_with("header.navStyle = 0\n"), "{text}");
    assert!(text.contains("from site oceanledger") && text.contains("oceanledger.toml"), "{text}");
    assert!(text.contains("overrides 0 of platform") && text.contains("platform.toml"), "{text}");
    let explanation = desk.explain("hssxiv", "header.navStyle");
    assert_eq!((&explanation["key"], &explanation["value"]), (&json!("header.navStyle"), &json!(9)));
    assert_eq!(explanation["from"][0], "site hssxiv");
    assert_eq!(explanation["overridden"][0][0], "platform");
    assert!(!desk.data.exists(), "`config explain` creates no database");
}

#[test]
fn explain_lists_all_values_or_those_of_a_section() {
    let desk = Desk::new("all");
    let text = desk.run(&["config", "explain", "--site", "oceanledger"]);
    for key in ["colorId = ", "header.searchBox = true", "footer.icp = ", "languages = "] {
        assert!(text.contains(key), "{key}: {text}");
    }
    let section = desk.run(&["config", "explain", "--site", "448", "header"]);
    assert!(section.contains("header.navStyle = 0") && !section.contains("footer."), "{section}");
    assert!(desk.fail(&["config", "explain", "--site", "448", "header.navStile"]).contains("no value"));
}

#[test]
fn explain_shows_defaults_and_values_that_no_layer_sets() {
    let desk = Desk::new("defaults");
    let text = desk.run(&["config", "explain", "--site", "448"]);
    assert!(text.contains("library.oai = true\n  from default\n"), "{text}");
    assert!(text.contains("state = \"active\"\n  from default\n"), "{text}");
    let unset = desk.explain("448", "header.resourceSearch");
    assert_eq!((&unset["value"], &unset["from"][0], &unset["default"]), (&json!(1), &json!("default"), &json!(1)));
    let set = desk.run(&["config", "explain", "--site", "950", "header.navStyle"]);
    assert!(set.contains("from site hssxiv") && set.contains("\n  default 0\n"), "{set}");
}

#[test]
fn without_a_site_the_keys_of_the_platform_are_explained() {
    let desk = Desk::new("platform");
    edit(&desk.sites.join("platform.toml"), |text| {
        text.replace("max = 800", "max = 900").replace("timeFactor = 1.0\n", "").replace("idleSeconds = 20\n", "")
    });
    let text = desk.run(&["config", "explain"]);
    for words in [
        "\nconnections.max = 900\n  from platform ",
        "/platform.toml\n  default 800\n",
        "\nplugins.timeFactor = 1.0\n  from default\n",
        "\nstyles.nav.9 = \"nav-alternate\"\n  from platform ",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("header.navStyle"), "a key of sites: {text}");
    let section = desk.run(&["config", "explain", "connections", "--json"]);
    let section: Value = serde_json::from_str(&section).unwrap();
    let of = |key: &str| section.as_array().unwrap().iter().find(|one| one["key"] == key).unwrap().clone();
    assert_eq!(of("connections.max")["from"][0], "platform");
    let idle = of("connections.idleSeconds");
    assert_eq!((&idle["value"], &idle["from"]), (&json!(20), &json!(["default", ""])), "{section:#}");
    assert!(section.as_array().unwrap().iter().all(|one| one["key"].as_str().unwrap().starts_with("connections.")));
    let refused = desk.fail(&["config", "explain", "header.navStyle"]);
    assert!(refused.contains("no value \"header.navStyle\"") && refused.contains("--site"), "{refused}");
    assert!(!desk.data.exists(), "no database is created");
}

#[test]
fn the_reference_lists_the_keys_of_sites_and_platform() {
    let text = Desk::new("reference").run(&["config", "reference"]);
    for row in [
        "| `header.navStyle` | whole number | `0` |",
        "| `connections.max` | whole number | `800` |",
        "| `channels[].names` |",
    ] {
        assert!(text.contains(row), "{row}: {text}");
    }
}

#[test]
fn a_saved_value_overrides_all_layers_until_it_is_unset() {
    let desk = Desk::new("set");
    desk.run(&["config", "set", "--site", "448", "header.navStyle", "14"]);
    let explanation = desk.explain("448", "header.navStyle");
    assert_eq!((&explanation["value"], &explanation["from"][0]), (&json!(14), &json!("saved")));
    let overridden: Vec<_> =
        explanation["overridden"].as_array().unwrap().iter().map(|layer| layer[0].clone()).collect();
    assert_eq!(overridden, ["platform", "site oceanledger"]);
    assert_eq!(desk.explain("950", "header.navStyle")["value"], 9, "another site has its own");
    desk.run(&["config", "set", "--site", "oceanledger", "footer.enCopyright", "© somebody"]);
    assert_eq!(desk.explain("448", "footer.enCopyright")["value"], "© somebody");
    desk.run(&["config", "unset", "--site", "448", "header.navStyle"]);
    assert_eq!(desk.explain("448", "header.navStyle")["from"][0], "site oceanledger");
    desk.run(&["config", "unset", "--site", "448", "header.navStyle"]);
}

#[test]
fn a_value_that_would_break_the_site_is_not_saved() {
    let desk = Desk::new("refused");
    share_compiled(&desk.data);
    let before = desk.explain("448", "colorId")["value"].clone();
    for (key, value) in [
        ("colorId", "99"),
        ("header.navStyle", "wide"),
        ("header.navStile", "3"),
        ("languages", "[]"),
        ("nonsense", "1"),
        ("id", "-4"),
    ] {
        let error = desk.fail(&["config", "set", "--site", "448", key, "--", value]);
        assert!(error.contains(&format!("{key} is not saved")), "{key}: {error}");
    }
    assert_eq!(desk.explain("448", "colorId")["value"], before);
    // Its menu names a page that the new database does not have.
    std::fs::remove_file(desk.sites.join("quietcircuits.toml")).unwrap();
    assert!(desk.run(&["site", "check"]).contains("4 sites, no problem"));
}

#[test]
fn a_saved_value_cannot_change_the_site_number() {
    let desk = Desk::new("number");
    let output = masthead(&desk.sites, &desk.data, &["config", "set", "--site", "448", "id", "502"]);
    assert!(!output.status.success(), "site 448 took the number of site 502");
}

#[test]
fn a_locked_key_is_not_overridden_and_the_lock_is_reported() {
    let desk = Desk::new("locked");
    share_compiled(&desk.data);
    let explanation = desk.explain("950", "header.showLogin");
    assert_eq!((&explanation["value"], &explanation["lockedBy"]), (&json!(false), &json!("group hss")));
    let text = desk.run(&["config", "explain", "--site", "950", "header.showLogin"]);
    assert!(text.contains("locked by group hss"), "{text}");
    let path = desk.sites.join("hssxiv.toml");
    let own = std::fs::read_to_string(&path).unwrap().replace("[header]\n", "[header]\nshowLogin = true\n");
    std::fs::write(&path, own).unwrap();
    let text = desk.run(&["config", "explain", "--site", "950", "header.showLogin"]);
    assert!(text.contains("header.showLogin = false") && text.contains("is ignored: group hss locks it"), "{text}");
    assert!(desk.fail(&["site", "check"]).contains("group hss locks it"));
}

#[test]
fn a_locked_key_cannot_be_saved() {
    let desk = Desk::new("locked-set");
    let output = masthead(&desk.sites, &desk.data, &["config", "set", "--site", "950", "header.showLogin", "true"]);
    assert_eq!(desk.explain("950", "header.showLogin")["value"], false, "the lock holds");
    assert!(!output.status.success(), "saving a locked value fails");
    assert!(stderr(&output).contains("group hss locks it"), "{}", stderr(&output));
    // A lock on a table holds for its keys.
    let group = desk.sites.join("groups/hss.toml");
    let text = std::fs::read_to_string(&group).unwrap().replace("locked = [", "locked = [\"footer\", ");
    std::fs::write(&group, text).unwrap();
    let refused = desk.fail(&["config", "set", "--site", "950", "footer.icp", "x"]);
    assert!(refused.contains("footer.icp is not saved") && refused.contains("group hss locks it"), "{refused}");
}

#[test]
fn an_environment_variable_overrides_the_file() {
    let desk = Desk::new("environment");
    let output = masthead_test_support::command(
        &desk.sites,
        &desk.data,
        &["config", "explain", "--site", "448", "header.navStyle"],
    )
    .env("MASTHEAD_SITE__oceanledger__header__navStyle", "10")
    .output()
    .unwrap();
    let text = stdout(&output);
    assert!(text.starts_with("header.navStyle = 10\n") && text.contains("from environment"), "{text}");
}

#[test]
fn check_reports_every_problem_with_its_location() {
    let desk = Desk::new("check");
    share_compiled(&desk.data);
    assert_eq!(desk.run(&["site", "check"]), "5 sites, no problems\n");
    let add = |name: &str, text: &str| std::fs::write(desk.sites.join(name), text).unwrap();
    add("broken.toml", "id = 7\nname = {\n");
    add("twin.toml", "id = 448\nname = { en = \"Twin\" }");
    add("colour.toml", "id = 8\ncolorId = 77\nname = { en = \"C\" }");
    let text = desk.fail(&["site", "check"]);
    for words in [
        "site broken:",
        "line 2",
        "id 448 is already used by site oceanledger",
        "twin.toml:1",
        "colorId 77",
        "colour.toml:2",
        "3 problems",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let missing = masthead(Path::new("/nowhere"), &desk.data, &["site", "check"]);
    assert!(!missing.status.success() && stderr(&missing).contains("/nowhere/platform.toml"), "{}", stderr(&missing));
}

#[test]
fn list_prints_text_or_json() {
    let desk = Desk::new("list");
    let text = desk.run(&["site", "list"]);
    assert!(text.lines().any(|line| line.trim() == "448  oceanledger          Ocean Ledger"), "{text}");
    let list: Value = serde_json::from_str(&desk.run(&["site", "list", "--json"])).unwrap();
    let slds: Vec<_> = list.as_array().unwrap().iter().map(|site| site["sld"].as_str().unwrap()).collect();
    assert_eq!(slds, ["hsspress", "hssxiv", "oceanledger", "plainpress", "quietcircuits"]);
}

#[test]
fn an_unknown_site_is_rejected_with_a_list_of_sites() {
    let desk = Desk::new("unknown");
    for arguments in [
        vec!["config", "explain", "--site", "4480"],
        vec!["config", "set", "--site", "ocean", "colorId", "2"],
        vec!["config", "unset", "--site", "", "colorId"],
    ] {
        let error = desk.fail(&arguments);
        assert!(error.contains("there is no site") && error.contains("448 (oceanledger)"), "{arguments:?}: {error}");
    }
}

#[test]
fn a_usage_error_exits_with_code_2() {
    let desk = Desk::new("usage");
    for arguments in [vec!["config", "unset", "colorId"], vec!["sites"], vec!["import", "jats", "--site", "448"]] {
        let output = masthead(&desk.sites, &desk.data, &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains("--help"), "{}", stderr(&output));
    }
    assert!(desk.run(&["openapi"]).contains("\"/rc-pub/front/search\""));
}

#[test]
fn a_command_whose_output_is_read_no_further_ends_without_a_message() {
    let desk = Desk::new("closed-output");
    // The document is longer than what a pipe holds, so that the command writes when nobody reads.
    let mut command = masthead_test_support::command(&desk.sites, &desk.data, &["openapi"]);
    let mut child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(141), ""));
}
