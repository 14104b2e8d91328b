//! Metrics, and the one line that a failure writes.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use metrics::{
    Counter, Gauge, Histogram, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
};

use crate::{
    failure::Cause,
    hooks::{HOOKS, Hook},
    member::Member,
    quarantine::Verdict,
};

const CALLS: &str = "masthead_hook_calls_total";
const SECONDS: &str = "masthead_hook_seconds";
const QUARANTINED: &str = "masthead_plugin_quarantined";
/// Refusals do not lead to quarantine, so their lines are held back by time.
const REFUSAL_PAUSE_SECONDS: u64 = 10;

pub(crate) fn describe() {
    describe_counter!(
        CALLS,
        "Calls of plugin hooks by site, plugin, hook and outcome (ok, or why the page went without)."
    );
    describe_histogram!(
        SECONDS,
        metrics::Unit::Seconds,
        "Time of plugin hook calls, with starting the instance where it was the first."
    );
    describe_gauge!(QUARANTINED, "1 while a plugin is switched off for a site because it kept failing.");
}

/// Handles that are looked up once, when the chain is built: a look-up per call would cost as much as the call.
pub(crate) struct MemberMetrics {
    ok: [Counter; HOOKS.len()],
    seconds: [Histogram; HOOKS.len()],
    quarantined: Gauge,
    last_refusal: AtomicU64,
}

impl MemberMetrics {
    pub(crate) fn new(site: &str, plugin: &str) -> Self {
        let (site, plugin) = (site.to_owned(), plugin.to_owned());
        Self {
            ok: std::array::from_fn(
                |index| counter!(CALLS, "site" => site.clone(), "plugin" => plugin.clone(), "hook" => HOOKS[index].name, "outcome" => "ok"),
            ),
            seconds: std::array::from_fn(
                |index| histogram!(SECONDS, "site" => site.clone(), "plugin" => plugin.clone(), "hook" => HOOKS[index].name),
            ),
            quarantined: gauge!(QUARANTINED, "site" => site, "plugin" => plugin),
            last_refusal: AtomicU64::new(0),
        }
    }

    pub(crate) fn succeeded(&self, hook: Hook, took: Duration) {
        self.ok[hook as usize].increment(1);
        self.seconds[hook as usize].record(took.as_secs_f64());
    }

    pub(crate) fn quarantined(&self, yes: bool) {
        self.quarantined.set(if yes { 1.0 } else { 0.0 });
    }

    /// At most one refusal in ten seconds is written.
    fn may_write_refusal(&self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let last = self.last_refusal.load(Ordering::Relaxed);
        now >= last + REFUSAL_PAUSE_SECONDS
            && self.last_refusal.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

pub(crate) fn skipped(member: &Member, hook: Hook) {
    count(member, hook, "quarantined");
}

pub(crate) fn failed(member: &Member, hook: Hook, cause: &Cause, took: Duration, verdict: Option<Verdict>) {
    count(member, hook, cause.label());
    member.metrics.seconds[hook as usize].record(took.as_secs_f64());
    if !cause.is_fault() && !member.metrics.may_write_refusal() {
        return;
    }
    let manifest = member.plugin.manifest();
    let (site, plugin, version, hook) = (&*member.site, manifest.id.as_str(), &manifest.version, hook.spec());
    tracing::warn!(site, plugin, %version, hook = hook.name, %cause, "plugin call failed; the page is made with {}", hook.on_failure);
    if let Some(Verdict::Quarantined(pause)) = verdict {
        member.metrics.quarantined(true);
        tracing::error!(site, plugin, %version, ?pause, "plugin switched off for this site because it keeps failing");
    }
}

pub(crate) fn recovered(member: &Member) {
    member.metrics.quarantined(false);
    tracing::info!(site = &*member.site, plugin = member.plugin.id(), "plugin works again and is used");
}

fn count(member: &Member, hook: Hook, outcome: &'static str) {
    let (site, plugin) = (member.site.to_string(), member.plugin.id().to_owned());
    counter!(CALLS, "site" => site, "plugin" => plugin, "hook" => hook.name(), "outcome" => outcome).increment(1);
}
