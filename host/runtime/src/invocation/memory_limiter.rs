//! The memory limit of one instance, and the budget that the plugins of one request share.

use std::sync::{
    Arc,
    atomic::{AtomicU32, AtomicUsize, Ordering},
};

use wasmtime::ResourceLimiter;

use crate::contract::{failure::RefusedGrowth, limits};

/// Limits for all plugins of one request together: bytes of memory and tables, and HTTP calls.
pub(crate) struct RequestBudget {
    memory: AtomicUsize,
    http_calls: AtomicU32,
}

impl RequestBudget {
    pub(crate) fn new(memory: usize, http_calls: u32) -> Self {
        Self { memory: AtomicUsize::new(memory), http_calls: AtomicU32::new(http_calls) }
    }

    fn take_memory(&self, bytes: usize) -> bool {
        self.memory.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).is_ok()
    }

    fn return_memory(&self, bytes: usize) {
        self.memory.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Takes one HTTP call from the budget; false if none is left.
    pub(crate) fn take_http_call(&self) -> bool {
        self.http_calls.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
    }
}

/// Size of one table element in bytes.
const TABLE_ELEMENT_BYTES: usize = size_of::<usize>();

/// Limits the sum of all memories and tables of an instance (`wasmtime::StoreLimits` limits each on its own), and takes each growth
/// from the request's budget.
pub(crate) struct MemoryLimiter {
    pub used: usize,
    limit: usize,
    budget: Arc<RequestBudget>,
    /// The last growth that was refused: the cause of the trap that usually follows.
    pub refused: Option<RefusedGrowth>,
}

impl MemoryLimiter {
    pub(crate) fn new(limit: usize, budget: Arc<RequestBudget>) -> Self {
        Self { used: 0, limit, budget, refused: None }
    }

    fn grow(&mut self, by: usize) -> bool {
        let total = self.used.saturating_add(by);
        if total > self.limit {
            self.refused = Some(RefusedGrowth::Instance(total));
            return false;
        }
        if !self.budget.take_memory(by) {
            self.refused = Some(RefusedGrowth::Request(total));
            return false;
        }
        self.used = total;
        true
    }
}

/// Returns the instance's memory to the budget, because an instance that failed is replaced within the same request.
impl Drop for MemoryLimiter {
    fn drop(&mut self) {
        self.budget.return_memory(self.used);
    }
}

impl ResourceLimiter for MemoryLimiter {
    fn memory_growing(&mut self, current: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(self.grow(desired.saturating_sub(current)))
    }

    fn table_growing(&mut self, current: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        let by = desired.saturating_sub(current);
        // A pooled table cannot outgrow its slot in any case; the refusal here records the cause of the failure.
        if desired > limits::TABLE_ELEMENTS {
            self.refused = Some(RefusedGrowth::Table(desired));
            return Ok(false);
        }
        Ok(self.grow(by.saturating_mul(TABLE_ELEMENT_BYTES)))
    }

    fn instances(&self) -> usize {
        limits::CORE_INSTANCES as usize
    }

    fn memories(&self) -> usize {
        limits::MEMORIES as usize
    }

    fn tables(&self) -> usize {
        limits::TABLES as usize
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn memories_and_tables_are_summed() {
        let mut limiter = MemoryLimiter::new(1000, Arc::new(RequestBudget::new(10_000, 0)));
        assert!(limiter.memory_growing(0, 400, None).unwrap());
        assert!(limiter.memory_growing(0, 400, None).unwrap());
        assert!(!limiter.table_growing(0, 100, None).unwrap());
        assert_eq!(limiter.refused, Some(RefusedGrowth::Instance(1600)));
        assert!(limiter.memory_growing(400, 600, None).unwrap());
        assert!(!limiter.memory_growing(600, 601, None).unwrap());
    }

    #[test]
    fn the_instances_of_a_request_share_one_budget() {
        let budget = Arc::new(RequestBudget::new(1000, 1));
        let mut limiters = [0, 1].map(|_| MemoryLimiter::new(800, Arc::clone(&budget)));
        assert!(limiters[0].memory_growing(0, 600, None).unwrap());
        assert!(!limiters[1].memory_growing(0, 600, None).unwrap());
        assert_eq!(limiters[1].refused, Some(RefusedGrowth::Request(600)));
        assert!(limiters[1].memory_growing(0, 400, None).unwrap());
        let [first, mut second] = limiters;
        assert!(!second.memory_growing(400, 800, None).unwrap());
        drop(first);
        assert!(second.memory_growing(400, 800, None).unwrap());
        assert!(budget.take_http_call() && !budget.take_http_call());
    }
}
