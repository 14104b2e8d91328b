//! The plugins of one site: admission, chain, requests on it.

pub(crate) mod admission;
pub(crate) mod call;
pub(crate) mod canary;
pub(crate) mod chain;
pub(crate) mod circuit_breaker;
pub(crate) mod hook_api;
pub(crate) mod hook_metrics;
pub(crate) mod member;
pub(crate) mod telemetry;
