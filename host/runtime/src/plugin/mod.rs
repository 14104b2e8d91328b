//! From the files of a plugin to an instance: compilation, the cache of compiled code, the catalog.

pub(crate) mod catalog;
pub(crate) mod clock;
pub(crate) mod code_cache;
pub(crate) mod engine;
pub(crate) mod instance;
pub(crate) mod inventory;
pub(crate) mod loaded;
pub(crate) mod loader;
