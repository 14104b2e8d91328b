//! Generated from `plugin-sdk/wit`: one world per hook, so that a plugin exports only the hooks that it registers,
//! and one for the capabilities, of which `wit-component` keeps only the imports that are called.
#![allow(missing_docs, reason = "documented in the WIT files")]

/// The capabilities.
pub mod capabilities {
    wit_bindgen::generate!({
        path: "../wit",
        world: "capabilities",
    });
}

/// The hook `links.rewrite`, and the types that all hooks share.
pub mod links {
    wit_bindgen::generate!({
        path: "../wit",
        world: "links-hook",
        pub_export_macro: true,
        export_macro_name: "__export_links",
        default_bindings_module: "masthead_plugin::bindings::links",
    });
}

/// The hook `access.decide`.
pub mod access {
    wit_bindgen::generate!({
        path: "../wit",
        world: "access-hook",
        with: { "masthead:plugin/types@0.1.0": crate::bindings::links::masthead::plugin::types },
        pub_export_macro: true,
        export_macro_name: "__export_access",
        default_bindings_module: "masthead_plugin::bindings::access",
    });
}

/// The hook `layout.contribute`.
pub mod layout {
    wit_bindgen::generate!({
        path: "../wit",
        world: "layout-hook",
        with: { "masthead:plugin/types@0.1.0": crate::bindings::links::masthead::plugin::types },
        pub_export_macro: true,
        export_macro_name: "__export_layout",
        default_bindings_module: "masthead_plugin::bindings::layout",
    });
}
