//! What keeps failing is switched off, for its site alone, and tried again.

use std::time::Duration;

use masthead_domain::SiteId;
use masthead_runtime::Chain;

use crate::{
    common,
    guests::{ROUTE, usage},
    page::{begin, limits, result, site, start},
    server::Server,
    table::SERVING,
};

fn pause(chain: &Chain) -> Option<Duration> {
    chain.status().iter().find(|plugin| ["faulty", "guest"].contains(&plugin.id.as_str())).unwrap().quarantined
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn faults_lead_to_quarantine_and_a_good_call_out_of_it() {
    let mut config = limits();
    config.grace = Duration::from_millis(300);
    config.quarantine.failures = 2;
    config.quarantine.backoff = Duration::from_millis(60);
    let runtime = start(config);
    let (catalog, server) = (common::catalog(&runtime).await, Server::start().await);
    let without = site(&runtime, &catalog, None, &server).await;
    for fault in SERVING {
        let chain = site(&runtime, &catalog, Some(fault), &server).await;
        let (name, hook) = (fault.name, fault.hook);
        let expected = result(&mut begin(&without, ROUTE), hook).await;
        if name == "HTTP that hangs at translating" {
            // The same plugin with the same settings as the row before: both share one count.
            continue;
        }
        for round in 0..2 {
            assert_eq!(pause(&chain), None, "{name}, round {round}");
            result(&mut begin(&chain, ROUTE), hook).await;
        }
        if ["ok", "refused"].contains(&fault.outcome) {
            // A plugin that declines, or lives through it, is no danger. One whose server does not answer makes every call wait.
            let unreachable = ["no answer in time", "connection"].contains(&fault.says);
            assert_eq!(pause(&chain).is_some(), unreachable, "{name}");
            continue;
        }
        let first = pause(&chain).unwrap_or_else(|| panic!("{name}: it should be in quarantine"));
        assert!(first <= Duration::from_millis(60), "{name}: {first:?}");
        let mut call = begin(&chain, ROUTE);
        assert_eq!(result(&mut call, hook).await, expected, "{name}: a page during quarantine");
        // A machine that was away for the whole pause has made the call a trial.
        if let Some(cause) = &call.outcome().losses[0].cause {
            assert!(cause.to_string().contains(fault.says), "{name}: {cause}");
        }
        // Another site has the same plugin, and its own count.
        let (usage, wasm) = usage(fault, &server);
        let mut there = catalog.clone();
        if let Some(wasm) = wasm {
            there.insert(runtime.load_plugin(&common::handmade::manifest("guest"), &wasm).unwrap());
        }
        let elsewhere = runtime.build_chain((SiteId(2), "elsewhere"), &there, &[usage], None).await;
        assert_eq!(pause(&elsewhere), None, "{name}");

        tokio::time::sleep(pause(&chain).unwrap_or_default() + Duration::from_millis(20)).await;
        result(&mut begin(&chain, ROUTE), hook).await;
        let second = pause(&chain).unwrap_or_else(|| panic!("{name}: a failed trial should keep it out"));
        assert!(second > Duration::from_millis(60) || second.is_zero(), "{name}: longer than before: {second:?}");
        tokio::time::sleep(second + Duration::from_millis(20)).await;
        let mut call = begin(&chain, "calm");
        result(&mut call, hook).await;
        assert!(call.outcome().is_complete(), "{name}: {:?}", call.outcome());
        assert_eq!(pause(&chain), None, "{name}: it works again");
    }
}
