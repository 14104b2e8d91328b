//! The usage counters by which hits can be sorted. They change with every view and are therefore stored in the database, not in the index, which
//! gets them with the search.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use futures::future::try_join_all;
use masthead_domain::{SiteId, resource::ResourceKind};
use masthead_search::{EntryKind, ExternalOrder, SiteValues};
use masthead_store::{Ranking, SiteStore, Store, StoreError};
use moka::{Expiry, future::Cache};

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
/// How many times as long as it took to read them values are remembered: a small site sorts by the present values, and a large one spends at
/// most a twentieth of its time on reading them.
const TIMES_AS_LONG: u32 = 20;

type Key = (SiteId, Counter);

/// The values of a counter of a site.
#[derive(Clone)]
struct Known {
    values: Arc<SiteValues>,
    read_in: Duration,
}

struct AsLongAsReading;

impl Expiry<Key, Known> for AsLongAsReading {
    fn expire_after_create(&self, _: &Key, known: &Known, _: Instant) -> Option<Duration> {
        Some(known.read_in * TIMES_AS_LONG)
    }

    fn expire_after_update(&self, _: &Key, known: &Known, _: Instant, _: Option<Duration>) -> Option<Duration> {
        Some(known.read_in * TIMES_AS_LONG)
    }
}

/// Remembered values of counters.
pub struct Counters(Cache<Key, Known>);

impl Default for Counters {
    fn default() -> Self {
        let size = |_: &Key, known: &Known| {
            let entries = known.values.values().map(HashMap::len).sum::<usize>();
            u32::try_from(entries).unwrap_or(u32::MAX).saturating_add(1)
        };
        Self(Cache::builder().max_capacity(MAX_REMEMBERED).weigher(size).expire_after(AsLongAsReading).build())
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
                // Several searches that need the same values at once wait for one reader.
                let known = self.0.try_get_with((site, counter), read(store, counter)).await?;
                Ok::<_, Arc<StoreError>>((site, known.values))
            }
        };
        let values = try_join_all(sites.iter().map(of_site)).await?;
        Ok(ExternalOrder { values: values.into_iter().collect(), ascending })
    }
}

async fn read(store: SiteStore, counter: Counter) -> Result<Known, StoreError> {
    let began = Instant::now();
    let mut values = SiteValues::new();
    match counter {
        Counter::Comments => {
            let all = store.most_commented("", i64::MAX).await?;
            values.insert(EntryKind::Article, all.into_iter().collect());
        }
        Counter::Visits => add(&mut values, store.all_counts(&names(), Ranking::Visits).await?),
        Counter::Downloads => add(&mut values, store.all_counts(&names(), Ranking::Downloads).await?),
    }
    Ok(Known { values: Arc::new(values), read_in: began.elapsed() })
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
