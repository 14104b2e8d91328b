//! `masthead demo generate`: reproducible files, and articles imported into a site.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use masthead_test_support::{masthead, repository, stderr, workspace};

/// Every file below a folder, with its content.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    walkdir::WalkDir::new(folder)
        .into_iter()
        .flatten()
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let name = entry.path().strip_prefix(folder).unwrap().to_owned();
            (name, std::fs::read(entry.path()).unwrap())
        })
        .collect()
}

#[test]
fn generation_is_reproducible_and_does_not_depend_on_the_number_of_articles() {
    let folder = workspace("demo-files");
    let sites = repository("sites");
    let run = |name: &str, articles: &str| {
        let into = folder.join(name);
        let arguments = ["demo", "generate", "--articles", articles, "--seed", "7", "--into", into.to_str().unwrap()];
        let ran = masthead(&sites, &folder.join("data"), &arguments);
        assert!(ran.status.success(), "{}", stderr(&ran));
        files(&into)
    };
    let (first, second, more) = (run("first", "12"), run("second", "12"), run("more", "16"));
    assert_eq!(first, second);
    assert_eq!(first.keys().filter(|path| path.extension().is_some_and(|ending| ending == "xml")).count(), 12);
    assert!(first.iter().all(|(path, bytes)| more.get(path) == Some(bytes)), "the first twelve stay as they are");
    assert!(more.len() > first.len());
}

#[test]
fn a_site_gets_the_articles_of_its_journals() {
    let folder = workspace("demo-site");
    let (sites, data) = (repository("sites"), folder.join("data"));
    let arguments = ["demo", "generate", "--articles", "16", "--site", "oceanledger"];
    for _ in 0..2 {
        let ran = masthead(&sites, &data, &arguments);
        assert!(ran.status.success(), "{}", stderr(&ran));
        let output = String::from_utf8(ran.stdout).unwrap();
        assert!(output.starts_with("4 articles in the site oceanledger"), "{output}");
    }
    let ran = masthead(&sites, &data, &["demo", "generate", "--articles", "3"]);
    assert!(!ran.status.success() && stderr(&ran).contains("--into"), "{}", stderr(&ran));
}
