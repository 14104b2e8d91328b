//! Metrics of a failing plugin: counts by outcome, time and memory, and the gauge of open circuit breakers.

use crate::common::{self, begin, chain, config, enable, link, start};
use masthead_domain::{SiteId, link::LinkKind};
use masthead_runtime::{HookUsage, prometheus};
use serde_json::json;

#[tokio::test]
async fn outcomes_are_counted_and_quarantine_is_shown() {
    let mut config = config();
    config.circuit_breaker.failures = 2;
    let runtime = start(config);
    let enabled = [enable("faulty", json!({ "fault": "when-asked" }))];
    let chain = chain(&runtime, &enabled).await;
    let row = |hook: &str| {
        let rows = runtime.hook_usage();
        rows.into_iter().find(|row| row.hook == hook).expect("a row")
    };
    assert_eq!((row("links.rewrite").ok, row("links.rewrite").circuit_open), (0, false));
    for path in ["a", "b", "fail", "fail", "c"] {
        begin(&chain).rewrite_links(vec![link(LinkKind::Other, path)]).await;
    }
    let HookUsage { site, plugin, version, ok, cached, failed, seconds, p50, p99, memory_peak, circuit_open, .. } =
        row("links.rewrite");
    assert_eq!((site.as_str(), plugin.as_str(), version.as_str()), ("demo", "faulty", "0.1.0"));
    assert_eq!((ok, cached, circuit_open), (2, 0, true));
    assert_eq!(failed, [("trap".to_owned(), 2), ("quarantined".to_owned(), 1)]);
    assert!(seconds > 0.0 && p50 > 0.0 && p99 >= p50 && p99 < seconds * 1.2, "{seconds} {p50} {p99}");
    assert!((64 << 10..16 << 20).contains(&memory_peak), "{memory_peak}");
    assert_eq!((row("access.decide").ok, row("access.decide").failures()), (0, 0));

    let text = prometheus(&runtime.hook_usage(), &runtime.memory_usage());
    let labels = "site=\"demo\",plugin=\"faulty\",version=\"0.1.0\"";
    for line in [
        format!("masthead_hook_calls_total{{{labels},hook=\"links.rewrite\",outcome=\"ok\"}} 2"),
        format!("masthead_hook_calls_total{{{labels},hook=\"links.rewrite\",outcome=\"trap\"}} 2"),
        format!("masthead_hook_calls_total{{{labels},hook=\"links.rewrite\",outcome=\"quarantined\"}} 1"),
        format!("masthead_plugin_quarantined{{{labels}}} 1"),
    ] {
        assert_eq!(text.lines().filter(|found| **found == *line).count(), 1, "{line} in {text}");
    }
    // Saving the site's file does not reset the counters; those of a plugin that no chain uses are removed.
    let catalog = common::catalog(&runtime).await;
    let again = runtime.build_chain((SiteId(448), "demo"), &catalog, &enabled, None).await;
    drop(chain);
    assert_eq!((row("links.rewrite").ok, row("links.rewrite").circuit_open), (2, true));
    drop(again);
    assert_eq!(runtime.hook_usage(), []);
}
