//! What a failure writes: one line in the log, one count in the ledger.

use std::time::Duration;

use crate::{
    contract::failure::Cause,
    invocation::{hooks::Hook, host_services::system_clock},
    site::{circuit_breaker::Verdict, member::Member},
};

/// Refusals do not lead to quarantine, so their lines are held back by time.
const REFUSAL_PAUSE_SECONDS: u64 = 10;

pub(crate) fn skipped(member: &Member, hook: Hook) {
    member.ledger.failed(hook, "quarantined", None);
}

pub(crate) fn failed(member: &Member, hook: Hook, cause: &Cause, took: Duration, verdict: Option<Verdict>) {
    member.ledger.failed(hook, cause.label(), Some(took));
    if !cause.is_fault() && !member.ledger.may_write_refusal(system_clock() / 1000, REFUSAL_PAUSE_SECONDS) {
        return;
    }
    let manifest = member.plugin.manifest();
    let (site, plugin, version, hook) = (&*member.site, manifest.id.as_str(), &manifest.version, hook.spec());
    tracing::warn!(site, plugin, %version, hook = hook.name, %cause, "plugin call failed; the page is made with {}", hook.on_failure);
    if let Some(Verdict::Quarantined(pause)) = verdict {
        member.ledger.quarantine(true);
        tracing::error!(site, plugin, %version, ?pause, "plugin switched off for this site because it keeps failing");
    }
}

pub(crate) fn recovered(member: &Member) {
    member.ledger.quarantine(false);
    tracing::info!(site = &*member.site, plugin = member.plugin.id(), "plugin works again and is used");
}
