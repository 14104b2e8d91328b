//! Integration tests of the crate, in one program.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod citations;
mod corpus;
mod demo;
mod export;
mod export_random;
mod faults;
mod fixture;
mod hostile;
mod ids;
mod licences;
mod memory;
mod parts;
mod random;
mod walk;
