//! `masthead demo generate`: reproducible files, and articles imported into a site; and what readers find on a fresh demo.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use masthead_test_support::{between, copy, masthead, repository, share_compiled, stderr, workspace};

use crate::serve::Running;

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

/// A section of a home page with this kind.
fn section<'a>(page: &'a str, kind: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("data-kind=\"{kind}\"")).unwrap_or_else(|| panic!("{kind}: {page}"));
    rest.split("</section>").next().unwrap()
}

/// The numbers of the ranking on a home page.
fn ranked(host: &Running, by: &str, months: u32) -> Vec<i64> {
    let page = host.get("quietcircuits.localhost", &format!("/en/home?by={by}&months={months}"));
    let entries = section(&page, "rankings").split("class=\"rank-count\"").skip(1);
    entries.map(|entry| between(entry, "<bdi dir=\"ltr\">", "</bdi>").parse().unwrap()).collect()
}

/// The number of results that a search page shows.
fn found(host: &Running) -> usize {
    let page = host.get("oceanledger.localhost", "/en/search?q=seagrass");
    page.matches("class=\"card-title\"").count()
}

#[test]
fn a_fresh_demo_has_rankings_accepted_articles_and_every_category_of_resources() {
    let folder = workspace("demo-fresh");
    let (sites, data) = (folder.join("sites"), folder.join("data"));
    copy(&repository("sites"), &sites);
    share_compiled(&data);
    // Two of the first 64 generated articles are accepted by the journal, and not published yet.
    let options = ["--demo", "--demo-articles", "64"];
    let log = folder.join("log.txt");
    let host = Running::logging_to(std::fs::File::create(&log).unwrap().into(), &sites, &data, &options);
    for by in ["visits", "downloads"] {
        let windows = [3, 6, 12, 24, 36, 0].map(|months| ranked(&host, by, months));
        for counts in &windows {
            assert!(!counts.is_empty() && counts.is_sorted_by(|more, less| more >= less), "{by}: {windows:?}");
        }
        assert!(windows.is_sorted_by(|short, long| short[0] <= long[0]), "{by}: {windows:?}");
        assert!(windows[0][0] < windows[5][0], "{by}: {windows:?}");
    }
    let home = host.get("quietcircuits.localhost", "/en/home");
    assert_eq!(section(&home, "justAccepted").matches("class=\"headline\"").count(), 2, "{home}");
    let press = host.get("hsspress.localhost", "/en/home");
    let chart = section(&press, "statistics");
    // The categories of section 9 of the specification.
    for name in ["Books", "Journals", "Articles", "Issues", "Figures and tables", "Sheet music", "Local history"] {
        assert!(chart.contains(&format!("<th scope=\"row\">{name}</th>")), "{name}: {chart}");
    }
    let (before, found) = (ranked(&host, "visits", 0), found(&host));
    assert!(found > 0);
    // SIGKILL, then a restart with the same data folder: content and index are complete.
    drop(host);
    let log = std::fs::read_to_string(&log).unwrap();
    let mut lines = log.lines();
    assert!(lines.clone().any(|line| line.contains("demo content stored")), "{log}");
    let fault = lines.find(|line| line.contains("demo_content: ") && !line.contains(" INFO "));
    assert_eq!(fault, None, "content of the demo is complete");
    let again = Running::start(&sites, &data, &options);
    assert_eq!(ranked(&again, "visits", 0), before, "a later start counts nothing again");
    assert_eq!(self::found(&again), found);
}
