//! Imports a corpus of real files in every format: each file is imported, or rejected with a reason.

use std::{collections::BTreeMap, path::PathBuf};

use super::{Desk, outcomes};
use masthead_test_support::repository;

fn corpus() -> Option<PathBuf> {
    let folder = repository("../shared/data");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: there is no corpus next to the repository (../shared/data)");
    None
}

#[test]
fn every_file_of_the_corpus_is_imported_or_rejected_with_a_reason() {
    let Some(corpus) = corpus() else { return };
    let desk = Desk::new("corpus");
    let (report, _) = desk.import("auto", &[&corpus], &[]);
    let mut table: BTreeMap<(String, String), usize> = BTreeMap::new();
    for outcome in outcomes(&report) {
        *table.entry(outcome).or_default() += 1;
    }
    for ((kind, outcome), number) in &table {
        println!("{kind:12} {outcome:10} {number}");
    }
    for item in report["items"].as_array().unwrap() {
        if item["outcome"] == "failed" {
            let reason = item["error"].as_str().unwrap();
            println!("rejected: {}: {reason}", item["path"].as_str().unwrap());
            assert!(reason.split_whitespace().count() > 3, "no sentence: {reason}");
            for inside in ["panicked", "Error {", "SqliteError", "unwrap"] {
                assert!(!reason.contains(inside), "{reason}");
            }
        }
    }
    let of = |kind: &str, outcome: &str| table.get(&(kind.to_owned(), outcome.to_owned())).copied().unwrap_or(0);
    assert!(of("article", "created") > 200, "{table:?}");
    assert!(of("book", "created") > 10, "{table:?}");
    assert!(of("period", "created") > 1, "{table:?}");
    // The second run finds everything unchanged; articles with two different files were rejected both times.
    let (again, _) = desk.import("auto", &[&corpus], &[]);
    let changed: Vec<_> =
        outcomes(&again).into_iter().filter(|(kind, outcome)| kind == "article" && outcome == "created").collect();
    assert_eq!(changed, [], "a second run adds nothing");
    let (articles, pictures) = desk.read(async |site| {
        let mut all = 0;
        for listed in site.article_listing(0, 1000).await.unwrap() {
            all += site.resources_of_article::<masthead_domain::resource::Picture>(listed.id.0).await.unwrap().len();
        }
        (site.article_count().await.unwrap(), all)
    });
    println!("{articles} articles, {pictures} figures");
    assert!(pictures > 300, "{pictures}");
}
