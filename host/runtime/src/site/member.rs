//! A plugin as one site uses it.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use masthead_domain::{
    SiteId,
    plugin_use::{Grants, PluginLimits},
};

use crate::{
    contract::limits::RuntimeConfig,
    invocation::{
        fetch::{Fetcher, Gate},
        hooks::{HOOKS, Hook},
        host_services::Services,
    },
    plugin::{instance::slices, loaded::Plugin},
    site::{circuit_breaker::Breaker, hook_metrics::PluginLedger},
};

/// Numbers of members, never used twice: a remembered result belongs to exactly one.
static NUMBERS: AtomicU64 = AtomicU64::new(1);

pub(crate) struct Member {
    pub number: u64,
    pub plugin: Arc<Plugin>,
    pub site_id: SiteId,
    pub site: Arc<str>,
    /// JSON, defaults filled in.
    pub settings: String,
    /// What the site gives and the manifest asks for.
    pub grants: Grants,
    /// Bytes of memories and tables.
    pub memory: usize,
    pub breaker: Arc<Breaker>,
    pub ledger: Arc<PluginLedger>,
    pub services: Arc<Services>,
    /// What the site set, to see whether a later configuration says the same.
    pub limits: PluginLimits,
    gate: Gate,
    config: Arc<RuntimeConfig>,
    fetcher: OnceLock<Fetcher>,
    /// Wall-clock time and ticks of computing, by hook.
    budgets: [(Duration, u32); HOOKS.len()],
}

/// What a member is made of.
pub(crate) struct Parts<'a> {
    pub config: &'a Arc<RuntimeConfig>,
    pub services: &'a Arc<Services>,
    pub site: (SiteId, &'a str),
    pub plugin: Arc<Plugin>,
    pub settings: String,
    pub grants: Grants,
    pub gate: Gate,
    pub limits: &'a PluginLimits,
    pub breaker: Arc<Breaker>,
    pub ledger: Arc<PluginLedger>,
}

impl Member {
    pub(crate) fn new(parts: Parts<'_>) -> Self {
        let Parts { config, services, site: (site_id, site), plugin, settings, grants, gate, limits, breaker, ledger } =
            parts;
        let wanted = limits.memory_mib.or(plugin.manifest().memory_mib);
        let memory = wanted.map_or(config.memory_per_instance, |mib| (mib as usize) << 20).min(config.memory_ceiling);
        let cut = |default: Duration| {
            let default = default.mul_f64(config.budget_factor);
            let wanted = limits.budget_ms.map_or(default, |ms| Duration::from_millis(ms.into()));
            wanted.min(default * config.budget_ceiling_factor)
        };
        let budgets = std::array::from_fn(|index| {
            let spec = &HOOKS[index];
            (cut(spec.wait), slices(cut(spec.budget), config.tick))
        });
        Self {
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            plugin,
            site_id,
            site: site.into(),
            settings,
            grants,
            memory,
            breaker,
            ledger,
            services: Arc::clone(services),
            limits: limits.clone(),
            gate,
            config: Arc::clone(config),
            fetcher: OnceLock::new(),
            budgets,
        }
    }

    /// Wall-clock time of one call.
    pub(crate) fn wait(&self, hook: Hook) -> Duration {
        self.budgets[hook as usize].0
    }

    /// Ticks of computing of one call.
    pub(crate) fn slices(&self, hook: Hook) -> u32 {
        self.budgets[hook as usize].1
    }

    /// Computing time of one call, as it is told to people.
    pub(crate) fn computing(&self, hook: Hook) -> Duration {
        self.config.tick * self.slices(hook).saturating_sub(1)
    }

    /// The connections of this plugin on this site, opened at the first request.
    pub(crate) fn fetcher(&self) -> &Fetcher {
        self.fetcher.get_or_init(|| {
            let limits = self.config.http.clone();
            let secrets = self.grants.secrets.clone();
            Fetcher::new(self.gate.clone(), secrets, limits, Arc::clone(&self.services.resolver))
        })
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
