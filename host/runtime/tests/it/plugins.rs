//! Every first-party plugin, with the component that is shipped.

use crate::common::{self, begin, chain, enable, link, paths, runtime};
use masthead_domain::{
    SiteId,
    access::{AccessRequest, Permissions},
    link::LinkKind,
    plugin_use::PluginUse,
};
use masthead_runtime::{Hook, Vary};
use serde_json::json;

#[tokio::test]
async fn hss_article_changes_links_to_articles_only() {
    let runtime = runtime();
    let chain = chain(&runtime, &[enable("hss-article", json!({}))]).await;
    let mut call = begin(&chain);
    let given = vec![
        link(LinkKind::ListArticle, "article/17"),
        link(LinkKind::ResultArticle, "article"),
        link(LinkKind::ResultArticle, "article/doi/10.5555/a..b:c"),
        link(LinkKind::ListArticle, "articles/17"),
        link(LinkKind::Menu, "article/17"),
        link(LinkKind::Other, "article/17"),
    ];
    let links = call.rewrite_links(given.clone()).await;
    assert_eq!(
        paths(&links),
        ["hssArticle/17", "hssArticle", "hssArticle/doi/10.5555/a..b:c", "articles/17", "article/17", "article/17"]
    );
    for (before, after) in given.iter().zip(&links) {
        assert_eq!((before.kind, &before.query), (after.kind, &after.query));
    }
    assert!(call.outcome().is_complete());
    assert_eq!((chain.vary(), chain.has_hook(Hook::Links), chain.has_hook(Hook::Layout)), (Vary::Nothing, true, false));
}

#[tokio::test]
async fn hss_article_takes_its_path_from_the_site() {
    let runtime = runtime();
    let chain = chain(&runtime, &[enable("hss-article", json!({ "path": "paper" }))]).await;
    let links = begin(&chain).rewrite_links(vec![link(LinkKind::ListArticle, "article/1")]).await;
    assert_eq!(paths(&links), ["paper/1"]);
}

#[tokio::test]
async fn friendship_links_fills_the_footer() {
    let runtime = runtime();
    let name = json!({ "zh": "中国科学院", "en": "CAS" });
    let links =
        json!([{ "name": name, "address": "https://www.cas.cn/" }, { "name": name, "address": "javascript:alert(1)" }]);
    let chain = chain(&runtime, &[enable("friendship-links", json!({ "links": links }))]).await;
    let mut call = begin(&chain);
    let [row] = &call.contribute_layout().await[..] else { panic!("one row") };
    assert_eq!((row.slot.as_str(), row.module.as_str()), ("footer.rows", "footer-friendship-links"));
    let title = json!({ "zh": "友情链接", "en": "Friendship links" });
    assert_eq!(row.props, json!({ "title": title, "links": [{ "name": name, "address": "https://www.cas.cn/" }] }));
    assert!(call.outcome().is_complete());
}

#[tokio::test]
async fn referrer_access_opens_full_texts_for_the_listed_hosts() {
    let runtime = runtime();
    let chain =
        chain(&runtime, &[enable("referrer-access", json!({ "hosts": ["a.example.org", "b.example.org"] }))]).await;
    assert_eq!(chain.vary(), Vary::Referrer);
    let closed = Permissions { visit_power: false, download_power: false };
    for (referrer, visit_power) in [
        ("https://a.example.org/page", true),
        ("http://sub.b.example.org:8080", true),
        ("https://evil.example/?a.example.org", false),
        ("https://a.example.org.evil.example/", false),
        ("https://a.example.org@evil.example/", false),
        ("", false),
    ] {
        let request = AccessRequest { referrer: referrer.to_owned(), permissions: closed, ..AccessRequest::default() };
        let decided = begin(&chain).decide_access(request).await;
        assert_eq!(decided, Permissions { visit_power, download_power: false }, "{referrer}");
    }
    let open = AccessRequest::default();
    assert_eq!(begin(&chain).decide_access(open).await, Permissions::default());
}

#[tokio::test]
async fn plugins_of_one_site_are_combined_in_one_request() {
    let runtime = runtime();
    let friends = json!({ "links": [{ "name": { "en": "A" }, "address": "https://a.example/" }] });
    let enabled = [
        enable("hss-article", json!({})),
        enable("friendship-links", friends),
        enable("referrer-access", json!({ "hosts": ["a.example"] })),
    ];
    let chain = chain(&runtime, &enabled).await;
    let mut call = begin(&chain);
    for round in 0..20 {
        let links = call.rewrite_links(vec![link(LinkKind::ListArticle, &format!("article/{round}"))]).await;
        assert_eq!(paths(&links), [format!("hssArticle/{round}")]);
        assert_eq!(call.contribute_layout().await.len(), 1);
        assert!(call.decide_access(AccessRequest::default()).await.visit_power);
    }
    assert!(call.outcome().is_complete());
    let status = chain.status();
    assert_eq!(
        status.iter().map(|plugin| plugin.id.as_str()).collect::<Vec<_>>(),
        ["hss-article", "friendship-links", "referrer-access"]
    );
    assert!(status.iter().all(|plugin| plugin.open_for.is_none() && plugin.digest.starts_with("sha256:")));
}

#[tokio::test]
async fn a_site_without_plugins_costs_nothing() {
    let runtime = runtime();
    let chain = chain(&runtime, &[]).await;
    let given = vec![link(LinkKind::ListArticle, "article/1")];
    let mut call = begin(&chain);
    assert_eq!(call.rewrite_links(given.clone()).await, given);
    assert!(chain.is_empty() && call.contribute_layout().await.is_empty());
}

#[tokio::test]
async fn faulty_settings_versions_and_names_are_reported() {
    let runtime = runtime();
    let catalog = common::catalog(&runtime).await;
    let with = |id: &str, version: &str, settings| PluginUse { version: version.to_owned(), ..enable(id, settings) };
    let digest = catalog.find("hss-article", "*").unwrap().digest();
    for (enabled, expected) in [
        (with("referrer-access", "0.1", json!({})), "hosts is missing"),
        (with("referrer-access", "0.1", json!({ "hosts": "a" })), "hosts is \"a\"; it has to be \"array\""),
        (with("hss-article", "0.1", json!({ "paht": "x" })), "paht is not a setting; known are path"),
        (with("hss-article", "7", json!({})), "no version meets \"7\"; there is 0.1.0"),
        (with("hss-article", "new", json!({})), "cannot be read"),
        (with("hss-article", &format!("sha256:{}", "0".repeat(64)), json!({})), "no version meets"),
        (with("no-such", "*", json!({})), "no such plugin; there are adcs-statistics, ai-assistant"),
    ] {
        let chain = runtime.build_chain((SiteId(1), "demo"), &catalog, std::slice::from_ref(&enabled), None).await;
        let [problem] = chain.problems() else { panic!("{enabled:?} should be a problem") };
        assert!(problem.message.contains(expected), "{problem} should say {expected}");
        assert!(chain.is_empty());
    }
    let pinned = with("hss-article", &digest, json!({}));
    assert_eq!(
        runtime.build_chain((SiteId(1), "demo"), &catalog, std::slice::from_ref(&pinned), None).await.problems(),
        []
    );
    let twice = runtime.build_chain((SiteId(1), "demo"), &catalog, &[pinned.clone(), pinned], None).await;
    assert_eq!((twice.status().len(), twice.problems().len()), (1, 1));
}

#[tokio::test]
async fn a_fingerprint_changes_with_settings_and_not_with_rebuilding() {
    let runtime = runtime();
    let one = chain(&runtime, &[enable("hss-article", json!({}))]).await.fingerprint();
    let same = chain(&runtime, &[enable("hss-article", json!({ "path": "hssArticle" }))]).await.fingerprint();
    let other = chain(&runtime, &[enable("hss-article", json!({ "path": "x" }))]).await.fingerprint();
    assert_eq!(one, same);
    assert_ne!(one, other);
}

#[tokio::test]
async fn reloading_reuses_unchanged_plugins() {
    let runtime = runtime();
    let first = runtime.load_catalog(&[common::dist()]).await;
    let second = runtime.load_catalog(&[common::dist()]).await;
    assert!(first.plugins().count() >= 3);
    for (before, after) in first.plugins().zip(second.plugins()) {
        assert!(std::sync::Arc::ptr_eq(before, after), "{before:?}");
    }
}

#[tokio::test]
async fn the_template_is_a_working_plugin() {
    let runtime = runtime();
    let mut catalog = common::catalog(&runtime).await;
    catalog.insert(common::plugin(&runtime, &common::test_dist().join("template-links")));
    let enabled = [enable("my-plugin", json!({ "from": "my-plugin" }))];
    let chain = runtime.build_chain((SiteId(1), "demo"), &catalog, &enabled, None).await;
    assert_eq!(chain.problems(), []);
    let links = begin(&chain).rewrite_links(vec![link(LinkKind::ResultArticle, "article/1")]).await;
    assert_eq!(links[0].query[1], ("from".to_owned(), "my-plugin".to_owned()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_requests_than_instances_wait_for_their_turn() {
    let mut config = common::config();
    config.max_concurrent_instances = 4;
    let runtime = common::start(config);
    let friends = json!({ "links": [{ "name": { "en": "A" }, "address": "https://a.example/" }] });
    let chain = chain(&runtime, &[enable("hss-article", json!({})), enable("friendship-links", friends)]).await;
    let requests = (0..200).map(|_| {
        let chain = chain.clone();
        tokio::spawn(async move {
            let mut call = begin(&chain);
            let links = call.rewrite_links(vec![link(LinkKind::ListArticle, "article/1")]).await;
            tokio::task::yield_now().await;
            let rows = call.contribute_layout().await;
            (links, rows.len(), call.outcome().clone())
        })
    });
    for request in requests.collect::<Vec<_>>() {
        let (links, rows, outcome) = request.await.unwrap();
        assert_eq!((paths(&links), rows), (vec!["hssArticle/1"], 1), "{outcome:?}");
    }
}
