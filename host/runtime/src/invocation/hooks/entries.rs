//! The typed call of each hook, listed from the table of hooks.

use wasmtime::component::InstancePre;

use super::{
    access, article, assistant,
    binding::{Binding, HookEntry},
    events, head, identity, layout, links, messaging, navigation, routes, search, settings_check, statistics,
    translate,
};
use crate::{
    contract::{
        hook_table::{Hook, for_each_hook},
        manifest::Manifest,
    },
    invocation::store_state::StoreState,
};

macro_rules! declare_entries {
    ($( $(#[$doc:meta])* $hook:ident = $field:ident: $file:ident::$entry:ident { $($spec:tt)* } )+) => {
        /// The positions of a component's hook exports; `None` for a hook that it does not implement.
        #[derive(Default)]
        pub(crate) struct HookExports { $( $field: Option<<$file::$entry as Binding>::Indices> ),+ }

        impl HookExports {
            /// Looks up the manifest's hooks. A missing function is an error here; a wrong type is one in the first instance only.
            pub(crate) fn find(
                pre: &InstancePre<StoreState>,
                manifest: &Manifest,
            ) -> Result<Self, (Hook, wasmtime::Error)> {
                let mut found = Self::default();
                $( if manifest.has_hook(Hook::$hook) {
                    found.$field = Some(<$file::$entry as Binding>::find(pre).map_err(|error| (Hook::$hook, error))?);
                } )+
                Ok(found)
            }

            /// Whether the component implements this hook.
            pub(crate) fn has(&self, hook: Hook) -> bool {
                match hook { $( Hook::$hook => self.$field.is_some() ),+ }
            }
        }

        /// The hook functions of one instance, each loaded at its first call.
        #[derive(Default)]
        pub(crate) struct HookFunctions { $( $field: Option<<$file::$entry as Binding>::Guest> ),+ }

        $( impl TableEntry for $file::$entry {
            const HOOK: Hook = Hook::$hook;
            fn indices(exports: &HookExports) -> Option<&Self::Indices> { exports.$field.as_ref() }
            fn function(functions: &mut HookFunctions) -> &mut Option<Self::Guest> { &mut functions.$field }
        } )+

        /// Runs code that is generic over hooks for a hook that is known at run time only.
        macro_rules! by_hook {
            ($which:expr, |$e:ident| $body:expr) => {
                match $which { $( $crate::contract::hook_table::Hook::$hook => { type $e = $crate::invocation::hooks::$file::$entry; $body } )+ }
            };
        }
    };
}
for_each_hook!(declare_entries);
#[allow(clippy::single_component_path_imports, reason = "this is what makes a macro reachable by path")]
pub(crate) use by_hook;

/// The additions of the table to a hook's typed call: its row, and its fields in the two structs above.
pub(crate) trait TableEntry: HookEntry {
    const HOOK: Hook;
    fn indices(exports: &HookExports) -> Option<&Self::Indices>;
    fn function(functions: &mut HookFunctions) -> &mut Option<Self::Guest>;
}
