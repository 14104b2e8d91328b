//! What an operator relies on: imports that a full disk stops, redirects by command, a log that files can hold.

use std::{
    path::{Path, PathBuf},
    process::{Output, Stdio},
    time::Instant,
};

use masthead_content::import::{
    Format,
    job::{self, Job, JobState},
};
use masthead_domain::{Doi, SiteId};
use masthead_test_support::{HANG, copy, masthead, repository, share_compiled, stderr, stdout, workspace};
use serde_json::{Value, json};

use crate::{
    full_disk::{EIGHT_MB, on_a_small_disk},
    serve::Running,
    stored::with_store,
};

const SITE: SiteId = SiteId(448);

fn jats(number: usize, words: &str) -> String {
    format!(
        "<article xml:lang=\"en\"><front><journal-meta><journal-title-group><journal-title>Small</journal-title></journal-title-group>\
         </journal-meta><article-meta><article-id pub-id-type=\"doi\">10.5555/full.{number}</article-id><title-group><article-title>\
         Number {number}</article-title></title-group></article-meta></front><body><p>{words}</p></body></article>"
    )
}

/// Runs `masthead import jats` where no file may become larger than 8 MB: writing beyond it fails, as on a full disk.
fn import_on_a_small_disk(data: &Path, folder: &Path) -> Output {
    let arguments = ["import", "jats", folder.to_str().unwrap(), "--site", "448", "--json"];
    on_a_small_disk(EIGHT_MB, &repository("sites"), data, &arguments)
}

fn report(output: &Output) -> Value {
    serde_json::from_str(&stdout(output))
        .unwrap_or_else(|error| panic!("{error}: {} {}", stdout(output), stderr(output)))
}

/// The articles that a data folder has of those with these numbers.
fn stored(data: &Path, numbers: impl Iterator<Item = usize>) -> Vec<usize> {
    with_store(data, async |store| {
        let mut found = Vec::new();
        for number in numbers {
            let doi = Doi::parse(&format!("10.5555/full.{number}")).unwrap();
            if store.site(SITE).article_id_by_doi(&doi).await.unwrap().is_some() {
                found.push(number);
            }
        }
        found
    })
}

/// Imports eighty articles of which the fiftieth needs more room than there is, then again with room.
fn full_disk(name: &str, at: &str, write_large: impl FnOnce(&Path)) {
    let folder = workspace(name);
    let (data, files) = (folder.join("data"), folder.join("in"));
    std::fs::create_dir(&files).unwrap();
    for number in 0..80 {
        std::fs::write(files.join(format!("a{number:02}.xml")), jats(number, "Few words.")).unwrap();
    }
    write_large(&files);
    let output = import_on_a_small_disk(&data, &files);
    let made = report(&output);
    assert!(!output.status.success());
    assert_eq!(made["failed"], 0, "no item is reported for what concerns all: {made}");
    let created = made["created"].as_u64().unwrap();
    assert!((1..80).contains(&created), "it stops: {created}");
    let reason = made["stopped"].as_str().unwrap();
    for words in ["the import was stopped at", at, "is stored", "run the command again"] {
        assert!(reason.contains(words), "{words}: {reason}");
    }
    let said = stderr(&output);
    assert_eq!(said.matches("the import was stopped").count(), 1, "one sentence: {said}");
    let reported: Vec<usize> = made["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["doi"].as_str().unwrap().rsplit('.').next().unwrap().parse().unwrap())
        .collect();
    assert_eq!(stored(&data, reported.iter().copied()), reported, "what is reported is stored");

    let arguments = ["import", "jats", files.to_str().unwrap(), "--site", "448", "--json"];
    let again = report(&masthead(&repository("sites"), &data, &arguments));
    let sum = again["created"].as_u64().unwrap() + again["unchanged"].as_u64().unwrap();
    assert_eq!((sum, &again["failed"], again.get("stopped")), (80, &json!(0), None), "{again}");
    assert!(again["unchanged"].as_u64().unwrap() >= created);
}

#[test]
fn a_database_that_cannot_grow_stops_an_import_with_one_sentence() {
    // A batch is stored as a whole.
    full_disk("full-database", "a32.xml", |files| {
        std::fs::write(files.join("a50.xml"), jats(50, &"many words ".repeat(1 << 20))).unwrap();
    });
}

#[test]
fn a_file_that_cannot_be_stored_stops_an_import_with_one_sentence() {
    full_disk("full-folder", "a50.xml", |files| {
        let mut pdf = b"%PDF-1.7\n".to_vec();
        pdf.resize(9 << 20, b' ');
        std::fs::write(files.join("a50.pdf"), pdf).unwrap();
    });
}

#[test]
fn redirects_are_added_listed_and_removed_by_command() {
    let folder = workspace("redirect-command");
    let (data, files) = (folder.join("data"), folder.join("in"));
    std::fs::create_dir(&files).unwrap();
    std::fs::write(files.join("a.xml"), jats(1, "Words.")).unwrap();
    let run = |arguments: &[&str]| masthead(&repository("sites"), &data, arguments);
    let imported = report(&run(&["import", "jats", files.to_str().unwrap(), "--site", "448", "--json"]));
    let id = imported["items"][0]["article"].as_i64().unwrap();
    let redirect = |arguments: &[&str]| run(&[&["redirect"][..], arguments, &["--site", "oceanledger"]].concat());
    let listed = || report(&redirect(&["list", "--json"]));
    let old = "/index.php/small/article/view/7";

    let dry = redirect(&["add", old, "--doi", "10.5555/FULL.1", "--dry-run"]);
    assert!(stdout(&dry).contains("dry run"), "{}", stderr(&dry));
    assert_eq!(listed(), json!([]));
    let added = redirect(&["add", old, "--doi", "10.5555/full.1"]);
    assert_eq!(stdout(&added).trim(), format!("{old} -> article {id}"), "{}", stderr(&added));
    assert!(redirect(&["add", "/old/about", "--path", "/about"]).status.success());
    let replaced = report(&redirect(&["add", "/old/about", "--journal", "small", "--json"]));
    assert_eq!(replaced["before"], json!({ "from": "/old/about", "kind": "path", "target": "/about" }));
    let expected = json!([
        { "from": old, "kind": "article", "target": id.to_string() },
        { "from": "/old/about", "kind": "journal", "target": "small" },
    ]);
    assert_eq!(listed(), expected);
    assert!(stdout(&redirect(&["list"])).contains(&format!("{old} -> article {id}")));

    for (arguments, words) in [
        (&["add", "/x", "--article", "999"][..], "no article 999"),
        (&["add", "x", "--path", "/about"], "beginning with a slash"),
        (&["add", "/x", "--issue", "small"], "JOURNAL/YEAR/ISSUE"),
        (&["add", "/x", "--path", "/x"], "itself"),
        (&["add", "/x"], "--article"),
        (&["add", "/x", "--path", "/a", "--journal", "b"], "cannot be used with"),
        (&["remove", "/x"], "no redirect from /x"),
    ] {
        let refused = redirect(arguments);
        assert!(!refused.status.success() && stderr(&refused).contains(words), "{arguments:?}: {}", stderr(&refused));
    }
    assert!(redirect(&["remove", old, "--by", "grace"]).status.success());
    let audit = report(&run(&["audit", "list", "--site", "448", "--subject", "redirect", "--json"]));
    let lines: Vec<_> = audit.as_array().unwrap().iter().map(|line| (&line["action"], &line["subject"])).collect();
    let (removed, created, changed) = (json!("removed"), json!("created"), json!("changed"));
    let (article, about) = (json!(format!("redirect{old}")), json!("redirect/old/about"));
    assert_eq!(lines, [(&removed, &article), (&changed, &about), (&created, &about), (&created, &article)]);
    assert_eq!((&audit[0]["who"], &audit[0]["before"]["target"]), (&json!("grace"), &json!(id.to_string())));
    assert_eq!(listed().as_array().unwrap().len(), 1);
    assert_eq!(report(&run(&["redirect", "list", "--site", "905", "--json"])), json!([]), "another site's");
}

/// A host's folders, with an upload that waits for it.
fn office(name: &str) -> (PathBuf, PathBuf, PathBuf) {
    let folder = workspace(name);
    let (sites, data) = (folder.join("sites"), folder.join("data"));
    copy(&repository("sites"), &sites);
    share_compiled(&data);
    let id = job::new_id();
    let upload = job::folder(&data, &id).unwrap();
    std::fs::create_dir_all(&upload).unwrap();
    std::fs::write(upload.join("a.xml"), jats(1, "Words.")).unwrap();
    let name = "a.xml".to_owned();
    job::write(&upload, &Job { id, site_id: 448, name, format: Format::Jats, ..Job::default() }).unwrap();
    (sites, data, upload)
}

#[test]
fn the_log_in_a_file_has_plain_lines_for_requests_imports_and_the_stop() {
    for (name, option) in [("log-plain", &[][..]), ("log-json", &["--json"]), ("log-quiet", &["--no-access-log"])] {
        let (sites, data, upload) = office(name);
        let file = data.with_file_name("log");
        let log = Stdio::from(std::fs::File::create(&file).unwrap());
        let mut host = Running::logging_to(log, &sites, &data, option);
        assert!(host.get("plainpress.localhost", "/en/home").starts_with("HTTP/1.1 200"));
        let started = Instant::now();
        while job::read(&upload).unwrap().state != JobState::Done {
            assert!(started.elapsed() < HANG, "the import does not end");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        assert!(host.terminate().success());
        let log = std::fs::read_to_string(&file).unwrap();
        assert!(!log.contains('\u{1b}'), "{log}");
        for words in ["an import starts", "an import ended", "SIGTERM", "stopped"] {
            assert!(log.contains(words), "{name}: {words}: {log}");
        }
        assert_eq!(log.contains("/en/home"), name != "log-quiet", "{name}: {log}");
        if name == "log-json" {
            assert!(log.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{log}");
        }
    }
}
