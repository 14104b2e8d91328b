//! Hook results that are cached, and those that must not be.

use crate::common::{self, begin, chain, config, enable, link, paths, start};
use masthead_domain::{Lang, SiteId, link::LinkKind};
use masthead_runtime::{Chain, FirstAnswer, RequestContext, Runtime, hook_types::TranslationRequest};
use serde_json::json;

fn remembering() -> Runtime {
    let mut config = config();
    config.result_cache_bytes = 1 << 20;
    start(config)
}

/// Numbers of calls and of results from the cache.
fn counts(runtime: &Runtime, site: &str, hook: &str) -> (u64, u64) {
    let rows = runtime.hook_usage();
    let row = rows.iter().find(|row| row.site == site && row.hook == hook).expect("a row");
    assert_eq!(row.failures(), 0);
    (row.ok, row.cached)
}

async fn rewrite(chain: &Chain, path: &str) -> String {
    let links = begin(chain).rewrite_links(vec![link(LinkKind::ListArticle, path)]).await;
    paths(&links)[0].to_owned()
}

#[tokio::test]
async fn a_deterministic_plugin_is_called_once() {
    let runtime = remembering();
    let site = chain(&runtime, &[enable("hss-article", json!({}))]).await;
    for _ in 0..5 {
        assert_eq!(rewrite(&site, "article/1").await, "hssArticle/1");
    }
    assert_eq!(counts(&runtime, "demo", "links.rewrite"), (1, 4));
    assert_eq!(rewrite(&site, "article/2").await, "hssArticle/2");
    assert_eq!(counts(&runtime, "demo", "links.rewrite"), (2, 4));
    // Another page is another key, because a plugin may use language and route.
    let request = RequestContext { lang: Lang::En, ..common::request(&site) };
    site.begin(request).rewrite_links(vec![link(LinkKind::ListArticle, "article/1")]).await;
    assert_eq!(counts(&runtime, "demo", "links.rewrite"), (3, 4));
    // A chain that is built again from the same configuration keeps its cached results.
    let catalog = common::catalog(&runtime).await;
    let enabled = [enable("hss-article", json!({}))];
    let again = runtime.build_chain((SiteId(448), "demo"), &catalog, &enabled, Some(&site)).await;
    rewrite(&again, "article/1").await;
    assert_eq!(counts(&runtime, "demo", "links.rewrite"), (3, 5));
}

#[tokio::test]
async fn other_settings_and_other_sites_share_nothing() {
    let runtime = remembering();
    let catalog = common::catalog(&runtime).await;
    let site = chain(&runtime, &[enable("hss-article", json!({}))]).await;
    assert_eq!(rewrite(&site, "article/1").await, "hssArticle/1");
    let other = [enable("hss-article", json!({ "path": "paper" }))];
    let changed = runtime.build_chain((SiteId(448), "demo"), &catalog, &other, Some(&site)).await;
    assert_eq!(rewrite(&changed, "article/1").await, "paper/1");
    assert_eq!(counts(&runtime, "demo", "links.rewrite"), (2, 0));
    let elsewhere = runtime.build_chain((SiteId(1), "else"), &catalog, &other, None).await;
    assert_eq!(rewrite(&elsewhere, "article/1").await, "paper/1");
    assert_eq!(counts(&runtime, "else", "links.rewrite"), (1, 0));
}

#[tokio::test]
async fn plugins_that_are_not_deterministic_are_called_again() {
    let runtime = remembering();
    let site = chain(&runtime, &[enable("faulty", json!({ "fault": "good" }))]).await;
    for _ in 0..3 {
        assert_eq!(rewrite(&site, "a").await, "a/ok");
    }
    assert_eq!(counts(&runtime, "demo", "links.rewrite"), (3, 0));
    // A translation depends on its text only, whatever the plugin imports.
    for text in ["海", "海", "湖"] {
        let request = TranslationRequest { text: text.to_owned(), source: "zh".to_owned(), target: "en".to_owned() };
        let FirstAnswer::Answered(given) = begin(&site).translate(request).await else { panic!("a translation") };
        assert_eq!(given.text, text);
    }
    assert_eq!(counts(&runtime, "demo", "translate.translate"), (2, 1));
}

#[tokio::test]
async fn failures_and_refusals_are_not_cached() {
    let runtime = remembering();
    let site = chain(&runtime, &[enable("faulty", json!({ "fault": "refuse" }))]).await;
    for _ in 0..2 {
        rewrite(&site, "a").await;
    }
    let rows = runtime.hook_usage();
    let row = rows.iter().find(|row| row.hook == "links.rewrite").unwrap();
    assert_eq!((row.ok, row.cached, row.failed.clone()), (0, 0, vec![("refused".to_owned(), 2)]));
}
