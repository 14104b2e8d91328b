//! Canaries: a share of requests, comparison in the background, and failures without effect on pages.

use std::{
    sync::atomic::Ordering::SeqCst,
    time::{Duration, Instant},
};

use crate::common::{self, begin, chain, enable, link, paths, runtime};
use masthead_domain::{
    SiteId,
    link::LinkKind,
    plugin_use::{Canary, Grants, PluginUse},
};
use masthead_runtime::{CanaryStatus, Chain};
use serde_json::{Value, json};

fn with_canary(id: &str, settings: Value, share: u8, canary: Value) -> PluginUse {
    let canary = Canary { version: "*".to_owned(), share, settings: Some(canary), grants: None };
    PluginUse { canary: Some(canary), ..enable(id, settings) }
}

fn article(share: u8) -> PluginUse {
    with_canary("hss-article", json!({}), share, json!({ "path": "paper" }))
}

async fn rewrite(chain: &Chain, path: &str) -> String {
    let mut call = begin(chain);
    let links = call.rewrite_links(vec![link(LinkKind::ListArticle, path)]).await;
    assert!(call.outcome().is_complete(), "{:?}", call.outcome());
    paths(&links)[0].to_owned()
}

/// The report after this many comparisons, which run after the request.
async fn compared(chain: &Chain, calls: u64) -> CanaryStatus {
    let patience = Instant::now() + common::HANG;
    loop {
        let status = chain.canaries().remove(0);
        if status.compared + status.skipped >= calls || Instant::now() > patience {
            assert_eq!(status.compared, calls, "{status:?}");
            return status;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_share_of_the_requests_goes_to_the_canary() {
    let runtime = runtime();
    for (share, least, most) in [(0, 0, 0), (100, 2000, 2000), (50, 850, 1150), (7, 60, 240)] {
        let chain = chain(&runtime, &[enable("referrer-access", json!({ "hosts": ["a"] })), article(share)]).await;
        let drawn = (0..2000).map(|_| chain.draw()).filter(|drawn| *drawn != 0).collect::<Vec<_>>();
        assert!(drawn.iter().all(|drawn| *drawn == 0b10), "the second place of the chain is its bit");
        assert!((least..=most).contains(&drawn.len()), "{share} percent: {} of 2000", drawn.len());
    }
    // The result depends on the draw only.
    let chain = chain(&runtime, &[article(50)]).await;
    for (variant, path) in [(0, "hssArticle/1"), (1, "paper/1")] {
        let mut call = chain.begin(masthead_runtime::RequestContext { variant, ..common::request(&chain) });
        let links = call.rewrite_links(vec![link(LinkKind::ListArticle, "article/1")]).await;
        assert_eq!(paths(&links), [path]);
    }
}

#[tokio::test]
async fn differences_are_reported_with_their_input() {
    let runtime = runtime();
    let chain = chain(&runtime, &[article(0)]).await;
    assert_eq!(rewrite(&chain, "article/1").await, "hssArticle/1");
    let status = compared(&chain, 1).await;
    assert_eq!((status.site.as_str(), status.plugin.as_str(), status.share), ("demo", "hss-article", 0));
    assert_eq!((status.differed, status.failed, status.latest.len()), (1, 0, 1));
    let difference = &status.latest[0];
    assert_eq!(difference.hook, "links.rewrite");
    assert!(difference.input.contains("article/1"), "{difference:?}");
    assert!(difference.current.contains("hssArticle/1") && difference.canary.contains("paper/1"), "{difference:?}");
    // A link that both versions leave unchanged.
    assert_eq!(rewrite(&chain, "about").await, "about");
    let status = compared(&chain, 2).await;
    assert_eq!((status.differed, status.latest.len()), (1, 1));
    // The report is kept when a chain with the same canary is built again.
    let catalog = common::catalog(&runtime).await;
    let again = runtime.build_chain((SiteId(448), "demo"), &catalog, &[article(0)], Some(&chain)).await;
    assert_eq!(again.canaries(), chain.canaries());
}

#[tokio::test]
async fn the_version_in_use_is_compared_when_the_canary_serves() {
    let runtime = runtime();
    let chain = chain(&runtime, &[article(100)]).await;
    assert_eq!(rewrite(&chain, "article/1").await, "paper/1");
    let difference = compared(&chain, 1).await.latest.remove(0);
    assert!(difference.current.contains("hssArticle/1") && difference.canary.contains("paper/1"), "{difference:?}");
}

#[tokio::test]
async fn a_failing_canary_does_not_affect_the_page() {
    let runtime = runtime();
    for fault in ["trap", "loop", "memory", "scheme"] {
        let usage = with_canary("faulty", json!({ "fault": "good" }), 100, json!({ "fault": fault }));
        let chain = chain(&runtime, &[usage]).await;
        assert_eq!(rewrite(&chain, "a").await, "a/ok", "{fault}");
        assert_eq!(chain.canaries()[0].failed, 1, "{fault}");
    }
    // The same holds for a canary that is compared only.
    let usage = with_canary("faulty", json!({ "fault": "good" }), 0, json!({ "fault": "trap" }));
    let shadow = chain(&runtime, &[usage]).await;
    assert_eq!(rewrite(&shadow, "a").await, "a/ok");
    let status = compared(&shadow, 1).await;
    assert_eq!((status.failed, status.differed), (1, 1));
    assert!(status.latest[0].canary.contains("failed: trap"), "{status:?}");
}

#[tokio::test]
async fn a_comparison_writes_nothing_and_sends_no_request() {
    let mut config = common::config();
    // A server takes longer than a link may.
    config.budget_factor = 20_000.0;
    let runtime = common::start(config);
    let (origin, _, requests) = common::server().await;
    let grants = Grants { kv: true, private_http: vec![origin.clone()], ..Grants::default() };
    let settings = |fault: &str| json!({ "fault": fault, "address": origin });
    let act = PluginUse { grants: grants.clone(), ..with_canary("faulty", settings("none"), 0, settings("act")) };
    let shadow = chain(&runtime, &[act]).await;
    rewrite(&shadow, "a").await;
    let status = compared(&shadow, 1).await;
    assert_eq!((status.differed, status.failed, requests.load(SeqCst)), (0, 0, 0), "{status:?}");
    let probing = PluginUse { grants: grants.clone(), ..enable("faulty", json!({ "fault": "probe" })) };
    let acted = async || {
        let chain = chain(&runtime, &[PluginUse { ..probing.clone() }]).await;
        common::probe(&chain, "acted").await
    };
    assert_eq!(acted().await, masthead_runtime::FirstAnswer::Answered("None".to_owned()));
    // The version in use fails likewise.
    let real = chain(&runtime, &[PluginUse { grants, ..enable("faulty", settings("act")) }]).await;
    let mut call = begin(&real);
    call.rewrite_links(vec![link(LinkKind::Other, "a")]).await;
    assert_eq!(acted().await, masthead_runtime::FirstAnswer::Answered("Some(3)".to_owned()), "{:?}", call.outcome());
    assert_eq!(requests.load(SeqCst), 1);
}

#[tokio::test]
async fn a_canary_that_cannot_be_used_is_reported_and_otherwise_ignored() {
    let runtime = runtime();
    let catalog = common::catalog(&runtime).await;
    for (version, settings, expected) in [
        ("9", json!({}), "its canary 9 is not used: no version meets \"9\""),
        ("*", json!({ "paht": "x" }), "paht is not a setting"),
        ("*", json!({}), "it is the very version in use"),
    ] {
        let canary = Canary { version: version.to_owned(), share: 10, settings: Some(settings), grants: None };
        let usage = PluginUse { canary: Some(canary), ..enable("hss-article", json!({})) };
        let chain = runtime.build_chain((SiteId(448), "demo"), &catalog, &[usage], None).await;
        let [problem] = chain.problems() else { panic!("{:?}", chain.problems()) };
        assert!(problem.message.contains(expected), "{problem} should say {expected}");
        assert_eq!(rewrite(&chain, "article/1").await, "hssArticle/1");
        assert_eq!(chain.canaries(), []);
    }
}
