//! The hooks, declared in one place. A new hook is a file beside this one (its `Entry`), a `mod` line and a row below.

pub(crate) mod access;
pub(crate) mod layout;
pub(crate) mod links;

use std::{future::Future, time::Duration};

use wasmtime::{
    Store,
    component::{Instance, InstancePre},
};

use crate::{
    bindings::masthead::plugin::types::Context, failure::Cause, live::Live, manifest::Manifest, member::Member,
    state::State,
};

/// How the results of several plugins become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Each plugin transforms what the one before gave.
    Chain,
    /// All contributions, in order.
    Collect,
    /// The first that answers.
    First,
    /// All are told, after the fact, and told again when they fail.
    Notify,
}

/// A row of the table of hooks.
#[derive(Clone, Copy, Debug)]
pub struct HookSpec {
    /// Which one.
    pub hook: Hook,
    /// Its name in `plugin.toml`.
    pub name: &'static str,
    /// Its WIT interface.
    pub interface: &'static str,
    /// How results are put together.
    pub shape: Shape,
    /// Time of one call.
    pub budget: Duration,
    /// What the page is when the plugin fails.
    pub on_failure: &'static str,
    /// What the result depends on, if it may be remembered: nothing but its input, since 0.1 has no clock and no network.
    pub remembered: Option<&'static str>,
}

macro_rules! hook_table {
    ($( $(#[$doc:meta])* $hook:ident in $module:ident {
        name: $name:literal, shape: $shape:ident, budget_ms: $budget:literal, on_failure: $failure:literal, remembered: $remembered:expr
    } )+) => {
        /// A hook of the contract.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Hook { $( $(#[$doc])* $hook ),+ }

        /// Every hook of contract 0.1.
        pub const HOOKS: &[HookSpec] = &[ $( HookSpec {
            hook: Hook::$hook, name: $name, interface: stringify!($module), shape: Shape::$shape,
            budget: Duration::from_millis($budget), on_failure: $failure, remembered: $remembered,
        } ),+ ];

        /// Which hooks a component has, and where.
        #[derive(Default)]
        pub(crate) struct Found { $( $module: Option<<$module::Entry as HookEntry>::Indices> ),+ }

        impl Found {
            /// Looks up the hooks of the manifest: a missing function shows here, a wrong type only at the first instance.
            pub(crate) fn find(pre: &InstancePre<State>, manifest: &Manifest) -> Result<Self, (Hook, wasmtime::Error)> {
                let mut found = Self::default();
                $( if manifest.has_hook(Hook::$hook) {
                    found.$module = Some($module::Entry::find(pre).map_err(|error| (Hook::$hook, error))?);
                } )+
                Ok(found)
            }

            pub(crate) fn has(&self, hook: Hook) -> bool {
                match hook { $( Hook::$hook => self.$module.is_some() ),+ }
            }
        }

        /// The functions of one instance, each looked up at its first use.
        #[derive(Default)]
        pub(crate) struct Guests { $( $module: Option<<$module::Entry as HookEntry>::Guest> ),+ }

        $( impl Fields for $module::Entry {
            const HOOK: Hook = Hook::$hook;
            fn indices(found: &Found) -> Option<&Self::Indices> { found.$module.as_ref() }
            fn guest(guests: &mut Guests) -> &mut Option<Self::Guest> { &mut guests.$module }
        } )+

        /// Calls every hook of a fresh instance once with the input that every plugin has to bear.
        pub(crate) async fn trial(live: &mut Live, member: &Member, context: &Context) -> Result<(), (Hook, Cause)> {
            $( if member.plugin.has_hook(Hook::$hook) {
                trial_of::<$module::Entry>(live, member, context).await.map_err(|cause| (Hook::$hook, cause))?;
            } )+
            Ok(())
        }
    };
}

hook_table! {
    /// Where links inside the site lead.
    Links in links { name: "links.rewrite", shape: Chain, budget_ms: 5, on_failure: "the links as they were", remembered: Some("links") }
    /// What a reader may do.
    Access in access { name: "access.decide", shape: Chain, budget_ms: 5, on_failure: "the site's own permission", remembered: Some("site, user, referrer") }
    /// Modules in slots of the page.
    Layout in layout { name: "layout.contribute", shape: Collect, budget_ms: 5, on_failure: "without its contributions", remembered: Some("page") }
}

impl Hook {
    /// Its row of the table.
    #[must_use]
    pub fn spec(self) -> &'static HookSpec {
        // One row per variant, in the order of the variants, by construction of the macro.
        &HOOKS[self as usize]
    }

    /// Its name in `plugin.toml`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// The hook of this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        HOOKS.iter().find(|spec| spec.name == name).map(|spec| spec.hook)
    }
}

/// What the table generates for a hook.
pub(crate) trait Fields: HookEntry {
    const HOOK: Hook;
    fn indices(found: &Found) -> Option<&Self::Indices>;
    fn guest(guests: &mut Guests) -> &mut Option<Self::Guest>;
}

/// What the file of a hook says.
pub(crate) trait HookEntry {
    type Indices;
    type Guest: Send + Sync;
    type Input: Sync;
    type Output: Send;

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
    ) -> impl Future<Output = wasmtime::Result<Result<Self::Output, String>>> + Send;

    /// Whether the host accepts this result; the reason if not.
    fn check(member: &Member, input: &Self::Input, output: &Self::Output) -> Result<(), String>;

    /// The emptiest input: before a plugin is used, it has to answer this.
    fn trial_input() -> Self::Input;
}

async fn trial_of<E: Fields>(live: &mut Live, member: &Member, context: &Context) -> Result<(), Cause> {
    let input = E::trial_input();
    let output = live.call::<E>(member, context, &input).await?;
    E::check(member, &input, &output).map_err(Cause::BadResult)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_is_in_the_order_of_the_variants() {
        for (index, spec) in super::HOOKS.iter().enumerate() {
            assert_eq!(spec.hook as usize, index);
            assert_eq!(super::Hook::by_name(spec.name), Some(spec.hook));
        }
    }
}
