//! While a plugin of one site fails, the plugins of other sites work.

use std::time::{Duration, Instant};

use masthead_domain::{SiteId, link::LinkKind};

use crate::{
    common::{self, link, paths},
    guests::ROUTE,
    page::{begin, healthy, limits, result, site, start},
    server::Server,
    table::SERVING,
};

const CALLS: usize = 200;

/// Runs on one thread, so that a call that does not yield is detected.
#[tokio::test]
async fn calls_of_another_site_succeed_without_waiting() {
    let mut config = limits();
    config.circuit_breaker.failures = usize::MAX;
    let runtime = start(config);
    let (catalog, server) = (common::catalog(&runtime).await, Server::start().await);
    let enabled = healthy();
    let other = runtime.build_chain((SiteId(7), "other"), &catalog, &enabled, None).await;
    let (mut worst, mut total) = ((Duration::ZERO, ""), Duration::ZERO);
    for fault in SERVING {
        let failing = site(&runtime, &catalog, Some(fault), &server).await;
        let failing = tokio::spawn(async move {
            loop {
                result(&mut begin(&failing, ROUTE), fault.hook).await;
                tokio::task::yield_now().await;
            }
        });
        tokio::task::yield_now().await;
        let started = Instant::now();
        for number in 0..CALLS {
            let before = Instant::now();
            let mut call = begin(&other, "home");
            let links = call.rewrite_links(vec![link(LinkKind::ListArticle, &format!("article/{number}"))]).await;
            assert_eq!(paths(&links), [format!("hssArticle/{number}")], "next to {}: {:?}", fault.name, call.outcome());
            assert_eq!(call.contribute_layout().await.len(), 1, "next to {}: {:?}", fault.name, call.outcome());
            drop(call);
            let took = before.elapsed();
            if took > worst.0 {
                worst = (took, fault.name);
            }
            if number % 4 == 0 {
                tokio::task::yield_now().await;
            }
        }
        let took = started.elapsed();
        total += took;
        // Each call that yields waits for at most one compute budget of the failing plugin; the bound is generous for busy machines.
        assert!(took < Duration::from_secs(15), "next to {}: {CALLS} calls took {took:?}", fault.name);
        failing.abort();
    }
    println!(
        "next to {} faults: {CALLS} calls each, total {total:?}, longest {:?} ({})",
        SERVING.len(),
        worst.0,
        worst.1
    );
}

/// With more failing requests than instances, the other site is still served.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_failing_requests_do_not_block_another_site() {
    let mut config = limits();
    config.circuit_breaker.failures = usize::MAX;
    config.max_concurrent_instances = 12;
    config.max_instances_per_site = 6;
    let runtime = start(config);
    let (catalog, server) = (common::catalog(&runtime).await, Server::start().await);
    let other = runtime.build_chain((SiteId(7), "other"), &catalog, &healthy(), None).await;
    for name in ["a database that hangs", "HTTP that hangs at translating", "endless loop", "memory bomb"] {
        let fault = SERVING.iter().find(|fault| fault.name == name).unwrap();
        let failing = site(&runtime, &catalog, Some(fault), &server).await;
        let crowd: Vec<_> = (0..30)
            .map(|_| {
                let failing = failing.clone();
                tokio::spawn(async move { result(&mut begin(&failing, ROUTE), fault.hook).await })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(20)).await;
        let started = Instant::now();
        for _ in 0..50 {
            let mut call = begin(&other, "home");
            let links = call.rewrite_links(vec![link(LinkKind::ListArticle, "article/1")]).await;
            assert_eq!(paths(&links), ["hssArticle/1"], "next to many requests with {name}: {:?}", call.outcome());
        }
        let took = started.elapsed();
        assert!(took < Duration::from_secs(10), "next to many requests with {name}: {took:?}");
        crowd.iter().for_each(tokio::task::JoinHandle::abort);
    }
}
