//! The contract between host and plugin: manifest, tables of hooks and capabilities, records, limits, errors.

pub(crate) mod bindings;
pub(crate) mod capabilities;
pub(crate) mod comparison;
pub(crate) mod digest;
pub(crate) mod errors;
pub(crate) mod failure;
pub(crate) mod hook_table;
pub mod hook_types;
pub(crate) mod limits;
pub(crate) mod manifest;
pub(crate) mod settings_schema;
