//! Support for the tests of several crates.
//!
//! What it is: a running portal, the `masthead` program with test folders, and small parsers for responses.
//! What it is not: it contains no tests. Who may depend on it: tests and benchmarks only.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod command;
pub mod files;
pub mod html;
pub mod portal;

pub use self::{
    command::{Ran, binary, command, edit, masthead, plugin, sites, stderr, stdout},
    files::{built, copy, repository, share_compiled, temporary, without_resources, workspace},
    html::{Tag, between, bootstrap, listed, named, slot, tags},
    portal::{Answer, HANG, Portal, Setup},
};
