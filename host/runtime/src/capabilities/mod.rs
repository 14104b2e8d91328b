//! What a plugin may import: one line per capability. A linker holds only what the manifest asks for.

mod log;
mod settings;

use wasmtime::component::{HasSelf, Linker};

use crate::{bindings::masthead::plugin, state::State};

pub(crate) use log::LogBudget;

/// A capability of the contract.
pub(crate) struct Capability {
    /// Its name in `plugin.toml`, which is that of its WIT interface.
    pub name: &'static str,
    /// Puts it into a linker.
    pub add: fn(&mut Linker<State>) -> wasmtime::Result<()>,
}

/// The capabilities of contract 0.1.
pub(crate) const CAPABILITIES: &[Capability] = &[
    Capability { name: "log", add: |linker| plugin::log::add_to_linker::<_, HasSelf<State>>(linker, |state| state) },
    Capability {
        name: "settings",
        add: |linker| plugin::settings::add_to_linker::<_, HasSelf<State>>(linker, |state| state),
    },
];
