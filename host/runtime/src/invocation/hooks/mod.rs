//! The typed call of each hook. A new hook needs a file in this folder (its entry), a `mod` line and a row in the table of hooks
//! (`contract/hook_table.rs`).

pub(crate) mod access;
pub(crate) mod adapter;
pub(crate) mod article;
pub(crate) mod assistant;
pub(crate) mod binding;
pub(crate) mod entries;
pub(crate) mod events;
pub(crate) mod head;
pub(crate) mod identity;
pub(crate) mod layout;
pub(crate) mod links;
pub(crate) mod messaging;
pub(crate) mod navigation;
pub(crate) mod result;
pub(crate) mod routes;
pub(crate) mod search;
pub(crate) mod settings_check;
pub(crate) mod statistics;
pub(crate) mod text;
pub(crate) mod translate;
