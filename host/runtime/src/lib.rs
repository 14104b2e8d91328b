//! Loads, limits and calls WebAssembly plugins (see `plugin-sdk/wit` for the contract that they keep).
//!
//! What it is: catalog, per-site chains, hooks with budgets and failure rules, quarantine, and the cache of compiled code.
//! What it is not: it reads no site configuration, watches no files and knows no plugin by name.
//! Who may depend on it: `server` only; of our crates it knows `domain` only.
//!
//! A page that loses a plugin is still a page: no call in here returns an error to the page, it returns what the page
//! is without the plugin, and says so in [`CallOutcome`], the log and the metrics.

mod contract;
mod invocation;
mod plugin;
mod runtime;
mod site;
mod testing;

pub use contract::{
    errors::{PluginError, Problem, RuntimeError},
    failure::Cause,
    limits::{QuarantineConfig, RuntimeConfig},
    manifest::{CONTRACT, Manifest, Need, UiModules, Vary},
};
pub use invocation::{
    capabilities::capability_names,
    fetch::{HttpLimits, Resolver, SystemResolver},
    hooks::{HOOKS, Hook, HookSpec, Memo, Shape},
    host_services::{
        Answer, Clock, ContentSource, Dice, Kept, MemoryValues, SecretSource, Services, ValueStore, system_clock,
    },
    recording::{Recorded, Tape},
};
pub use plugin::{catalog::Catalog, loaded::Plugin};
pub use runtime::Runtime;
pub use site::{
    call::{Call, CallOutcome, Loss, RequestContext},
    canary::{CanaryStatus, Difference},
    chain::{Chain, PluginStatus},
    hook_api::First,
    hook_metrics::{Cost, prometheus},
};
pub use testing::test_host::{Answered, Kit};

/// The records of the contract, as `plugin-sdk/wit` has them.
pub mod wit {
    pub use crate::contract::bindings::exports::masthead::plugin::{
        article_decorate, assistant, events, head, identity, messaging, navigation, routes, search_decorate,
        search_rewrite, statistics, translate,
    };
    pub use crate::contract::bindings::masthead::plugin::{content, search_types, types};
}
