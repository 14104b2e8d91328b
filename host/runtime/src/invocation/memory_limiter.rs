//! The memory limit of one instance, the budget that the plugins of one request share, and the one of the whole process.

use std::sync::{
    Arc,
    atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering},
};

use wasmtime::ResourceLimiter;

use crate::contract::{failure::RefusedGrowth, hook_table::HookClass, limits};

/// Memory of all plugin instances of the process: linear memories and tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryUsage {
    /// Bytes in use.
    pub used: usize,
    /// The most bytes that were in use at a time.
    pub peak: usize,
    /// Bytes that all instances may have together.
    pub limit: usize,
    /// Growths that were refused because of the limit.
    pub refused: u64,
}

/// The memory budget of the process, which every instance takes its memory from. A part of it is kept for decisions about access:
/// they must not fail, and let readers in, because other calls have used up the memory.
pub(crate) struct ProcessMemory {
    limit: usize,
    /// The part of the limit that only decisions about access may use, in bytes.
    kept_for_access: usize,
    used: AtomicUsize,
    peak: AtomicUsize,
    refused: AtomicU64,
}

impl ProcessMemory {
    pub(crate) fn new(limit: usize, kept_for_access: usize) -> Self {
        let (used, peak) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self { limit, kept_for_access, used, peak, refused: AtomicU64::new(0) }
    }

    fn take(&self, bytes: usize, class: HookClass) -> bool {
        let kept = if class == HookClass::Access { 0 } else { self.kept_for_access };
        let most = self.limit.saturating_sub(kept);
        let fits = |used: usize| used.checked_add(bytes).filter(|total| *total <= most);
        match self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits) {
            Ok(before) => {
                let total = before + bytes;
                // The peak rarely changes, and a load is cheaper than a write.
                if self.peak.load(Ordering::Relaxed) < total {
                    self.peak.fetch_max(total, Ordering::Relaxed);
                }
                true
            }
            Err(_) => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                false
            }
        }
    }

    fn give_back(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    pub(crate) fn usage(&self) -> MemoryUsage {
        MemoryUsage {
            used: self.used.load(Ordering::Relaxed),
            peak: self.peak.load(Ordering::Relaxed),
            limit: self.limit,
            refused: self.refused.load(Ordering::Relaxed),
        }
    }
}

/// Limits for all plugins of one request together: bytes of memory and tables, and HTTP calls.
pub(crate) struct RequestBudget {
    memory: AtomicUsize,
    http_calls: AtomicU32,
    process: Arc<ProcessMemory>,
}

impl RequestBudget {
    pub(crate) fn new(memory: usize, http_calls: u32, process: &Arc<ProcessMemory>) -> Self {
        let (memory, http_calls) = (AtomicUsize::new(memory), AtomicU32::new(http_calls));
        Self { memory, http_calls, process: Arc::clone(process) }
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
/// from the budgets of the request and of the process.
pub(crate) struct MemoryLimiter {
    pub used: usize,
    limit: usize,
    class: HookClass,
    budget: Arc<RequestBudget>,
    /// The last growth that was refused: the cause of the trap that usually follows.
    pub refused: Option<RefusedGrowth>,
}

impl MemoryLimiter {
    /// The limiter of an instance that is started for a hook of this class.
    pub(crate) fn new(limit: usize, class: HookClass, budget: Arc<RequestBudget>) -> Self {
        Self { used: 0, limit, class, budget, refused: None }
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
        if !self.budget.process.take(by, self.class) {
            self.budget.return_memory(by);
            self.refused = Some(RefusedGrowth::Process(total));
            return false;
        }
        self.used = total;
        true
    }
}

/// Returns the instance's memory to the budgets; to that of the request, because an instance that failed is replaced within the
/// same request.
impl Drop for MemoryLimiter {
    fn drop(&mut self) {
        self.budget.return_memory(self.used);
        self.budget.process.give_back(self.used);
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

    fn request(memory: usize, http_calls: u32) -> Arc<RequestBudget> {
        Arc::new(RequestBudget::new(memory, http_calls, &Arc::new(ProcessMemory::new(usize::MAX, 0))))
    }

    #[test]
    fn the_requests_of_the_process_share_one_budget() {
        let process = Arc::new(ProcessMemory::new(1000, 0));
        let mut limiters =
            [0, 1].map(|_| MemoryLimiter::new(800, HookClass::Page, Arc::new(RequestBudget::new(800, 0, &process))));
        assert!(limiters[0].memory_growing(0, 600, None).unwrap());
        assert!(!limiters[1].memory_growing(0, 600, None).unwrap());
        assert_eq!(limiters[1].refused, Some(RefusedGrowth::Process(600)));
        assert_eq!(process.usage(), MemoryUsage { used: 600, peak: 600, limit: 1000, refused: 1 });
        // Tables count too, and what was refused is taken from neither budget: all that is left can be had.
        assert!(limiters[1].table_growing(0, 10, None).unwrap());
        assert!(limiters[1].memory_growing(0, 320, None).unwrap());
        assert!(!limiters[1].memory_growing(320, 321, None).unwrap());
        drop(limiters);
        assert_eq!(process.usage(), MemoryUsage { used: 0, peak: 1000, limit: 1000, refused: 2 });
    }

    #[test]
    fn a_part_of_the_memory_is_kept_for_decisions_about_access() {
        let process = Arc::new(ProcessMemory::new(1000, 200));
        let limiter = |class| MemoryLimiter::new(1000, class, Arc::new(RequestBudget::new(1000, 0, &process)));
        let (mut waiting, mut access) = (limiter(HookClass::Waiting), limiter(HookClass::Access));
        assert!(!waiting.memory_growing(0, 801, None).unwrap());
        assert!(waiting.memory_growing(0, 800, None).unwrap());
        assert!(!waiting.memory_growing(800, 801, None).unwrap());
        assert!(access.memory_growing(0, 200, None).unwrap());
        assert!(!access.memory_growing(200, 201, None).unwrap());
        assert_eq!(process.usage().used, 1000);
    }

    #[test]
    fn memories_and_tables_are_summed() {
        let mut limiter = MemoryLimiter::new(1000, HookClass::Page, request(10_000, 0));
        assert!(limiter.memory_growing(0, 400, None).unwrap());
        assert!(limiter.memory_growing(0, 400, None).unwrap());
        assert!(!limiter.table_growing(0, 100, None).unwrap());
        assert_eq!(limiter.refused, Some(RefusedGrowth::Instance(1600)));
        assert!(limiter.memory_growing(400, 600, None).unwrap());
        assert!(!limiter.memory_growing(600, 601, None).unwrap());
    }

    #[test]
    fn the_instances_of_a_request_share_one_budget() {
        let budget = request(1000, 1);
        let mut limiters = [0, 1].map(|_| MemoryLimiter::new(800, HookClass::Page, Arc::clone(&budget)));
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
