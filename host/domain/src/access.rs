//! What a reader may do on a site (specification: site permissions).

use serde::{Deserialize, Serialize};

/// The site's permissions for one reader; both are granted by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Permissions {
    /// May read full texts.
    pub visit_power: bool,
    /// May download files.
    pub download_power: bool,
}

impl Permissions {
    /// Neither full texts nor files.
    pub const NONE: Self = Self { visit_power: false, download_power: false };
}

impl Default for Permissions {
    fn default() -> Self {
        Self { visit_power: true, download_power: true }
    }
}

/// Input of a decision about a reader's permissions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccessRequest {
    /// `Referer` of the first request of the visit, or "".
    pub referrer: String,
    /// Whether the reader is signed in.
    pub signed_in: bool,
    /// Name of the requested route (`article`, `issue`, ...).
    pub route: String,
    /// Permissions by the site's configuration, as changed by the plugins earlier in the chain.
    pub permissions: Permissions,
}
