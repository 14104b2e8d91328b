//! A copy of a site in a database of its own: one state of the site, however long reading takes and whatever is imported meanwhile.

use std::path::Path;

use anyhow::Context as _;
use masthead_domain::SiteId;
use masthead_store::{Store, site_rows::SiteRows};

use crate::scratch::{self, Scratch};

/// A database with one site, in a temporary folder.
pub struct Snapshot {
    pub store: Store,
    pub rows: SiteRows,
    // Removed when it is dropped.
    _folder: Scratch,
}

impl Snapshot {
    /// An empty database. It is in the data folder, because the system's folder for temporary files may be in memory. If the process is
    /// killed, the next start of the host removes it.
    pub async fn empty(data: &Path, site: SiteId) -> anyhow::Result<Self> {
        let root = scratch::root(data);
        let folder =
            Scratch::new(&root, "site-").with_context(|| format!("creating a folder in {}", root.display()))?;
        let store = Store::open_file(&folder.path().join("site.db")).await?;
        let rows = SiteRows::of(store.site(site)).await?;
        Ok(Self { store, rows, _folder: folder })
    }

    /// A copy of a site.
    pub async fn of(store: &Store, data: &Path, site: SiteId) -> anyhow::Result<Self> {
        let copy = Self::empty(data, site).await?;
        let from = SiteRows::of(store.site(site)).await?;
        copy.rows.fill(&from).await?;
        Ok(copy)
    }
}
