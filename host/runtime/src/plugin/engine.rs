//! The engine with explicit limits.

use wasmtime::{Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig};

use super::clock;
use crate::contract::{
    errors::RuntimeError,
    hook_table::CLASSES,
    limits::{CORE_INSTANCES, HEADROOM, MEMORIES, RuntimeConfig, TABLE_ELEMENTS, TABLES},
};

pub(crate) fn build(config: &RuntimeConfig) -> Result<Engine, RuntimeError> {
    let mut settings = Config::new();
    settings
        .epoch_interruption(true)
        .concurrency_support(false)
        .wasm_memory64(false)
        .max_wasm_stack(256 << 10)
        .async_stack_size(1 << 20)
        // Only the largest memory of the pool is reserved: this saves address space at the cost of bounds checks.
        .memory_reservation(config.memory_ceiling as u64)
        .memory_guard_size(64 << 10)
        .memory_init_cow(true)
        .allocation_strategy(InstanceAllocationStrategy::Pooling(pool(config)));
    let engine = Engine::new(&settings).map_err(|error| RuntimeError::Engine(format!("{error:#}")))?;
    clock::add(&engine, config.tick)?;
    Ok(engine)
}

fn pool(config: &RuntimeConfig) -> PoolingAllocationConfig {
    let requests = CLASSES.into_iter().map(|class| config.instances(class)).sum::<usize>();
    let total = u32::try_from(requests).unwrap_or(u32::MAX).saturating_add(HEADROOM);
    let mut pool = PoolingAllocationConfig::new();
    // One component may use more than an even share of the totals, because others use less.
    pool.total_component_instances(total)
        .total_core_instances(total * CORE_INSTANCES)
        .total_memories(total * MEMORIES)
        .total_tables(total * TABLES)
        .total_stacks(total)
        .max_core_instances_per_component(CORE_INSTANCES)
        .max_memories_per_component(MEMORIES)
        .max_tables_per_component(TABLES)
        .max_tables_per_module(TABLES)
        .max_memories_per_module(MEMORIES)
        .table_elements(TABLE_ELEMENTS)
        .max_memory_size(config.memory_ceiling)
        .max_unused_warm_slots(total)
        .linear_memory_keep_resident(256 << 10)
        // If the kernel reports the written pages, only these are reset; measured, this halves the time of a fresh instance.
        .pagemap_scan(Enabled::Auto)
        .table_keep_resident(16 << 10);
    pool
}
