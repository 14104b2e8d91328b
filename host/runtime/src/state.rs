//! What a store holds: the limits of one instance and the member that it belongs to.

use std::sync::Arc;

use wasmtime::ResourceLimiter;

use crate::{capabilities::LogBudget, engine, hooks::Hook, member::Member};

/// Data of one store.
pub(crate) struct State {
    pub member: Arc<Member>,
    pub limiter: Limiter,
    pub log: LogBudget,
    /// The hook that runs, for log lines.
    pub hook: Hook,
    /// Ticks of computing that are left to this call.
    pub slices: u32,
}

/// Bytes of one table element.
const ELEMENT: usize = size_of::<usize>();

/// Sums all memories and tables of an instance; `wasmtime::StoreLimits` would count each by itself.
pub(crate) struct Limiter {
    used: usize,
    limit: usize,
    /// What was asked for beyond the limit: the reason of the trap that mostly follows.
    pub refused: Option<usize>,
}

impl Limiter {
    pub(crate) fn new(limit: usize) -> Self {
        Self { used: 0, limit, refused: None }
    }

    fn grow(&mut self, by: usize) -> bool {
        let wanted = self.used.saturating_add(by);
        if wanted > self.limit {
            self.refused = Some(wanted);
            return false;
        }
        self.used = wanted;
        true
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
            self.refused = Some(self.used.saturating_add(by.saturating_mul(ELEMENT)));
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
        let mut limiter = Limiter::new(1000);
        assert!(limiter.memory_growing(0, 400, None).unwrap());
        assert!(limiter.memory_growing(0, 400, None).unwrap());
        assert!(!limiter.table_growing(0, 100, None).unwrap());
        assert_eq!(limiter.refused, Some(1600));
        assert!(limiter.memory_growing(400, 600, None).unwrap());
        assert!(!limiter.memory_growing(600, 601, None).unwrap());
    }
}
