//! The host's half of the contract, generated from `plugin-sdk/wit`.
#![allow(missing_docs, reason = "documented in the WIT files")]

wasmtime::component::bindgen!({
    path: "../../plugin-sdk/wit",
    world: "host",
    exports: { default: async },
});
