//! A plugin's configuration on one site: everything of the site that a running instance can access.

use std::{sync::Arc, time::Duration};

use masthead_domain::{
    SiteId,
    plugin_use::{Grants, PluginLimits},
};

use super::{
    fetch::{AllowedOrigins, Fetcher, GrantedSecrets},
    host_services::HostServices,
};
use crate::contract::{
    hook_table::{HOOKS, Hook},
    limits::RuntimeConfig,
    manifest::Manifest,
};

/// A plugin with the configuration of one site.
pub(crate) struct SiteContext {
    pub site_id: SiteId,
    /// Short name of the site.
    pub name: Arc<str>,
    pub manifest: Arc<Manifest>,
    /// The settings, a JSON object with defaults filled in.
    pub settings: String,
    /// The grants that the site gives and the manifest requests.
    pub grants: Grants,
    pub services: Arc<HostServices>,
    pub config: Arc<RuntimeConfig>,
    /// Limit on the memories and tables of one instance, in bytes.
    pub memory_limit: usize,
    /// The HTTP client of this plugin on this site.
    pub fetcher: Fetcher,
    budgets: [HookBudget; HOOKS.len()],
}

/// Limits of one call of one hook.
#[derive(Clone, Copy)]
struct HookBudget {
    wall_clock: Duration,
    /// Computing time in ticks.
    ticks: u32,
}

/// The values from which a context is made.
pub(crate) struct SiteContextParts<'a> {
    pub site: (SiteId, &'a str),
    pub manifest: Arc<Manifest>,
    pub settings: String,
    pub grants: Grants,
    pub allowed_origins: AllowedOrigins,
    pub secrets: GrantedSecrets,
    pub limits: &'a PluginLimits,
    pub services: Arc<HostServices>,
    pub config: Arc<RuntimeConfig>,
}

impl SiteContext {
    pub(crate) fn new(parts: SiteContextParts<'_>) -> Self {
        let SiteContextParts { site, manifest, settings, grants, allowed_origins, secrets, limits, services, config } =
            parts;
        let requested = limits.memory_mib.or(manifest.memory_mib);
        let memory_limit =
            requested.map_or(config.memory_per_instance, |mib| (mib as usize) << 20).min(config.memory_ceiling);
        let limit = |default: Duration| {
            let default = default.mul_f64(config.budget_factor);
            let requested = limits.budget_ms.map_or(default, |ms| Duration::from_millis(ms.into()));
            requested.min(default * config.budget_ceiling_factor)
        };
        let budgets = std::array::from_fn(|index| {
            let spec = &HOOKS[index];
            HookBudget { wall_clock: limit(spec.wait), ticks: ticks(limit(spec.budget), config.tick) }
        });
        let fetcher = Fetcher::new(allowed_origins, secrets, config.http.clone(), Arc::clone(&services.resolver));
        Self {
            site_id: site.0,
            name: site.1.into(),
            manifest,
            settings,
            grants,
            services,
            memory_limit,
            config,
            fetcher,
            budgets,
        }
    }

    /// The same context with ten times the time, because the trial of a plugin may share the machine with the compilation of
    /// others.
    pub(crate) fn with_trial_budgets(mut self) -> Self {
        for budget in &mut self.budgets {
            budget.wall_clock *= 10;
            budget.ticks = budget.ticks.saturating_mul(10);
        }
        self
    }

    pub(crate) fn plugin_id(&self) -> &str {
        &self.manifest.id
    }

    /// Wall-clock time of one call.
    pub(crate) fn wait(&self, hook: Hook) -> Duration {
        self.budgets[hook as usize].wall_clock
    }

    /// Ticks of computing of one call.
    pub(crate) fn ticks(&self, hook: Hook) -> u32 {
        self.budgets[hook as usize].ticks
    }

    /// Computing time of one call, for messages.
    pub(crate) fn computing_time(&self, hook: Hook) -> Duration {
        self.config.tick * self.ticks(hook).saturating_sub(1)
    }
}

/// A budget in ticks plus one, because the first tick may come at any moment after the start of the call.
fn ticks(budget: Duration, tick: Duration) -> u32 {
    let ticks = budget.as_micros().div_ceil(tick.as_micros().max(1));
    u32::try_from(ticks).unwrap_or(u32::MAX - 1) + 1
}
