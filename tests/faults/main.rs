//! The fault matrix: every way to fail that we know of, each with what becomes of it. For each row of `table.rs`: the page is
//! the one without the plugin, neighbours do not wait, the message names the fault, and the circuit breaker opens and closes.
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
