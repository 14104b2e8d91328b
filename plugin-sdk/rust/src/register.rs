//! The macro that turns a type into a component.

/// Exports the named hooks of a type, and nothing else: `register!(MyPlugin: Links, Access);`
#[macro_export]
macro_rules! register {
    ($plugin:ident: $($hook:ident),+ $(,)?) => {
        $( $crate::__register_hook!($plugin, $hook); )+
    };
}

/// Maps each hook to the module of the bindings that exports it.
#[macro_export]
#[doc(hidden)]
macro_rules! __register_hook {
    ($plugin:ident, Links) => {
        $crate::__export_hook!($plugin, Links, links);
    };
    ($plugin:ident, Access) => {
        $crate::__export_hook!($plugin, Access, access);
    };
    ($plugin:ident, Layout) => {
        $crate::__export_hook!($plugin, Layout, layout);
    };
    ($plugin:ident, Navigation) => {
        $crate::__export_hook!($plugin, Navigation, navigation);
    };
    ($plugin:ident, Head) => {
        $crate::__export_hook!($plugin, Head, head);
    };
    ($plugin:ident, SearchRewrite) => {
        $crate::__export_hook!($plugin, SearchRewrite, search_rewrite);
    };
    ($plugin:ident, SearchDecorate) => {
        $crate::__export_hook!($plugin, SearchDecorate, search_decorate);
    };
    ($plugin:ident, ArticleDecorate) => {
        $crate::__export_hook!($plugin, ArticleDecorate, article_decorate);
    };
    ($plugin:ident, Statistics) => {
        $crate::__export_hook!($plugin, Statistics, statistics);
    };
    ($plugin:ident, Translate) => {
        $crate::__export_hook!($plugin, Translate, translate);
    };
    ($plugin:ident, Assistant) => {
        $crate::__export_hook!($plugin, Assistant, assistant);
    };
    ($plugin:ident, Identity) => {
        $crate::__export_hook!($plugin, Identity, identity);
    };
    ($plugin:ident, Messaging) => {
        $crate::__export_hook!($plugin, Messaging, messaging);
    };
    ($plugin:ident, Routes) => {
        $crate::__export_hook!($plugin, Routes, routes);
    };
    ($plugin:ident, Events) => {
        $crate::__export_hook!($plugin, Events, events);
    };
    ($plugin:ident, SettingsCheck) => {
        $crate::__export_hook!($plugin, SettingsCheck, settings_check);
    };
    ($plugin:ident, $other:ident) => {
        compile_error!(concat!(
            stringify!($other),
            " is not a hook of this contract; known are Links, Access, Layout, Navigation, Head, SearchRewrite, ",
            "SearchDecorate, ArticleDecorate, Statistics, Translate, Assistant, Identity, Messaging, Routes, Events, ",
            "SettingsCheck"
        ));
    };
}

/// Exports one hook. Native linkers do not accept the export names of components, so a native build (unit tests) only checks that
/// the type implements the trait.
#[macro_export]
#[doc(hidden)]
macro_rules! __export_hook {
    ($plugin:ident, $hook:ident, $module:ident) => {
        const _: () = {
            #[cfg(not(target_arch = "wasm32"))]
            {
                const fn implements<T: $crate::$hook>() {}
                implements::<$plugin>();
            }
            #[cfg(target_arch = "wasm32")]
            use $crate::bindings::$module as world;
            #[cfg(target_arch = "wasm32")]
    world::export!($plugin with_types_in world);
        };
    };
}
