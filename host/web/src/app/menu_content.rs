//! The targets of the menu of every page of a site: journals, the issues of the first one, the first experts of editorial boards; and the names of
//! sections, which almost every page has too.

use std::sync::Arc;

use masthead_domain::{
    SiteId,
    publication::{Issue, Journal},
    resource::ResourceKind,
    section::SectionNames,
    site::Site,
};
use masthead_store::{FirstResources, SiteStore, StoreError, VisiblePublications};
use moka::sync::Cache;

/// Journals, issues and names of sections of all sites together that are remembered.
const REMEMBERED: u64 = 200_000;

/// The targets of the menu of a site.
#[derive(Debug, Default)]
pub struct MenuContent {
    /// The journals that readers see.
    pub journals: Vec<Journal>,
    /// The issues of the first of these that readers see, newest first.
    pub issues: Vec<Issue>,
    /// The first experts of the topics of the site's editorial boards.
    pub experts: FirstResources,
    /// The names of the site's sections in several languages.
    pub sections: SectionNames,
}

/// The generations of configuration and content of a site.
type Generations = (u64, i64);

/// The targets of menus, by site, remembered until the configuration of the site or its content changes: pages are built from it without a
/// query. Reading it takes one query, and another one on sites with editorial boards.
#[derive(Debug)]
pub struct MenuContents(Cache<SiteId, (Generations, Arc<MenuContent>)>);

impl Default for MenuContents {
    fn default() -> Self {
        let weight = |_: &SiteId, (_, known): &(Generations, Arc<MenuContent>)| {
            u32::try_from(1 + known.journals.len() + known.issues.len() + known.sections.len()).unwrap_or(u32::MAX)
        };
        Self(Cache::builder().weigher(weight).max_capacity(REMEMBERED).build())
    }
}

impl MenuContents {
    /// The targets of the menu of a site. A request of an older generation may put back its own: the next one reads again.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn of(
        &self,
        store: &SiteStore,
        site: &Site,
        generations: Generations,
    ) -> Result<Arc<MenuContent>, StoreError> {
        if let Some((_, known)) = self.0.get(&site.id).filter(|(of, _)| *of == generations) {
            return Ok(known);
        }
        let VisiblePublications { journals, issues, sections } = store.shown_publications().await?;
        let topics: Vec<String> = site.editorial_topics().collect();
        let topics: Vec<&str> = topics.iter().map(String::as_str).collect();
        let experts = if topics.is_empty() {
            FirstResources::default()
        } else {
            store.first_resources(ResourceKind::Expert, &topics).await?
        };
        let read = Arc::new(MenuContent { journals, issues, experts, sections });
        self.0.insert(site.id, (generations, Arc::clone(&read)));
        Ok(read)
    }

    /// Forgets them all.
    pub fn clear(&self) {
        self.0.invalidate_all();
    }
}
