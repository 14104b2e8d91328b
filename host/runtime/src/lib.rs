//! Loads, limits and calls WebAssembly plugins (see `plugin-sdk/wit` for the contract that they keep).
//!
//! What it is: catalog, per-site chains, hooks with budgets and failure rules, quarantine, and the cache of compiled code.
//! What it is not: it reads no site configuration, watches no files and knows no plugin by name.
//! Who may depend on it: `server` only; of our crates it knows `domain` only.
//!
//! A page that loses a plugin is still a page: no call in here returns an error to the page, it returns what the page
//! is without the plugin, and says so in [`CallOutcome`], the log and the metrics.

mod admit;
mod ask;
mod bindings;
mod cache;
mod call;
mod canary;
mod capabilities;
mod catalog;
mod chain;
mod config;
mod contract;
mod engine;
mod error;
mod failure;
mod fetch;
mod hooks;
mod kit;
mod ledger;
mod live;
mod manifest;
mod member;
mod memo;
mod plugin;
mod quarantine;
mod runtime;
mod schema;
mod services;
mod state;
mod tape;
mod telemetry;
mod wasi;

pub use ask::First;
pub use call::{Call, CallOutcome, Loss, RequestContext};
pub use canary::{CanaryStatus, Difference};
pub use capabilities::capability_names;
pub use catalog::Catalog;
pub use chain::{Chain, PluginStatus};
pub use config::{QuarantineConfig, RuntimeConfig};
pub use error::{PluginError, Problem, RuntimeError};
pub use failure::Cause;
pub use fetch::{HttpLimits, Resolver, SystemResolver};
pub use hooks::{HOOKS, Hook, HookSpec, Memo, Shape};
pub use kit::{Answered, Kit};
pub use ledger::{Cost, prometheus};
pub use manifest::{CONTRACT, Manifest, Need, UiModules, Vary};
pub use plugin::Plugin;
pub use runtime::Runtime;
pub use services::{
    Answer, Clock, ContentSource, Dice, Kept, MemoryValues, SecretSource, Services, ValueStore, system_clock,
};
pub use tape::{Recorded, Tape};

/// The records of the contract, as `plugin-sdk/wit` has them.
pub mod wit {
    pub use crate::bindings::exports::masthead::plugin::{
        article_decorate, assistant, events, head, identity, messaging, navigation, routes, search_decorate,
        search_rewrite, statistics, translate,
    };
    pub use crate::bindings::masthead::plugin::{content, search_types, types};
}
