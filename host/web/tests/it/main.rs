//! The integration tests of the crate, as one program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod access_on_failure;
mod accounts;
mod addresses;
mod admin_settings;
mod admin_tokens;
mod administrators;
mod alerts;
mod api;
mod article_calls;
mod article_metadata;
mod boundary;
mod clients;
mod configuration;
mod connections;
mod discovery;
mod extremes;
mod failed_search;
mod gateways;
mod ghosts;
mod group_search;
mod home;
mod identities;
mod issues;
mod looks;
mod malformed;
mod members;
mod module_folders;
mod navigation;
mod notices;
mod operations;
mod page_cache;
mod pages;
mod personal;
mod personal_pages;
#[allow(dead_code, reason = "the tests of the store use the rest")]
#[path = "../../../store/tests/support/mod.rs"]
mod postgres;
mod publications;
mod reading;
mod rebuilding;
mod records;
mod resource_pages;
mod resources;
mod results;
mod retention;
mod search;
mod search_widget;
mod sign_in;
mod site_access;
mod sites;
mod source_ids;
mod special_sites;
mod specified_addresses;
mod texts;
mod usage_statistics;
