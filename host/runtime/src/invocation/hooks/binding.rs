//! The traits of a hook: its lookup in a component, its call, and the check of its result.

use std::{future::Future, hash::Hash};

use serde::{Serialize, de::DeserializeOwned};
use wasmtime::{
    Store,
    component::{Instance, InstancePre},
};

use crate::{
    contract::bindings::masthead::plugin::types::Context,
    invocation::{site_context::SiteContext, store_state::StoreState},
};

/// Lookup and call of a hook; implemented by [`bind`].
pub(crate) trait Binding: Send + Sync + 'static {
    type Indices: Send + Sync;
    type Guest: Send + Sync;
    type Input: Hash + Clone + Serialize + DeserializeOwned + Send + Sync + 'static;
    type Output: Clone + PartialEq + Serialize + Send + Sync + 'static;
    type Refusal: Refusal + Clone + PartialEq + Serialize + Send + Sync + 'static;

    /// Finds the interface in a component.
    fn find(pre: &InstancePre<StoreState>) -> wasmtime::Result<Self::Indices>;

    /// Finds the functions in an instance.
    fn load(
        indices: &Self::Indices,
        store: &mut Store<StoreState>,
        instance: &Instance,
    ) -> wasmtime::Result<Self::Guest>;

    /// Calls the function.
    fn call(
        guest: &Self::Guest,
        store: &mut Store<StoreState>,
        context: &Context,
        input: &Self::Input,
    ) -> impl Future<Output = wasmtime::Result<Result<Self::Output, Self::Refusal>>> + Send;
}

/// The error that a plugin returns instead of a result.
pub(crate) trait Refusal {
    /// The message for the log; `None` for a refusal that is not a failure and passes the call on to the next plugin.
    fn message(&self) -> Option<String>;
}

impl Refusal for String {
    fn message(&self) -> Option<String> {
        Some(self.clone())
    }
}

/// The part of a hook that its file defines: the checks of its results, and its part in trials and in the cache.
pub(crate) trait HookEntry: Binding {
    /// Checks a result; the error is the reason for which the host rejects it.
    fn check(context: &SiteContext, input: &Self::Input, output: &Self::Output) -> Result<(), String>;

    /// The minimal input for the trial call. `None` for hooks with side effects, of which a trial checks the types only.
    fn trial_input() -> Option<Self::Input>;

    /// Approximate size of a cached result, in bytes.
    fn cache_weight(_: &Self::Output) -> usize {
        64
    }
}

/// Implements [`Binding`] for a hook whose function takes a context and, unless its input is `()`, one record or list.
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

        impl $crate::invocation::hooks::binding::Binding for $entry {
            type Indices = $crate::contract::bindings::exports::masthead::plugin::$interface::GuestIndices;
            type Guest = $crate::contract::bindings::exports::masthead::plugin::$interface::Guest;
            type Input = $input;
            type Output = $output;
            type Refusal = $refusal;

            fn find(
                pre: &wasmtime::component::InstancePre<$crate::invocation::store_state::StoreState>,
            ) -> wasmtime::Result<Self::Indices> {
                Self::Indices::new(pre)
            }

            fn load(
                indices: &Self::Indices,
                store: &mut wasmtime::Store<$crate::invocation::store_state::StoreState>,
                instance: &wasmtime::component::Instance,
            ) -> wasmtime::Result<Self::Guest> {
                indices.load(store, instance)
            }

            async fn call(
                $guest: &Self::Guest,
                $store: &mut wasmtime::Store<$crate::invocation::store_state::StoreState>,
                $context: &$crate::contract::bindings::masthead::plugin::types::Context,
                $given: &Self::Input,
            ) -> wasmtime::Result<Result<$output, $refusal>> {
                $call.await
            }
        }
    };
}
pub(crate) use bind;
