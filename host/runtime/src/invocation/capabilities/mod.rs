//! The host's implementation of the capabilities, which components import. A linker has those that the manifest requests.

mod clock_random_settings;
mod content;
mod http;
mod kv;
mod log;
mod secrets;
mod wasi;

use serde_json::Value;
use wasmtime::component::{HasSelf, Linker};

use super::store_state::StoreState;
use crate::contract::{bindings::masthead::plugin, capabilities::Capability};

pub(crate) use wasi::add_to_linker as add_wasi_to_linker;

impl StoreState {
    /// The arguments of a host call for a recording; `Null` without a recording, because a body as JSON takes thirty times its
    /// bytes.
    fn recorded_args(&self, make: impl FnOnce() -> Value) -> Value {
        if self.request.recording.is_some() { make() } else { Value::Null }
    }
}

/// Makes a capability's interface available to the components of this linker.
pub(crate) fn add_to_linker(capability: Capability, linker: &mut Linker<StoreState>) -> wasmtime::Result<()> {
    macro_rules! add {
        ($interface:ident) => {
            plugin::$interface::add_to_linker::<_, HasSelf<StoreState>>(linker, |state| state)
        };
    }
    match capability {
        Capability::Log => add!(log),
        Capability::Settings => add!(settings),
        Capability::Clock => add!(clock),
        Capability::Random => add!(random),
        Capability::Content => add!(content),
        Capability::Kv => add!(kv),
        Capability::Http => add!(http),
        Capability::Secrets => add!(secrets),
        // Concerns the browser only, so that there is nothing to link.
        Capability::Frames => Ok(()),
    }
}
