//! Counters of hook calls: the cost of each plugin for each site, by hook. `/metrics` and `masthead plugin stats` show them.

use std::{
    collections::HashMap,
    fmt::Write as _,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use masthead_domain::SiteId;
use serde::{Deserialize, Serialize};

use crate::{
    contract::{failure::FAILURE_LABELS, hook_table::Hook},
    invocation::memory_limiter::MemoryUsage,
};

/// Four buckets for each doubling from 256 ns up: the error of a quantile is at most a tenth, and a histogram takes 512 bytes.
const BUCKETS: usize = 128;
const UNIT_NANOS: u64 = 256;

/// The counters of one hook of one plugin on one site.
struct HookCounters {
    hook: Hook,
    ok: AtomicU64,
    cached: AtomicU64,
    failed: [AtomicU32; FAILURE_LABELS.len()],
    nanos: AtomicU64,
    buckets: [AtomicU32; BUCKETS],
    memory_peak: AtomicU64,
}

impl HookCounters {
    fn new(hook: Hook) -> Self {
        Self {
            hook,
            ok: AtomicU64::new(0),
            cached: AtomicU64::new(0),
            failed: [const { AtomicU32::new(0) }; FAILURE_LABELS.len()],
            nanos: AtomicU64::new(0),
            buckets: [const { AtomicU32::new(0) }; BUCKETS],
            memory_peak: AtomicU64::new(0),
        }
    }

    fn add_time(&self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.nanos.fetch_add(nanos, Relaxed);
        self.buckets[bucket(nanos)].fetch_add(1, Relaxed);
    }

    fn quantile(&self, share: f64) -> Duration {
        let counts: Vec<u32> = self.buckets.iter().map(|count| count.load(Relaxed)).collect();
        let total: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a rank"
        )]
        let rank = ((total as f64 * share).ceil() as u64).max(1);
        let mut seen = 0;
        let place = counts.iter().position(|&count| {
            seen += u64::from(count);
            seen >= rank
        });
        place.filter(|_| total > 0).map_or(Duration::ZERO, middle)
    }
}

fn bucket(nanos: u64) -> usize {
    let units = nanos / UNIT_NANOS + 4;
    let octave = 63 - units.leading_zeros();
    let quarter = (units >> (octave - 2)) & 3;
    ((octave - 2) as usize * 4 + quarter as usize).min(BUCKETS - 1)
}

fn middle(bucket: usize) -> Duration {
    let (octave, quarter) = (bucket / 4 + 2, (bucket % 4) as u64);
    let low = (4 + quarter) << (octave - 2);
    let high = (5 + quarter) << (octave - 2);
    Duration::from_nanos(((low + high) / 2).saturating_sub(4).saturating_mul(UNIT_NANOS))
}

/// The counters of one version of one plugin on one site.
pub(crate) struct PluginMetrics {
    site: Arc<str>,
    plugin: String,
    version: String,
    hooks: Box<[HookCounters]>,
    circuit_open: AtomicBool,
    last_refusal: AtomicU64,
}

impl PluginMetrics {
    fn new(site: &str, plugin: &str, version: String, hooks: impl Iterator<Item = Hook>) -> Self {
        Self {
            site: site.into(),
            plugin: plugin.to_owned(),
            version,
            hooks: hooks.map(HookCounters::new).collect(),
            circuit_open: AtomicBool::new(false),
            last_refusal: AtomicU64::new(0),
        }
    }

    fn of(&self, hook: Hook) -> Option<&HookCounters> {
        self.hooks.iter().find(|metrics| metrics.hook == hook)
    }

    pub(crate) fn succeeded(&self, hook: Hook, took: Duration, memory: usize) {
        let Some(metrics) = self.of(hook) else { return };
        metrics.ok.fetch_add(1, Relaxed);
        metrics.add_time(took);
        let memory = memory as u64;
        // The peak rarely changes, and a load is cheaper than a write, which invalidates the cache line of other cores.
        if metrics.memory_peak.load(Relaxed) < memory {
            metrics.memory_peak.fetch_max(memory, Relaxed);
        }
    }

    pub(crate) fn served_from_cache(&self, hook: Hook) {
        if let Some(metrics) = self.of(hook) {
            metrics.cached.fetch_add(1, Relaxed);
        }
    }

    /// `outcome` is one of [`FAILURE_LABELS`].
    pub(crate) fn failed(&self, hook: Hook, outcome: &str, took: Option<Duration>) {
        let Some(metrics) = self.of(hook) else { return };
        if let Some(place) = FAILURE_LABELS.iter().position(|known| *known == outcome) {
            metrics.failed[place].fetch_add(1, Relaxed);
        }
        if let Some(took) = took {
            metrics.add_time(took);
        }
    }

    pub(crate) fn set_circuit_open(&self, open: bool) {
        self.circuit_open.store(open, Relaxed);
    }

    /// Whether to log a refusal: at most one within `pause` seconds.
    pub(crate) fn may_log_refusal(&self, now_seconds: u64, pause: u64) -> bool {
        let last = self.last_refusal.load(Relaxed);
        now_seconds >= last + pause && self.last_refusal.compare_exchange(last, now_seconds, Relaxed, Relaxed).is_ok()
    }

    fn rows(&self) -> impl Iterator<Item = HookUsage> {
        self.hooks.iter().map(|metrics| {
            let failed = FAILURE_LABELS
                .iter()
                .zip(&metrics.failed)
                .map(|(name, count)| ((*name).to_owned(), u64::from(count.load(Relaxed))))
                .filter(|(_, count)| *count > 0)
                .collect();
            HookUsage {
                site: self.site.to_string(),
                plugin: self.plugin.clone(),
                version: self.version.clone(),
                hook: metrics.hook.name().to_owned(),
                ok: metrics.ok.load(Relaxed),
                cached: metrics.cached.load(Relaxed),
                failed,
                seconds: Duration::from_nanos(metrics.nanos.load(Relaxed)).as_secs_f64(),
                p50: metrics.quantile(0.5).as_secs_f64(),
                p99: metrics.quantile(0.99).as_secs_f64(),
                memory_peak: metrics.memory_peak.load(Relaxed),
                circuit_open: self.circuit_open.load(Relaxed),
            }
        })
    }
}

/// The calls of one hook of one version of a plugin on one site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HookUsage {
    /// Short name of the site.
    pub site: String,
    /// The plugin's id.
    pub plugin: String,
    /// The plugin's version.
    pub version: String,
    /// The hook's name.
    pub hook: String,
    /// Calls with a result.
    pub ok: u64,
    /// Results from the cache, for which no call was made.
    #[serde(rename = "remembered")]
    pub cached: u64,
    /// Calls without a result, by label of the cause.
    pub failed: Vec<(String, u64)>,
    /// Time of all calls together, in seconds.
    pub seconds: f64,
    /// Median time of a call in seconds, within a tenth.
    pub p50: f64,
    /// 99th percentile of the time of a call in seconds, within a tenth.
    pub p99: f64,
    /// Largest memory (linear memories and tables) of an instance after such a call, in bytes.
    pub memory_peak: u64,
    /// Whether the plugin's circuit breaker on this site is open.
    #[serde(rename = "quarantined")]
    pub circuit_open: bool,
}

impl HookUsage {
    /// Calls without a result.
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.failed.iter().map(|(_, count)| count).sum()
    }
}

type MetricsKey = (SiteId, String, String);

/// The counters of all sites. They outlive chains, so that saving a site's file does not reset them.
#[derive(Default)]
pub(crate) struct MetricsRegistry(Mutex<HashMap<MetricsKey, Arc<PluginMetrics>>>);

impl MetricsRegistry {
    pub(crate) fn open(
        &self,
        (id, site): (SiteId, &str),
        plugin: &str,
        version: String,
        hooks: impl Iterator<Item = Hook>,
    ) -> Arc<PluginMetrics> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (id, plugin.to_owned(), version.clone());
        let fresh = || Arc::new(PluginMetrics::new(site, plugin, version, hooks));
        let metrics = all.entry(key).or_insert_with(fresh);
        Arc::clone(metrics)
    }

    /// Removes the counters of plugins that no chain uses any more.
    pub(crate) fn prune(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|_, metrics| Arc::strong_count(metrics) > 1);
    }

    /// All rows, by site, plugin, version and hook.
    pub(crate) fn rows(&self) -> Vec<HookUsage> {
        let registry: Vec<_> = self.0.lock().unwrap_or_else(PoisonError::into_inner).values().map(Arc::clone).collect();
        let mut rows: Vec<_> = registry.iter().flat_map(|metrics| metrics.rows()).collect();
        rows.sort_by(|a, b| (&a.site, &a.plugin, &a.version, &a.hook).cmp(&(&b.site, &b.plugin, &b.version, &b.hook)));
        rows
    }
}

/// The counters, and the memory of all plugins, in the text format of Prometheus.
#[must_use]
pub fn prometheus(rows: &[HookUsage], memory: &MemoryUsage) -> String {
    let mut text = String::from(concat!(
        "# HELP masthead_hook_calls_total Calls of plugin hooks by outcome: ok, remembered (from the cache), or the cause of the failure.\n",
        "# TYPE masthead_hook_calls_total counter\n"
    ));
    let labels = |usage: &HookUsage| {
        let HookUsage { site, plugin, version, hook, .. } = usage;
        format!("site=\"{site}\",plugin=\"{plugin}\",version=\"{version}\",hook=\"{hook}\"")
    };
    // Writing to a String cannot fail.
    for usage in rows {
        let labels = labels(usage);
        let more = [("ok", usage.ok), ("remembered", usage.cached)];
        let failed = usage.failed.iter().map(|(name, count)| (name.as_str(), *count));
        for (outcome, count) in more.into_iter().chain(failed) {
            let _ = writeln!(text, "masthead_hook_calls_total{{{labels},outcome=\"{outcome}\"}} {count}");
        }
    }
    text.push_str(
        "# HELP masthead_hook_seconds Time of plugin hook calls, including the start of the instance at its first call.\n",
    );
    text.push_str("# TYPE masthead_hook_seconds summary\n");
    for usage in rows {
        let (labels, count) = (labels(usage), usage.ok + usage.failures());
        let _ = writeln!(text, "masthead_hook_seconds{{{labels},quantile=\"0.5\"}} {}", usage.p50);
        let _ = writeln!(text, "masthead_hook_seconds{{{labels},quantile=\"0.99\"}} {}", usage.p99);
        let _ = writeln!(text, "masthead_hook_seconds_sum{{{labels}}} {}", usage.seconds);
        let _ = writeln!(text, "masthead_hook_seconds_count{{{labels}}} {count}");
    }
    text.push_str("# HELP masthead_hook_memory_peak_bytes Most memory of an instance after a call.\n");
    text.push_str("# TYPE masthead_hook_memory_peak_bytes gauge\n");
    for usage in rows {
        let _ = writeln!(text, "masthead_hook_memory_peak_bytes{{{}}} {}", labels(usage), usage.memory_peak);
    }
    text.push_str(
        "# HELP masthead_plugin_quarantined 1 while the circuit breaker of a plugin on a site is open because the plugin kept failing.\n",
    );
    text.push_str("# TYPE masthead_plugin_quarantined gauge\n");
    let mut last = None;
    for usage in rows {
        let plugin = (&usage.site, &usage.plugin, &usage.version);
        if last != Some(plugin) {
            let (site, name, version) = plugin;
            let value = u8::from(usage.circuit_open);
            let _ = writeln!(
                text,
                "masthead_plugin_quarantined{{site=\"{site}\",plugin=\"{name}\",version=\"{version}\"}} {value}"
            );
        }
        last = Some(plugin);
    }
    add_memory(&mut text, memory);
    text
}

fn add_memory(text: &mut String, memory: &MemoryUsage) {
    let MemoryUsage { used, peak, limit, refused } = memory;
    for (name, kind, help, value) in [
        ("bytes", "gauge", "Memory of all plugin instances together.", *used as u64),
        ("peak_bytes", "gauge", "Most memory of all plugin instances together since the start.", *peak as u64),
        ("limit_bytes", "gauge", "Memory that all plugin instances together may have.", *limit as u64),
        ("refusals_total", "counter", "Growths that were refused because of that limit.", *refused),
    ] {
        let name = format!("masthead_plugin_memory_{name}");
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_exact_within_a_tenth() {
        let metrics = HookCounters::new(Hook::Links);
        for micros in 1..=1000 {
            metrics.add_time(Duration::from_micros(micros));
        }
        for (share, micros) in [(0.5, 500.0), (0.99, 990.0)] {
            let found = metrics.quantile(share).as_secs_f64() * 1e6;
            assert!((found / micros - 1.0).abs() < 0.13, "{share}: {found}");
        }
    }

    #[test]
    fn buckets_grow_and_cover_all_values() {
        let places: Vec<_> = [0, 200, 300, 1000, 10_000, 1_000_000, 10_000_000_000, u64::MAX].map(bucket).to_vec();
        assert!(places.is_sorted() && places.iter().all(|place| *place < BUCKETS), "{places:?}");
        for place in 0..BUCKETS - 1 {
            let nanos = u64::try_from(middle(place).as_nanos()).unwrap_or_default();
            assert_eq!(bucket(nanos), place, "{nanos}");
        }
    }

    #[test]
    fn the_text_is_valid_for_prometheus() {
        let registry = MetricsRegistry::default();
        let metrics = registry.open((SiteId(1), "one"), "p", "0.1.0".into(), [Hook::Links].into_iter());
        metrics.succeeded(Hook::Links, Duration::from_micros(10), 65_536);
        metrics.failed(Hook::Links, "trap", Some(Duration::from_micros(10)));
        metrics.failed(Hook::Access, "trap", None);
        let memory = MemoryUsage { used: 10, peak: 20, limit: 30, refused: 40 };
        let text = prometheus(&registry.rows(), &memory);
        for line in ["outcome=\"ok\"} 1", "outcome=\"trap\"} 1", "_seconds_count{", "peak_bytes{", "quarantined{"] {
            assert!(text.contains(line), "{line} in {text}");
        }
        for line in ["memory_bytes 10", "memory_peak_bytes 20", "memory_limit_bytes 30", "memory_refusals_total 40"] {
            assert!(text.contains(line), "{line} in {text}");
        }
        drop(metrics);
        registry.prune();
        assert!(registry.rows().is_empty());
    }
}
