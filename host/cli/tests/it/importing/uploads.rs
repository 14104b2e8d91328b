//! Uploads by administrators over HTTP.

use std::sync::Arc;

use masthead_content::import::{FileObserver, InProcess, job};
use masthead_store::RedirectTarget;
use serde_json::Value;

use super::{SITE, jats, packages};
use masthead_test_support::{Portal, Setup, masthead, repository, stdout};

fn portal() -> &'static Portal {
    static PORTAL: std::sync::OnceLock<Portal> = std::sync::OnceLock::new();
    PORTAL.get_or_init(|| {
        let portal = Portal::start("importing-uploads", Setup { bare: true, ..Setup::default() }, |_| {});
        let app = Arc::clone(&portal.app);
        let (store, data) = (app.store.clone(), app.data_folder.clone());
        portal.run(async {
            let runner = InProcess { store, data: data.clone(), reading: FileObserver::default() };
            drop(tokio::spawn(job::run(runner, data, Arc::clone(&app.uploads), std::future::pending())))
        });
        portal
    })
}

fn token() -> String {
    static TOKEN: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    let made = TOKEN.get_or_init(|| {
        let data = portal().folder.join("data");
        let output = masthead(&portal().folder.join("sites"), &data, &["token", "create", "uploads"]);
        stdout(&output).trim().to_owned()
    });
    made.clone()
}

fn call(method: &str, path: &str, token: &str, body: Vec<u8>) -> (u16, Value) {
    let headers = [("token", token), ("language", "en"), ("content-type", "application/octet-stream")];
    let answer = portal().send(method, path, &headers, body);
    (answer.status, answer.json())
}

/// Waits until a job has ended, and returns its report.
fn finished(id: &str) -> Value {
    let mut report = Value::Null;
    portal().wait("the upload is imported", || {
        report = call("GET", &format!("/rc-pub/admin/import/{id}"), &token(), Vec::new()).1;
        ["done", "failed", "set-aside"].contains(&report["data"]["job"]["state"].as_str().unwrap())
    });
    report["data"].clone()
}

#[test]
fn an_upload_is_imported_and_reported() {
    let article = jats("10.5555/upload.1", "Sent", "<p>Uploaded words.</p>");
    let package = packages::tar_gz(&[("a.xml", article.as_bytes()), ("b.xml", b"<article><front>")]);
    let path = "/rc-pub/admin/import?siteId=448&name=../issue%201.tar.gz";
    let (status, sent) = call("POST", path, &token(), package);
    assert_eq!((status, sent["status"].as_i64()), (202, Some(0)), "{sent}");
    assert_eq!(sent["data"]["name"], "issue_1.tar.gz");
    let report = finished(sent["data"]["id"].as_str().unwrap());
    assert_eq!((report["job"]["created"].as_i64(), report["job"]["failed"].as_i64()), (Some(1), Some(1)), "{report}");
    let failed = report["items"].as_array().unwrap().iter().find(|item| item["outcome"] == "failed").unwrap();
    assert_eq!(failed["path"], "issue_1.tar.gz/b.xml", "the report contains no path of the server");
    assert!(failed["line"].is_u64());
    assert!(portal().article("oceanledger", "10.5555/upload.1") > 0);
    let jobs = call("GET", "/rc-pub/admin/import", &token(), Vec::new()).1;
    assert!(jobs["data"].as_array().unwrap().iter().any(|job| job["id"] == sent["data"]["id"]));
    let rest = call(
        "GET",
        &format!("/rc-pub/admin/import/{}?skip=1", sent["data"]["id"].as_str().unwrap()),
        &token(),
        Vec::new(),
    )
    .1;
    assert_eq!(rest["data"]["items"].as_array().unwrap().len(), 1);
}

#[test]
fn an_upload_of_an_ojs_export_redirects_the_addresses_that_its_journal_had() {
    let export = std::fs::read(repository("host/cli/tests/fixtures/ojs/3.3/issues.xml")).unwrap();
    let path = |more: &str| format!("/rc-pub/admin/import?siteId=448&name=issues.xml&{more}");
    let old = "oldAddress=https%3A%2F%2Fferry.example%2Findex.php%2Fferry%2F,%20%2Farchive%2Fferry";
    for (more, words) in [
        ("format=ojs&oldAddress=ferry", "no address of a journal"),
        (&*format!("format=jats&{old}"), "belongs to an export of OJS"),
    ] {
        let (status, answer) = call("POST", &path(more), &token(), export.clone());
        assert!(status == 400 && answer["message"].as_str().unwrap().contains(words), "{more}: {answer}");
    }
    let (status, sent) = call("POST", &path(&format!("format=ojs&{old}")), &token(), export);
    assert_eq!(status, 202, "{sent}");
    let id = sent["data"]["id"].as_str().unwrap();
    let report = finished(id);
    assert_eq!(report["job"]["failed"], 0, "{report}");
    let given = ["https://ferry.example/index.php/ferry/", "/archive/ferry"];
    let folder = job::folder(&portal().app.data_folder, id).unwrap();
    assert_eq!(job::read(&folder).unwrap().old_addresses, given, "they are kept with the job for another attempt");
    assert_eq!(report["job"]["oldAddresses"], serde_json::json!(given));
    for journal in ["/index.php/ferry", "/archive/ferry"] {
        let from = format!("{journal}/article/view/20");
        let to = portal().run(async { portal().app.store.redirect(SITE, &from).await.unwrap() });
        assert!(matches!(to, Some(RedirectTarget::Article(_))), "{from}: {to:?}");
    }
}

#[test]
fn a_dry_run_stores_nothing_and_large_uploads_are_accepted() {
    // Larger than the body limit of the public API.
    let body = "<p>Words and more words.</p>".repeat(100_000);
    let article = jats("10.5555/upload.2", "Large", &body);
    let path = "/rc-pub/admin/import?siteId=448&name=a.xml&dryRun=true";
    let (status, sent) = call("POST", path, &token(), article.into_bytes());
    assert_eq!(status, 202, "{sent}");
    let report = finished(sent["data"]["id"].as_str().unwrap());
    assert_eq!(report["job"]["valid"], 1, "{report}");
    let found = portal().get("oceanledger", "/zh/article/doi/10.5555/upload.2");
    assert_eq!(found.status, 404);
}

#[test]
fn uploads_require_the_administrators_token() {
    let path = "/rc-pub/admin/import?siteId=448&name=a.xml";
    for wrong in ["", "x", &token()[1..]] {
        let (status, answer) = call("POST", path, wrong, b"<article/>".to_vec());
        assert_eq!((status, answer["status"].as_i64()), (401, Some(401)), "{answer}");
    }
    assert_eq!(call("GET", "/rc-pub/admin/import", "", Vec::new()).0, 401);
    for odd in ["x", "..%2F..%2Fetc", &"0".repeat(32)] {
        assert_eq!(call("GET", &format!("/rc-pub/admin/import/{odd}"), &token(), Vec::new()).0, 404, "{odd}");
    }
    for (path, status) in [
        ("/rc-pub/admin/import?siteId=1&name=a.xml", 404),
        ("/rc-pub/admin/import?siteId=x&name=a.xml", 400),
        ("/rc-pub/admin/import?siteId=448", 400),
        ("/rc-pub/admin/import?siteId=448&name=a&format=odd", 400),
    ] {
        let (answered, answer) = call("POST", path, &token(), Vec::new());
        assert_eq!((answered, answer["status"].as_i64()), (status, Some(i64::from(status))), "{path}: {answer}");
    }
    // The API of administrators does not exist under a site's path.
    assert_eq!(
        portal().send("GET", "/oceanledger/rc-pub/admin/import", &[("token", &token())], Vec::new()).status,
        404
    );
}
