//! The plugins of one site: admission into a chain, the calls of a request, circuit breakers, canaries, metrics.

pub(crate) mod admission;
pub(crate) mod call;
mod canary_comparison;
pub(crate) mod canary_report;
pub(crate) mod chain;
mod circuit_breaker;
pub(crate) mod entry_faults;
pub(crate) mod hook_api;
pub(crate) mod hook_metrics;
mod member;
mod permits;
pub(crate) mod shared;
mod telemetry;
mod trial;
