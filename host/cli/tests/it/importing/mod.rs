//! Import and export beyond single JATS files: other formats, packages, uploads, site bundles.

mod bundles;
mod corpus;
mod corrections;
mod import_kills;
mod ojs;
pub mod packages;
mod pictures;
#[cfg(target_os = "linux")]
mod processes;
mod references;
mod site_agreements;
mod site_comparisons;
mod site_copies;
mod site_databases;
mod site_kills;
mod site_replacements;
mod uploads;

use std::path::{Path, PathBuf};

use masthead_domain::{
    SiteId,
    resource::{Comment, CommentState},
};
use masthead_store::{SiteStore, Store};
use masthead_test_support::{masthead, repository, stderr, stdout, workspace};
use serde_json::Value;

const SITE: SiteId = SiteId(448);
/// The body of an article with a figure.
const FIGURE: &str = "<p>Text.</p><fig id=\"f1\"><label>Figure 1</label><graphic xlink:href=\"images/f1.png\"/></fig>";

/// A data folder and input files of one test.
struct Desk {
    folder: PathBuf,
    runtime: tokio::runtime::Runtime,
}

impl Desk {
    fn new(name: &str) -> Self {
        let folder = workspace(&format!("importing-{name}"));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Self { folder, runtime }
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// Runs `masthead import`; returns the JSON report and whether the exit code was 0.
    fn import(&self, format: &str, paths: &[&Path], more: &[&str]) -> (Value, bool) {
        let mut arguments = vec!["import", format];
        arguments.extend(paths.iter().map(|path| path.to_str().unwrap()));
        arguments.extend(["--site", "448", "--json"]);
        arguments.extend(more);
        let output = masthead(&repository("sites"), &self.data(), &arguments);
        let report = serde_json::from_str(&stdout(&output))
            .unwrap_or_else(|error| panic!("{error}: {} {}", stdout(&output), stderr(&output)));
        (report, output.status.success())
    }

    /// Works on the database.
    fn store<T>(&self, work: impl AsyncFnOnce(&Store) -> T) -> T {
        self.runtime.block_on(async {
            let store = Store::open_file(&self.data().join("masthead.db")).await.unwrap();
            let result = work(&store).await;
            store.close().await;
            result
        })
    }

    /// Runs a query on the site's content.
    fn read<T>(&self, read: impl AsyncFnOnce(SiteStore) -> T) -> T {
        self.store(async move |store: &Store| read(store.site(SITE)).await)
    }
}

/// Stores a comment on an article that readers see, and a setting of an administrator.
async fn add_comment_and_setting(site: &SiteStore, article: i64) {
    let comment =
        Comment { key: "c".into(), article, text: "Good.".into(), state: CommentState::Shown, ..Comment::default() };
    site.save_resource(&comment).await.unwrap();
    site.save_setting("colorId", Some(&serde_json::json!(3))).await.unwrap();
}

fn outcomes(report: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    report["items"].as_array().unwrap().iter().map(|item| (text(&item["kind"]), text(&item["outcome"]))).collect()
}

fn jats(doi: &str, title: &str, body: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<article xmlns:xlink=\"http://www.w3.org/1999/xlink\" xml:lang=\"en\"><front><journal-meta><journal-title-group><journal-title>Small</journal-title></journal-title-group></journal-meta><article-meta><article-id pub-id-type=\"doi\">{doi}</article-id><title-group><article-title>{title}</article-title></title-group><pub-date pub-type=\"epub\"><year>2026</year></pub-date><volume>1</volume><issue>2</issue></article-meta></front><body>{body}</body></article>"
    )
}
