//! Slots of a page and the modules in them.

use serde::{Deserialize, Serialize};

/// A module that a site's configuration or a plugin puts into a slot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SlotContribution {
    /// Slot name, such as `footer.rows`.
    pub slot: String,
    /// Module id = its folder's name, such as `footer-friendship-links`.
    pub module: String,
    /// Properties handed to the module.
    pub props: serde_json::Value,
}
