//! State that the chains of all sites share.

use std::sync::Arc;

use tokio::sync::Semaphore;

use super::{circuit_breaker::CircuitBreakers, hook_metrics::MetricsRegistry, permits::InstancePermits};
use crate::{
    contract::limits::{HEADROOM, RuntimeConfig},
    invocation::{host_services::HostServices, memory_limiter::ProcessMemory, result_cache::ResultCache},
};

/// Limit on concurrent comparisons, low because they compete with pages that readers wait for.
const COMPARISONS: usize = 4;

/// The part of the plugins' memory that is kept for decisions about access: one of this many.
const KEPT_FOR_ACCESS: usize = 8;

pub(crate) struct SharedState {
    pub config: Arc<RuntimeConfig>,
    pub services: Arc<HostServices>,
    pub breakers: CircuitBreakers,
    pub metrics: MetricsRegistry,
    pub result_cache: Arc<ResultCache>,
    /// Permits for instances of requests. Fewer than the slots of the engine's pool, so that a request waits instead of failing.
    pub instances: Arc<InstancePermits>,
    /// The memory of all instances.
    pub memory: Arc<ProcessMemory>,
    /// Permits for instances of trials, which use the pool's headroom.
    pub trials: Semaphore,
    /// Permits for comparisons of canaries. Each comparison also takes a permit for an instance.
    pub comparisons: Arc<Semaphore>,
}

impl SharedState {
    pub(crate) fn new(config: RuntimeConfig, services: HostServices) -> Self {
        Self {
            instances: Arc::new(InstancePermits::new(|class| config.instances(class))),
            memory: Arc::new(ProcessMemory::new(config.memory_total, config.memory_total / KEPT_FOR_ACCESS)),
            trials: Semaphore::new(HEADROOM as usize),
            comparisons: Arc::new(Semaphore::new(COMPARISONS)),
            result_cache: Arc::new(ResultCache::new(config.result_cache_bytes)),
            breakers: CircuitBreakers::new(config.circuit_breaker, Arc::clone(&services.monotonic_clock)),
            metrics: MetricsRegistry::default(),
            config: Arc::new(config),
            services: Arc::new(services),
        }
    }
}
