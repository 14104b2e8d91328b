//! Removed articles (`masthead article remove`), as harvesters see them.

use super::{GAMMA, PORTAL, generated, harvest::harvest, put, texts};
use masthead_test_support::{masthead, stderr, stdout};

#[test]
fn a_removed_article_is_a_deleted_record_and_keeps_its_identifier_when_it_returns() {
    let list = "verb=ListRecords&metadataPrefix=oai_dc";
    let before = harvest("gamma", list).0;
    assert!(before.iter().all(|one| !one.deleted));
    let id = PORTAL.article("gamma", "10.5555/gamma.2");
    let page = format!("/en/article/{id}?format=ris");
    assert_eq!(PORTAL.get("gamma", &page).status, 200);
    let (sites, data) = (PORTAL.folder.join("sites"), PORTAL.folder.join("data"));
    let run = |more: &[&str]| masthead(&sites, &data, &[&["article", "remove"][..], more].concat());

    let output = run(&["--site", "gamma", "--doi", "10.5555/GAMMA.2", "--json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(report, serde_json::json!({ "removed": [id], "missing": [] }));
    let after = harvest("gamma", list).0;
    assert_eq!(after.len(), before.len());
    let removed = after.last().unwrap();
    assert!(
        removed.deleted && removed.metadata.is_empty() && removed.identifier.ends_with(&format!("/{id}")),
        "{removed:?}"
    );
    assert_eq!(removed.sets, ["gamma-letters"]);
    let record = super::protocol::ask(
        "gamma",
        &format!("{}&identifier={}", list.replace("ListRecords", "GetRecord"), removed.identifier),
    );
    assert!(record.contains("status=\"deleted\"") && !record.contains("<metadata>"), "{record}");
    assert_eq!(PORTAL.get("gamma", &page).status, 404);
    let map = PORTAL.get("gamma", "/sitemap.xml").text();
    let part = texts(&roxmltree::Document::parse(&map).unwrap(), "loc").remove(1);
    let part = part.strip_prefix("http://gamma.localhost").unwrap().to_owned();
    assert!(!PORTAL.get("gamma", &part).text().contains(&format!("/article/{id}<")));

    let output = run(&["--site", "gamma", "--id", &id.to_string()]);
    assert!(!output.status.success() && stderr(&output).contains("has no article"), "{}", stderr(&output));
    let other = PORTAL.article("beta", "10.5555/beta.1").to_string();
    assert!(!run(&["--site", "gamma", "--id", &other]).status.success());
    assert_eq!(PORTAL.get("beta", &format!("/en/article/{other}")).status, 200);
    assert!(!run(&["--site", "gamma"]).status.success());

    assert_eq!(put(&PORTAL, GAMMA, &generated("gamma", 2, "Gamma Letters")).0, id);
    assert!(harvest("gamma", list).0.iter().all(|one| !one.deleted));
}
