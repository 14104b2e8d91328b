//! The macro that turns a type into a component.

/// Exports the named hooks of a type, and nothing else: `register!(MyPlugin: Links, Access);`
#[macro_export]
macro_rules! register {
    ($plugin:ident: $($hook:ident),+ $(,)?) => {
        $( $crate::__register_hook!($hook, $plugin); )+
    };
}

/// One hook of [`register!`]: an adapter from the author's trait to the generated one, exported. Native linkers do not
/// take the names of a component's exports, so a native build (unit tests) only checks the types.
#[macro_export]
#[doc(hidden)]
macro_rules! __register_hook {
    (Links, $plugin:ident) => {
        #[cfg(not(target_arch = "wasm32"))]
        const _: () = {
            let _ = <$plugin as $crate::Links>::rewrite;
        };
        #[cfg(target_arch = "wasm32")]
        const _: () = {
            use world::exports::masthead::plugin::links as hook;
            use $crate::bindings::links as world;
            struct Adapter;
            impl hook::Guest for Adapter {
                fn rewrite(context: $crate::Context, links: Vec<$crate::Link>) -> Result<Vec<$crate::Link>, String> {
                    <$plugin as $crate::Links>::rewrite(&context, links)
                }
            }
    world::__export_links!(Adapter with_types_in world);
        };
    };
    (Access, $plugin:ident) => {
        #[cfg(not(target_arch = "wasm32"))]
        const _: () = {
            let _ = <$plugin as $crate::Access>::decide;
        };
        #[cfg(target_arch = "wasm32")]
        const _: () = {
            use world::exports::masthead::plugin::access as hook;
            use $crate::bindings::access as world;
            struct Adapter;
            impl hook::Guest for Adapter {
                fn decide(
                    context: $crate::Context,
                    request: $crate::AccessRequest,
                ) -> Result<$crate::Permissions, String> {
                    <$plugin as $crate::Access>::decide(&context, request)
                }
            }
    world::__export_access!(Adapter with_types_in world);
        };
    };
    (Layout, $plugin:ident) => {
        #[cfg(not(target_arch = "wasm32"))]
        const _: () = {
            let _ = <$plugin as $crate::Layout>::contribute;
        };
        #[cfg(target_arch = "wasm32")]
        const _: () = {
            use world::exports::masthead::plugin::layout as hook;
            use $crate::bindings::layout as world;
            struct Adapter;
            impl hook::Guest for Adapter {
                fn contribute(context: $crate::Context) -> Result<Vec<$crate::Contribution>, String> {
                    <$plugin as $crate::Layout>::contribute(&context)
                }
            }
    world::__export_layout!(Adapter with_types_in world);
        };
    };
    ($other:ident, $plugin:ident) => {
        compile_error!(concat!(stringify!($other), " is not a hook of this contract; known are Links, Access, Layout"));
    };
}
