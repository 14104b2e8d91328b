//! `masthead article remove`, beside a host that serves the same data folder.

use masthead_test_support::{Portal, Setup, masthead, stderr, stdout};
use serde_json::{Value, json};

const SEAGRASS: &str = "10.5555/ocl.2026.06.01.0001";

#[test]
fn articles_are_removed_by_doi_and_by_number_from_their_own_site() {
    let portal = Portal::start("article-removal", Setup::default(), |_| {});
    let (sites, data) = (portal.folder.join("sites"), portal.folder.join("data"));
    let run = |more: &[&str]| masthead(&sites, &data, &[&["article", "remove"][..], more].concat());
    let id = portal.article("oceanledger", SEAGRASS);
    let page = format!("/en/article/{id}?format=ris");
    assert_eq!(portal.get("oceanledger", &page).status, 200);

    let output = run(&["--site", "oceanledger", "--doi", &SEAGRASS.to_uppercase(), "--json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let said = (&report["removed"], &report["missing"], &report["dryRun"]);
    assert_eq!(said, (&json!([id]), &json!([]), &json!(false)));
    assert_eq!(portal.get("oceanledger", &page).status, 410);
    let record = format!("verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:oceanledger.localhost:article/{id}");
    let record = portal.get("oceanledger", &format!("/oai?{record}")).text();
    assert!(record.contains("status=\"deleted\"") && !record.contains("<metadata>"), "{record}");

    let output = run(&["--site", "oceanledger", "--id", &id.to_string()]);
    assert!(!output.status.success() && stderr(&output).contains("has no article"), "{}", stderr(&output));
    let listed = portal.run(portal.app.store.site(masthead_domain::SiteId(905)).article_listing(0, 1)).unwrap();
    let other = listed[0].id.to_string();
    assert!(!run(&["--site", "oceanledger", "--id", &other]).status.success());
    assert_eq!(portal.get("scriptstone", &format!("/en/article/{other}")).status, 200);
    assert!(!run(&["--site", "oceanledger"]).status.success());

    // The second has another version than the first, and what was removed before it is said.
    let listed = portal.run(portal.app.store.site(masthead_domain::SiteId(448)).article_listing(0, 2)).unwrap();
    let [first, second] = [0, 1].map(|place: usize| listed[place].id.to_string());
    let shown = masthead(&sites, &data, &["article", "show", &first, "--site", "oceanledger", "--json"]);
    let record: Value = serde_json::from_str(&stdout(&shown)).unwrap();
    let version = record["version"].as_str().unwrap();
    let output = run(&["--site", "oceanledger", "--if-version", version, &first, &second]);
    assert!(!output.status.success() && stderr(&output).contains(&format!("article {second}")), "{}", stderr(&output));
    assert!(stdout(&output).contains(&format!("article {first}: removed")), "{}", stdout(&output));
}
