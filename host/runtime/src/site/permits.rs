//! Permits for instances, by class of hooks.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::contract::hook_table::{CLASSES, HookClass};

/// A number of permits for each class. They are separate, so that calls that wait for other servers hold none that a page needs.
pub(crate) struct InstancePermits([Arc<Semaphore>; CLASSES.len()]);

impl InstancePermits {
    pub(crate) fn new(size: impl Fn(HookClass) -> usize) -> Self {
        Self(CLASSES.map(|class| Arc::new(Semaphore::new(size(class).min(Semaphore::MAX_PERMITS)))))
    }

    pub(crate) fn of(&self, class: HookClass) -> &Arc<Semaphore> {
        &self.0[class as usize]
    }
}
