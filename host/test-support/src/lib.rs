//! Support for the tests of several crates.
//!
//! What it is: a running portal, the `masthead` program with test folders, and small parsers for responses.
//! What it is not: it contains no tests. Who may depend on it: tests and benchmarks only.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod authenticator;
pub mod bounds;
pub mod built_plugins;
pub mod certificates;
pub mod command;
pub mod files;
pub mod gateway;
pub mod html;
pub mod members;
pub mod openid;
pub mod portal;
pub mod secrets;
pub mod smtp;
pub mod statements;

pub use self::{
    authenticator::Authenticator,
    bounds::Missed,
    built_plugins::{first_party_plugins, test_plugins},
    certificates::Authority,
    command::{CommandOutput, binary, command, edit, masthead, plugin, run, sites, stderr, stdout},
    files::{
        add_to_site, built, copy, repository, share_compiled, temporary, trust_local_proxy, without_resources,
        workspace,
    },
    gateway::{Fake, RecordedRequest, Reply},
    html::{Tag, between, bootstrap, listed, named, slot, tags},
    members::{CODE, PASSWORD, SignedUp},
    portal::{Answer, HANG, Portal, Setup, seed_demo, until},
    secrets::{assert_not_leaked, data_with_secrets, hmac, listen_to_log, log},
    smtp::{Act, Encrypting, MailServer, Received},
};
