//! A plugin as a member of a site's chain.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use masthead_domain::plugin_use::{OnFailure, PluginLimits};

use super::{circuit_breaker::CircuitBreaker, hook_metrics::PluginMetrics};
use crate::{invocation::site_context::SiteContext, plugin::loaded::Plugin};

/// The next member's number. Numbers are never reused, because a cached result belongs to exactly one member.
static NEXT_NUMBER: AtomicU64 = AtomicU64::new(1);

pub(crate) struct Member {
    pub number: u64,
    pub plugin: Arc<Plugin>,
    pub context: Arc<SiteContext>,
    /// The limits set by the site, for comparison with those of a later configuration.
    pub limits: PluginLimits,
    /// What readers may do while its hook `access.decide` fails.
    pub on_failure: OnFailure,
    pub breaker: Arc<CircuitBreaker>,
    pub metrics: Arc<PluginMetrics>,
}

impl Member {
    pub(crate) fn new(
        plugin: Arc<Plugin>,
        context: Arc<SiteContext>,
        (limits, on_failure): (PluginLimits, OnFailure),
        breaker: Arc<CircuitBreaker>,
        metrics: Arc<PluginMetrics>,
    ) -> Self {
        let number = NEXT_NUMBER.fetch_add(1, Ordering::Relaxed);
        Self { number, plugin, context, limits, on_failure, breaker, metrics }
    }
}
