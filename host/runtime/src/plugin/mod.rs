//! From the files of a plugin to an instance: compilation, the cache of compiled code, the catalog.

pub(crate) mod catalog;
mod code_cache;
mod engine;
pub(crate) mod instance;
pub(crate) mod inventory;
pub(crate) mod loaded;
pub(crate) mod loader;
