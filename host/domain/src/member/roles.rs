//! Roles of administrators. A reader has none: members are no administrators.

use serde::{Deserialize, Serialize};

use super::named;
use crate::ids::SiteId;

named! {
    /// What somebody does for a site or for the installation, from the least to the most.
    Role {
        /// Reads what a site does not publish, such as its statistics and settings, and changes nothing.
        Reader = "reader",
        /// Changes the content of a site.
        Editor = "editor",
        /// Changes everything of a site, and who has roles on it.
        SiteAdministrator = "site-administrator",
        /// Changes everything of the installation.
        PlatformAdministrator = "platform-administrator",
    }
}

/// Where a role holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RoleScope {
    /// On all sites, and for the installation.
    Installation,
    /// On one site.
    Site(SiteId),
}

impl RoleScope {
    /// Whether a role with this scope holds on a site.
    #[must_use]
    pub fn has(self, site: SiteId) -> bool {
        match self {
            Self::Installation => true,
            Self::Site(own) => own == site,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Role, RoleScope};
    use crate::SiteId;

    #[test]
    fn roles_grow_and_hold_where_they_were_given() {
        assert!(Role::Reader < Role::Editor && Role::Editor < Role::SiteAdministrator);
        assert!(Role::SiteAdministrator < Role::PlatformAdministrator);
        assert!(RoleScope::Installation.has(SiteId(1)) && RoleScope::Site(SiteId(1)).has(SiteId(1)));
        assert!(!RoleScope::Site(SiteId(2)).has(SiteId(1)));
    }
}
