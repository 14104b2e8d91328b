//! Imports a corpus of real articles and requests the page of each.

use std::path::{Path, PathBuf};

use masthead_domain::{ArticleId, SiteId};
use masthead_test_support::{Portal, Setup, bootstrap, masthead, repository, stderr, stdout, workspace};
use serde_json::Value;

/// The folder of the corpus: `MASTHEAD_TEST_DATA`, or a folder next to the checkout. The corpus is not part of the project.
fn corpus() -> Option<PathBuf> {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("MASTHEAD_TEST_DATA").map_or_else(default, PathBuf::from);
    folder.join("jats").is_dir().then_some(folder)
}

#[test]
fn every_article_of_the_corpus_is_imported_and_has_a_page() {
    let Some(corpus) = corpus() else {
        println!("skipped: there is no corpus of real articles (MASTHEAD_TEST_DATA names its folder)");
        return;
    };
    let data = workspace("corpus-data");
    let folders = ["jats", "zh-chinaxiv", "images"].map(|name| corpus.join(name));
    let mut arguments = vec!["import", "jats", "--site", "448", "--json"];
    arguments.extend(folders.iter().filter(|folder| folder.is_dir()).map(|folder| folder.to_str().unwrap()));
    let output = masthead(&repository("sites"), &data, &arguments);
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    let failed: Vec<_> = report["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|item| item["outcome"] == "failed")
        .map(|item| format!("{}: {}", item["path"], item["error"]))
        .collect();
    assert_eq!(failed, Vec::<String>::new());
    assert!(output.status.success());
    let ids: std::collections::BTreeMap<i64, &str> = report["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| (item["article"].as_i64().unwrap(), item["path"].as_str().unwrap()))
        .collect();
    println!("{} files, {} articles in {} s", report["items"].as_array().unwrap().len(), ids.len(), report["seconds"]);
    assert!(ids.len() >= 199, "{}", ids.len());

    let portal = Portal::start("corpus", Setup { bare: true, data: Some(data), ..Setup::default() }, |_| {});
    for (id, path) in &ids {
        let answer = portal.get("oceanledger", &format!("/en/article/{id}"));
        assert_eq!(answer.status, 200, "{path}");
        let page = answer.text();
        let frame = bootstrap(&page);
        let stored = portal.run(portal.app.store.site(SiteId(448)).article(ArticleId(*id))).unwrap().unwrap();
        let title = stored.meta.title("en").to_owned();
        assert!(!title.trim().is_empty(), "{path} has no title");
        assert_eq!(frame["page"]["title"].as_str(), Some(title.as_str()), "{path}");
        let text = html_escape::decode_html_entities(&page).into_owned();
        assert!(text.contains(&title), "{path}: {title}");
        for tag in masthead_test_support::tags(&page) {
            let wrong = tag.attributes.iter().any(|(name, _)| name == "style" || name.starts_with("on"));
            assert!(!wrong, "{path}: {tag:?}");
        }
        if let Some(doi) = &stored.meta.doi {
            let by_doi = portal.get(
                "oceanledger",
                &format!("/en/{}", masthead_domain::route::Route::ArticleByDoi(doi.clone()).path()),
            );
            assert_eq!(by_doi.status, 200, "{path}: {doi}");
        }
    }
    let found = portal.get("oceanledger", "/rc-pub/front/search?q=patients&size=100").json();
    assert!(found["data"]["totalElements"].as_u64() > Some(5), "{found}");
    for list in ["/zh/home", "/zh/issues", "/en/onlineFirst", "/en/justAccepted", "/en/about"] {
        assert_eq!(portal.get("oceanledger", list).status, 200, "{list}");
    }
}
