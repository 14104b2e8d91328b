//! From the files of a plugin to code that can be instantiated.

pub(crate) mod catalog;
pub(crate) mod code_cache;
pub(crate) mod engine;
pub(crate) mod instance;
pub(crate) mod loaded;
