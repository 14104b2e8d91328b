//! The circuit breaker of a plugin that keeps failing opens on the affected site only, and closes after a successful call.

use std::time::Duration;

use masthead_domain::SiteId;
use masthead_runtime::{Chain, HostServices, Runtime};

use crate::{
    common::{self, ManualClock},
    guests::{ROUTE, usage},
    page::{begin, limits_of, result, services, site},
    server::Server,
    table::{Fault, SERVING},
};

fn pause(chain: &Chain) -> Option<Duration> {
    chain.status().iter().find(|plugin| ["faulty", "guest"].contains(&plugin.id.as_str())).unwrap().open_for
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn faults_open_the_circuit_breaker_and_a_successful_call_closes_it() {
    let (ended_by_the_clock, others): (Vec<_>, Vec<_>) = SERVING.iter().partition(|fault| fault.outcome == "timeout");
    for faults in [ended_by_the_clock, others] {
        open_and_close(&faults).await;
    }
}

async fn open_and_close(faults: &[&Fault]) {
    let mut config = limits_of(faults[0], Duration::from_millis(1500));
    config.circuit_breaker.failures = 2;
    config.circuit_breaker.backoff = Duration::from_millis(60);
    let clock = ManualClock::new();
    let services = HostServices { monotonic_clock: clock.monotonic(), ..services() };
    let runtime = Runtime::new(config, services).unwrap();
    let (catalog, server) = (common::catalog(&runtime).await, Server::start().await);
    let without = site(&runtime, &catalog, None, &server).await;
    for &fault in faults {
        let chain = site(&runtime, &catalog, Some(fault), &server).await;
        let (name, hook) = (fault.name, fault.hook);
        let expected = result(&mut begin(&without, ROUTE), hook).await;
        if name == "HTTP that hangs at translating" {
            // The same plugin with the same settings as the previous row, so both share one count of failures.
            continue;
        }
        for round in 0..2 {
            assert_eq!(pause(&chain), None, "{name}, round {round}");
            result(&mut begin(&chain, ROUTE), hook).await;
        }
        if ["ok", "refused"].contains(&fault.outcome) {
            // A refusal or a survived fault does not count as a failure, except if a server does not respond, which makes every call wait.
            let unreachable = ["no answer in time", "connection"].contains(&fault.says);
            assert_eq!(pause(&chain).is_some(), unreachable, "{name}");
            continue;
        }
        assert_eq!(pause(&chain), Some(Duration::from_millis(60)), "{name}: the breaker is open");
        let mut call = begin(&chain, ROUTE);
        assert_eq!(result(&mut call, hook).await, expected, "{name}: a page while the breaker is open");
        assert_eq!(call.outcome().failed_calls[0].cause, None, "{name}");
        // Another site with the same plugin has its own count of failures.
        let (usage, wasm) = usage(fault, &server);
        let mut there = catalog.clone();
        if let Some(wasm) = wasm {
            there.insert(runtime.load_plugin(&common::handmade::manifest("guest"), &wasm).unwrap());
        }
        let elsewhere = runtime.build_chain((SiteId(2), "elsewhere"), &there, &[usage], None).await;
        assert_eq!(pause(&elsewhere), None, "{name}");

        clock.advance(Duration::from_millis(60));
        result(&mut begin(&chain, ROUTE), hook).await;
        assert_eq!(pause(&chain), Some(Duration::from_millis(120)), "{name}: a failed probe opens it for longer");
        clock.advance(Duration::from_millis(120));
        let mut call = begin(&chain, "calm");
        result(&mut call, hook).await;
        assert!(call.outcome().is_complete(), "{name}: {:?}", call.outcome());
        assert_eq!(pause(&chain), None, "{name}: it works again");
    }
}
