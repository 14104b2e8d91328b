//! Administrators' calls about bundles of sites, backups and the search index.

use std::{
    io::{Cursor, Write as _},
    sync::LazyLock,
};

use masthead_domain::{Doi, SiteId};
use masthead_test_support::{Answer, Portal, Setup, until};
use masthead_web::{app::operator_work::BackupDone, auth::admin_tokens::Role};
use serde_json::{Value, json};
use zip::{ZipWriter, write::SimpleFileOptions};

const HOST: &str = "oceanledger.localhost";
const SITE: SiteId = SiteId(448);
const SEAGRASS: &str = "10.5555/ocl.2026.06.01.0001";
const EXPORT: &str = "/rc-pub/admin/bundle?siteId=448";
const LOAD: &str = "/rc-pub/admin/bundle?name=sent.tar.gz";
const LOADED: &str = "/rc-pub/admin/bundle/loaded";
const BACKUPS: &str = "/rc-pub/admin/backups";
const VERIFY: &str = "/rc-pub/admin/backups/verify";
const REINDEX: &str = "/rc-pub/admin/reindex";

/// A host with a token of a platform administrator.
struct Desk {
    portal: Portal,
    token: String,
}

/// With the demo.
static DEMO: LazyLock<Desk> = LazyLock::new(|| Desk::new("operator-work-demo", Setup::default()));
/// Without content.
static EMPTY: LazyLock<Desk> =
    LazyLock::new(|| Desk::new("operator-work-empty", Setup { bare: true, ..Setup::default() }));

impl Desk {
    fn new(name: &str, setup: Setup) -> Self {
        let portal = Portal::start(name, setup, |_| {});
        let token = portal.token("platform", Role::Admin, &[]);
        Self { portal, token }
    }

    fn ask(&self, method: &str, path: &str) -> Answer {
        let headers = [("token", self.token.as_str()), ("language", "en"), ("editor", "Ann")];
        self.portal.ask(method, HOST, path, &headers, "")
    }

    /// The bundle of the site; while it is being written, the call says so.
    fn export(&self) -> Vec<u8> {
        until("the bundle", || {
            let answer = self.ask("GET", EXPORT);
            if answer.status == 503 {
                assert_eq!(answer.header("retry-after"), "5");
                return None;
            }
            assert_eq!((answer.status, answer.header("content-type")), (200, "application/gzip"));
            assert_eq!(answer.header("content-disposition"), "attachment; filename=\"oceanledger.tar.gz\"");
            assert_eq!(answer.header("cache-control"), "private, no-store");
            Some(answer.bytes)
        })
    }

    /// Sends a bundle; the answer when the work has ended.
    fn load(&self, query: &str, bundle: &[u8]) -> Answer {
        let headers = [
            ("host", HOST),
            ("token", self.token.as_str()),
            ("language", "en"),
            ("editor", "Ann"),
            ("content-type", "application/octet-stream"),
        ];
        let answer = self.portal.send("POST", &format!("{LOAD}{query}"), &headers, bundle.to_vec());
        if answer.status != 202 {
            return answer;
        }
        until("the end of a load", || Some(self.ask("GET", LOADED)).filter(|answer| answer.status != 202))
    }

    /// What was done with the folder of backups, when it has ended.
    fn backup(&self, path: &str) -> Value {
        let answer = self.ask("POST", path);
        assert!([200, 202].contains(&answer.status), "{path}: {}", answer.text());
        until("the end of a backup", || {
            let work = data(&self.ask("GET", BACKUPS))["work"].clone();
            (!work["ended"].is_null()).then_some(work)
        })
    }

    /// The number of an article of the demo.
    fn seagrass(&self) -> Option<i64> {
        let doi = Doi::parse(SEAGRASS).unwrap();
        self.portal.run(self.portal.app.store.site(SITE).article_id_by_doi(&doi)).unwrap().map(|id| id.0)
    }

    fn settings(&self) -> Vec<(String, Value)> {
        self.portal.run(self.portal.app.store.site(SITE).settings()).unwrap()
    }

    /// The latest line of the audit trail about a subject.
    fn audited(&self, query: &str) -> Value {
        data(&self.ask("GET", &format!("/rc-pub/admin/audit?{query}")))[0].clone()
    }
}

fn data(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["data"].clone()
}

fn message(answer: &Answer) -> String {
    answer.json()["message"].as_str().unwrap().to_owned()
}

/// A package with these files.
fn package(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn a_site_that_another_host_has_loaded_differs_in_nothing_and_is_replaced_when_it_is_confirmed() {
    let (from, to) = (&*DEMO, Desk::new("operator-work-to", Setup { bare: true, ..Setup::default() }));
    let bundle = from.export();

    let dry = data(&to.load("", &bundle));
    assert_eq!((&dry["state"], &dry["site"]), (&json!("dry-run"), &json!("oceanledger")), "{dry}");
    assert!(dry["articles"].as_u64().unwrap() > 0, "{dry}");
    let articles = dry["tables"].as_array().unwrap().iter().find(|table| table["table"] == "articles").unwrap();
    assert_eq!((&articles["new"]["count"], &articles["removed"]["count"]), (&dry["articles"], &json!(0)), "{dry}");
    assert_eq!(articles["changed"], json!([]), "nothing is replaced: {dry}");
    assert_eq!(to.seagrass(), None, "nothing is changed");
    assert_eq!(data(&to.load("", &bundle)), dry);

    assert_eq!(data(&to.load("&apply=true", &bundle))["state"], "loaded");
    assert!(from.seagrass().is_some() && to.seagrass() == from.seagrass(), "the article has its number");
    let again = data(&to.load("", &bundle));
    assert_eq!((&again["tables"], &again["configuration"]), (&json!([]), &json!([])), "{again}");
    assert_eq!(data(&to.load("&apply=true", &bundle))["state"], "unchanged");
    let back = data(&from.load("", &to.export()));
    assert_eq!((&back["tables"], &back["configuration"]), (&json!([]), &json!([])), "{back}");
    let line = to.audited("siteId=448&subject=site/oceanledger");
    assert_eq!((&line["action"], &line["who"]), (&json!("loaded"), &json!("Ann (platform)")), "{line}");
    assert_eq!(line["after"]["bundle"], "sent.tar.gz", "{line}");

    to.portal.run(to.portal.app.store.site(SITE).save_setting("header.navStyle", Some(&json!(9)))).unwrap();
    for confirm in ["", "&confirm=0"] {
        let refused = to.load(&format!("&apply=true{confirm}"), &bundle);
        let envelope = refused.json();
        assert_eq!((refused.status, &envelope["data"]["state"]), (409, &json!("needs-replace")), "{envelope}");
        assert_eq!(envelope["data"]["tables"][0]["removed"]["count"], 1, "{envelope}");
        assert!(message(&refused).contains("nothing is changed"), "{envelope}");
        assert_eq!(to.settings().len(), 1, "nothing is changed");
    }
    let digest = data(&to.load("", &bundle))["digest"].as_str().unwrap().to_owned();
    assert_eq!(data(&to.load(&format!("&apply=true&confirm={digest}"), &bundle))["state"], "loaded");
    assert!(to.settings().is_empty());
}

#[test]
fn what_is_no_bundle_is_refused_with_its_fault_and_leaves_nothing_behind() {
    let bundle = DEMO.export();
    assert_eq!(EMPTY.ask("GET", LOADED).status, 404, "nothing was sent yet");
    for (bytes, why) in [
        (b"no bundle at all".to_vec(), "no bundle of a site"),
        (bundle[..bundle.len() / 2].to_vec(), "sent.tar.gz is damaged"),
        (package(&[("a.xml", "<article/>")]), "has no bundle.json"),
        (package(&[("bundle.json", "{\"version\": 99}")]), "use a newer Masthead"),
    ] {
        for query in ["", "&apply=true"] {
            let refused = EMPTY.load(query, &bytes);
            assert_eq!(refused.status, 400, "{why}: {}", refused.text());
            assert!(message(&refused).contains(why), "{why}: {}", refused.text());
            assert!(!message(&refused).contains("/sent-"), "where the host keeps it is nobody's concern");
            assert_eq!(message(&EMPTY.ask("GET", LOADED)), message(&refused));
        }
    }
    assert_eq!(EMPTY.seagrass(), None);
    let left = std::fs::read_dir(EMPTY.portal.app.data_folder.join("unpacked")).unwrap();
    assert_eq!(left.count(), 0, "neither what was sent nor what was unpacked");
}

#[test]
fn the_administrator_of_a_site_is_refused() {
    let token = EMPTY.portal.token("of-a-site", Role::Admin, &[SITE.0]);
    for (method, path) in [
        ("GET", EXPORT),
        ("POST", LOAD),
        ("GET", LOADED),
        ("GET", BACKUPS),
        ("POST", BACKUPS),
        ("POST", VERIFY),
        ("GET", REINDEX),
        ("POST", REINDEX),
    ] {
        let answer = EMPTY.portal.ask(method, HOST, path, &[("token", &token), ("language", "en")], "");
        assert_eq!(answer.status, 403, "{method} {path}: {}", answer.text());
        assert!(message(&answer).contains("whole installation"), "{method} {path}: {}", answer.text());
    }
}

#[test]
fn a_site_that_is_not_there_has_no_bundle() {
    assert_eq!(EMPTY.ask("GET", "/rc-pub/admin/bundle?siteId=1").status, 404);
}

#[test]
fn backups_are_made_in_the_folder_that_the_operator_names() {
    let work = &EMPTY.portal.app.operator_work;
    for (method, path) in [("GET", BACKUPS), ("POST", BACKUPS), ("POST", VERIFY)] {
        let refused = EMPTY.ask(method, path);
        assert_eq!(refused.status, 409, "{method} {path}: {}", refused.text());
        assert!(message(&refused).contains("masthead serve --backups DIR"), "{}", refused.text());
    }
    work.backups_are_in(EMPTY.portal.app.data_folder.join("backups"));
    let refused = EMPTY.ask("POST", BACKUPS);
    assert_eq!(refused.status, 409, "{}", refused.text());
    assert!(message(&refused).contains("which is to be backed up"), "{}", refused.text());

    let folder = EMPTY.portal.folder.join("backups");
    work.backups_are_in(folder.clone());
    let before = data(&EMPTY.ask("GET", BACKUPS));
    assert_eq!(before["backups"], json!([]));
    assert!(before["work"]["error"].as_str().unwrap().contains("which is to be backed up"), "{before}");
    assert_eq!(EMPTY.ask("POST", VERIFY).status, 404, "there is none yet");

    let made = EMPTY.backup(BACKUPS);
    assert_eq!(
        (&made["what"], &made["who"], &made["error"]),
        (&json!("backup"), &json!("Ann (platform)"), &Value::Null)
    );
    let second = EMPTY.backup(&format!("{BACKUPS}?secrets=true&full=true"));
    let names = [&made["backup"], &second["backup"]];
    let line = EMPTY.audited("subject=backup");
    assert_eq!(line["subject"], format!("backup/{}", names[1].as_str().unwrap()), "{line}");
    assert_eq!((&line["who"], &line["after"]["secrets"]), (&json!("Ann (platform)"), &json!(true)), "{line}");

    std::fs::write(folder.join("backups/torn.json"), "{").unwrap();
    let listed = data(&EMPTY.ask("GET", BACKUPS))["backups"].clone();
    let of = |at: usize, key: &str| listed[at]["contents"][key].clone();
    assert_eq!([&listed[0]["name"], &listed[1]["name"], &listed[2]["name"]], [names[0], names[1], &json!("torn")]);
    assert_eq!([of(0, "articles"), of(0, "secrets"), of(1, "secrets")], [json!(0), json!(false), json!(true)]);
    assert!(listed[2]["damaged"].is_string() && listed[2]["contents"].is_null(), "{listed}");

    let one = EMPTY.backup(&format!("{VERIFY}?name={}", names[0].as_str().unwrap()))["verified"].clone();
    assert_eq!((&one[0]["name"], &one[0]["problems"], &one[1]), (names[0], &json!([]), &Value::Null), "{one}");
    let all = EMPTY.backup(VERIFY)["verified"].clone();
    assert_eq!((all.as_array().unwrap().len(), &all[1]["problems"]), (3, &json!([])), "{all}");
    assert!(!all[2]["problems"].as_array().unwrap().is_empty(), "{all}");
    assert_eq!(EMPTY.ask("POST", &format!("{VERIFY}?name=none")).status, 404);
    one_at_a_time();
}

/// While something is done with the folder, nothing else is, and the backups are listed.
fn one_at_a_time() {
    let work = &EMPTY.portal.app.operator_work;
    let (go, gone) = tokio::sync::oneshot::channel::<()>();
    let begun = EMPTY.portal.run(async {
        let wait = move || async move {
            gone.await?;
            anyhow::Ok(BackupDone::default())
        };
        work.backup.begin(("backup", "tests"), wait).unwrap()
    });
    for path in [BACKUPS, VERIFY] {
        let refused = EMPTY.ask("POST", path);
        assert_eq!(refused.status, 409, "{path}: {}", refused.text());
        assert!(message(&refused).contains("is being written or verified"), "{}", refused.text());
    }
    let listed = data(&EMPTY.ask("GET", BACKUPS));
    assert_eq!((&listed["work"]["who"], &listed["work"]["ended"]), (&json!("tests"), &Value::Null), "{listed}");
    assert_eq!(listed["backups"].as_array().unwrap().len(), 3, "{listed}");
    go.send(()).unwrap();
    EMPTY.portal.run(begun.end());
    assert!(!data(&EMPTY.ask("GET", BACKUPS))["work"]["ended"].is_null());
}

#[test]
fn the_search_index_is_built_again_beside_the_one_that_is_searched() {
    let live = || DEMO.portal.app.served_index.folder().live().unwrap();
    let hits = || {
        let found = DEMO.portal.get("oceanledger", "/rc-pub/front/search?q=seagrass");
        data(&found)["totalElements"].as_u64().unwrap()
    };
    let (number, before) = (live(), hits());
    assert!(before > 0);
    assert_eq!(data(&DEMO.ask("GET", REINDEX)), Value::Null, "none was built by a call yet");
    let answer = DEMO.ask("POST", REINDEX);
    assert!([200, 202].contains(&answer.status), "{}", answer.text());
    let built = until("the new index", || {
        let view = data(&DEMO.ask("GET", REINDEX));
        (!view["ended"].is_null()).then_some(view)
    });
    assert_eq!((&built["error"], &built["index"], live()), (&Value::Null, &json!(number + 1), number + 1), "{built}");
    assert!(built["changes"].as_i64().unwrap() > 0 && built["changes"] == built["of"], "{built}");
    assert!(built["seconds"].is_f64() && built["who"] == "Ann (platform)", "{built}");
    assert_eq!(hits(), before);
    let line = DEMO.audited("subject=search%20index");
    assert_eq!((&line["who"], &line["after"]["index"]), (&json!("Ann (platform)"), &built["index"]), "{line}");
}
