//! What readers see while a plugin that decides on access fails, and what the operator sees of it.

use masthead_test_support::{Portal, Setup, add_to_site, copy, listed, test_plugins, workspace};
use serde_json::Value;

#[test]
fn a_failing_access_plugin_denies_or_allows_as_the_site_says() {
    let plugins = workspace("access-plugins-folder");
    copy(&test_plugins().join("faulty"), &plugins.join("faulty"));
    let entry =
        |on_failure: &str| format!("\n[[plugins]]\nid = \"faulty\"\nsettings = {{ fault = \"trap\" }}\n{on_failure}\n");
    let setup = Setup { plugins: vec![plugins.clone()], ..Setup::default() };
    let portal = Portal::start("access", setup, |sites| {
        add_to_site(sites, "plainpress", &entry("onFailure = \"deny\""));
        add_to_site(sites, "oceanledger", &entry(""));
        // Its settings are rejected, so that it is not used.
        add_to_site(sites, "scriptstone", &entry("onFailure = \"deny\"").replace("fault =", "folt ="));
    });
    for (site, denied) in [("plainpress", true), ("oceanledger", false), ("scriptstone", true)] {
        let path = listed(&portal.page(site, "/en/issue"))[0].clone();
        // More calls than the circuit breaker lets fail: an open circuit denies, too.
        for round in 0..8 {
            let page = portal.page(site, &path);
            assert_eq!(page.contains("Please sign in to read the full text"), denied, "{site} {round}");
        }
        let id = path.rsplit('/').next().unwrap();
        let answer = portal.get(site, &format!("/rc-pub/front/front-article/download?id={id}"));
        assert_eq!(answer.status, if denied { 403 } else { 200 }, "{site}: {}", answer.text());
        // Also where the plugin is not used, answers about the article are not the same for all: they change when it is used again.
        let metadata = portal.get(site, &format!("{path}?format=jsonld"));
        assert_eq!((metadata.status, metadata.header("cache-control")), (200, "private, no-store"), "{site}");
    }

    let ready = portal.ready();
    let row = |site: &str, plugin: &str| {
        let rows = ready["plugins"].as_array().unwrap();
        rows.iter().find(|row| row["site"] == site && row["plugin"] == plugin).cloned().unwrap_or(Value::Null)
    };
    let folder = plugins.join("faulty").display().to_string();
    for (site, on_failure) in [("plainpress", "deny"), ("oceanledger", "allow")] {
        let row = row(site, "faulty");
        assert_eq!((&row["onFailure"], &row["source"]), (&Value::from(on_failure), &Value::from(folder.as_str())));
    }
    let built_in = row("oceanledger", "citation-export");
    assert_eq!((&built_in["onFailure"], &built_in["source"]), (&Value::Null, &Value::from("built in")));
    let problems = ready["problems"].to_string();
    assert!(problems.contains("site scriptstone: plugin faulty") && problems.contains("no permissions"), "{problems}");
    let metrics = portal.metrics();
    assert!(metrics.contains("\nmasthead_plugin_memory_limit_bytes 1073741824\n"), "{metrics}");
}
