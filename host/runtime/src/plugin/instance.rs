//! One instance of one plugin, for one request.

use std::{sync::Arc, time::Instant};

use wasmtime::{Store, StoreContextMut, UpdateDeadline, component::Instance};

use super::{clock::Running, loaded::Plugin};
use crate::{
    contract::{
        bindings::masthead::plugin::types::Context, comparison::wrong_types, failure::FailureCause, hook_table::Hook,
    },
    invocation::{
        hooks::entries::{HookFunctions, TableEntry},
        site_context::SiteContext,
        store_state::{RequestScope, StoreState},
    },
};

pub(crate) struct PluginInstance {
    plugin: Arc<Plugin>,
    store: Store<StoreState>,
    instance: Instance,
    functions: HookFunctions,
}

impl PluginInstance {
    /// Instantiates the plugin in a new store. The budget of `hook` includes the plugin's own start.
    pub(crate) async fn start(
        plugin: &Arc<Plugin>,
        site: &Arc<SiteContext>,
        request: &RequestScope,
        hook: Hook,
    ) -> Result<Box<Self>, FailureCause> {
        let _running = Running::begin();
        let mut store = Store::new(plugin.pre.engine(), StoreState::new(site, request, hook));
        store.limiter(|state| &mut state.limiter);
        store.set_hostcall_fuel(site.config.hostcall_bytes);
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(on_tick);
        match plugin.pre.instantiate_async(&mut store).await {
            Ok(instance) => {
                let (plugin, functions) = (Arc::clone(plugin), HookFunctions::default());
                Ok(Box::new(Self { plugin, store, instance, functions }))
            }
            Err(error) => Err(start_failure(&store, &error, hook)),
        }
    }

    /// Calls a hook; its time starts at `now`. Returns its output or its refusal. After a [`FailureCause`], the instance must
    /// not be used again.
    pub(crate) async fn call<E: TableEntry>(
        &mut self,
        context: &Context,
        input: &E::Input,
        now: Instant,
    ) -> Result<Result<E::Output, E::Refusal>, FailureCause> {
        let _running = Running::begin();
        self.check_types::<E>()?;
        let Self { store, functions, .. } = self;
        let Some(function) = E::function(functions).as_ref() else { return Err(not_exported()) };
        let state = store.data_mut();
        state.hook = E::HOOK;
        state.ticks_left = state.site.ticks(E::HOOK);
        state.call_deadline = state.request.deadline.min(now + state.site.wait(E::HOOK));
        state.limiter.refused = None;
        store.set_epoch_deadline(1);
        let answer = E::call(function, store, context, input).await;
        let state = store.data_mut();
        if let Some(wasi) = &mut state.wasi {
            wasi.get().log_output(&state.site.name, state.site.plugin_id(), E::HOOK.name());
        }
        answer.map_err(|error| {
            let state = store.data();
            tracing::debug!(plugin = state.site.plugin_id(), "{error:?}");
            failure(state, &error, E::HOOK)
        })
    }

    /// Loads the function of a hook once; a wrong type is an error here.
    pub(crate) fn check_types<E: TableEntry>(&mut self) -> Result<(), FailureCause> {
        let Self { plugin, store, instance, functions } = self;
        let function = E::function(functions);
        if function.is_none() {
            let indices = E::indices(&plugin.exports).ok_or_else(not_exported)?;
            let loaded = E::load(indices, store, instance);
            *function =
                Some(loaded.map_err(|error| FailureCause::StartFailed(wrong_types(E::HOOK, &error).to_string()))?);
        }
        Ok(())
    }

    /// The host call that the plugin is waiting for, after a call that was cancelled.
    pub(crate) fn pending_host_call(&self) -> Option<&'static str> {
        self.store.data().pending_host_call
    }

    /// Whether an HTTP server did not answer since the last call of this function.
    pub(crate) fn take_server_unreachable(&mut self) -> bool {
        std::mem::take(&mut self.store.data_mut().server_unreachable)
    }

    /// Bytes of memories and tables.
    pub(crate) fn memory(&self) -> usize {
        self.store.data().limiter.used
    }
}

/// Counts a tick of computing. Ticks are used instead of the clock, because on a busy machine the system may suspend a thread for
/// longer than the budget in the middle of a correct call. Yielding to tokio in between keeps other requests running.
fn on_tick(mut store: StoreContextMut<'_, StoreState>) -> wasmtime::Result<UpdateDeadline> {
    let state = store.data_mut();
    state.ticks_left = state.ticks_left.saturating_sub(1);
    Ok(if state.ticks_left == 0 {
        UpdateDeadline::Interrupt
    } else {
        UpdateDeadline::YieldCustom(1, Box::pin(tokio::task::yield_now()))
    })
}

fn failure(state: &StoreState, error: &wasmtime::Error, hook: Hook) -> FailureCause {
    let site = &state.site;
    FailureCause::from_wasmtime(error, site.computing_time(hook), state.limiter.refused, site.memory_limit)
}

fn start_failure(store: &Store<StoreState>, error: &wasmtime::Error, hook: Hook) -> FailureCause {
    if error.is::<wasmtime::PoolConcurrencyLimitError>() {
        return FailureCause::InstancesBusy;
    }
    match failure(store.data(), error, hook) {
        FailureCause::Trap(trap) => FailureCause::StartFailed(trap),
        cause => cause,
    }
}

fn not_exported() -> FailureCause {
    FailureCause::StartFailed("the component does not export the hook".to_owned())
}
