//! Reports of a failure: one line in the log, one count in the metrics.

use std::time::Duration;

use masthead_domain::plugin_use::OnFailure;

use super::{circuit_breaker::FailureEffect, member::Member};
use crate::{
    contract::{
        failure::{CIRCUIT_OPEN, FailureCause},
        hook_table::Hook,
    },
    invocation::host_services::system_clock,
};

/// Seconds between log lines about refusals, which the circuit breaker does not limit.
const REFUSAL_PAUSE_SECONDS: u64 = 10;

/// Reports a call that the circuit breaker rejected.
pub(crate) fn call_rejected(member: &Member, hook: Hook) {
    member.metrics.failed(hook, CIRCUIT_OPEN, None);
}

/// Reports a call without a result, after `took`.
pub(crate) fn call_failed(
    member: &Member,
    hook: Hook,
    cause: &FailureCause,
    took: Duration,
    effect: Option<FailureEffect>,
) {
    member.metrics.failed(hook, cause.label(), Some(took));
    if !cause.is_fault() && !member.metrics.may_log_refusal(system_clock() / 1000, REFUSAL_PAUSE_SECONDS) {
        return;
    }
    let manifest = member.plugin.manifest();
    let (site, plugin, version, hook) = (&*member.context.name, manifest.id.as_str(), &manifest.version, hook.spec());
    let instead = if hook.hook == Hook::Access && member.on_failure == OnFailure::Deny {
        "no permission at all, as onFailure says"
    } else {
        hook.on_failure
    };
    tracing::warn!(site, plugin, %version, hook = hook.name, %cause, "plugin call failed; the page uses {instead}");
    if let Some(FailureEffect::Opened(pause)) = effect {
        member.metrics.set_circuit_open(true);
        tracing::error!(site, plugin, %version, ?pause, "plugin switched off for this site because it keeps failing");
    }
}

/// Reports the successful probe of an open circuit breaker.
pub(crate) fn circuit_closed(member: &Member) {
    member.metrics.set_circuit_open(false);
    tracing::info!(site = &*member.context.name, plugin = member.plugin.id(), "plugin works again and is used");
}
