//! The integration tests of the crate, linked into one program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod article_removal;
mod config;
mod corpus;
mod demo;
mod doctor;
mod harvest;
mod import;
mod importing;
mod plugin_author;
mod plugin_sites;
mod reload;
mod serve;
mod session_end;
mod webhook;
