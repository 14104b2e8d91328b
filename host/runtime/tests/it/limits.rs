//! Budgets, memory and circuit breakers as a site and the platform set them. The effect of each fault is tested in `tests/faults`.

use std::time::{Duration, Instant};

use crate::common::{self, ManualClock, begin, chain, config, enable, link, paths, runtime, start};
use masthead_domain::{
    SiteId,
    link::LinkKind,
    plugin_use::{Grants, PluginLimits, PluginUse},
};
use masthead_runtime::{
    CallOutcome, Chain, FailureCause, FirstAnswer, HostServices, RequestContext, Runtime, hook_types::RouteRequest,
};
use serde_json::json;

fn faulty(fault: &str) -> PluginUse {
    enable("faulty", json!({ "fault": fault }))
}

/// A failing plugin before a good one.
async fn with_fault(runtime: &Runtime, fault: &str) -> Chain {
    chain(runtime, &[faulty(fault), enable("hss-article", json!({}))]).await
}

fn cause(outcome: &CallOutcome) -> String {
    let [loss] = &outcome.failed_calls[..] else { panic!("one loss expected: {outcome:?}") };
    assert_eq!(loss.plugin, "faulty");
    loss.cause.as_ref().map_or_else(|| "quarantined".to_owned(), ToString::to_string)
}

#[tokio::test]
async fn after_a_failure_the_same_request_gets_a_fresh_instance() {
    let runtime = runtime();
    let chain = with_fault(&runtime, "when-asked").await;
    let mut call = begin(&chain);
    assert_eq!(paths(&call.rewrite_links(vec![link(LinkKind::Other, "fail")]).await), ["fail"]);
    assert_eq!(paths(&call.rewrite_links(vec![link(LinkKind::Other, "a")]).await), ["a/ok"]);
    assert_eq!(call.outcome().failed_calls.len(), 1);
}

#[tokio::test]
async fn an_endless_loop_does_not_block_other_requests() {
    let mut config = config();
    config.budget_factor = 40.0;
    let runtime = start(config);
    let (slow, fast) =
        (chain(&runtime, &[faulty("loop")]).await, chain(&runtime, &[enable("hss-article", json!({}))]).await);
    // Both run on one thread, so that the loop has to yield.
    let looping = tokio::spawn(async move { begin(&slow).rewrite_links(vec![link(LinkKind::Other, "a")]).await });
    let mut served = 0;
    while !looping.is_finished() {
        begin(&fast).rewrite_links(vec![link(LinkKind::ListArticle, "article/1")]).await;
        tokio::task::yield_now().await;
        served += 1;
    }
    // The loop yields at each of its 200 ticks. Requests are counted, not timed: a busy machine slows everything but serves as
    // many.
    assert!(served > 50, "only {served} other requests were served during the loop");
}

#[tokio::test]
async fn a_call_ends_at_the_pages_deadline() {
    let mut config = config();
    config.budget_factor = 1000.0;
    let runtime = start(config);
    let chain = chain(&runtime, &[faulty("loop")]).await;
    let begin = |left| chain.begin(RequestContext { deadline: Instant::now() + left, ..common::request(&chain) });
    // The budget alone would let the loop run for 5 seconds, and the message would name the loop.
    let mut call = begin(Duration::from_millis(40));
    assert_eq!(paths(&call.rewrite_links(vec![link(LinkKind::Other, "a")]).await), ["a"]);
    assert!(cause(call.outcome()).contains("the page's deadline"));
    let mut call = begin(Duration::ZERO);
    assert_eq!(paths(&call.rewrite_links(vec![link(LinkKind::Other, "a")]).await), ["a"]);
    assert!(cause(call.outcome()).contains("the page's deadline"));
}

#[tokio::test]
async fn a_site_may_tighten_memory() {
    let runtime = runtime();
    let small = PluginUse { limits: PluginLimits { memory_mib: Some(2), budget_ms: None }, ..faulty("memory") };
    let chain = chain(&runtime, &[small]).await;
    let mut call = begin(&chain);
    call.rewrite_links(vec![link(LinkKind::Other, "a")]).await;
    let cause = cause(call.outcome());
    assert!(cause.contains("allowed are 2048 KiB"), "{cause}");
}

#[tokio::test]
async fn a_circuit_breaker_opens_is_kept_on_a_rebuild_and_closes() {
    let mut config = config();
    config.circuit_breaker.failures = 3;
    config.circuit_breaker.backoff = Duration::from_millis(300);
    let clock = ManualClock::new();
    let services = HostServices { monotonic_clock: clock.monotonic(), ..HostServices::standalone() };
    let runtime = Runtime::new(config, services).unwrap();
    let enabled = [faulty("when-asked"), enable("hss-article", json!({}))];
    let first = chain(&runtime, &enabled).await;
    for _ in 0..3 {
        assert_eq!(first.status()[0].open_for, None);
        begin(&first).rewrite_links(vec![link(LinkKind::Other, "fail")]).await;
    }
    assert_eq!(first.status()[0].open_for, Some(Duration::from_millis(300)));
    let rebuilt = chain(&runtime, &enabled).await;
    drop(first);
    let mut call = begin(&rebuilt);
    let links = call.rewrite_links(vec![link(LinkKind::ListArticle, "article/1")]).await;
    assert_eq!((paths(&links), cause(call.outcome())), (vec!["hssArticle/1"], "quarantined".to_owned()));
    // Another site is not affected.
    let catalog = common::catalog(&runtime).await;
    let elsewhere = runtime.build_chain((SiteId(449), "other"), &catalog, &enabled, None).await;
    assert_eq!(paths(&begin(&elsewhere).rewrite_links(vec![link(LinkKind::Other, "a")]).await), ["a/ok"]);

    clock.advance(Duration::from_millis(300));
    // The probe fails, so that the breaker is open again, for longer.
    begin(&rebuilt).rewrite_links(vec![link(LinkKind::Other, "fail")]).await;
    assert_eq!(rebuilt.status()[0].open_for, Some(Duration::from_millis(600)));
    clock.advance(Duration::from_millis(600));
    assert_eq!(paths(&begin(&rebuilt).rewrite_links(vec![link(LinkKind::Other, "a")]).await), ["a/ok"]);
    assert_eq!(rebuilt.status()[0].open_for, None);
}

#[tokio::test]
async fn refusals_do_not_open_the_circuit_breaker() {
    let runtime = runtime();
    let chain = chain(&runtime, &[faulty("refuse")]).await;
    for _ in 0..20 {
        begin(&chain).rewrite_links(vec![link(LinkKind::Other, "a")]).await;
    }
    assert_eq!(chain.status()[0].open_for, None);
}

#[tokio::test]
async fn an_abandoned_request_releases_its_instances() {
    let mut config = config();
    config.budget_factor = 1000.0;
    config.max_concurrent_instances = 2;
    let runtime = start(config);
    let chain = with_fault(&runtime, "loop").await;
    for _ in 0..10 {
        let mut call = begin(&chain);
        let gone =
            tokio::time::timeout(Duration::from_millis(10), call.rewrite_links(vec![link(LinkKind::Other, "a")])).await;
        assert!(gone.is_err());
    }
    assert_eq!(chain.status()[0].open_for, None);
    // All instances are released.
    let good = common::chain(&runtime, &[enable("hss-article", json!({}))]).await;
    assert_eq!(
        paths(&begin(&good).rewrite_links(vec![link(LinkKind::ListArticle, "article/1")]).await),
        ["hssArticle/1"]
    );
}

#[tokio::test]
async fn the_plugins_of_a_request_share_memory() {
    let mut config = config();
    config.memory_per_request = 4 << 20;
    config.circuit_breaker.failures = 2;
    let runtime = start(config);
    let chain = with_fault(&runtime, "memory").await;
    for _ in 0..4 {
        let mut call = begin(&chain);
        let links = call.rewrite_links(vec![link(LinkKind::ListArticle, "article/1")]).await;
        assert_eq!(paths(&links), ["hssArticle/1"]);
        let cause = cause(call.outcome());
        assert!(cause.contains("the other plugins of this request leave less"), "{cause}");
    }
    // The exhausted memory is not a failure of the plugin.
    assert_eq!(chain.status()[0].open_for, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_plugins_of_all_requests_share_the_memory_of_the_process() {
    let mut config = config();
    // Less than one instance may have.
    config.memory_total = 8 << 20;
    config.circuit_breaker.failures = 1;
    let runtime = start(config);
    let chain = with_fault(&runtime, "memory").await;
    let mut call = begin(&chain);
    let links = call.rewrite_links(vec![link(LinkKind::ListArticle, "article/1")]).await;
    let reason = cause(call.outcome());
    assert!(reason.contains("the plugins of all requests leave less"), "{reason}");
    // What the failed instance had is free for the next plugin of the same request.
    assert_eq!(paths(&links), ["hssArticle/1"]);
    drop(call);
    let crowd = (0..32).map(|_| {
        let mut call = begin(&chain);
        tokio::spawn(async move {
            call.rewrite_links(vec![link(LinkKind::ListArticle, "article/1")]).await;
            assert!(!call.outcome().is_complete(), "its memory was not refused");
        })
    });
    for request in crowd.collect::<Vec<_>>() {
        request.await.unwrap();
    }
    let memory = runtime.memory_usage();
    assert!(memory.peak <= memory.limit && memory.limit == 8 << 20, "{memory:?}");
    assert!(memory.refused > 32 && memory.used == 0, "{memory:?}");
    // It is not the fault of any plugin, and the metrics count it.
    assert_eq!(chain.status()[0].open_for, None);
    let rows = runtime.hook_usage();
    let row = rows.iter().find(|row| row.plugin == "faulty" && row.hook == "links.rewrite").unwrap();
    assert!(row.failed.iter().any(|(label, count)| label == "host_memory" && *count == 33), "{row:?}");
}

#[tokio::test]
async fn a_plugin_that_fails_repeatedly_leaves_memory_to_the_others() {
    let mut config = config();
    config.memory_per_request = 20 << 20;
    config.circuit_breaker.failures = 100;
    let runtime = start(config);
    let chain = with_fault(&runtime, "memory").await;
    let mut call = begin(&chain);
    for round in 0..10 {
        let links = call.rewrite_links(vec![link(LinkKind::ListArticle, "article/1")]).await;
        assert_eq!(paths(&links), ["hssArticle/1"]);
        let loss = &call.outcome().failed_calls[round];
        assert!(matches!(loss.cause, Some(FailureCause::Memory { .. })), "round {round}: {loss:?}");
    }
}

#[tokio::test]
async fn the_plugins_of_a_request_share_http_calls() {
    let mut config = config();
    config.http_calls_per_request = 3;
    let runtime = start(config);
    let (origin, _, requests) = common::server().await;
    let mut catalog = common::catalog(&runtime).await;
    let folder = common::test_dist().join("faulty");
    catalog.insert(common::variant(&runtime, &folder, &[("id = \"faulty\"", "id = \"second\"")]));
    let settings = json!({ "fault": "probe", "address": origin });
    let grants = Grants { private_http: vec![origin], ..Grants::default() };
    let enabled = ["faulty", "second"].map(|id| PluginUse { grants: grants.clone(), ..enable(id, settings.clone()) });
    let chain = runtime.build_chain((SiteId(448), "demo"), &catalog, &enabled, None).await;
    assert_eq!(chain.problems(), []);
    let mut call = begin(&chain);
    let mut answers = Vec::new();
    for plugin in ["faulty", "faulty", "second", "second", "faulty"] {
        let (method, path) = ("GET".to_owned(), "http".to_owned());
        let request = RouteRequest { method, path, query: vec![], headers: vec![], body: vec![] };
        answers.push(match call.handle_route(plugin, request).await {
            FirstAnswer::Answered(_) => "given".to_owned(),
            FirstAnswer::Refused(words) => words,
            other => panic!("{other:?}"),
        });
    }
    assert_eq!(answers[..3], ["given", "given", "given"]);
    for words in &answers[3..] {
        assert!(words.contains("the plugins of this request have used up their HTTP calls"), "{words}");
    }
    assert_eq!(requests.load(std::sync::atomic::Ordering::SeqCst), 3);
    // Another request has a new budget.
    assert_eq!(common::probe(&chain, "http").await, FirstAnswer::Answered("ok".to_owned()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_instances_of_a_site_are_limited() {
    let mut config = config();
    config.max_concurrent_instances = 8;
    config.max_instances_per_site = 2;
    config.budget_factor = 100_000.0;
    let runtime = start(config);
    // Both of its instances run until their limit.
    let busy = chain(&runtime, &[faulty("loop")]).await;
    let begin_for = |left: Duration| {
        let deadline = Instant::now() + left;
        busy.begin(RequestContext { deadline, ..common::request(&busy) })
    };
    let running: Vec<_> = (0..2)
        .map(|_| {
            // Less than its budget, and longer than this test may take.
            let mut call = begin_for(2 * common::HANG);
            tokio::spawn(async move { call.rewrite_links(vec![link(LinkKind::Other, "a")]).await })
        })
        .collect();
    // A third request gets an instance only until both others have reserved theirs.
    loop {
        let mut third = begin_for(Duration::from_millis(50));
        third.rewrite_links(vec![link(LinkKind::Other, "a")]).await;
        match cause(third.outcome()).as_str() {
            "all plugin instances of the host are in use" => break,
            other => assert!(other.contains("the page's deadline"), "{other}"),
        }
        assert!(running.iter().all(|task| !task.is_finished()), "the busy site never used both instances");
    }
    // Another site is served meanwhile.
    let catalog = common::catalog(&runtime).await;
    let enabled = [enable("hss-article", json!({}))];
    let other = runtime.build_chain((SiteId(449), "other"), &catalog, &enabled, None).await;
    let links = begin(&other).rewrite_links(vec![link(LinkKind::ListArticle, "article/1")]).await;
    assert_eq!(paths(&links), ["hssArticle/1"]);
    assert!(running.iter().all(|task| !task.is_finished()), "the busy site is no longer busy");
    running.iter().for_each(tokio::task::JoinHandle::abort);
}
