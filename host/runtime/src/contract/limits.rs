//! The platform's limits for all plugins.

use std::{collections::BTreeSet, fmt, path::PathBuf, time::Duration};

use super::hook_table::HookClass;

/// Limit on the memories, tables and core instances of one component; components made by `wit-component` need three core instances.
pub(crate) const MEMORIES: u32 = 2;
pub(crate) const TABLES: u32 = 4;
pub(crate) const CORE_INSTANCES: u32 = 8;
/// Elements of one table.
pub(crate) const TABLE_ELEMENTS: usize = 20_000;
/// Instances besides those of requests and of comparisons of canaries, for trials of plugins.
pub(crate) const HEADROOM: u32 = 16;

/// The key of the digests of compiled code: a file in the cache is loaded only if its digest was made with this key.
#[derive(Clone, Copy)]
pub struct CodeKey([u8; 32]);

impl CodeKey {
    /// A key that is the same at every start, so that compiled code is used again. Whoever knows it can make the host run code.
    #[must_use]
    pub const fn new(secret: [u8; 32]) -> Self {
        Self(secret)
    }

    /// A key of this process alone: everything is compiled again at the next start.
    #[must_use]
    pub fn random() -> Self {
        Self(rand::random())
    }

    pub(crate) const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for CodeKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CodeKey")
    }
}

/// Limits and folders of a [`crate::Runtime`].
#[derive(Clone, Debug)]
pub struct RuntimeConfig {
    /// Folder for compiled code, created with mode 0700.
    pub cache_dir: PathBuf,
    /// The key of the digests of compiled code.
    pub code_key: CodeKey,
    /// Ids of plugins of which a later folder may replace a version that an earlier one, or the host itself, has.
    pub plugin_overrides: BTreeSet<String>,
    /// Factor of every hook's budget; above 1 for slow machines.
    pub budget_factor: f64,
    /// Factor by which a site may raise a budget above its default (1: not at all).
    pub budget_ceiling_factor: u32,
    /// Interval at which the computing time of a running plugin is counted.
    pub tick: Duration,
    /// Time beyond its own limit that a call may take on a busy machine before it is cancelled.
    pub grace: Duration,
    /// Bytes of linear memories and tables of one instance, unless the site or the manifest sets another limit.
    pub memory_per_instance: usize,
    /// Upper bound of that limit, in bytes.
    pub memory_ceiling: usize,
    /// Bytes of linear memories and tables of all instances of the process together.
    pub memory_total: usize,
    /// Largest component that is compiled, in bytes.
    pub max_component_bytes: usize,
    /// Instances at the same time in the whole process, for the hooks that are called while a page is made.
    pub max_concurrent_instances: u32,
    /// The same for each other class of hooks: access, sign-in, and hooks that wait for other servers. They are separate, so that
    /// no number of waiting calls takes the instances that decide a reader's permissions.
    pub max_concurrent_instances_of_others: u32,
    /// Plugins in the chain of one site.
    pub max_plugins_per_site: usize,
    /// Bytes of memories and tables of all plugins of one request together.
    pub memory_per_request: usize,
    /// HTTP calls of all plugins of one request together.
    pub http_calls_per_request: u32,
    /// Instances of one site at the same time, of `max_concurrent_instances`, so that the rest remains for other sites. Of the other
    /// classes, a site may have half.
    pub max_instances_per_site: u32,
    /// Limits of the capability `http`, for one plugin during one request.
    pub http: HttpLimits,
    /// Bytes of randomness for one plugin during one request.
    pub random_bytes: u32,
    /// Bytes of cached results in the whole process; 0 caches nothing.
    pub result_cache_bytes: u64,
    /// Bytes that a plugin may pass to the host in one call.
    pub hostcall_bytes: usize,
    /// Log lines of one plugin during one request.
    pub log_lines: u32,
    /// Bytes of these log lines together.
    pub log_bytes: usize,
    /// When the circuit breaker of a plugin on a site opens.
    pub circuit_breaker: CircuitBreakerConfig,
}

/// When the circuit breaker of a plugin on a site opens, and when it lets a probe through.
#[derive(Clone, Copy, Debug)]
pub struct CircuitBreakerConfig {
    /// Failures within the window that open it.
    pub failures: usize,
    /// Time span in which failures are counted.
    pub window: Duration,
    /// How long it stays open at first; the time doubles with every failed probe.
    pub backoff: Duration,
    /// The longest time that it stays open.
    pub backoff_max: Duration,
}

impl Default for CircuitBreakerConfig {
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
    /// The defaults, with compiled code in this folder.
    #[must_use]
    pub fn new(cache_dir: impl Into<PathBuf>) -> Self {
        Self {
            cache_dir: cache_dir.into(),
            code_key: CodeKey::random(),
            plugin_overrides: BTreeSet::new(),
            budget_factor: 1.0,
            budget_ceiling_factor: 1,
            tick: Duration::from_millis(1),
            grace: Duration::from_millis(150),
            memory_per_instance: 16 << 20,
            memory_ceiling: 64 << 20,
            memory_total: 1 << 30,
            max_component_bytes: 32 << 20,
            max_concurrent_instances: 256,
            max_concurrent_instances_of_others: 64,
            max_plugins_per_site: 32,
            memory_per_request: 256 << 20,
            http_calls_per_request: 10,
            max_instances_per_site: 128,
            http: HttpLimits::default(),
            random_bytes: 4096,
            result_cache_bytes: 32 << 20,
            hostcall_bytes: 1 << 20,
            log_lines: 20,
            log_bytes: 8 << 10,
            circuit_breaker: CircuitBreakerConfig::default(),
        }
    }

    /// Instances of a class at the same time in the whole process.
    pub(crate) fn instances(&self, class: HookClass) -> usize {
        let instances = match class {
            HookClass::Page => self.max_concurrent_instances,
            HookClass::Access | HookClass::SignIn | HookClass::Waiting => self.max_concurrent_instances_of_others,
        };
        instances as usize
    }

    /// Instances of a class at the same time on one site.
    pub(crate) fn site_instances(&self, class: HookClass) -> usize {
        let all = self.instances(class);
        match class {
            HookClass::Page => all.min(self.max_instances_per_site as usize),
            HookClass::Access | HookClass::SignIn | HookClass::Waiting => all.div_ceil(2),
        }
    }
}

/// Limits of the capability `http`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpLimits {
    /// Requests of one plugin instance; redirects have a limit of their own.
    pub calls: u32,
    /// Bytes that one plugin instance may send and receive, summed over its requests.
    pub total_bytes: usize,
    /// Bytes of the body of one request, with the fields that credentials add.
    pub request_bytes: usize,
    /// Bytes of the body of one response.
    pub response_bytes: usize,
    /// Bytes of URL and headers of one request, and of the headers of one response.
    pub header_bytes: usize,
    /// Redirects that one request follows.
    pub redirects: u32,
    /// Time for one request, from the wait for its turn to the last byte of the body, redirects included.
    pub timeout: Duration,
    /// Time for one connection, from the resolution of the name to the end of the TLS handshake.
    pub connect_timeout: Duration,
    /// Requests of one plugin of one site at the same time.
    pub concurrent_per_site: usize,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            calls: 5,
            total_bytes: 2 << 20,
            request_bytes: 256 << 10,
            response_bytes: 512 << 10,
            header_bytes: 16 << 10,
            redirects: 3,
            timeout: Duration::from_secs(10),
            connect_timeout: Duration::from_secs(3),
            concurrent_per_site: 8,
        }
    }
}
