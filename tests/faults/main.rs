//! The fault matrix: all known faults of plugins with their expected effects. For each row of `table.rs`, the tests check that the page
//! is the same as without the plugin, that other sites do not wait, that the message names the fault, and that the circuit breaker opens
//! and closes.
//! `cargo test -p masthead-faults -- --nocapture` prints the matrix.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "tests")]

mod bytes;
mod circuit_breaker;
#[path = "../../host/runtime/tests/it/common/mod.rs"]
mod common;
mod guests;
mod loading;
mod neighbours;
mod page;
mod server;
mod table;
