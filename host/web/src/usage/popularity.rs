//! What readers use most: the counters by which hits can be sorted, and the words that they search for. Counters change with every view and are
//! therefore stored in the database, not in the index, which gets them with the search.

use std::{collections::HashMap, sync::Arc};

use futures::future::try_join_all;
use masthead_domain::{SiteId, resource::ResourceKind};
use masthead_search::{EntryKind, ExternalOrder, SiteValues};
use masthead_store::{Ranking, SiteStore, Store, StoreError};

use crate::cache::by_reading_time::ByReadingTime;

/// A usage counter. It changes without a change of the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counter {
    /// Views.
    Visits,
    /// Downloads.
    Downloads,
    /// Visible comments.
    Comments,
}

/// Entries whose values are remembered, over all sites and counters; each takes about 30 bytes.
const MAX_REMEMBERED: u64 = 4_000_000;

/// The values of the counters of sites, as far as they are remembered.
pub struct Counters(ByReadingTime<(SiteId, Counter), SiteValues>);

impl Default for Counters {
    fn default() -> Self {
        Self(ByReadingTime::new(MAX_REMEMBERED))
    }
}

impl Counters {
    /// The order of the entries of sites by a counter.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn order(
        &self,
        store: &Store,
        sites: &[SiteId],
        (counter, ascending): (Counter, bool),
    ) -> Result<ExternalOrder, Arc<StoreError>> {
        let of_site = |site: &SiteId| {
            let (site, store) = (*site, store.site(*site));
            async move {
                let values = self.0.get((site, counter), read(store, counter)).await?;
                Ok::<_, Arc<StoreError>>((site, values))
            }
        };
        let values = try_join_all(sites.iter().map(of_site)).await?;
        Ok(ExternalOrder { values: values.into_iter().collect(), ascending })
    }
}

/// Hot words of a site that are read at most.
const MAX_HOT_WORDS: i64 = 200;
/// Sites whose hot words are remembered, with different days.
const MAX_LISTS: u64 = 1_000 * MAX_HOT_WORDS as u64;

/// The words that most readers search for, as far as they are remembered: they are needed with every letter that a reader types.
pub struct HotWords(ByReadingTime<(SiteId, i64, u32), Vec<(String, i64)>>);

impl Default for HotWords {
    fn default() -> Self {
        Self(ByReadingTime::new(MAX_LISTS))
    }
}

impl HotWords {
    /// The words of a site since a day that so many readers searched for, as [`SiteStore::hot_words`] has them.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn of(
        &self,
        store: &SiteStore,
        since: i64,
        readers: u32,
    ) -> Result<Arc<Vec<(String, i64)>>, Arc<StoreError>> {
        let read = async {
            let words = store.hot_words(since, readers, MAX_HOT_WORDS).await?;
            let number = words.len();
            Ok::<_, StoreError>((words, number))
        };
        self.0.get((store.id(), since, readers), read).await
    }
}

/// The values of a counter of a site, with their number.
async fn read(store: SiteStore, counter: Counter) -> Result<(SiteValues, usize), StoreError> {
    let mut values = SiteValues::new();
    match counter {
        Counter::Comments => {
            let all = store.most_commented("", i64::MAX).await?;
            values.insert(EntryKind::Article, all.into_iter().collect());
        }
        Counter::Visits => add(&mut values, store.all_counts(&names(), Ranking::Visits).await?),
        Counter::Downloads => add(&mut values, store.all_counts(&names(), Ranking::Downloads).await?),
    }
    let number = values.values().map(HashMap::len).sum();
    Ok((values, number))
}

/// The kinds of entries that are counted, as the store names them.
fn names() -> Vec<&'static str> {
    let resources = ResourceKind::ALL.into_iter().map(EntryKind::Resource);
    [EntryKind::Article, EntryKind::Publication].into_iter().chain(resources).map(EntryKind::as_str).collect()
}

fn add(values: &mut SiteValues, counts: Vec<(String, i64, i64)>) {
    for (kind, entity, count) in counts {
        if let Some(kind) = EntryKind::parse(&kind) {
            values.entry(kind).or_default().insert(entity, count);
        }
    }
}
