//! What the host lends to plugins through capabilities, passed in: the runtime itself has no database, no clock and no dice.

use std::{
    collections::BTreeMap,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use masthead_domain::{Lang, SiteId};

use crate::{
    contract::bindings::masthead::plugin::{content::Passage, types::Article},
    invocation::fetch::{Resolver, SystemResolver},
};

/// What a capability gives in the end; the error is for the log and the plugin's author.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, String>> + Send + 'a>>;

/// Published content of one site. Personal fields are given whole; the runtime withholds what is not granted.
pub trait ContentSource: Send + Sync {
    /// The article with this number.
    fn article(&self, site: SiteId, id: i64) -> Answer<'_, Option<Article>>;
    /// The article with this DOI.
    fn by_doi(&self, site: SiteId, doi: String) -> Answer<'_, Option<Article>>;
    /// The latest articles, newest first.
    fn latest(&self, site: SiteId, limit: usize) -> Answer<'_, Vec<Article>>;
    /// An article's full text as plain text, if every reader of the site may read it.
    fn full_text(&self, site: SiteId, id: i64) -> Answer<'_, Option<String>>;
    /// Passages that the site's search finds.
    fn search(&self, site: SiteId, lang: Lang, text: String, limit: usize) -> Answer<'_, Vec<Passage>>;
}

/// What became of a value that a plugin wants to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It is kept.
    Yes,
    /// The site's quota for this plugin is used up.
    OverQuota,
}

/// Values that plugins keep, by site and plugin.
pub trait ValueStore: Send + Sync {
    /// The value of a key.
    fn get<'a>(&'a self, site: SiteId, plugin: &'a str, key: String) -> Answer<'a, Option<Vec<u8>>>;
    /// Sets a value.
    fn set<'a>(&'a self, site: SiteId, plugin: &'a str, key: String, value: Vec<u8>) -> Answer<'a, Kept>;
    /// Removes a key; false if there was none.
    fn delete<'a>(&'a self, site: SiteId, plugin: &'a str, key: String) -> Answer<'a, bool>;
    /// Keys with this prefix after this one, in the order of their bytes.
    fn keys<'a>(&'a self, site: SiteId, plugin: &'a str, prefix: String, after: String) -> Answer<'a, Vec<String>>;
}

/// Secrets of sites, by name.
pub trait SecretSource: Send + Sync {
    /// The secret, if the host has it.
    fn secret(&self, site: SiteId, name: &str) -> Option<String>;
}

/// Milliseconds since 1970.
pub type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;
/// Fills a slice with bytes that nobody can guess.
pub type Dice = Arc<dyn Fn(&mut [u8]) + Send + Sync>;

/// Everything that capabilities reach.
#[derive(Clone)]
pub struct Services {
    /// Behind `content`.
    pub content: Arc<dyn ContentSource>,
    /// Behind `kv`.
    pub values: Arc<dyn ValueStore>,
    /// Behind `secrets` and the credentials of `http`.
    pub secrets: Arc<dyn SecretSource>,
    /// Behind `clock`.
    pub clock: Clock,
    /// Behind `random`.
    pub dice: Dice,
    /// Looks up the names of servers for `http`.
    pub resolver: Arc<dyn Resolver>,
}

impl std::fmt::Debug for Services {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Services")
    }
}

impl Services {
    /// For a runtime on its own: no content, no secrets, values in memory; clock, dice and names of the system.
    #[must_use]
    pub fn alone() -> Self {
        Self {
            content: Arc::new(Nothing),
            values: Arc::new(MemoryValues::default()),
            secrets: Arc::new(Nothing),
            clock: Arc::new(system_clock),
            dice: Arc::new(|bytes| rand::Rng::fill_bytes(&mut rand::rng(), bytes)),
            resolver: Arc::new(SystemResolver),
        }
    }
}

/// The time of day by the system's clock, in milliseconds.
#[must_use]
pub fn system_clock() -> u64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
}

struct Nothing;

fn ready<'a, T: Send + 'a>(value: T) -> Answer<'a, T> {
    Box::pin(std::future::ready(Ok(value)))
}

impl ContentSource for Nothing {
    fn article(&self, _: SiteId, _: i64) -> Answer<'_, Option<Article>> {
        ready(None)
    }
    fn by_doi(&self, _: SiteId, _: String) -> Answer<'_, Option<Article>> {
        ready(None)
    }
    fn latest(&self, _: SiteId, _: usize) -> Answer<'_, Vec<Article>> {
        ready(Vec::new())
    }
    fn full_text(&self, _: SiteId, _: i64) -> Answer<'_, Option<String>> {
        ready(None)
    }
    fn search(&self, _: SiteId, _: Lang, _: String, _: usize) -> Answer<'_, Vec<Passage>> {
        ready(Vec::new())
    }
}

impl SecretSource for Nothing {
    fn secret(&self, _: SiteId, _: &str) -> Option<String> {
        None
    }
}

type Space = BTreeMap<String, Vec<u8>>;

/// Values in memory, with a quota of 1 MiB a plugin and site: for tests and for a runtime without a database.
#[derive(Default)]
pub struct MemoryValues(Mutex<BTreeMap<(i64, String), Space>>);

impl MemoryValues {
    const QUOTA: usize = 1 << 20;

    fn lock(&self) -> MutexGuard<'_, BTreeMap<(i64, String), Space>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ValueStore for MemoryValues {
    fn get<'a>(&'a self, site: SiteId, plugin: &'a str, key: String) -> Answer<'a, Option<Vec<u8>>> {
        ready(self.lock().get(&(site.0, plugin.to_owned())).and_then(|space| space.get(&key)).cloned())
    }

    fn set<'a>(&'a self, site: SiteId, plugin: &'a str, key: String, value: Vec<u8>) -> Answer<'a, Kept> {
        let mut spaces = self.lock();
        let space = spaces.entry((site.0, plugin.to_owned())).or_default();
        let others: usize = space.iter().filter(|(other, _)| **other != key).map(|(k, v)| k.len() + v.len()).sum();
        if others + key.len() + value.len() > Self::QUOTA {
            return ready(Kept::OverQuota);
        }
        space.insert(key, value);
        ready(Kept::Yes)
    }

    fn delete<'a>(&'a self, site: SiteId, plugin: &'a str, key: String) -> Answer<'a, bool> {
        let mut spaces = self.lock();
        ready(spaces.get_mut(&(site.0, plugin.to_owned())).is_some_and(|space| space.remove(&key).is_some()))
    }

    fn keys<'a>(&'a self, site: SiteId, plugin: &'a str, prefix: String, after: String) -> Answer<'a, Vec<String>> {
        let spaces = self.lock();
        let keys = spaces.get(&(site.0, plugin.to_owned())).into_iter().flat_map(BTreeMap::keys);
        ready(keys.filter(|key| key.starts_with(&prefix) && **key > after).take(100).cloned().collect())
    }
}
