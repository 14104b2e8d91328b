//! What a plugin may import: one line per capability. A linker holds only what the manifest asks for.

mod content;
mod http;
mod kv;
mod log;
mod plain;
mod secrets;

use wasmtime::component::{HasSelf, Linker};

use crate::{contract::bindings::masthead::plugin, invocation::store_state::State};

pub(crate) use log::LogBudget;

impl State {
    /// Arguments as a tape has them. Only a tape is worth it: a body as JSON takes thirty times its bytes.
    fn args(&self, make: impl FnOnce() -> serde_json::Value) -> serde_json::Value {
        if self.frame.tape.is_some() { make() } else { serde_json::Value::Null }
    }
}

type Add = fn(&mut Linker<State>) -> wasmtime::Result<()>;

/// A capability of the contract.
pub(crate) struct Capability {
    /// Its name in `plugin.toml`, which is that of its WIT interface.
    pub name: &'static str,
    /// Whether what it gives depends on nothing but the plugin's settings, so that results may be remembered.
    pub pure: bool,
    /// Puts it into a linker; `None` for one that concerns the browser only.
    pub add: Option<Add>,
}

macro_rules! capability {
    ($name:literal, $module:ident, pure: $pure:literal) => {
        Capability {
            name: $name,
            pure: $pure,
            add: Some(|linker| plugin::$module::add_to_linker::<_, HasSelf<State>>(linker, |state| state)),
        }
    };
}

/// The capabilities of contract 0.1.
pub(crate) const CAPABILITIES: &[Capability] = &[
    capability!("log", log, pure: true),
    capability!("settings", settings, pure: true),
    capability!("clock", clock, pure: false),
    capability!("random", random, pure: false),
    capability!("content", content, pure: false),
    capability!("kv", kv, pure: false),
    capability!("http", http, pure: false),
    capability!("secrets", secrets, pure: false),
    Capability { name: "frames", pure: true, add: None },
];

/// The names of the capabilities of contract 0.1, as `plugin.toml` writes them.
#[must_use]
pub fn capability_names() -> Vec<&'static str> {
    CAPABILITIES.iter().map(|capability| capability.name).collect()
}
