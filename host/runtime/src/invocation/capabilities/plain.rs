//! The capabilities that give nothing of anybody else's: settings, clock and dice. And types, which give nothing at all.

use serde_json::json;

use crate::{
    contract::bindings::masthead::plugin::{clock, random, search_types, settings, types},
    invocation::{recording::through, store_state::State},
};

/// More at once is no need but a flood.
const MOST: u32 = 1024;

impl types::Host for State {}

impl search_types::Host for State {}

impl settings::Host for State {
    fn get(&mut self) -> String {
        self.member.settings.clone()
    }
}

impl clock::Host for State {
    fn now(&mut self) -> u64 {
        let clock = &self.member.services.clock;
        let work = through(self.frame.tape.as_deref(), "clock.now", || json!({}), false, async { clock() });
        // Neither the tape nor the clock ever waits.
        futures::FutureExt::now_or_never(work).and_then(Result::ok).unwrap_or_default()
    }
}

impl random::Host for State {
    fn bytes(&mut self, length: u32) -> wasmtime::Result<Vec<u8>> {
        if length > MOST || length > self.random {
            return Err(wasmtime::Error::msg(format!(
                "random.bytes: {length} bytes, allowed are {MOST} at once and {} more during this request",
                self.random
            )));
        }
        self.random -= length;
        let dice = &self.member.services.dice;
        let real = async {
            let mut bytes = vec![0; length as usize];
            dice(&mut bytes);
            bytes
        };
        let work = through(self.frame.tape.as_deref(), "random.bytes", || json!({ "length": length }), false, real);
        Ok(futures::FutureExt::now_or_never(work).and_then(Result::ok).unwrap_or_default())
    }
}
