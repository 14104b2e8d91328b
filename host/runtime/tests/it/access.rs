//! What readers may do while a plugin that decides on access fails, or is not used.

use crate::common::{self, ManualClock, begin, config, enable, test_dist, variant};
use masthead_domain::{
    SiteId,
    access::{AccessRequest, Permissions},
    plugin_use::{OnFailure, PluginUse},
};
use masthead_runtime::{Catalog, Chain, HostServices, Runtime};
use serde_json::json;

/// A site on which everything is permitted.
fn open() -> AccessRequest {
    AccessRequest { referrer: "https://a.example/".to_owned(), ..AccessRequest::default() }
}

fn faulty(fault: &str, on_failure: Option<OnFailure>) -> PluginUse {
    PluginUse { on_failure, ..enable("faulty", json!({ "fault": fault })) }
}

fn referrer_access() -> PluginUse {
    enable("referrer-access", json!({ "hosts": ["a.example"] }))
}

async fn build(runtime: &Runtime, catalog: &Catalog, enabled: &[PluginUse], previous: Option<&Chain>) -> Chain {
    runtime.build_chain((SiteId(448), "demo"), catalog, enabled, previous).await
}

async fn decided(chain: &Chain) -> Permissions {
    begin(chain).decide_access(open()).await
}

/// A catalog in which the manifest of `faulty` says that its failure denies access.
async fn denying_catalog(runtime: &Runtime) -> Catalog {
    let mut catalog = common::catalog(runtime).await;
    let changes = [("vary = \"nothing\"", "vary = \"nothing\"\nonFailure = \"deny\"")];
    catalog.insert(variant(runtime, &test_dist().join("faulty"), &changes));
    catalog
}

#[tokio::test]
async fn a_failure_denies_access_where_the_site_says_so() {
    let mut config = config();
    config.circuit_breaker.failures = usize::MAX;
    let runtime = common::start(config);
    let catalog = common::catalog(&runtime).await;
    for fault in ["trap", "refuse", "loop", "memory"] {
        for (on_failure, expected) in [
            (None, Permissions::default()),
            (Some(OnFailure::Allow), Permissions::default()),
            (Some(OnFailure::Deny), Permissions::NONE),
        ] {
            // A later plugin that would give access does not lift the denial.
            let chain = build(&runtime, &catalog, &[faulty(fault, on_failure), referrer_access()], None).await;
            assert_eq!(chain.problems(), []);
            assert_eq!(chain.status()[0].on_failure, Some(on_failure.unwrap_or_default()));
            let mut call = begin(&chain);
            assert_eq!(call.decide_access(open()).await, expected, "{fault} {on_failure:?}");
            assert_eq!(call.outcome().failed_calls.len(), 1, "{fault}");
        }
    }
    // A plugin that works decides as always: this one refuses full texts where they are open.
    let working = build(&runtime, &catalog, &[faulty("none", Some(OnFailure::Deny))], None).await;
    assert_eq!(decided(&working).await, Permissions { visit_power: false, download_power: true });
}

#[tokio::test]
async fn an_open_circuit_denies_access_until_the_plugin_works_again() {
    let mut config = config();
    config.circuit_breaker.failures = 1;
    let clock = ManualClock::new();
    let services = HostServices { monotonic_clock: clock.monotonic(), ..HostServices::standalone() };
    let runtime = Runtime::new(config, services).unwrap();
    let catalog = common::catalog(&runtime).await;
    let chain = build(&runtime, &catalog, &[faulty("trap", Some(OnFailure::Deny))], None).await;
    assert_eq!(decided(&chain).await, Permissions::NONE);
    let mut call = begin(&chain);
    assert_eq!(call.decide_access(open()).await, Permissions::NONE);
    assert_eq!(call.outcome().failed_calls[0].cause, None, "the circuit is open");
    clock.advance(chain.status()[0].open_for.unwrap());
    // The probe, on the route on which the plugin does not fail.
    let mut call = chain.begin(masthead_runtime::RequestContext { route: "calm".into(), ..common::request(&chain) });
    assert_eq!(call.decide_access(open()).await, Permissions { visit_power: false, download_power: true });
}

#[tokio::test]
async fn the_manifest_says_it_and_the_site_may_decide_otherwise() {
    let runtime = common::runtime();
    let catalog = denying_catalog(&runtime).await;
    for (on_failure, expected) in [(None, Permissions::NONE), (Some(OnFailure::Allow), Permissions::default())] {
        let chain = build(&runtime, &catalog, &[faulty("trap", on_failure)], None).await;
        assert_eq!(decided(&chain).await, expected, "{on_failure:?}");
    }
    // A change of it is a change of the chain: pages of the old one are not served from the cache, and no old member is kept.
    let allowing = build(&runtime, &catalog, &[faulty("trap", Some(OnFailure::Allow))], None).await;
    let denying = build(&runtime, &catalog, &[faulty("trap", None)], Some(&allowing)).await;
    assert_ne!(allowing.fingerprint(), denying.fingerprint());
    assert_eq!(decided(&denying).await, Permissions::NONE);
}

#[tokio::test]
async fn access_is_denied_while_a_denying_plugin_is_not_used() {
    let runtime = common::runtime();
    let (plain, denying) = (common::catalog(&runtime).await, denying_catalog(&runtime).await);
    let unknown = |on_failure| PluginUse { on_failure, ..enable("no-such", json!({})) };
    for (catalog, usage, closed) in [
        (&plain, faulty("trial-trap", None), false),
        (&plain, faulty("trial-trap", Some(OnFailure::Deny)), true),
        (&denying, faulty("trial-trap", None), true),
        (&denying, faulty("trial-trap", Some(OnFailure::Allow)), false),
        (&plain, unknown(None), false),
        (&plain, unknown(Some(OnFailure::Deny)), true),
    ] {
        let chain = build(&runtime, catalog, &[usage.clone(), referrer_access()], None).await;
        let [problem] = chain.problems() else { panic!("{:?}", chain.problems()) };
        assert_eq!(problem.message.contains("readers have no permissions"), closed, "{problem}");
        let expected = if closed { Permissions::NONE } else { Permissions::default() };
        assert_eq!(decided(&chain).await, expected, "{usage:?}");
        let alone = build(&runtime, catalog, std::slice::from_ref(&usage), None).await;
        assert_eq!((alone.decides_access(), alone.has_hook(masthead_runtime::Hook::Access)), (closed, false));
    }
    // Its files are gone: what the manifest in use said still counts.
    let before = build(&runtime, &denying, &[faulty("none", None)], None).await;
    let mut without = Catalog::new();
    without.insert(plain.find("referrer-access", "*").unwrap());
    let after = build(&runtime, &without, &[faulty("none", None)], Some(&before)).await;
    assert_eq!(decided(&after).await, Permissions::NONE);
    let later = build(&runtime, &without, &[faulty("none", None)], Some(&after)).await;
    assert_eq!(decided(&later).await, Permissions::NONE);
    // What the site's entry said counts no longer when it says so no longer: a start of the host would decide the same.
    for (catalog, fault) in [(&plain, "trial-trap"), (&without, "none")] {
        let used = build(&runtime, &plain, &[faulty("none", Some(OnFailure::Deny))], None).await;
        let said = build(&runtime, catalog, &[faulty(fault, Some(OnFailure::Deny))], Some(&used)).await;
        assert_eq!(decided(&said).await, Permissions::NONE, "{fault}");
        for before in [&used, &said] {
            let unsaid = build(&runtime, catalog, &[faulty(fault, None)], Some(before)).await;
            assert_eq!(decided(&unsaid).await, Permissions::default(), "{fault}");
        }
    }
}

#[tokio::test]
async fn only_a_plugin_that_decides_on_access_can_deny_it() {
    let runtime = common::runtime();
    let usage = PluginUse { on_failure: Some(OnFailure::Allow), ..enable("hss-article", json!({})) };
    let chain = build(&runtime, &common::catalog(&runtime).await, &[usage], None).await;
    let [problem] = chain.problems() else { panic!("{:?}", chain.problems()) };
    assert!(problem.message.contains("does not implement access.decide"), "{problem}");
}
