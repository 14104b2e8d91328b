//! The data of a wasmtime store: the context of one instance and its usage of limits.

use std::{sync::Arc, time::Instant};

use masthead_domain::Lang;

use super::{
    fetch::FetchUsage,
    log_budget::LogBudget,
    memory_limiter::{MemoryLimiter, RequestBudget},
    recording::Recording,
    site_context::SiteContext,
    wasi_context::{Exclusive, WasiContext},
};
use crate::contract::hook_table::Hook;

/// The values that an instance takes over from the request that starts it.
#[derive(Clone)]
pub(crate) struct RequestScope {
    pub lang: Lang,
    /// The page's deadline.
    pub deadline: Instant,
    /// Whether the instance runs for comparison only, so that it writes nothing and sends no HTTP request.
    pub shadow: bool,
    /// The recording of host calls, in tests.
    pub recording: Option<Arc<Recording>>,
    /// The budget that all plugins of the request share.
    pub budget: Arc<RequestBudget>,
}

/// The data of one store.
pub(crate) struct StoreState {
    pub site: Arc<SiteContext>,
    pub request: RequestScope,
    pub limiter: MemoryLimiter,
    pub log: LogBudget,
    /// HTTP usage so far.
    pub fetch_usage: FetchUsage,
    /// For components that import WASI; created at the first WASI call.
    pub wasi: Option<Box<Exclusive<WasiContext>>>,
    /// Whether an HTTP server did not answer during the current call.
    pub server_unreachable: bool,
    /// Remaining random bytes.
    pub random_bytes_left: u32,
    /// The running hook, for log lines.
    pub hook: Hook,
    /// Remaining computing time of this call in ticks.
    pub ticks_left: u32,
    /// Deadline of this call; host calls end before it, so that the plugin can report the failure.
    pub call_deadline: Instant,
    /// The asynchronous host call in progress, such as `http.fetch`.
    pub pending_host_call: Option<&'static str>,
}

impl StoreState {
    /// The state of a fresh instance.
    pub(crate) fn new(site: &Arc<SiteContext>, request: &RequestScope, hook: Hook) -> Self {
        let config = &site.config;
        Self {
            limiter: MemoryLimiter::new(site.memory_limit, hook.class(), Arc::clone(&request.budget)),
            log: LogBudget::new(config.log_lines, config.log_bytes),
            fetch_usage: FetchUsage::default(),
            wasi: None,
            server_unreachable: false,
            random_bytes_left: config.random_bytes,
            hook,
            ticks_left: site.ticks(hook),
            call_deadline: request.deadline,
            pending_host_call: None,
            site: Arc::clone(site),
            request: request.clone(),
        }
    }
}
