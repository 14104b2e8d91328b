//! Remembered results of hooks. A key holds the member, so that another build, other settings or other grants start afresh.

use std::{
    any::Any,
    hash::{BuildHasher, Hash, RandomState},
    sync::Arc,
};

use crate::invocation::hooks::{Fields, Hook, Memo as Rule};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    member: u64,
    hook: Hook,
    digest: (u64, u64),
}

type Remembered = (u32, Arc<dyn Any + Send + Sync>);

pub(crate) struct Memo {
    results: moka::sync::Cache<Key, Remembered>,
    /// Keyed at random: nobody outside can make two inputs meet in one digest of 128 bits.
    hashers: (RandomState, RandomState),
    open: bool,
}

impl Memo {
    pub(crate) fn new(bytes: u64) -> Self {
        let results = moka::sync::Cache::builder()
            .weigher(|_, (weight, _): &Remembered| *weight)
            .max_capacity(bytes)
            .time_to_live(std::time::Duration::from_secs(600))
            .build();
        Self { results, hashers: (RandomState::new(), RandomState::new()), open: bytes > 0 }
    }

    /// The key of a call whose result may be remembered. `pure`: whether nothing but context and input can change it.
    pub(crate) fn key<E: Fields>(
        &self,
        (member, pure): (u64, bool),
        context: &impl Hash,
        input: &E::Input,
    ) -> Option<Key> {
        let hook = E::HOOK;
        let digest = match hook.spec().memo {
            _ if !self.open => return None,
            Rule::No => return None,
            Rule::Pure if !pure => return None,
            Rule::Pure => (self.hashers.0.hash_one((context, input)), self.hashers.1.hash_one((context, input))),
            Rule::Input => (self.hashers.0.hash_one(input), self.hashers.1.hash_one(input)),
        };
        Some(Key { member, hook, digest })
    }

    pub(crate) fn get<E: Fields>(&self, key: &Key) -> Option<E::Output> {
        self.results.get(key).and_then(|(_, result)| result.downcast_ref::<E::Output>().cloned())
    }

    pub(crate) fn put<E: Fields>(&self, key: Key, output: &E::Output) {
        let weight = u32::try_from(E::weight(output) + size_of::<Key>() + 128).unwrap_or(u32::MAX);
        self.results.insert(key, (weight, Arc::new(output.clone())));
    }
}
