//! Checks the structure described in ARCHITECTURE.md: crates, rooms, imports of TypeScript files, library boundaries, house rules; and the packages that the project depends on.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod crates;
mod cycles;
mod dependencies;
mod house_rules;
mod imports;
mod rooms;
mod security;
mod sources;
mod type_names;
mod typescript;
