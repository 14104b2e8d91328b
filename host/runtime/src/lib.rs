//! Loads, limits and calls WebAssembly plugins (see `plugin-sdk/wit` for the contract that they keep).
//!
//! What it is: catalog, per-site chains, hooks with budgets and failure rules, quarantine, and the cache of compiled code.
//! What it is not: it reads no site configuration, watches no files and knows no plugin by name.
//! Who may depend on it: `server` only; of our crates it knows `domain` only.
//!
//! A page that loses a plugin is still a page: no call in here returns an error to the page, it returns what the page
//! is without the plugin, and says so in [`CallOutcome`], the log and the metrics.

mod bindings;
mod cache;
mod call;
mod capabilities;
mod catalog;
mod chain;
mod config;
mod contract;
mod engine;
mod error;
mod failure;
mod hooks;
mod live;
mod manifest;
mod member;
mod plugin;
mod quarantine;
mod runtime;
mod schema;
mod state;
mod telemetry;

pub use call::{Call, CallOutcome, Loss, RequestContext};
pub use catalog::Catalog;
pub use chain::{Chain, PluginStatus};
pub use config::{QuarantineConfig, RuntimeConfig};
pub use error::{PluginError, Problem, RuntimeError};
pub use failure::Cause;
pub use hooks::{HOOKS, Hook, HookSpec, Shape};
pub use manifest::{CONTRACT, Manifest, UiModules, Vary};
pub use masthead_domain::site::PluginUse as EnabledPlugin;
pub use plugin::Plugin;
pub use runtime::Runtime;
