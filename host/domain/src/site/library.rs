//! Services of a site for libraries and search engines.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a site offers to libraries and search engines: everything, unless it is switched off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Library {
    /// Harvesting by OAI-PMH.
    pub oai: bool,
    /// RSS and Atom.
    pub feeds: bool,
    /// Sitemaps.
    pub sitemap: bool,
    /// Typed links and link sets of articles (FAIR signposting).
    pub signposting: bool,
    /// E-mail address for harvesters; "" stands for the postmaster of the site's domain.
    pub contact: String,
}

impl Default for Library {
    fn default() -> Self {
        Self { oai: true, feeds: true, sitemap: true, signposting: true, contact: String::new() }
    }
}
