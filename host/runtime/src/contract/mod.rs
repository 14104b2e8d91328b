//! What host and plugin agree on.

pub(crate) mod bindings;
pub(crate) mod comparison;
pub(crate) mod errors;
pub(crate) mod failure;
pub(crate) mod limits;
pub(crate) mod manifest;
pub(crate) mod settings_schema;
