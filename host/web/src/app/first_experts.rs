//! The first experts of the channels that show editorial boards: the menu of every page links to them.

use std::sync::Arc;

use masthead_domain::{SiteId, resource::ResourceKind, site::Site};
use masthead_store::{FirstResources, SiteStore, StoreError};
use moka::sync::Cache;

/// Sites whose first experts are remembered.
const REMEMBERED: u64 = 10_000;

/// The first experts of sites, remembered until the content of the site or its configuration changes. Reading them takes one query, however
/// many channels there are.
#[derive(Debug)]
pub struct FirstExperts(Cache<(SiteId, u64, i64), Arc<FirstResources>>);

impl Default for FirstExperts {
    fn default() -> Self {
        Self(Cache::new(REMEMBERED))
    }
}

impl FirstExperts {
    /// The first experts of the topics of a site's editorial boards. `generation` is that of the configuration and that of the content.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn of(
        &self,
        store: &SiteStore,
        site: &Site,
        (config, content): (u64, i64),
    ) -> Result<Arc<FirstResources>, StoreError> {
        let boards: Vec<String> = site.editorial_topics().collect();
        if boards.is_empty() {
            return Ok(Arc::default());
        }
        let key = (site.id, config, content);
        if let Some(known) = self.0.get(&key) {
            return Ok(known);
        }
        let topics: Vec<&str> = boards.iter().map(String::as_str).collect();
        let found = Arc::new(store.first_resources(ResourceKind::Expert, &topics).await?);
        self.0.insert(key, Arc::clone(&found));
        Ok(found)
    }

    /// Forgets them all.
    pub fn clear(&self) {
        self.0.invalidate_all();
    }
}
