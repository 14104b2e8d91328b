//! Renders UI modules to HTML: their scripts run in QuickJS, which is WebAssembly itself and runs in wasmtime.

mod image;
pub(crate) mod renderer;
mod sandbox;
