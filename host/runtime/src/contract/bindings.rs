//! The host's half of the contract, generated from `plugin-sdk/wit`.
#![allow(missing_docs, reason = "documented in the WIT files")]

wasmtime::component::bindgen!({
    path: "../../plugin-sdk/wit",
    world: "host",
    imports: {
        // Calls that wait for a database or a network must not block a thread.
        "masthead:plugin/content.by-id": async,
        "masthead:plugin/content.by-doi": async,
        "masthead:plugin/content.latest": async,
        "masthead:plugin/content.full-text": async,
        "masthead:plugin/content.search": async,
        "masthead:plugin/kv.get": async,
        "masthead:plugin/kv.set": async,
        "masthead:plugin/kv.delete": async,
        "masthead:plugin/kv.keys": async,
        "masthead:plugin/http.fetch": async,
        // Excessive lengths (a gigabyte of random bytes) end the call.
        "masthead:plugin/random.bytes": trappable,
    },
    exports: { default: async },
    additional_derives: [PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize],
});
