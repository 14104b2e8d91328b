//! The integration tests of the crate, linked into one program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod article_removal;
mod config;
mod corpus;
mod demo;
mod harvest;
mod import;
mod importing;
mod ojs_move;
mod operations;
mod plugin_author;
mod plugin_sites;
mod reload;
mod serve;
mod session_end;
mod webhook;
