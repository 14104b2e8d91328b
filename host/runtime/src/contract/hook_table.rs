//! The table of hooks: name, WIT interface, shape, budgets, failure rule and caching of each. All lists of hooks in this crate
//! are generated from it, through [`for_each_hook`].

use std::time::Duration;

/// How the results of several plugins are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Each plugin transforms the result of the plugin before it.
    Chain,
    /// All contributions, in the order of the plugins.
    Collect,
    /// The first answer.
    First,
    /// Every plugin is called after the event; a failed call is repeated later.
    Notify,
}

/// A class of hooks. Each has its own permits for instances, so that its calls never wait for those of another class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HookClass {
    /// The permissions of a reader: every page and every download needs them.
    Access,
    /// What is called while a page is made, and does not wait.
    Page,
    /// Sign-in at an identity provider.
    SignIn,
    /// What waits for other servers, or is done after the answer: translations, messages, events, a plugin's own routes.
    Waiting,
}

/// All classes, in the order of the variants of [`HookClass`].
pub(crate) const CLASSES: [HookClass; 4] = [HookClass::Access, HookClass::Page, HookClass::SignIn, HookClass::Waiting];

/// Whether the host caches a hook's result and returns it for an equal call without calling the plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caching {
    /// Never.
    Never,
    /// By page context and input, if the plugin imports only `log` and `settings`, so that nothing else can change its result.
    IfDeterministic,
    /// By input alone, for every plugin, because the result depends on the input only (a translation on its text).
    ByInput,
}

/// A row of the table of hooks.
#[derive(Clone, Copy, Debug)]
pub struct HookSpec {
    /// The hook.
    pub hook: Hook,
    /// Its name in `plugin.toml`, such as `links.rewrite`.
    pub name: &'static str,
    /// Its WIT interface, such as `links`.
    pub interface: &'static str,
    /// How the results of several plugins are combined.
    pub shape: Shape,
    /// Computing time of one call.
    pub budget: Duration,
    /// Wall-clock time of one call, host calls included; equal to the budget for hooks that are called while a page is rendered.
    pub wait: Duration,
    /// What the page uses instead if the plugin fails.
    pub on_failure: &'static str,
    /// Whether its result is cached.
    pub caching: Caching,
}

/// Passes the table to a macro. The form of a row is: variant = field: file::entry { name, interface, shape, budgets, caching,
/// failure rule }; `field` and `file::entry` name the typed call in `invocation/hooks`.
macro_rules! for_each_hook {
    ($receiver:ident) => {
        $receiver! {
                /// Targets of links inside the site.
                Links = links: links::Entry { "links.rewrite", "links", Chain, budget 5 ms, wait 5 ms, IfDeterministic, else "the unchanged links" }
                /// Permissions of a reader.
                Access = access: access::Entry { "access.decide", "access", Chain, budget 5 ms, wait 5 ms, IfDeterministic, else "the site's own permission" }
                /// Modules in slots of the page.
                Layout = layout: layout::Entry { "layout.contribute", "layout", Collect, budget 5 ms, wait 5 ms, IfDeterministic, else "no contributions" }
                /// The menu and the languages of the site.
                Navigation = navigation: navigation::Entry { "navigation.adjust", "navigation", Chain, budget 5 ms, wait 5 ms, IfDeterministic, else "the unchanged menu" }
                /// Tags in the head of the document.
                Head = head: head::Entry { "head.contribute", "head", Collect, budget 5 ms, wait 5 ms, IfDeterministic, else "no tags" }
                /// Queries.
                SearchRewrite = search_rewrite: search::Rewrite { "search.rewrite", "search-rewrite", Chain, budget 5 ms, wait 5 ms, IfDeterministic, else "the unchanged query" }
                /// Badges and order of a page of hits.
                SearchDecorate = search_decorate: search::Decorate { "search.decorate", "search-decorate", Chain, budget 10 ms, wait 10 ms, IfDeterministic, else "the unchanged hits" }
                /// Badges, sections and downloads of an article.
                ArticleDecorate = article_decorate: article::Entry { "article.decorate", "article-decorate", Collect, budget 10 ms, wait 10 ms, IfDeterministic, else "no additions" }
                /// Parameters of counting a site's resources.
                Statistics = statistics: statistics::Entry { "statistics.parameters", "statistics", Chain, budget 5 ms, wait 5 ms, IfDeterministic, else "the unchanged parameters" }
                /// Machine translation.
                Translate = translate: translate::Entry { "translate.translate", "translate", First, budget 100 ms, wait 8000 ms, ByInput, else "the message that the request timed out" }
                /// The token of the assistant's frame.
                Assistant = assistant: assistant::Entry { "assistant.secure-parameters", "assistant", First, budget 50 ms, wait 3000 ms, Never, else "a panel with the failure" }
                /// Start of a sign-in at an identity provider.
                IdentityBegin = identity_begin: identity::Begin { "identity.begin", "identity", First, budget 50 ms, wait 5000 ms, Never, else "the sign-in page with the reason" }
                /// Completion of a sign-in at an identity provider.
                IdentityComplete = identity_complete: identity::Complete { "identity.complete", "identity", First, budget 50 ms, wait 5000 ms, Never, else "the sign-in page with the reason" }
                /// Sending a message.
                Messaging = messaging: messaging::Entry { "messaging.send", "messaging", First, budget 50 ms, wait 5000 ms, Never, else "the answer that it was not sent" }
                /// Addresses below `plugins/<id>/`.
                Routes = routes: routes::Entry { "routes.handle", "routes", First, budget 100 ms, wait 2000 ms, Never, else "the answer that the plugin failed" }
                /// Changes of content and settings.
                Events = events: events::Entry { "events.notify", "events", Notify, budget 100 ms, wait 10000 ms, Never, else "another attempt later" }
                /// Checks of settings that a schema cannot express.
                SettingsCheck = settings_check: settings_check::Entry { "settings.check", "settings-check", First, budget 100 ms, wait 100 ms, Never, else "the previous configuration" }
        }
    };
}
pub(crate) use for_each_hook;

macro_rules! declare_hooks {
    ($( $(#[$doc:meta])* $hook:ident = $field:ident: $file:ident::$entry:ident {
        $name:literal, $interface:literal, $shape:ident, budget $budget:literal ms, wait $wait:literal ms, $caching:ident, else $failure:literal
    } )+) => {
        /// A hook of the contract.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Hook { $( $(#[$doc])* $hook ),+ }

        /// Every hook of contract 0.1, in the order of the variants of [`Hook`].
        pub const HOOKS: &[HookSpec] = &[ $( HookSpec {
            hook: Hook::$hook, name: $name, interface: $interface, shape: Shape::$shape,
            budget: Duration::from_millis($budget), wait: Duration::from_millis($wait), on_failure: $failure,
            caching: Caching::$caching,
        } ),+ ];
    };
}
for_each_hook!(declare_hooks);

impl Hook {
    /// Its row of the table.
    #[must_use]
    pub fn spec(self) -> &'static HookSpec {
        // The macro makes one row for each variant, in the same order.
        &HOOKS[self as usize]
    }

    /// The class whose permits its calls take.
    pub(crate) fn class(self) -> HookClass {
        match (self, self.spec().shape) {
            (Self::Access, _) => HookClass::Access,
            (Self::IdentityBegin | Self::IdentityComplete, _) => HookClass::SignIn,
            (_, Shape::Chain | Shape::Collect) => HookClass::Page,
            (_, Shape::First | Shape::Notify) => HookClass::Waiting,
        }
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

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_is_in_the_order_of_the_variants() {
        for (index, spec) in super::HOOKS.iter().enumerate() {
            assert_eq!(spec.hook as usize, index);
            assert_eq!(super::Hook::by_name(spec.name), Some(spec.hook));
            assert!(spec.wait >= spec.budget, "{}", spec.name);
        }
        for (index, class) in super::CLASSES.into_iter().enumerate() {
            assert_eq!(class as usize, index);
        }
    }

    #[test]
    fn only_hooks_that_do_not_wait_share_permits_with_access_or_pages() {
        use super::{HOOKS, Hook, HookClass};
        for spec in HOOKS {
            let (class, waits) = (spec.hook.class(), spec.wait > spec.budget);
            assert_eq!(class == HookClass::Access, spec.hook == Hook::Access, "{}", spec.name);
            assert!(!waits || matches!(class, HookClass::SignIn | HookClass::Waiting), "{}", spec.name);
        }
    }
}
