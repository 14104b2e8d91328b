//! The cache of hook results. Keys contain the member's number, so that another build, other settings or other grants have no
//! entries.

use std::{
    any::Any,
    hash::{BuildHasher, Hash, RandomState},
    sync::Arc,
};

use super::hooks::entries::TableEntry;
use crate::contract::hook_table::{Caching, Hook};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct CacheKey {
    member: u64,
    hook: Hook,
    digest: (u64, u64),
}

type CachedResult = (u32, Arc<dyn Any + Send + Sync>);

pub(crate) struct ResultCache {
    results: moka::sync::Cache<CacheKey, CachedResult>,
    /// Two hashers with random keys: their digest of 128 bits makes it infeasible to construct a collision from outside.
    hashers: (RandomState, RandomState),
    enabled: bool,
}

impl ResultCache {
    pub(crate) fn new(bytes: u64) -> Self {
        let results = moka::sync::Cache::builder()
            .weigher(|_, (weight, _): &CachedResult| *weight)
            .max_capacity(bytes)
            .time_to_live(std::time::Duration::from_secs(600))
            .build();
        Self { results, hashers: (RandomState::new(), RandomState::new()), enabled: bytes > 0 }
    }

    /// The key of a call; `None` if its result may not be cached. `deterministic` is whether the plugin's results depend on
    /// settings, context and input only.
    pub(crate) fn key<E: TableEntry>(
        &self,
        (member, deterministic): (u64, bool),
        context: &impl Hash,
        input: &E::Input,
    ) -> Option<CacheKey> {
        let hook = E::HOOK;
        let digest = match hook.spec().caching {
            _ if !self.enabled => return None,
            Caching::Never => return None,
            Caching::IfDeterministic if !deterministic => return None,
            Caching::IfDeterministic => {
                (self.hashers.0.hash_one((context, input)), self.hashers.1.hash_one((context, input)))
            }
            Caching::ByInput => (self.hashers.0.hash_one(input), self.hashers.1.hash_one(input)),
        };
        Some(CacheKey { member, hook, digest })
    }

    pub(crate) fn get<E: TableEntry>(&self, key: &CacheKey) -> Option<E::Output> {
        self.results.get(key).and_then(|(_, result)| result.downcast_ref::<E::Output>().cloned())
    }

    pub(crate) fn put<E: TableEntry>(&self, key: CacheKey, output: &E::Output) {
        let weight = u32::try_from(E::cache_weight(output) + size_of::<CacheKey>() + 128).unwrap_or(u32::MAX);
        self.results.insert(key, (weight, Arc::new(output.clone())));
    }
}
