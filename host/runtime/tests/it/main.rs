//! The integration tests of the runtime: real components, loaded, admitted and called.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod access;
mod canaries;
mod cases;
mod common;
mod first_answers;
mod grants;
mod limits;
mod loading;
mod plugins;
mod rendering;
mod result_cache;
mod telemetry;
mod test_host;
