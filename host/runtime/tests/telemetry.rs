//! What an operator sees of a failing plugin: counts by outcome, and the gauge of quarantine.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use common::{begin, chain, config, enable, link};
use masthead_domain::link::LinkKind;
use masthead_runtime::Runtime;
use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};
use serde_json::json;

#[derive(Clone, Default)]
struct Seen(Arc<Mutex<HashMap<String, Arc<AtomicU64>>>>);

impl Seen {
    fn cell(&self, key: &Key) -> Arc<AtomicU64> {
        let mut labels: Vec<_> = key.labels().map(|label| format!("{}={}", label.key(), label.value())).collect();
        labels.sort();
        self.0.lock().unwrap().entry(format!("{} {}", key.name(), labels.join(" "))).or_default().clone()
    }

    fn value(&self, name: &str) -> Option<u64> {
        self.0.lock().unwrap().get(name).map(|cell| cell.load(Ordering::SeqCst))
    }
}

impl Recorder for Seen {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(self.cell(key))
    }
    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(self.cell(key))
    }
    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}

#[tokio::test]
async fn outcomes_are_counted_and_quarantine_is_shown() {
    let seen = Seen::default();
    metrics::set_global_recorder(seen.clone()).unwrap();
    let mut config = config();
    config.quarantine.failures = 2;
    let runtime = Runtime::new(config).unwrap();
    let chain = chain(&runtime, &[enable("faulty", json!({ "fault": "when-asked" }))]).await;
    let gauge = || seen.value("masthead_plugin_quarantined plugin=faulty site=demo").map(f64::from_bits);
    assert_eq!(gauge(), Some(0.0));
    for path in ["a", "b", "fail", "fail", "c"] {
        begin(&chain).rewrite_links(vec![link(LinkKind::Other, path)]).await;
    }
    assert_eq!(gauge(), Some(1.0));
    let count = |outcome| {
        seen.value(&format!("masthead_hook_calls_total hook=links.rewrite outcome={outcome} plugin=faulty site=demo"))
    };
    assert_eq!((count("ok"), count("trap"), count("quarantined")), (Some(2), Some(2), Some(1)));
}
