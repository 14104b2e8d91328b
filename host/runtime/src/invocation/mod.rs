//! One call of a plugin: the state of its store, the host's side of the capabilities, the typed hook calls.

pub(crate) mod capabilities;
pub(crate) mod fetch;
pub(crate) mod hooks;
pub(crate) mod host_services;
pub(crate) mod log_budget;
pub(crate) mod memory_limiter;
pub(crate) mod recording;
pub(crate) mod result_cache;
pub(crate) mod site_context;
pub(crate) mod store_state;
pub(crate) mod wasi_context;
