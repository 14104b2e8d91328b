//! The capabilities `settings`, `clock` and `random`, and the interfaces with types only.

use serde_json::json;

use crate::{
    contract::bindings::masthead::plugin::{clock, random, search_types, settings, types},
    invocation::{recording::record_or_replay, store_state::StoreState},
};

/// Limit on the random bytes of one call.
const MAX_BYTES: u32 = 1024;

impl types::Host for StoreState {}

impl search_types::Host for StoreState {}

impl settings::Host for StoreState {
    fn get(&mut self) -> String {
        self.site.settings.clone()
    }
}

impl clock::Host for StoreState {
    fn now(&mut self) -> u64 {
        let clock = &self.site.services.clock;
        let work =
            record_or_replay(self.request.recording.as_deref(), "clock.now", || json!({}), false, async { clock() });
        // The future never waits, with a recording or without.
        futures::FutureExt::now_or_never(work).and_then(Result::ok).unwrap_or_default()
    }
}

impl random::Host for StoreState {
    fn bytes(&mut self, length: u32) -> wasmtime::Result<Vec<u8>> {
        if length > MAX_BYTES || length > self.random_bytes_left {
            return Err(wasmtime::Error::msg(format!(
                "random.bytes: {length} bytes, allowed are {MAX_BYTES} at once and {} more during this request",
                self.random_bytes_left
            )));
        }
        self.random_bytes_left -= length;
        let random = &self.site.services.random;
        let real = async {
            let mut bytes = vec![0; length as usize];
            random(&mut bytes);
            bytes
        };
        let work = record_or_replay(
            self.request.recording.as_deref(),
            "random.bytes",
            || json!({ "length": length }),
            false,
            real,
        );
        Ok(futures::FutureExt::now_or_never(work).and_then(Result::ok).unwrap_or_default())
    }
}
