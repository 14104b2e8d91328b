//! The sites that a search reads.

use masthead_domain::SiteId;

use crate::{app::App, sites::SiteEntry};

/// The sites that a search reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchScope {
    /// The site at which the reader is.
    #[default]
    Own,
    /// At a group site, it and the other open sites of its group; at any other site, that site alone.
    Group,
    /// At a group site, one of these. The nearest search is chosen as for [`Self::Group`].
    OneOfGroup(SiteId),
}

impl SearchScope {
    /// The sites among which a reader can choose, the one at which the reader is first. A closed site of a group is in no scope but its own.
    #[must_use]
    pub fn sites(self, app: &App, entry: &SiteEntry) -> Vec<SiteId> {
        let mut sites = vec![entry.site.id];
        if self != Self::Own {
            sites.extend(app.sites.load().others_of_group(&entry.site).map(|other| other.site.id));
        }
        sites
    }

    /// The site with this short name, if a reader at `entry` can choose it: one of the sites of [`Self::Group`].
    #[must_use]
    pub fn choice(app: &App, entry: &SiteEntry, sld: &str) -> Option<SiteId> {
        let chosen = app.sites.load().by_sld(sld)?.site.id;
        Self::Group.sites(app, entry).contains(&chosen).then_some(chosen)
    }

    /// Those of [`Self::sites`] whose entries are found. A site that was closed a moment ago has none.
    #[must_use]
    pub fn searched(self, mut sites: Vec<SiteId>) -> Vec<SiteId> {
        if let Self::OneOfGroup(chosen) = self {
            sites.retain(|site| *site == chosen);
        }
        sites
    }
}
