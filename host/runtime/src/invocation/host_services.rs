//! The services behind the capabilities. They are passed in: the runtime has no database, clock or random numbers of its own.

use std::{
    collections::BTreeMap,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use masthead_domain::{Lang, SiteId};

use super::fetch::{Resolver, SystemResolver};
use crate::contract::hook_types::{Article, Passage};

/// The result of a service; the error is for the log and the plugin's author.
pub type ServiceFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, String>> + Send + 'a>>;

/// Published content of one site. Articles include personal fields; the runtime removes those that are not granted.
pub trait ContentSource: Send + Sync {
    /// The article with this number.
    fn article(&self, site: SiteId, id: i64) -> ServiceFuture<'_, Option<Article>>;
    /// The article with this DOI.
    fn by_doi(&self, site: SiteId, doi: String) -> ServiceFuture<'_, Option<Article>>;
    /// The latest articles, newest first.
    fn latest(&self, site: SiteId, limit: usize) -> ServiceFuture<'_, Vec<Article>>;
    /// An article's full text as plain text; `None` unless every reader of the site may read it.
    fn full_text(&self, site: SiteId, id: i64) -> ServiceFuture<'_, Option<String>>;
    /// Passages that the site's search finds, the best first.
    fn search(&self, site: SiteId, lang: Lang, text: String, limit: usize) -> ServiceFuture<'_, Vec<Passage>>;
}

/// The outcome of writing a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteOutcome {
    /// The value is stored.
    Stored,
    /// The site's quota for this plugin is used up.
    OverQuota,
}

/// The key-value stores of plugins, one for each site and plugin.
pub trait ValueStore: Send + Sync {
    /// The value of a key.
    fn get<'a>(&'a self, site: SiteId, plugin: &'a str, key: String) -> ServiceFuture<'a, Option<Vec<u8>>>;
    /// Sets a value.
    fn set<'a>(&'a self, site: SiteId, plugin: &'a str, key: String, value: Vec<u8>)
    -> ServiceFuture<'a, WriteOutcome>;
    /// Removes a key; false if it did not exist.
    fn delete<'a>(&'a self, site: SiteId, plugin: &'a str, key: String) -> ServiceFuture<'a, bool>;
    /// The keys with this prefix that follow `after`, in byte order; at most 100.
    fn keys<'a>(
        &'a self,
        site: SiteId,
        plugin: &'a str,
        prefix: String,
        after: String,
    ) -> ServiceFuture<'a, Vec<String>>;
}

/// Secrets of sites, by name.
pub trait SecretSource: Send + Sync {
    /// The secret; `None` if the host has none of this name for the site.
    fn secret(&self, site: SiteId, name: &str) -> Option<String>;
}

/// The current instant, for intervals.
pub type MonotonicClock = Arc<dyn Fn() -> Instant + Send + Sync>;
/// The current time in milliseconds since 1970.
pub type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;
/// Fills a slice with unpredictable bytes.
pub type RandomSource = Arc<dyn Fn(&mut [u8]) + Send + Sync>;

/// The services behind all capabilities.
#[derive(Clone)]
pub struct HostServices {
    /// Behind `content`.
    pub content: Arc<dyn ContentSource>,
    /// Behind `kv`.
    pub values: Arc<dyn ValueStore>,
    /// Behind `secrets` and the credentials of `http`.
    pub secrets: Arc<dyn SecretSource>,
    /// Behind `clock`.
    pub clock: Clock,
    /// Behind `random`.
    pub random: RandomSource,
    /// Measures how long circuit breakers stay open.
    pub monotonic_clock: MonotonicClock,
    /// Looks up the names of servers for `http`.
    pub resolver: Arc<dyn Resolver>,
}

impl std::fmt::Debug for HostServices {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HostServices")
    }
}

impl HostServices {
    /// Services without a host: no content, no secrets, values in memory; clock, random numbers and name resolution of the system.
    #[must_use]
    pub fn standalone() -> Self {
        Self {
            content: Arc::new(EmptySource),
            values: Arc::new(MemoryValueStore::default()),
            secrets: Arc::new(EmptySource),
            clock: Arc::new(system_clock),
            random: Arc::new(|bytes| rand::Rng::fill_bytes(&mut rand::rng(), bytes)),
            monotonic_clock: Arc::new(Instant::now),
            resolver: Arc::new(SystemResolver),
        }
    }
}

/// The system clock's time in milliseconds since 1970.
#[must_use]
pub fn system_clock() -> u64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
}

struct EmptySource;

fn ready<'a, T: Send + 'a>(value: T) -> ServiceFuture<'a, T> {
    Box::pin(std::future::ready(Ok(value)))
}

impl ContentSource for EmptySource {
    fn article(&self, _: SiteId, _: i64) -> ServiceFuture<'_, Option<Article>> {
        ready(None)
    }
    fn by_doi(&self, _: SiteId, _: String) -> ServiceFuture<'_, Option<Article>> {
        ready(None)
    }
    fn latest(&self, _: SiteId, _: usize) -> ServiceFuture<'_, Vec<Article>> {
        ready(Vec::new())
    }
    fn full_text(&self, _: SiteId, _: i64) -> ServiceFuture<'_, Option<String>> {
        ready(None)
    }
    fn search(&self, _: SiteId, _: Lang, _: String, _: usize) -> ServiceFuture<'_, Vec<Passage>> {
        ready(Vec::new())
    }
}

impl SecretSource for EmptySource {
    fn secret(&self, _: SiteId, _: &str) -> Option<String> {
        None
    }
}

type KeyValues = BTreeMap<String, Vec<u8>>;

/// Values in memory, at most 1 MiB for each site and plugin: for tests and for a runtime without a database.
#[derive(Default)]
pub struct MemoryValueStore(Mutex<BTreeMap<(i64, String), KeyValues>>);

impl MemoryValueStore {
    const QUOTA: usize = 1 << 20;

    fn lock(&self) -> MutexGuard<'_, BTreeMap<(i64, String), KeyValues>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ValueStore for MemoryValueStore {
    fn get<'a>(&'a self, site: SiteId, plugin: &'a str, key: String) -> ServiceFuture<'a, Option<Vec<u8>>> {
        ready(self.lock().get(&(site.0, plugin.to_owned())).and_then(|space| space.get(&key)).cloned())
    }

    fn set<'a>(
        &'a self,
        site: SiteId,
        plugin: &'a str,
        key: String,
        value: Vec<u8>,
    ) -> ServiceFuture<'a, WriteOutcome> {
        let mut spaces = self.lock();
        let space = spaces.entry((site.0, plugin.to_owned())).or_default();
        let others: usize = space.iter().filter(|(other, _)| **other != key).map(|(k, v)| k.len() + v.len()).sum();
        if others + key.len() + value.len() > Self::QUOTA {
            return ready(WriteOutcome::OverQuota);
        }
        space.insert(key, value);
        ready(WriteOutcome::Stored)
    }

    fn delete<'a>(&'a self, site: SiteId, plugin: &'a str, key: String) -> ServiceFuture<'a, bool> {
        let mut spaces = self.lock();
        ready(spaces.get_mut(&(site.0, plugin.to_owned())).is_some_and(|space| space.remove(&key).is_some()))
    }

    fn keys<'a>(
        &'a self,
        site: SiteId,
        plugin: &'a str,
        prefix: String,
        after: String,
    ) -> ServiceFuture<'a, Vec<String>> {
        let spaces = self.lock();
        let keys = spaces.get(&(site.0, plugin.to_owned())).into_iter().flat_map(BTreeMap::keys);
        ready(keys.filter(|key| key.starts_with(&prefix) && **key > after).take(100).cloned().collect())
    }
}
