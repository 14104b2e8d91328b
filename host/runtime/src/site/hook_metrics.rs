//! The cost ledger: what each plugin costs each site, hook by hook. It is the one place where calls are counted; the metrics page
//! and `masthead plugin stats` are two views of it.

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

use crate::{contract::failure::OUTCOMES, invocation::hooks::Hook};

/// Four buckets an octave from 256 ns up: a quantile is off by a tenth at most, and a histogram takes 512 bytes.
const BUCKETS: usize = 128;
const UNIT_NANOS: u64 = 256;

/// What one hook of one plugin cost one site so far.
struct HookLedger {
    hook: Hook,
    ok: AtomicU64,
    remembered: AtomicU64,
    failed: [AtomicU32; OUTCOMES.len()],
    nanos: AtomicU64,
    buckets: [AtomicU32; BUCKETS],
    memory_peak: AtomicU64,
}

impl HookLedger {
    fn new(hook: Hook) -> Self {
        Self {
            hook,
            ok: AtomicU64::new(0),
            remembered: AtomicU64::new(0),
            failed: [const { AtomicU32::new(0) }; OUTCOMES.len()],
            nanos: AtomicU64::new(0),
            buckets: [const { AtomicU32::new(0) }; BUCKETS],
            memory_peak: AtomicU64::new(0),
        }
    }

    fn took(&self, time: Duration) {
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

/// What one version of one plugin cost one site.
pub(crate) struct PluginLedger {
    site: Arc<str>,
    plugin: String,
    version: String,
    hooks: Box<[HookLedger]>,
    quarantined: AtomicBool,
    last_refusal: AtomicU64,
}

impl PluginLedger {
    fn new(site: &str, plugin: &str, version: String, hooks: impl Iterator<Item = Hook>) -> Self {
        Self {
            site: site.into(),
            plugin: plugin.to_owned(),
            version,
            hooks: hooks.map(HookLedger::new).collect(),
            quarantined: AtomicBool::new(false),
            last_refusal: AtomicU64::new(0),
        }
    }

    fn of(&self, hook: Hook) -> Option<&HookLedger> {
        self.hooks.iter().find(|ledger| ledger.hook == hook)
    }

    pub(crate) fn succeeded(&self, hook: Hook, took: Duration, memory: usize) {
        let Some(ledger) = self.of(hook) else { return };
        ledger.ok.fetch_add(1, Relaxed);
        ledger.took(took);
        let memory = memory as u64;
        // Almost always nothing new: a load instead of a write that other cores would have to wait for.
        if ledger.memory_peak.load(Relaxed) < memory {
            ledger.memory_peak.fetch_max(memory, Relaxed);
        }
    }

    pub(crate) fn remembered(&self, hook: Hook) {
        if let Some(ledger) = self.of(hook) {
            ledger.remembered.fetch_add(1, Relaxed);
        }
    }

    /// `outcome` is one of [`OUTCOMES`].
    pub(crate) fn failed(&self, hook: Hook, outcome: &str, took: Option<Duration>) {
        let Some(ledger) = self.of(hook) else { return };
        if let Some(place) = OUTCOMES.iter().position(|known| *known == outcome) {
            ledger.failed[place].fetch_add(1, Relaxed);
        }
        if let Some(took) = took {
            ledger.took(took);
        }
    }

    pub(crate) fn quarantine(&self, yes: bool) {
        self.quarantined.store(yes, Relaxed);
    }

    /// At most one refusal in so many seconds is written to the log.
    pub(crate) fn may_write_refusal(&self, now_seconds: u64, pause: u64) -> bool {
        let last = self.last_refusal.load(Relaxed);
        now_seconds >= last + pause && self.last_refusal.compare_exchange(last, now_seconds, Relaxed, Relaxed).is_ok()
    }

    fn rows(&self) -> impl Iterator<Item = Cost> {
        self.hooks.iter().map(|ledger| {
            let failed = OUTCOMES
                .iter()
                .zip(&ledger.failed)
                .map(|(name, count)| ((*name).to_owned(), u64::from(count.load(Relaxed))))
                .filter(|(_, count)| *count > 0)
                .collect();
            Cost {
                site: self.site.to_string(),
                plugin: self.plugin.clone(),
                version: self.version.clone(),
                hook: ledger.hook.name().to_owned(),
                ok: ledger.ok.load(Relaxed),
                remembered: ledger.remembered.load(Relaxed),
                failed,
                seconds: Duration::from_nanos(ledger.nanos.load(Relaxed)).as_secs_f64(),
                p50: ledger.quantile(0.5).as_secs_f64(),
                p99: ledger.quantile(0.99).as_secs_f64(),
                memory_peak: ledger.memory_peak.load(Relaxed),
                quarantined: self.quarantined.load(Relaxed),
            }
        })
    }
}

/// A row of the ledger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    /// Short name of the site.
    pub site: String,
    /// The plugin's id.
    pub plugin: String,
    /// The plugin's version.
    pub version: String,
    /// The hook's name.
    pub hook: String,
    /// Calls that gave a result.
    pub ok: u64,
    /// Results that were remembered, so that no call was made.
    pub remembered: u64,
    /// Calls that gave none, by reason.
    pub failed: Vec<(String, u64)>,
    /// Time of all calls together, in seconds.
    pub seconds: f64,
    /// Time that half of the calls stayed below, in seconds, within a tenth.
    pub p50: f64,
    /// Time that 99 of 100 calls stayed below, in seconds, within a tenth.
    pub p99: f64,
    /// Most memory (linear memories and tables) that an instance had after such a call, in bytes.
    pub memory_peak: u64,
    /// Whether the plugin is switched off for this site at the moment.
    pub quarantined: bool,
}

impl Cost {
    /// Calls that gave no result.
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.failed.iter().map(|(_, count)| count).sum()
    }
}

type LedgerKey = (SiteId, String, String);

/// The ledgers of all sites. They outlive chains: saving a site's file does not set its counters back.
#[derive(Default)]
pub(crate) struct Ledgers(Mutex<HashMap<LedgerKey, Arc<PluginLedger>>>);

impl Ledgers {
    pub(crate) fn open(
        &self,
        (id, site): (SiteId, &str),
        plugin: &str,
        version: String,
        hooks: impl Iterator<Item = Hook>,
    ) -> Arc<PluginLedger> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (id, plugin.to_owned(), version.clone());
        let fresh = || Arc::new(PluginLedger::new(site, plugin, version, hooks));
        let ledger = all.entry(key).or_insert_with(fresh);
        Arc::clone(ledger)
    }

    /// Forgets plugins that no site uses any more.
    pub(crate) fn prune(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|_, ledger| Arc::strong_count(ledger) > 1);
    }

    /// All rows, by site, plugin, version and hook.
    pub(crate) fn rows(&self) -> Vec<Cost> {
        let ledgers: Vec<_> = self.0.lock().unwrap_or_else(PoisonError::into_inner).values().map(Arc::clone).collect();
        let mut rows: Vec<_> = ledgers.iter().flat_map(|ledger| ledger.rows()).collect();
        rows.sort_by(|a, b| (&a.site, &a.plugin, &a.version, &a.hook).cmp(&(&b.site, &b.plugin, &b.version, &b.hook)));
        rows
    }
}

/// The ledger in the text format of Prometheus.
#[must_use]
pub fn prometheus(rows: &[Cost]) -> String {
    let mut text = String::from(concat!(
        "# HELP masthead_hook_calls_total Calls of plugin hooks by outcome: ok, remembered, or why the page went without.\n",
        "# TYPE masthead_hook_calls_total counter\n"
    ));
    let labels = |cost: &Cost| {
        let Cost { site, plugin, version, hook, .. } = cost;
        format!("site=\"{site}\",plugin=\"{plugin}\",version=\"{version}\",hook=\"{hook}\"")
    };
    // Writing to a String cannot fail.
    for cost in rows {
        let labels = labels(cost);
        let more = [("ok", cost.ok), ("remembered", cost.remembered)];
        let failed = cost.failed.iter().map(|(name, count)| (name.as_str(), *count));
        for (outcome, count) in more.into_iter().chain(failed) {
            let _ = writeln!(text, "masthead_hook_calls_total{{{labels},outcome=\"{outcome}\"}} {count}");
        }
    }
    text.push_str(
        "# HELP masthead_hook_seconds Time of plugin hook calls, with starting the instance where it was the first.\n",
    );
    text.push_str("# TYPE masthead_hook_seconds summary\n");
    for cost in rows {
        let (labels, count) = (labels(cost), cost.ok + cost.failures());
        let _ = writeln!(text, "masthead_hook_seconds{{{labels},quantile=\"0.5\"}} {}", cost.p50);
        let _ = writeln!(text, "masthead_hook_seconds{{{labels},quantile=\"0.99\"}} {}", cost.p99);
        let _ = writeln!(text, "masthead_hook_seconds_sum{{{labels}}} {}", cost.seconds);
        let _ = writeln!(text, "masthead_hook_seconds_count{{{labels}}} {count}");
    }
    text.push_str("# HELP masthead_hook_memory_peak_bytes Most memory of an instance after a call.\n");
    text.push_str("# TYPE masthead_hook_memory_peak_bytes gauge\n");
    for cost in rows {
        let _ = writeln!(text, "masthead_hook_memory_peak_bytes{{{}}} {}", labels(cost), cost.memory_peak);
    }
    text.push_str(
        "# HELP masthead_plugin_quarantined 1 while a plugin is switched off for a site because it kept failing.\n",
    );
    text.push_str("# TYPE masthead_plugin_quarantined gauge\n");
    let mut last = None;
    for cost in rows {
        let plugin = (&cost.site, &cost.plugin, &cost.version);
        if last != Some(plugin) {
            let (site, name, version) = plugin;
            let value = u8::from(cost.quarantined);
            let _ = writeln!(
                text,
                "masthead_plugin_quarantined{{site=\"{site}\",plugin=\"{name}\",version=\"{version}\"}} {value}"
            );
        }
        last = Some(plugin);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_right_within_a_tenth() {
        let ledger = HookLedger::new(Hook::Links);
        for micros in 1..=1000 {
            ledger.took(Duration::from_micros(micros));
        }
        for (share, micros) in [(0.5, 500.0), (0.99, 990.0)] {
            let found = ledger.quantile(share).as_secs_f64() * 1e6;
            assert!((found / micros - 1.0).abs() < 0.13, "{share}: {found}");
        }
    }

    #[test]
    fn buckets_grow_and_hold_everything() {
        let places: Vec<_> = [0, 200, 300, 1000, 10_000, 1_000_000, 10_000_000_000, u64::MAX].map(bucket).to_vec();
        assert!(places.is_sorted() && places.iter().all(|place| *place < BUCKETS), "{places:?}");
        for place in 0..BUCKETS - 1 {
            let nanos = u64::try_from(middle(place).as_nanos()).unwrap_or_default();
            assert_eq!(bucket(nanos), place, "{nanos}");
        }
    }

    #[test]
    fn prometheus_reads_it() {
        let ledgers = Ledgers::default();
        let ledger = ledgers.open((SiteId(1), "one"), "p", "0.1.0".into(), [Hook::Links].into_iter());
        ledger.succeeded(Hook::Links, Duration::from_micros(10), 65_536);
        ledger.failed(Hook::Links, "trap", Some(Duration::from_micros(10)));
        ledger.failed(Hook::Access, "trap", None);
        let text = prometheus(&ledgers.rows());
        for line in ["outcome=\"ok\"} 1", "outcome=\"trap\"} 1", "_seconds_count{", "peak_bytes{", "quarantined{"] {
            assert!(text.contains(line), "{line} in {text}");
        }
        drop(ledger);
        ledgers.prune();
        assert!(ledgers.rows().is_empty());
    }
}
