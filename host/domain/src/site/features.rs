//! Features that a site switches on or names: journals, assistant, functions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::lang::LocalText;

/// Display settings of a site for its journals (specification: publication configuration).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PublicationConfig {
    /// Style id of the back issues; 4 lists them all on one page.
    pub back_issue_style: i32,
    /// Whether issues are listed by year.
    pub group_by_year: bool,
    /// Whether the oldest issue comes first.
    pub period_asc: bool,
    /// Whether an article's page begins with its abstract.
    pub show_abstract: bool,
}

impl Default for PublicationConfig {
    fn default() -> Self {
        Self { back_issue_style: 4, group_by_year: true, period_asc: false, show_abstract: true }
    }
}

/// What the assistant is called. Whether there is one is decided by the site's plugins alone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct AiConfig {
    /// Code of the application, where the plugin has none of its own.
    pub code: String,
    /// Name, where the plugin has none of its own.
    pub name: LocalText,
}

/// A function that the magazine has switched on (specification: magazine functional control).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct FunctionalControl {
    /// What identifies it.
    pub code: String,
    /// Name.
    pub column_name: LocalText,
}
