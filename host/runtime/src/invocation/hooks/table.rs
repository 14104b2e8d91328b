//! The table of hooks: name, shape, budget, failure rule and memory of each, and what follows from it for the code.

use std::time::Duration;

use wasmtime::component::InstancePre;

use super::{
    HookEntry, access, article, assistant, events, head, identity, layout, links, messaging, navigation, routes,
    search, settings_check, statistics, translate, trial_of,
};
use crate::{
    contract::{bindings::masthead::plugin::types::Context, failure::Cause, manifest::Manifest},
    invocation::store_state::State,
    plugin::instance::Live,
    site::member::Member,
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

/// Whether a result is remembered and given again for the same context and input, without asking the plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memo {
    /// Never.
    No,
    /// When the plugin imports nothing but `log` and `settings`: then nothing else can change its answer.
    Pure,
    /// Always, for as long as the chain lives: the answer belongs to the input (a translation to its text).
    Input,
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
    /// Computing time of one call.
    pub budget: Duration,
    /// Time of one call with all that it waits for; as long as the budget where the hook is made on the way to a page.
    pub wait: Duration,
    /// What the page is when the plugin fails.
    pub on_failure: &'static str,
    /// Whether its result is remembered.
    pub memo: Memo,
}

macro_rules! hook_table {
    ($( $(#[$doc:meta])* $hook:ident = $field:ident: $module:ident::$entry:ident {
        $name:literal, $interface:literal, $shape:ident, budget $budget:literal ms, wait $wait:literal ms, $memo:ident, else $failure:literal
    } )+) => {
        /// A hook of the contract.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Hook { $( $(#[$doc])* $hook ),+ }

        /// Every hook of contract 0.1.
        pub const HOOKS: &[HookSpec] = &[ $( HookSpec {
            hook: Hook::$hook, name: $name, interface: $interface, shape: Shape::$shape,
            budget: Duration::from_millis($budget), wait: Duration::from_millis($wait), on_failure: $failure, memo: Memo::$memo,
        } ),+ ];

        /// Which hooks a component has, and where.
        #[derive(Default)]
        pub(crate) struct Found { $( $field: Option<<$module::$entry as super::Binding>::Indices> ),+ }

        impl Found {
            /// Looks up the hooks of the manifest: a missing function shows here, a wrong type only at the first instance.
            pub(crate) fn find(pre: &InstancePre<State>, manifest: &Manifest) -> Result<Self, (Hook, wasmtime::Error)> {
                let mut found = Self::default();
                $( if manifest.has_hook(Hook::$hook) {
                    found.$field = Some(<$module::$entry as super::Binding>::find(pre).map_err(|error| (Hook::$hook, error))?);
                } )+
                Ok(found)
            }

            pub(crate) fn has(&self, hook: Hook) -> bool {
                match hook { $( Hook::$hook => self.$field.is_some() ),+ }
            }
        }

        /// The functions of one instance, each looked up at its first use.
        #[derive(Default)]
        pub(crate) struct Guests { $( $field: Option<<$module::$entry as super::Binding>::Guest> ),+ }

        $( impl Fields for $module::$entry {
            const HOOK: Hook = Hook::$hook;
            fn indices(found: &Found) -> Option<&Self::Indices> { found.$field.as_ref() }
            fn guest(guests: &mut Guests) -> &mut Option<Self::Guest> { &mut guests.$field }
        } )+

        /// Tries every hook of a fresh instance.
        pub(crate) async fn trial(live: &mut Live, member: &Member, context: &Context) -> Result<(), (Hook, Cause)> {
            $( if member.plugin.has_hook(Hook::$hook) {
                trial_of::<$module::$entry>(live, member, context).await.map_err(|cause| (Hook::$hook, cause))?;
            } )+
            Ok(())
        }

        /// Runs code that is generic over hooks for one that is known by its value only.
        macro_rules! by_hook {
            ($which:expr, |$e:ident| $body:expr) => {
                match $which { $( $crate::Hook::$hook => { type $e = $crate::invocation::hooks::$module::$entry; $body } )+ }
            };
        }
    };
}

hook_table! {
    /// Where links inside the site lead.
    Links = links: links::Entry { "links.rewrite", "links", Chain, budget 5 ms, wait 5 ms, Pure, else "the links as they were" }
    /// What a reader may do.
    Access = access: access::Entry { "access.decide", "access", Chain, budget 5 ms, wait 5 ms, Pure, else "the site's own permission" }
    /// Modules in slots of the page.
    Layout = layout: layout::Entry { "layout.contribute", "layout", Collect, budget 5 ms, wait 5 ms, Pure, else "without its contributions" }
    /// The menu and the languages of the site.
    Navigation = navigation: navigation::Entry { "navigation.adjust", "navigation", Chain, budget 5 ms, wait 5 ms, Pure, else "the menu as it was" }
    /// Tags in the head of the document.
    Head = head: head::Entry { "head.contribute", "head", Collect, budget 5 ms, wait 5 ms, Pure, else "without its tags" }
    /// What is searched for.
    SearchRewrite = search_rewrite: search::Rewrite { "search.rewrite", "search-rewrite", Chain, budget 5 ms, wait 5 ms, Pure, else "the query as it was" }
    /// Marks and order of a page of hits.
    SearchDecorate = search_decorate: search::Decorate { "search.decorate", "search-decorate", Chain, budget 10 ms, wait 10 ms, Pure, else "the hits as they were" }
    /// Badges, sections and downloads of an article.
    ArticleDecorate = article_decorate: article::Entry { "article.decorate", "article-decorate", Collect, budget 10 ms, wait 10 ms, Pure, else "without its additions" }
    /// Parameters of counting a site's resources.
    Statistics = statistics: statistics::Entry { "statistics.parameters", "statistics", Chain, budget 5 ms, wait 5 ms, Pure, else "the parameters as they were" }
    /// Machine translation.
    Translate = translate: translate::Entry { "translate.translate", "translate", First, budget 100 ms, wait 8000 ms, Input, else "the message that the request timed out" }
    /// The token of the assistant's frame.
    Assistant = assistant: assistant::Entry { "assistant.secure-parameters", "assistant", First, budget 50 ms, wait 3000 ms, No, else "a panel that says so" }
    /// Signing in elsewhere: where the reader is sent.
    IdentityBegin = identity_begin: identity::Begin { "identity.begin", "identity", First, budget 50 ms, wait 5000 ms, No, else "the sign-in page with the reason" }
    /// Signing in elsewhere: who came back.
    IdentityComplete = identity_complete: identity::Complete { "identity.complete", "identity", First, budget 50 ms, wait 5000 ms, No, else "the sign-in page with the reason" }
    /// Sending a message.
    Messaging = messaging: messaging::Entry { "messaging.send", "messaging", First, budget 50 ms, wait 5000 ms, No, else "the answer that it was not sent" }
    /// Addresses below `plugins/<id>/`.
    Routes = routes: routes::Entry { "routes.handle", "routes", First, budget 100 ms, wait 2000 ms, No, else "the answer that the plugin failed" }
    /// What has happened.
    Events = events: events::Entry { "events.notify", "events", Notify, budget 100 ms, wait 10000 ms, No, else "another try later" }
    /// Settings that a schema cannot judge.
    SettingsCheck = settings_check: settings_check::Entry { "settings.check", "settings-check", First, budget 100 ms, wait 100 ms, No, else "the configuration before" }
}
#[allow(clippy::single_component_path_imports, reason = "this is what makes a macro reachable by path")]
pub(crate) use by_hook;

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

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_is_in_the_order_of_the_variants() {
        for (index, spec) in super::HOOKS.iter().enumerate() {
            assert_eq!(spec.hook as usize, index);
            assert_eq!(super::Hook::by_name(spec.name), Some(spec.hook));
            assert!(spec.wait >= spec.budget, "{}", spec.name);
        }
    }
}
