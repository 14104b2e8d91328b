//! Loads, limits and calls WebAssembly plugins (`plugin-sdk/wit` is their contract), and renders UI modules in a sandbox.
//!
//! What it is: the catalog of plugins, the chain of each site, hooks with budgets and failure rules, circuit breakers, and the cache of
//! compiled code.
//! What it is not: it reads no site configuration, watches no files and knows no plugin by name.
//! Who may depend on it: `content` and the crates above it; of our crates it knows `domain` only.
//!
//! A failing plugin never fails a page: a hook call returns the result without the plugin's part, and reports the failure in
//! [`CallOutcome`], the log and the metrics.
//!
//! The folders follow the life of a plugin. Each imports only those above it in this list:
//!
//! - `contract`: the contract between host and plugin. The manifest, the tables of hooks and capabilities, the records, limits and errors.
//! - `invocation`: one call. The state of a wasmtime store, the host's side of the capabilities, the typed hook calls.
//! - `plugin`: from a plugin's files to an instance. Compilation, the cache of compiled code, the catalog.
//! - `rendering`: UI modules as HTML, in an engine of its own.
//! - `site`: the plugins of one site. Admission into a chain, the calls of a request, circuit breakers, canaries, metrics.
//! - `runtime.rs`: the entry point, which loads plugins and builds chains.
//! - `testing`: one plugin on its own, for its author's tests.

mod contract;
mod invocation;
mod plugin;
mod rendering;
mod runtime;
mod site;
mod testing;

pub use contract::hook_types;
pub use contract::{
    capabilities::capability_names,
    errors::{PluginError, Problem, RuntimeError},
    failure::FailureCause,
    hook_table::{Caching, HOOKS, Hook, HookSpec, Shape},
    limits::{CircuitBreakerConfig, CodeKey, HttpLimits, RuntimeConfig},
    manifest::{CONTRACT, CapabilityNeed, Manifest, UiModules, Vary},
    settings_schema::{property_faults, with_defaults},
};
pub use invocation::{
    fetch::{
        HostClient, HostFetchError, HostLimits, HostResponse, Resolver, ServiceClient, ServiceRequest, ServiceResponse,
        SystemResolver,
    },
    host_services::{
        Clock, ContentSource, HostServices, MemoryValueStore, MonotonicClock, RandomSource, SecretSource,
        ServiceFuture, ValueStore, WriteOutcome, system_clock,
    },
    memory_limiter::MemoryUsage,
    recording::{RecordedCall, Recording},
};
pub use plugin::{
    catalog::Catalog,
    inventory::{InstalledVersion, Inventory},
    loaded::Plugin,
};
pub use rendering::renderer::{RenderFailure, RenderModule, Renderer, Rendering};
pub use runtime::Runtime;
pub use site::{
    call::{Call, CallOutcome, FailedCall, RequestContext},
    canary_report::{CanaryStatus, Difference},
    chain::{Chain, PluginStatus},
    entry_faults::{grant_faults, setting_faults},
    hook_api::FirstAnswer,
    hook_metrics::{HookUsage, prometheus},
};
pub use testing::test_host::{HookAnswer, TestHost};
