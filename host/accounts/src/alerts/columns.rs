//! Columns that readers subscribe to: those of the editors, and subject headings that are none, by the key of the call `getColumnTree`.

use masthead_domain::{Lang, resource::Column, text::section_key};
use masthead_store::{BrowseBy, SiteStore, StoreError};

/// Subject headings of a site that are known.
const MAX_HEADINGS: i64 = 1_000;

/// The key under which a column is kept, for a key that a reader sent; `None` if the site has no such column.
///
/// # Errors
/// [`StoreError`].
pub async fn known(store: &SiteStore, key: &str) -> Result<Option<String>, StoreError> {
    if store.resource_by_key::<Column>(key).await?.is_some() {
        return Ok(Some(key.to_owned()));
    }
    Ok(heading(store, key).await?.map(|heading| section_key(&heading)))
}

/// The name of a column that is kept under this key; `None` if the site does not have it any more.
///
/// # Errors
/// [`StoreError`].
pub async fn name(store: &SiteStore, key: &str, lang: Lang) -> Result<Option<String>, StoreError> {
    match store.resource_by_key::<Column>(key).await? {
        Some(column) => Ok(Some(column.value.title.get(lang).to_owned())),
        None => heading(store, key).await,
    }
}

/// The subject heading of articles that is compared as this key.
async fn heading(store: &SiteStore, key: &str) -> Result<Option<String>, StoreError> {
    let wanted = section_key(key);
    if wanted.is_empty() {
        return Ok(None);
    }
    let labels = store.browse_labels(BrowseBy::Subject, "", MAX_HEADINGS).await?;
    Ok(labels.into_iter().map(|(label, _)| label).find(|label| section_key(label) == wanted))
}
