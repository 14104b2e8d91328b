//! Keeps the project's structure as ARCHITECTURE.md draws it: crates, rooms, fences, house rules.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod crates;
mod house_rules;
mod imports;
mod rooms;
mod sources;
