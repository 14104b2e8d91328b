//! A plugin as one site uses it.

use std::{sync::Arc, time::Duration};

use masthead_domain::SiteId;

use crate::{
    config::RuntimeConfig,
    hooks::{HOOKS, Hook},
    live::slices,
    plugin::Plugin,
    quarantine::Breaker,
    telemetry::MemberMetrics,
};

pub(crate) struct Member {
    pub plugin: Arc<Plugin>,
    pub site_id: SiteId,
    pub site: Arc<str>,
    /// JSON, defaults filled in.
    pub settings: String,
    /// Bytes of memories and tables.
    pub memory: usize,
    pub breaker: Arc<Breaker>,
    pub metrics: MemberMetrics,
    budgets: [(Duration, u32); HOOKS.len()],
}

/// What a site sets for a plugin.
pub(crate) struct Limits {
    pub memory_mib: Option<u32>,
    pub budget_ms: Option<u32>,
}

impl Member {
    pub(crate) fn new(
        config: &RuntimeConfig,
        (site_id, site): (SiteId, &str),
        plugin: Arc<Plugin>,
        settings: String,
        limits: &Limits,
        breaker: Arc<Breaker>,
    ) -> Self {
        let memory = limits.memory_mib.map_or(config.memory_per_instance, |mib| (mib as usize) << 20);
        let budgets = std::array::from_fn(|index| {
            let default = HOOKS[index].budget.mul_f64(config.budget_factor);
            let wanted = limits.budget_ms.map_or(default, |ms| Duration::from_millis(ms.into()));
            let budget = wanted.min(default * config.budget_ceiling_factor);
            (budget, slices(budget, config.tick))
        });
        let metrics = MemberMetrics::new(site, plugin.id());
        let memory = memory.min(config.memory_ceiling);
        Self { plugin, site_id, site: site.into(), settings, memory, breaker, metrics, budgets }
    }

    pub(crate) fn budget(&self, hook: Hook) -> Duration {
        self.budgets[hook as usize].0
    }

    pub(crate) fn slices(&self, hook: Hook) -> u32 {
        self.budgets[hook as usize].1
    }

    /// The same, with far more time: compiling other plugins may share the machine with its trial.
    pub(crate) fn patient(mut self) -> Self {
        for (budget, slices) in &mut self.budgets {
            *budget *= 10;
            *slices = slices.saturating_mul(10);
        }
        self
    }
}
