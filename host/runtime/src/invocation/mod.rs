//! What surrounds one call of a plugin: the store's state, host calls, typed hook calls.

pub(crate) mod capabilities;
pub(crate) mod fetch;
pub(crate) mod hooks;
pub(crate) mod host_services;
pub(crate) mod recording;
pub(crate) mod result_cache;
pub(crate) mod store_state;
pub(crate) mod wasi;
