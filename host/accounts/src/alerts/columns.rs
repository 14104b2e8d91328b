//! Columns that readers subscribe to: those of the editors, and the other subject headings, by the key of the call `getColumnTree`.

use masthead_domain::{Lang, resource::Column, text::section_key};
use masthead_store::{BrowseBy, SiteStore, StoreError};

/// Subject headings of a site that are known.
const MAX_HEADINGS: i64 = 1_000;

/// The columns of a site. Its subject headings are counted over all articles, so that they are read once, when the first is asked for.
#[derive(Clone, Debug)]
pub struct Columns {
    store: SiteStore,
    headings: Option<Vec<String>>,
}

impl Columns {
    /// The columns of the store's site.
    #[must_use]
    pub const fn new(store: SiteStore) -> Self {
        Self { store, headings: None }
    }

    /// The key under which a column is kept, for a key that a reader sent; `None` if the site has no such column.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn known(&mut self, key: &str) -> Result<Option<String>, StoreError> {
        if self.store.resource_by_key::<Column>(key).await?.is_some() {
            return Ok(Some(key.to_owned()));
        }
        Ok(self.heading(key).await?.map(section_key))
    }

    /// The name of a column that is kept under this key; `None` if the site does not have it any more.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn name(&mut self, key: &str, lang: Lang) -> Result<Option<String>, StoreError> {
        match self.store.resource_by_key::<Column>(key).await? {
            Some(column) => Ok(Some(column.value.title.get(lang).to_owned())),
            None => Ok(self.heading(key).await?.map(str::to_owned)),
        }
    }

    /// The subject heading of articles that is compared as this key.
    async fn heading(&mut self, key: &str) -> Result<Option<&str>, StoreError> {
        let wanted = section_key(key);
        if wanted.is_empty() {
            return Ok(None);
        }
        if self.headings.is_none() {
            let labels = self.store.browse_labels(BrowseBy::Subject, "", MAX_HEADINGS).await?;
            self.headings = Some(labels.into_iter().map(|(label, _)| label).collect());
        }
        let headings = self.headings.as_deref().unwrap_or_default();
        Ok(headings.iter().map(String::as_str).find(|heading| section_key(heading) == wanted))
    }
}
