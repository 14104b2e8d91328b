//! Hooks with the shape `first`, and hooks of a single plugin.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use crate::common::{self, begin, chain, config, enable, link, probe, runtime, test_dist, variant};
use masthead_domain::{
    SiteId,
    link::LinkKind,
    plugin_use::{Grants, PluginUse},
};
use masthead_runtime::{
    Chain, FirstAnswer, Hook, HostServices, Runtime,
    hook_types::{PluginEvent, TranslationFailure, TranslationRequest},
};
use serde_json::json;

async fn translated(chain: &Chain) -> FirstAnswer<String, TranslationFailure> {
    let request = TranslationRequest { text: "海".to_owned(), source: "zh".to_owned(), target: "en".to_owned() };
    match begin(chain).translate(request).await {
        FirstAnswer::Answered(translation) => FirstAnswer::Answered(translation.text),
        FirstAnswer::Refused(failure) => FirstAnswer::Refused(failure),
        FirstAnswer::Failed => FirstAnswer::Failed,
        FirstAnswer::NoPlugin => FirstAnswer::NoPlugin,
    }
}

async fn told(chain: &Chain, plugin: &str) -> FirstAnswer<()> {
    let text = String::from;
    let (id, kind, time, subject) = (text("e"), text("article.published"), text("2026-01-01T00:00:00Z"), text("1"));
    begin(chain).notify(plugin, PluginEvent { id, kind, time, subject, article: None, attempt: 1 }).await
}

/// A site with the plugins `first` and `second`, each with its fault.
async fn two(runtime: &Runtime, faults: [&str; 2]) -> Chain {
    let mut catalog = common::catalog(runtime).await;
    catalog.insert(variant(runtime, &test_dist().join("faulty"), &[("id = \"faulty\"", "id = \"second\"")]));
    let enabled = [enable("faulty", json!({ "fault": faults[0] })), enable("second", json!({ "fault": faults[1] }))];
    let chain = runtime.build_chain((SiteId(448), "demo"), &catalog, &enabled, None).await;
    assert_eq!(chain.problems(), []);
    chain
}

#[tokio::test]
async fn the_first_answer_counts() {
    let runtime = runtime();
    let given = || FirstAnswer::Answered("海".to_owned());
    let refused = || FirstAnswer::Refused(TranslationFailure::Other("not today".to_owned()));
    for (faults, wanted) in [
        (["none", "trap"], given()),
        (["trap", "none"], given()),
        (["refuse", "none"], given()),
        (["off", "none"], given()),
        (["trap", "trap"], FirstAnswer::Failed),
        (["off", "off"], FirstAnswer::NoPlugin),
        (["off", "trap"], FirstAnswer::Failed),
        (["trap", "off"], FirstAnswer::Failed),
        (["trap", "refuse"], refused()),
        (["refuse", "off"], refused()),
    ] {
        assert_eq!(translated(&two(&runtime, faults).await).await, wanted, "{faults:?}");
    }
    let without = chain(&runtime, &[enable("hss-article", json!({}))]).await;
    assert_eq!(translated(&without).await, FirstAnswer::NoPlugin);
}

#[tokio::test]
async fn addresses_and_events_belong_to_one_plugin() {
    let runtime = runtime();
    for (fault, page, event) in [
        ("none", FirstAnswer::Answered("x".to_owned()), FirstAnswer::Answered(())),
        ("trap", FirstAnswer::Failed, FirstAnswer::Failed),
        ("cookie", FirstAnswer::Failed, FirstAnswer::Answered(())),
        ("refuse", FirstAnswer::Refused("not today".to_owned()), FirstAnswer::Refused("not today".to_owned())),
    ] {
        let chain = two(&runtime, [fault, "none"]).await;
        assert_eq!((probe(&chain, "x").await, told(&chain, "faulty").await), (page, event), "{fault}");
        assert_eq!(told(&chain, "second").await, FirstAnswer::Answered(()));
        assert_eq!(chain.with_hook(Hook::Events), ["faulty", "second"]);
    }
    let without = chain(&runtime, &[enable("hss-article", json!({}))]).await;
    assert_eq!(
        (probe(&without, "x").await, told(&without, "hss-article").await),
        (FirstAnswer::NoPlugin, FirstAnswer::NoPlugin)
    );
    assert_eq!(told(&without, "nobody").await, FirstAnswer::NoPlugin);
}

#[tokio::test]
async fn settings_are_refused_with_the_plugins_message() {
    let runtime = runtime();
    let mut catalog = common::catalog(&runtime).await;
    catalog.insert(common::plugin(&runtime, &test_dist().join("template-settings")));
    let build = async |first: i32, last: i32| {
        let enabled = [enable("my-plugin", json!({ "first": first, "last": last })), enable("hss-article", json!({}))];
        runtime.build_chain((SiteId(448), "demo"), &catalog, &enabled, None).await
    };
    assert_eq!(build(2000, 2020).await.problems(), []);
    let chain = build(2020, 2000).await;
    let [problem] = chain.problems() else { panic!("{:?}", chain.problems()) };
    assert!(problem.message.contains("last: 2000 is before first, 2020"), "{problem}");
    // The other plugins are used.
    let links = begin(&chain).rewrite_links(vec![link(LinkKind::ListArticle, "article/1")]).await;
    assert_eq!(common::paths(&links), ["hssArticle/1"]);
}

#[tokio::test]
async fn unchanged_members_are_taken_over_with_their_connections() {
    let rolled = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&rolled);
    let random = Arc::new(move |bytes: &mut [u8]| {
        counter.fetch_add(1, SeqCst);
        bytes.fill(7);
    });
    let runtime = Runtime::new(config(), HostServices { random, ..HostServices::standalone() }).unwrap();
    let catalog = common::catalog(&runtime).await;
    let (origin, connections, requests) = common::server().await;
    let grants = Grants { private_http: vec![origin.clone()], ..Grants::default() };
    let usage = |fault: &str| PluginUse {
        grants: grants.clone(),
        ..enable("faulty", json!({ "fault": fault, "address": origin }))
    };
    let site = (SiteId(448), "demo");
    let build = async |enabled: &[PluginUse], previous: Option<&Chain>| {
        let chain = runtime.build_chain(site, &catalog, enabled, previous).await;
        assert_eq!(chain.problems(), []);
        chain
    };
    // One random number for each hook in the trial.
    let first = build(&[usage("trial-counted")], None).await;
    assert_eq!(rolled.load(SeqCst), 3);
    let more = [usage("trial-counted"), enable("hss-article", json!({}))];
    let second = build(&more, Some(&first)).await;
    assert_eq!((rolled.load(SeqCst), second.status().len()), (3, 2));
    build(&more, None).await;
    assert_eq!(rolled.load(SeqCst), 6);
    let tighter = PluginUse {
        limits: masthead_domain::plugin_use::PluginLimits { memory_mib: Some(4), budget_ms: None },
        ..usage("trial-counted")
    };
    build(&[tighter], Some(&second)).await;
    assert_eq!(rolled.load(SeqCst), 9);

    let first = build(&[usage("probe")], None).await;
    assert_eq!(probe(&first, "http").await, FirstAnswer::Answered("ok".to_owned()));
    let second = build(&[enable("hss-article", json!({})), usage("probe")], Some(&first)).await;
    drop(first);
    assert_eq!(probe(&second, "http").await, FirstAnswer::Answered("ok".to_owned()));
    assert_eq!((connections.load(SeqCst), requests.load(SeqCst)), (1, 2));
}
