//! The integration tests of the crate, linked into one program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod administrators;
mod article_removal;
mod backup;
// The PostgreSQL cluster of the tests of the store.
#[path = "../../../store/tests/support/mod.rs"]
mod cluster;
mod config;
mod corpus;
mod crossref;
mod demo;
mod doctor;
mod editing;
mod full_disk;
mod harvest;
mod import;
mod importing;
mod installation;
mod mail_encryption;
mod member_disk;
mod member_kills;
mod ojs_move;
mod operations;
mod operations_document;
mod plugin_author;
mod plugin_sites;
mod readers;
mod record_kills;
mod reload;
mod search_index;
mod secrets;
mod serve;
mod session_end;
mod stored;
mod tokens;
mod webhook;
