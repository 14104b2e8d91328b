//! One instance of one plugin, for one request.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use wasmtime::{Store, StoreContextMut, UpdateDeadline, component::Instance};

use crate::{
    contract::{bindings::masthead::plugin::types::Context, failure::Cause, limits::RuntimeConfig},
    invocation::{
        hooks::{Fields, Guests, Hook},
        store_state::{Frame, State},
    },
    site::member::Member,
};

pub(crate) struct Live {
    store: Store<State>,
    instance: Instance,
    guests: Guests,
}

impl Live {
    /// A fresh store and instance. The budget covers the plugin's own start as well.
    pub(crate) async fn start(
        config: &RuntimeConfig,
        member: &Arc<Member>,
        frame: &Frame,
        hook: Hook,
    ) -> Result<Box<Self>, Cause> {
        let state = State::new(config, member, frame, hook);
        let mut store = Store::new(member.plugin.pre.engine(), state);
        store.limiter(|state| &mut state.limiter);
        store.set_hostcall_fuel(config.hostcall_bytes);
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(on_tick);
        match member.plugin.pre.instantiate_async(&mut store).await {
            Ok(instance) => Ok(Box::new(Self { store, instance, guests: Guests::default() })),
            Err(error) => Err(start_cause(&store, &error, member, hook)),
        }
    }

    /// Calls a hook, from now: its output, or its refusal. After a [`Cause`] the instance must not be used again.
    pub(crate) async fn call<E: Fields>(
        &mut self,
        member: &Member,
        context: &Context,
        input: &E::Input,
        now: Instant,
    ) -> Result<Result<E::Output, E::Refusal>, Cause> {
        self.check_types::<E>(member)?;
        let Self { store, guests, .. } = self;
        let Some(guest) = E::guest(guests).as_ref() else {
            return Err(Cause::Start("the hook is not there".to_owned()));
        };
        let state = store.data_mut();
        state.hook = E::HOOK;
        state.slices = member.slices(E::HOOK);
        state.until = state.frame.deadline.min(now + member.wait(E::HOOK));
        state.limiter.refused = None;
        store.set_epoch_deadline(1);
        let answer = E::call(guest, store, context, input).await;
        if let Some(wasi) = &mut store.data_mut().wasi {
            wasi.log(member, E::HOOK);
        }
        answer.map_err(|error| {
            tracing::debug!(plugin = member.plugin.id(), "{error:?}");
            let refused = store.data().limiter.refused;
            Cause::of(&error, member.computing(E::HOOK), refused, member.memory)
        })
    }

    /// Looks up the functions of a hook, once: a wrong type shows here.
    pub(crate) fn check_types<E: Fields>(&mut self, member: &Member) -> Result<(), Cause> {
        let Self { store, instance, guests } = self;
        let guest = E::guest(guests);
        if guest.is_none() {
            let indices =
                E::indices(&member.plugin.found).ok_or_else(|| Cause::Start("the hook is not there".to_owned()))?;
            let loaded = E::load(indices, store, instance);
            *guest = Some(loaded.map_err(|error| {
                Cause::Start(crate::contract::comparison::wrong_types(E::HOOK, &error).to_string())
            })?);
        }
        Ok(())
    }

    /// The host call that it is waiting for, after a call that was cut off.
    pub(crate) fn waiting(&self) -> Option<&'static str> {
        self.store.data().waiting
    }

    /// Whether a server did not answer since this was last asked.
    pub(crate) fn take_unreachable(&mut self) -> bool {
        std::mem::take(&mut self.store.data_mut().unreachable)
    }

    /// Bytes of memories and tables.
    pub(crate) fn memory(&self) -> usize {
        self.store.data().limiter.used
    }
}

/// Counts a slice of computing. Slices, not the clock: on a busy machine a thread may be away for longer than the budget
/// in the middle of an innocent call. Yielding to tokio in between keeps other requests running.
fn on_tick(mut store: StoreContextMut<'_, State>) -> wasmtime::Result<UpdateDeadline> {
    let state = store.data_mut();
    state.slices = state.slices.saturating_sub(1);
    Ok(if state.slices == 0 {
        UpdateDeadline::Interrupt
    } else {
        UpdateDeadline::YieldCustom(1, Box::pin(tokio::task::yield_now()))
    })
}

fn start_cause(store: &Store<State>, error: &wasmtime::Error, member: &Member, hook: Hook) -> Cause {
    if error.is::<wasmtime::PoolConcurrencyLimitError>() {
        return Cause::Busy;
    }
    match Cause::of(error, member.computing(hook), store.data().limiter.refused, member.memory) {
        Cause::Trap(trap) => Cause::Start(trap),
        cause => cause,
    }
}

/// A hook's budget in ticks, at least one more than it takes: the first tick comes too early by chance.
pub(crate) fn slices(budget: Duration, tick: Duration) -> u32 {
    let ticks = budget.as_micros().div_ceil(tick.as_micros().max(1));
    u32::try_from(ticks).unwrap_or(u32::MAX - 1) + 1
}
