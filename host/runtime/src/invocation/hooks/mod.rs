//! The hooks, declared in one place. A new hook is a file beside this one (its entry), a `mod` line and a row of [`table`].

pub(crate) mod access;
pub(crate) mod adapter;
pub(crate) mod article;
pub(crate) mod assistant;
pub(crate) mod events;
pub(crate) mod head;
pub(crate) mod identity;
pub(crate) mod layout;
pub(crate) mod links;
pub(crate) mod messaging;
pub(crate) mod navigation;
pub(crate) mod routes;
pub(crate) mod search;
pub(crate) mod settings_check;
pub(crate) mod statistics;
mod table;
pub(crate) mod text;
pub(crate) mod translate;

use std::{future::Future, hash::Hash};

use serde::{Serialize, de::DeserializeOwned};
use wasmtime::{
    Store,
    component::{Instance, InstancePre},
};

use crate::{
    contract::{bindings::masthead::plugin::types::Context, failure::Cause},
    invocation::store_state::State,
    plugin::instance::Live,
    site::member::Member,
};

pub(crate) use table::{Fields, Found, Guests, by_hook, trial};
pub use table::{HOOKS, Hook, HookSpec, Memo, Shape};

/// How a hook is found and called: written by [`bind`].
pub(crate) trait Binding: Send + Sync + 'static {
    type Indices: Send + Sync;
    type Guest: Send + Sync;
    type Input: Hash + Clone + Serialize + DeserializeOwned + Send + Sync + 'static;
    type Output: Clone + PartialEq + Serialize + Send + Sync + 'static;
    type Refusal: Clone + PartialEq + Serialize + Send + Sync + 'static;

    /// Finds the interface in a component.
    fn find(pre: &InstancePre<State>) -> wasmtime::Result<Self::Indices>;

    /// Finds the functions in an instance.
    fn load(indices: &Self::Indices, store: &mut Store<State>, instance: &Instance) -> wasmtime::Result<Self::Guest>;

    /// The call itself.
    fn call(
        guest: &Self::Guest,
        store: &mut Store<State>,
        context: &Context,
        input: &Self::Input,
    ) -> impl Future<Output = wasmtime::Result<Result<Self::Output, Self::Refusal>>> + Send;
}

/// What the file of a hook says about it.
pub(crate) trait HookEntry: Binding {
    /// Whether the host accepts this result; the reason if not.
    fn check(member: &Member, input: &Self::Input, output: &Self::Output) -> Result<(), String>;

    /// The emptiest input, which a plugin has to answer before it is used. `None` for hooks that act on the world: for these
    /// only the types are looked at.
    fn trial_input() -> Option<Self::Input>;

    /// The refusal in words; `None` when it is no failure but means "ask the next plugin".
    fn words(refusal: &Self::Refusal) -> Option<String>;

    /// Bytes that a remembered result takes, roughly.
    fn weight(_: &Self::Output) -> usize {
        64
    }
}

/// Writes the [`Binding`] of a hook whose function takes a context and, unless its input is `()`, one record or list.
macro_rules! bind {
    ($entry:ident: $interface:ident . $method:ident () -> $output:ty $(, $refusal:ty)?) => {
        bind!(@ $entry $interface $method, (), $output, [$($refusal)?], |guest, store, context, _input| guest.$method(store, context));
    };
    ($entry:ident: $interface:ident . $method:ident ($input:ty) -> $output:ty $(, $refusal:ty)?) => {
        bind!(@ $entry $interface $method, $input, $output, [$($refusal)?], |guest, store, context, input| guest.$method(store, context, input));
    };
    (@ $entry:ident $interface:ident $method:ident, $input:ty, $output:ty, [], $($call:tt)*) => {
        bind!(@ $entry $interface $method, $input, $output, [String], $($call)*);
    };
    (@ $entry:ident $interface:ident $method:ident, $input:ty, $output:ty, [$refusal:ty],
        |$guest:ident, $store:ident, $context:ident, $given:ident| $call:expr) => {
        pub(crate) struct $entry;

        impl $crate::invocation::hooks::Binding for $entry {
            type Indices = $crate::contract::bindings::exports::masthead::plugin::$interface::GuestIndices;
            type Guest = $crate::contract::bindings::exports::masthead::plugin::$interface::Guest;
            type Input = $input;
            type Output = $output;
            type Refusal = $refusal;

            fn find(
                pre: &wasmtime::component::InstancePre<$crate::invocation::store_state::State>,
            ) -> wasmtime::Result<Self::Indices> {
                Self::Indices::new(pre)
            }

            fn load(
                indices: &Self::Indices,
                store: &mut wasmtime::Store<$crate::invocation::store_state::State>,
                instance: &wasmtime::component::Instance,
            ) -> wasmtime::Result<Self::Guest> {
                indices.load(store, instance)
            }

            async fn call(
                $guest: &Self::Guest,
                $store: &mut wasmtime::Store<$crate::invocation::store_state::State>,
                $context: &$crate::contract::bindings::masthead::plugin::types::Context,
                $given: &Self::Input,
            ) -> wasmtime::Result<Result<$output, $refusal>> {
                $call.await
            }
        }
    };
}
pub(crate) use bind;

/// Tries one hook of a fresh instance: its types, and its answer to the emptiest input.
async fn trial_of<E: Fields>(live: &mut Live, member: &Member, context: &Context) -> Result<(), Cause> {
    let Some(input) = E::trial_input() else { return live.check_types::<E>(member) };
    match live.call::<E>(member, context, &input, std::time::Instant::now()).await? {
        Ok(output) => E::check(member, &input, &output).map_err(Cause::BadResult),
        Err(refusal) => E::words(&refusal).map_or(Ok(()), |words| Err(Cause::Refused(words))),
    }
}
