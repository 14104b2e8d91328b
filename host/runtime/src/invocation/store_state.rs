//! The data of a wasmtime store: what one instance was given and what it has used.

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

/// What an instance inherits from the request that starts it.
#[derive(Clone)]
pub(crate) struct RequestScope {
    pub lang: Lang,
    /// When the page has to be finished.
    pub deadline: Instant,
    /// Whether the instance runs for comparison only: then it writes nothing and sends no HTTP request.
    pub shadow: bool,
    /// Host calls that are recorded or replayed, in tests.
    pub recording: Option<Arc<Recording>>,
    /// What all plugins of the request share.
    pub budget: Arc<RequestBudget>,
}

/// The data of one store.
pub(crate) struct StoreState {
    pub site: Arc<SiteContext>,
    pub request: RequestScope,
    pub limiter: MemoryLimiter,
    pub log: LogBudget,
    /// HTTP calls and bytes so far.
    pub fetch_usage: FetchUsage,
    /// For components that import WASI; made at the first WASI call.
    pub wasi: Option<Box<Exclusive<WasiContext>>>,
    /// Whether an HTTP server did not answer during the current call.
    pub server_unreachable: bool,
    /// Random bytes that are left.
    pub random_bytes_left: u32,
    /// The hook that runs, for log lines.
    pub hook: Hook,
    /// Ticks of computing that are left to this call.
    pub ticks_left: u32,
    /// When this call has to be finished, so that a host call can end in time for the plugin to report it.
    pub call_deadline: Instant,
    /// The asynchronous host call that is under way, such as `http.fetch`.
    pub pending_host_call: Option<&'static str>,
}

impl StoreState {
    /// The state of a fresh instance.
    pub(crate) fn new(site: &Arc<SiteContext>, request: &RequestScope, hook: Hook) -> Self {
        let config = &site.config;
        Self {
            limiter: MemoryLimiter::new(site.memory_limit, Arc::clone(&request.budget)),
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
