//! A site goes from SQLite to PostgreSQL and back: the copies are the same, and a change of one copy is found and goes on with it.

use std::path::Path;

use serde_json::{Value, json};

use super::site_copies::{Installation, compare, full};
use crate::cluster::Cluster;

/// The title of the issue in PostgreSQL.
const TITLE: &str = "On tides";
/// The end of the address of the cover that is drawn for the issue, before what changes with its title.
const COVER: &str = "/small/2026/2?v=";

/// Another installation with the site of a bundle. `more` may name its database.
fn loaded(name: &str, bundle: &Path, more: &[&str]) -> Installation {
    let copy = Installation::new(name);
    let (good, out, errors) = copy.load(bundle, more);
    assert!(good && out.contains("2 articles, 2 resources, loaded"), "{out}{errors}");
    copy
}

/// In what two installations differ. `databases` are the options that name those that are no files.
fn differences(a: &Installation, b: &Installation, databases: &[&str]) -> Vec<Value> {
    let (left, right) = (a.desk.data(), b.desk.data());
    let more = [&["--sites-b", b.sites.to_str().unwrap()], databases].concat();
    let (good, report) = compare(a, left.to_str().unwrap(), right.to_str().unwrap(), &more);
    assert_eq!(report["rows"], true, "{report:#}");
    assert!(report["pages"].as_u64().unwrap() > 1, "{report:#}");
    let found = report["differences"].as_array().unwrap().clone();
    assert_eq!(good, found.is_empty(), "{report:#}");
    found
}

/// Fails unless the title of the issue is the only difference: its row, the row by which imports keep it, and what shows it.
fn assert_only_the_title(found: &[Value]) {
    let (rows, shown): (Vec<Value>, Vec<Value>) = found.iter().cloned().partition(|one| one["kind"] == "rows");
    let row = |what: &str, a: &str, b: &str| json!({ "kind": "rows", "what": what, "a": a, "b": b });
    let expected = [
        row("issues: small 2026 2 (1)", "differs", "differs"),
        row("edits: issue/small/2026/2 title.en (1)", "not there", "there"),
    ];
    assert_eq!(rows, expected, "{found:#?}");
    for one in &shown {
        let says = |side: &str, words: &str| one[side].as_str().unwrap().contains(words);
        assert!(says("b", TITLE) || (says("a", COVER) && says("b", COVER)), "{one:#}");
    }
    let is_page_of_issue = |one: &Value| {
        let what = one["what"].as_str().unwrap();
        one["kind"] == "page" && what.contains("/issue/2026/2") && one["b"].as_str().unwrap().contains(TITLE)
    };
    assert!(shown.iter().any(is_page_of_issue), "{shown:#?}");
}

#[test]
fn a_site_goes_from_one_database_to_the_other_and_back() {
    let cluster = match Cluster::start() {
        Ok(cluster) => cluster,
        Err(reason) => {
            println!("skipped: copies of a site in PostgreSQL were not compared: {reason}");
            return;
        }
    };
    let url = cluster.url();
    let database = ["--database", url.as_str()];
    let here = full("sqlite");
    let there = loaded("postgresql", &here.export("site.tar.gz"), &database);
    assert!(!there.desk.data().join("masthead.db").exists(), "the content is not in a file");
    assert_eq!(differences(&here, &there, &["--database-b", &url]), Vec::<Value>::new());

    let title = format!("title.en={TITLE}");
    there.good(&[&["issue", "set", "small/2026/2", title.as_str(), "--site", "oceanledger"], &database[..]].concat());
    assert_only_the_title(&differences(&here, &there, &["--database-b", &url]));

    let bundle = there.desk.folder.join("changed.tar.gz");
    let export = ["site", "export", "--site", "oceanledger", "--to", bundle.to_str().unwrap()];
    there.good(&[&export[..], &database].concat());
    let back = loaded("sqlite-again", &bundle, &[]);
    assert_eq!(differences(&there, &back, &["--database-a", &url]), Vec::<Value>::new());
    assert_only_the_title(&differences(&here, &back, &[]));
}
