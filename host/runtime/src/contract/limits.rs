//! What the platform sets for all plugins.

use std::{path::PathBuf, time::Duration};

use crate::invocation::fetch::HttpLimits;

/// Limits and places of a [`crate::Runtime`].
#[derive(Clone, Debug)]
pub struct RuntimeConfig {
    /// Folder for compiled code; created with mode 0700. Whoever can write there can run code in the host.
    pub cache_dir: PathBuf,
    /// Multiplies every hook's budget; below 1 tightens, above 1 helps on a slow machine.
    pub budget_factor: f64,
    /// How far above its default a site may raise a budget (1 = not at all).
    pub budget_ceiling_factor: u32,
    /// Granularity in which a running plugin's time is counted.
    pub tick: Duration,
    /// What may pass besides computing (waiting for a turn on a busy machine) before a call is given up.
    pub grace: Duration,
    /// Linear memory and tables of one instance, summed, unless the site says less.
    pub memory_per_instance: usize,
    /// The most that a site may raise that to.
    pub memory_ceiling: usize,
    /// Largest component that is compiled.
    pub max_component_bytes: usize,
    /// Instances that exist at the same time in the whole process.
    pub max_concurrent_instances: u32,
    /// Plugins in the chain of one site.
    pub max_plugins_per_site: usize,
    /// Memory and tables of all plugins of one request together.
    pub memory_per_request: usize,
    /// HTTP calls of all plugins of one request together.
    pub http_calls_per_request: u32,
    /// Instances that one site may have at the same time: the rest of the process stays free for other sites.
    pub max_instances_per_site: u32,
    /// Limits of the capability `http`, for one plugin during one request.
    pub http: HttpLimits,
    /// Bytes of randomness for one plugin during one request.
    pub random_bytes: u32,
    /// Bytes of remembered results in the whole process; 0 remembers nothing.
    pub memo_bytes: u64,
    /// Bytes that one call may hand to the host.
    pub hostcall_bytes: usize,
    /// Log lines of one plugin during one request.
    pub log_lines: u32,
    /// Bytes of these lines together.
    pub log_bytes: usize,
    /// When a failing plugin is switched off for a site.
    pub quarantine: QuarantineConfig,
}

/// When a failing plugin is switched off for a site, and when it is tried again.
#[derive(Clone, Copy, Debug)]
pub struct QuarantineConfig {
    /// Failures within the window that switch it off.
    pub failures: usize,
    /// The window.
    pub window: Duration,
    /// First time-out; doubles with every failed trial.
    pub backoff: Duration,
    /// Longest time-out.
    pub backoff_max: Duration,
}

impl Default for QuarantineConfig {
    fn default() -> Self {
        Self {
            failures: 5,
            window: Duration::from_secs(60),
            backoff: Duration::from_secs(1),
            backoff_max: Duration::from_secs(300),
        }
    }
}

impl RuntimeConfig {
    /// The defaults, with compiled code kept in this folder.
    #[must_use]
    pub fn new(cache_dir: impl Into<PathBuf>) -> Self {
        Self {
            cache_dir: cache_dir.into(),
            budget_factor: 1.0,
            budget_ceiling_factor: 1,
            tick: Duration::from_millis(1),
            grace: Duration::from_millis(150),
            memory_per_instance: 16 << 20,
            memory_ceiling: 64 << 20,
            max_component_bytes: 32 << 20,
            max_concurrent_instances: 256,
            max_plugins_per_site: 32,
            memory_per_request: 256 << 20,
            http_calls_per_request: 10,
            max_instances_per_site: 128,
            http: HttpLimits::default(),
            random_bytes: 4096,
            memo_bytes: 32 << 20,
            hostcall_bytes: 1 << 20,
            log_lines: 20,
            log_bytes: 8 << 10,
            quarantine: QuarantineConfig::default(),
        }
    }
}
