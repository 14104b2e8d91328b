//! Bindings generated from the WIT files: one world for the capabilities, of which `wit-component` keeps only the imports that are
//! called, and one world for each hook, so that a plugin exports only the hooks that it registers.
#![allow(missing_docs, reason = "documented in the WIT files")]

/// The capabilities, and the types shared by hooks and capabilities.
pub mod capabilities {
    wit_bindgen::generate!({
        path: "../wit",
        world: "capabilities",
        additional_derives: [PartialEq],
    });
}

/// One module for each hook: its world, and the path of the module for the world's export macro.
macro_rules! hooks {
    ($($module:ident: $world:literal at $path:literal;)+) => {
        $(
            pub mod $module {
                wit_bindgen::generate!({
                    path: "../wit",
                    world: $world,
                    with: { "masthead:plugin/types@0.1.0": crate::bindings::capabilities::masthead::plugin::types },
                    additional_derives: [PartialEq],
                    pub_export_macro: true,
                    export_macro_name: "export",
                    default_bindings_module: $path,
                });
            }
        )+
    };
}

hooks! {
    links: "links-hook" at "masthead_plugin::bindings::links";
    access: "access-hook" at "masthead_plugin::bindings::access";
    layout: "layout-hook" at "masthead_plugin::bindings::layout";
    navigation: "navigation-hook" at "masthead_plugin::bindings::navigation";
    head: "head-hook" at "masthead_plugin::bindings::head";
    search_rewrite: "search-rewrite-hook" at "masthead_plugin::bindings::search_rewrite";
    search_decorate: "search-decorate-hook" at "masthead_plugin::bindings::search_decorate";
    article_decorate: "article-decorate-hook" at "masthead_plugin::bindings::article_decorate";
    statistics: "statistics-hook" at "masthead_plugin::bindings::statistics";
    translate: "translate-hook" at "masthead_plugin::bindings::translate";
    assistant: "assistant-hook" at "masthead_plugin::bindings::assistant";
    identity: "identity-hook" at "masthead_plugin::bindings::identity";
    messaging: "messaging-hook" at "masthead_plugin::bindings::messaging";
    routes: "routes-hook" at "masthead_plugin::bindings::routes";
    events: "events-hook" at "masthead_plugin::bindings::events";
    settings_check: "settings-check-hook" at "masthead_plugin::bindings::settings_check";
}
