//! While a plugin of one site fails, the plugins of other sites work.
//!
//! Nothing is timed here. On one thread, work that keeps others waiting is work that does not give way, and how often it gave way
//! is counted; instances that a crowd keeps from others are seen by calls that hold theirs until the test ends.

use std::{
    future::{Future as _, poll_fn},
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    task::Poll,
    time::{Duration, Instant},
};

use masthead_domain::{
    SiteId,
    access::{AccessRequest, Permissions},
    link::LinkKind,
    plugin_use::{Grants, OnFailure, PluginUse},
};
use masthead_runtime::{Chain, FailureCause, RequestContext, hook_types::TranslationRequest};
use serde_json::json;

use crate::{
    common::{self, HANG, enable, link, paths},
    guests::ROUTE,
    page::{at_each_yield, begin, healthy, limits, result, site, start},
    server::Server,
    table::{Fault, SERVING},
};

const CALLS: usize = 200;

/// How often at least one failing call has to give way while another site makes its calls, which give way 50 times.
fn least_yields(fault: &Fault) -> usize {
    match fault.outcome {
        // At each tick, of which its budget has 101.
        "loop" => 20,
        "timeout" => 1,
        _ if fault.says == "no answer in time" => 1,
        // It ends at once.
        _ => 0,
    }
}

#[tokio::test]
async fn calls_of_another_site_succeed_without_waiting() {
    let mut config = limits();
    config.circuit_breaker.failures = usize::MAX;
    let runtime = start(config);
    let (catalog, server) = (common::catalog(&runtime).await, Server::start().await);
    let enabled = healthy();
    let other = runtime.build_chain((SiteId(7), "other"), &catalog, &enabled, None).await;
    for fault in SERVING {
        let failing = site(&runtime, &catalog, Some(fault), &server).await;
        let most_yields = Arc::new(AtomicUsize::new(0));
        let most = Arc::clone(&most_yields);
        let failing = tokio::spawn(async move {
            loop {
                let (mut call, mut yields) = (begin(&failing, ROUTE), 0);
                let yielded = || {
                    yields += 1;
                    most.fetch_max(yields, Relaxed);
                };
                at_each_yield(result(&mut call, fault.hook), yielded).await;
                tokio::task::yield_now().await;
            }
        });
        tokio::task::yield_now().await;
        for number in 0..CALLS {
            let mut call = begin(&other, "home");
            let links = call.rewrite_links(vec![link(LinkKind::ListArticle, &format!("article/{number}"))]).await;
            assert_eq!(paths(&links), [format!("hssArticle/{number}")], "next to {}: {:?}", fault.name, call.outcome());
            assert_eq!(call.contribute_layout().await.len(), 1, "next to {}: {:?}", fault.name, call.outcome());
            drop(call);
            if number % 4 == 0 {
                tokio::task::yield_now().await;
            }
        }
        failing.abort();
        let (most, least) = (most_yields.load(Relaxed), least_yields(fault));
        assert!(most >= least, "beside {}: no failing call gave way more often than {most} times", fault.name);
    }
}

/// With more failing requests than instances, the other site is still served.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_failing_requests_do_not_block_another_site() {
    for name in ["a database that hangs", "endless loop", "HTTP that hangs at translating", "memory bomb"] {
        let fault = SERVING.iter().find(|fault| fault.name == name).unwrap();
        // The first two keep their instances for longer than this test may take: whoever has to wait for one waits in vain.
        let kept = ["a database that hangs", "endless loop"].contains(&name);
        let mut config = limits();
        config.circuit_breaker.failures = usize::MAX;
        config.max_concurrent_instances = 12;
        config.max_instances_per_site = 6;
        if kept {
            config.budget_factor = 100_000.0;
        }
        let runtime = start(config);
        let (catalog, server) = (common::catalog(&runtime).await, Server::start().await);
        let other = runtime.build_chain((SiteId(7), "other"), &catalog, &healthy(), None).await;
        let failing = site(&runtime, &catalog, Some(fault), &server).await;
        let ended = Arc::new(AtomicUsize::new(0));
        let crowd: Vec<_> = (0..30)
            .map(|_| {
                let (failing, ended) = (failing.clone(), Arc::clone(&ended));
                tokio::spawn(async move {
                    loop {
                        let deadline = Instant::now() + 2 * HANG;
                        let request = RequestContext { route: ROUTE.to_owned(), deadline, ..common::request(&failing) };
                        result(&mut failing.begin(request), fault.hook).await;
                        ended.fetch_add(1, Relaxed);
                    }
                })
            })
            .collect();
        let calls = async {
            if kept {
                crowd_keeps_its_instances(&failing).await;
            }
            for _ in 0..50 {
                let mut call = begin(&other, "home");
                let links = call.rewrite_links(vec![link(LinkKind::ListArticle, "article/1")]).await;
                assert_eq!(paths(&links), ["hssArticle/1"], "beside a crowd of {name}: {:?}", call.outcome());
            }
        };
        let done = tokio::time::timeout(HANG, calls).await;
        assert!(done.is_ok(), "beside a crowd of {name}: 50 calls did not end in {HANG:?}");
        if kept {
            assert_eq!(
                ended.load(Relaxed),
                0,
                "beside a crowd of {name}: an instance became free, so nothing is shown"
            );
        }
        crowd.iter().for_each(tokio::task::JoinHandle::abort);
    }
}

/// A translation that waits for its server, which never answers, holds the only instance of its class. Access is decided, and the
/// page is made, with instances of their own. The access plugin denies on failure, so that a starved decision would be seen.
#[tokio::test]
async fn waiting_translations_keep_no_instance_from_access_and_pages() {
    let mut config = limits();
    // As many as one request of this site needs.
    config.max_concurrent_instances = 2;
    config.max_concurrent_instances_of_others = 1;
    config.budget_factor = 100_000.0;
    let runtime = start(config);
    let catalog = common::catalog(&runtime).await;
    let waiting = PluginUse {
        grants: Grants { kv: true, ..Grants::default() },
        on_failure: Some(OnFailure::Deny),
        ..enable("faulty", json!({ "fault": "kv-hang" }))
    };
    let enabled = [waiting, enable("hss-article", json!({}))];
    let chain = runtime.build_chain((SiteId(1), "demo"), &catalog, &enabled, None).await;
    assert_eq!(chain.problems(), []);
    let request = || TranslationRequest { text: "海".to_owned(), source: "zh".to_owned(), target: "en".to_owned() };
    let mut call = begin(&chain, ROUTE);
    let mut translation = pin!(call.translate(request()));
    // The first poll takes the permit, and ends in the database that never answers.
    let pending = poll_fn(|task| Poll::Ready(translation.as_mut().poll(task).is_pending())).await;
    assert!(pending, "the translation does not wait");
    loop {
        let deadline = Instant::now() + Duration::from_millis(50);
        let context = RequestContext { route: ROUTE.to_owned(), deadline, ..common::request(&chain) };
        let mut second = chain.begin(context);
        second.translate(request()).await;
        match &second.outcome().failed_calls[0].cause {
            Some(FailureCause::InstancesBusy) => break,
            // The machine was busy for longer than the deadline.
            other => assert_eq!(other, &Some(FailureCause::DeadlinePassed)),
        }
    }

    // The plugin hangs on no hook of the route `calm`, so that only a missing permit could make these calls fail.
    let mut page = begin(&chain, "calm");
    let decided = page.decide_access(AccessRequest::default()).await;
    assert_eq!(decided, Permissions { visit_power: false, download_power: true }, "{:?}", page.outcome());
    let links = page.rewrite_links(vec![link(LinkKind::ListArticle, "article/1")]).await;
    assert_eq!(paths(&links), ["hssArticle/1"], "{:?}", page.outcome());
    assert!(page.outcome().is_complete(), "{:?}", page.outcome());
}

/// Waits until a further request of the crowd's site gets no instance.
async fn crowd_keeps_its_instances(failing: &Chain) {
    loop {
        let deadline = Instant::now() + Duration::from_millis(50);
        let mut call = failing.begin(RequestContext { deadline, ..common::request(failing) });
        call.rewrite_links(vec![link(LinkKind::Other, "a")]).await;
        let busy = |failed: &masthead_runtime::FailedCall| failed.cause == Some(FailureCause::InstancesBusy);
        if call.outcome().failed_calls.iter().any(busy) {
            return;
        }
    }
}
