//! What a store holds: the limits of one instance and the member that it belongs to.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicUsize, Ordering},
    },
    time::Instant,
};

use masthead_domain::Lang;
use wasmtime::ResourceLimiter;

use crate::{
    contract::limits::RuntimeConfig,
    invocation::{
        capabilities::LogBudget,
        fetch::Meter,
        hooks::Hook,
        recording::Tape,
        wasi::{Exclusive, Wasi},
    },
    plugin::engine,
    site::member::Member,
};

/// What a request lends to the instances that it makes.
#[derive(Clone)]
pub(crate) struct Frame {
    pub lang: Lang,
    /// When the page has to be done.
    pub deadline: Instant,
    /// Whether the instance only runs for comparison: then it changes nothing and asks nobody.
    pub shadow: bool,
    /// Host calls that are recorded or replayed.
    pub tape: Option<Arc<Tape>>,
    /// What all plugins of the request share.
    pub purse: Arc<Purse>,
}

/// What all plugins of one request may use together.
pub(crate) struct Purse {
    memory: AtomicUsize,
    http_calls: AtomicU32,
}

impl Purse {
    pub(crate) fn new(memory: usize, http_calls: u32) -> Self {
        Self { memory: AtomicUsize::new(memory), http_calls: AtomicU32::new(http_calls) }
    }

    fn take_memory(&self, bytes: usize) -> bool {
        self.memory.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).is_ok()
    }

    fn give_memory_back(&self, bytes: usize) {
        self.memory.fetch_add(bytes, Ordering::Relaxed);
    }

    /// One HTTP call; false when the request has made enough of them.
    pub(crate) fn take_http_call(&self) -> bool {
        self.http_calls.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
    }
}

/// Data of one store.
pub(crate) struct State {
    pub member: Arc<Member>,
    pub frame: Frame,
    pub limiter: Limiter,
    pub log: LogBudget,
    /// HTTP calls and bytes so far.
    pub meter: Meter,
    /// For plugins that speak WASI.
    pub wasi: Option<Box<Exclusive<Wasi>>>,
    /// Whether a server that was asked did not answer.
    pub unreachable: bool,
    /// Bytes of randomness that are left.
    pub random: u32,
    /// The hook that runs, for log lines.
    pub hook: Hook,
    /// Ticks of computing that are left to this call.
    pub slices: u32,
    /// When this call has to be done, so that a host call can end in time for the plugin to say so.
    pub until: Instant,
    /// The host call that is under way, if it is one that waits.
    pub waiting: Option<&'static str>,
}

impl State {
    /// What an instance begins with.
    pub(crate) fn new(config: &RuntimeConfig, member: &Arc<Member>, frame: &Frame, hook: Hook) -> Self {
        Self {
            member: Arc::clone(member),
            frame: frame.clone(),
            limiter: Limiter::new(member.memory, Arc::clone(&frame.purse)),
            log: LogBudget::new(config.log_lines, config.log_bytes),
            meter: Meter::default(),
            wasi: None,
            unreachable: false,
            random: config.random_bytes,
            hook,
            slices: member.slices(hook),
            until: frame.deadline,
            waiting: None,
        }
    }
}

/// Bytes of one table element.
const ELEMENT: usize = size_of::<usize>();

/// Sums all memories and tables of an instance (`wasmtime::StoreLimits` would count each by itself), and those of all instances
/// of the request.
pub(crate) struct Limiter {
    pub used: usize,
    limit: usize,
    purse: Arc<Purse>,
    /// What was asked for beyond a limit: the reason of the trap that mostly follows.
    pub refused: Option<Refused>,
}

/// Memory that was not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// So much is more than this plugin may have.
    Own(usize),
    /// So much is more than the other plugins of the request have left.
    Shared(usize),
    /// A table of so many elements is more than any plugin may have.
    Table(usize),
}

impl Limiter {
    pub(crate) fn new(limit: usize, purse: Arc<Purse>) -> Self {
        Self { used: 0, limit, purse, refused: None }
    }

    fn grow(&mut self, by: usize) -> bool {
        let wanted = self.used.saturating_add(by);
        if wanted > self.limit {
            self.refused = Some(Refused::Own(wanted));
            return false;
        }
        if !self.purse.take_memory(by) {
            self.refused = Some(Refused::Shared(wanted));
            return false;
        }
        self.used = wanted;
        true
    }
}

/// An instance that failed is replaced within the same request: what it had must not be missing to the others.
impl Drop for Limiter {
    fn drop(&mut self) {
        self.purse.give_memory_back(self.used);
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(&mut self, current: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(self.grow(desired.saturating_sub(current)))
    }

    fn table_growing(&mut self, current: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        let by = desired.saturating_sub(current);
        // A pooled table cannot grow further than its place; saying so here gives the failure its name.
        if desired > engine::TABLE_ELEMENTS {
            self.refused = Some(Refused::Table(desired));
            return Ok(false);
        }
        Ok(self.grow(by.saturating_mul(ELEMENT)))
    }

    fn instances(&self) -> usize {
        engine::CORE_INSTANCES as usize
    }

    fn memories(&self) -> usize {
        engine::MEMORIES as usize
    }

    fn tables(&self) -> usize {
        engine::TABLES as usize
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn memories_and_tables_are_summed() {
        let mut limiter = Limiter::new(1000, Arc::new(Purse::new(10_000, 0)));
        assert!(limiter.memory_growing(0, 400, None).unwrap());
        assert!(limiter.memory_growing(0, 400, None).unwrap());
        assert!(!limiter.table_growing(0, 100, None).unwrap());
        assert_eq!(limiter.refused, Some(Refused::Own(1600)));
        assert!(limiter.memory_growing(400, 600, None).unwrap());
        assert!(!limiter.memory_growing(600, 601, None).unwrap());
    }

    #[test]
    fn the_instances_of_a_request_share_one_purse() {
        let purse = Arc::new(Purse::new(1000, 1));
        let mut limiters = [0, 1].map(|_| Limiter::new(800, Arc::clone(&purse)));
        assert!(limiters[0].memory_growing(0, 600, None).unwrap());
        assert!(!limiters[1].memory_growing(0, 600, None).unwrap());
        assert_eq!(limiters[1].refused, Some(Refused::Shared(600)));
        assert!(limiters[1].memory_growing(0, 400, None).unwrap());
        let [first, mut second] = limiters;
        assert!(!second.memory_growing(400, 800, None).unwrap());
        drop(first);
        assert!(second.memory_growing(400, 800, None).unwrap());
        assert!(purse.take_http_call() && !purse.take_http_call());
    }
}
