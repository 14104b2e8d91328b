//! The integration tests of the crate, as one program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod access_on_failure;
mod api;
mod article_calls;
mod article_metadata;
mod boundary;
mod clients;
mod configuration;
mod connections;
mod discovery;
mod gateways;
mod malformed;
mod members;
mod notices;
mod page_cache;
mod pages;
mod publications;
mod reading;
mod resources;
mod search;
mod sites;
mod source_ids;
mod special_sites;
mod usage_statistics;
