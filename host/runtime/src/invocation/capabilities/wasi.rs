//! WASI, for components that import it.

use wasmtime::component::Linker;
use wasmtime_wasi::{WasiCtxView, WasiView};

use crate::invocation::{store_state::StoreState, wasi_context::WasiContext};

impl WasiView for StoreState {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        // Created on first use, because most components have no WASI.
        self.wasi.get_or_insert_with(WasiContext::new).get().view()
    }
}

pub(crate) fn add_to_linker(linker: &mut Linker<StoreState>) -> wasmtime::Result<()> {
    wasmtime_wasi::p2::add_to_linker_async(linker)
}
